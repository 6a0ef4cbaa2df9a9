"""``gamecore hearts``: results as data, files, players of a user's; what it prints stands in ``answers.txt``."""

import functools
import json

import pytest
from command import said

from gamecore import hearts
from gamecore.cli.hearts import MEANINGS
from gamecore.draw import plots
from gamecore.hearts import _rules

END = hearts.random("left", plies=40, rng=5).to_text()
OWN = "from gamecore import hearts\n\n\nclass Under(hearts.Player):\n    def choose(self, view):\n"
run = functools.partial(said, "hearts")
TABLES = pytest.mark.parametrize("command", [["simulate", "--players", *["greedy"] * 4], ["compare", "duck", "greedy"]])


def test_results_as_data(tmp_path):
    table, players = tmp_path / "points.csv", ["duck", "greedy", "pimc:2", "random"]
    rules = hearts.Rules(jack_of_diamonds=True, match_points=30)
    options = ["--rounds", "50", "--workers", "2", "--passing", "cycle", "--first", "3", "--csv", str(table)]
    simulation = hearts.simulate(players, 50, 7, passing="cycle", rules=hearts.Rules(jack_of_diamonds=True), first=3)
    comparison = hearts.compare(["duck", "pimc:3"], ["greedy", "duck", "random"], 40, 7, rules=simulation.rules)
    view = (round_ := hearts.Round.from_text(END)).view(round_.to_move)
    moves = [entry.to_dict() for entry in hearts.evaluate_moves(view, playouts=30, rng=5)]
    for command, expected in (
        (["simulate", "--players", *players, *options, "--jack-of-diamonds"], simulation.to_dict()),
        (["compare", "duck", "pimc:3", "--field", "greedy", "duck", "random", "--rounds", "40", "--jack-of-diamonds"],
         comparison.to_dict()),
        (["match", "--players", *players, "--to", "30", "--jack-of-diamonds"],
         hearts.match(players, 7, rules=rules).to_dict()),
        (["deal", "--passing", "left", "--moon", "shooter"],
         hearts.Round.deal(7, hearts.Rules(moon="shooter"), "left", None).to_dict()),
        (["evaluate", "--playouts", "30", "--seed", "5", END], {"position": END, "seat": view.seat, "moves": moves}),
    ):  # fmt: skip
        status, out, err = run(*command[:1], "--seed", "7", "--json", *command[1:])
        data, times = json.loads(out), {"seconds", "decision_seconds"}
        assert (status, err, tuple(data)) == (0, "", tuple(expected))
        assert all(data[name] == expected[name] for name in data.keys() - times)
    lines = table.read_text().splitlines()
    assert lines[0] == "round,0:duck,1:greedy,2:pimc:2:greedy,3:random"
    assert [[int(cell) for cell in line.split(",")[1:]] for line in lines[1:]] == simulation.points.tolist()


def test_classes_of_the_users(tmp_path):
    (path := tmp_path / "own_under.py").write_text(f"{OWN}        return view.legal_moves()[0]\n\n\nclass Other: ...\n")
    literal = hearts.compare(["literal", "duck"], "greedy", 12, 7)
    for workers in ("1", "2"):
        command = ["compare", f"{path}:Under", "duck", "--rounds", "12", "--seed", "7", "--workers", workers, "--json"]
        status, out, err = run(*command)
        assert (status, err, json.loads(out)["mean"]) == (0, "", literal.mean.tolist())
    assert run("simulate", "--players", f"{path}:Under", "duck", "duck", "duck", "--rounds", "5")[0] == 0
    for name, message in ((f"{path}:No", "class 'No'"), (f"{path}:Other", "'Other'"), ("no.py:No", "no such file")):
        status, out, err = run("compare", name, "duck")
        assert (status, out, message in err, err.count("\n")) == (2, "", True, 1)


@TABLES
def test_a_plot_is_checked_before_the_work_and_written_after_the_answer(tmp_path, monkeypatch, command):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    command = [*command, "--rounds", "3", "--json", "--plot"]
    status, out, err = run(*command, str(tmp_path / "y.xyz"))
    assert (status, out, "the name of a plot must end in" in err) == (2, "", True)
    picture = tmp_path / "y.png"
    assert run(*command, str(picture))[::2] == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    monkeypatch.setattr(plots, "write_whole", lambda *_: (_ for _ in ()).throw(OSError(28, "the disk is full")))
    status, out, err = run(*command, str(picture))
    assert (status, json.loads(out)["rounds"], "the disk is full" in err) == (2, 3, True)


def test_flags_are_those_of_the_rules():
    assert set(MEANINGS) == set(_rules.FLAGS)


def test_limits():
    for more in ([], ["--json"], ["--analyse", "--draw", "--line"], ["--method", "paranoid"]):
        status, out, err = run("solve", "--node-limit", "30", *more, END)
        assert (status, err) == (3, "")
        assert (json.loads(out)["value"] is None) if more == ["--json"] else (" to " in out and ".." in out)
    assert run("evaluate", "--playouts", "30", "--node-limit", "0", END)[0] == 3
