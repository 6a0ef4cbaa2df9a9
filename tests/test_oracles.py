"""Every way of solving a position against an independent solver in C, or against the other ways (tests/oracles).

``tests/mutants.toml`` has changed rules of the oracles, and wrong values of ours: these tests find each of them.
"""

import random
from collections import Counter

import pytest
import soak  # pytest's pythonpath has tools
from oracles import checks, positions

from gamecore import GamecoreError, hexapawn

#: Cases of a parametrized test with the oracle by day, all by night, how many sizes must come then; larger positions
#: without the oracle.
COUNTS = {
    "duel": (600, 120_000, 8, 12),
    "hexapawn": (300, 60_000, len(positions.SMALL_BOARDS), 6),
    "rows": (150, 10_000, len(positions.LENGTHS) + 2 * len(positions.BOUNDS), 3),
    "hearts": (150, 6_000, 24, 6),
}
GAMES = pytest.mark.parametrize("game", COUNTS)
pytestmark = pytest.mark.usefixtures("oracle")


def check_many(game, kind, numbers):
    """Check cases by their number; return how often each size came, and how many cases were not solved."""
    sizes, unsolved = Counter(), 0
    for number in numbers:
        try:
            case = checks.CHECKS[game][kind](random.Random(f"{game} {kind} {number}"))
        except BaseException as error:
            error.add_note(f"case {number}")
            raise
        sizes[case.size] += 1
        unsolved += case.unsolved
    return sizes, unsolved


@pytest.mark.parametrize("share", range(4))
@GAMES
def test_against_the_oracle(game, share):
    count = COUNTS[game][0]
    assert check_many(game, 0, range(share * count, (share + 1) * count))[1] == 0


@GAMES
def test_larger_positions_in_other_ways(game):
    count = COUNTS[game][3]
    assert check_many(game, 1, range(count))[1] <= count / 2


@pytest.mark.nightly
@GAMES
def test_by_night(game):
    _, count, sizes, larger = COUNTS[game]
    assert len(check_many(game, 0, range(10_000, 10_000 + count))[0]) == sizes
    check_many(game, 1, range(10_000, 10_000 + 50 * larger))


def test_soak_reports_differences(monkeypatch, capsys):
    def planted(rng):
        if rng.random() < 0.5:
            raise GamecoreError("planted")
        checks.same(hexapawn.Position.start(3, 3), oracle=1, solve=2)

    assert soak.main(["--seconds", "0.1", "--seed", "5", "--games", "duel"]) == 0
    assert capsys.readouterr().out.endswith("differences: 0\n")
    monkeypatch.setitem(checks.CHECKS, "duel", (planted, planted))
    assert soak.main(["--seconds", "0.1", "--seed", "5", "--games", "duel"]) == 1
    captured = capsys.readouterr()
    assert "GamecoreError: planted" in captured.err
    assert "ppp/3/PPP:w: oracle 1, solve 2" in captured.err
    assert "differences: 0" not in captured.out
