"""The duel as numbers."""

from gamecore.apps.adapters._table import Coding, Tensor
from gamecore.cards import ACE_LOW, DECK_SIZE, card_index, card_text
from gamecore.duel import PASS, Position


class DuelCoding(Coding[Position]):
    """Actions are cards by index (``gamecore.cards``: aces low), then the pass. Returns are points.

    Observations, (159,): Alice's hand, Bob's hand and the card to match (52 numbers each), then three flags: any card
    may be played, Alice is to move, Bob is to move.
    """

    actions = (*map(card_text, range(DECK_SIZE)), PASS)
    bounds = (0.0, 1.0)
    shape = (3 * DECK_SIZE + 3,)

    def __init__(self, start: Position) -> None:
        self.longest = 2 * (len(start.alice) + len(start.bob))
        self.most = float(len(ACE_LOW) * max(len(start.alice), len(start.bob)))

    def returns(self, position: Position) -> tuple[float, float]:
        won = float(position.points or 0) * (1 if position.winner == "Alice" else -1)
        return won, -won

    def write(self, position: Position, side: int, tensor: Tensor) -> None:
        for at, hand in enumerate((position.alice, position.bob)):
            tensor[[DECK_SIZE * at + card_index(card) for card in hand]] = 1
        tensor[3 * DECK_SIZE if position.last is None else 2 * DECK_SIZE + card_index(position.last)] = 1
        tensor[3 * DECK_SIZE + (1 if position.to_move == "Alice" else 2)] = 1


PART = DuelCoding
