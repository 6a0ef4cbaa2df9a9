"""The progress of a batch: :class:`Bar`."""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from typing import Final, Self, TypeAlias

from gamecore.text import without_controls

Progress: TypeAlias = bool | Callable[[int, int | None], object] | None

_DELAY: Final = 0.3  # seconds before a bar is shown
_EVERY: Final = 0.1  # seconds between updates
_NARROWEST, _WIDEST = 5, 40  # columns of the bar itself


class Line:
    """A status line on stderr, overwritten with each update and cleared at the end; on terminals only."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self.shown = False
        with contextlib.suppress(ValueError, AttributeError):  # it is closed, or None
            self.shown = self._stream.isatty()
        self._width = 0  # of the text shown

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.show("")

    def show(self, text: str) -> None:
        """Replace the line; text beyond the terminal's width is cut off, control characters are escaped."""
        text = without_controls(text)[: _columns()]
        if self.shown and (text or self._width):
            written = "\r" + text.ljust(self._width) + ("" if text else "\r")
            self._width = len(text)
            try:
                self._stream.write(written)
                self._stream.flush()
            except (OSError, ValueError):
                self.shown = False


class Bar(Line):
    """The progress of ``total`` items, if known: a bar on a terminal, a callback, or nothing; see :class:`Plan`.

    The bar shows the items done, the rate, and the time left at that rate. It appears after a moment.
    """

    def __init__(self, progress: Progress, total: int | None, name: str) -> None:
        super().__init__()
        self._call = progress if callable(progress) else None
        self.shown = self.shown and progress is not False and self._call is None
        self.is_watched = self.shown or self._call is not None
        self._total, self._name = total, name
        self._begun = time.monotonic()
        self._next = self._begun + _DELAY

    def report(self, done: int) -> None:
        """Show how many items are done."""
        if self._call is not None:
            self._call(done, self._total)
        elif self.shown and (now := time.monotonic()) >= self._next:
            self._next = now + _EVERY
            self.show(line_of(done, self._total, self._name, now - self._begun, _columns()))


def line_of(done: int, total: int | None, name: str, seconds: float, columns: int) -> str:
    """Return what a bar shows in this many columns, this many seconds after the beginning."""
    rate = done / seconds if seconds > 0 else 0.0
    speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
    if not total:
        return f"{done:,} {name}, {speed}, {clock(seconds)}"[:columns]
    part = min(1.0, done / total)
    left = f", {clock((total - done) / rate)} left" if rate > 0 and done < total else ""
    text = f"{done:,}/{total:,} {name}, {speed}{left}"
    room = min(columns - len(text) - 8, _WIDEST)
    filled = int(part * room)
    bar = f"[{'#' * filled}{'.' * (room - filled)}] " if room >= _NARROWEST else ""
    return f"{part:4.0%} {bar}{text}"[:columns]


def clock(seconds: float) -> str:
    """Format a time as ``0:07``, ``12:34`` or ``3:12:34``."""
    minutes, rest = divmod(int(min(seconds, 3.6e7) + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _columns() -> int:
    """Return the columns of stderr's terminal minus one; 79 if unknown."""
    try:
        return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
    except (OSError, ValueError, AttributeError):
        return 79
