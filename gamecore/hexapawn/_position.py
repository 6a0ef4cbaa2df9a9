"""Positions of Hexapawn: the rules, the one-line notation, judges' texts, start and random positions."""

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from gamecore import contract
from gamecore.errors import GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.game import Option, reader, takes
from gamecore.game import Position as Base
from gamecore.rng import generator
from gamecore.text import BLANKS, SEPARATOR, checked_integer, checked_word, fields, is_word, printable, whole_number

if TYPE_CHECKING:
    from gamecore.rng import Rng

Color: TypeAlias = Literal["white", "black"]
MoveValue: TypeAlias = contract.MoveValue[int]  #: a move with its value for the side that makes it

WHITE: Final = "white"
BLACK: Final = "black"
MAX_SQUARES: Final = 64  #: squares of the largest board
MOVERS: Final[dict[str, Color]] = {"W": "white", "B": "black"}  #: the first line of a board that names the side to move
MAX_COLUMNS: Final = MAX_SQUARES // 2  #: a board has at least two rows
_SIZE: Final = re.compile("([0-9]{1,4})[xX]([0-9]{1,4})")
_RUN: Final = re.compile("[0-9]+")  # of empty squares, in the notation
_NO_SQUARE: Final = re.compile("[^Pp ]")
_WHITE_BITS: Final = str.maketrans("Pp ", "100")
_BLACK_BITS: Final = str.maketrans("Pp ", "010")


@dataclass(frozen=True, init=False, repr=False)
class Position(Base):
    """A position: a board of at least 2 rows and at most 64 squares, and the side to move.

    Usually made by ``start``, ``from_text`` or ``from_rows``. Squares are named as in chess: columns a, b, ..., z, aa
    from the left, rows 1, 2, ... from the bottom. A square is bit ``columns * (row - 1) + column`` of ``white`` and
    ``black``, where column a is 0.

    Args:
        rows: 2 to 64.
        columns: 1 to 32; ``rows * columns`` is at most 64.
        white, black: the pawns as integers, one bit a square.
        to_move: ``"white"`` or ``"black"``.

    Raises:
        OptionError: an argument out of range, two pawns on one square, the mover on its far row (the game ended
            before this turn), or both sides on their far rows.
    """

    _GAME = "hexapawn"
    _KINDS = {"rows": int, "columns": int, "white": int, "black": int, "to_move": str}  # noqa: RUF012
    rows: int
    columns: int
    white: int
    black: int
    to_move: Color

    def __init__(self, rows: int, columns: int, white: int, black: int, to_move: Color = WHITE) -> None:
        rows, columns = checked_size(rows, columns)
        most = (1 << rows * columns) - 1
        white, black = checked_integer(white, "white", 0, most), checked_integer(black, "black", 0, most)
        if white & black:
            raise OptionError(f"pawns of both sides on {square_name(lowest(white & black), columns)}")
        checked_word(to_move, "to_move", (WHITE, BLACK))
        wrong = ended_before(rows, columns, white, black, to_move)
        if wrong is not None:
            raise OptionError(wrong[0])
        vars(self).update(rows=rows, columns=columns, white=white, black=black, to_move=to_move)

    @classmethod
    def _unchecked(cls, rows: int, columns: int, white: int, black: int, to_move: Color) -> "Position":
        position = object.__new__(cls)
        vars(position).update(rows=rows, columns=columns, white=white, black=black, to_move=to_move)
        return position

    @classmethod
    def start(cls, rows: int, columns: int) -> "Position":
        """Return the start position: each side has a full row of pawns, white is to move.

        Raises:
            OptionError: fewer than 2 rows, no columns, more than 64 squares.
        """
        rows, columns = checked_size(rows, columns)
        line = (1 << columns) - 1
        return cls._unchecked(rows, columns, line, line << columns * (rows - 1), WHITE)

    # --- the rules ---------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """True if the side to move has lost: the other side is on its far row, or there is no move."""
        return self._opponent_arrived() or not any(self._moves())

    @property
    def winner(self) -> Color | None:
        """The winner; None while the game goes on."""
        return other(self.to_move) if self.is_over else None

    def _opponent_arrived(self) -> bool:
        if self.to_move == WHITE:
            return bool(self.black & ((1 << self.columns) - 1))
        return bool(self.white >> self.columns * (self.rows - 1))

    def _moves(self) -> Iterator[tuple[int, int]]:
        """Yield (source, target) squares in ascending order, even if the opponent is on its far row."""
        columns, squares = self.columns, self.rows * self.columns
        own, opp, ahead = (
            (self.white, self.black, columns) if self.to_move == WHITE else (self.black, self.white, -columns)
        )
        rest = own
        while rest:
            source = lowest(rest)
            rest &= rest - 1
            column, front = source % columns, source + ahead
            if not 0 <= front < squares:
                continue
            if column > 0 and opp >> front - 1 & 1:
                yield source, front - 1
            if not (own | opp) >> front & 1:
                yield source, front
            if column + 1 < columns and opp >> front + 1 & 1:
                yield source, front + 1

    def legal_moves(self) -> tuple[str, ...]:
        """Return the moves sorted by source (a1, b1, ..., a2, ...), then left to right; ``()`` if the game is over.

        A step is written ``b2-b3``, a capture ``b2xc3``.
        """
        if self._opponent_arrived():
            return ()
        return tuple(move_name(source, target, self.columns) for source, target in self._moves())

    def play(self, move: str) -> "Position":
        """Return the position after a move as written by ``legal_moves``.

        Raises:
            IllegalMoveError: the move is not legal, or the game is over.
        """
        legal = self.legal_moves()
        if is_word(move, legal):
            return self._after(*next(islice(self._moves(), legal.index(move), None)))
        if not legal:
            raise IllegalMoveError(f"{printable(move)}: the game is over, {self.winner} has won")
        shown = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
        raise IllegalMoveError(f"{printable(move)} is not a legal move for {self.to_move}; legal: {shown}")

    def _after(self, source: int, target: int) -> "Position":
        step, others = 1 << source | 1 << target, ~(1 << target)
        if self.to_move == WHITE:
            white, black = self.white ^ step, self.black & others
        else:
            white, black = self.white & others, self.black ^ step
        return self._unchecked(self.rows, self.columns, white, black, other(self.to_move))

    def flip(self) -> "Position":
        """Exchange the colours and turn the board upside down. The value is the same."""
        return self._of_rows([row.swapcase() for row in reversed(self.to_rows())], other(self.to_move))

    def mirror(self) -> "Position":
        """Exchange left and right. The value is the same."""
        return self._of_rows([row[::-1] for row in self.to_rows()], self.to_move)

    @classmethod
    def _of_rows(cls, rows: Sequence[str], to_move: Color) -> "Position":
        """Make a position from rows of equal length, top row first, of ``P``, ``p`` and blanks."""
        pawns = "".join(reversed(rows))[::-1]  # column a is the lowest bit
        white, black = int(pawns.translate(_WHITE_BITS), 2), int(pawns.translate(_BLACK_BITS), 2)
        return cls._unchecked(len(rows), len(rows[0]), white, black, to_move)

    @classmethod
    def _checked(
        cls, rows: Sequence[str], columns: int, to_move: Color, fail: Callable[[str, int, int], ParseError]
    ) -> "Position":
        """Make a position as :meth:`_of_rows`, of any text; ``fail(why, row, column)`` returns the error, from 0."""
        for number, row in enumerate(rows):
            if len(row) != columns:
                raise fail(f"the board has {columns} columns, this row {len(row)}", number, 0)
            if bad := _NO_SQUARE.search(row):
                raise fail(f"{printable(bad[0])} is not a square: P, p or empty", number, bad.start())
        position = cls._of_rows(rows, to_move)
        if wrong := ended_before(len(rows), columns, position.white, position.black, to_move):
            up, column = divmod(wrong[1], columns)
            raise fail(wrong[0], len(rows) - 1 - up, column)
        return position

    # --- text and data -----------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """Return the position as one line, ``BOARD:MOVER``, such as ``ppp/3/PPP:w``.

        The rows are joined by ``/``, top row first. ``P`` is a white pawn, ``p`` a black pawn, and a decimal number a
        run of empty squares. MOVER is ``w`` or ``b``.
        """
        rows = (re.sub(" +", lambda run: str(len(run[0])), row) for row in self.to_rows())
        return "/".join(rows) + SEPARATOR + self.to_move[0]

    @staticmethod
    def split_lines(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Split a file's lines into notations, judge's texts and boards below a W or B, which end at an empty line.

        Yields:
            The number of the first line, and the text.

        Raises:
            ParseError: a line that is neither a notation, W or B, nor a number of rows.
        """
        for number, text in lines:
            first, below = text.strip(BLANKS), (line for _, line in lines)
            if SEPARATOR in text:
                yield number, first
            elif first:
                count = 0 if first in MOVERS else whole_number(first, "rows", 2, MAX_SQUARES, number) + 1
                rows = islice(below, count) if count else takewhile(str.strip, below)
                yield number, "".join(line.rstrip("\r\n") + "\n" for line in (text, *rows))

    @classmethod
    def from_text(cls, text: str) -> "Position":
        """Parse the notation of ``to_text``.

        Raises:
            ParseError: a malformed text; it names the column.
        """
        board, mover = fields(text, ("BOARD", "MOVER"))
        to_move: Color = WHITE if mover.choice("MOVER", ("w", "b")) == "w" else BLACK

        def blanks(run: re.Match[str]) -> str:
            at = board.column + run.start()
            return " " * whole_number(run[0], "BOARD: a run of empty squares", 1, MAX_COLUMNS, 1, at)

        rows, lines = _RUN.sub(blanks, board.text).split("/"), board.parts("/")
        count, columns = len(rows), len(rows[0])
        if count < 2 or not 1 <= columns <= MAX_SQUARES // count:
            size = f"at least 2 rows and at most {MAX_SQUARES} squares"
            raise board.fail(f"BOARD: a board has {size}, not {count} x {columns}")
        return cls._checked(rows, columns, to_move, lambda why, row, _: lines[row].fail(f"BOARD: {why}"))

    def to_rows(self) -> tuple[str, ...]:
        """Return the rows as ``from_rows`` takes them: top row first, a blank for an empty square."""
        columns, count = self.columns, self.rows * self.columns
        squares = ["P" if self.white >> k & 1 else "p" if self.black >> k & 1 else " " for k in range(count)]
        return tuple("".join(squares[k : k + columns]) for k in reversed(range(0, count, columns)))

    @classmethod
    def from_rows(cls, lines: Sequence[str], to_move: Color = WHITE) -> "Position":
        """Make a position from its rows, top row first: ``P`` white, ``p`` black, a blank or ``.`` empty.

        Raises:
            ParseError: rows of unequal length, an unknown character, or pawns on far rows that end the game before
                this turn. Lines and columns count from 1.
            OptionError: a board of a forbidden size, a bad ``to_move``.
        """
        if isinstance(lines, str):
            raise OptionError(f"rows must be a list of strings, not the string {printable(lines)}", "rows")
        lines = list(lines)
        for number, line in enumerate(lines, start=1):
            if not isinstance(line, str):
                raise OptionError(f"row {number} must be a string, not {printable(line)}")
        checked_word(to_move, "to_move", (WHITE, BLACK))
        _, columns = checked_size(len(lines), len(lines[0]) if lines else 0)
        rows = [line.replace(".", " ") for line in lines]
        return cls._checked(rows, columns, to_move, lambda why, row, column: ParseError(why, row + 1, column + 1))

    def to_judge(self) -> str:
        """Return the judge's text: rows, columns, then the rows, top row first.

        Raises:
            GamecoreError: black is to move; the text only holds white's turns. ``flip()`` exchanges the colours.
        """
        if self.to_move != WHITE:
            raise GamecoreError(f"the judge's text holds positions with white to move, not {self.to_text()}")
        return "\n".join((str(self.rows), str(self.columns), *self.to_rows())) + "\n"


@takes(Option("to_move", "Side to move", "white", choices=("white", "black")))
def parse(text: str, *, to_move: Color | None = None) -> Position:
    """Parse the notation of ``to_text``, a judge's text, or the size of a start position, such as ``6x6``.

    A judge's text is rows, columns, then the rows, top row first; blanks are empty squares. Lines may be shorter than
    the board, have trailing blanks and end in CRLF; more lines may follow. ``Position.to_judge`` writes it.

    A text whose first line is W or B, the side to move, has nothing but the rows below it; ``.`` is an empty square.

    Args:
        text: the text.
        to_move: the side to move, of a text that does not name it; None: white.

    Raises:
        ParseError: a malformed text or a forbidden board; it names the line, and the column of a bad square.
        OptionError: a bad ``to_move``, or one beside the notation.
    """
    first, _, below = text.partition("\n") if isinstance(text, str) else ("", "", "")
    if not isinstance(text, str) or SEPARATOR in text or first.strip(BLANKS) in MOVERS:
        if to_move is not None:
            raise OptionError("--to-move is for a judge's text; the notation, and a first line W or B, name the side")
        if first.strip(BLANKS) not in MOVERS:
            return Position.from_text(text)
        try:
            return Position.from_rows([row.rstrip() for row in below.rstrip().split("\n")], MOVERS[first.strip(BLANKS)])
        except ParseError as error:
            raise error.moved(2) from None
    mover = WHITE if to_move is None else to_move
    checked_word(mover, "to_move", (WHITE, BLACK))
    if _SIZE.fullmatch(text):
        return start_of(text, "a start position", mover)
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    rows = whole_number(lines[0].strip(BLANKS), "rows", 2, MAX_SQUARES, 1)
    columns = whole_number(lines[1].strip(BLANKS) if len(lines) > 1 else "", "columns", 1, MAX_SQUARES, 2)
    if rows * columns > MAX_SQUARES:
        raise ParseError(f"{rows} rows x {columns} columns is more than {MAX_SQUARES} squares", 2)
    if len(lines) < rows + 2:
        raise ParseError(f"missing: row {len(lines) - 1} of {rows}", len(lines) + 1)
    for number, line in enumerate(lines[rows + 2 :], start=rows + 3):
        if line.strip("Pp "):
            raise ParseError("only squares may follow the board", number)
    squares = [line.rstrip(" ").ljust(columns) for line in lines[2 : rows + 2]]
    return Position._checked(squares, columns, mover, lambda why, row, at: ParseError(why, row + 3, at + 1))


def start_of(size: str, option: str, to_move: Color = WHITE) -> Position:
    """Return the start position on a board such as ``6x6``, rows first; OptionError names the ``option``."""
    match = _SIZE.fullmatch(size)
    if match is None:
        raise OptionError(f"{option} must be rows x columns, such as 6x6, not {printable(size)}")
    start = Position.start(int(match[1]), int(match[2]))
    return Position(start.rows, start.columns, start.white, start.black, to_move)


read = reader(Position, parse)


def column_name(column: int) -> str:
    """Return ``a`` for 0, ``z`` for 25, ``aa`` for 26."""
    letters = chr(ord("a") + column % 26)
    return letters if column < 26 else chr(ord("a") + column // 26 - 1) + letters


def square_name(square: int, columns: int) -> str:
    """Return a name such as ``b3``: columns a to z, then aa, ab, ...; rows from 1 at the bottom."""
    row, column = divmod(square, columns)
    return column_name(column) + str(row + 1)


@functools.cache
def move_name(source: int, target: int, columns: int) -> str:
    """Return ``b2-b3``, or ``b2xc3`` for a capture."""
    sign = "-" if (target - source) % columns == 0 else "x"
    return square_name(source, columns) + sign + square_name(target, columns)


def other(color: Color) -> Color:
    """Return the opponent's colour."""
    return BLACK if color == WHITE else WHITE


def lowest(bits: int) -> int:
    """Return the index of the lowest set bit."""
    return (bits & -bits).bit_length() - 1


def checked_size(rows: object, columns: object) -> tuple[int, int]:
    """Return both; OptionError unless they are integers, ``rows >= 2``, ``columns >= 1``, ``rows * columns <= 64``."""
    rows, columns = checked_integer(rows, "rows", 2), checked_integer(columns, "columns", 1)
    if rows * columns > MAX_SQUARES:
        size = f"{printable(rows)} rows x {printable(columns)} columns"
        raise OptionError(f"{size} is more than {MAX_SQUARES} squares")
    return rows, columns


def ended_before(rows: int, columns: int, white: int, black: int, to_move: Color) -> tuple[str, int] | None:
    """Return the reason why the game ended before this turn, and the square of a pawn on its far row, or None."""
    white_there = white >> columns * (rows - 1) << columns * (rows - 1)
    black_there = black & ((1 << columns) - 1)
    if white_there and black_there:
        wrong = "both sides stand on their far rows"
    elif (white_there and to_move == WHITE) or (black_there and to_move == BLACK):
        wrong = f"{to_move} is to move, but stands on its far row already"
    else:
        return None
    first = lowest(white_there or black_there)
    return f"{wrong} ({square_name(first, columns)})", first


def greedy_move(position: Position) -> str:
    """Return a capture if there is one, else a step, of the most advanced pawn; the first legal move on ties.

    The game must not be over.
    """
    columns, up = position.columns, 1 if position.to_move == WHITE else -1

    def merit(move: tuple[int, int]) -> tuple[bool, int]:
        source, target = move
        return (target - source) % columns != 0, up * (target // columns)

    return move_name(*max(position._moves(), key=merit), columns)


def random(rows: int = 4, columns: int = 4, *, plies: int | None = None, rng: "Rng" = None) -> Position:
    """Play ``plies`` random legal moves from the start position.

    Args:
        rows, columns: size of the board, as for :class:`Position`.
        plies: number of moves, fewer if the game ends; None: a random number from 0 to ``rows * columns // 2``.
        rng: None, an integer, a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.

    Raises:
        OptionError: an argument out of range.
    """
    return contract.random_plies(Position.start(rows, columns), plies, generator(rng), rows * columns // 2)
