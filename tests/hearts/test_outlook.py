"""Outlooks: distributions, marginals against all possible deals, reviews and passes."""

import itertools
import math

import pytest

from gamecore import hearts
from gamecore.batch.workers import Run
from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._evaluate import mean_and_error
from gamecore.hearts._outlook import Outlook, marginals, passes, review


def in_play(left, seed):
    """A round with this many tricks left and a choice to make."""
    state = hearts.Round.deal(rng=seed, passing="left")
    while len(state.tricks) < 13 - left or len(state.legal_moves()) < 2:
        state = state.play(state.ask("greedy"))
    return state


def test_mean_and_error():
    numbers = [3, 5, 10, 2]
    mean, error = mean_and_error(sum(numbers), sum(n * n for n in numbers), 4)
    deviation = math.sqrt(sum((n - 5) ** 2 for n in numbers) / 3)
    assert (mean, error) == (5, pytest.approx(deviation / 2))
    assert math.isnan(mean_and_error(0, 0, 0)[0])
    assert math.isnan(mean_and_error(4, 16, 1)[1])


def test_a_portion_of_playouts_is_a_part_of_the_whole():
    state = in_play(6, 1)
    whole, parts = Outlook(state, seed=5), Outlook(state, seed=5)
    whole.add(60)
    for portion in (10, 1, 49):
        parts.add(portion)
    assert parts.prospects() == whole.prospects()
    best, *others = whole.prospects()
    assert (best.behind, best.behind_stderr) == (0, 0)
    assert all(0 <= best.behind <= one.behind for one in others)
    assert sum(count for _, count in best.histogram) == best.playouts == 60


def test_means_are_those_of_evaluate_moves_within_their_errors():
    state = in_play(7, 3)
    known = {one.move: one for one in hearts.evaluate_moves(state.view(state.to_move), playouts=4000, rng=1)}
    outlook = Outlook(state, seed=10**6)
    outlook.add(2000)
    for one in outlook.prospects():
        other = known[one.move]
        assert abs(one.mean - other.mean) < 5 * math.hypot(one.stderr, other.stderr) + 1e-9


def agreeing(state, seat):
    """Every deal of the unseen cards that is consistent with the shown voids, by brute force."""
    view = state.view(seat)
    unseen = [card for other in range(4) if other != seat for card in state.hands[other]]
    first, second, third = (other for other in range(4) if other != seat)
    sizes = {other: len(state.hands[other]) for other in range(4)}
    for one in itertools.combinations(unseen, sizes[first]):
        rest = [card for card in unseen if card not in one]
        for two in itertools.combinations(rest, sizes[second]):
            hands = {first: one, second: two, third: tuple(card for card in rest if card not in two)}
            if not any(card in view.barred[other] for other, hand in hands.items() for card in hand):
                yield hands


@pytest.mark.parametrize("seed", range(4))
def test_marginals_are_the_shares_of_all_deals_that_agree(seed):
    state = hearts.Round.deal(rng=seed)  # nothing was passed: voids are all there is to know
    while len(state.tricks) < 10 or state.trick:
        state = state.play(state.ask("duck"))
    for seat in range(4):
        deals = list(agreeing(state, seat))
        found = marginals(state, seat, 4000, seed)
        for card, chances in found.cards.items():
            for other in range(4):
                share = sum(card in deal.get(other, ()) for deal in deals) / len(deals)
                error = math.sqrt(share * (1 - share) / 4000)
                assert abs(chances[other] - share) <= 5 * error, (card, other)
            assert found.stderr(card) == pytest.approx([math.sqrt(c * (1 - c) / 4000) for c in chances])


def test_marginals_know_what_was_passed():
    state = hearts.Round.deal(rng=9, passing="left")
    found = marginals(state, 0, 200)
    for card in state.passed[0]:
        assert found.cards[card] == (0, 1, 0, 0)
    with pytest.raises(OptionError):
        marginals(state, 4)


def test_marginals_do_not_see_the_other_hands():
    """Deals with equal views give equal results for one seed."""
    state = hearts.Round.deal(rng=9)
    seat, (a, b) = 0, [other for other in range(4) if other and "C2" not in hearts.Round.deal(rng=9).hands[other]][:2]
    dealt = [list(hand) for hand in state.dealt]
    dealt[a], dealt[b] = dealt[b], dealt[a]
    assert marginals(hearts.Round(dealt), seat, 300, 4) == marginals(hearts.Round(state.dealt), seat, 300, 4)


def test_a_review_finds_that_random_play_costs_more_than_a_good_players():
    state = hearts.Round.deal(rng=3)
    while not state.is_over:
        state = state.play(state.ask("random"))
    decisions = list(review(state, 50, seed=2))
    assert [one.ply for one in decisions] == sorted(one.ply for one in decisions)
    for one in decisions:
        assert one.played in one.position.legal_moves()
        assert one.chosen.behind >= 0
        assert len(one.prospects) == len(one.position.legal_moves()) > 1
    greedy = hearts.Round.deal(rng=3)
    while not greedy.is_over:
        greedy = greedy.play(greedy.ask("pimc:200"))
    cost = [sum(one.chosen.behind for one in review(played, 50, seed=2)) for played in (state, greedy)]
    assert cost[0] > 2 * cost[1]


def test_passes_get_rid_of_what_is_dangerous():
    dealt = hearts.Round.deal(rng=5, passing="left", passer=None)
    *_, last = passes(dealt, 0, 60, 1)
    assert last[0].playouts == 60
    most = [one for one in last if one.playouts == 60]
    assert [one.mean for one in most] == sorted(one.mean for one in most)
    assert list(passes(dealt, 0, 60, 1))[-1] == last
    for one in last:
        assert dealt.play(one.move).passed[0]


def test_passes_do_not_see_the_other_hands():
    state = hearts.Round.deal(rng=5, passing="left", passer=None)
    hands = list(state.dealt)
    other = hearts.Round((hands[0], hands[2], hands[3], hands[1]), passing="left")
    assert list(passes(other, 0, 20, 1)) == list(passes(hearts.Round(hands, passing="left"), 0, 20, 1))


def test_what_cannot_be_asked():
    start = hearts.Round.deal(rng=1, passing="left", passer=None)
    over = hearts.random(plies=52, passing="hold", rng=1)
    for round_ in (start, over):
        with pytest.raises(GamecoreError):
            Outlook(round_)
    with pytest.raises(GamecoreError, match="nothing was played"):
        next(review(start))
    with pytest.raises(GamecoreError, match="nothing to pass"):
        next(passes(over, 0))
    with pytest.raises(OptionError):
        Outlook(in_play(5, 1), "nobody")


def test_cancelled_playouts_end():
    state = in_play(8, 1)
    run, outlook = Run(), Outlook(state)
    with run.at_work({}):
        run.cancel()
        outlook.add(10**9)
        assert list(passes(hearts.Round.deal(rng=5, passing="left", passer=None), 0)) == []
    run.forget()
    assert outlook.worlds == 0
