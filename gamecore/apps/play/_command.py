"""``gamecore play``: play any game against the computer at the terminal."""

import argparse
from typing import Any, Final

from gamecore.cli.common import OK
from gamecore.game import Game, games
from gamecore.limits import Limits
from gamecore.rng import generator

_EPILOG: Final = """\
At the prompt: a move, ? (what each move is worth), hint, rules, undo, flip
(change sides), show, save [FILE], load FILE, new, help, quit. Ctrl-D leaves.
On leaving, the position is printed as one line, to pass as POSITION. In hearts
only save prints it, because it shows all hands.

example:
  gamecore play {game} --seed 7
"""


def add_parser(subparsers: Any) -> None:
    """Add ``gamecore play`` with a subcommand for each game."""
    parser = subparsers.add_parser(
        "play", help="play a game against the computer, in the terminal",
        description="Play a game against the computer, in the terminal.", epilog=_EPILOG.format(game="hexapawn"),
    )  # fmt: skip
    known = games()
    parser.set_defaults(run=lambda _: parser.error(f"one of {', '.join(known)} is needed"))
    names = parser.add_subparsers(dest="game", metavar="GAME", parser_class=type(parser))
    for game in known.values():
        _add(names, game)


def _add(names: Any, game: Game) -> None:
    """Add the subcommand of a game."""
    players, summary = game.players, game.rules.partition("\n")[0]
    what = "; ".join(f"{name}: {player.title}" for name, player in players.items())
    default = next(iter(players))
    command = names.add_parser(
        game.name, help=summary, description=f"Play {game.name} at the terminal. {summary}",
        epilog=_EPILOG.format(game=game.name),
    )  # fmt: skip
    command.add_argument("position", nargs="?", metavar="POSITION", help="start position: a notation or its file")
    if len(game.sides) == 2:
        command.add_argument(
            "--opponent",
            choices=tuple(players),
            metavar="PLAYER",
            help=f"who plays against you (default {default}). {what}",
        )
    command.add_argument("--seed", type=int, metavar="N", help="the same seed, the same deals and moves")
    command.add_argument(
        "--time-limit", type=float, default=2.0, metavar="SECONDS",
        help="time limit for a solver's move and for advice (default 2)",
    )  # fmt: skip
    command.add_argument("--second", action="store_true", help="the other side begins")
    game.add_arguments(command)
    command.set_defaults(run=lambda args: _run(game, args))


def _run(game: Game, args: argparse.Namespace) -> int:
    from gamecore.apps.play._screen import Screen
    from gamecore.apps.play._session import Session, loaded

    screen = Screen()
    limits, rng = Limits(seconds=args.time_limit), generator(args.seed)
    start = None if args.position is None else loaded(game, args.position)
    first = game.start_of(args, rng) if start is None else start

    def new(number: int) -> Any:
        return first if number == 0 and start is None else game.start_of(args, rng)

    kind = type(first.to_move)
    sides = [kind(side) for side in game.sides]
    me = sides[1] if args.second else sides[0]
    others = game.opponents_of(args, [side for side in sides if side != me])
    Session(game, screen, new, me, others, limits, rng, start).run()
    return OK
