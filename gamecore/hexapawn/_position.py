"""Hexapawn's positions: the board as two integers, its moves by the rules, its text and pictures."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from gamecore import contract
from gamecore.hexapawn import _text
from gamecore.hexapawn._text import BLACK, WHITE, Color, move_name, shown, square_name
from gamecore.text import printable
from gamecore.errors import IllegalMoveError, OptionError

if TYPE_CHECKING:
    from gamecore.draw import Picture

Move: TypeAlias = str  #: ``b2-b3``, or ``b2xc3`` for a capture
MoveValue: TypeAlias = contract.MoveValue[Move]


class Position:
    """A position: a board of 2 rows or more, at most 64 squares, and whose turn it is. Immutable.

    ``start``, ``from_rows`` and :func:`parse` are the usual ways to make one. Squares are named as in chess: columns
    a, b, ... (aa after z) from the left, rows 1, 2, ... from the bottom. In ``white`` and ``black``, bit
    ``cols * (row - 1) + column`` is a square, column a being 0.

    Args:
        rows: 2 to 64. cols: 1 to 32. Their product is at most 64.
        white, black: the pawns as integers of one bit a square.
        to_move: ``"white"`` or ``"black"``.

    Raises:
        OptionError: an argument out of range, pawns of both sides on one square, the mover already on the far row
            (the game ended before this turn), both sides on their far rows.
    """

    __slots__ = ("black", "cols", "rows", "to_move", "white")

    rows: int
    cols: int
    white: int
    black: int
    to_move: Color

    def __init__(self, rows: int, cols: int, white: int, black: int, to_move: Color = WHITE) -> None:
        """Check and keep the position."""
        _text.check_size(rows, cols)
        for name, pawns in (("white", white), ("black", black)):
            if isinstance(pawns, bool) or not isinstance(pawns, int) or pawns < 0 or pawns >> rows * cols:
                raise OptionError(f"{name} has to be an integer of {rows * cols} bits, not {shown(pawns)}")
        if white & black:
            raise OptionError(f"pawns of both sides on {square_name(lowest(white & black), cols)}")
        if to_move not in (WHITE, BLACK):
            raise OptionError(f"to_move has to be 'white' or 'black', not {printable(to_move)}")
        wrong = _text.ended_before(rows, cols, white, black, to_move)
        if wrong is not None:
            raise OptionError(wrong[0])
        self._set(rows, cols, white, black, to_move)

    def _set(self, rows: int, cols: int, white: int, black: int, to_move: Color) -> None:
        put = object.__setattr__
        put(self, "rows", rows)
        put(self, "cols", cols)
        put(self, "white", white)
        put(self, "black", black)
        put(self, "to_move", to_move)

    @classmethod
    def _trusted(cls, rows: int, cols: int, white: int, black: int, to_move: Color) -> "Position":
        position = object.__new__(cls)
        position._set(rows, cols, white, black, to_move)
        return position

    @classmethod
    def start(cls, rows: int, cols: int) -> "Position":
        """The start position: a full row of pawns on either side, white to move.

        Raises:
            OptionError: fewer than 2 rows, no columns, more than 64 squares.
        """
        _text.check_size(rows, cols)
        line = (1 << cols) - 1
        return cls._trusted(rows, cols, line, line << cols * (rows - 1), WHITE)

    @classmethod
    def from_rows(cls, lines: Sequence[str], to_move: Color = WHITE) -> "Position":
        """A position from its rows, top row first: ``P`` white, ``p`` black, a blank or ``.`` empty.

        Raises:
            ParseError: rows of unequal length, another character (line and column counted from 1), or both sides, or
                the mover, on the far row.
            OptionError: a board of a forbidden size, a bad ``to_move``.
        """
        return cls._trusted(*_text.read_rows(lines, to_move))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: positions are immutable."""
        raise AttributeError(f"a Position is immutable; play() returns a new one ({name} was not changed)")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle through the constructor."""
        return Position, self._key()

    def _key(self) -> tuple[int, int, int, int, Color]:
        return self.rows, self.cols, self.white, self.black, self.to_move

    def __eq__(self, other: object) -> bool:
        """The same board and the same side to move."""
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        """Of what equality compares."""
        return hash(self._key())

    def __repr__(self) -> str:
        """As ``from_rows`` would be called."""
        return f"hexapawn.Position.from_rows({list(self.to_rows())!r}, to_move={self.to_move!r})"

    def __str__(self) -> str:
        """The board with its coordinates, and whose turn it is."""
        return _text.draw(self.to_rows(), self._turn())

    def picture(self, moves: "Iterable[MoveValue]" = (), line: Iterable[Move] = ()) -> "Picture":
        """The board as a picture, with the value of each of ``moves`` (:func:`analyse`) and a line of play.

        Raises:
            OptionError: ``moves`` of another position. IllegalMoveError: a line that breaks the rules.
        """
        from gamecore import draw

        return draw.hexapawn(self, moves, line)

    def draw(self, moves: "Iterable[MoveValue]" = (), line: Iterable[Move] = (), *, color: bool | None = None) -> str:
        """The same as text, by default coloured if stdout is a terminal that has colours.

        Raises:
            OptionError, IllegalMoveError: as for :meth:`picture`.
        """
        return self.picture(moves, line).text(color=color)

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return self.picture().svg

    def _turn(self) -> str:
        return f"{self.winner} has won" if self.is_over else f"{self.to_move} to move"

    def to_rows(self) -> tuple[str, ...]:
        """The rows, top row first, blanks for empty squares: the inverse of ``from_rows``."""
        return _text.write_rows(self.rows, self.cols, self.white, self.black)

    def to_text(self) -> str:
        """The judge's text; it does not say whose turn it is."""
        return "\n".join((str(self.rows), str(self.cols), *self.to_rows())) + "\n"

    @property
    def is_over(self) -> bool:
        """Whether the mover has lost: the other side stands on its far row, or there is no move."""
        return self._opponent_arrived() or not any(self._moves())

    @property
    def winner(self) -> Color | None:
        """Who has won; None while the game goes on. (``solve`` tells who will.)"""
        return other(self.to_move) if self.is_over else None

    def _opponent_arrived(self) -> bool:
        if self.to_move == WHITE:
            return bool(self.black & ((1 << self.cols) - 1))
        return bool(self.white >> self.cols * (self.rows - 1))

    def _moves(self) -> Iterator[tuple[int, int]]:
        """Pseudo-legal (source, target) squares, by source, then target from left to right."""
        cols, squares = self.cols, self.rows * self.cols
        own, opp, ahead = (self.white, self.black, cols) if self.to_move == WHITE else (self.black, self.white, -cols)
        rest = own
        while rest:
            source = lowest(rest)
            rest &= rest - 1
            column, front = source % cols, source + ahead
            if not 0 <= front < squares:
                continue
            if column > 0 and opp >> front - 1 & 1:
                yield source, front - 1
            if not (own | opp) >> front & 1:
                yield source, front
            if column + 1 < cols and opp >> front + 1 & 1:
                yield source, front + 1

    def _name(self, source: int, target: int) -> Move:
        return move_name(source, target, self.cols)

    def legal_moves(self) -> tuple[Move, ...]:
        """Moves by the pawn's square (a1, b1, ..., a2, ...), then from left to right; ``()`` when the game is over."""
        if self._opponent_arrived():
            return ()
        return tuple(self._name(source, target) for source, target in self._moves())

    def play(self, move: Move) -> "Position":
        """The position after a move, written as ``legal_moves`` writes it (``b2-c3`` is also read for ``b2xc3``).

        Raises:
            IllegalMoveError: the game is over, or the rules forbid the move here.
        """
        wanted = move.replace("x", "-") if isinstance(move, str) else move
        if not self._opponent_arrived():
            for source, target in self._moves():
                if self._name(source, target).replace("x", "-") == wanted:
                    return self._after(source, target)
        raise IllegalMoveError(self._why_illegal(move))

    def _after(self, source: int, target: int) -> "Position":
        white, black = self.white, self.black
        step = 1 << source | 1 << target
        if self.to_move == WHITE:
            white, black = white ^ step, black & ~(1 << target)
        else:
            white, black = white & ~(1 << target), black ^ step
        return self._trusted(self.rows, self.cols, white, black, other(self.to_move))

    def _why_illegal(self, move: object) -> str:
        legal = self.legal_moves()
        if not legal:
            return f"{printable(move)}: the game is over, {self.winner} has won"
        shown = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
        return f"{printable(move)} is not a legal move for {self.to_move}; legal: {shown}"

    def flip(self) -> "Position":
        """Colours exchanged and the board turned upside down: the same game, with the same value."""
        line = (1 << self.cols) - 1
        white = black = 0
        for row in range(self.rows):
            back = self.cols * (self.rows - 1 - row)
            white |= (self.black >> self.cols * row & line) << back
            black |= (self.white >> self.cols * row & line) << back
        return self._trusted(self.rows, self.cols, white, black, other(self.to_move))

    def mirror(self) -> "Position":
        """Left and right exchanged: the same value."""
        white = black = 0
        for square in range(self.rows * self.cols):
            image = square - 2 * (square % self.cols) + self.cols - 1
            white |= (self.white >> square & 1) << image
            black |= (self.black >> square & 1) << image
        return self._trusted(self.rows, self.cols, white, black, self.to_move)


def lowest(bits: int) -> int:
    """The number of the lowest set bit."""
    return (bits & -bits).bit_length() - 1


def other(color: Color) -> Color:
    """The opponent's colour."""
    return BLACK if color == WHITE else WHITE
