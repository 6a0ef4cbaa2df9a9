"""``gamecore play``: play any game against the computer at the terminal."""

import argparse
import textwrap
from collections.abc import Sequence
from functools import partial
from typing import Final

from gamecore.apps.play._session import HELP, Session
from gamecore.cli.common import OK, OneLineParser, Subparsers, add_option, literal, position_of, typed
from gamecore.contract import Playable
from gamecore.errors import OptionError
from gamecore.game import Game, Json, names, options_of
from gamecore.game import game as game_of
from gamecore.limits import Limits
from gamecore.rng import generator

_EPILOG: Final = f"{HELP}\n\nexample:  gamecore play {{}} --seed 7\n"


def add_parser(subparsers: Subparsers, words: Sequence[str] = ()) -> None:
    """Add ``gamecore play`` with a subcommand for each game; only a game of ``words``, if any, is loaded."""
    text, epilog = "play a game against the computer, in the terminal", _EPILOG.format("hexapawn")
    parser = subparsers.add_parser("play", help=text, description=f"{text.capitalize()}.", epilog=epilog)
    parser.set_defaults(run=lambda _: parser.error(f"one of {', '.join(names())} is needed"))
    parts = parser.add_subparsers(dest="game", metavar="GAME", parser_class=type(parser))
    for name in names():
        part = parts.add_parser(name, help=f"play {name} at the terminal", epilog=_EPILOG.format(name))
        if name in words or not words:
            _add_options(part, game_of(name))


def _add_options(command: OneLineParser, game: Game) -> None:
    """Add the options of a game to its subcommand."""
    summary = game.rules.partition("\n")[0]
    command.description = textwrap.fill(f"Play {game.name} at the terminal. {summary}")
    command.add_argument("position", nargs="?", metavar="POSITION", help="start position: its text, or a file with it")
    default, *_ = players = game.players
    titles = literal("; ".join(f"{name}: {player.title}" for name, player in players.items()))
    options = options_of(game.start)
    rows = [choice for option in options if option.name == "opponent" for choice in option.choices]
    command.add_argument(
        "--opponent", choices=tuple(dict.fromkeys((*players, *rows))), default=default, metavar="PLAYER",
        help=f"who plays against you (default {default}). {titles}",
    )  # fmt: skip
    command.add_argument("--seed", type=int, metavar="N", help="the same seed, the same deals and moves")
    command.add_argument(
        "--time-limit", type=float, default=2.0, metavar="SECONDS",
        help="time limit for a solver's move and for advice (default 2)",
    )  # fmt: skip
    command.add_argument("--second", action="store_true", help="play the second side")
    options = tuple(option for option in options if option.name != "opponent")
    for option in options:
        add_option(command, option)
    command.set_defaults(run=lambda args: _run(game, args, typed(args, options)))


def _run(game: Game, args: argparse.Namespace, options: Json) -> int:
    """Play one session; ``options``: of a new game."""
    limits, rng = Limits(seconds=args.time_limit), generator(args.seed)
    if args.opponent not in game.players:  # the opponent of a row, whose moves are best play for both
        if args.position is not None:
            raise OptionError(f"--opponent {args.opponent} is for a new row; a start position says its opponent itself")
        options, args.opponent = options | {"opponent": args.opponent}, next(iter(game.players))

    new = partial(game.start, rng=rng, **options)
    position = new() if args.position is None else position_of(game, args.position)
    session: type[Session[Playable]] = game.part("play") or Session[Playable]
    player, me = game.players[args.opponent], game.sides[1 if args.second else 0]
    session(game, position, me, new, player, limits, rng).run()
    return OK
