"""The files and folders that a command line names, and the answers that a folder expects."""

import os
import re
from argparse import Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple

from gamecore.cli.common import (
    MAX_INPUT_BYTES,
    MAX_LINE_BYTES,
    await_input,
    is_file,
    parsed,
    read_lines,
    read_text,
    typed,
)
from gamecore.cli.games import GameCommand
from gamecore.contract import Playable
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.files import file_errors
from gamecore.game import Json, options_of


class Source(NamedTuple):
    """Positions from one place.

    Attributes:
        name: of the file; empty if it is the only place.
        positions: read one by one.
        expected: the words of the answers that a folder expects; None: unknown.
    """

    name: str
    positions: Iterator[Any]
    expected: list[str] | None = None


def sources(command: GameCommand, args: Namespace) -> Iterator[Source]:
    """Yield the places of the positions that the arguments name.

    Raises:
        GamecoreError: bad options, or a file that cannot be read. ParseError: a bad text, or none.
    """
    words: list[str] = args.position or ["-"]
    chosen = typed(args, options_of(command.game.parse))
    special = command.from_options(args, chosen)
    if special is not None:
        if args.position:
            raise OptionError("give a FILE or a start position by options, not both")
        yield Source("", iter([special]))
        return
    if command.text_is_words and not all(map(is_file, words)):
        yield Source("", iter([command.game.parse(" ".join(words), **chosen)]))
        return
    is_alone = len(words) == 1 and not os.path.isdir(words[0])
    for word in words:
        for name, expected in _files(word) if os.path.isdir(word) else [(word, None)]:
            yield Source("" if is_alone else name, _read(command, name, chosen), expected)


def _read(command: GameCommand, word: str, chosen: Json) -> Iterator[Playable]:
    """Yield the positions of a file, of stdin or of a notation."""
    if not is_file(word):
        yield parsed(command.game, word, **chosen)
        return
    if word == "-":
        await_input(command.game.name, " or ".join(command.accepts))
    elif (loaded := command.load(word, **chosen)) is not None:
        yield loaded
        return
    position = None
    longest = MAX_INPUT_BYTES if command.text_is_words else MAX_LINE_BYTES
    for position in command.game.parse_many(read_lines(word, longest), **chosen):
        yield position
    if position is None:
        raise ParseError("no position: the input is empty")


def _files(folder: str) -> Iterator[tuple[str, list[str] | None]]:
    """Yield the inputs in a folder, in the order of their numbers: ``input*`` if there are such, else all files.

    With each stand the words of ``outputN.txt`` beside ``inputN.txt``; None if there is no such file.
    """
    with file_errors("read", folder):
        files = [file.name for file in os.scandir(folder) if file.is_file()]
    names = [name for name in files if not name.startswith((".", "output"))]
    if not names:
        raise GamecoreError(f"cannot read {folder!a}: there is no file in it")
    for name in sorted([name for name in names if name.startswith("input")] or names, key=_by_number):
        output = os.path.join(folder, name.replace("input", "output", 1))
        is_expected = name.startswith("input") and os.path.isfile(output)
        yield os.path.join(folder, name), read_text(output).split() if is_expected else None


def _by_number(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.findall("[0-9]{1,18}|[^0-9]+", name)]
