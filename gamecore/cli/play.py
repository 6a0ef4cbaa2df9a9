"""``gamecore play``: a person against the computer at the terminal, in any of the games."""

import argparse
from typing import TYPE_CHECKING, Any, Final

from gamecore.cli._hearts_rules import add_rules, rules_of
from gamecore.cli.common import OK
from gamecore.cli.hexapawn import start_of
from gamecore.errors import OptionError
from gamecore.limits import Limits
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.cli._play_screen import Screen
    from gamecore.cli._play_table import Opponent, Table

_EPILOG: Final = """\
At the prompt: a move, ? (what each move is worth), hint, undo, flip (change
sides), show, save [FILE], load FILE, new, help, quit. Ctrl-D leaves; the
position is printed then as one line, and POSITION takes it again.

example:
  gamecore play {example}
"""
_OPPONENT: Final = "solver (default: plays perfectly, as far as --time-limit goes), greedy or random"


def register(subparsers: Any) -> None:
    """Add ``gamecore play`` with a subcommand for each game."""
    parser = subparsers.add_parser(
        "play", help="play a game against the computer, in the terminal",
        description="Play a game against the computer, in the terminal.",
        epilog=_EPILOG.format(example="hexapawn --board 4x4"),
    )  # fmt: skip
    parser.set_defaults(run=lambda _: parser.error("one of duel, hexapawn, rows, hearts is needed"))
    games = parser.add_subparsers(dest="game", metavar="GAME", parser_class=type(parser))
    duel = _game(games, "duel", "two open hands: match suit or number", "duel --cards 5 --seed 7", _duel)
    duel.add_argument("--cards", type=int, default=6, metavar="N", help="in a hand of a new deal, 1 to 26 (default 6)")
    hexapawn = _game(games, "hexapawn", "pawns that race", "hexapawn --board 4x4", _hexapawn)
    hexapawn.add_argument("--board", default="4x4", metavar="RxC", help="rows and columns (default 4x4)")
    rows = _game(games, "rows", "take from the ends of a row", "rows --values 10 --seed 7", _rows)
    rows.add_argument("--values", type=int, default=10, metavar="N", help="of a new row, from 1 to 99 (default 10)")
    for game in (duel, hexapawn, rows):
        game.add_argument("--second", action="store_true", help="the other side begins")
    hearts = _game(games, "hearts", "a match against three others", "hearts --seed 7", _hearts)
    hearts.add_argument(
        "--players", nargs="+", metavar="PLAYER",
        help="the three others, from your left: see gamecore hearts --help (default pimc:200)",
    )  # fmt: skip
    hearts.add_argument("--to", type=int, default=100, metavar="POINTS", help="the match ends there (default 100)")
    add_rules(hearts)


def _game(games: Any, name: str, text: str, example: str, run: Any) -> Any:
    game = games.add_parser(
        name, help=text, description=f"Play {name} at the terminal: {text}.", epilog=_EPILOG.format(example=example),
    )  # fmt: skip
    game.add_argument("position", nargs="?", metavar="POSITION", help="begin here: a notation, or a file with one")
    game.add_argument("--opponent", choices=("solver", "greedy", "random"), default=None, help=_OPPONENT)
    game.add_argument("--seed", type=int, metavar="N", help="the same seed, the same deals and moves")
    game.add_argument(
        "--time-limit", type=float, default=2.0, metavar="SECONDS",
        help="most time for a move of the solver, and for advice (default 2)",
    )  # fmt: skip
    game.add_argument("--letters", action="store_true", help="suits as letters, also where there are symbols")
    game.set_defaults(run=_run, table=run)
    return game


def _run(args: argparse.Namespace) -> int:
    from gamecore.cli._play_screen import Screen
    from gamecore.cli._play_session import Session, loaded

    screen = Screen(args.letters)
    table: Table[Any] = args.table(args, screen)
    start = None if args.position is None else loaded(table, args.position)
    Session(table, screen, start).run()
    return OK


def _limits(args: argparse.Namespace) -> Limits:
    return Limits(seconds=args.time_limit)


def _duel(args: argparse.Namespace, screen: "Screen") -> "Table[Any]":
    from gamecore.cli._play_duel import DuelTable

    sides = ("Bob", "Alice") if args.second else ("Alice", "Bob")
    return DuelTable(screen, args.opponent or "solver", _limits(args), args.seed, sides, args.cards)


def _hexapawn(args: argparse.Namespace, screen: "Screen") -> "Table[Any]":
    from gamecore.cli._play_hexapawn import HexapawnTable

    start = start_of(args.board)
    if start is None:
        raise OptionError(f"--board has to be rows x columns, such as 4x4, not {printable(args.board)}")
    sides = ("black", "white") if args.second else ("white", "black")
    opponent: Opponent = args.opponent or "solver"
    return HexapawnTable(screen, opponent, _limits(args), args.seed, sides, start)


def _rows(args: argparse.Namespace, screen: "Screen") -> "Table[Any]":
    from gamecore.cli._play_rows import RowsTable

    if not 1 <= args.values <= 1000:
        raise OptionError(f"--values has to be from 1 to 1000, not {printable(args.values)}")
    return RowsTable(screen, args.opponent or "solver", _limits(args), args.seed, args.values, args.second)


def _hearts(args: argparse.Namespace, screen: "Screen") -> "Table[Any]":
    from gamecore.cli._play_hearts import HeartsTable

    if args.players and args.opponent:
        raise OptionError("--players or --opponent, not both")
    named = {None: "pimc:200", "solver": "solver:200", "greedy": "greedy", "random": "random"}[args.opponent]
    return HeartsTable(screen, args.players or [named] * 3, rules_of(args), _limits(args), args.seed)
