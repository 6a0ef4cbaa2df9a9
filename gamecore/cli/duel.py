"""``gamecore duel``: the judge's text in, the judge's two lines out."""

import argparse
import json
import sys
from typing import Any

from gamecore.cli.common import LIMIT_REACHED, OK, add_limit_options, limits_of, read_lines

EPILOG = """\
input, as many deals as you like:      output for each, the judge's two lines:
  3                                      Alice
  DQ H2 HA                               9
  H3 D6 S3

Cards are suit (C D H S) then number (A 2-9 T J Q K). When a limit is reached the two lines are the winner,
or ? while that is open, and the bounds: LOW..HIGH points for a winner, of Alice's value for ?.

example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore duel --line --analyse
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "duel",
        help="open-hand card duel: who wins, and by how many points",
        description="Solve open-hand card duels exactly (1 to 26 cards a hand).",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the judge's text (default: stdin)")
    parser.add_argument("--line", action="store_true", help="also print best play by both sides; - is a pass")
    parser.add_argument("--analyse", action="store_true", help="also print each first card with its value for Alice")
    parser.add_argument("--draw", action="store_true", help="also draw the hands, with what else was asked for")
    parser.add_argument("--json", action="store_true", help="one JSON object for each deal instead")
    parser.add_argument("--stats", action="store_true", help="nodes, time and table of each deal on stderr")
    add_limit_options(parser, 256)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer deal by deal; each answer is out before the next deal is looked at."""
    from gamecore import duel
    from gamecore.errors import ParseError

    limits = limits_of(args)
    status, deals = OK, 0
    for position in duel.parse_many(read_lines(args.file)):
        deals += 1
        solution = duel.solve(position, limits, line=args.line or args.json)
        moves = duel.analyse(position, limits) if args.analyse else None
        if args.json:
            text = as_json(position, solution, moves)
        elif args.draw:
            drawing = position.draw(moves or (), solution.line if args.line else ())
            text = as_text(solution, None, False) + "\n" + drawing
        else:
            text = as_text(solution, moves, args.line)
        print(text, flush=True)
        if args.stats:
            rate = solution.seconds * 1e9 / max(1, solution.nodes)
            print(
                f"{solution.nodes} nodes, {solution.seconds * 1e3:.2f} ms, {rate:.0f} ns a node, "
                f"table {solution.table_bytes / (1 << 20):.3g} MiB",
                file=sys.stderr,
            )
        if not solution.exact:
            status = LIMIT_REACHED
    if not deals:
        raise ParseError("no deal: the input is empty")
    return status


def as_text(solution: Any, moves: Any, with_line: bool) -> str:
    """The judge's two lines, then what else was asked for."""
    if solution.exact:
        lines = [solution.winner, str(solution.points)]
    elif solution.winner:
        low, high = sorted((abs(solution.lower), abs(solution.upper)))
        lines = [solution.winner, f"{low}..{high}"]
    else:
        lines = ["?", f"{solution.lower:+d}..{solution.upper:+d}"]
    if with_line:
        lines.append("line: " + (" ".join(move or "-" for move in solution.line) or "?"))
    for entry in moves or ():
        lines.append(str(entry))
    return "\n".join(lines)


def as_json(position: Any, solution: Any, moves: Any) -> str:
    """One object on one line; ``value``, ``winner`` and ``points`` are null where they are not proven."""
    answer = {
        "alice": position.alice,
        "bob": position.bob,
        "winner": solution.winner,
        "points": solution.points,
        "value": solution.value,
        "lower": solution.lower,
        "upper": solution.upper,
        "exact": solution.exact,
        "best_move": solution.best_move,
        "line": solution.line,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "table_bytes": solution.table_bytes,
    }
    if moves is not None:
        answer["moves"] = [
            {"move": entry.move, "value": entry.value, "lower": entry.lower, "upper": entry.upper} for entry in moves
        ]
    return json.dumps(answer)
