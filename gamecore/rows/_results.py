"""What the functions of rows return."""

from dataclasses import dataclass
from typing import ClassVar

from gamecore import contract
from gamecore.rows._input import (
    ME,
    OPPONENT,
    Number,
    Side,
)


@dataclass(frozen=True, slots=True)
class Outcome(contract.Result):
    """What both sides take.

    Attributes:
        mine, theirs: totals; int for rows of integers, float otherwise.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("mine", "theirs", "difference")

    mine: Number
    theirs: Number

    @property
    def difference(self) -> Number:
        """``mine - theirs``."""
        return self.mine - self.theirs


@dataclass(frozen=True)
class Solution(contract.Solution[float, Side]):
    """A solved row: :class:`gamecore.contract.Solution`, and who takes what.

    The value is what the side to move takes in all minus what the other does, so that along a line of best play only
    its sign flips.

    Attributes:
        to_move: ``"me"`` or ``"opponent"``.
        best_moves: all best moves of the side to move, of ``"L"`` and ``"R"``, the one that ``line`` begins with first.
            A greedy opponent has one, its forced move; a cooperative one chooses what leaves me most.
        line: best play to the end, one letter a value taken, both sides'; free choices between equals go left (in the
            optimal game: between equal ends of the folded row), and so does the last value. Empty when it was not
            asked for, or not found within the limits.
        nodes: intervals of the row whose value was computed; in the optimal game, values folded.
        mine, theirs: totals at the end, with what both had before; None while only bounds are known. Of floats: those
            of the line, added up by :func:`math.fsum`.
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Solution.FIELDS, "mine", "theirs", "difference", "opponent")

    line: str
    mine: Number | None
    theirs: Number | None
    opponent: str

    @property
    def difference(self) -> Number | None:
        """``mine - theirs``, whoever is to move; None while only bounds are known."""
        return None if self.mine is None or self.theirs is None else self.mine - self.theirs

    @property
    def first(self) -> Side:
        """``to_move`` under the name of the argument."""
        return self.to_move

    def __str__(self) -> str:
        """``+8 for me (18 to 10), best L``."""
        totals = "" if self.mine is None else f" ({self.mine} to {self.theirs})"
        best = f", best {' or '.join(self.best_moves)}" if self.best_moves else ""
        return f"{contract.Bounds.__str__(self)} for {whose(self.to_move)}{totals}{best}"


@dataclass(frozen=True)
class MoveValue(contract.MoveValue[float]):
    """A move with its value for the side that makes it, and what both take in all when it is made.

    Attributes:
        mine, theirs: totals as in :class:`Solution`; None while only bounds are known.
    """

    FIELDS = (*contract.MoveValue.FIELDS, "mine", "theirs")

    mine: Number | None
    theirs: Number | None


@dataclass(frozen=True)
class Analysis(contract.Analysis[MoveValue, Side]):
    """The legal moves with their values, best first; of a cooperative opponent, the best leaves me most.

    Attributes:
        opponent: ``"optimal"``, ``"greedy"`` or ``"cooperative"``.
    """

    FIELDS = (*contract.Analysis.FIELDS, "opponent")

    opponent: str

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves that are proven best, as in :class:`Solution`."""
        if self.opponent != "cooperative" or self.to_move == ME or not self.exact:
            return super().best_moves
        least = min((entry.lower for entry in self.moves), default=0)
        return tuple(entry.move for entry in self.moves if entry.lower == least)


@dataclass(frozen=True, slots=True)
class Start(contract.Result):
    """Whether to go first, with both ways solved.

    Attributes:
        starter: ``"me"`` or ``"opponent"``; ``"me"`` when it makes no difference (the source leaves that open); None
            when the bounds that a limit has left do not tell.
        me_first, opponent_first: what happens either way, without lines of play.
    """

    starter: Side | None
    me_first: Solution
    opponent_first: Solution

    @property
    def let_opponent_start(self) -> bool:
        """The source's LET_SISTER_GO_FIRST."""
        return self.starter == OPPONENT


def whose(side: Side) -> str:
    """A side in a sentence: ``me`` or ``the opponent``."""
    return "me" if side == ME else "the opponent"
