"""Oracles, plays, piles, batches, bad input, and interruption."""

import numpy as np
import pytest

from gamecore import GamecoreError, OptionError, ParseError, rows
from gamecore.reference import hearts as plain_hearts
from gamecore.reference import hexapawn as plain_hexapawn
from gamecore.reference import rows as reference

EXAMPLE = [5, 7, 9, 1, 4, 2]


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
    assert (me.mean(), (second > me).mean()) == (pytest.approx(231.5, abs=0.5), pytest.approx(0.167, abs=0.012))


BAD_ROWS = [
    ([], "empty"), ([1.0, float("nan")], r"values\[1\] is nan"), (np.array([1.0, -np.inf]), r"values\[1\] is -inf"),
    (["a", 1], "not a number"), ([[1, 2], [3, 4]], r"values\[0\] is \[1, 2\]: one row of numbers is meant"),
    ([[1, 2], [3]], "one row"), (5, "0 dimensions"), (None, "not a number|one row"), ([1, None], "not a number"),
    ([1 << 63], "int64"), ([1 << 70, 1], "int64"), ([-(1 << 63)], "int64"), ([(1 << 62), (1 << 62)], "overflows int64"),
    (np.array([1 << 62, -(1 << 62)]), "overflows int64"), ([1e308, 1e308], "overflow"),
    (np.array([True, False]), "not a number"), (np.array([1 + 2j]), "number"),
    ([1, True], r"values\[1\] is True, not a number"), (np.array(["a", "b"]), "not a number"),
    ([1, "x" * 500], "not a number"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "message"), BAD_ROWS)
def test_bad_rows(row, message):
    calls = [rows.value, rows.solve, rows.table, rows.who_should_start, rows.analyse, rows.play]
    for call in calls:
        with pytest.raises(GamecoreError, match=message) as caught:
            call(row)
        assert len(str(caught.value)) < 200
    for opponent in ("greedy", "cooperative"):
        with pytest.raises(GamecoreError, match=message):
            rows.value(row, opponent=opponent)


def test_a_text_is_no_row():
    for call in (rows.value, rows.table, rows.who_should_start, rows.play):
        with pytest.raises(GamecoreError, match="not a number"):
            call("579142")
    for call in (rows.solve, rows.analyse):
        with pytest.raises(ParseError, match="1 fields where a position has 5"):
            call("579142")


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
        *(
            (lambda call=call, name=name, bad=bad: call(EXAMPLE, **{name: bad}), name)
            for name, wrong in (("opponent", ("clever", 3)), ("first", ("you",)), ("ties", ("middle", ["left"])))
            for bad in wrong
            for call in (rows.value, rows.solve, lambda row, **options: rows.solve_many([row], **options))
        ),
        *((lambda bad=bad: rows.random(bad), "n must be") for bad in (0, -1, "x", 1.5, True)),
        *((lambda bad=bad: rows.deck(bad), "rng") for bad in (-1, "x", 1.5, True)),
        *((lambda bad=bad: rows.decks(bad), "count") for bad in (-1, "x", 1.5, True)),
    ],
)
def test_bad_options(call, says):
    with pytest.raises(OptionError, match=says):
        call()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ([[1], []], r"rows\[1\]"), ([[1], ["x"]], r"rows\[1\]"), (np.zeros((0, 5), dtype=int), "no value"),
        (np.zeros(5, dtype=int), "1 dimensions"), (np.full((3, 4), 1 << 61), r"rows\[0\]"), ("abc", "sequence"),
        (7, "sequence"),
    ],
)  # fmt: skip
def test_bad_batches(bad, says):
    with pytest.raises(GamecoreError, match=says):
        rows.solve_many(bad)


def test_tables():
    out = np.full((6, 6), 9, dtype=np.int32)
    assert rows.table(EXAMPLE, opponent="greedy", out=out) is out
    assert out.tolist() == reference.bottom_up(EXAMPLE)[0]
    with pytest.raises(GamecoreError, match="beyond int32"):
        rows.table([1 << 31], dtype=np.int32)
    assert rows.table(EXAMPLE, dtype=np.float64).dtype == np.float64
    assert rows.table([0.5, 0.25]).dtype == np.float64
    with pytest.raises(GamecoreError, match=r"10000000 x 10000000 int64 takes 8e\+05 GB"):
        rows.table(np.zeros(10_000_000, dtype=np.int64))


UNKNOWN = [
    lambda: reference.full_exploration([1, 2, 3], opponent="clever"),
    lambda: reference.full_exploration([1, 2, 3], first="you"),
    lambda: reference.full_exploration([1, 2, 3], ties="middle"),
    lambda: reference.sister_takes_left([1, 1], 0, 1, "middle"), lambda: reference.greedy_against_greedy([1], "middle"),
    lambda: reference.top_down([1], "middle"), lambda: reference.bottom_up([1], "middle"),
    lambda: reference.replay([1, 2], "LX"), lambda: plain_hearts.Rules(moon="eat"),
    lambda: list(plain_hexapawn.successors(("red", ("p", "P")))), lambda: plain_hexapawn.naive(("red", ("p", "P"))),
]  # fmt: skip


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
