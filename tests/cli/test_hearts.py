"""``gamecore hearts``: results as data, files, players of a user's; what it prints stands in ``answers.txt``."""

import json
import multiprocessing

import pytest
from command import said

from gamecore import hearts
from gamecore.cli.hearts import MEANINGS
from gamecore.draw import plots
from gamecore.hearts import _rules

END = hearts.random("left", plies=40, rng=5).to_text()
UNDER = "from gamecore import hearts\nclass Under(hearts.Player):\n    def choose(self, view):\n"
JACK = hearts.Rules(jack_of_diamonds=True)


def test_results_as_data(tmp_path):
    table, players = tmp_path / "points.csv", ["duck", "greedy", "pimc:2", "random"]
    simulation = hearts.simulate(players, 50, 7, passing="cycle", rules=JACK, first=3)
    comparison = hearts.compare(["duck", "pimc:3"], ["greedy", "duck", "random"], 40, 7, rules=JACK)
    match = hearts.match(players, 7, rules=hearts.Rules(jack_of_diamonds=True, match_points=30))
    deal = hearts.Round.deal(7, hearts.Rules(moon="shooter"), "left", None)
    view = (round_ := hearts.Round.from_text(END)).view(round_.to_move)
    moves = [entry.to_dict() for entry in hearts.evaluate_moves(view, playouts=30, rng=7)]
    four = "--players " + " ".join(players)
    for command, expected in (
        (f"simulate {four} --rounds 50 --workers 2 --passing cycle --first 3 --csv {table} --jack-of-diamonds",
         simulation.to_dict()),
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
    assert [[int(cell) for cell in line.split(",")[1:]] for line in lines[1:]] == simulation.points.tolist()


@pytest.fixture(params=["spawn", multiprocessing.get_start_method()])
def start_method(request):
    """How worker processes are started."""
    before = multiprocessing.get_start_method()
    multiprocessing.set_start_method(request.param, force=True)
    yield request.param
    multiprocessing.set_start_method(before, force=True)


def test_classes_of_the_users(tmp_path, start_method):
    (path := tmp_path / f"own_under_{start_method}.py").write_text(f"{UNDER}        return view.legal_moves()[0]\n")
    literal = hearts.compare(["literal", "duck"], "greedy", 12, 7)
    for workers in ("1", "2"):
        words = ["--rounds", "12", "--seed", "7", "--workers", workers, "--json"]
        status, out, err = said("hearts", "compare", f"{path}:Under", "duck", *words)
        assert (status, err, json.loads(out)["mean"]) == (0, "", literal.mean.tolist())
    assert said("hearts", "simulate", "--players", f"{path}:Under", *["duck"] * 3, "--rounds", "5")[0] == 0


@pytest.mark.parametrize("command", ["simulate --players greedy greedy greedy greedy", "compare duck greedy"])
def test_a_plot_is_checked_before_the_work_and_written_after_the_answer(tmp_path, monkeypatch, command):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    command = ["hearts", *command.split(), "--rounds", "3", "--json", "--plot"]
    status, out, err = said(*command, tmp_path / "y.xyz")
    assert (status, out, "the name of a plot must end in" in err) == (2, "", True)
    picture = tmp_path / "y.png"
    assert said(*command, picture)[::2] == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    monkeypatch.setattr(plots, "write_whole", lambda *_: (_ for _ in ()).throw(OSError(28, "the disk is full")))
    status, out, err = said(*command, picture)
    assert (status, json.loads(out)["rounds"], "the disk is full" in err) == (2, 3, True)


def test_flags_are_those_of_the_rules():
    assert set(MEANINGS) == set(_rules.FLAGS)
