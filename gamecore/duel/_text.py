"""Parsers of duels: the judge's deals, and arguments that are positions or texts."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from gamecore.cards import hand_mask
from gamecore.duel._position import ALICE, BOB, MAX_CARDS, Position
from gamecore.errors import CardError, ParseError
from gamecore.game._built_in import count_in, reader
from gamecore.text import printable, without_controls

_FOREIGN: Final = re.compile("[^ \t\r\n!-~]")  # characters that no judge's text has


def parse(text: str) -> Position:
    """Parse a judge's text of one deal: n (1 to 26), a line with Alice's n cards, a line with Bob's; Alice moves.

    Blank lines and blanks at the ends of lines are ignored. ``Position.to_judge`` writes this text.

    Raises:
        ParseError: a malformed text; it names the line and the card.
    """
    deals = list(islice(parse_many(text), 2))
    if len(deals) != 1:
        raise ParseError("more than one deal; parse_many reads several" if deals else "no deal: the text is empty")
    return deals[0]


read = reader(Position, parse)


def parse_many(text: str | Iterable[str]) -> Iterator[Position]:
    """Yield the deals of a judge's text; an error is raised when its deal is reached.

    Args:
        text: the whole text, or an iterable of its lines such as an open file, which is read deal by deal.

    Raises:
        ParseError: as for :func:`parse`.
    """
    if not isinstance(text, (str, Iterable)) or isinstance(text, (bytes, bytearray)):
        kind = without_controls(type(text).__name__)
        raise ParseError(f"text must be a str or an iterable of lines, not {kind}")
    lines = _filled_lines(text.split("\n") if isinstance(text, str) else text)
    for first, line in lines:
        n, number = count_in(line, first, "n, the number of cards in a hand,", 1, MAX_CARDS), first
        hands: list[list[str]] = []
        for owner in (ALICE, BOB):
            number, line = next(lines, (number, ""))
            cards = line.split()
            try:
                hand_mask(cards)
            except CardError as error:
                raise ParseError(f"{owner}'s hand: {error}", number) from None
            if len(cards) != n:
                raise ParseError(f"{owner}'s hand has {len(cards)} cards, but n is {n}", number)
            hands.append(cards)
        try:
            yield Position(hands[0], hands[1])
        except CardError as error:
            raise ParseError(str(error), number) from None


def _filled_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise ParseError(f"a line must be a str, not {without_controls(type(line).__name__)}", number)
        if foreign := _FOREIGN.search(line):
            message = f"{printable(foreign[0])} does not belong into a judge's text"
            raise ParseError(message, number, foreign.start() + 1)
        if line.strip():
            yield number, line
