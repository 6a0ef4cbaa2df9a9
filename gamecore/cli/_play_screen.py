"""The terminal of ``gamecore play``: lines that fit it, and what a person types, with line editing."""

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Final

from gamecore.draw import Pen, pen_for
from gamecore.errors import GamecoreError

_LONGEST: Final = 4096  # characters of a typed line; a notation of hearts has a few hundred
_NARROWEST: Final = 20


class Left(Exception):
    """The person has left: ``quit``, or the end of the input."""


class Screen:
    """Where a game is shown, and where moves are typed.

    Args:
        letters: write suits as letters even where the terminal has symbols.

    Attributes:
        is_terminal: whether a person types, and not a file or a pipe.
    """

    def __init__(self, letters: bool = False) -> None:
        self._pen = pen_for(symbols=False if letters else None)
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self._words: Sequence[str] = ()
        self._found: list[str] = []
        if self.is_terminal and sys.stdout.isatty():
            _edit_lines(self._complete)

    @property
    def pen(self) -> Pen:
        """How text may be written there."""
        return replace(self._pen, width=self.width)

    @property
    def width(self) -> int:
        """Columns of the terminal as it is now; 80 where there is none."""
        return max(_NARROWEST, shutil.get_terminal_size().columns)

    def say(self, text: str = "") -> None:
        """Print a paragraph, which is broken where the terminal ends."""
        print("\n".join(textwrap.wrap(text, self.width)) if text else "", flush=True)

    def draw(self, text: str) -> None:
        """Print lines as they are."""
        print(text, flush=True)

    def row(self, title: str, items: Iterable[str], gap: str = " ", indent: int = 0) -> None:
        """Print items after a title; see :meth:`gamecore.draw.Pen.row`."""
        self.draw(self.pen.row(title, items, gap, indent))

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """One typed line, without blanks around it.

        Args:
            prompt: what stands before it.
            words: that the tab key completes.

        Raises:
            Left: the input has ended. GamecoreError: what comes is not text, or no line that a person would type.
        """
        self._words = words
        try:
            if self.is_terminal:
                line = input(prompt)
            else:
                print(prompt, end="", flush=True)
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
        """What readline asks for: the words that begin with a text, one by one."""
        if place == 0:
            self._found = [word for word in self._words if word.lower().startswith(text.lower())]
        return self._found[place] if place < len(self._found) else None


def _edit_lines(complete: object) -> None:
    """Line editing, history and completion for ``input``, where Python has readline."""
    try:
        import readline
    except ImportError:
        return
    lines: ModuleType = readline
    lines.set_completer(complete)
    lines.set_completer_delims(" ")
    lines.parse_and_bind("bind ^I rl_complete" if "libedit" in (lines.__doc__ or "") else "tab: complete")
