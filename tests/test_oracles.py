"""Every way of solving a position against an independent solver in C, or against the other ways (tests/oracles).

``tests/mutants.toml`` has changed rules of the oracles, and wrong values of ours: these tests find each of them.
"""

import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from oracles import build, checks, positions

from gamecore import GamecoreError, hexapawn, rows
from gamecore.reference import rows as plain_rows

TOOLS = Path(__file__).resolve().parents[1] / "tools"

#: Cases of a parametrized test; with the oracle, and with larger positions and without it.
COUNTS = {"duel": (3000, 12), "hexapawn": (1500, 6), "rows": (250, 3), "hearts": (150, 6)}
SHARES = range(4)  # of COUNTS, each a test of its own; by night ten times as many

#: What the oracle's cases are about: all of these sizes must come.
SIZES = {
    "duel": {f"{n} cards" for n in range(1, 9)},
    "hexapawn": {f"{height}x{width}" for height, width, _ in positions.SMALL_BOARDS},
    "hearts": {f"{n} cards left, {how}" for n in range(1, 13) for how in ("hold", "passed")},
    "rows": {f"{least} to {most} values" for least, most in positions.LENGTHS}
    | {f"{what} at 2^{bits}{beside}" for what in ("totals", "values") for bits in (15, 31, 62)
       for beside in (" - 1", "", " + 1")}
    | {"totals at 2^63 - 1", "totals at 2^63, refused", "totals at 2^63 + 1, refused"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def compiler():
    if build.compiler() is None:
        pytest.skip("the oracles need a C compiler, and none is installed")


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


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("game", COUNTS)
def test_against_the_oracle(game, share):
    count = COUNTS[game][0]
    sizes, unsolved = check_many(game, 0, range(share * count, (share + 1) * count))
    assert set(sizes) <= SIZES[game]
    assert unsolved == 0


@pytest.mark.parametrize("game", COUNTS)
def test_larger_positions_in_other_ways(game):
    count = COUNTS[game][1]
    _, unsolved = check_many(game, 1, range(count))
    assert unsolved <= count / 2


@pytest.mark.nightly
@pytest.mark.parametrize("game", COUNTS)
def test_by_night(game):
    sizes, _ = check_many(game, 0, range(10_000, 10_000 + 40 * COUNTS[game][0]))
    assert set(sizes) == SIZES[game]
    check_many(game, 1, range(10_000, 10_000 + 50 * COUNTS[game][1]))


def test_the_hexapawn_oracle_knows_the_sources_board():
    board = "".join(hexapawn.Position.from_text("5/pp1pp/PPp2/3P1/4P:w").to_rows()).encode()
    assert checks.oracle("hexapawn").hexapawn_value(board, 5, 5, True) == 3


def test_rows_at_a_bound_are_at_it():
    rng = random.Random(1)
    for bits, beside in positions.BOUNDS:
        number = (1 << bits) + beside
        for n in (1, 2, 9, 300):
            assert sum(map(abs, positions.row_of_bound(rng, n, number))) == number
            if number < (1 << 63) - 1:
                row = positions.row_with_value(rng, n, number)
                assert number in map(abs, row)
                assert rows.value(row) == plain_rows.fold_value(row)


def test_a_difference_names_the_position_and_both_answers(monkeypatch):
    monkeypatch.setattr(rows, "value", lambda values, **rules: 0)
    with pytest.raises(checks.Difference, match="not refused"):
        checks.check_refused(positions.row_of_bound(random.Random(1), 5, 1 << 63))
    position = hexapawn.Position.start(3, 3)
    with pytest.raises(checks.Difference, match=rf"{re.escape(position.to_text())}: oracle 1, solve 2"):
        checks.same(position, oracle=1, solve=2)


@pytest.mark.skipif(not TOOLS.is_dir(), reason="the tools of a checkout are not here")
def test_soak_counts_each_case_and_reports_differences(monkeypatch, capsys):
    sys.path.append(str(TOOLS))
    import soak

    assert soak.main(["--seconds", "0.2", "--seed", "5", "--games", "duel", "hearts"]) == 0
    printed = capsys.readouterr().out
    for kind in soak.KINDS:
        lines = re.search(rf"^duel, {kind}: ([0-9,]+) checked\n    (.*)$", printed, re.MULTILINE)
        counts = [int(number.replace(",", "")) for number in re.findall(r": ([0-9,]+)", lines[2])]
        assert sum(counts) == int(lines[1].replace(",", "")) > 0
    assert printed.endswith("differences: 0\n")
    for error in (ZeroDivisionError("planted"), GamecoreError("planted")):
        monkeypatch.setitem(checks.CHECKS, "duel", (lambda rng, error=error: (_ for _ in ()).throw(error),) * 2)
        assert soak.main(["--seconds", "0.1", "--games", "duel"]) == 1
        captured = capsys.readouterr()
        assert "planted" in captured.err
        assert "differences: 0" not in captured.out
    monkeypatch.setattr(build, "compiler", lambda: None)
    assert soak.main(["--seconds", "1"]) == 2
