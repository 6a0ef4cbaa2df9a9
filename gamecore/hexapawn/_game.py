"""Hexapawn as a :class:`gamecore.game.Game`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore.contract import Bounds, MoveValue
from gamecore.errors import OptionError
from gamecore.game import Choice, Game, Option, Player, Words, checked, takes
from gamecore.game import parse_many as texts_of
from gamecore.hexapawn._position import MAX_SQUARES, WHITE, Color, Position, greedy_move, parse, random
from gamecore.hexapawn._solve import Solver, analyse, best_case, solve, worst_case
from gamecore.text import SEPARATOR, printable

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.search import Refinement

_SIGN: Final = re.compile("(?<=[0-9])[x-]")  # between two squares; x is a column, too
_SIZE: Final = re.compile("([0-9]{1,4})[xX]([0-9]{1,4})")

_SIZES: Final = (Option("rows", "Rows", 4, 2, MAX_SQUARES), Option("columns", "Columns", 4, 1, 32))
_MOVER: Final = Option("to_move", "Side to move", "white", choices=("white", "black"))


class _Words(Words):
    """See :class:`gamecore.game.Words`. Values are distances: ``+3`` is better than ``+5``."""

    unit = "plies"

    def turn(self, position: Any, me: Any = None) -> str:
        if not position.is_over:
            return super().turn(position, me)
        won = f"{self.name(position.winner, me)} {'win' if position.winner == me else 'wins'}"
        if position._opponent_arrived():
            return f"{won}: a pawn is on the far row"
        return f"{won}: {self.name(position.to_move, me)} {'have' if position.to_move == me else 'has'} no move"

    def move(self, position: Any, move: str) -> str:
        return _SIGN.sub(lambda sign: " takes " if sign[0] == "x" else " to ", move)

    def amount(self, number: float) -> str:
        return f"{number} {'ply' if number == 1 else 'plies'}"

    def value(self, bounds: Bounds[Any], position: Any) -> str:
        low, high = bounds.lower, bounds.upper
        if low <= 0 < high:
            return "may win or lose"
        if low == high == 0:
            return "has lost"
        fewest, most = sorted((abs(low), abs(high)))
        plies = self.amount(fewest) if bounds.exact else f"{fewest} to {most} plies"
        return f"{'wins' if low > 0 else 'loses'} in {plies}"

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        if best.lower > 0 >= entry.upper:
            old, new = (f"in {self.amount(abs(value.lower))}" if value.exact else "" for value in (best, entry))
            return None, " ".join(f"turns a win {old} into a loss {new}".split())
        if not (best.exact and entry.exact):
            return None, "is worse than another move"
        plies = abs(entry.lower - best.lower)
        return plies, f"wins {self.amount(plies)} later" if best.lower > 0 else f"loses {self.amount(plies)} sooner"

    def order(self, bounds: Bounds[Any], position: Any) -> tuple[float, float]:
        return worst_case(bounds), best_case(bounds)

    def bounds_from_moves(self, moves: Sequence[MoveValue[Any]], position: Any) -> Bounds[Any]:
        least, most = max(moves, key=worst_case), max(moves, key=best_case)
        if least.lower > 0:  # a proven win: no slower than the best worst case, no quicker than the best case
            return Bounds(max(1, most.lower), least.upper)
        if most.upper <= 0:
            return Bounds(most.lower, least.upper)
        return Bounds(min(least.lower, most.lower), max(least.upper, most.upper))


class Hexapawn(Game):
    """See :class:`gamecore.game.Game`."""

    name = "hexapawn"
    title = "Hexapawn"
    rules = """\
Pawns race, block and capture: reach the far row, or leave the other side without a move.
White pawns move up, black pawns move down.
A pawn steps forward onto an empty square, or captures one square diagonally forward.
A player who reaches the far row wins.
A player who is to move and has no move loses."""
    sides = ("white", "black")
    example = "pppp/4/4/PPPP:w"
    Position = Position

    @property
    def words(self) -> _Words:
        return _Words(self)

    @takes(*_SIZES)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        return Position.start(**checked(options, _SIZES))

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, _SIZES), plies=plies, rng=rng)

    @takes(_MOVER)
    def parse(self, text: str, **options: Any) -> Any:
        if not isinstance(text, str) or SEPARATOR in text:
            if options:
                raise OptionError("--to-move is for a judge's text; the notation names the side to move")
            return Position.from_text(text)
        to_move = checked(options, (_MOVER,))["to_move"]
        return start_of(text, "a start position", to_move) if _SIZE.fullmatch(text) else parse(text, to_move)

    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def batch(self) -> "Batch[Any]":
        from gamecore.hexapawn._batch import BATCH

        return BATCH

    def refine(self, position: Any, table_mb: float | None = None) -> "Refinement":
        return Solver(table_mb).refine(position)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("captures, or else runs", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> Any:
        from gamecore.hexapawn._picture import picture

        return picture(position, moves, line, width)


def start_of(size: str, option: str, to_move: Color = WHITE) -> Position:
    """Return the start position on a board such as ``6x6``, rows first; OptionError names the ``option``."""
    match = _SIZE.fullmatch(size)
    if match is None:
        raise OptionError(f"{option} must be rows x columns, such as 6x6, not {printable(size)}")
    start = Position.start(int(match[1]), int(match[2]))
    return Position(start.rows, start.columns, start.white, start.black, to_move)


GAME = Hexapawn()


def parse_many(lines: Iterable[str], **options: Any) -> Iterator[Position]:
    """Yield the positions of a file's lines; see [gamecore.game.parse_many][]. Options are those of ``parse``."""
    return texts_of(GAME, lines, **options)
