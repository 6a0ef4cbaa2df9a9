"""What the subcommands share: exit statuses, reading input, options for limits."""

import argparse
import sys
from typing import NoReturn

from gamecore.errors import GamecoreError, ParseError
from gamecore.limits import Limits

OK = 0
BAD_INPUT = 2
LIMIT_REACHED = 3
INTERRUPTED = 130

MAX_INPUT_BYTES = 1 << 24  # judge texts are a few hundred bytes; this bounds memory for hostile ones


class OneLineParser(argparse.ArgumentParser):
    """argparse, but an error is one line on stderr; ``--help`` is where the teaching is."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2 and one line."""
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def read_text(path: str, *, ascii_only: bool = True) -> str:
    """All of a file's text, or of stdin for ``-``.

    With ``ascii_only=False`` other bytes come through as lone surrogates, for a parser that wants to answer what
    stands before them first.

    Raises:
        GamecoreError: no such file, a directory, no permission, more than 16 MiB.
        ParseError: not ASCII; says which line.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise GamecoreError(f"cannot read {path!a}: {error.strerror}") from None
    if len(data) > MAX_INPUT_BYTES:
        raise GamecoreError(f"the input is larger than {MAX_INPUT_BYTES >> 20} MiB")
    try:
        return data.decode("ascii", "strict" if ascii_only else "surrogateescape")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise ParseError(f"byte 0x{data[error.start]:02x} is not ASCII", line, column) from None


def add_limit_options(parser: argparse.ArgumentParser, default_table_mb: int) -> None:
    """``--time-limit``, ``--node-limit`` and ``--table-mb``, the same for every search."""
    group = parser.add_argument_group("limits (when one is reached: proven bounds, exit status 3)")
    group.add_argument("--time-limit", type=float, metavar="SECONDS", help="stop after this many seconds")
    group.add_argument("--node-limit", type=int, metavar="N", help="stop after this many nodes")
    group.add_argument(
        "--table-mb", type=float, metavar="MB", help=f"most memory for the table (default {default_table_mb})"
    )


def limits_of(args: argparse.Namespace) -> Limits:
    """The Limits that the options ask for."""
    return Limits(seconds=args.time_limit, nodes=args.node_limit, table_mb=args.table_mb)
