"""Kit games as numbers, for other frameworks."""

from typing import TYPE_CHECKING, Any, Final

from gamecore.apps.kit._rules import SIDES, WIN, Rules
from gamecore.errors import GamecoreError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.apps.kit._game import Position

_LONGEST: Final = 1000
_BITS: Final = 64  # of a number of the state


class KitCoding:
    """A game as numbers, with what the adapters ask for.

    Actions are the numbers of the moves, from 0. How many there are, the rules may say as ``ACTIONS``; otherwise
    ``MOST_MOVES``, or one more than the largest number in 2,000 random plies.

    Returns are 1, 0 and -1 for win, draw and loss, or all points of a side less those of the other. Observations are
    the bits of the numbers of the state, in games of points also of what the mover and the other side have gained, 64
    each, the lowest first, and two flags: A is to move, B is to move.
    """

    longest = _LONGEST
    hidden = False

    def __init__(self, rules: Rules) -> None:
        seen = (move + 1 for _, moves, _ in rules.sample() for move in moves)
        self.actions = tuple(map(str, range(rules.actions or max(1, rules.most_moves, *seen))))
        self._rules = rules
        self.most = 1.0 if rules.outcome else float(WIN * _LONGEST)
        self.shape = (_BITS * (len(rules.start()) + (0 if rules.outcome else 2)) + 2,)

    def parts(self, position: "Position", move: str) -> tuple[str, ...]:
        """Return the number of a legal move; raise GamecoreError if it is no action."""
        number, _, _ = position.children[move]
        if not 0 <= number < len(self.actions):
            numbers = f"a number from 0 to {len(self.actions) - 1} for other frameworks (ACTIONS says how many)"
            raise GamecoreError(f"{self._rules.name}: a move must be {numbers}, not {printable(number)}")
        return (str(int(number)),)

    def seen(self, position: "Position", side: int) -> str:
        """Return the notation: both sides see everything."""
        return position.to_text()

    def returns(self, position: "Position") -> tuple[float, float]:
        """Return the result of both sides."""
        end = self._rules.end(position.state) or 0
        score = float(end // WIN if self._rules.outcome else position.points + end)
        return (score, -score) if position.to_move == SIDES[0] else (-score, score)

    def write(self, position: "Position", side: int, tensor: Any) -> None:
        """Write 1 for each bit that is set, and for the side to move."""
        numbers = position.state if self._rules.outcome else (*position.state, position.mine, position.theirs)
        for at, number in enumerate(numbers):
            tensor[[_BITS * at + bit for bit in range(_BITS) if number >> bit & 1]] = 1
        tensor[-2 + SIDES.index(position.to_move)] = 1
