"""``gamecore GAME``: positions in, solutions out, for every game."""

import argparse
import os
import sys
from collections.abc import Iterator
from typing import Any

from gamecore.cli.common import (
    LIMIT_REACHED,
    OK,
    add_limit_options,
    as_json,
    limits_of,
    read_lines,
    read_text,
    stats_text,
    unproven,
)
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.game import Game
from gamecore.text import SEPARATOR, printable


def add(subparsers: Any, game: Game) -> argparse.ArgumentParser:
    """Add the command of a game."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        game.name, help=game.summary, description=f"Solve positions of {game.name} exactly. {game.summary}",
        epilog=game.help,
    )  # fmt: skip
    add_arguments(parser, game)
    parser.set_defaults(run=lambda args: run(game, args))
    return parser


def add_arguments(parser: argparse.ArgumentParser, game: Game) -> None:
    """Add what every game's command takes, then the game's own options."""
    parser.add_argument(
        "position", nargs="*", metavar="FILE", help=f"a file (default: stdin), or one position: {game.notation}"
    )
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


def run(game: Game, args: argparse.Namespace) -> int:
    """Answer position by position; each answer is printed before the next position is read."""
    limits, status, count = limits_of(args), OK, 0
    options = game.solve_options(args) | ({"threads": args.threads} if game.threads else {})
    for position in positions_of(game, args):
        count += 1
        want_line = args.line or args.json or (args.draw and game.draws_line)
        solution = game.solve(position, limits, line=want_line, **options)
        analysis = game.analyse(position, limits) if args.analyse else None
        before, after, fields = game.extras(args, position)
        if args.json:
            print(as_json(position, solution, analysis, **fields), flush=True)
        else:
            print("\n".join([*before, *_lines(game, args, position, solution, analysis), *after]), flush=True)
        if args.stats:
            print(stats_text(solution), file=sys.stderr)
        missing = want_line and not solution.line and not position.is_over
        if not solution.exact or missing or (analysis is not None and not analysis.exact):
            status = LIMIT_REACHED
    if not count:
        raise ParseError("no position: the input is empty")
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
        GamecoreError: bad options, or a file that cannot be read. ParseError: a bad text.
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
    is_file = word == "-" or os.path.isfile(word) or (SEPARATOR not in word and os.path.exists(word))
    if is_file and game.text_is_words:
        loaded = game.load(word, **chosen) if word != "-" else None
        yield loaded if loaded is not None else _parsed(game, read_text(word), chosen)
    elif is_file:
        yield from game.read_many(read_lines(word), **chosen)
    elif SEPARATOR in word or game.text_is_words:
        yield _parsed(game, word, chosen)
    else:
        raise GamecoreError(f"{printable(word, 80)} is neither a file nor a position's notation")


def _parsed(game: Game, text: str, chosen: dict[str, Any]) -> Any:
    return game.parse(text, **chosen)
