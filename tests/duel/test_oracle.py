"""Compare the duel with an independent, plain solver in C over whole positions (tests/oracles/duel.c)."""

import random
from collections import Counter

import pytest
from oracles.build import differences  # pytest's pythonpath has the folder of tests

from gamecore import duel, kernels
from gamecore.cards import card_index

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]

# Positions by the size of the larger hand.
COUNTS = {1: 1000, 2: 3000, 3: 5000, 4: 5000, 5: 4000, 6: 2000, 7: 1000}


def position_of(rng, n):
    """Make a position whose larger hand has n cards: a deal, a played position, or random hands and last card."""
    dense = DECK[: 4 * rng.randint(-(-(2 * n + 1) // 4), 13)]  # few numbers, so that most cards fit
    cards = rng.sample(dense, 2 * n + 1)
    kind = rng.randrange(3)
    if kind == 0:
        return duel.Position(cards[:n], cards[n : 2 * n], rng.choice(["Alice", "Bob"]))
    if kind == 1:
        larger, smaller = cards[:n], cards[n : n + rng.randint(1, n)]
        hands = rng.sample([larger, smaller], 2)
        return duel.Position(*hands, rng.choice(["Alice", "Bob"]), rng.choice([None, cards[-1]]))
    position = None
    while position is None or position.is_over or max(len(position.alice), len(position.bob)) != n:
        cards = rng.sample(dense, min(len(dense), 2 * (n + 2)))
        half = len(cards) // 2
        position = duel.Position(cards[:half], cards[half:])
        while max(len(position.alice), len(position.bob)) > n and not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def positions(seed):
    rng = random.Random(seed)
    return [position_of(rng, n) for n, count in COUNTS.items() for _ in range(count)]


def size(position):
    return max(len(position.alice), len(position.bob))


def oracle_value(library, position):
    hands = ["".join(hand).encode() for hand in (position.alice, position.bob)]
    mover, other = hands if position.to_move == "Alice" else hands[::-1]
    return library.duel_value(mover, other, (position.last or "").encode())


@pytest.fixture(scope="module")
def solved(oracle):
    """Return positions and their values by the oracle."""
    library = oracle("duel")
    found = positions(1)
    return found, [oracle_value(library, position) for position in found]


def test_what_is_compared(solved):
    found, expected = solved
    assert Counter(map(size, found)) == COUNTS
    assert sum(COUNTS.values()) == 21_000
    for n in COUNTS:
        here = [position for position in found if size(position) == n]
        assert sum(position.last is not None for position in here) >= len(here) / 5, n
        assert sum(position.to_move == "Bob" for position in here) >= len(here) / 5, n
        assert n < 2 or sum(len(position.alice) != len(position.bob) for position in here) >= len(here) / 5, n
        assert n < 2 or sum(position.legal_moves() == ("pass",) for position in here) >= 1, n
        values = [value for position, value in zip(found, expected, strict=True) if size(position) == n]
        assert min(values) < 0 < max(values), n


def test_solve(solved):
    found, expected = solved
    assert differences(found, [duel.solve(position, line=False).value for position in found], expected) == []


def test_solve_many(solved):
    found, expected = solved
    solutions = duel.solve_many(found)
    assert solutions.exact.all()
    assert differences(found, solutions.lower.tolist(), expected) == []


@pytest.mark.parametrize("level", kernels.levels_of("duel"))
def test_every_level_in_a_tiny_table(solved, level):
    """The table has so few slots that most entries are overwritten."""
    found, expected = solved
    kernel = kernels.kernel("duel", level)
    values = []
    for position in found:
        hands = position._alice_mask, position._bob_mask
        mover, other = hands if position.to_move == "Alice" else hands[::-1]
        last = -1 if position.last is None else card_index(position.last)
        lower, upper = kernel.Solver(4, -1.0, 0).value(mover, other, last)
        assert lower == upper
        values.append(lower)
    assert differences(found, values, expected) == []


def test_every_move(oracle):
    library = oracle("duel")
    rng = random.Random(2)
    compared = Counter()
    for n in (2, 3, 4, 5, 6):
        for position in (position_of(rng, n) for _ in range(300)):
            for entry in duel.analyse(position):
                after = position.play(entry.move)
                value = duel.solve(after).value if after.is_over else oracle_value(library, after)
                assert entry.value == -value, (position.to_text(), entry.move)
                compared[n] += 1
    assert [n for n in range(2, 7) if compared[n] >= 300] == [2, 3, 4, 5, 6], compared


def test_a_planted_wrong_value_is_found(solved):
    found, expected = solved
    values = list(expected)
    planted = 4321
    values[planted] += 1
    text = f"{found[planted].to_text()}: {expected[planted] + 1}, not {expected[planted]}"
    assert differences(found, values, expected) == [text]


@pytest.mark.nightly
def test_an_oracle_with_a_rule_changed_is_found(solved, tmp_path):
    from oracles import build

    changes = {
        "a king is worth 1": ("sum += number(card)", "sum += number(card) % 13 + (number(card) == 13)"),
        "numbers do not fit": (" || number(card) == number(last)", " && number(card) != number(last)"),
        "aces are overlooked": ("value > best", "(value > best && card % 13)"),
    }
    found, expected = (one[:9000] for one in solved)
    for name, change in changes.items():
        library = build.load("duel", tmp_path, change)
        assert differences(found, [oracle_value(library, position) for position in found], expected), name
