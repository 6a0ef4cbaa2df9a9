"""``examples/engine_player.py``: a program as a player plays its own rounds, and fails like any player."""

import contextlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hearts.strange_players import Lowest  # pytest's pythonpath has the folder of tests

from gamecore import hearts

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine_player.py"
sys.path.insert(0, str(EXAMPLE.parent))
import engine_player  # noqa: E402

PROGRAM = """
import sys
hand, log = [], open(sys.argv[0] + ".log", "a")
for line in sys.stdin:
    word, *rest = line.split()
    print(line, end="", file=log, flush=True)
    if word == "round":
        hand = rest[rest.index("hand") + 1:]
    if word == "pass":
        print("pass", *hand[-3:], flush=True)
    if word == "go":
        print("card", rest[0], flush=True)
"""


class Same(Lowest):
    """The program's strategy."""

    def pass_cards(self, view):
        return sorted(view.hand)[-3:]


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
    """In this thread, and by copies."""
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


def test_the_program_is_told_the_round_from_its_seat(engine, tmp_path):
    hearts.simulate([engine(PROGRAM), "duck", "duck", "duck"], 1, 7, passing="left")
    hand = sorted(hearts.Round.deal(7, passing="left", passer=None).hands[0])
    lines = [line.split() for line in (tmp_path / "engine.py.log").read_text().splitlines()]
    dealt, question = lines[:2]
    assert (dealt, question) == (["round", "seat", "0", "passing", "left", "seed", dealt[6], "hand", *hand], ["pass"])
    _, passed, *plays, (go, *legal) = lines[-lines[::-1].index(dealt) - 1 :]
    held = {*hand, *passed[5:]} - {*passed[1:4]}
    played = [card for word, seat, card in plays if (word, seat) == ("played", "0")]
    assert (passed[0], go, len(played)) == ("passed", "go", len(set(played)))
    assert {*played, *legal} <= held
    assert len(plays) > 20


def test_the_command_line(tmp_path):
    (path := tmp_path / "mine.py").write_text(PROGRAM)
    command = [sys.executable, str(EXAMPLE), sys.executable, "-S", str(path)]
    assert "mine - duck" in subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
