"""``gamecore hexapawn``: the judge's text or a position's notation in, the value out."""

import argparse
import functools
import re
import sys
from typing import TYPE_CHECKING, Any

from gamecore.cli.common import (
    LIMIT_REACHED,
    OK,
    add_limit_options,
    as_json,
    limits_of,
    one_position,
    positions_of_argument,
    stats_text,
    unproven,
    value_line,
)
from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.hexapawn import Analysis, Position, Solution

EPILOG = """\
input:      output, the value for the side to move:
  3           3
  3
  ppp       0: it has lost; n: it wins in n plies; -n: it loses in n plies.
    P       When a limit is reached: LOW..HIGH and whose value that is,
  PP        with a ? in front while the winner is not known.

Rows, columns, then the rows, top row first: P white (moves up), p black, blank: empty. At most 64 squares.

Or one position as an argument, or as a file of one line: rows joined by /, runs of empty squares as numbers, and the
side to move (w or b):
  gamecore hexapawn ppp/2P/PP1:w

example:  gamecore hexapawn --start 5x5 --line
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "hexapawn",
        help="pawns on a board of up to 64 squares: who wins, in how many plies",
        description="Solve Hexapawn positions exactly, on any board of up to 64 squares.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "position", nargs="?", metavar="FILE", help="the judge's text (default: stdin), or the notation of a position"
    )
    parser.add_argument("--start", metavar="RxC", help="the start position of R rows and C columns instead of a file")
    parser.add_argument("--to-move", metavar="COLOR", help="of a judge's text or a start: white (default) or black")
    parser.add_argument("--draw", action="store_true", help="also draw the board, with what else was asked for")
    parser.add_argument("--line", action="store_true", help="also print best play by both sides")
    parser.add_argument("--analyse", action="store_true", help="also print each move with its value, best first")
    parser.add_argument("--json", action="store_true", help="one JSON object instead")
    parser.add_argument("--stats", action="store_true", help="nodes, time and table on stderr")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads that share the table (default 1)")
    add_limit_options(parser, 512)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve one position; nothing is printed before everything is known."""
    from gamecore import hexapawn

    limits = limits_of(args)
    position = read_position(args)
    solution = hexapawn.solve(position, limits, line=args.line or args.json, threads=args.threads)
    analysis = hexapawn.analyse(position, limits) if args.analyse else None
    if args.json:
        print(as_json(position, solution, analysis))
    elif args.draw:
        print(as_text(solution, None, False))
        print(position.draw(analysis or (), solution.line if args.line else ()))
    else:
        print(as_text(solution, analysis, args.line))
    if args.stats:
        print(f"{stats_text(solution)}, {solution.replacements} replacements", file=sys.stderr)
    return OK if solution.exact and (analysis is None or analysis.exact) else LIMIT_REACHED


def read_position(args: argparse.Namespace) -> "Position":
    """The position that the arguments ask for.

    Raises:
        GamecoreError: bad options, or a bad text.
    """
    from gamecore import hexapawn

    if args.to_move not in (None, "white", "black"):
        raise OptionError(f"--to-move has to be white or black, not {printable(args.to_move)}")
    if args.start is None:
        from_text = functools.partial(read_notation, to_move=args.to_move)
        parse = functools.partial(hexapawn.parse, to_move=args.to_move or "white")
        read_file = functools.partial(one_position, from_text=from_text, parse=parse)
        return next(positions_of_argument(args.position or "-", from_text, read_file))
    if args.position is not None:
        raise OptionError("give a FILE or --start, not both")
    start = start_of(args.start)
    if start is None:
        raise OptionError(f"--start has to be rows x columns, such as 6x6, not {printable(args.start)}")
    return hexapawn.Position(start.rows, start.columns, start.white, start.black, args.to_move or "white")


def read_notation(text: str, to_move: str | None) -> "Position":
    """The position of a notation, which says itself who is to move.

    Raises:
        ParseError: a bad text. OptionError: ``to_move`` is given too.
    """
    from gamecore import hexapawn

    if to_move is not None:
        raise OptionError("--to-move is for a judge's text; a position's notation has the side to move in it")
    return hexapawn.Position.from_text(text)


def start_of(size: str) -> "Position | None":
    """The start position on a board of a size such as ``6x6``, rows first; None for any other text.

    Raises:
        OptionError: there is no such board.
    """
    from gamecore import hexapawn

    found = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", size)
    return None if found is None else hexapawn.Position.start(int(found[1]), int(found[2]))


def as_text(solution: "Solution", analysis: "Analysis | None", with_line: bool) -> str:
    """The value on the first line, as the judge has it, then what else was asked for."""
    lines = [value_line(solution)]
    if with_line:
        lines.append("line: " + (" ".join(solution.line) or ("-" if _is_proven(solution) else unproven(solution))))
    if analysis is not None:
        lines += [f"{entry} for {analysis.to_move}" for entry in analysis]
    return "\n".join(lines)


def _is_proven(solution: "Solution") -> bool:
    """Whether there is no line because the game is over."""
    return solution.exact and solution.best_so_far is None
