"""The pace of a batch: how many items a chunk gets, and what is shown of the progress."""

import math
import os
import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

from gamecore.batch.plan import Progress

TARGET_SECONDS: Final = 0.4  #: of a task
_GROWTH: Final = 8  # a chunk has at most so many times the items of the largest one that was timed
_DELAY: Final = 0.3  # seconds before a bar is shown
_EVERY: Final = 0.1  # seconds between two pictures of it
_MEMORY: Final = 5.0  # seconds: what a rate was before counts a third
_NARROWEST, _WIDEST = 5, 40  # columns of the bar itself
_SHORTEST: Final = 0.02, 0.1  # seconds: near the end chunks shrink, but not below this: in threads, on executors


class Sizer:
    """How many items the next chunk gets.

    Args:
        total: items of the batch, or None.
        first, most: items in the first chunks, and in any.
        parallel: asked how many tasks run at a time: now, and on ``elastic`` executors again every other second.
        alone: chunks are done one after another, so that none need be kept short for the last worker's sake.
        elastic: the executor may grow and shrink.
    """

    def __init__(
        self,
        total: int | None,
        first: int,
        most: int,
        parallel: Callable[[], int],
        *,
        alone: bool = False,
        elastic: bool = False,
    ) -> None:
        self._left, self._most, self._largest, self._least = total, most, first, 1
        self._size = first
        self._cost = 0.0
        self._ask, self._alone, self._elastic = parallel, alone, elastic
        self.parallel = parallel()
        self._asked = time.monotonic()

    def next(self) -> int:
        """Items of the next chunk, which is taken now."""
        size = self._size
        if self._left is not None:
            if not self._alone and self.parallel > 1:
                size = min(size, max(-(-self._left // (2 * self.parallel)), self._least))
            self._left = max(0, self._left - size)
        return max(1, size)

    def note(self, count: int, seconds: float) -> None:
        """Learn from a chunk that is done."""
        cost = seconds / count
        self._cost = (self._cost + cost) / 2 if self._cost else cost
        self._largest = max(self._largest, count)
        per_item = max(self._cost, 1e-9)
        self._size = max(1, min(int(TARGET_SECONDS / per_item), self._most, _GROWTH * self._largest))
        self._least = max(1, min(self._size, int(_SHORTEST[self._elastic] / per_item)))
        if self._elastic and time.monotonic() - self._asked > 2:
            self.parallel = self._ask()
            self._asked = time.monotonic()


class Line:
    """A line of stderr, where that is a terminal, that is written over again and again and is empty at the end.

    Args:
        wanted: False: nothing is written anywhere.

    Attributes:
        shown: whether anybody sees it; a stderr that was closed is written no more.
    """

    def __init__(self, wanted: bool = True) -> None:
        self.shown = wanted and _is_terminal(sys.stderr)
        self._stream = sys.stderr
        self._width = 0  # of what stands there

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.show("")

    def show(self, text: str) -> None:
        """Write over what stands there; what the terminal has no room for is cut off."""
        if not self.shown or not (text or self._width):
            return
        text = text[: _room()]
        written = "\r" + text.ljust(self._width) + ("" if text else "\r")
        self._width = len(text)
        try:
            self._stream.write(written)
            self._stream.flush()
        except (OSError, ValueError):
            self.shown = False


class Bar:
    """The progress of anything that takes long: a bar on a terminal, a function that is called, or nothing.

    The bar stands on a :class:`Line`, with what is done, the rate, and the time that is left at that rate. It comes
    after a moment.

    Args:
        progress: see :class:`gamecore.batch.Plan`.
        total: items in all, or None.
        name: of the items.
    """

    def __init__(self, progress: Progress, total: int | None, name: str) -> None:
        self._total, self._name = total, name
        self._call = progress if callable(progress) else None
        self._line = Line(progress is not False and self._call is None)
        self._begun = self._before = time.monotonic()
        self._next = self._begun + _DELAY
        self._done, self._rate = 0, 0.0

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.show("")

    def report(self, done: int, total: int | None = None) -> None:
        """Show how many items are done in all.

        Args:
            done: items.
            total: in all, if that is another number than at the beginning.
        """
        total = self._total if total is None else total
        if self._call is not None:
            self._call(done, total)
        elif self._line.shown:
            now = time.monotonic()
            if now >= self._next:
                self._learn(done, now)
                self._next = now + _EVERY
                self._line.show(line_of(done, total, self._name, self._rate, now - self._begun, _room()))

    def _learn(self, done: int, now: float) -> None:
        """Follow the rate: what was long ago counts little."""
        passed = now - self._before
        rate = (done - self._done) / passed if passed > 0 else self._rate
        weight = 1.0 if not self._rate else 1.0 - math.exp(-passed / _MEMORY)
        self._rate += weight * (rate - self._rate)
        self._done, self._before = done, now


def line_of(done: int, total: int | None, name: str, rate: float, seconds: float, columns: int) -> str:
    """What a bar shows.

    Args:
        done, total, name: as for :class:`Bar`.
        rate: items a second.
        seconds: since the beginning.
        columns: room for it.
    """
    speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
    if not total:
        return f"{done:,} {name}, {speed}, {clock(seconds)}"[:columns]
    part = min(1.0, done / total)
    left = f", {clock((total - done) / rate)} left" if rate > 0 and done < total else ""
    text = f"{done:,}/{total:,} {name}, {speed}{left}"
    room = columns - len(text) - 8
    if room < _NARROWEST:
        return f"{part:4.0%} {text}"[:columns]
    room = min(room, _WIDEST)
    filled = int(part * room)
    return f"{part:4.0%} [{'#' * filled}{'.' * (room - filled)}] {text}"


def clock(seconds: float) -> str:
    """A time as ``0:07``, ``12:34`` or ``3:12:34``."""
    minutes, rest = divmod(int(min(seconds, 3.6e7) + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _room() -> int:
    """Columns of the terminal behind stderr but the last, or 79 where it does not say."""
    try:
        return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
    except (OSError, ValueError, AttributeError):
        return 79


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False
