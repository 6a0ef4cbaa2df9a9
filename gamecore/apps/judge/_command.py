"""``gamecore judge``: check a program's answers and measure how its time grows."""

import argparse
import csv
import io
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from gamecore.batch.progress import Line
from gamecore.cli.common import OK, WRONG, Subparsers, complain, output_file, say
from gamecore.draw.plots import saver
from gamecore.errors import OptionError
from gamecore.game import Game
from gamecore.text import counted, printable

if TYPE_CHECKING:
    from gamecore.apps.judge._each import Program
    from gamecore.apps.judge._judge import Case, Report

EPILOG = """\
The program reads one case from stdin and writes its answer to stdout, as
`gamecore GAME FILE` does (rows: with --plain):
  duel      n, a line with each hand     the winner, the points
  hexapawn  rows, columns, the board     the signed distance
  rows      n, a line with the values    my total, the opponent's total
  of kit    MOVER:STATE, such as A:9     the mover's result: A loses in 6 plies

Verdicts: AC accepted, WA wrong answer, PE right words but wrong white space,
TLE more processor time than --time, ILE it waits, MLE more memory than
--memory, RE runtime error. The smallest wrong case is printed with a picture
and best play. --growth takes off the start-up: the time of the smallest case.
Exit status: 0 if every answer is right, 1 if not.

--each runs .py, compiles .c, .cpp and .java with what is installed, and shows
the command; CE: it could not be compiled or started.

examples:
  gamecore judge duel --sizes 1-6 --count 20 -- python3 examples/my_duel.py
  gamecore judge duel --growth --sizes 1-6 -- \\
      python3 examples/my_duel.py
  gamecore judge hexapawn --count 100 --cases boards
  gamecore judge duel --sizes 1-6 --count 20 --each 'examples/my_*.py'
"""


_SIZES: Final = "of the cases: cards, squares, values (default: duel 1-12, hexapawn 4-20, rows 1-40)"


def add_parser(subparsers: "Subparsers", _: object = ()) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "judge",
        help="is my own solver right, where does it break, and how does it scale?",
        description="Run a program on generated cases and compare its answers with the exact solver's.",
        epilog=EPILOG,
        usage="gamecore judge [OPTION ...] GAME -- PROGRAM [ARGUMENT ...]\n       gamecore judge GAME --each FILE ...",
    )
    add = parser.add_argument
    add("game", metavar="GAME", help="duel, hexapawn, rows, or a game of --game")
    text = "of processor time a case (default 1s; growth: 2s)"
    add("--time", dest="seconds", type=_seconds, metavar="TIME", help=text)
    add("--memory", dest="memory_mb", type=float, metavar="MB", help="a case (default 256; growth: 1024)")
    add("--sizes", type=_sizes, metavar="A-B", help=_SIZES)
    add("--count", type=int, metavar="N", help="most cases (default 100); none comes twice")
    add("--family", dest="families", action="append", metavar="NAME", help="only this kind of case; repeatable")
    add("--opponent", metavar="NAME", help="rows: as gamecore rows --help lists them (default: optimal)")
    add("--seed", type=int, default=0, metavar="N", help="of the cases (default 0)")
    add("--each", nargs="+", metavar="FILE", help="many programs, one table: files, or a pattern such as 'subs/*'")
    add("--first", action="store_true", help="stop at a program's first failure")
    text = "go on with further cases: 90s, 10m, 2h, or the first failure"
    add("--for", dest="duration", type=_seconds, metavar="TIME", help=text)
    add("--cases", type=output_file, metavar="DIR", help="folder for the cases: input01.txt, output01.txt, ...")
    add("--growth", action="store_true", help="time by size (many: some of --sizes), with reference versions")
    add("--plot", type=output_file, metavar="FILE", help="with --growth: a .png, .svg or .pdf; needs gamecore[plot]")
    add("--json", action="store_true", help="one JSON object instead")
    add("--csv", action="store_true", help="with --each or --growth: CSV instead")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge a program or many, or write cases."""
    from gamecore.apps import judge as judging
    from gamecore.apps.judge._each import Program, compile_error, files_of, prepared
    from gamecore.apps.judge._growth import YOURS
    from gamecore.apps.judge._judging import judged_game

    game = judged_game(args.game)
    _check(args)
    asked, limits = (
        {name: value for name in names.split() if (value := getattr(args, name)) is not None}
        for names in ("seed sizes families duration count opponent", "seconds memory_mb")
    )
    files = files_of(args.each or ())
    if args.cases is not None:
        judging.write_cases(args.cases, [])  # refused before the work
    cases, passed = [] if args.growth or args.duration else list(judging.cases(game, **asked)), True

    def judged(program: Program) -> judging.Report:
        if program.error:
            return compile_error(game, program, len(cases))
        more = {"first": args.first or args.duration is not None, "shrink": not files, **limits}
        with Line() as line:
            given = _counted(line, program.name, cases or judging.cases(game, **asked), len(cases))
            return judging.judge(game, program.words, given=given, **more)

    with _ending_on_signals(), TemporaryDirectory(prefix="gamecore-judge-") as folder:
        programs = [prepared(file, os.path.join(folder, str(index))) for index, file in enumerate(files)]
        programs += [Program(YOURS, args.program)] if args.program else []
        if args.growth:
            return _growth(args, game, programs, limits)
        if programs:
            passed = _judge(args, programs, judged)
    if args.cases is not None:
        judging.write_cases(args.cases, cases)  # a program that runs could read the answers
    if not programs:
        say(f"{counted(len(cases), 'case')} in {args.cases}")
    return OK if passed else WRONG


def _counted(line: Line, name: str, cases: "Iterable[Case]", total: int) -> "Iterator[Case]":
    """Yield cases; the line shows how many of them a program has got."""
    for number, case in enumerate(cases, start=1):
        line.show(f"{name}: {number}{f' of {total}' if total else ''}")
        yield case


def _check(args: argparse.Namespace) -> None:
    """Raise OptionError unless the options go together."""
    growth, timed, writes = args.growth, args.duration, args.cases is not None
    is_none, runs = not (args.each or args.program), growth or args.json or args.first
    chosen = args.families or args.count is not None or writes
    for is_wrong, message in (
        (args.plot and not growth, "--plot goes with --growth"),
        (growth and chosen, "--count, --family and --cases do not go with --growth, which takes three cases of a size"),
        (growth and (args.first or timed), "--first and --for do not go with --growth"),
        (timed and writes, "--cases does not go with --for, which has no end of cases"),
        (args.csv and (args.json or not (args.each or growth)), "--csv goes with --each or --growth, not with --json"),
        (args.memory_mb is not None and not args.memory_mb > 0, f"--memory must be above 0, not {args.memory_mb}"),
        (args.each and args.program, "--each and a program after -- do not go together"),
        (is_none and (runs or not writes), "a program is needed: gamecore judge GAME -- PROGRAM"),
    ):
        if is_wrong:
            raise OptionError(message)


def _judge(args: argparse.Namespace, programs: "list[Program]", judged: "Callable[[Program], Report]") -> bool:
    """Judge each program and print the report, its row, or all as JSON; return True if all passed."""
    from gamecore.apps.judge import _each as each

    reports, width = [], max(4, *(len(program.name) for program in programs))

    def show(row: Mapping[str, str], why: str = "") -> None:
        say(_csv([row.values()]) if args.csv else f"{each.LINE.format(width=width, **row).rstrip()}\n  {why}".rstrip())

    if args.each and not args.json:
        show({column: column for column in each.COLUMNS})
    for program in programs:
        report = judged(program)
        reports.append(report)
        if not args.json:
            row = each.row(program, report)
            show(row, row["why"]) if args.each else say(str(report))
    if args.json:
        names = ({"name": program.name, "command": program.command} for program in programs)
        table = [name | report.to_dict() for name, report in zip(names, reports, strict=True)]
        say(json.dumps(table if args.each else reports[0].to_dict()))
    return all(report.passed for report in reports)


def _growth(args: argparse.Namespace, game: Game, programs: "list[Program]", limits: dict[str, float]) -> int:
    """Print and plot how the time of the programs grows; return the exit status. Ctrl-C ends the measuring alone.

    It is OK if all passed, and all could be started.
    """
    from gamecore.apps.judge._growth import Scaling, scaling

    options = {"opponent": args.opponent} if args.opponent else {}
    save = saver(args.plot)
    for program in programs:
        if program.error:
            complain(f"gamecore: {program.name}: {program.error}")
    targets = {program.name: program.words for program in programs if not program.error}
    measured = Scaling(game.name, "", [])
    try:
        with Line() as line:
            for measured in scaling(game, targets, sizes=args.sizes, seed=args.seed, **options, **limits):
                last = measured.programs[-1]
                line.show(f"{last.name}: {last.stopped or max(last.times)} {measured.unit}s")
    finally:
        if measured.programs:
            table = _csv(measured.table()) if args.csv else str(measured)
            say(json.dumps(measured.to_dict()) if args.json else table)
            save(measured)
    has_passed = all(mine.passed for mine in measured.programs[: len(targets)]) and len(targets) == len(programs)
    return OK if has_passed else WRONG


def _csv(rows: Iterable[Iterable[str]]) -> str:
    """Return rows as lines of CSV."""
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue().removesuffix("\n")


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


def _sizes(text: str) -> range:
    """Parse sizes such as ``4-12`` or ``7``."""
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text, re.ASCII)
    sizes = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
    if not sizes or sizes[0] < 1:
        raise argparse.ArgumentTypeError(f"must be a number or a range such as 4-12, not {printable(text)}")
    return sizes


def _seconds(text: str) -> float:
    """Parse a time such as ``10m`` or ``1.5``; seconds have ``s`` or no unit."""
    match = re.fullmatch(r"(\d{1,7}(?:\.\d{1,6})?)([smh]?)", text, re.ASCII)
    seconds = float(match[1]) * {"m": 60.0, "h": 3600.0}.get(match[2], 1.0) if match else 0.0
    if not seconds:
        raise argparse.ArgumentTypeError(f"must be a time above 0 such as 1.5, 90s, 10m or 2h, not {printable(text)}")
    return seconds
