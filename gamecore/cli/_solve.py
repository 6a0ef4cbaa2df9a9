"""``gamecore GAME``: positions in, solutions out, for every game."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from inspect import signature
from itertools import islice
from typing import Final

from gamecore.cli import common
from gamecore.cli._sources import Source, sources
from gamecore.cli.common import BAD_INPUT, INTERRUPTED, LIMIT_REACHED, OK, WRONG, Subparsers
from gamecore.cli.games import AnyCommand, command_of
from gamecore.contract import Analysis, MoveValue, Playable, Solution
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.files import check_writable
from gamecore.game import Game, Json, options_of
from gamecore.limits import Limits
from gamecore.reference import version_of
from gamecore.text import counted, printable

_FLAGS: Final = {
    "--line": "also print best play by all sides",
    "--analyse": "also print each move with its value, best first",
    "--draw": "also draw the position, with what else was asked for",
    "--json": "one JSON object for each position instead, with its line of play",
    "--stats": "nodes, time and table of each position on stderr",
}
_TRACE: Final = "also print the calls of one of the sources' versions (of small positions): a wrong name lists them"
_QUESTION: Final = "distance or outcome (default distance); outcome: only who wins, which is quicker to find"


def add(subparsers: Subparsers, game: Game) -> None:
    """Add the command of a game; one with subcommands gets a parser for each, and ``solve``."""
    command = command_of(game)
    solves, summary = f"Solve positions of {game.name} exactly.", game.rules.partition("\n")[0]
    about = summary if command.subcommands else f"{solves} {summary}"
    parser = subparsers.add_parser(game.name, help=common.literal(summary), description=about, epilog=command.help)
    if command.subcommands:
        parts = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))
        parser.set_defaults(run=lambda _, fail=parser.error: fail(f"one of {', '.join(parts.choices)} is needed"))
        for name, title, add_to in command.subcommands:
            add_to(parts.add_parser(name, help=title, epilog=command.help))
        parser = parts.add_parser("solve", help="positions, exactly", description=solves, epilog=command.help)
    common.add_positions(parser, command.accepts[0])
    for name, text in _FLAGS.items():
        parser.add_argument(name, action="store_true", help=text)
    if game.part("reference") is not None:
        parser.add_argument("--trace", metavar="VERSION", help=_TRACE)
    text = f"with {_pictures(command)}: write that picture to a .svg, .png or .pdf file, also over an older one"
    parser.add_argument("-o", "--output", type=common.output_file, metavar="FILE", help=text)
    if "threads" in command.asks:
        parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads on one table (default 1)")
    if "question" in command.asks:
        parser.add_argument("--question", default="distance", metavar="WHAT", help=_QUESTION)
    for option in options_of(game.parse):
        common.add_option(parser, option, "of texts that do not say it: ")
    command.add_arguments(parser)
    common.add_limit_options(parser, command.table_mb)
    parser.set_defaults(run=lambda args: run(command, args), plain=False, trace=None, question="distance")


def _pictures(command: AnyCommand) -> str:
    return " or ".join(f"--{name}" for name in command.pictures)


def run(command: AnyCommand, args: Namespace) -> int:
    """Answer position by position; each answer is printed before the next position is read.

    An error ends its file; it is reported, and the next file is read.
    """
    limits, statuses, checks = common.limits_of(args), {OK}, list[bool]()
    _check(command, args)
    places: Iterable[Source[Playable]] = sources(command, args)
    if args.output is not None:
        places = [(name, list(islice(positions, 2)), expected) for name, positions, expected in places]
        if len([position for _, positions, _ in places for position in positions]) > 1:
            raise GamecoreError(f"--output {printable(args.output, 80)} takes one picture: here are several positions")
    for name, positions, expected in places:
        words, number, is_proven = list[str](), 0, True
        if expected is not None and args.question == "outcome":
            raise OptionError(f"--question outcome finds no values: {printable(name, 80)} has an output to compare")
        try:
            for number, position in enumerate(positions, start=1):
                label = f"{name} ({number})" if name and number > 1 else name
                status, answer = _answer(command, args, position, limits, label)
                statuses.add(status)
                words += answer.split()
                is_proven &= status != LIMIT_REACHED
                if status == INTERRUPTED:
                    return status
        except GamecoreError as error:
            unread = "; what follows it was not read" if number and isinstance(error, ParseError) else ""
            if not name and not unread:
                raise
            common.complain(f"gamecore: {name and name + ': '}{error}{unread}")
            statuses.add(BAD_INPUT)
            continue
        if expected is not None:
            checks.append(is_proven and expected == words)
            if not is_proven:
                common.say(f"{name}: not proven")
            elif not checks[-1]:
                common.say(f"{name}: expected {printable(' '.join(expected), 80)}")
                statuses.add(WRONG)
    if checks:
        print(f"{sum(checks)} of {len(checks)} as expected")
    return next(status for status in (BAD_INPUT, WRONG, LIMIT_REACHED, OK) if status in statuses)


def _check(command: AnyCommand, args: Namespace) -> None:
    """Raise GamecoreError for options that exclude each other, or an output that cannot be written."""
    for name in ("line", "analyse", "output"):
        if args.question == "outcome" and getattr(args, name):
            raise OptionError(f"--question outcome has no --{name}: it finds who wins, and no moves")
    if args.line and vars(args).get("method") == "paranoid":
        raise OptionError("--method paranoid has no --line: it finds a value and a card, and no line")
    if args.output is not None:
        from gamecore.draw.picture import converter

        if sum(getattr(args, name) not in (None, False) for name in command.pictures) != 1:
            raise OptionError(f"--output FILE needs exactly one of {_pictures(command)}")
        converter(args.output)
        check_writable(args.output, (b"<svg", b"\x89PNG", b"%PDF"))


def _answer(command: AnyCommand, args: Namespace, position: Playable, limits: Limits, label: str) -> tuple[int, str]:
    """Solve a position and print what was asked for; return the exit status and the judge's answer."""
    game = command.game

    def options(function: Callable[..., object]) -> Json:
        return {name: getattr(args, name) for name in command.asks & {*signature(function).parameters} if name in args}

    want_line = (args.line or args.json or (args.draw and command.draws_line)) and args.question != "outcome"
    version = None if args.trace is None else version_of(position, args.trace)
    with common.interruptible() as run:
        solution = game.solve(position, limits, line=want_line, **options(game.solve))
        analysis = (
            game.analyse(position, limits, **options(game.analyse)) if args.analyse and not run.cancelled else None
        )
    more, fields = command.extras(args, position) if not run.cancelled else ([], {})
    answer = command.answer(position, solution)
    plain = command.judge_answer(position, solution) if solution.exact else answer
    if args.json:
        moves = {} if analysis is None else {"moves": [entry.to_dict() for entry in analysis]}
        print(json.dumps({"position": position.to_text(), **solution.to_dict(), **moves, **fields}), flush=True)
    else:
        lines = [plain if args.plain else answer, *_lines(command, args, position, solution, analysis)]
        if label:
            lines[0] = f"{label}: {' '.join(lines[0].splitlines())}"
        traced = [] if version is None else [version.trace().picture().text()]
        common.say("\n".join([*lines, *more, *traced]))
    if args.output is not None and not run.cancelled:
        shown = solution.line if want_line else ()
        picture = version.trace().picture() if version else command.picture(args, position, analysis or (), shown)
        picture.save(args.output)
    if args.stats:
        cost = f"{solution.seconds * 1e3:.2f} ms, {solution.seconds * 1e9 / max(1, solution.nodes):.0f} ns a node"
        table = f"table {solution.table_bytes / (1 << 20):.3g} MiB"
        print(f"{counted(solution.nodes, 'node')}, {cost}, {table}", file=sys.stderr)
    if run.cancelled:
        common.complain("gamecore: interrupted")
        return INTERRUPTED, ""
    complete = command.is_complete(solution, want_line and not position.is_over)
    if not complete or (analysis is not None and not analysis.exact):
        return LIMIT_REACHED, ""
    return OK, plain


def _lines(
    command: AnyCommand,
    args: Namespace,
    position: Playable,
    solution: Solution[float, object],
    analysis: Analysis[MoveValue[float], object] | None,
) -> Iterator[str]:
    """Yield what was asked for besides the answer. A drawing has the line and moves, unless it always has the line."""
    apart = command.draws_line or not args.draw
    if args.line and apart:
        line = solution.line if isinstance(solution.line, str) else " ".join(solution.line)
        so_far = "" if solution.best_so_far is None else f" (best so far {solution.best_so_far}, not proven)"
        yield f"line: {line or ('-' if position.is_over else f'?{so_far}')}"  # ?: a limit cut it off
    if analysis is not None and apart:
        yield from (f"{entry} for {command.game.words.name(analysis.to_move)}" for entry in analysis)
    if args.draw:
        moves = () if apart or analysis is None else analysis
        yield position.draw(moves, solution.line if args.line or command.draws_line else ())
