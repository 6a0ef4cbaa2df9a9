"""The perfect-information solver against brute force."""

import random

import pytest

from gamecore import GamecoreError, Limits, OptionError, kernels, hearts
from gamecore.reference import hearts as reference

NAMES = (
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "must_break_hearts",
    "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs",
    "jack_of_diamonds",
    "avoid_all_tricks_bonus",
)


def flags_of(seed):
    if seed % 3 == 0:
        return {}
    bits = random.Random(seed).randrange(128)
    moon = ("others", "shooter")[seed % 2]
    return {**{name: bool(bits >> place & 1) for place, name in enumerate(NAMES)}, "moon": moon}


def position(seed, left, cards=0, who=None):
    round_ = hearts.Round.deal(seed, hearts.Rules(**flags_of(seed)))
    who = who or ("greedy" if seed % 2 else "random")
    while len(round_.tricks) < 13 - left or len(round_.trick) < cards:
        round_.play(round_.ask(who))
    return round_


def plain(round_, seed):
    leader = round_.trick[0][0] if round_.trick else round_.to_move
    state = reference.State([list(hand) for hand in round_.hands], reference.Rules(**flags_of(seed)), leader)
    for trick in round_.tricks:
        state.taken[trick.winner] += trick.cards
        state.played += trick.cards
    state.trick = [card for _, card in round_.trick]
    state.played += state.trick
    state.broken = state.broken or any(
        card[0] == "H" or (card == "SQ" and state.rules.qs_breaks_hearts) for card in state.played
    )
    return state


def check(seed, left, cards=0):
    round_ = position(seed, left, cards)
    solution = hearts.solve(round_)
    assert solution.exact
    assert [move.card for move in solution.moves] == list(round_.legal_moves())
    for move in solution.moves:
        state = plain(round_, seed)
        state.play(move.card)
        assert move.max_n == reference.brute_max_n(state), (seed, move)
        assert move.paranoid.value == reference.brute_paranoid(state, round_.to_move), (seed, move)
    assert solution.max_n == reference.brute_max_n(plain(round_, seed))
    best = next(move for move in solution.moves if move.card == solution.best_move)
    assert best.max_n == solution.max_n
    assert solution.paranoid.value == min(move.paranoid.value for move in solution.moves)


def test_against_brute_force_with_three_cards_a_hand():
    for seed in range(60):
        check(seed, 3, seed % 4)


def test_a_jack_left_is_not_taken_for_a_queen_left():
    # With one special card left, its place among the suits' limits does not say which one it is: the key has to.
    hands = (
        "D4 DT CQ D8 C9 CT S9 S6 D2 H6 H8 SJ H2",
        "H7 HK C5 DA CA C8 S5 SA C7 HT H9 H5 HQ",
        "D3 D5 C2 DQ CK C6 S7 S8 C3 H4 HJ D9 D7",
        "DJ SQ SK CJ D6 C4 DK ST S4 S3 H3 HA S2",
    )
    played = (
        "C2 CJ CQ C5 D8 DA DQ D6 CA CK C4 C9 C8 C6 DK CT S9 S5 S7 ST S4 S6 SA S8 C7 C3 S3 D2 HT H4 H3 H6 H9 HJ HA "
        "H8 S2 SJ H5 D9 H2 HQ D7"
    )
    rules = {"must_break_hearts": True, "qs_breaks_hearts": True, "can_lead_any_club": True, "jack_of_diamonds": True}
    round_ = hearts.Round.from_hands([hand.split() for hand in hands], hearts.Rules(**rules))
    for card in played.split():
        round_.play(card)
    queen = next(move for move in hearts.solve(round_).moves if move.card == "SQ")
    assert queen.max_n == (1, 11, 0, 4)


@pytest.mark.parametrize("seed", range(6))
def test_against_brute_force_with_four_cards_a_hand(seed):
    check(100 + seed, 4, 1 + seed % 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [203, 207, 212, 214])
def test_against_brute_force_with_five_cards_a_hand(seed):
    check(seed, 5, 3)


def test_moons_are_seen():
    # One seat has all points so far: whether it can go on matters to everybody.
    found = 0
    for seed in range(3000):
        round_ = hearts.Round.deal(seed)
        while len(round_.tricks) < 10:
            round_.play(round_.ask("random"))
        if max(round_.taken) == sum(round_.taken) >= 10:
            solution = hearts.solve(round_)
            state = plain(round_, 0)
            assert solution.max_n == reference.brute_max_n(state)
            assert solution.paranoid.value == reference.brute_paranoid(state, round_.to_move)
            found += 1
        if found == 25:
            break
    assert found == 25


def test_levels_agree_in_nodes_and_values():
    rows = set()
    for level in kernels.available_levels():
        kernel = kernels.kernel("hearts", level)
        round_ = hearts.Round.deal(3)
        core = kernel.Core.deal(round_.rules.flags, 3, 0)
        core.start()
        while core.count() < 28:
            core.play(core.choose(hearts.player("greedy").numbers))
        rows.add(str(kernel.solve(core, -1.0, 0, 1 << 14, True, True)))
    assert len(rows) == 1


def test_a_limit_gives_proven_bounds():
    round_ = position(3, 7, who="greedy")
    exact = hearts.solve(round_)
    assert exact.exact
    for nodes in (1, 50, 500, 5000):
        some = hearts.solve(round_, Limits(nodes=nodes))
        assert some.nodes <= nodes
        assert some.paranoid.lower <= exact.paranoid.value <= some.paranoid.upper
        for one, two in zip(some.moves, exact.moves, strict=True):
            assert one.max_n in {None, two.max_n}
            assert one.paranoid.lower <= two.paranoid.value <= one.paranoid.upper
    assert not hearts.solve(round_, Limits(nodes=1)).exact
    assert hearts.solve(round_, Limits(nodes=1)).best_move is None
    small = hearts.solve(round_, Limits(table_mb=0.001))
    assert [(move.max_n, move.paranoid) for move in small.moves] == [
        (move.max_n, move.paranoid) for move in exact.moves
    ]


def test_methods_and_bad_input():
    round_ = position(4, 4)
    assert hearts.solve(round_, method="max_n").paranoid is None
    assert hearts.solve(round_, method="paranoid").max_n is None
    with pytest.raises(OptionError, match="method"):
        hearts.solve(round_, method="best")
    with pytest.raises(OptionError, match="Round"):
        hearts.solve(round_.view(0))
    while not round_.is_over:
        round_.play(round_.ask("greedy"))
    with pytest.raises(GamecoreError, match="nothing to solve"):
        hearts.solve(round_)
