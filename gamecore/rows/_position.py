"""Positions of rows: the remaining values, the side to move, both totals; the one-line notation."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from gamecore import contract
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.rng import generator
from gamecore.rows._input import (
    GREEDY,
    INT64_MAX,
    LEFT,
    ME,
    MODES,
    NAMES,
    OPPONENT,
    OPPONENT_FIRST,
    RIGHT,
    TIES_LEFT,
    First,
    Number,
    Opponent,
    Rules,
    Side,
    Ties,
    check_bound,
    choose,
    mixed,
    numbers,
)
from gamecore.text import NONE, SEPARATOR, Field, fields, printable, whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

    from gamecore.draw import Picture
    from gamecore.rng import Rng

_BOTH: Final = (LEFT, RIGHT)
_GREEDY_LEFT: Final = "greedy-left"  # in texts: the greedy opponent that takes the left end on ties
_FLOAT: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
_MOST: Final = 1 << 20  # values of the longest random row
_KINDS: Final[dict[str, type | tuple[type, ...]]] = {  # types of a dict's fields
    "values": (list, tuple),
    "opponent": str,
    "to_move": str,
    "mine": (int, float),
    "theirs": (int, float),
    "ties": str,
}


class Position(contract.Drawn, contract.Immutable):
    """The remaining values of a row, the opponent, the side to move, and both totals.

    Moves are ``"L"`` and ``"R"``: take the leftmost or the rightmost value. Lines of play take a single value with L.

    Args:
        values: the remaining values: a list or an array of integers or of floats, perhaps empty.
        opponent: ``"optimal"`` (alias ``"smart"``), ``"greedy"`` or ``"cooperative"`` (``"dumb"``).
        to_move: ``"me"`` or ``"opponent"`` (``"sister"``).
        mine, theirs: the totals so far, integers or floats like the values.
        ties: the end that the greedy opponent takes on a tie; always ``"right"`` for other opponents.

    Integers are exact: the absolute values of the row and the totals must add up to less than 2**63. ``play`` adds
    integers exactly and floats in float64.

    Raises:
        GamecoreError: not numbers, integers mixed with floats, NaN or infinity, totals that overflow.
        OptionError: an unknown name.
    """

    __slots__ = ("mine", "opponent", "theirs", "ties", "to_move", "values")

    values: tuple[Number, ...]
    opponent: str
    to_move: Side
    mine: Number
    theirs: Number
    ties: Ties

    def __init__(
        self,
        values: "npt.ArrayLike",
        opponent: Opponent = "optimal",
        to_move: First = "me",
        mine: Number = 0,
        theirs: Number = 0,
        ties: Ties = "right",
    ) -> None:
        name = NAMES[choose(MODES, "opponent", opponent)]
        choose(TIES_LEFT, "ties", ties)
        is_empty = isinstance(values, (list, tuple, np.ndarray)) and getattr(values, "ndim", 1) == 1 and not len(values)
        left = () if is_empty else tuple(numbers(values).tolist())
        totals = _totals(left, mine, theirs)
        self._set(
            values=left,
            opponent=name,
            to_move=OPPONENT if choose(OPPONENT_FIRST, "to_move", to_move) else ME,
            mine=totals[0],
            theirs=totals[1],
            ties=ties if name == "greedy" else "right",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, self._key()

    def _key(self) -> tuple[Any, ...]:
        # __eq__ also compares the totals' type: an empty row of integers differs from one of floats, though 1 == 1.0.
        return self.values, self.opponent, self.to_move, self.mine, self.theirs, self.ties

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key() and type(self.mine) is type(other.mine)

    __hash__ = contract.Immutable.__hash__

    def __repr__(self) -> str:
        return f"rows.Position.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        return str(self.picture())

    @property
    def is_over(self) -> bool:
        """True if no value is left."""
        return not self.values

    @property
    def rules(self) -> Rules:
        """The rules for the solvers."""
        return Rules(MODES[self.opponent], self.to_move == OPPONENT, self.ties == "left")

    def legal_moves(self) -> tuple[str, ...]:
        """Return ``("L", "R")``; only the larger end for a greedy opponent; ``()`` if the game is over."""
        return self.rules.legal_moves(self.values)

    def play(self, move: str, /) -> "Position":
        """Return the position after a move.

        Raises:
            IllegalMoveError: the game is over, or the move is not legal.
        """
        legal = self.legal_moves()
        if move not in legal:
            if not legal:
                raise IllegalMoveError("the game is over: the row is empty")
            if move in _BOTH:
                raise IllegalMoveError(f"{move}: the greedy opponent takes the larger end, which is {legal[0]} here")
            raise IllegalMoveError(f"{printable(move)} is not a move: L or R")
        taken, left = (self.values[0], self.values[1:]) if move == LEFT else (self.values[-1], self.values[:-1])
        position = object.__new__(type(self))
        mine = self.to_move == ME
        position._set(
            values=left,
            opponent=self.opponent,
            to_move=OPPONENT if mine else ME,
            mine=self.mine + taken if mine else self.mine,
            theirs=self.theirs if mine else self.theirs + taken,
            ties=self.ties,
        )
        return position

    # --- in and out

    def to_text(self) -> str:
        """Return the position as ``OPPONENT:MOVER:MINE:THEIRS:VALUES``, such as ``greedy:me:0:0:5,7,9``.

        OPPONENT is ``optimal``, ``greedy`` (takes the right end on ties), ``greedy-left`` or ``cooperative``. MOVER is
        ``me`` or ``opponent``. VALUES are separated by commas, ``-`` if none is left. Floats have a point or an
        exponent.
        """
        opponent = _GREEDY_LEFT if self.ties == "left" else self.opponent
        values = ",".join(map(repr, self.values)) or NONE
        return SEPARATOR.join((opponent, self.to_move, repr(self.mine), repr(self.theirs), values))

    @staticmethod
    def split_lines(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Split a file's numbered lines into texts of positions, with the number of the first line of each."""
        from gamecore.rows._text import split_rows

        return split_rows(lines)

    @classmethod
    def from_text(cls, text: str, /) -> "Position":
        """Parse the notation of ``to_text``.

        Raises:
            ParseError: a malformed text; it names the column.
        """
        opponent, mover, mine, theirs, values = fields(text, ("OPPONENT", "MOVER", "MINE", "THEIRS", "VALUES"))
        name = opponent.choice("the opponent", (*NAMES, _GREEDY_LEFT, "smart", "dumb"))
        to_move: Any = mover.choice("the side to move", (ME, OPPONENT, "sister"))
        totals = [_read(mine, "my total"), _read(theirs, "the opponent's total")]
        parts = [] if values.text == NONE else values.parts(",")
        left = [_read(part, "a value") for part in parts]
        kinds = set(map(type, left))
        if len(kinds) > 1:
            place = next(at for at, value in enumerate(left) if type(value) is not type(left[0]))
            raise parts[place].fail("integers and floats in one row: a float has a point or an exponent")
        try:
            return cls(
                left,
                name.removesuffix("-left"),  # type: ignore[arg-type]
                to_move,
                totals[0],
                totals[1],
                "left" if name == _GREEDY_LEFT else "right",
            )
        except GamecoreError as error:
            raise mine.fail(str(error)) from None

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as plain values."""
        return dict(zip(_KINDS, (list(self.values), *self._key()[1:]), strict=True))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> "Position":
        """Read a dict of ``to_dict``.

        Raises:
            ParseError: a missing or unknown field, a wrong type, or a value out of range; it names the field.
        """
        arguments = contract.from_fields(data, _KINDS, "a rows position")
        try:
            return cls(**arguments)
        except GamecoreError as error:
            raise ParseError(f"a rows position: {error}") from None

    # --- pictures

    def picture(self, moves: "Iterable[contract.MoveValue[Any]]" = (), line: str = "") -> "Picture":
        """Return a picture of the row, with the values of ``moves`` (:func:`analyse`), or with the moves of a line.

        Raises:
            OptionError: more than 512 values, ``moves`` of another position. IllegalMoveError: a line that breaks the
                rules.
        """
        from gamecore.rows._picture import picture

        return picture(self, moves, line)


def _totals(values: tuple[Number, ...], mine: object, theirs: object) -> tuple[Number, Number]:
    """Convert both totals to the values' type; of an empty row, to floats if one of them is a float."""
    read = {name: numbers([given], name).item(0) for name, given in (("mine", mine), ("theirs", theirs))}
    named = {"values[0]": values[0]} if values else {}
    # The integer 0 fits both types.
    named |= {name: total for name, total in read.items() if total or isinstance(total, float)}
    first = {isinstance(number, int): (name, number) for name, number in reversed(named.items())}
    if len(first) == 2:
        raise mixed(*first[True], *first[False])
    totals = (float(read["mine"]), float(read["theirs"])) if False in first else (read["mine"], read["theirs"])
    check_bound(sum(map(abs, (*values, *totals))))
    return totals


def _read(field: Field, name: str) -> Number:
    """Parse an integer, or a float with a point or an exponent."""
    word = field.text
    if _FLOAT.fullmatch(word) and ("." in word or "e" in word) and math.isfinite(float(word)):
        return float(word)
    try:
        return whole_number(word, name, -INT64_MAX, INT64_MAX)
    except ParseError as error:
        message = str(error) if word.lstrip("-").isdigit() else f"{name} must be a number, not {printable(word)}"
        raise field.fail(message) from None


def greedy_move(position: Position) -> str:
    """Return the move that takes the larger end of a row that is not empty; ``ties`` decides between equal ends."""
    return Rules(GREEDY, True, position.ties == "left").legal_moves(position.values)[0]


def random(
    n: int = 8,
    opponent: Literal["optimal", "greedy", "cooperative", "dumb", "smart"] = "optimal",
    plies: int | None = None,
    rng: "Rng" = None,
) -> Position:
    """Play ``plies`` random moves on a random row of integers from 0 to 99; I go first.

    Args:
        n: values of the whole row, at least 1.
        opponent: as for :class:`Position`.
        plies: number of moves; None: uniform from 0 to ``n``.
        rng: see :func:`gamecore.rng.generator`.

    Raises:
        OptionError: an argument out of range.
    """
    if isinstance(n, bool) or not hasattr(n, "__index__") or not 1 <= n <= _MOST:
        raise OptionError(f"n must be a whole number from 1 to {_MOST}, not {printable(n)}")
    source = generator(rng)
    start = Position(source.integers(0, 100, int(n)), opponent)
    position: Position = contract.random_plies(start, plies, source, int(n))
    return position
