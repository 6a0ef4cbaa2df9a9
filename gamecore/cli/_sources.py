"""The files and folders that a command line names, and the answers that a folder expects."""

import os
import re
from argparse import Namespace
from collections.abc import Iterable, Iterator

from gamecore.cli.common import is_file, read_lines, typed
from gamecore.cli.games import Answer, GameCommand, Position
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors
from gamecore.game import options_of

#: Of each place: its name, its positions and the words of the answers expected. The name is empty if it is the only
#: place; the words are None if they are unknown.
Source = tuple[str, Iterable[Position], list[str] | None]


def sources(command: GameCommand[Position, Answer], args: Namespace) -> Iterator[Source[Position]]:
    """Yield the places that the arguments name.

    Raises:
        GamecoreError: bad options, or a file that cannot be read. ParseError: a bad text, or none.
    """
    words: list[str] = args.position or ["-"]
    chosen = typed(args, options_of(command.game.parse))
    special = command.from_options(args, chosen)
    if special is not None and args.position:
        raise OptionError("give a FILE or a start position by options, not both")
    if special is not None:
        yield "", iter([special]), None
    elif command.text_is_words and not all(map(is_file, words)):
        yield "", iter([command.game.parse(" ".join(words), **chosen)]), None
    elif len(words) == 1 and not os.path.isdir(words[0]):
        yield "", command.read(words[0], chosen), None
    else:
        for word in words:
            for name, expected in _files(word) if os.path.isdir(word) else [(word, None)]:
                yield name, command.read(name, chosen), expected


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
        yield os.path.join(folder, name), " ".join(read_lines(output)).split() if is_expected else None


def _by_number(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.findall("[0-9]{1,18}|[^0-9]+", name)]
