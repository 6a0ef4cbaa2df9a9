"""``gamecore hearts``: results as data, files, players of a user's; what it prints stands in ``answers.txt``."""

import json
import multiprocessing

import pytest
from command import said

from gamecore import hearts

END = hearts.random("left", plies=40, rng=5).to_text()
UNDER = "from gamecore import hearts\nclass Under(hearts.Player):\n    def choose(self, view):\n"
JACK = hearts.Rules(jack_of_diamonds=True)


def test_results_as_data(tmp_path):
    table, path, players = tmp_path / "points.csv", tmp_path / "rounds.npz", ["duck", "greedy", "pimc:2", "random"]
    simulation = hearts.simulate(players, 50, 7, passing="cycle", rules=JACK, first=3)
    comparison = hearts.compare(["duck", "pimc:3"], ["greedy", "duck", "random"], 40, 7, rules=JACK)
    match = hearts.match(players, 7, rules=hearts.Rules(jack_of_diamonds=True, match_points=30))
    deal = hearts.Round.deal(7, hearts.Rules(moon="shooter"), "left", None)
    view = (round_ := hearts.Round.from_text(END)).view(round_.to_move)
    moves = [entry.to_dict() for entry in hearts.evaluate_moves(view, playouts=30, rng=7)]
    four = "--players " + " ".join(players)
    for command, expected in (
        (f"simulate {four} --rounds 50 --workers 2 --passing cycle --first 3 --csv {table} --jack-of-diamonds "
         f"--record {path}", simulation.to_dict()),
        ("compare duck pimc:3 --field greedy duck random --rounds 40 --jack-of-diamonds", comparison.to_dict()),
        (f"match {four} --to 30 --jack-of-diamonds", match.to_dict()),
        ("deal --passing left --moon shooter", deal.to_dict()),
        (f"evaluate --playouts 30 {END}", {"position": END, "seat": view.seat, "moves": moves}),
    ):  # fmt: skip
        status, out, err = said("hearts", *command.split(), "--seed", "7", "--json")
        data, times = json.loads(out), {"seconds", "decision_seconds"}
        assert (status, err, tuple(data)) == (0, "", tuple(expected))
        assert all(data[name] == expected[name] for name in data.keys() - times)
    lines = table.read_text().splitlines()
    assert lines[0] == "round,0:duck,1:greedy,2:pimc:2:greedy,3:random"
    assert [[*map(int, line.split(","))] for line in lines[1:]] == [
        [number, *points] for number, points in enumerate(simulation.points.tolist(), 3)
    ]
    assert hearts.Record.load(path) == hearts.record(players, 50, 7, passing="cycle", rules=JACK, first=3)


@pytest.mark.parametrize("method", ["spawn", multiprocessing.get_start_method()])
def test_classes_of_the_users(tmp_path, method):
    (path := tmp_path / f"own_under_{method}.py").write_text(f"{UNDER}        return view.legal_moves()[0]\n")
    literal, before = hearts.compare(["literal", "duck"], "greedy", 12, 7), multiprocessing.get_start_method()
    multiprocessing.set_start_method(method, force=True)  # of worker processes
    try:
        for workers in ("1", "2"):
            words = ["--rounds", "12", "--seed", "7", "--workers", workers, "--json"]
            status, out, err = said("hearts", "compare", f"{path}:Under", "duck", *words)
            assert (status, err, json.loads(out)["mean"]) == (0, "", literal.mean.tolist())
        assert said("hearts", "simulate", "--players", f"{path}:Under", *["duck"] * 3, "--rounds", "5")[0] == 0
    finally:
        multiprocessing.set_start_method(before, force=True)
