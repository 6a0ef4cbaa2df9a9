"""Positions of rows: the remaining values, the side to move, both totals; the one-line notation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from gamecore import contract
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError
from gamecore.game import Option, takes
from gamecore.game import Position as Base
from gamecore.kernels import rows as _kernel
from gamecore.rng import generator
from gamecore.rows._values import INT64_MAX, Array, check_bound, integer, integers, parse_row, split_rows, widest
from gamecore.rows.opponents import ALIASES, BY_NAME, NAMES, OPPONENTS
from gamecore.rows.opponents import Opponent as OpponentRecord
from gamecore.text import NONE, SEPARATOR, checked_integer, checked_word, fields, is_word, printable

if TYPE_CHECKING:
    import numpy.typing as npt

    from gamecore.rng import Rng

Opponent: TypeAlias = Literal["optimal", "greedy", "cooperative", "smart", "sister", "dumb"]
Side: TypeAlias = Literal["me", "opponent"]
First: TypeAlias = Literal["me", "opponent", "sister"]
Ties: TypeAlias = Literal["right", "left"]

_SIDES: Final[Mapping[object, Side]] = {"me": "me", "opponent": "opponent", "sister": "opponent"}
_TIES: Final[Mapping[object, Ties]] = {"right": "right", "left": "left"}
_LEFT: Final = "-left"  # in texts, behind a forced opponent that takes the left end on ties
_MOST: Final = 1 << 20  # values of the longest random row


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Position(Base):
    """The remaining values of a row, the opponent, the side to move, and both totals.

    Moves are ``"L"`` and ``"R"``: take the leftmost or the rightmost value. Lines of play take a single value with L.

    Args:
        values: the remaining values: a list or an array of integers, perhaps empty.
        opponent: ``"optimal"`` (alias ``"smart"``), ``"greedy"`` (``"sister"``) or ``"cooperative"`` (``"dumb"``).
        to_move: ``"me"`` or ``"opponent"`` (``"sister"``).
        mine, theirs: the totals so far.
        ties: the end that the greedy opponent takes on a tie; always ``"right"`` for other opponents.

    The absolute values of the row and the totals must add up to less than 2**63.

    Raises:
        GamecoreError: not integers, totals that overflow.
        OptionError: an unknown name.
    """

    _GAME = "rows"
    _KINDS = {  # noqa: RUF012
        "values": (list, tuple), "opponent": str, "to_move": str, "mine": int, "theirs": int, "ties": str,
    }  # fmt: skip
    opponent: str
    to_move: Side
    mine: int
    theirs: int
    ties: Ties
    _row: Array  # the values; never written to
    _bound: int  # the sum of their absolute values
    _total: int  # their sum

    def __init__(
        self,
        values: "npt.ArrayLike",
        opponent: Opponent = "optimal",
        to_move: First = "me",
        mine: int = 0,
        theirs: int = 0,
        ties: Ties = "right",
    ) -> None:
        is_empty = isinstance(values, (list, tuple, np.ndarray)) and getattr(values, "ndim", 1) == 1 and not len(values)
        row: Array = np.empty(0, np.int64) if is_empty else widest(integers(values))
        if isinstance(values, np.ndarray):
            row = row.copy()  # the caller may write to the array
        totals = [
            checked_integer(total, name, -INT64_MAX, INT64_MAX) for name, total in (("mine", mine), ("theirs", theirs))
        ]
        self._fill(row, *names_of(opponent, to_move, ties, "to_move"), *totals)
        check_bound(self._bound + sum(map(abs, totals)))

    def _fill(self, row: Array, opponent: str, to_move: Side, ties: Ties, mine: int = 0, theirs: int = 0) -> None:
        bound, total = _kernel.sums(row) if len(row) else (0, 0)
        vars(self).update(_row=row, _bound=bound, _total=total, opponent=opponent, to_move=to_move, ties=ties)
        vars(self).update(mine=mine, theirs=theirs)

    @classmethod
    def _unchecked(cls, row: Array, *fields: Any) -> "Position":
        """Make a position of an array of :func:`integers`, which it shares; ``fields``: as for ``_fill``."""
        position = object.__new__(cls)
        position._fill(row, *fields)
        return position

    def __reduce__(self) -> tuple[object, ...]:
        return Position._unchecked, (self._row, self.opponent, self.to_move, self.ties, self.mine, self.theirs)

    def _key(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._KINDS)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    @property
    def rule(self) -> OpponentRecord:
        """What the opponent does."""
        return BY_NAME[self.opponent]

    @property
    def values(self) -> tuple[int, ...]:
        """The remaining values."""
        return tuple(self._row.tolist())

    @property
    def is_over(self) -> bool:
        """True if no value is left."""
        return not len(self._row)

    def legal_moves(self) -> tuple[str, ...]:
        """Return ``("L", "R")``; only the forced end for a greedy opponent; ``()`` if the game is over."""
        if not len(self._row):
            return ()
        return (self._end(self.rule),) if self.to_move == "opponent" and self.rule.forced_end else ("L", "R")

    def play(self, move: str) -> "Position":
        """Return the position after a move.

        Raises:
            IllegalMoveError: the game is over, or the move is not legal.
        """
        legal = self.legal_moves()
        if not is_word(move, legal):
            if not legal:
                raise IllegalMoveError("the game is over: the row is empty")
            if is_word(move, ("L", "R")):
                end = f"takes the {self.rule.forced_end} end, which is {legal[0]} here"
                raise IllegalMoveError(f"{move}: the {self.opponent} opponent {end}")
            raise IllegalMoveError(f"{printable(move)} is not a move: L or R")
        taken, left = (self._row.item(0), self._row[1:]) if move == "L" else (self._row.item(-1), self._row[:-1])
        if self.to_move == "me":
            return self._unchecked(left, self.opponent, "opponent", self.ties, self.mine + taken, self.theirs)
        return self._unchecked(left, self.opponent, "me", self.ties, self.mine, self.theirs + taken)

    # --- for the solvers

    def _end(self, rule: OpponentRecord) -> str:
        """Return the move of a forced opponent on a row that is not empty."""
        ends = self._row.item(0), self._row.item(-1)
        return "L" if len(self._row) == 1 or rule.takes_left(*ends, self.ties) else "R"

    def _is_helping(self) -> bool:
        """Return True if the side to move wants the least for itself."""
        return self.to_move == "opponent" and self.rule.helps

    def _my_part(self, value: int) -> int:
        """Return my total of the row if the side to move takes ``value`` more of it than the other."""
        return (self._total - value if self.to_move == "opponent" else self._total + value) // 2

    def _totals(self, mine: int) -> tuple[int, int]:
        """Return both final totals from my total of the row."""
        return self.mine + mine, self.theirs + self._total - mine

    def _value(self, mine: int) -> int:
        """Return the value for the side to move from my total of the row."""
        ours, theirs = self._totals(mine)
        return theirs - ours if self.to_move == "opponent" else ours - theirs

    # --- in and out

    def to_text(self) -> str:
        """Return the position as ``OPPONENT:MOVER:MINE:THEIRS:VALUES``, such as ``greedy:me:0:0:5,7,9``.

        OPPONENT is ``optimal``, ``greedy`` (takes the right end on ties), ``greedy-left`` or ``cooperative``. MOVER is
        ``me`` or ``opponent``. VALUES are separated by commas, ``-`` if none is left.
        """
        opponent = self.opponent + _LEFT * (self.ties == "left")
        values = ",".join(map(str, self.values)) or NONE
        return SEPARATOR.join((opponent, self.to_move, str(self.mine), str(self.theirs), values))

    def to_judge(self) -> str:
        """Return the judge's text: the number of values, then the values.

        Raises:
            GamecoreError: the opponent is to move, or a side has a total already; the text holds neither.
        """
        if self.to_move != "me" or self.mine or self.theirs:
            raise GamecoreError(f"the judge's text holds rows before my first move, not {self.to_text()}")
        return f"{len(self.values)}\n{' '.join(map(str, self.values))}\n"

    split_lines = staticmethod(split_rows)

    @classmethod
    def from_text(cls, text: str) -> "Position":
        """Parse the notation of ``to_text``.

        Raises:
            ParseError: a malformed text; it names the column.
        """
        opponent, mover, mine, theirs, values = fields(text, ("OPPONENT", "MOVER", "MINE", "THEIRS", "VALUES"))
        forced = (f"{record.name}{_LEFT}" for record in OPPONENTS if record.forced_end)
        name: Any = opponent.choice("the opponent", (*NAMES, *forced, *ALIASES))
        to_move = _SIDES[mover.choice("the side to move", list(map(str, _SIDES)))]
        totals = integer(mine.text, "my total", mine.fail), integer(theirs.text, "the opponent's total", theirs.fail)
        parts = [] if values.text == NONE else values.parts(",")
        row = [integer(part.text, "a value", part.fail) for part in parts]
        try:
            return cls(row, name.removesuffix(_LEFT), to_move, *totals, "left" if name.endswith(_LEFT) else "right")
        except GamecoreError as error:
            reason = str(error)
            named = values if reason.startswith("values") else theirs if reason.startswith("theirs") else mine
            raise named.fail(reason) from None


def names_of(opponent: object, first: object, ties: object, name_of_first: str = "first") -> tuple[str, Side, Ties]:
    """Return the opponent, the side to move and the ties that options name, without aliases; None: the default.

    Raises:
        OptionError: an unknown name.
    """
    opponent, first = "optimal" if opponent is None else opponent, "me" if first is None else first
    ties = "right" if ties is None else ties
    try:
        record, side, end = BY_NAME[opponent], _SIDES[first], _TIES[ties]
    except (KeyError, TypeError):
        checked_word(opponent, "opponent", BY_NAME)
        checked_word(first, name_of_first, _SIDES)
        checked_word(ties, "ties", _TIES)
        raise
    return record.name, side, end if record.forced_end else "right"


def of_values(values: object, opponent: object, first: object, ties: object) -> Position:
    """Return the start of a game on values, perhaps sharing their array.

    Raises:
        GamecoreError: bad values. OptionError: an unknown name.
    """
    position = Position._unchecked(integers(values), *names_of(opponent, first, ties))
    check_bound(position._bound)
    return position


def read(item: object, opponent: object = None, first: object = None, ties: object = None) -> Position:
    """Return a position itself, parse its text, or make one of bare values with the options.

    Raises:
        GamecoreError: bad values or a bad text. OptionError: an unknown name; an option together with a position.
    """
    if isinstance(item, str):
        item = Position.from_text(item) if SEPARATOR in item else parse_row(item)
    if not isinstance(item, Position):
        return of_values(item, opponent, first, ties)
    for name, option in (("opponent", opponent), ("first", first), ("ties", ties)):
        if option is not None:
            raise OptionError(f"{name} is {printable(option)}: a position says that itself", name)
    return item


@takes(
    Option("opponent", "Opponent", "optimal", choices=(*NAMES, *ALIASES)),
    Option("first", "Who takes first", "me", choices=("me", "opponent", "sister")),
    Option("ties", "The greedy opponent's end on a tie", "right", choices=("right", "left")),
)
def parse(
    text: str, *, opponent: Opponent | None = None, first: First | None = None, ties: Ties | None = None
) -> Position:
    """Parse the notation of ``to_text``, or the values of a row, whose options are those of :func:`solve`.

    Raises:
        ParseError: a malformed text. OptionError: an unknown name; an option beside the notation.
    """
    return read(text, opponent, first, ties) if isinstance(text, str) else Position.from_text(text)


def random(n: int = 8, opponent: Opponent = "optimal", *, plies: int | None = None, rng: "Rng" = None) -> Position:
    """Play ``plies`` random moves on a random row of integers from 0 to 99; I go first.

    Args:
        n: values of the whole row, at least 1.
        opponent: as for :class:`Position`.
        plies: number of moves; None: uniform from 0 to ``n``.
        rng: see :func:`gamecore.rng.generator`.

    Raises:
        OptionError: an argument out of range.
    """
    n, source = checked_integer(n, "n", 1, _MOST), generator(rng)
    return contract.random_plies(Position(source.integers(0, 100, n), opponent), plies, source, n)
