"""Oracles, plays, piles, batches, bad input, and interruption."""

import os
import subprocess
import sys
import textwrap
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, OptionError, ParseError, rows
from gamecore.reference import hearts as plain_hearts
from gamecore.reference import hexapawn as plain_hexapawn
from gamecore.reference import rows as reference

EXAMPLE = [5, 7, 9, 1, 4, 2]


# --- intervals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 127, 128, 129, 200, 1000])
@pytest.mark.parametrize("shape", ["random", "falling", "valley", "constant", "alternating", "float"])
def test_every_interval(n, shape):
    rng = np.random.default_rng(n)
    row = {
        "random": rng.integers(-50, 50, n),
        "falling": np.arange(n)[::-1].copy(),
        "valley": np.abs(np.arange(n) - n // 3),
        "constant": np.full(n, 3),
        "alternating": np.arange(n) % 2 * 7,
        "float": np.round(rng.normal(size=n) * 64),
    }[shape]
    oracle = rows.IntervalOracle(row)
    assert len(oracle) == n
    if n <= 200:
        i, j = np.triu_indices(n)
    else:
        ends = np.sort(rng.integers(0, n, (2, 3000)), axis=0)
        i, j = ends
    found = oracle.value(i, j)
    assert found.dtype == (np.float64 if shape == "float" else np.int64)
    if n <= 200:
        sums = np.concatenate([[0], np.cumsum(row)])
        expected = 2 * rows.table(row)[i, j] - (sums[j + 1] - sums[i])
        assert (found == expected).all()
    else:
        for a, b, got in zip(i[:300], j[:300], found, strict=False):
            assert got == rows.value(row[a : b + 1])


def test_oracle_shapes_and_memory():
    row = np.random.default_rng(0).integers(0, 9, 500)
    oracle = rows.IntervalOracle(row)
    assert oracle.value(0, 499) == rows.value(row)
    assert isinstance(oracle.value(3, 5), int)
    assert oracle.value([[0], [1]], [10, 20, 30]).shape == (2, 3)
    assert oracle.value(np.array([], dtype=int), []).shape == (0,)
    row[:] = 0  # the oracle has its own copy
    assert oracle.value(0, 499) != 0
    assert rows.IntervalOracle(np.arange(100_000)).nbytes < 3 * 8 * 100_000


@pytest.mark.parametrize(
    ("i", "j", "says"),
    [
        *((i, j, "interval") for i, j in [(-1, 2), (0, 6), (3, 2), ([0, 0], [1, 9])]),
        *((i, j, "an integer") for i, j in [(0.5, 2), ("a", 2), ([[0], [0, 1]], 1)]),
        ([0, 1], [1, 2, 3], "do not broadcast"),
    ],
)
def test_bad_intervals(i, j, says):
    with pytest.raises(GamecoreError, match=says):
        rows.IntervalOracle(EXAMPLE).value(i, j)


# --- several rows ----------------------------------------------------------------------------------------------------


def piles_by_trying_everything(doubles, singles):
    @cache
    def best(ds, ss):
        found = []
        for t, row in enumerate(ds):
            if row:
                for value, rest in ((row[0], row[1:]), (row[-1], row[:-1])):
                    found.append(value - best((*ds[:t], rest, *ds[t + 1 :]), ss))
        for t, row in enumerate(ss):
            if row:
                found.append(row[0] - best(ds, (*ss[:t], row[1:], *ss[t + 1 :])))
        return max(found, default=0)

    return best(tuple(map(tuple, doubles)), tuple(map(tuple, singles)))


pile = st.lists(st.integers(-4, 4), max_size=4)


@settings(max_examples=150, deadline=None)
@given(st.lists(pile, max_size=2), st.lists(pile, max_size=2))
def test_piles(doubles, singles):
    if not any(doubles) and not any(singles):
        with pytest.raises(GamecoreError, match="no value"):
            rows.solve_piles(double_ended=doubles, single_ended=singles)
        return
    found = rows.solve_piles(double_ended=doubles, single_ended=singles)
    assert found.difference == piles_by_trying_everything(doubles, singles)
    assert found.mine + found.theirs == sum(map(sum, doubles)) + sum(map(sum, singles))


reals = st.lists(st.floats(-1e3, 1e3) | st.sampled_from([1e16, -1e16, 0.1, 1e-300, 5.0]), max_size=4)


@settings(max_examples=150, deadline=None)
@given(st.lists(reals, max_size=2), st.lists(reals, max_size=2))
def test_piles_of_floats_are_exact(doubles, singles):
    if not any(doubles) and not any(singles):
        return
    scale = 1 << 1080  # every float is a multiple of 1 / scale
    whole = [[[int(Fraction(value) * scale) for value in row] for row in part] for part in (doubles, singles)]
    difference = piles_by_trying_everything(*whole)
    total = sum(value for part in whole for row in part for value in row)
    found = rows.solve_piles(double_ended=doubles, single_ended=singles)
    assert found.mine == (total + difference) / (2 * scale)
    assert found.theirs == (total - difference) / (2 * scale)


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
@pytest.mark.parametrize("first", ["me", "opponent"])
@pytest.mark.parametrize("ties", ["right", "left"])
def test_solve_many(opponent, first, ties):
    rng = np.random.default_rng(11)
    options = {"opponent": opponent, "first": first, "ties": ties}
    cases = [
        rng.integers(2, 15, (70, 52)).astype(np.int8),
        rng.integers(-(10**9), 10**9, (5, 52)),
        rng.integers(-(10**17), 10**17, (5, 52)),
        rng.integers(0, 9, (3, 250)),
        rng.integers(0, 9, (2, 2001)).astype(np.int16),
        rng.integers(2, 15, (9000, 52)).astype(np.int16)[::-1],
        [rng.integers(0, 9, k).tolist() for k in (1, 5, 3, 5, 1, 300)],
        [np.array([1.5, 2.5, 0.25]), [0.1, 0.2, 0.3, 0.7, 0.4]],
        rng.random((20, 9)),
    ]
    for games in cases:
        batch = rows.solve_many(games, **options)
        assert len(batch) == len(games)
        for k in {0, 1, len(games) // 2, len(games) - 1}:
            solution = rows.solve(games[k], line=False, **options)
            assert (batch.mine[k], batch.theirs[k], batch.difference[k]) == (
                solution.mine,
                solution.theirs,
                solution.difference,
            )
            assert (batch[k].value, batch[k].to_move) == (solution.value, first)


# --- plays -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["right", "left"])
def test_play(ties):
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 8, 9):
        for _ in range(30):
            row = rng.integers(0, 5, n).tolist()
            both = rows.play(row, me="greedy", opponent="greedy", ties=ties)
            assert (both.mine, both.theirs) == reference.greedy_against_greedy(row, ties)
            assert reference.replay(row, both.line) == (both.mine, both.theirs)
            other = rows.play(row, me="greedy", opponent="greedy", ties=ties, first="sister")
            assert (other.theirs, other.mine) == (both.mine, both.theirs)
            for first in ("me", "opponent"):
                game = rows.play(row, opponent="greedy", first=first, ties=ties)
                assert (game.mine, game.theirs) == reference.full_exploration(row, "greedy", first, ties)
                swapped = rows.play(
                    row, me="greedy", opponent="dp", first="opponent" if first == "me" else "me", ties=ties
                )
                assert (swapped.theirs, swapped.mine) == (game.mine, game.theirs)
                best = rows.play(row, opponent="dp", first=first)
                assert (best.mine, best.theirs) == reference.full_exploration(row, "optimal", first)
                taken = reference.replay(row, best.line)
                assert taken == ((best.mine, best.theirs) if first == "me" else (best.theirs, best.mine))


def test_deck():
    deck = rows.deck(rng=7)
    assert sorted(deck.tolist()) == sorted(list(range(2, 15)) * 4)
    assert (deck == rows.deck(7)).all()
    assert (deck == rows.deck(np.random.default_rng(7))).all()
    many = rows.decks(2000, 1)
    assert many.shape == (2000, 52)
    assert (np.sort(many, axis=1) == np.sort(deck)).all()
    # A uniform shuffle has every place's mean at 8 (standard error 0.084 here).
    assert np.abs(many.mean(axis=0) - 8).max() < 0.5


def test_starting_is_worth_what_the_facts_say():
    decks = rows.decks(20_000, 5)
    me = rows.solve_many(decks, opponent="greedy").mine
    second = rows.solve_many(decks, opponent="greedy", first="sister").mine
    assert me.mean() == pytest.approx(231.5, abs=0.5)
    assert (second > me).mean() == pytest.approx(0.167, abs=0.012)


# --- bad input -------------------------------------------------------------------------------------------------------

BAD_ROWS = [
    ([], "empty"),
    ([1.0, float("nan")], r"values\[1\] is nan"),
    (np.array([1.0, -np.inf]), r"values\[1\] is -inf"),
    (["a", 1], "not a number"),
    ([[1, 2], [3, 4]], r"values\[0\] is \[1, 2\]: one row of numbers is meant"),
    ([[1, 2], [3]], "one row"),
    (5, "0 dimensions"),
    (None, "not a number|one row"),
    ([1, None], "not a number"),
    ([1 << 63], "int64"),
    ([1 << 70, 1], "int64"),
    ([-(1 << 63)], "int64"),
    ([(1 << 62), (1 << 62)], "overflows int64"),
    (np.array([1 << 62, -(1 << 62)]), "overflows int64"),
    ([1e308, 1e308], "overflow"),
    (np.array([True, False]), "not a number"),
    (np.array([1 + 2j]), "number"),
    ([1, True], r"values\[1\] is True, not a number"),
    (np.array(["a", "b"]), "not a number"),
    ([1, "x" * 500], "not a number"),
]


@pytest.mark.parametrize(("row", "message"), BAD_ROWS)
def test_bad_rows(row, message):
    calls = [rows.value, rows.solve, rows.table, rows.who_should_start, rows.analyse, rows.IntervalOracle, rows.play]
    for call in calls:
        with pytest.raises(GamecoreError, match=message) as caught:
            call(row)
        assert len(str(caught.value)) < 200
    for opponent in ("greedy", "cooperative"):
        with pytest.raises(GamecoreError, match=message):
            rows.value(row, opponent=opponent)


def test_a_text_is_no_row():
    for call in (rows.value, rows.table, rows.who_should_start, rows.IntervalOracle, rows.play):
        with pytest.raises(GamecoreError, match="not a number"):
            call("579142")
    for call in (rows.solve, rows.analyse):
        with pytest.raises(ParseError, match="1 fields where a position has 5"):
            call("579142")


@pytest.mark.parametrize(
    ("name", "bad"), [("opponent", "clever"), ("opponent", 3), ("first", "you"), ("ties", "middle"), ("ties", ["left"])]
)
def test_bad_options(name, bad):
    for call in (rows.value, rows.solve):
        with pytest.raises(OptionError, match=name):
            call(EXAMPLE, **{name: bad})
    with pytest.raises(OptionError, match=name):
        rows.solve_many([EXAMPLE], **{name: bad})


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: rows.value(EXAMPLE, of="all"), "of must"),
        (lambda: rows.table(EXAMPLE, dtype=np.int8), "dtype"),
        (lambda: rows.table(EXAMPLE, dtype="nonsense"), "dtype"),
        (lambda: rows.table([0.5], dtype=np.int64), "dtype"),
        (lambda: rows.table(EXAMPLE, out=np.zeros((5, 5), dtype=np.int64)), "out"),
        (lambda: rows.table(EXAMPLE, out=[[1]]), "out"),
        (lambda: rows.play(EXAMPLE, me="best"), "me must"),
        *((lambda bad=bad: rows.random(bad), "n must be") for bad in (0, -1, "x", 1.5, True)),
        *((lambda bad=bad: rows.deck(bad), "rng") for bad in (-1, "x", 1.5, True)),
        *((lambda bad=bad: rows.decks(bad), "count") for bad in (-1, "x", 1.5, True)),
    ],
)
def test_more_bad_options(call, says):
    with pytest.raises(OptionError, match=says):
        call()


def test_a_table_too_large_says_how_large():
    with pytest.raises(GamecoreError, match=r"10000000 x 10000000 int64 takes 8e\+05 GB"):
        rows.table(np.zeros(10_000_000, dtype=np.int64))


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ([[1], []], r"rows\[1\]"),
        ([[1], ["x"]], r"rows\[1\]"),
        (np.zeros((0, 5), dtype=int), "no value"),
        (np.zeros(5, dtype=int), "1 dimensions"),
        (np.full((3, 4), 1 << 61), r"rows\[0\]"),
        ("abc", "sequence"),
        (7, "sequence"),
    ],
)
def test_bad_batches(bad, says):
    with pytest.raises(GamecoreError, match=says):
        rows.solve_many(bad)


@pytest.mark.parametrize(
    ("doubles", "singles", "says"),
    [
        ([[1], ["x"]], [], r"double_ended\[1\]"),
        ([], 5, "single_ended"),
        ([[0.5]], [[3]], r"single_ended\[0\]\[0\] is the integer 3 and double_ended\[0\]\[0\] the"),
        ([[1 << 62], [1 << 62]], [], "overflow"),
        ([[1e308, 0.0, 1e308], [1e308, 0.0, 1e308]], [], "overflow"),
    ],
)
def test_bad_piles(doubles, singles, says):
    with pytest.raises(GamecoreError, match=says):
        rows.solve_piles(double_ended=doubles, single_ended=singles)


def test_table_into_a_warm_array():
    out = np.full((6, 6), 9, dtype=np.int32)
    assert rows.table(EXAMPLE, opponent="greedy", out=out) is out
    assert out.tolist() == reference.bottom_up(EXAMPLE)[0]
    with pytest.raises(GamecoreError, match="beyond int32"):
        rows.table([1 << 31], dtype=np.int32)
    assert rows.table(EXAMPLE, dtype=np.float64).dtype == np.float64
    assert rows.table([0.5, 0.25]).dtype == np.float64


# --- interruption -------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_interrupt():
    """Ctrl-C stops a row that would take seconds, and the process lives on."""
    script = textwrap.dedent(
        """
        import numpy as np, os, signal, threading, time
        from gamecore import rows
        row = np.random.default_rng(0).integers(0, 1 << 40, 400_000)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        for call in (lambda: rows.value(row, opponent="greedy"), lambda: rows.value(row, opponent="cooperative")):
            try:
                call()
                print("finished")
            except KeyboardInterrupt:
                print("interrupted")
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        time.sleep(0.01)
        print("alive")
        os._exit(0)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.split() == ["interrupted", "interrupted", "alive"], done.stderr


UNKNOWN = [
    lambda: reference.full_exploration([1, 2, 3], opponent="clever"),
    lambda: reference.full_exploration([1, 2, 3], first="you"),
    lambda: reference.full_exploration([1, 2, 3], ties="middle"),
    lambda: reference.sister_takes_left([1, 1], 0, 1, "middle"),
    lambda: reference.greedy_against_greedy([1], "middle"),
    lambda: reference.top_down([1], "middle"),
    lambda: reference.bottom_up([1], "middle"),
    lambda: reference.replay([1, 2], "LX"),
    lambda: plain_hearts.Rules(moon="eat"),
    lambda: list(plain_hexapawn.successors(("red", ("p", "P")))),
    lambda: plain_hexapawn.naive(("red", ("p", "P"))),
]


@pytest.mark.parametrize("call", UNKNOWN)
def test_the_reference_refuses_words_that_it_does_not_know(call):
    with pytest.raises(OptionError, match="must be one of '"):
        call()


def test_the_reference_takes_the_words_of_its_sources():
    row = [4, 9, 6, 10, 3]
    for word, same in (("smart", "optimal"), ("dumb", "cooperative")):
        for first in ("me", "opponent"):
            found = reference.full_exploration(row, word, first)
            assert found == reference.full_exploration(row, same, first)
            assert found == tuple(rows.value(row, opponent=word, first=first, of=of) for of in ("mine", "theirs"))
    assert reference.full_exploration(row, "smart") != reference.full_exploration(row, "dumb")
    assert reference.full_exploration(row, first="sister") == reference.full_exploration(row, first="opponent")
