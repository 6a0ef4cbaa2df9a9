"""Hexapawn as a :class:`gamecore.game.Game`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore.contract import Bounds, MoveValue
from gamecore.game import Choice, Game, Option, Player, Words, checked, takes
from gamecore.hexapawn._position import MAX_SQUARES, Position, greedy_move, random
from gamecore.hexapawn._solve import Solver, analyse, best_case, solve, worst_case
from gamecore.hexapawn._text import parse

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.search import Refinement

_SIGN: Final = re.compile("(?<=[0-9])[x-]")  # between two squares; x is a column, too
_SIZES: Final = (Option("rows", "Rows", 4, 2, MAX_SQUARES), Option("columns", "Columns", 4, 1, 32))


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

    parse: Any = staticmethod(parse)
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


GAME = Hexapawn()
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]
