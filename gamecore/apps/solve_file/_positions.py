"""The positions of a file, as ``solve-file`` reads them."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any, Final

from gamecore.cli.common import read_lines
from gamecore.errors import GamecoreError, ParseError
from gamecore.game import Game, Lines, games
from gamecore.text import SEPARATOR

_GUESSED_BY: Final = 3  # lines


class Input:
    """The lines of a file or of stdin, whose first lines can be read ahead.

    Args:
        path: of the file; ``-`` for stdin.

    Attributes:
        path: the argument.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._seen: list[tuple[int, str]] = []
        self._rest = self._opened()

    def _opened(self) -> Lines:
        return enumerate((line.removesuffix("\r") for line in read_lines(self.path)), start=1)

    def lines(self) -> Lines:
        """Return all lines; call it once."""
        return chain(self._seen, self._rest)

    def again(self) -> Lines | None:
        """Return all lines again; None for a pipe, which cannot be read twice."""
        if self.path == "-" or not stat.S_ISREG(os.stat(self.path).st_mode):
            return None
        return self._opened()

    def first(self) -> list[str]:
        """Return the first lines that are not blank; :meth:`lines` returns them again."""
        found: list[str] = []
        while len(found) < _GUESSED_BY and (line := next(self._rest, None)) is not None:
            self._seen.append(line)
            if line[1].strip():
                found.append(line[1])
        return found


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
        options: values of the game's ``text_options``.

    Raises:
        ParseError: it cannot tell where a text ends.
    """
    for index, (number, text) in enumerate(game.split(lines)):
        position: Any
        try:
            position = game.parse(text, **({} if SEPARATOR in text else options))
        except GamecoreError as error:
            position = error.moved(number) if isinstance(error, ParseError) else ParseError(str(error), number)
        key = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        yield Read(index, number, key, position)


def guess(lines: list[str]) -> Game:
    """Return the game of a file, by its first lines that are not blank.

    Raises:
        ParseError: no lines, or not those of one game.
    """
    if not lines:
        raise ParseError("no position: the input is empty")
    found = [game for game in games().values() if game.looks_like(lines)]
    if len(found) != 1:
        raise ParseError("cannot tell which game this is: give --game")
    return found[0]
