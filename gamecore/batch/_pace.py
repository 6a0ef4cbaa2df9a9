"""The pace of a batch: how many items a chunk gets, and what is shown of the progress."""

import sys
import time
from collections.abc import Callable
from typing import Any, Final

from gamecore.batch._plan import Progress
from gamecore.batch._signals import Held
from gamecore.errors import OptionError

TARGET_SECONDS: Final = 0.4  #: of a task
_GROWTH: Final = 8  # a chunk has at most so many times the items of the largest one that was timed
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


class Bar:
    """The progress of a batch: a bar, a function that is called, or nothing.

    Args:
        progress: see :class:`gamecore.batch.Plan`.
        total: items of the batch, or None.
        name: of the items.

    Raises:
        OptionError: ``progress=True`` without tqdm.
    """

    def __init__(self, progress: Progress, total: int | None, name: str) -> None:
        self._total = total
        self._call = progress if callable(progress) else None
        self._bar: Any = None
        if progress is False or self._call:
            return
        terminal = sys.stderr is not None and sys.stderr.isatty()
        if progress is None and not terminal:
            return
        try:
            from tqdm import tqdm
        except ImportError:
            if progress:
                raise OptionError("progress=True needs tqdm: pip install gamecore[progress]") from None
            return
        if terminal:
            with Held():  # tqdm has locks, and begins a thread
                self._bar = tqdm(
                    total=total, unit=f" {name}", delay=0.3, leave=False, dynamic_ncols=True, smoothing=0.1
                )

    @property
    def shown(self) -> bool:
        """Whether anybody wants to know."""
        return self._call is not None or self._bar is not None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            with Held():
                self._bar.close()

    def report(self, done: int, total: int | None = None) -> None:
        """Show how many items are done in all.

        Args:
            done: items.
            total: of the batch, if that is another one than at the beginning.
        """
        if self._call:
            self._call(done, self._total if total is None else total)
        elif self._bar is not None:
            with Held():
                self._bar.update(done - self._bar.n)
