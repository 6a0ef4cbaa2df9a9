"""``examples/engine_player.py``: a program as a player plays its own rounds, and fails like any player."""

import contextlib
import pickle
import runpy
import sys
from pathlib import Path

import pytest

from gamecore import hearts

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine_player.py"
sys.path.insert(0, str(EXAMPLE.parent))
import engine_player  # noqa: E402

#: It plays a card that all it was told decides on, if it holds what it is told to hold.
PROGRAM = """
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "round":
        assert rest[:7:2] == ["seat", "passing", "seed", "hand"] and int(rest[5]) < 2**64
        seat, told, hand = rest[1], rest[3], rest[7:]
    elif word == "passed":
        told += "".join(rest[:3] + rest[4:])
        hand = [card for card in hand if card not in rest[:3]] + rest[4:]
    elif word == "played":
        told += rest[1]
        if rest[0] == seat:
            hand.remove(rest[1])
    elif word == "pass":
        print("pass", *hand[-3:], flush=True)
    elif set(rest) <= set(hand):
        print("card", rest[sum(k * ord(c) for k, c in enumerate(told, len(hand))) % len(rest)], flush=True)
"""


class Same(hearts.Player):
    """The program's strategy."""

    def pass_cards(self, view):
        return sorted(view.hand)[-3:]

    def choose(self, view):
        told, legal = "".join((view.passing, *view.passed, *view.received, *view.played)), view.legal_moves()
        return legal[sum(k * ord(c) for k, c in enumerate(told, len(view.hand))) % len(legal)]


@pytest.fixture
def engine(tmp_path):
    """Make a player of a program's text."""
    with contextlib.ExitStack() as stack:

        def make(text, seconds=10.0):
            (path := tmp_path / "engine.py").write_text(text)
            player = engine_player.EnginePlayer([sys.executable, "-S", "-E", str(path)], seconds)
            return stack.enter_context(contextlib.closing(player))

        yield make


@pytest.mark.parametrize("passing", ["hold", "cycle"])
def test_it_plays_the_programs_rounds(engine, passing):
    """In this thread, and by copies: it is told the round from its seat."""
    mine, theirs = ([who, "duck", "random", "greedy"] for who in (engine(PROGRAM), Same()))
    assert (hearts.simulate(mine, 6, 7, passing=passing).points == hearts.simulate(theirs, 6, 7, passing=passing)).all()
    points = [hearts.compare(players[:2], "greedy", 2, 7, passing=passing).points for players in (mine, theirs)]
    assert (points[0] == points[1]).all()
    again = pickle.loads(pickle.dumps(mine[0]))
    assert (again.name, again.command, again.process) == ("engine", mine[0].command, None)


@pytest.mark.parametrize(("text", "message"), [
    ("", "raised TimeoutError"), ("import time\ntime.sleep(60)", "raised TimeoutError"),
    ("for line in open(0):\n    print('card SA', flush=True)", "answered 'SA': seat 0 cannot play SA"),
])  # fmt: skip
def test_a_program_that_fails_is_named(engine, text, message):
    with pytest.raises(hearts.PlayerError, match=r"seat 0, trick \d+: engine\.choose") as caught:
        hearts.simulate([engine(text, seconds=0.5), "duck", "duck", "duck"], 1, 7)
    assert message in str(caught.value) or "BrokenPipeError" in str(caught.value)


def test_the_command_line(tmp_path, monkeypatch, capsys):
    (path := tmp_path / "mine.py").write_text(PROGRAM)
    monkeypatch.setattr("sys.argv", [str(EXAMPLE), sys.executable, "-S", str(path)])
    usual = hearts.compare
    monkeypatch.setattr(hearts, "compare", lambda players, **options: usual(players, **options | {"rounds": 3}))
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "mine - duck" in capsys.readouterr().out
