"""``gamecore GAME``: positions in, solutions out, for every game."""

import argparse
import functools
import sys
from collections.abc import Iterator
from typing import Any

from gamecore.cli._sources import sources
from gamecore.cli.common import (
    BAD_INPUT,
    INTERRUPTED,
    LIMIT_REACHED,
    OK,
    WRONG,
    add_limit_options,
    as_json,
    complain,
    interruptible,
    limits_of,
    say,
    stats_text,
    unproven,
)
from gamecore.errors import GamecoreError
from gamecore.game import Command, Game
from gamecore.limits import Limits
from gamecore.text import printable


def add(subparsers: Any, game: Game) -> argparse.ArgumentParser:
    """Add the command of a game; one with commands of its own gets a subcommand for each, and ``solve``."""
    solves = f"Solve positions of {game.name} exactly."
    about = game.summary if game.commands else f"{solves} {game.summary}"
    parser: argparse.ArgumentParser = subparsers.add_parser(
        game.name, help=game.summary, description=about, epilog=game.help
    )
    if not game.commands:
        add_arguments(parser, game)
        return parser
    names = ", ".join([*(command.name for command in game.commands), "solve"])
    parser.set_defaults(run=lambda _: parser.error(f"one of {names} is needed"))
    parts = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))
    for command in game.commands:
        _add_command(parts, game, command)
    add_arguments(parts.add_parser("solve", help="positions, exactly", description=solves, epilog=game.help), game)
    return parser


def _add_command(parts: Any, game: Game, command: Command) -> None:
    """Add one of a game's own commands."""
    part = parts.add_parser(
        command.name, help=command.help, description=command.description or None, epilog=command.epilog or game.help
    )
    if command.reads:
        _add_position(part, game)
        add_limit_options(part, None)
    command.add(part)

    def run_command(args: argparse.Namespace) -> int:
        if command.reads:
            args.positions, args.limits = positions_of(game, args), limits_of(args)
        return command.run(args)

    part.set_defaults(run=run_command)


def _add_position(parser: argparse.ArgumentParser, game: Game) -> None:
    parser.add_argument(
        "position", nargs="*", metavar="FILE",
        help=f"files or folders of positions (default: stdin), or one position: {game.notation}",
    )  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser, game: Game) -> None:
    """Add what solving takes in every game, then the game's own options."""
    _add_position(parser, game)
    parser.add_argument("--line", action="store_true", help="also print best play by all sides")
    parser.add_argument("--analyse", action="store_true", help="also print each move with its value, best first")
    parser.add_argument("--draw", action="store_true", help="also draw the position, with what else was asked for")
    parser.add_argument("--json", action="store_true", help="one JSON object for each position instead")
    parser.add_argument("--stats", action="store_true", help="nodes, time and table of each position on stderr")
    if game.threads:
        parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads on one table (default 1)")
    for option in game.text_options:
        option.add_to(parser, f"of texts that do not say it: {option.title.lower()}", None)
    game.add_solve_arguments(parser)
    add_limit_options(parser, game.table_mb)
    parser.set_defaults(run=lambda args: run(game, args), plain=False)


def run(game: Game, args: argparse.Namespace) -> int:
    """Answer position by position; each answer is printed before the next position is read.

    An error in one of several files is reported, and the next file is read.
    """
    limits, solve = limits_of(args), functools.partial(_answer, game, args)
    statuses, checks = {OK}, list[bool]()
    for source in sources(game, args):
        found: list[str] = []
        try:
            for number, position in enumerate(source.positions, start=1):
                label = f"{source.name} ({number})" if source.name and number > 1 else source.name
                status, answer = solve(position, limits, label)
                statuses.add(status)
                found += answer.split()
                if status == INTERRUPTED:
                    return status
        except GamecoreError as error:
            if not source.name:
                raise
            complain(f"gamecore: {source.name}: {error}")
            statuses.add(BAD_INPUT)
            continue
        if source.expected is not None:
            checks.append(source.expected == found)
            if not checks[-1]:
                say(f"{source.name}: expected {printable(' '.join(source.expected), 80)}")
                statuses.add(WRONG)
    if checks:
        print(f"{sum(checks)} of {len(checks)} as expected")
    return next(status for status in (BAD_INPUT, WRONG, LIMIT_REACHED, OK) if status in statuses)


def _answer(game: Game, args: argparse.Namespace, position: Any, limits: Limits, label: str) -> tuple[int, str]:
    """Solve a position and print what was asked for; return the exit status and the judge's answer."""
    options, threads = game.solve_options(args), {"threads": args.threads} if game.threads else {}
    want_line = args.line or args.json or (args.draw and game.draws_line)
    with interruptible() as run:
        solution = game.solve(position, limits, line=want_line, **options, **threads)
        analysis = game.analyse(position, limits, **options) if args.analyse and not run.cancelled else None
    before, after, fields = game.extras(args, position) if not run.cancelled else ([], [], {})
    plain = game.judge_answer(position, solution) if solution.exact else game.answer(solution)
    if args.json:
        print(as_json(position, solution, analysis, **fields), flush=True)
    else:
        lines = [plain if args.plain else game.answer(solution), *_lines(game, args, position, solution, analysis)]
        if label:
            lines[0] = f"{label}: {' '.join(lines[0].splitlines())}"
        say("\n".join([*before, *lines, *after]))
    if args.stats:
        print(stats_text(solution), file=sys.stderr)
    if run.cancelled:
        complain("gamecore: interrupted")
        return INTERRUPTED, ""
    complete = game.is_complete(solution, want_line and not position.is_over)
    if not complete or (analysis is not None and not analysis.exact):
        return LIMIT_REACHED, ""
    return OK, plain


def _lines(game: Game, args: argparse.Namespace, position: Any, solution: Any, analysis: Any) -> Iterator[str]:
    """Yield what was asked for besides the answer. A drawing has the line and moves, unless it always has the line."""
    apart = game.draws_line or not args.draw
    if args.line and apart:
        yield f"line: {_line(position, solution)}"
    if analysis is not None and apart:
        yield from (f"{entry} for {game.whose(analysis.to_move)}" for entry in analysis)
    if args.draw:
        moves = () if apart or analysis is None else analysis
        yield position.draw(moves, solution.line if args.line or game.draws_line else ())


def _line(position: Any, solution: Any) -> str:
    """Return the line of play as text; a dash if the game is over."""
    if solution.line:
        return solution.line if isinstance(solution.line, str) else " ".join(solution.line)
    return "-" if position.is_over else unproven(solution)


def positions_of(game: Game, args: argparse.Namespace) -> Iterator[Any]:
    """Yield the positions that the arguments name; see :func:`gamecore.cli._sources.sources`."""
    for source in sources(game, args):
        yield from source.positions
