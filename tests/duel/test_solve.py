"""The duel's solver compared with the oracle cases, the reference versions and the rules."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import duel
from gamecore.cards import ACE_LOW, SUITS
from gamecore.limits import Limits
from gamecore.reference import duel as reference

FAMILIES = ["random", "low", "high", "three", "parity", "checker", "skew", "paired"]


def test_oracle_values_and_best_first_cards(data):
    for case in data("duel"):
        solution = duel.solve(duel.Position(case["alice"], case["bob"]), line=False)
        assert solution.exact
        assert (solution.winner, solution.points, solution.value) == (case["winner"], case["points"], case["value"])
    cases = [case for case in data("duel") if "best_first" in case and case["n"] <= 12]
    assert len(cases) == 150
    for case in cases:
        analysis = duel.analyse(duel.Position(case["alice"], case["bob"]))
        assert (set(analysis.best_moves), analysis[0].value) == (set(case["best_first"]), case["value"])


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_position_against_alpha_beta(data):
    """Make a position in mid-game: unequal hands, any side to move, any last card."""
    deck = [suit + rank for rank in ACE_LOW[: data.draw(st.integers(4, 13))] for suit in SUITS]
    cards = data.draw(st.permutations(deck))
    first, second = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    alice, bob, last = cards[:first], cards[first : first + second], cards[first + second]
    last = data.draw(st.sampled_from([None, last]))
    to_move = data.draw(st.sampled_from(["Alice", "Bob"]))
    position = duel.Position(alice, bob, to_move, last)
    hands = [frozenset(alice), frozenset(bob)]
    value = reference.alpha_beta(*(hands if to_move == "Alice" else hands[::-1]), last)
    solution, analysis = duel.solve(position), duel.analyse(position)
    assert solution.winner == (to_move if value > 0 else "Bob" if to_move == "Alice" else "Alice")
    assert solution.value == value
    assert (analysis[0].move, analysis[0].value) == (solution.best_move, value)  # the lowest of the best


@pytest.mark.parametrize(
    ("bounds", "text", "winner"),
    [
        ((9, 9), "Bob wins 9 points", "Bob"),
        ((-3, 9), "not decided: Bob from losing 3 to winning 9 points", None),
        ((-9, -3), "Alice wins 3 to 9 points", "Alice"),
        ((3, 9), "Bob wins 3 to 9 points", "Bob"),
    ],
)
def test_results_print_well(bounds, text, winner):
    solution = duel.Solution(*bounds, "Bob", (), (), 0, 0.0, 0)
    assert (str(solution), solution.winner) == (text, winner)


def test_a_hand_of_hundreds_of_points():
    """Tests for more points than any single card has, and the largest hands."""
    deck = [suit + rank for rank in ACE_LOW for suit in SUITS]
    assert duel.solve(duel.Position(["CA"], deck[4:])).value == sum(4 * points for points in range(2, 14))
    assert duel.solve(duel.Position(["CA"], deck[1:])).value == 363
    # Every club lets Bob out: Alice plays all other cards, then her highest club, and pays the other eleven.
    assert duel.solve(duel.Position(deck[4:], ["CA"])).value == -sum(range(2, 13))


def test_tiny_tables_and_large_ones(deal):
    for seed in range(5):
        position = duel.Position(*deal(12, "low", seed))
        large = duel.solve(position, line=False)
        tiny = duel.solve(position, Limits(table_mb=0.001), line=False)
        assert (tiny.value, tiny.table_bytes <= 1024, tiny.nodes >= large.nodes) == (large.value, True, True)
    position = duel.Position(*deal(26, "random", 1))
    used = [duel.solve(position, Limits(nodes=nodes, table_mb=1)).table_bytes for nodes in (1, 10_000, 1_000_000)]
    assert used == sorted(used)
    assert used[0] < used[2] == 1 << 20
    assert duel.solve(duel.Position(*deal(16, "low", 1))).table_bytes <= 8 << 20
    assert duel.solve(duel.Position(*deal(5, "random", 1))).table_bytes <= 2048


def test_names_of_suits_and_the_order_of_ranks(deal):
    """Rename suits, and exchange ranks if only the winner is compared."""
    for seed in range(60):
        hands = deal(9 + seed % 6, FAMILIES[seed % 8], seed)
        rng = random.Random(seed)
        suits, ranks = (dict(zip(names, rng.sample(names, len(names)), strict=True)) for names in (SUITS, ACE_LOW))
        renamed = [[suits[card[0]] + card[1] for card in hand] for hand in hands]
        moved = [[card[0] + ranks[card[1]] for card in hand] for hand in hands]
        value, same, other = (duel.solve(duel.Position(*some), line=False).value for some in (hands, renamed, moved))
        assert (same, other > 0) == (value, value > 0)
