"""``gamecore explore``: the page on which every move shows what it is worth, served to this machine alone."""

import argparse
from typing import Any

from gamecore.cli.common import OK

_GAMES = ("duel", "hexapawn", "rows", "hearts")

_EPILOG = """\
The address that is printed holds a token that is new each time: who does not know it is not answered. A link to a
position works while the server runs. Ctrl-C ends it, searches included.

needs Starlette and uvicorn:  pip install "gamecore[explore]"

examples:
  gamecore explore
  gamecore explore duel DQH2HA:H3D6S3:A:-
  gamecore explore hexapawn 5/pp1pp/PPp2/3P1/4P:w --port 0 --no-browser
  ssh -L 8642:127.0.0.1:8642 HOST          # the page of a server that runs on another machine
"""


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "explore",
        help="a page on which every move of every game shows what it is worth",
        description="Serve a page on this machine: every legal move with its value, lines of play, refutations.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{', '.join(_GAMES)} (default duel; the page has all)")
    parser.add_argument("position", nargs="?", metavar="POSITION", help="a position's notation, shown at first")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="127.0.0.1 (default), ::1 or localhost")
    parser.add_argument(
        "--port", type=int, metavar="N", help="0: any that is free (default: 8642, or any where that is in use)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address, do not open it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from gamecore.explore import serve

    game, position = args.game, args.position
    if game is not None and game not in _GAMES and position is None:  # a position alone says whose it is
        game, position = None, args.game
    serve(
        game,
        position,
        host=args.host,
        port=args.port,
        browser=not args.no_browser,
        say=lambda address: print(f"gamecore explore: {address}", flush=True),
    )
    return OK
