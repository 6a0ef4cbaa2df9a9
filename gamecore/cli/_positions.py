"""The positions of a file, text by text: what ``solve-file`` reads."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from itertools import chain
from typing import Any, Final

from gamecore.cli.common import read_lines
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.text import SEPARATOR, printable, whole_number

GAMES: Final = ("duel", "hexapawn", "rows", "hearts")
_GUESSED_BY: Final = 3  # lines

Lines = Iterator[tuple[int, str]]  #: numbered from 1


class Input:
    """The lines of a file or of stdin, of which the first may be looked at before all are read.

    Args:
        path: of the file; ``-`` for stdin.

    Attributes:
        path: as it was given.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._seen: list[tuple[int, str]] = []
        self._rest = self._opened()

    def _opened(self) -> Lines:
        return enumerate((line.removesuffix("\r") for line in read_lines(self.path)), start=1)

    def lines(self) -> Lines:
        """All lines; once."""
        return chain(self._seen, self._rest)

    def again(self) -> Lines | None:
        """All lines once more; None where what was read is gone, as it is in pipes."""
        if self.path == "-" or not stat.S_ISREG(os.stat(self.path).st_mode):
            return None
        return self._opened()

    def first(self) -> list[str]:
        """The first lines that are not blank; they are still to come from :meth:`lines`."""
        found: list[str] = []
        while len(found) < _GUESSED_BY and (line := next(self._rest, None)) is not None:
            self._seen.append(line)
            if line[1].strip():
                found.append(line[1])
        return found


@dataclass(frozen=True, slots=True)
class Read:
    """A position as it was read.

    Attributes:
        index: its number in the file, from 0.
        line: the number of its first line, from 1.
        key: by which its answer is known.
        position: itself, or the GamecoreError that its text is.
    """

    index: int
    line: int
    key: str
    position: Any


@dataclass(frozen=True, slots=True)
class Format:
    """How a file writes positions.

    Attributes:
        game: of the positions.
        split: numbered lines to (first line's number, text) for each position; raises a ParseError where it cannot tell
            how to go on.
        parse: such a text to a position.
    """

    game: str
    split: Callable[[Lines], Lines]
    parse: Callable[[str], Any]

    def positions(self, lines: Lines) -> Iterator[Read]:
        """The positions of a file, bad ones as errors that name the line of the file."""
        for index, (number, text) in enumerate(self.split(lines)):
            position: Any
            try:
                position = self.parse(text)
            except GamecoreError as error:
                position = _moved(error, number)
            key = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
            yield Read(index, number, key, position)


def _moved(error: GamecoreError, number: int) -> GamecoreError:
    """An error of a text that begins at this line of the file."""
    if not isinstance(error, ParseError) or error.line is None:
        return ParseError(str(error), number)
    place = f"line {error.line}" + (f", column {error.column}" if error.column is not None else "") + ": "
    return ParseError(str(error).removeprefix(place), number + error.line - 1, error.column)


def guess(lines: list[str]) -> str:
    """The game of a file by its first lines that are not blank.

    Raises:
        ParseError: no lines, or not those of one game.
    """
    if not lines:
        raise ParseError("no position: the input is empty")
    if SEPARATOR in lines[0]:
        games = [game for game in GAMES if _is_notation(game, lines[0])]
        if len(games) == 1:
            return games[0]
    first = [line.split() for line in lines]
    first += [[]] * (_GUESSED_BY - len(first))
    counts = [len(words) == 1 and words[0].isascii() and words[0].isdigit() for words in first]
    if counts[0] and first[1] and first[1][0][:1] in "CDHS":
        return "duel"
    if counts[0] and counts[1] and set("".join(first[2])) <= set("Pp."):
        return "hexapawn"
    if first[0] and first[0][0].lstrip("+-").replace(".", "", 1)[:1].isdigit() and not (counts[0] and counts[1]):
        return "rows"
    raise ParseError("cannot tell which game this is: give --game")


def _is_notation(game: str, line: str) -> bool:
    try:
        _position_class(game).from_text(line)
    except GamecoreError:
        return False
    return True


def _position_class(game: str) -> Any:
    return import_module(f"gamecore.{game}").Position


def format_of(game: str, lines: list[str], options: dict[str, Any]) -> Format:
    """The format of a game's file: notations, a line each, or else the judge's texts.

    Args:
        game: its name.
        lines: the first ones of the file.
        options: what the judge's texts do not say: ``to_move`` (hexapawn), ``opponent``, ``first`` and ``ties`` (rows).

    Raises:
        OptionError: a bad option.
    """
    if game == "hearts" or (lines and SEPARATOR in lines[0]):
        return Format(game, one_a_line, _position_class(game).from_text)
    if game == "duel":
        from gamecore import duel

        return Format(game, split_duels, duel.parse)
    if game == "hexapawn":
        from gamecore import hexapawn

        if options["to_move"] not in ("white", "black"):
            raise OptionError(f"--to-move has to be white or black, not {printable(options['to_move'])}")
        return Format(game, split_boards, lambda text: hexapawn.parse(text, options["to_move"]))
    from gamecore import rows
    from gamecore.rows._text import read_row

    rules = {"opponent": options["opponent"], "to_move": options["first"], "ties": options["ties"]}
    rows.Position([], **rules)  # says what is wrong with them
    return Format(game, one_a_line, lambda text: rows.Position(read_row([text], numbered=False), **rules))


def one_a_line(lines: Lines) -> Lines:
    """A position on each line that is not blank."""
    return ((number, text.strip()) for number, text in lines if text.strip())


def split_duels(lines: Lines) -> Lines:
    """Judge's deals: n, and two lines of cards.

    Raises:
        ParseError: a line that should be n is not a number from 1 to 26.
    """
    from gamecore.duel import MAX_CARDS

    filled = ((number, text) for number, text in lines if text.strip())
    for number, count in filled:
        _count(count, "n, the number of cards in a hand,", 1, MAX_CARDS, number)
        hands = [next(filled, (number, ""))[1] for _ in range(2)]
        yield number, "\n".join((count, *hands))


def split_boards(lines: Lines) -> Lines:
    """Judge's boards: rows, columns, and a line a row, which may be blank.

    Raises:
        ParseError: a line that should be rows is not a number from 2 to 64.
    """
    from gamecore.hexapawn import MAX_SQUARES

    for number, rows in lines:
        if not rows.strip():
            continue
        count = _count(rows, "rows", 2, MAX_SQUARES, number)
        rest = [text for _, text in (next(lines, (0, None)) for _ in range(count + 1)) if text is not None]
        yield number, "\n".join((rows, *rest)) + "\n"


def _count(line: str, name: str, low: int, high: int, number: int) -> int:
    try:
        return whole_number(line.strip(" \t\r\n"), name, low, high)
    except ParseError as error:
        raise ParseError(str(error), number) from None
