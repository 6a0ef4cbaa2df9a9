"""Text for terminals: suit symbols and colour if the terminal has them, else plain ASCII."""

import os
import sys
from dataclasses import dataclass
from typing import Final

from gamecore.cards import RED, SYMBOLS
from gamecore.text import checked_flag

_CODES: Final = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36}  # of ANSI


@dataclass(frozen=True, slots=True)
class Pen:
    """A style of text.

    Attributes:
        color: use ANSI colours. symbols: write suits as symbols instead of letters.
    """

    color: bool = False
    symbols: bool = False

    def paint(self, text: str, *styles: str) -> str:
        """Return the text in styles of ``bold dim red green yellow blue cyan``; unchanged without colour."""
        if not self.color or not styles:
            return text
        return f"\x1b[{';'.join(str(_CODES[style]) for style in styles)}m{text}\x1b[0m"

    def card(self, card: str, *styles: str) -> str:
        """Return a card, suit first: ``DT``, or with its suit as a symbol; red suits in red."""
        text = SYMBOLS[card[0]] + card[1:] if self.symbols else card
        return self.paint(text, *(("red",) if card[0] in RED else ()), *styles)

    def value(self, text: str, lower: float, upper: float) -> str:
        """Return a value in green above 0, in red below, unpainted if its bounds allow both or it is 0."""
        return self.paint(text, "green") if lower > 0 else self.paint(text, "red") if upper <= 0 and lower < 0 else text


def pen_for(*, color: bool | None = None, symbols: bool | None = None) -> Pen:
    """Return the pen for stdout; ``color`` and ``symbols`` override its abilities.

    Terminals have colour unless ``NO_COLOR`` is set and not empty, or ``TERM`` is ``dumb``, or it is the old console of
    Windows, which does not interpret escape codes. They have symbols if their encoding does.
    """
    try:
        is_terminal = sys.stdout.isatty()
    except (AttributeError, ValueError):  # no stream at all (pythonw), or a closed one
        is_terminal = False
    if color is None:
        kind = os.environ.get("TERM", "")
        has_codes = os.name != "nt" or bool(os.environ.get("WT_SESSION") or kind)
        color = is_terminal and not os.environ.get("NO_COLOR") and kind != "dumb" and has_codes
    if symbols is None:
        try:
            "".join(SYMBOLS.values()).encode(getattr(sys.stdout, "encoding", None) or "ascii")
            symbols = is_terminal
        except (UnicodeEncodeError, LookupError):
            symbols = False
    return Pen(checked_flag(color, "color"), checked_flag(symbols, "symbols"))
