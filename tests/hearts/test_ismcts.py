"""Information-set tree search: it finds the best card of small endings, within limits, whatever the workers."""

import functools
import itertools
import math
import time

import pytest
from hearts.decisions import advance, after_each_play, evaluate, state_of  # pytest's pythonpath has the folder of tests

from gamecore import hearts
from gamecore.reference import hearts as reference

POLICIES = ("random", "duck", "linear:infer=6")


def endings(seeds, plies):
    """Positions with a choice."""
    for seed in seeds:
        round_ = advance(hearts.Round.deal(seed), plies)
        if len(round_.legal_moves()) > 1:
            yield round_


def choices_that_differ(values):
    return len(set(values.values())) > 1


@functools.cache
def open_endings():
    """Positions of the last three tricks with one possible world, and max^n points by card, which differ."""
    endings = []
    for seed in range(2000):
        who = ("duck", "random")[seed % 2]
        for round_ in after_each_play(advance(hearts.Round.deal(seed), 40, who), who):
            seat, worlds = round_.to_move, round_._core.worlds
            if len(round_.legal_moves()) > 1 and all(len(set(worlds(seat, count, 1))) == 1 for count in (6, 30)):
                values = {entry.move: entry.max_n_points[seat] for entry in hearts.analyse(round_, method="max_n")}
                if choices_that_differ(values):
                    endings.append((round_, values))
    return endings


def mistakes(name):
    return [round_ for round_, values in open_endings() if values[round_.ask(name)] > min(values.values())]


@pytest.mark.parametrize("policy", POLICIES)
def test_known_hands_are_played_as_max_n(policy):
    """One exception: where others have equally good cards, they need not choose as max^n's first ones."""
    assert len(open_endings()) >= 25
    assert len(mistakes(f"ismcts:3000:{policy}")) <= 1


def test_too_few_iterations_are_found_out():
    assert len(mistakes("ismcts:1:random")) > 3


def exact(round_):
    """Mean points of each card over all worlds, and the number of worlds, by brute force.

    The seat is the last one of the trick before the last: only it still has a choice.
    """
    seat = round_.to_move
    view, others = round_.view(seat), [(seat + step) % 4 for step in (1, 2, 3)]
    totals, worlds = dict.fromkeys(round_.legal_moves(), 0), 0
    for world in set(itertools.permutations(itertools.chain(*(round_.hands[who] for who in others)))):
        hands = {seat: view.hand, **{who: [card] for who, card in zip(others, world, strict=True)}}
        if any(card in view.barred[who] for who in others for card in hands[who]):
            continue
        worlds += 1
        for card in totals:
            state = state_of(round_, [hands[who] for who in range(4)])
            state.play(card)
            totals[card] += reference.brute_max_n(state)[seat]
    return {card: total / worlds for card, total in totals.items()}, worlds


@pytest.mark.parametrize("policy", POLICIES[:2])
def test_hidden_hands_converge_to_the_expected_points(policy):
    """The means of the last seat of the trick before the last are the expectations over all worlds."""
    compared = uncertain = 0
    for round_ in endings(range(600), 47):
        values, worlds = exact(round_)
        if not choices_that_differ(values):
            continue
        assert values[round_.ask(f"ismcts:4000:{policy}")] == min(values.values())
        for card, (mean, visits) in evaluate(round_, f"ismcts:4000:{policy}").items():
            assert abs(mean - values[card]) <= 4 * 7 / math.sqrt(visits)
        compared += 1
        uncertain += worlds > 1
    assert compared >= 15
    assert uncertain >= 10


def test_all_iterations_are_counted_and_most_go_to_good_cards():
    round_ = next(endings(range(9), 20))
    estimates = evaluate(round_, "ismcts:2000").values()
    assert sum(visits for _, visits in estimates) == 2000
    mean, _ = max(estimates, key=lambda estimate: estimate[1])
    assert mean <= min(estimates)[0] + 0.3


def test_time_instead_of_iterations():
    round_ = next(endings(range(9), 13))
    begun = time.perf_counter()
    assert round_.ask("ismcts:5ms") in round_.legal_moves()
    assert time.perf_counter() - begun >= 0.005
