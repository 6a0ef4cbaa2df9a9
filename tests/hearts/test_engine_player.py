"""``examples/engine_player.py``: a program as a player plays its own rounds, and fails like any player."""

import contextlib
import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from gamecore import hearts

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine_player.py"
RANKS = "23456789TJQKA"
LOWEST = """
import sys
RANKS = "23456789TJQKA"
hand, log = [], open(sys.argv[1], "a") if sys.argv[1:] else None
for line in sys.stdin:
    word, *rest = line.split()
    if log:
        print(line, end="", file=log, flush=True)
    if word == "round":
        hand = rest[rest.index("hand") + 1:]
    if word == "pass":
        print("pass", *sorted(hand, key=lambda card: (RANKS.index(card[1]), card))[-3:], flush=True)
    if word == "go":
        print("card", min(rest, key=lambda card: RANKS.index(card[1])), flush=True)
"""


class Lowest(hearts.Player):
    """The program's strategy."""

    def choose(self, view):
        return min(view.legal_moves(), key=lambda card: RANKS.index(card[1]))

    def pass_cards(self, view):
        return sorted(view.hand, key=lambda card: (RANKS.index(card[1]), card))[-3:]


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """Make a player of a program's text."""
    spec = importlib.util.spec_from_file_location("engine_player", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "engine_player", module)
    spec.loader.exec_module(module)
    with contextlib.ExitStack() as stack:

        def make(text, *arguments, seconds=10.0):
            path = tmp_path / "engine.py"
            path.write_text(text)
            player = module.EnginePlayer([sys.executable, "-S", "-E", str(path), *arguments], seconds)
            return stack.enter_context(contextlib.closing(player))

        yield make


@pytest.mark.parametrize("passing", ["hold", "cycle"])
def test_it_plays_the_programs_rounds(engine, passing):
    """In this thread, and by copies."""
    mine, theirs = ([who, "duck", "random", "greedy"] for who in (engine(LOWEST), Lowest()))
    assert (hearts.simulate(mine, 6, 7, passing=passing).points == hearts.simulate(theirs, 6, 7, passing=passing)).all()
    points = [hearts.compare(players[:2], "greedy", 2, 7, passing=passing).points for players in (mine, theirs)]
    assert (points[0] == points[1]).all()
    again = pickle.loads(pickle.dumps(mine[0]))
    assert (again.name, again.command, again.process) == ("engine", mine[0].command, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "raised TimeoutError"), ("import time\ntime.sleep(60)", "raised TimeoutError"),
        ("for line in open(0):\n    print('card SA', flush=True)", "answered 'SA': seat 0 cannot play SA"),
        ("for line in open(0):\n    print('hello', flush=True)", "answered 'hello'"),
    ],
)  # fmt: skip
def test_a_program_that_fails_is_named(engine, text, message):
    with pytest.raises(hearts.PlayerError, match=r"seat 0, trick \d+: engine\.choose") as caught:
        hearts.simulate([engine(text, seconds=0.5), "duck", "duck", "duck"], 1, 7)
    assert message in str(caught.value) or "BrokenPipeError" in str(caught.value)


def test_the_program_is_told_the_round_from_its_seat(engine, tmp_path):
    log = tmp_path / "log"
    hearts.simulate([engine(LOWEST, str(log)), "duck", "duck", "duck"], 1, 7, passing="left")
    round_ = hearts.Round.deal(7, passing="left", passer=None)
    dealt, question, *rest = (line.split() for line in log.read_text().splitlines())
    assert dealt == ["round", "seat", "0", "passing", "left", "seed", dealt[6], "hand", *sorted(round_.hands[0])]
    assert question == ["pass"]
    last = rest[max(place for place, words in enumerate(rest) if words[0] == "round") :]
    assert (last[0], last[1][0], last[-1][0]) == (dealt, "passed", "go")
    held = (set(dealt[8:]) - set(last[1][1:4])) | set(last[1][5:])
    played = [card for _, seat, card in last[2:-1] if seat == "0"]
    assert len(played) == len(set(played)) > 5
    assert {*played, *last[-1][1:]} <= held


def test_the_command_line(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(LOWEST)
    command = [sys.executable, str(EXAMPLE), sys.executable, "-S", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert "mine - duck" in result.stdout
