"""Test cases of the duel for programs that solve it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gamecore.apps.judge._judging import Judging, claimed_number
from gamecore.cards import ACE_LOW, SUITS
from gamecore.duel import MAX_CARDS, Position, deal
from gamecore.reference import duel as reference

if TYPE_CHECKING:
    from numpy.random import Generator

_DECK: Final = tuple(suit + rank for rank in ACE_LOW for suit in SUITS)  # the cards with the fewest points first


def _cards(suits: str, ranks: Sequence[str] = ACE_LOW) -> list[str]:
    return [card for card in _DECK if card[0] in suits and card[1] in ranks]


def _deal(n: int, rng: "Generator", alice: Sequence[str], bob: Sequence[str]) -> Position:
    """Deal each hand from its own list of cards, then from the deck if the list is short."""
    hands: list[list[str]] = []
    for wanted in (alice, bob):
        deck = [card for card in rng.permutation(_DECK).tolist() if not any(card in hand for hand in hands)]
        hands.append(sorted(deck, key=lambda card: card not in wanted)[:n])
    return Position(hands[0], hands[1])


def _ties(n: int, rng: "Generator") -> Position:
    """Deal both hands nearly the same ranks."""
    ranks = rng.permutation(list(ACE_LOW)).tolist()[: max(1, (n + 1) // 2)]
    return _deal(n, rng, _cards("CH", ranks), _cards("DS", ranks))


_FAMILIES: "Final[Mapping[str, Callable[[int, Generator], Position]]]" = {
    "random": lambda n, rng: deal(n, rng=rng),
    "low": lambda n, rng: _deal(n, rng, _DECK[: 2 * n], _DECK[: 2 * n]),
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
    cards = [*alice, *bob]
    for index, card in enumerate(cards):
        for lower in _DECK[: _DECK.index(card)]:
            if lower[0] == card[0] and lower not in cards:
                changed = [*cards[:index], lower, *cards[index + 1 :]]
                yield Position(changed[: len(alice)], changed[len(alice) :])


def judging() -> Judging[Position]:
    """Return what judging needs of the duel."""
    return Judging(
        _FAMILIES,
        sizes=range(1, 13),
        largest=MAX_CARDS,
        size=lambda position: len(position.alice),
        claim=_claim,
        smaller=_smaller,
        versions=reference.VERSIONS,
        arguments=lambda position: (frozenset(position.alice), frozenset(position.bob), position.last),
        unit="card",
    )


PART = judging
