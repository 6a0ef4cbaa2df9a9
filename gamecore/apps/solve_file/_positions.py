"""The positions of a file, as ``solve-file`` reads them."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from gamecore.cli.common import read_lines
from gamecore.errors import GamecoreError, ParseError
from gamecore.game import Game, Lines, split_lines
from gamecore.text import SEPARATOR


class Input:
    """The lines of a file or of stdin.

    Args:
        path: of the file; ``-`` for stdin.

    Attributes:
        path: the argument.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def lines(self) -> Lines:
        """Return all lines; call it once."""
        return enumerate((line.removesuffix("\r") for line in read_lines(self.path)), start=1)

    def again(self) -> Lines | None:
        """Return all lines again; None for a pipe, which cannot be read twice."""
        if self.path == "-" or not stat.S_ISREG(os.stat(self.path).st_mode):
            return None
        return self.lines()


@dataclass(frozen=True, slots=True)
class Read:
    """A position that was read.

    Attributes:
        index: its number in the file, from 0.
        line: the number of its first line, from 1.
        key: a hash of the text, which identifies its answer.
        position: the position, or the GamecoreError of a bad text.
    """

    index: int
    line: int
    key: str
    position: Any


def positions(game: Game, lines: Lines, options: dict[str, Any]) -> Iterator[Read]:
    """Yield the positions of a file; bad ones are errors that name the line of the file.

    Args:
        game: their game.
        lines: the numbered lines of the file.
        options: options of the game's ``parse``.

    Raises:
        ParseError: it cannot tell where a text ends.
    """
    for index, (number, text) in enumerate(split_lines(game, lines)):
        position: Any
        try:
            position = game.parse(text, **({} if SEPARATOR in text else options))
        except GamecoreError as error:
            position = error.moved(number) if isinstance(error, ParseError) else ParseError(str(error), number)
        key = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        yield Read(index, number, key, position)
