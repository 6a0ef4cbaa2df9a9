"""``gamecore judge``: check a program's answers and measure how its time grows."""

import argparse
import json
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from gamecore.cli.common import OK, WRONG, say
from gamecore.draw.plots import saver
from gamecore.errors import OptionError
from gamecore.game import game as game_of
from gamecore.text import printable

_LARGEST_SIZE: Final = 4000

EPILOG = """\
The program reads one case from stdin and writes its answer to stdout, as
`gamecore GAME FILE` does:
  duel      n, a line with each hand     the winner, the points
  hexapawn  rows, columns, the board     the signed distance
  rows      n, a line with the values    my total, the opponent's total
  of kit    MOVER:STATE, such as A:9     the mover's result: A loses in 6 plies

Verdicts: AC accepted, WA wrong answer, PE right words but wrong white space,
TLE more processor time than --time, ILE it waits, MLE more memory than
--memory, RE runtime error. The smallest wrong case is printed with a picture
and best play. --growth takes off the start-up: the time of the smallest case.
Exit status: 0 if every answer is right, 1 if not.

examples:
  gamecore judge duel --sizes 1-6 --count 20 -- python3 examples/my_duel.py
  gamecore judge duel --growth --sizes 1-6 -- \\
      python3 examples/my_duel.py
  gamecore judge hexapawn --count 100 --cases boards
"""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "judge",
        help="is my own solver right, where does it break, and how does it scale?",
        description="Run a program on generated cases and compare its answers with the exact solver's.",
        epilog=EPILOG,
        usage="gamecore judge [OPTION ...] GAME -- PROGRAM [ARGUMENT ...]",
    )
    add = parser.add_argument
    add("game", metavar="GAME", help="duel, hexapawn, rows, or a game of --game")
    add("--time", type=float, metavar="SECONDS", help="of processor time a case (default 1; growth: 2)")
    add("--memory", type=float, metavar="MB", help="a case (default 256; growth: 1024)")
    add("--sizes", metavar="A-B", help="sizes of the cases (default: the game's)")
    add("--count", type=int, metavar="N", help="most cases (default 100); none comes twice")
    add("--family", action="append", default=[], metavar="NAME", help="only this kind of case; repeatable")
    add("--opponent", metavar="NAME", help="rows: optimal (default), greedy or cooperative")
    add("--seed", type=int, default=0, metavar="N", help="of the cases (default 0)")
    add("--cases", metavar="DIR", help="folder for the cases: input001.txt, output001.txt, ...")
    add("--growth", action="store_true", help="time by size, compared with reference versions")
    add("--plot", metavar="FILE", help="with --growth: a plot (PNG, SVG or PDF; needs gamecore[plot])")
    add("--json", action="store_true", help="one JSON object instead")
    add("loose", nargs="*", default=[], help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge a program, or write cases."""
    from gamecore.apps import judge as judging

    game, sizes = game_of(args.game), _sizes(args.sizes)
    if args.loose:
        raise OptionError(f"write -- before a program: gamecore judge {args.game} -- {printable(args.loose[0])}")
    if args.plot and not args.growth:
        raise OptionError("--plot goes with --growth")
    if args.growth and (args.family or args.count is not None or args.cases is not None):
        raise OptionError("--count, --family and --cases do not go with --growth, which takes three cases of each size")
    for name in ("time", "memory"):
        if (limit := getattr(args, name)) is not None and not limit > 0:
            raise OptionError(f"--{name} must be above 0, not {limit:g}")
    options: Any = {"seed": args.seed, "sizes": sizes} | ({"opponent": args.opponent} if args.opponent else {})
    asked: Any = {"families": args.family} | ({} if args.count is None else {"count": args.count})
    if not args.program and args.cases is None:
        raise OptionError("a program is needed: gamecore judge GAME -- PROGRAM")
    if args.cases is not None:
        judging.checked_folder(args.cases)
    cases = [] if args.growth else list(judging.cases(game, **asked, **options))
    if not args.program:
        judging.write_cases(args.cases, cases)
        say(f"{len(cases)} cases in {args.cases}")
        return OK
    limits: Any = {"seconds": args.time, "memory_mb": args.memory}
    limits = {name: value for name, value in limits.items() if value is not None}
    save = saver(args.plot)
    with _ending_on_signals():
        if args.growth:
            result: Any = judging.scaling(game, args.program, **options, **limits)
        else:
            result = judging.judge_cases(game, args.program, cases, **limits)
    if args.cases is not None:  # a program that runs could read the answers
        judging.write_cases(args.cases, cases)
    say(json.dumps(result.to_dict()) if args.json else str(result))
    save(result)
    return OK if (result.programs[0].wrong is None if args.growth else result.passed) else WRONG


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """While active, SIGTERM and SIGHUP raise SystemExit, so that the program is killed as it is by Ctrl-C."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    taken = [number for number in numbers if is_main and signal.getsignal(number) == signal.SIG_DFL]  # as nohup's not
    for number in taken:
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _sizes(text: str | None) -> range | None:
    """Parse sizes such as ``4-12`` or ``7``."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text, re.ASCII)
    sizes = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
    if not sizes or sizes[0] < 1 or sizes[-1] > _LARGEST_SIZE:
        form = f"a number or a range from 1 to {_LARGEST_SIZE} such as 4-12"
        raise OptionError(f"--sizes must be {form}, not {printable(text)}")
    return sizes
