"""``gamecore explore``: serve a local page that shows the value of every move."""

import argparse
from contextlib import suppress

from gamecore.cli.common import OK, Subparsers
from gamecore.game import games, names

_EPILOG = """\
The printed address contains a new random token; the server rejects requests
without it. Links to positions work while the server runs. Ctrl-C stops the
server and its searches.

needs Starlette, uvicorn and segno:  pip install "gamecore[explore]"

examples:
  gamecore explore
  gamecore explore duel DQH2HA:H3D6S3:A:-
  gamecore explore hexapawn 5/pp1pp/PPp2/3P1/4P:w --port 0 --no-browser
  gamecore explore --lan                   # for the people in one room
  ssh -L 8642:127.0.0.1:8642 HOST          # view a server on another machine
"""


def add_parser(subparsers: Subparsers, _: object = ()) -> None:
    """Add the subcommand."""
    text = "a local page that shows the value of every move"
    about = "Serve a page on this machine: every legal move with its value, lines of play, refutations."
    parser = subparsers.add_parser("explore", help=text, description=about, epilog=_EPILOG)
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{', '.join(names())} (default duel)")
    parser.add_argument("position", nargs="?", metavar="POSITION", help="a position's notation, shown at first")
    own = "with --lan this machine's address in its network (default: looked up)"
    parser.add_argument("--host", metavar="ADDRESS", help=f"127.0.0.1 (default), ::1 or localhost; {own}")
    lan = "serve the people in one room: prints the address with its token, also as a QR code"
    parser.add_argument("--lan", action="store_true", help=lan)
    ports = "0: any free port (default: 8642, or any free port if it is in use)"
    parser.add_argument("--port", type=int, metavar="N", help=ports)
    parser.add_argument("--no-browser", action="store_true", help="print the address, do not open it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from gamecore.apps.explore import serve

    game, position = args.game, args.position
    if game is not None and game not in games() and position is None and not game.isidentifier():
        # Without a game: guess it from the position.
        game, position = None, args.game

    def say(text: str) -> None:
        with suppress(UnicodeEncodeError):
            print(f"gamecore explore: {text}", flush=True)
            return
        print(*("gamecore explore:", *filter(str.isascii, text.split("\n"))), flush=True)  # no blocks for the code

    serve(game, position, host=args.host, port=args.port, browser=not args.no_browser, lan=args.lan, say=say)
    return OK
