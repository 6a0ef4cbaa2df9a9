"""``gamecore kit``: build, test and strongly solve a game of your own."""

import argparse
import time
from typing import Any

from gamecore.apps import kit
from gamecore.cli import game_in
from gamecore.cli.common import OK, say
from gamecore.contract import Bounds
from gamecore.errors import OptionError
from gamecore.limits import Limits

MISTAKE = 1  # exit status: the rules have a mistake

EPILOG = """\
A game is one file of Cython: see docs/adding-a-game.md and examples/kit. Other
commands take it with --game:
  gamecore --game examples/kit/tictactoe.pyx play tictactoe

needs Cython and a C compiler:  pip install "gamecore[kit]"

examples:
  gamecore kit build examples/kit/tictactoe.pyx
  gamecore kit test examples/kit/tictactoe.pyx
  gamecore kit solve-all examples/kit/tictactoe.pyx -o tictactoe.table
"""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "kit", help="build, test and solve a game of your own", description=kit.__doc__.splitlines()[0], epilog=EPILOG
    )
    parser.set_defaults(run=lambda _: parser.error("give one of build, test, solve-all"))
    parts = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))
    build = parts.add_parser("build", help="compile it", description="Compile a game.", epilog=EPILOG)
    build.set_defaults(run=_build)
    test = parts.add_parser("test", help="look for mistakes in its rules", description=_about(kit.check), epilog=EPILOG)
    test.add_argument("--seconds", type=float, default=5.0, metavar="SECONDS", help="how long to look (default 5)")
    test.add_argument("--seed", type=int, default=0, metavar="N", help="of the random games (default 0)")
    test.set_defaults(run=_test)
    every = parts.add_parser(
        "solve-all", help="the value of every position, as a file", description=_about(kit.solve_all), epilog=EPILOG
    )
    every.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="output file: the table (examples/kit/probe.py reads it)"
    )
    every.add_argument("--overwrite", action="store_true", help="replace FILE if it is a table already")
    every.add_argument("--table-mb", type=float, metavar="MB", help="memory for all positions (default 512)")
    every.add_argument("--time-limit", type=float, metavar="SECONDS", help="give up after this many seconds")
    every.set_defaults(run=_solve_all)
    for part in (build, test, every):
        part.add_argument("file", metavar="FILE", help="the game: FILE.pyx; for test also FILE.py")


def _about(function: Any) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join(function.__doc__.split("\n\n")[0].split())


def _build(args: argparse.Namespace) -> int:
    begun = time.perf_counter()
    say(f"{kit.build(args.file)} ({time.perf_counter() - begun:.1f} s)")
    return OK


def _game_of(file: str) -> kit.KitGame:
    game = game_in(file)
    if not isinstance(game, kit.KitGame):
        raise OptionError(f"{game.name} is no game of gamecore.apps.kit")
    return game


def _test(args: argparse.Namespace) -> int:
    checked = kit.check(_game_of(args.file), seconds=args.seconds, seed=args.seed)
    say(str(checked))
    return MISTAKE if checked.problem else OK


def _solve_all(args: argparse.Namespace) -> int:
    game, begun = _game_of(args.file), time.perf_counter()
    limits = Limits(args.time_limit, None, args.table_mb)
    header = kit.solve_all(game, args.output, limits, overwrite=args.overwrite)
    value = game.words.short(Bounds(header["value"], header["value"]))
    say(f"{header['positions']} positions in {time.perf_counter() - begun:.1f} s, value of the start: {value}")
    return OK
