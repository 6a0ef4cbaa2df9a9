"""``gamecore duel``: the judge's text or a position's notation in, the judge's two lines out."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from gamecore.cli.common import (
    LIMIT_REACHED,
    OK,
    add_limit_options,
    as_json,
    limits_of,
    positions_of_argument,
    stats_text,
    unproven,
    value_text,
)
from gamecore.errors import ParseError

if TYPE_CHECKING:
    from gamecore.duel import Analysis, Solution

EPILOG = """\
input, as many deals as you like:      output for each, the judge's two lines:
  3                                      Alice
  DQ H2 HA                               9
  H3 D6 S3

or one position as an argument, hands, side to move (A or B) and the card to match (- for none):
  gamecore duel DQH2:D6S3:A:H3

Cards are suit (C D H S) then number (A 2-9 T J Q K). The two lines are the winner and what the loser pays. Values are
of the side to move, and each line that has one says whose it is. When a limit is reached the two lines are the winner
and LOW..HIGH points; while the winner is open, ? and bounds of the value.

example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore duel --line --analyse
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "duel",
        help="open-hand card duel: who wins, and by how many points",
        description="Solve open-hand card duels exactly (1 to 26 cards a hand).",
        epilog=EPILOG,
    )
    parser.add_argument(
        "position", nargs="?", default="-", metavar="FILE",
        help="the judge's text (default: stdin), or the notation of a position",
    )  # fmt: skip
    parser.add_argument("--line", action="store_true", help="also print best play by both sides")
    parser.add_argument("--analyse", action="store_true", help="also print each move with its value for who makes it")
    parser.add_argument("--draw", action="store_true", help="also draw the hands, with what else was asked for")
    parser.add_argument("--json", action="store_true", help="one JSON object for each position instead")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads that share the table (default 1)")
    parser.add_argument("--stats", action="store_true", help="nodes, time and table of each position on stderr")
    add_limit_options(parser, 256)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer position by position; each answer is out before the next one is looked at."""
    from gamecore import duel

    limits = limits_of(args)
    status, count = OK, 0
    for position in positions_of_argument(args.position, duel.Position.from_text, duel.parse_many):
        count += 1
        want_line = (args.line or args.json) and not position.is_over
        solution = duel.solve(position, limits, line=want_line, threads=args.threads)
        analysis = duel.analyse(position, limits) if args.analyse else None
        if args.json:
            text = as_json(position, solution, analysis)
        elif args.draw:
            text = as_text(solution, None, False) + "\n" + position.draw(analysis or (), solution.line)
        else:
            text = as_text(solution, analysis, want_line)
        print(text, flush=True)
        if args.stats:
            print(stats_text(solution), file=sys.stderr)
        if not solution.exact or (want_line and not solution.line) or (analysis is not None and not analysis.exact):
            status = LIMIT_REACHED
    if not count:
        raise ParseError("no deal: the input is empty")
    return status


def as_text(solution: "Solution", analysis: "Analysis | None", with_line: bool) -> str:
    """The judge's two lines, then what else was asked for."""
    if solution.exact:
        lines = [str(solution.winner), str(solution.points)]
    elif solution.winner:
        low, high = sorted((abs(solution.lower), abs(solution.upper)))
        lines = [solution.winner, f"{low}..{high}"]
    else:
        lines = ["?", f"{value_text(solution.lower, solution.upper)} for {solution.to_move}"]
    if with_line:
        lines.append("line: " + (" ".join(solution.line) or unproven(solution)))
    if analysis is not None:
        lines += [f"{entry} for {analysis.to_move}" for entry in analysis]
    return "\n".join(lines)
