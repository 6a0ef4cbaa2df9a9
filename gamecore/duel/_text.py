"""Parsers of duels: the judge's deals, and arguments that are positions or texts."""

from collections.abc import Iterable, Iterator

from gamecore.cards import hand_mask
from gamecore.duel._position import ALICE, BOB, MAX_CARDS, Position
from gamecore.errors import CardError, OptionError, ParseError
from gamecore.text import SEPARATOR, printable, whole_number, without_controls


def read(item: Position | str) -> Position:
    """Return a position itself, or parse its text: one line is the notation, several are the judge's text.

    Raises:
        ParseError: a malformed text. OptionError: neither a position nor a text.
    """
    if isinstance(item, Position):
        return item
    if not isinstance(item, str):
        raise OptionError(f"a duel.Position or a text of one is meant, not {printable(item)}")
    return parse(item) if "\n" in item.strip() else Position.from_text(item)


def parse(text: str) -> Position:
    """Parse a judge's text of one deal: n (1 to 26), a line with Alice's n cards, a line with Bob's; Alice moves.

    Blank lines and spaces at the ends of lines are ignored. ``Position.to_judge`` writes this text.

    Raises:
        ParseError: a malformed text; it names the line and the card.
    """
    deals = parse_many(text)
    position = next(deals, None)
    if position is None:
        raise ParseError("no deal: the text is empty")
    for _ in deals:
        raise ParseError("more than one deal; parse_many reads several")
    return position


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
    for number, line in lines:
        n = _parse_count(line, number)
        hands = []
        for owner in (ALICE, BOB):
            place, cards = next(lines, (number, ""))
            hands.append(_parse_hand(cards, place, owner, n))
            number = place
        try:
            yield Position(hands[0], hands[1])
        except CardError as error:
            raise ParseError(str(error), number) from None


def _filled_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise ParseError(f"a line must be a str, not {without_controls(type(line).__name__)}", number)
        if line.strip(" \t\r\n"):
            if not line.isascii():
                raise ParseError(f"the text must be ASCII, not {printable(line.strip())}", number)
            yield number, line.removesuffix("\n")


def _parse_count(line: str, number: int) -> int:
    try:
        return whole_number(line.strip(" \t\r"), "n, the number of cards in a hand,", 1, MAX_CARDS)
    except ParseError as error:
        raise ParseError(str(error), number) from None


def _parse_hand(line: str, number: int, owner: str, n: int) -> tuple[str, ...]:
    cards = tuple(line.split())
    try:
        hand_mask(cards)
    except CardError as error:
        raise ParseError(f"{owner}'s hand: {error}", number) from None
    if len(cards) != n:
        raise ParseError(f"{owner}'s hand has {len(cards)} cards, but n is {n}", number)
    return cards


def split_deals(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Split a file's lines into notations and judge's texts: pairs (number of the first line, text).

    Raises:
        ParseError: a line that is neither a notation nor a number of cards.
    """
    filled = ((number, text) for number, text in lines if text.strip())
    for number, text in filled:
        if SEPARATOR in text:
            yield number, text.strip()
            continue
        _parse_count(text, number)
        yield number, "\n".join((text, *(next(filled, (number, ""))[1] for _ in range(2))))
