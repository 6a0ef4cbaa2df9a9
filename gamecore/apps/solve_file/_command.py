"""``gamecore solve-file``: solve a file of positions into a file of answers, which a later run can resume."""

import argparse
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain, pairwise
from typing import Any, Final

from gamecore.apps.solve_file._answers import Answers, Item
from gamecore.cli import common
from gamecore.cli.common import Subparsers
from gamecore.contract import Playable
from gamecore.errors import BatchError, GamecoreError, OptionError, ParseError
from gamecore.game import Game, Json, Lines, Option, checked, guess, names, options_of
from gamecore.game import game as game_of
from gamecore.limits import Limits
from gamecore.text import counted

_EPILOG: Final = """\
input: judge's texts one after another (duel, hexapawn), one row of numbers a
line (rows), or positions in notation, one a line (all games).

output: JSON lines: a header with the game and the options, then for each
position what `gamecore GAME --json` prints, with "index" (from 0),
"input_line" (from 1) and "key", by which --resume recognises the position.

example:  gamecore solve-file deals.txt -o answers.jsonl --resume
"""


def add_parser(subparsers: Subparsers, words: Sequence[str] = ()) -> None:
    """Add the subcommand, with options of the games' texts: for a help, of the game that ``--game`` names alone."""
    about = "solve a file of positions on all cores; a killed run can be continued"
    description = about.capitalize() + "."
    parser = subparsers.add_parser("solve-file", help=about, description=description, epilog=_EPILOG)
    parser.set_defaults(run=run)
    parser.add_argument("file", metavar="FILE", help="the positions (- for stdin)")
    parser.add_argument(
        "-o", "--output", type=common.output_file, required=True, metavar="ANSWERS", help="JSON lines, one a position"
    )
    parser.add_argument("--resume", action="store_true", help="continue ANSWERS where it ends, if it exists")
    parser.add_argument("--overwrite", action="store_true", help="begin ANSWERS anew if it exists")
    parser.add_argument("--game", choices=names(), help="default: guessed from the first lines")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one for each core)")
    parser.add_argument("--no-line", action="store_true", help="leave best moves and lines of play out: quicker")
    parser.add_argument(
        "--on-error", choices=("raise", "return"), default="raise", metavar="HOW",
        help="a bad position: raise (default) stops there; return: its answer is its error, unless a count is bad",
    )  # fmt: skip
    named = [name for name in names() if f"--game={name}" in words or ("--game", name) in pairwise(words)]
    asked = named or names() * (not {"-h", "--help"} & {*words} and bool(words))
    options = dict[str, tuple[str, Option]]()
    for name in asked:
        for option in options_of(game_of(name).parse):
            options.setdefault(option.name, (name, option))  # games may share an option
    if options or not named:
        group = parser.add_argument_group("what texts do not say", "--game NAME --help shows the options of a game")
    for name, option in options.values():
        common.add_option(group, option, f"{name}: ")
    limits = common.add_limit_options(parser, 256)
    limits.add_argument(
        "--total-time", type=float, metavar="SECONDS",
        help="of the whole run: positions, which are all read first, share what is left of it",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Read, solve and write. Nothing is written before the first answer."""
    if args.resume and args.overwrite:
        raise OptionError("--resume or --overwrite, not both")
    if args.total_time is not None and not args.total_time >= 0:
        raise OptionError(f"--total-time must be at least 0, not {args.total_time}")
    deadline = None if args.total_time is None else time.time() + args.total_time
    limits, line = replace(common.limits_of(args), deadline=deadline), not args.no_line
    if args.file == "-":
        common.await_input("solve-file", "positions of one game")
    lines: Lines = enumerate((line.removesuffix("\r") for line in common.read_lines(args.file)), start=1)
    game, lines = guess(lines) if args.game is None else (game_of(args.game), lines)
    accepted = options_of(game.parse)
    typed = common.typed(args, accepted)
    items = _items(game, lines, typed)
    first = next(items, None)
    if first is None:
        raise ParseError("no position: the input is empty")
    items = chain([first], items)
    settings = checked(typed, accepted) | {"line": line, "seconds": limits.seconds, "nodes": limits.nodes}
    about = {"game": game.name, "rules": game.part("solve_file")}
    with Answers(args.output, about, settings, args.resume, args.overwrite) as answers:
        answers.check(items, args.file)
        before = answers.count
        _solve(game, items, answers, limits, workers=args.workers, on_error=args.on_error, line=line)
    print(f"{counted(answers.count, 'answer')} in {args.output!a}, {answers.count - before} of them new")
    if answers.errors:
        common.complain(
            f'gamecore: {answers.errors} of {answers.count} positions are bad: see "error" in {args.output!a}'
        )
        return common.BAD_INPUT
    return common.LIMIT_REACHED if answers.bounds else common.OK


def _solve(game: Game, items: Iterable[Item], answers: Answers, limits: Limits, **options: Any) -> None:
    """Solve the positions and write their answers; the error of a bad one names its number in the file."""
    pending: deque[Item] = deque()
    skipped = answers.count

    def positions() -> Iterator[object]:
        for item in items:
            pending.append(item)
            yield item.position

    try:
        batch = positions() if limits.deadline is None else list(positions())  # a deadline is shared by all of a list
        for answer in game.batch.solve_iter(batch, limits, **options):
            answers.write(pending.popleft(), answer)
    except BatchError as error:
        text = str(error.__cause__) if isinstance(error.__cause__, GamecoreError) else str(error)
        is_lost = options["on_error"] == "return" and isinstance(error.__cause__, ParseError)
        text += "; behind a bad count no position can be found" if is_lost else ""
        place = skipped + error.index
        raise BatchError(f"position {place}: {text} (kept: {counted(answers.count, 'answer')})", place) from error


def _items(game: Game, lines: Lines, options: Json) -> Iterator[Item]:
    """Yield the items of a file; the position of a bad one is an error that names the line of the file."""
    for index, (number, text) in enumerate(game.Position.split_lines(lines)):
        position: Playable | GamecoreError
        try:
            position = game.parse(text, **options)
        except GamecoreError as error:
            position = error.moved(number) if isinstance(error, ParseError) else ParseError(str(error), number)
        key = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        yield Item(index, number, key, position)
