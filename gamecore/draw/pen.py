"""Text for terminals: suit symbols and colour where the terminal has them, plain ASCII everywhere else."""

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TextIO

from gamecore.cards import RED, SYMBOLS

_CODES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "cyan": "36",
}


_ANSI: Final = re.compile(r"\x1b\[[0-9;]*m")


def visible(text: str) -> int:
    """Return the columns that a text takes on a terminal; colours take none."""
    return len(_ANSI.sub("", text))


@dataclass(frozen=True, slots=True)
class Pen:
    """How text may be written.

    Attributes:
        color: with ANSI colours. symbols: suits as symbols instead of letters.
        width: columns of the terminal; 0: lines are never broken.
    """

    color: bool = False
    symbols: bool = False
    width: int = 0

    def row(self, title: str, items: Iterable[str], gap: str = " ", indent: int = 0) -> str:
        """Return items after a title, on as many lines as it takes; later lines begin below the first item.

        Args:
            title: what stands before them, perhaps nothing.
            items: words, perhaps painted.
            gap: between two of them.
            indent: columns that the title takes at least.
        """
        start = max(indent, visible(title) + (1 if title else 0))
        line, used, lines = title + " " * (start - visible(title)), start, []
        for place, item in enumerate(items):
            length = visible(item)
            if place and self.width and used + len(gap) + length > self.width:
                lines.append(line.rstrip())
                line, used = " " * start, start
            elif place:
                line, used = line + gap, used + len(gap)
            line, used = line + item, used + length
        return "\n".join([*lines, line.rstrip()])

    def paint(self, text: str, *styles: str) -> str:
        """The text in styles of ``bold dim red green yellow blue cyan``; as it is without colour."""
        if not self.color or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def card(self, card: str, *styles: str) -> str:
        """A card, suit first: ``DT``, or its suit as a symbol; red suits in red."""
        text = SYMBOLS[card[0]] + card[1:] if self.symbols else card
        return self.paint(text, *(("red",) if card[0] in RED else ()), *styles)

    def value(self, text: str, lower: float, upper: float) -> str:
        """A value in green above 0, in red from 0 down, as it is while it may be either."""
        return self.paint(text, "green") if lower > 0 else self.paint(text, "red") if upper <= 0 else text


def pen_for(stream: TextIO | None = None, *, color: bool | None = None, symbols: bool | None = None) -> Pen:
    """What the stream (default: stdout) can show, where it is not said.

    Colour is for terminals, unless the environment's ``NO_COLOR`` is set and not empty or ``TERM`` is ``dumb``; symbols
    are for terminals whose encoding has them.
    """
    stream = sys.stdout if stream is None else stream
    terminal = _is_terminal(stream)
    if color is None:
        color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and _has_ansi()
    if symbols is None:
        symbols = terminal and _can_write(stream, "".join(SYMBOLS.values()))
    return Pen(color, symbols)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # no stream at all (pythonw), or a closed one
        return False


def _has_ansi() -> bool:
    """Windows' old console shows escape codes as rubbish; its Terminal, and everybody else's, knows them."""
    return os.name != "nt" or bool(os.environ.get("WT_SESSION") or os.environ.get("TERM"))


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
