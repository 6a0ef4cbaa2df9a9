"""Hexapawn as a :class:`gamecore.game.Game`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore import contract
from gamecore.contract import Bounds
from gamecore.errors import OptionError, ParseError
from gamecore.game import Choice, Json, Lines, Option, PackageGame, Player, checked
from gamecore.hexapawn._position import MAX_SQUARES, Position, greedy_move, random
from gamecore.hexapawn._solve import DEFAULT_TABLE_MB, best_case, worst_case
from gamecore.hexapawn._solver import Solver
from gamecore.hexapawn._text import parse
from gamecore.text import SEPARATOR, printable, whole_number

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.search import Refinement

_SIZE: Final = re.compile("([0-9]{1,4})[xX]([0-9]{1,4})")


class Hexapawn(PackageGame):
    """See :class:`gamecore.game.Game`."""

    name = "hexapawn"
    title = "Hexapawn"
    summary = "Pawns that race, block and capture. Reach the far row, or leave the other side without a move."
    rules = """\
White pawns move up, black pawns move down.
A pawn steps forward onto an empty square, or captures one square diagonally forward.
A player who reaches the far row wins.
A player who is to move and has no move loses."""
    sides = ("white", "black")
    unit = "plies"
    notation = "BOARD:MOVER"
    accepts = (
        "the notation BOARD:MOVER, such as ppp/3/PPP:w",
        "the judge's text: rows, columns, then the board",
        "a start position, such as 6x6",
    )
    example = "pppp/4/4/PPPP:w"
    help = """\
input:      output, the value for the side to move:
  3           3
  3
  ppp       0: it has lost; n: it wins in n plies; -n: it loses in n plies.
    P       After a limit: LOW..HIGH and the side to move, with ? in
  PP        front if the winner is unknown.

Rows, columns, then the rows, top row first: P white (moves up), p black,
blank: empty. At most 64 squares.

A file may hold many boards. Or one position, as an argument or as a line of a
file: rows joined by /, runs of empty squares as numbers, and the side to move
(w or b):
  gamecore hexapawn ppp/2P/PP1:w

example:  gamecore hexapawn --start 5x5 --line"""
    options = (Option("rows", "Rows", 4, 2, MAX_SQUARES), Option("columns", "Columns", 4, 1, 32))
    text_options = (Option("to_move", "Side to move", "white", choices=("white", "black")),)
    table_mb = DEFAULT_TABLE_MB
    threads = True
    position_type = Position

    def start(self, *, rng: Any = None, **options: Any) -> Position:
        return Position.start(**checked(options, self.options))

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Position:
        return random(**checked(options, self.options), plies=plies, rng=rng)

    def parse(self, text: str, **options: Any) -> Position:
        if SEPARATOR in text:
            if options:
                raise OptionError("--to-move is for a judge's text; the notation names the side to move")
            return Position.from_text(text.strip())
        if _SIZE.fullmatch(text):
            return start_of(text, "a start position")
        return parse(text, checked(options, self.text_options)["to_move"])

    def split(self, lines: Lines) -> Lines:
        for number, text in lines:
            if SEPARATOR in text:
                yield number, text.strip()
            elif text.strip():
                try:
                    rows = whole_number(text.strip(" \t\r\n"), "rows", 2, MAX_SQUARES)
                except ParseError as error:
                    raise ParseError(str(error), number) from None
                rest = [line for _, line in (next(lines, (0, None)) for _ in range(rows + 1)) if line is not None]
                yield number, "\n".join((text, *rest)) + "\n"

    def looks_like(self, lines: Sequence[str]) -> bool:
        numbers = len(lines) > 1 and lines[0].strip().isdigit() and lines[1].strip().isdigit()
        return (numbers and set("".join(lines[2:3]).strip()) <= set("Pp.")) or super().looks_like(lines)

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

    def order(self, bounds: Bounds[Any], position: Any) -> tuple[float, float]:
        return worst_case(bounds), best_case(bounds)

    def joined(self, moves: Sequence[contract.MoveValue[Any]], position: Any) -> Bounds[Any]:
        least, most = max(moves, key=worst_case), max(moves, key=best_case)
        if least.lower > 0:  # a proven win: no slower than the best worst case, no quicker than the best case
            return Bounds(max(1, most.lower), least.upper)
        if most.upper <= 0:
            return Bounds(most.lower, least.upper)
        return Bounds(min(least.lower, most.lower), max(least.upper, most.upper))

    def amount(self, number: float) -> str:
        return f"{number} {'ply' if number == 1 else 'plies'}"

    def describe(self, bounds: Bounds[Any], position: Any) -> str:
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
            old, new = (f"in {self.amount(abs(one.lower))}" if one.exact else "" for one in (best, entry))
            return None, " ".join(f"turns a win {old} into a loss {new}".split())
        if not (best.exact and entry.exact):
            return None, "is worse than another move"
        plies = abs(entry.lower - best.lower)
        return plies, f"wins {self.amount(plies)} later" if best.lower > 0 else f"loses {self.amount(plies)} sooner"

    def answer(self, solution: contract.Solution[Any, Any]) -> str:
        found: Any = solution
        if found.exact:
            return str(found.lower)
        return f"{'' if found.winner else '? '}{Bounds.__str__(found)} for {found.to_move}"

    def result(self, position: Any, me: Any = None) -> str:
        loser = self.called(position.to_move, me)
        won = f"{self.called(position.winner, me)} {'win' if position.winner == me else 'wins'}"
        if position._opponent_arrived():
            return f"{won}: a pawn is on the far row"
        return f"{won}: {loser} {'have' if position.to_move == me else 'has'} no move"

    def add_solve_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--start", metavar="RxC", help="solve the start position of R rows and C columns instead of a file"
        )

    def from_options(self, args: Any, chosen: Json) -> Position | None:
        if args.start is None:
            return None
        start = start_of(args.start, "--start")
        return Position(start.rows, start.columns, start.white, start.black, **chosen)

    def move_text(self, position: Any, move: str) -> str:
        return move.replace("x", " takes ").replace("-", " to ")


def start_of(size: str, option: str) -> Position:
    """Return the start position on a board of ``size``, such as ``6x6``, rows first.

    Args:
        size: rows and columns.
        option: name of the option, for error messages.

    Raises:
        OptionError: a malformed or forbidden size.
    """
    found = _SIZE.fullmatch(size)
    if found is None:
        raise OptionError(f"{option} must be rows x columns, such as 6x6, not {printable(size)}")
    return Position.start(int(found[1]), int(found[2]))


GAME = Hexapawn()
