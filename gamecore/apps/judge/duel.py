"""Test cases of the duel for programs that solve it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gamecore.apps.judge._judging import Judging, claimed_number
from gamecore.cards import ACE_LOW, SUITS
from gamecore.duel import MAX_CARDS, Position, deal
from gamecore.reference import duel as reference

if TYPE_CHECKING:
    from numpy.random import Generator

_DECK: Final = tuple(suit + rank for suit in SUITS for rank in ACE_LOW)


def _cards(suits: str, ranks: Sequence[str] = ACE_LOW) -> list[str]:
    return [card for card in _DECK if card[0] in suits and card[1] in ranks]


def _deal(n: int, rng: "Generator", alice: list[str], bob: list[str]) -> Position:
    """Deal each hand from its own list of cards, then from the deck if the list is short."""
    hands: list[list[str]] = []
    for wanted in (alice, bob):
        deck = [card for card in rng.permutation(_DECK).tolist() if not any(card in hand for hand in hands)]
        hands.append(sorted(deck, key=lambda card: card not in wanted)[:n])
    return Position(hands[0], hands[1])


def _low(n: int, rng: "Generator") -> Position:
    """Deal the cards with the fewest points."""
    cards = sorted(_DECK, key=lambda card: reference.POINTS[card[1]])[: 2 * n]
    rng.shuffle(cards)
    return Position(cards[:n], cards[n:])


def _ties(n: int, rng: "Generator") -> Position:
    """Deal both hands nearly the same ranks."""
    ranks = rng.permutation(list(ACE_LOW)).tolist()[: max(1, (n + 1) // 2)]
    return _deal(n, rng, _cards("CH", ranks), _cards("DS", ranks))


_FAMILIES: "Final[Mapping[str, Callable[[int, Generator], Position]]]" = {
    "random": lambda n, rng: deal(n, rng=rng),
    "low": _low,
    "short": lambda n, rng: _deal(n, rng, _cards(SUITS.replace(SUITS[int(rng.integers(4))], "")), []),  # without a suit
    "passes": lambda n, rng: _deal(n, rng, _cards("CD", ACE_LOW[:8]), _cards("HS", ACE_LOW[5:])),  # few cards fit
    "ties": _ties,
    "ends": lambda n, rng: deal(min(n, 3), rng=rng),
}


def _claim(position: Position, words: list[str]) -> float | None:
    points = claimed_number(words[1], least=0) if len(words) == 2 and words[0] in ("Alice", "Bob") else None
    if points is None:
        return None
    return points if words[0] == position.to_move else -points


def _smaller(position: Position) -> Iterator[Position]:
    """Yield smaller deals: one card less in each hand, then one card of lower rank."""
    alice, bob = position.alice, position.bob
    if len(alice) > 1:
        for mine in alice:
            for other in bob:
                yield Position([card for card in alice if card != mine], [card for card in bob if card != other])
    used = {*alice, *bob}
    for hands in ((alice, bob), (bob, alice)):
        for card in hands[0]:
            for lower in (low for low in _DECK if low[0] == card[0] and low not in used):
                if reference.POINTS[lower[1]] < reference.POINTS[card[1]]:
                    changed = [lower if held == card else held for held in hands[0]]
                    yield Position(changed, bob) if hands[0] is alice else Position(alice, changed)


def judging() -> Judging[Position]:
    """Return what judging needs of the duel."""
    return Judging(
        _FAMILIES,
        sizes=range(1, 13),
        most=MAX_CARDS,
        size=lambda position: len(position.alice),
        claim=_claim,
        smaller=_smaller,
        versions=reference.VERSIONS,
        arguments=lambda position: (frozenset(position.alice), frozenset(position.bob), position.last),
        unit="card",
    )


PART = judging
