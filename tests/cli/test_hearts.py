"""``gamecore hearts``."""

import io

import pytest

from gamecore import cli, hearts
from gamecore.cli.hearts import FLAGS


def run(capsys, *arguments):
    try:
        status = cli.main(["hearts", *arguments])
    except SystemExit as stopped:
        status = stopped.code
    out = capsys.readouterr()
    return status, out.out, out.err


def test_simulate_prints_what_the_library_finds(capsys, tmp_path):
    table = tmp_path / "points.csv"
    players = ["duck", "greedy", "pimc:2", "random"]
    status, out, err = run(
        capsys, "simulate", "--players", *players, "--rounds", "50", "--seed", "7", "--workers", "2",
        "--passing", "cycle", "--jack-of-diamonds", "--csv", str(table),
    )  # fmt: skip
    expected = hearts.simulate(players, 50, 7, passing="cycle", rules=hearts.Rules(jack_of_diamonds=True))
    assert (status, out, err) == (0, expected.summary() + "\n", "")
    lines = table.read_text().splitlines()
    assert lines[0] == "round,0:duck,1:greedy,2:pimc:2:greedy,3:random"
    assert [[int(cell) for cell in line.split(",")[1:]] for line in lines[1:]] == expected.points.tolist()


def test_plot(capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    picture = tmp_path / "out.png"
    status, _, err = run(capsys, "simulate", "--players", *["greedy"] * 4, "--rounds", "20", "--plot", str(picture))
    assert (status, err) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_match(capsys):
    status, out, _ = run(
        capsys, "match", "--players", "greedy", "random", "duck", "random", "--seed", "7", "--to", "30"
    )
    assert status == 0
    assert (
        out
        == hearts.match(["greedy", "random", "duck", "random"], 7, rules=hearts.Rules(match_points=30)).summary() + "\n"
    )


def test_flags_are_those_of_the_rules():
    assert all(getattr(hearts.Rules(), name) is default for name, default in FLAGS.items())
    assert set(FLAGS) == set(hearts.rules.FLAGS)


def test_play_from_the_keyboard(capsys, monkeypatch):
    # A person who asks, mistypes, and then plays the first legal card of every line that is shown.
    shown = []
    answers = iter(["h", "?", "ZZ"])

    def typed(prompt):
        shown.append(prompt)
        text = capsys.readouterr().out
        for line in text.splitlines():
            shown.append(line)
        try:
            return next(answers)
        except StopIteration:
            legal = [line for line in shown if line.startswith("legal")][-1]
            return legal.split()[1].lower()

    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    monkeypatch.setattr("builtins.input", typed)
    status, out, _ = run(capsys, "play", "--seed", "4", "--players", *["greedy"] * 3, "--to", "1", "--no-pass-cards")
    assert status == 0
    assert "won by" in out
    assert any("points you can expect" in line for line in shown)
    assert any("is not a card" in line for line in shown)


def test_play_passes_and_leaves(capsys, monkeypatch):
    hand = hearts.Round.deal(4, passing="left", passer=None).view(0).hand
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{hand[0]} {hand[1]}\n{hand[0]} {hand[1]} {hand[2]}\nq\n"))
    status, out, _ = run(capsys, "play", "--seed", "4", "--players", *["greedy"] * 3)
    assert status == 0
    assert "has to pass 3 cards" in out
    assert "you got" in out
    assert out.rstrip().endswith("score: you 0, left 0, across 0, right 0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "simulate, match, play"),
        (["simulate"], "--players"),
        (["simulate", "--players", "greedy"], "4 players, not 1"),
        (["simulate", "--players", *["greedy"] * 5], "4 players, not 5"),
        (["simulate", "--players", *["greedy"] * 3, "nobody"], "unknown player 'nobody'"),
        (["simulate", "--players", *["greedy"] * 4, "--rounds", "-1"], "rounds"),
        (["simulate", "--players", *["greedy"] * 4, "--rounds", "x"], "rounds"),
        (["simulate", "--players", *["greedy"] * 4, "--seed", "-1"], "rng"),
        (["simulate", "--players", *["greedy"] * 4, "--passing", "up"], "passing"),
        (["simulate", "--players", *["greedy"] * 4, "--csv", "/nonexistent/x.csv"], "cannot write"),
        (["simulate", "--players", *["greedy"] * 4, "--plot", "/nonexistent/x.png"], "cannot write"),
        (["match", "--players", *["greedy"] * 4, "--to", "0"], "match_points"),
        (["play", "--players", "greedy"], "3 other players, not 1"),
        (["play", "--players", "greedy", "greedy", "nobody"], "unknown player"),
        (["simulate", "--players", *["greedy"] * 4, "--no-such-rule"], "no-such-rule"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, message):
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
