"""``gamecore GAME``: positions in, solutions out, for every game."""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from gamecore.cli.common import (
    LIMIT_REACHED,
    OK,
    add_limit_options,
    as_json,
    is_file,
    limits_of,
    parsed,
    read_lines,
    read_text,
    stats_text,
    unproven,
)
from gamecore.errors import OptionError, ParseError
from gamecore.game import Command, Game


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
        "position", nargs="*", metavar="FILE", help=f"a file (default: stdin), or one position: {game.notation}"
    )


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
    parser.set_defaults(run=lambda args: run(game, args))


def run(game: Game, args: argparse.Namespace) -> int:
    """Answer position by position; each answer is printed before the next position is read."""
    limits, status, options = limits_of(args), OK, game.solve_options(args)
    threads = {"threads": args.threads} if game.threads else {}
    for position in positions_of(game, args):
        want_line = args.line or args.json or (args.draw and game.draws_line)
        solution = game.solve(position, limits, line=want_line, **options, **threads)
        analysis = game.analyse(position, limits, **options) if args.analyse else None
        before, after, fields = game.extras(args, position)
        if args.json:
            print(as_json(position, solution, analysis, **fields), flush=True)
        else:
            print("\n".join([*before, *_lines(game, args, position, solution, analysis), *after]), flush=True)
        if args.stats:
            print(stats_text(solution), file=sys.stderr)
        complete = game.is_complete(solution, want_line and not position.is_over)
        if not complete or (analysis is not None and not analysis.exact):
            status = LIMIT_REACHED
    return status


def _lines(game: Game, args: argparse.Namespace, position: Any, solution: Any, analysis: Any) -> Iterator[str]:
    """Yield the answer and what else was asked for. A drawing carries line and moves, unless it always has the line."""
    yield game.answer(solution)
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
    """Yield the positions that the arguments name.

    Raises:
        GamecoreError: bad options, or a file that cannot be read. ParseError: a bad text, or none.
    """
    words: list[str] = args.position
    chosen = {option.name: getattr(args, option.name) for option in game.text_options}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    special = game.from_options(args, chosen)
    if special is not None:
        if words:
            raise OptionError("give a FILE or a start position by options, not both")
        yield special
        return
    if len(words) > 1 and not game.text_is_words:
        raise OptionError(f"one FILE or position, not {len(words)}")
    word = " ".join(words) or "-"
    if not is_file(word):
        yield game.parse(word, **chosen) if game.text_is_words else parsed(game, word, **chosen)
    elif game.text_is_words:
        loaded = game.load(word, **chosen) if word != "-" else None
        yield loaded if loaded is not None else game.parse(read_text(word), **chosen)
    else:
        position = None
        for position in game.read_many(read_lines(word), **chosen):
            yield position
        if position is None:
            raise ParseError("no position: the input is empty")
