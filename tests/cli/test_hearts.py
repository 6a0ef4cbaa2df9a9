"""``gamecore hearts``."""

import functools
import json
import sys

import pytest
from command import said

from gamecore import hearts
from gamecore.cli.hearts import MEANINGS
from gamecore.draw import plots
from gamecore.hearts import _rules

END = hearts.random("left", plies=40, rng=5).to_text()
run = functools.partial(said, "hearts")
TABLES = pytest.mark.parametrize("command", [["simulate", "--players", *["greedy"] * 4], ["compare", "duck", "greedy"]])


def test_simulate_prints_what_the_library_finds(tmp_path):
    table = tmp_path / "points.csv"
    players = ["duck", "greedy", "pimc:2", "random"]
    command = [
        "simulate", "--players", *players, "--rounds", "50", "--seed", "7", "--workers", "2",
        "--passing", "cycle", "--jack-of-diamonds", "--csv", str(table),
    ]  # fmt: skip
    status, out, err = run(*command)
    expected = hearts.simulate(players, 50, 7, passing="cycle", rules=hearts.Rules(jack_of_diamonds=True))
    assert (status, out, err) == (0, f"{expected}\n", "")
    as_data = expected.to_dict() | {"seconds": 0}
    status, out, _ = run(*command, "--json")
    assert (status, json.loads(out) | {"seconds": 0}) == (0, as_data)
    lines = table.read_text().splitlines()
    assert lines[0] == "round,0:duck,1:greedy,2:pimc:2:greedy,3:random"
    assert [[int(cell) for cell in line.split(",")[1:]] for line in lines[1:]] == expected.points.tolist()


@TABLES
def test_a_plot_that_cannot_be_drawn_stops_before_the_work(tmp_path, monkeypatch, command):
    monkeypatch.setattr(hearts, command[0], lambda *_, **__: pytest.fail("it worked first"))
    status, out, err = run(*command, "--plot", str(tmp_path / "y.xyz"))
    assert (status, out) == (2, "")
    assert "the name of a plot must end in" in err
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    status, out, err = run(*command, "--plot", str(tmp_path / "y.svg"))
    assert (status, out) == (2, "")
    assert "pip install 'gamecore[plot]'" in err
    assert not list(tmp_path.iterdir())


@TABLES
def test_results_are_printed_before_the_plot(tmp_path, monkeypatch, command):
    pytest.importorskip("matplotlib", reason="extra `plot`")

    def full(*_):
        raise OSError(28, "the disk is full")

    monkeypatch.setattr(plots, "write_whole", full)
    status, out, err = run(*command, "--rounds", "3", "--json", "--plot", str(tmp_path / "y.svg"))
    assert (status, json.loads(out)["rounds"]) == (2, 3)
    assert "the disk is full" in err


def test_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    picture = tmp_path / "out.png"
    status, _, err = run("simulate", "--players", *["greedy"] * 4, "--rounds", "20", "--plot", str(picture))
    assert (status, err) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_match():
    command = ["match", "--players", "greedy", "random", "duck", "random", "--seed", "7", "--to", "30"]
    expected = hearts.match(["greedy", "random", "duck", "random"], 7, rules=hearts.Rules(match_points=30))
    assert run(*command) == (0, f"{expected}\n", "")
    status, out, _ = run(*command, "--json")
    assert (status, json.loads(out)) == (0, expected.to_dict())


def test_flags_are_those_of_the_rules():
    assert set(MEANINGS) == set(_rules.FLAGS)
    assert all(len(meaning) > 20 for meaning in MEANINGS.values())


def test_a_deal_is_the_one_that_is_simulated():
    assert run("deal", "--seed", "7") == (0, hearts.Round.deal(7).to_text() + "\n", "")
    status, out, _ = run("deal", "--seed", "7", "--passing", "left", "--plies", "60", "--moon", "shooter")
    assert status == 0
    round_ = hearts.Round.from_text(out)
    assert round_.is_over
    rules = hearts.Rules(moon="shooter")
    assert round_.points == hearts.simulate(["random"] * 4, 1, 7, passing="left", rules=rules)[0]
    status, out, _ = run("deal", "--seed", "7", "--plies", "9", "--player", "greedy", "--json")
    data = json.loads(out)
    assert len(hearts.Round.from_dict(data).played) == 9
    status, out, _ = run("deal", "--seed", "7", "--draw")
    assert out == hearts.Round.deal(7).to_text() + "\n" + hearts.Round.deal(7).draw() + "\n"


def test_solve(tmp_path):
    round_ = hearts.Round.from_text(END)
    solution, analysis = hearts.solve(round_), hearts.analyse(round_)
    status, out, err = run("solve", "--line", "--analyse", END)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert (lines[0], lines[1]) == (str(solution), f"value: {solution.value} for seat {solution.to_move} by max_n")
    assert lines[4] == "line: " + " ".join(solution.line)
    assert lines[5:] == [f"{entry} for seat {solution.to_move}" for entry in analysis]
    path = tmp_path / "rounds.txt"
    path.write_text(f"{END}\n\n{END}\n")
    for arguments in (["solve", "--json", "--analyse", str(path)], ["solve", "--json", "--analyse"]):
        status, out, err = run(*arguments, stdin=path.read_bytes())
        assert (status, err, len(out.splitlines())) == (0, "", 2)
        for line in out.splitlines():
            data = json.loads(line)
            assert (data["position"], data["value"]) == (END, solution.value)
            assert [entry["value"] for entry in data["moves"]] == [entry.value for entry in analysis]
    path.write_text(f"{END}\nstd:hold\n")
    status, out, err = run("solve", str(path))
    assert status == 2
    assert "line 2, column 1" in err
    path.write_text("\n")
    assert run("solve", str(path))[::2] == (2, "gamecore: no position: the input is empty\n")


@pytest.mark.parametrize("more", [[], ["--json"], ["--analyse"], ["--draw"], ["--method", "paranoid"], ["--line"]])
def test_solve_within_limits(more):
    status, out, err = run("solve", "--node-limit", "30", *more, END)
    assert (status, err) == (3, "")
    if more == ["--json"]:
        assert json.loads(out)["value"] is None
    elif not more:
        assert " to " in out.splitlines()[0]
        assert ".." in out.splitlines()[1]


def test_evaluate():
    round_ = hearts.Round.from_text(END)
    view = round_.view(round_.to_move)
    found = hearts.evaluate_moves(view, playouts=30, rng=5)
    arguments = ["evaluate", "--playouts", "30", "--seed", "5"]
    expected = "".join(f"{entry} points for seat {view.seat}\n" for entry in found)
    assert run(*arguments, END) == (0, expected, "")
    status, out, _ = run(*arguments, "--json", END)
    assert json.loads(out)["moves"] == [entry.to_dict() for entry in found]
    assert run(*arguments, "--draw", END) == (0, view.draw(found) + "\n", "")
    status, out, _ = run(*arguments, "--node-limit", "0", "--json", END)
    assert status == 3
