"""``gamecore solve-file``: solve a file of positions into a file of answers, which a later run can resume."""

import argparse
import functools
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from gamecore.apps.solve_file._answers import Answers, header_of
from gamecore.apps.solve_file._positions import Input, Read, positions
from gamecore.cli.common import BAD_INPUT, LIMIT_REACHED, OK, add_limit_options, await_input, complain, limits_of
from gamecore.errors import BatchError, GamecoreError, OptionError, ParseError
from gamecore.game import Game, games, guess, options_of, split_lines
from gamecore.game import game as game_of

if TYPE_CHECKING:
    from gamecore.batch.stream import Part, Parts
    from gamecore.limits import Limits

EPILOG = """\
input: judge's texts one after another (duel, hexapawn), one row of numbers a
line (rows), or positions in notation, one a line (all games).

output: JSON lines. The first is a header with the game and all options. Then
one for each position in the order of the input: what `gamecore GAME --json`
prints, with "index" (from 0), "input_line" (from 1) and "key", by which
--resume knows that an answer belongs to this position.

Answers are synced to the disk about twice a second. After a crash or Ctrl-C,
--resume drops a torn last line and continues behind it. Only files of answers
are replaced, by --overwrite, once the first new answers are written.

example:  gamecore solve-file deals.txt -o answers.jsonl --resume
"""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "solve-file",
        help="solve a file of positions on all cores; a killed run can be continued",
        description="Solve every position of a file, on all cores, into a file of JSON lines.",
        epilog=EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="the positions (- for stdin)")
    parser.add_argument("-o", "--output", required=True, metavar="ANSWERS", help="JSON lines, one a position")
    parser.add_argument("--resume", action="store_true", help="continue ANSWERS where it ends, if it exists")
    parser.add_argument("--overwrite", action="store_true", help="begin ANSWERS anew if it exists")
    parser.add_argument("--game", choices=tuple(games()), help="default: guessed from the first lines")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one for each core)")
    parser.add_argument("--no-line", action="store_true", help="leave best moves and lines of play out: quicker")
    parser.add_argument(
        "--on-error", choices=("raise", "return"), default="raise", metavar="HOW",
        help="a bad position: raise (default) stops there; return writes its error as its answer",
    )  # fmt: skip
    group = parser.add_argument_group("what texts do not say")
    for game in games().values():
        for option in options_of(game.parse):
            option.add_to(group, f"{game.name}: {option.title.lower()}")
    limits = add_limit_options(parser, 256)
    limits.add_argument(
        "--total-time", type=float, metavar="SECONDS", help="of the whole run: positions share what is left of it"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, solve and write, chunk by chunk. Nothing is written before the first position has been read."""
    from gamecore.batch import Plan

    if args.resume and args.overwrite:
        raise OptionError("--resume or --overwrite, not both")
    plan = Plan(workers=args.workers, on_error=args.on_error)
    if args.total_time is not None and not args.total_time >= 0:
        raise OptionError(f"--total-time must be at least 0, not {args.total_time}")
    deadline = None if args.total_time is None else time.time() + args.total_time
    limits, line = replace(limits_of(args), deadline=deadline), not args.no_line
    _check_other_file(args.file, args.output)
    if args.file == "-":
        await_input("solve-file", "positions of one game")
    source = Input(args.file)
    game, lines = guess(source.lines()) if args.game is None else (game_of(args.game), source.lines())
    every = {option.name: getattr(args, option.name) for one in games().values() for option in options_of(one.parse)}
    reads = positions(game, lines, {option.name: every[option.name] for option in options_of(game.parse)})
    first = next(reads, None)
    if first is None:
        raise ParseError("no position: the input is empty")
    reads = chain([first], reads)
    header = header_of(game.name, every | {"line": line, "seconds": limits.seconds, "nodes": limits.nodes})
    with Answers(args.output, header, args.resume, args.overwrite) as answers:
        answers.check(reads, args.file)
        before = answers.count
        total = _total(source, game, before, limits)
        parts = functools.partial(game.batch.parts, limits=limits, plan=plan, total=total, line=line)
        solve(parts, lambda part: game.batch.make([part]), reads, answers)
    print(f"{answers.count} answers in {args.output!a}, {answers.count - before} of them new")
    if answers.errors:
        complain(f'gamecore: {answers.errors} of {answers.count} positions are bad: see "error" in {args.output!a}')
        return BAD_INPUT
    return LIMIT_REACHED if answers.bounds else OK


def _check_other_file(source: str, output: str) -> None:
    """Check that input and output are different files, also behind links and stdin.

    Raises:
        GamecoreError: they are the same file.
    """
    same = False
    with suppress(OSError, ValueError, AttributeError):  # a missing file or no real stdin: not the same
        status = os.fstat(sys.stdin.fileno()) if source == "-" else os.stat(source)
        same = os.path.samestat(status, os.stat(output))
    if same:
        raise GamecoreError(f"{output!a} is the input: the answers need a file of their own")


def _total(source: Input, game: Game, before: int, limits: "Limits") -> int | None:
    """Return the number of positions left, if a deadline or a progress bar needs it; None if unknown."""
    if limits.deadline is None and (sys.stderr is None or not sys.stderr.isatty()):
        return None
    with suppress(GamecoreError):  # the solving pass raises it again
        lines = source.again()
        return None if lines is None else sum(1 for _ in split_lines(game, lines)) - before
    return None


def solve(
    parts_of: "Callable[[Iterator[Any]], Parts]",
    answers_of: "Callable[[Part], Any]",
    positions: Iterator[Read],
    answers: Answers,
) -> None:
    """Solve the positions and write their answers.

    Raises:
        BatchError: a bad position, with the number of the last answer written.
    """
    pending: deque[Read] = deque()

    def noted() -> Iterator[Any]:
        for read in positions:
            pending.append(read)
            yield read.position

    skipped = answers.count
    try:
        with closing(parts_of(noted())) as parts:
            for part in parts:
                reads = [pending.popleft() for _ in range(part.count)]
                answers.write(zip(reads, answers_of(part), strict=True))
    except BatchError as error:
        place = f"position {skipped + error.index}"
        text = str(error.__cause__) if isinstance(error.__cause__, GamecoreError) else str(error)
        raise BatchError(f"{place}: {text} ({answers.count} answers are kept)", skipped + error.index) from error
