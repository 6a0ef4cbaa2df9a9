"""Results of the functions of rows."""

from dataclasses import dataclass

from gamecore import contract
from gamecore.rows._position import Side
from gamecore.rows.opponents import BY_NAME
from gamecore.rows.words import WORDS


@dataclass(frozen=True)
class Solution(contract.Solution[int, Side]):
    """A solved row: a :class:`gamecore.contract.Solution` with both totals.

    The value is the final total of the side to move minus the other's, so that it only changes sign along a line of
    best play.

    Attributes:
        to_move: ``"me"`` or ``"opponent"``.
        best_moves: all best moves of the side to move, ``"L"`` or ``"R"``, the line's first move first. A greedy
            opponent has only its forced move; a cooperative opponent's best move maximises my total.
        line: best play of both sides to the end, one letter a move. Ties go left (in the optimal game, ties between
            the ends of the folded row), and so does the last value. Empty if not requested, or not found within the
            limits.
        nodes: intervals whose value was computed; in the optimal game, values folded.
        mine, theirs: final totals, including the totals so far; None if only bounds are known.
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Solution.FIELDS, "mine", "theirs", "difference", "opponent")

    line: str
    mine: int | None
    theirs: int | None
    opponent: str

    @property
    def difference(self) -> int | None:
        """``mine - theirs``, whoever is to move; None if only bounds are known."""
        return None if self.mine is None or self.theirs is None else self.mine - self.theirs

    def __str__(self) -> str:
        """Return a text such as ``+8 for me (18 to 10), best L``."""
        return WORDS.solution(self)


@dataclass(frozen=True)
class MoveValue(contract.MoveValue[int]):
    """A move with its value for the side that makes it, and both final totals.

    Attributes:
        mine, theirs: totals as in :class:`Solution`; None if only bounds are known.
    """

    FIELDS = (*contract.MoveValue.FIELDS, "mine", "theirs")

    mine: int | None
    theirs: int | None


@dataclass(frozen=True)
class Analysis(contract.Analysis[MoveValue, Side]):
    """The legal moves with their values, best first; a cooperative opponent's best move maximises my total.

    Attributes:
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Analysis.FIELDS, "opponent")

    opponent: str

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves proven best, as in :class:`Solution`."""
        if not BY_NAME[self.opponent].helps or self.to_move == "me" or not self.exact:
            return super().best_moves
        least = min((entry.lower for entry in self.moves), default=0)
        return tuple(entry.move for entry in self.moves if entry.lower == least)


@dataclass(frozen=True, slots=True)
class Start(contract.Result):
    """The better side to go first, with the solutions of both.

    Attributes:
        starter: ``"me"`` or ``"opponent"``; ``"me"`` if both are equal (the source does not define this case); None
            if a limit left bounds that do not decide.
        me_first, opponent_first: the two solutions, without lines of play.
    """

    starter: Side | None
    me_first: Solution
    opponent_first: Solution

    @property
    def let_opponent_start(self) -> bool:
        """The source's LET_SISTER_GO_FIRST."""
        return self.starter == "opponent"
