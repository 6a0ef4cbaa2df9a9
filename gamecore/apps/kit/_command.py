"""``gamecore kit``: build, test and strongly solve a game of your own."""

import argparse
import time
from typing import Any

from gamecore.apps import kit
from gamecore.apps.kit._check import check_apart
from gamecore.apps.kit._game import checked_game
from gamecore.cli import game_in
from gamecore.cli.common import OK, complain, output_file, say
from gamecore.contract import Bounds
from gamecore.limits import Limits

MISTAKE = 1  # exit status: the rules have a mistake

EPILOG = """\
A game is one file of Cython or Python: see docs/adding-a-game.md and
examples/kit. Other commands take it with --game:
  gamecore --game examples/kit/tictactoe.pyx play tictactoe

.pyx files need Cython and a C compiler:  pip install "gamecore[kit]"

examples:
  gamecore kit build examples/kit/tictactoe.pyx
  gamecore kit test examples/kit/tictactoe.pyx
  gamecore kit solve-all examples/kit/tictactoe.py -o tictactoe.table
  gamecore kit look-up examples/kit/tictactoe.py tictactoe.table A:0,0
  gamecore kit export examples/kit/tictactoe.py tictactoe.table --csv values.csv
"""


def add_parser(subparsers: Any, _: object = ()) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "kit", help="build, test and solve a game of your own", description=kit.__doc__.splitlines()[0], epilog=EPILOG
    )
    parser.set_defaults(run=lambda _: parser.error("give one of build, test, solve-all, export, look-up"))
    parts = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))

    def add(name: str, run: Any, about: str, description: str, file: str = "FILE.pyx or FILE.py") -> Any:
        description = " ".join(description.split("\n\n", maxsplit=1)[0].split())
        part = parts.add_parser(name, help=about, description=description, epilog=EPILOG)
        part.set_defaults(run=run)
        part.add_argument("file", metavar="FILE", help=f"the game: {file}")
        return part

    add("build", _build, "compile it", "Compile a game.", "FILE.pyx")
    part = add("test", _test, "look for mistakes in its rules", str(kit.check.__doc__))
    part.add_argument("--seconds", type=float, default=5.0, metavar="SECONDS", help="how long to look (default 5)")
    part.add_argument("--seed", type=int, default=0, metavar="N", help="of the random games (default 0)")
    part = add("solve-all", _solve_all, "the value of every position, as a file", str(kit.solve_all.__doc__))
    part.add_argument(
        "-o", "--output", type=output_file, required=True, metavar="TABLE", help="output file: the table, for look-up"
    )
    part.add_argument(
        "--csv", type=output_file, metavar="CSV", help="output file as of export; then a TABLE that is there is kept"
    )
    part.add_argument("--overwrite", action="store_true", help="replace TABLE and CSV if they are such files already")
    part.add_argument("--table-mb", type=float, metavar="MB", help="memory for all positions (default 512)")
    part.add_argument("--time-limit", type=float, metavar="SECONDS", help="give up after this many seconds")
    part = add("export", _export, "such a file as CSV", str(kit.Table.export.__doc__))
    part.add_argument("table", metavar="TABLE", help="the file that solve-all wrote")
    part.add_argument(
        "--csv", type=output_file, required=True, metavar="CSV", help="output file: position, value and its words"
    )
    part.add_argument("--overwrite", action="store_true", help="replace CSV if it is such a file already")
    part = add("look-up", _look_up, "values of positions from such a file", "Look up positions of a solve-all table.")
    part.add_argument("table", metavar="TABLE", help="the file that solve-all wrote")
    part.add_argument("positions", nargs="+", metavar="POSITION", help="in the notation MOVER:STATE, or start")


def _game_of(file: str) -> kit.KitGame:
    return checked_game(game_in(file))


def _build(args: argparse.Namespace) -> int:
    begun, module = time.perf_counter(), kit.build(args.file)
    kit.load(args.file)  # says what else is wrong with it
    say(f"{module} ({time.perf_counter() - begun:.1f} s)")
    return OK


def _test(args: argparse.Namespace) -> int:
    game = _game_of(args.file)
    look = kit.check if game.rules_of.solver is None else check_apart
    checked = look(game, seconds=args.seconds, seed=args.seed)
    say(str(checked))
    return MISTAKE if checked.problem else OK


def _solve_all(args: argparse.Namespace) -> int:
    game, begun = _game_of(args.file), time.perf_counter()
    limits = Limits(args.time_limit, None, args.table_mb)
    header = kit.solve_all(game, args.output, limits, csv=args.csv, overwrite=args.overwrite, progress=complain)
    value = game.words.short(Bounds(header["value"], header["value"]))
    say(f"{header['positions']} positions in {time.perf_counter() - begun:.1f} s, value of the start: {value}")
    return OK


def _export(args: argparse.Namespace) -> int:
    table = kit.Table(_game_of(args.file), args.table)
    table.export(args.csv, overwrite=args.overwrite, progress=complain)
    say(f"{table.header['positions']} positions")
    return OK


def _look_up(args: argparse.Namespace) -> int:
    game = _game_of(args.file)
    table = kit.Table(game, args.table)
    for position in map(game.parse, args.positions):
        value = table.value(position)
        say(f"{position.to_text()} {game.words.side(position)} {game.words.value(Bounds(value, value), position)}")
    return OK
