"""What the subcommands share: exit statuses, reading input, options for limits."""

import argparse
import os
import re
import signal
import sys
import textwrap
import threading
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeAlias

from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.files import file_errors
from gamecore.game import Game, Json, Option
from gamecore.limits import Limits
from gamecore.text import SEPARATOR, printable, without_controls

if TYPE_CHECKING:
    from gamecore.batch.workers import Run

OK = 0
WRONG = 1
BAD_INPUT = 2
LIMIT_REACHED = 3
INTERRUPTED = 130
CUT_OFF = 141  # the shell's exit status for SIGPIPE

_HELP_WIDTH = 79
_NUMBER = re.compile("-?[0-9]{1,18}")
_KEPT = re.compile(r"(\n|\x1b\[[0-9;]*m)")  # line feeds, and sequences that only set colours

# Judge texts are a few hundred bytes; these limits bound memory for hostile ones.
MAX_INPUT_BYTES = 1 << 24
MAX_LINE_BYTES = 1 << 16
MAX_MESSAGE = 1500  # an engine's last line on stderr has up to 1,000


def complain(message: str) -> None:
    """Print a message as one line on stderr: escape control characters, cut long messages.

    Never raises, even if stderr is closed or full.
    """
    cut = message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 3] + "..."
    if sys.stderr is None:
        return  # print would take stdout
    try:
        print(without_controls(cut), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        drop(sys.stderr)


def say(text: str = "", end: str = "\n") -> None:
    """Print text that others may have written: names of a store or of a game's file, a program's output.

    Control characters are escaped, except line feeds and colours, so that they cannot steer the terminal.
    """
    parts = [part if _KEPT.fullmatch(part) else without_controls(part) for part in _KEPT.split(text)]
    print("".join(parts), end=end, flush=True)


def drop(stream: TextIO) -> None:
    """Discard a stream's buffered output, so that Python does not report it at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def ascii_number(kind: type[float], text: str) -> float:
    """Parse an option's number; underscores and digits of other scripts raise ValueError."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return kind(text)


class OutputFile(str):
    """The name of an output file, which :func:`check_outputs` finds among the options."""


def output_file(name: str) -> OutputFile:
    """Return the name of an output file of an option; as ``-`` is standard input elsewhere, it names none."""
    if name == "-":
        raise argparse.ArgumentTypeError("- names no file: write ./- for a file of this name")
    return OutputFile(name)


def check_outputs(args: argparse.Namespace) -> None:
    """Raise GamecoreError if an option's output would be lost: beside ``--json``, or in a file that another names."""
    options = dict[str, str]()
    for name in ("plain", "draw", "trace") if getattr(args, "json", False) else ():
        if getattr(args, name, None) and (name == "plain" or getattr(args, "output", None) is None):
            raise OptionError(f"--json or --{name}, not both")
    for option, path in vars(args).items():
        if isinstance(path, OutputFile) and (os.path.isfile(path) or not os.path.exists(path)):  # no device
            option = f"--{option.replace('_', '-')}"
            before = options.setdefault(os.path.realpath(path), option)
            if before != option:
                raise GamecoreError(f"{before} and {option} are one file: {printable(path, 80)}")


Subparsers: TypeAlias = "argparse._SubParsersAction[OneLineParser]"


class OneLineParser(argparse.ArgumentParser):
    """An ``argparse`` parser whose errors are one line on stderr.

    The lines of an epilog are printed as they are. A description is one paragraph, which is wrapped.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        self.description = textwrap.fill(self.description or "", _HELP_WIDTH)
        for kind in (int, float):
            self.register("type", kind, partial(ascii_number, kind))

    def error(self, message: str) -> NoReturn:
        """Exit with status 2 and one line."""
        complain(f"{self.prog}: {message[:MAX_MESSAGE]} (see {self.prog} --help)")
        self.exit(BAD_INPUT)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write a help; argparse's own would ignore that the output cannot be written."""
        (file or sys.stderr).write(message)


def read_lines(path: str, longest: int = MAX_LINE_BYTES) -> Iterator[str]:
    """Yield the lines of a file, or of stdin for ``-``, each as soon as it arrives and without its end.

    Bytes that are not ASCII become lone surrogates, which the parser refuses with their place.

    Raises:
        GamecoreError: no such file, a directory, no permission.
        ParseError: a line of more than ``longest`` bytes; says which. No more than that is ever held in memory.
    """
    if path == "-" and sys.stdin is None:
        raise GamecoreError("cannot read '-': stdin is closed")
    number = 0
    with file_errors("read", path), nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
        while line := file.readline(longest + 1):
            number += 1
            if len(line) > longest:
                raise ParseError(f"a line of more than {longest >> 10} KiB", number)
            line = line.removeprefix(BOM_UTF8) if number == 1 else line
            yield line.decode("ascii", "surrogateescape").removesuffix("\n")


def is_file(word: str) -> bool:
    """Return True if a word of the command line names a file or stdin (``-``) rather than a position."""
    return word == "-" or os.path.exists(word)


def positions_of(game: Game, word: str, chosen: Json, longest: int = MAX_LINE_BYTES) -> Iterator[Any]:
    """Yield the positions of a file, of stdin for ``-``, or of a notation; GamecoreError if it is none of these."""
    if is_file(word):
        yield from game.parse_many(read_lines(word, longest), **chosen)
        return
    try:
        yield game.parse(word, **chosen)
    except ParseError:
        if SEPARATOR in word:
            raise
        what = f"{printable(word, 80)} is neither a file nor a position's notation"
        raise GamecoreError(f"{what}, such as {printable(game.example, 40)}") from None


def position_of(game: Game, word: str) -> Any:
    """Return the position of :func:`positions_of`, if it is only one."""
    positions = list(islice(positions_of(game, word, {}), 2))
    if len(positions) != 1:
        raise GamecoreError(f"{printable(word, 80)} has {'several positions' if positions else 'no position'}, not one")
    return positions[0]


def await_input(who: str, what: str) -> None:
    """At a terminal, print which input is awaited."""
    if sys.stdin is not None and sys.stdin.isatty():
        complain(f"gamecore {who}: type {what}; Ctrl-D ends the input")


@contextmanager
def interruptible() -> Iterator["Run"]:
    """While active, the first Ctrl-C stops the search, which returns its bounds; a second one raises.

    ``cancelled`` of the run that is yielded tells whether that happened.
    """
    from gamecore.batch.workers import Run

    run, before = Run(), signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        if run.cancelled or not run.stoppable:  # nobody would look
            raise KeyboardInterrupt
        run.cancel()

    watched = before is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    try:
        if watched:
            signal.signal(signal.SIGINT, stop)
        with run.at_work():
            yield run
    finally:
        if watched:
            signal.signal(signal.SIGINT, before)


def add_positions(parser: argparse.ArgumentParser, notation: str) -> None:
    """Add ``FILE ...``, the positions that :mod:`gamecore.cli._sources` reads; ``notation``: of one."""
    text = f"files or folders of positions (default: stdin), or one position: {notation.removeprefix('the notation ')}"
    parser.add_argument("position", nargs="*", metavar="FILE", help=text)


def literal(text: str) -> str:
    """Return a text for the ``help`` of ``argparse``, which formats signs of ``%``."""
    return text.replace("%", "%%")


def add_option(parser: argparse._ActionsContainer, option: Option, about: str = "") -> None:
    """Add an option of a game, which :func:`typed` reads; ``about``: what its title follows.

    It is called ``--game-NAME`` where the command has an option of its name.
    """
    words = f": {', '.join(option.choices)}" if option.choices else ""
    metavar = option.name.upper() if words else "TEXT" if isinstance(option.default, str) else "N"
    title = f"{about}{option.title.lower()} (default {option.default}){words}"
    flag = f"--{(option.flag or option.name).replace('_', '-')}"
    add = partial(parser.add_argument, dest=f"game_option_{option.name}", metavar=metavar, help=literal(title))
    try:
        add(flag)
    except argparse.ArgumentError:
        flag = f"--game-{flag[2:]}"
        add(flag)
    parser.set_defaults(**{f"flag_of_{option.name}": flag})


def typed(args: argparse.Namespace, options: Iterable[Option]) -> Json:
    """Return the values, by name, of the options that were typed.

    Raises:
        OptionError: a bad value, or an option that is none of these; it names the option as it was typed.
    """
    values, by_name = Json(), {option.name: option for option in options}
    for key, text in vars(args).items():
        name = key.removeprefix("game_option_")
        if name != key and name not in by_name and text is not None:
            raise OptionError(f"{getattr(args, f'flag_of_{name}')} is an option of another game")
    for option in by_name.values():
        if (text := getattr(args, f"game_option_{option.name}")) is not None:
            is_number = isinstance(option.default, int) and _NUMBER.fullmatch(text)
            flag = getattr(args, f"flag_of_{option.name}")
            values[option.name] = replace(option, name=flag).check(int(text) if is_number else text)
    return values


def add_limit_options(
    parser: argparse.ArgumentParser, default_table_mb: float | None, table: str = "the table"
) -> "argparse._ArgumentGroup":
    """Add ``--time-limit``, ``--node-limit`` and ``--table-mb`` as a group, which is returned.

    A search without a table has no ``default_table_mb``. ``table`` is the table's name for the help.
    """
    group = parser.add_argument_group("limits (when one is reached: proven bounds, exit status 3)")
    group.add_argument("--time-limit", type=float, metavar="SECONDS", help="stop after this many seconds")
    group.add_argument("--node-limit", type=int, metavar="N", help="stop after this many nodes")
    if default_table_mb is None:
        parser.set_defaults(table_mb=None)
    else:
        text = f"most memory for {table} (default {default_table_mb})"
        group.add_argument("--table-mb", type=float, metavar="MB", help=text)
    return group


def limits_of(args: argparse.Namespace) -> Limits:
    """Return the Limits of parsed options."""
    return Limits(seconds=args.time_limit, nodes=args.node_limit, table_mb=args.table_mb)
