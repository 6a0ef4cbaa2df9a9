"""The duel: its rules, and its solver compared with the oracle cases; mid-games: ``tests/oracles``."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.positions import deal

from gamecore import duel
from gamecore.cards import ACE_LOW, SUITS
from gamecore.limits import Limits

REACHABLE = st.builds(
    lambda n, seed, plies: duel.random(n, plies=plies, rng=seed),
    st.integers(1, 26), st.integers(0, 10**9), st.none() | st.integers(0, 104),
)  # fmt: skip


@given(REACHABLE)
def test_texts_and_the_greedy_card(position):
    assert position.from_text(position.to_text()).alice == position.alice  # the order of cards, too
    fresh = duel.Position(position.alice, position.bob)
    if len(fresh.alice) == len(fresh.bob):
        assert duel.parse(fresh.to_judge()) == fresh
    if not position.is_over:
        values = ["A23456789TJQK".find(card[1]) for card in position.legal_moves()]  # -1 for a pass
        greedy = duel.GAME.players["greedy"].choose(position, None, None).move
        assert position.legal_moves().index(greedy) == values.index(max(values))


@pytest.mark.parametrize("cards", [range(17), pytest.param([17], marks=pytest.mark.nightly)])
def test_oracle_values(data, cards):
    for case in (case for case in data("duel") if case["n"] in cards):
        solution = duel.solve(duel.Position(case["alice"], case["bob"]), line=False)
        assert solution.exact
        assert (solution.winner, solution.points, solution.value) == (case["winner"], case["points"], case["value"])


def test_oracle_best_first_cards(data):
    cases = [case for case in data("duel") if "best_first" in case]
    assert len(cases) == 150
    for case in cases:
        analysis = duel.analyse(duel.Position(case["alice"], case["bob"]))
        assert (set(analysis.best_moves), analysis[0].value) == (set(case["best_first"]), case["value"])


@pytest.mark.parametrize("nodes", [0, 1, 10, 100, 1000, 10_000])
def test_bounds_of_moves_within_node_limits(nodes):
    for seed in range(4):
        position = deal(13, "low", seed)
        analysis = duel.analyse(position, Limits(nodes=nodes))
        assert analysis.nodes <= nodes
        for entry in analysis if nodes == 1000 else ():
            assert entry.lower <= -duel.solve(position.play(entry.move), line=False).value <= entry.upper


def test_tiny_tables_and_large_ones():
    for seed in range(5):
        position = deal(12, "low", seed)
        large = duel.solve(position, line=False)
        tiny = duel.solve(position, Limits(table_mb=0.001), line=False)
        assert (tiny.value, tiny.table_bytes <= 1024, tiny.nodes >= large.nodes) == (large.value, True, True)
    position = deal(26, "random", 1)
    used = [duel.solve(position, Limits(nodes=nodes, table_mb=1)).table_bytes for nodes in (1, 10_000, 1_000_000)]
    assert used == sorted(used)
    assert used[0] < used[2] == 1 << 20
    assert duel.solve(deal(16, "low", 1)).table_bytes <= 8 << 20
    assert duel.solve(deal(5, "random", 1)).table_bytes <= 2048


def test_names_of_suits_and_the_order_of_ranks():
    """Rename suits, and exchange ranks if only the winner is compared."""
    for seed in range(60):
        position = deal(9 + seed % 6, ("random", "low")[seed % 2], seed)
        hands, rng = (position.alice, position.bob), random.Random(seed)
        suits, ranks = (dict(zip(names, rng.sample(names, len(names)), strict=True)) for names in (SUITS, ACE_LOW))
        renamed = [[suits[card[0]] + card[1] for card in hand] for hand in hands]
        moved = [[card[0] + ranks[card[1]] for card in hand] for hand in hands]
        value, same, other = (duel.solve(duel.Position(*some), line=False).value for some in (hands, renamed, moved))
        assert (same, other > 0) == (value, value > 0)
