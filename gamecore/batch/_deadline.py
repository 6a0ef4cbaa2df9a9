"""Batches with a deadline: every position gets its share of the time that is left."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gamecore.batch._plan import Plan
from gamecore.batch._stream import Chunk, Source
from gamecore.limits import Limits


class Numbered(NamedTuple):
    """A payload with the number of items that were left when it was taken, itself included; None: not known."""

    rest: int | None
    payload: Any


class NumberedSource:
    """A source whose payloads are :class:`Numbered`."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.total = source.total
        self._taken = 0

    @property
    def failure(self) -> Exception | None:
        """What was wrong with the next item."""
        return self._source.failure

    @failure.setter
    def failure(self, error: Exception | None) -> None:
        self._source.failure = error

    def take(self, count: int) -> Chunk | None:
        """The next items, at most so many; None at the end."""
        chunk = self._source.take(count)
        if chunk is None:
            return None
        rest = None if self.total is None else max(self.total - self._taken, chunk.count)
        self._taken += chunk.count
        return Chunk(chunk.count, Numbered(rest, chunk.payload), chunk.errors)


@dataclass(frozen=True)
class Shares:
    """How the positions of a batch share the time until its deadline.

    Attributes:
        limits: of the batch, with a deadline.
        parallel: positions that are solved at a time.
    """

    limits: Limits
    parallel: int

    @classmethod
    def of(cls, limits: Limits | None, plan: Plan) -> "Shares | None":
        """The shares of a batch; None where it has no deadline."""
        return None if limits is None or limits.deadline is None else cls(limits, plan.parallel())

    @property
    def left(self) -> float:
        """Seconds."""
        assert self.limits.deadline is not None
        return max(0.0, self.limits.deadline - time.time())

    def next(self, rest: int | None) -> Limits:
        """The limits of the next position.

        Args:
            rest: positions left in the batch, this one included; None: not known, and then it may use all the time.
        """
        share = self.left / (1 if rest is None else max(rest / self.parallel, 1))
        seconds = share if self.limits.seconds is None else min(share, self.limits.seconds)
        return replace(self.limits, seconds=seconds, deadline=None)

    def in_turn(self, rest: int | None) -> Iterator[Limits]:
        """The limits of one position after another, each from when its turn comes."""
        for at in itertools.count():
            yield self.next(None if rest is None else rest - at)
