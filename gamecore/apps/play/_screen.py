"""The terminal of ``gamecore play``: output that fits its width, and line editing for input."""

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Final

from gamecore.cli.common import say
from gamecore.draw import Pen, pen_for
from gamecore.errors import GamecoreError
from gamecore.text import for_terminal

_LONGEST: Final = 4096  # characters of a typed line; a notation of hearts has a few hundred
_NARROWEST: Final = 20


class Left(Exception):
    """Raised when the person leaves: ``quit``, or the end of the input."""


class Screen:
    """The terminal: it shows the game and reads moves.

    Attributes:
        is_terminal: True if stdin is a terminal, not a file or a pipe.
    """

    def __init__(self) -> None:
        self._pen = pen_for()
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self._words: Sequence[str] = ()
        self._found: list[str] = []
        if self.is_terminal and sys.stdout.isatty():
            _edit_lines(self._complete)

    @property
    def pen(self) -> Pen:
        """The pen for this terminal."""
        return replace(self._pen, width=self.width)

    @property
    def width(self) -> int:
        """Current number of columns; 80 without a terminal."""
        return max(_NARROWEST, shutil.get_terminal_size().columns)

    def say(self, text: str = "") -> None:
        """Print a paragraph, wrapped to the width."""
        say("\n".join(textwrap.wrap(text, self.width)) if text else "")

    def draw(self, text: str) -> None:
        """Print lines without wrapping."""
        say(text)

    def row(self, title: str, items: Iterable[str], gap: str = " ", indent: int = 0) -> None:
        """Print items after a title; see :meth:`gamecore.draw.Pen.row`."""
        self.draw(self.pen.row(title, items, gap, indent))

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return one typed line, without blanks around it.

        Args:
            prompt: printed before it.
            words: completed by the tab key.

        Raises:
            Left: the input has ended. GamecoreError: the input is not text, or the line is too long.
        """
        self._words = words
        try:
            if self.is_terminal:
                line = input(for_terminal(prompt))
            else:
                say(prompt, end="")
                line = "" if sys.stdin is None else sys.stdin.readline(_LONGEST + 1)
                if not line:
                    raise Left
        except EOFError:
            raise Left from None
        except UnicodeDecodeError:
            raise GamecoreError("the input is not text") from None
        if len(line) > _LONGEST:
            raise GamecoreError(f"a line of more than {_LONGEST} characters")
        return line.strip()

    def _complete(self, text: str, place: int) -> str | None:
        """Return the ``place``-th word that begins with a text: readline's callback."""
        if place == 0:
            self._found = [word for word in self._words if word.lower().startswith(text.lower())]
        return self._found[place] if place < len(self._found) else None


def _edit_lines(complete: object) -> None:
    """Turn on line editing, history and completion for ``input``, if Python has readline."""
    try:
        import readline
    except ImportError:
        return
    lines: ModuleType = readline
    lines.set_completer(complete)
    lines.set_completer_delims(" ")
    lines.parse_and_bind("bind ^I rl_complete" if "libedit" in (lines.__doc__ or "") else "tab: complete")
