"""Advice on which cards to pass on in hearts: playouts from deals that agree with the hand."""

import itertools
import math
import time
from typing import Final

from gamecore.cards import ACE_HIGH, card_text, shuffled_deck
from gamecore.hearts import Round, View, player
from gamecore.hearts._players import danger
from gamecore.limits import Limits
from gamecore.rng import generator

_DANGEROUS: Final = 6  # cards, any three of which are tried
_DEALS: Final = (12, 24, 48)  # of each turn; after each, the worse half of the sets is tried no more
_KEPT: Final = 5  # sets at least
_SECONDS: Final = 3.0  # at most, whatever the limits say


def advise_passing(view: View, limits: Limits) -> list[tuple[str, float, float]]:
    """The best sets of three cards to pass on, best first: the move, mean points of the round, standard error.

    All sets are judged on the same random deals of the unseen cards; the other seats pass, and all play, as ``greedy``
    does. Sets that fall behind are given up after a while.

    Args:
        view: of a seat that has still to pass.
        limits: of the time it takes.

    Returns:
        At most five sets; fewer, perhaps none, when there was no time.
    """
    most = _SECONDS if limits.seconds is None else min(_SECONDS, limits.seconds)
    end = time.monotonic() + most
    found: dict[tuple[str, ...], list[int]] = {cards: [] for cards in _candidates(view.hand)}
    number = 0
    for turn, count in enumerate(_DEALS):
        for _ in range(count):
            number += 1
            deal = _deal(view, number)
            points = {cards: _points(deal, view.seat, cards) for cards in found}
            for cards, got in points.items():
                found[cards].append(got)
            if time.monotonic() >= end:
                break
        ranked = sorted(found, key=lambda cards: sum(found[cards]))
        kept = ranked[: max(_KEPT, len(ranked) // 2)] if turn + 1 < len(_DEALS) else ranked[:_KEPT]
        found = {cards: found[cards] for cards in kept}
        if time.monotonic() >= end:
            break
    return [(move_of(cards, view.hand), *_mean(found[cards])) for cards in list(found)[:_KEPT]]


def move_of(cards: tuple[str, ...], hand: tuple[str, ...]) -> str:
    """Three cards as a move, in the order of the hand."""
    return "-".join(card for card in hand if card in cards)


def _candidates(hand: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Any three of the most dangerous cards, and what empties a suit, with the most dangerous cards of the rest."""
    sets = {frozenset(three) for three in itertools.combinations(danger(hand, _DANGEROUS), 3)}
    for suit in "CDS":
        short = [card for card in hand if card[0] == suit]
        if 1 <= len(short) <= 3:
            rest = danger([card for card in hand if card[0] != suit], 3 - len(short))
            sets.add(frozenset((*short, *rest)))
    return sorted(tuple(sorted(three)) for three in sets)


def _deal(view: View, number: int) -> Round:
    """A round that the view agrees with, in which the others have passed."""
    order = [card_text(index, ACE_HIGH) for index in shuffled_deck(generator(number)).tolist()]
    unseen = [card for card in order if card not in view.hand]
    hands = [view.hand if seat == view.seat else tuple(unseen[13 * k : 13 * k + 13])
             for k, seat in _places(view.seat)]  # fmt: skip
    round_ = Round(hands, view.rules, view.passing)
    for seat in range(4):
        if seat != view.seat:
            round_ = round_.pass_cards(seat, round_.ask_pass(seat, _GREEDY))
    return round_


def _places(seat: int) -> list[tuple[int, int]]:
    """For each seat, which part of the unseen cards it gets."""
    return [(other - (other > seat), other) for other in range(4)]


def _points(round_: Round, seat: int, cards: tuple[str, ...]) -> int:
    round_ = round_.pass_cards(seat, cards)
    while not round_.is_over:
        round_ = round_.play(round_.ask(_GREEDY))
    return round_.points[seat]


def _mean(points: list[int]) -> tuple[float, float]:
    n = len(points)
    mean = sum(points) / n
    return mean, math.sqrt(sum((one - mean) ** 2 for one in points) / max(1, n - 1) / n)


_GREEDY: Final = player("greedy")
