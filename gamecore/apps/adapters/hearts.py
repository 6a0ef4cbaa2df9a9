"""A round of hearts as numbers."""

from functools import lru_cache
from typing import Final

from gamecore.apps.adapters._table import Coding, Tensor
from gamecore.cards import ACE_HIGH, DECK_SIZE, card_text
from gamecore.hearts import Round

_PLANES: Final = 11  # of cards: hand, passed, received, the trick (4 seats), earlier tricks (4 seats)
_NUMBERS: Final = {card_text(index, ACE_HIGH): index for index in range(DECK_SIZE)}
_DIRECTIONS: Final = ("hold", "left", "across", "right")


@lru_cache(1 << 15)  # all moves
def _cards_of(move: str) -> tuple[str, ...]:
    return tuple(move.split("-"))


class HeartsCoding(Coding[Round]):
    """Actions are cards (``4 * rank + suit``, twos low, suits C D H S); three of them pass. Returns are minus points.

    Observations, (581,), from 0 to 1, show what a seat sees. Planes of 52 cards: its hand; passed, or still in the hand
    and chosen for it; received; each seat's card on the table; each seat's cards of earlier tricks (seats from itself
    to the left). Then points of the four seats over 26, the passing direction (hold, left, across, right), and whether
    cards are being passed.
    """

    actions = tuple(_NUMBERS)
    hidden = True
    longest = 64
    bounds = (0.0, 1.0)
    most = 41.0  # points of a seat under any rules
    shape = (_PLANES * DECK_SIZE + 9,)
    chosen_at = DECK_SIZE

    def __init__(self, start: Round) -> None:
        """Number a round; all rounds are numbered alike."""

    def parts(self, position: Round, move: str) -> tuple[str, ...]:
        return _cards_of(move)

    def returns(self, position: Round) -> tuple[float, ...]:
        return tuple(-float(points) for points in position.points)

    def write(self, position: Round, side: int, tensor: Tensor) -> None:
        view = position.view(side)
        cards = [_NUMBERS[card] for card in view.hand]
        cards += [DECK_SIZE + _NUMBERS[card] for card in view.passed]
        cards += [2 * DECK_SIZE + _NUMBERS[card] for card in view.received]
        cards += [(3 + (seat - side) % 4) * DECK_SIZE + _NUMBERS[card] for seat, card in view.trick]
        for trick in view.tricks:
            first = trick.leader - side
            cards += [(7 + (first + place) % 4) * DECK_SIZE + _NUMBERS[card] for place, card in enumerate(trick.cards)]
        tensor[cards] = 1
        rest = tensor[_PLANES * DECK_SIZE :]
        rest[:4] = [view.points[(side + k) % 4] / 26 for k in range(4)]
        rest[4 + _DIRECTIONS.index(view.passing)] = 1
        rest[8] = view.is_passing

    def seen(self, position: Round, side: int) -> str:
        return " ".join(str(position.view(side)).split())


PART = HeartsCoding
