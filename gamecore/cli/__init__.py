"""The ``gamecore`` command: one small file per game, each with ``register(subparsers)``.

Exit status: 0 solved, 2 bad input (one line on stderr), 3 a limit was reached and bounds were printed,
130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from gamecore._dispatch import build_info
from gamecore._version import __version__
from gamecore.cli.common import BAD_INPUT, INTERRUPTED, OneLineParser
from gamecore.errors import GamecoreError

COMMANDS = ("duel", "hearts", "hexapawn", "rows", "bench_plot")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command with every subcommand."""
    parser = OneLineParser(
        prog="gamecore",
        description="Exact solvers and playout engines for small card and board games.",
        epilog="example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore duel --line",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gamecore {__version__}")
    parser.add_argument("--build-info", action="store_true", help="compiler, CPU level and versions, for bug reports")
    subparsers = parser.add_subparsers(dest="command", metavar="GAME", parser_class=OneLineParser)
    for name in COMMANDS:
        import_module(f"gamecore.cli.{name}").register(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with ``argv`` (default: the process's own) and return its exit status."""
    parser = build_parser()
    try:
        args = parser.parse_args(argv)
        if args.build_info:
            print(build_info())
            return 0
        if args.command is None:
            parser.print_help()
            return 0
        status: int = args.run(args)
        sys.stdout.flush()
    except GamecoreError as error:
        sys.stdout.flush()
        print(f"gamecore: {error}", file=sys.stderr)
        return BAD_INPUT
    except MemoryError:
        print("gamecore: not enough memory; where there is --table-mb, try a smaller one", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("gamecore: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`gamecore ... | head`): end quietly, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status
