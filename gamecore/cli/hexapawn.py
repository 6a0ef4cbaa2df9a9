"""``gamecore hexapawn``: the judge's text in, the value out."""

import argparse
import json
import re
import sys
from typing import TYPE_CHECKING, Any

from gamecore.text import printable
from gamecore.cli.common import LIMIT_REACHED, OK, add_limit_options, limits_of, read_text
from gamecore.errors import OptionError

if TYPE_CHECKING:
    from gamecore import hexapawn

EPILOG = """\
input:               output: the value for the side to move:
  3                    3
  3
  ppp                0: it has lost, n: it wins in n plies, -n: it loses in n plies. When a limit is reached:
    P                LOW..HIGH, proven bounds of the value; with a ? in front while the winner is not known.
  PP

Rows, columns, then the rows, top row first: P white (moves up), p black, blank: empty. At most 64 squares.

example:  gamecore hexapawn --start 5x5 --line
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "hexapawn",
        help="pawns on a board of up to 64 squares: who wins, in how many plies",
        description="Solve Hexapawn positions exactly, on any board of up to 64 squares.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="the judge's text (default: stdin)")
    parser.add_argument("--start", metavar="RxC", help="the start position of R rows and C columns instead of a file")
    parser.add_argument("--to-move", default="white", metavar="COLOR", help="white (default) or black")
    parser.add_argument("--draw", action="store_true", help="also print the board")
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
    moves = hexapawn.analyse(position, limits) if args.analyse else None
    exact = solution.exact and all(entry.exact for entry in moves or ())
    print(as_json(position, solution, moves) if args.json else as_text(position, solution, moves, args))
    if args.stats:
        rate = solution.seconds * 1e9 / max(1, solution.nodes)
        print(
            f"{solution.nodes} nodes, {solution.seconds * 1e3:.2f} ms, {rate:.0f} ns a node, "
            f"table {solution.table_bytes / (1 << 20):.3g} MiB, {solution.replacements} replacements",
            file=sys.stderr,
        )
    return OK if exact else LIMIT_REACHED


def read_position(args: argparse.Namespace) -> "hexapawn.Position":
    """The position that the arguments ask for.

    Raises:
        GamecoreError: bad options, or a bad text.
    """
    from gamecore import hexapawn

    if args.to_move not in ("white", "black"):
        raise OptionError(f"--to-move has to be white or black, not {printable(args.to_move)}")
    if args.start is None:
        return hexapawn.parse(read_text(args.file or "-"), args.to_move)
    if args.file is not None:
        raise OptionError("give a FILE or --start, not both")
    size = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", args.start)
    if size is None:
        raise OptionError(f"--start has to be rows x columns, such as 6x6, not {printable(args.start)}")
    start = hexapawn.Position.start(int(size[1]), int(size[2]))
    return hexapawn.Position(start.rows, start.cols, start.white, start.black, args.to_move)


def as_text(position: Any, solution: Any, moves: Any, args: argparse.Namespace) -> str:
    """The value on the first line, then what else was asked for."""
    if solution.exact:
        lines = [str(solution.value)]
    else:
        lines = [f"{'' if solution.winner else '? '}{solution.lower:+d}..{solution.upper:+d}"]
    if args.draw:
        lines.append(position.draw())
    if args.line:
        lines.append("line: " + (" ".join(solution.line) if solution.exact else "?"))
    lines += [str(entry) for entry in moves or ()]
    return "\n".join(lines)


def as_json(position: Any, solution: Any, moves: Any) -> str:
    """Everything as one JSON object on one line."""
    found: dict[str, Any] = {
        "rows": position.rows,
        "cols": position.cols,
        "board": position.to_rows(),
        "to_move": position.to_move,
        "value": solution.value,
        "exact": solution.exact,
        "lower": solution.lower,
        "upper": solution.upper,
        "winner": solution.winner,
        "distance": [solution.distance_lower, solution.distance_upper],
        "best_move": solution.best_move,
        "line": solution.line,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "table_bytes": solution.table_bytes,
        "replacements": solution.replacements,
    }
    if moves is not None:
        found["moves"] = [{"move": entry.move, "lower": entry.lower, "upper": entry.upper} for entry in moves]
    return json.dumps(found)
