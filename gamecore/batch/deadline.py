"""Batches whose searches may be cut short: what each position may take, alone and of the time until a deadline."""

import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gamecore.batch.plan import Plan
from gamecore.limits import Limits, limits_of

_SHORTEST: Final = 0.001  # seconds of a portion at least


@dataclass(frozen=True)
class Shares:
    """What each position of a batch may take: the limits, and its share of the time until a deadline.

    Attributes:
        limits: of the batch, of seconds, nodes or a deadline.
        parallel: positions that are solved at a time; it counts where there is a deadline.
    """

    limits: Limits
    parallel: int

    @classmethod
    def of(cls, limits: Limits | None, plan: Plan) -> "Shares | None":
        """The shares of a batch; None where no search can be cut short."""
        limits = limits_of(limits)
        if (limits.seconds, limits.nodes, limits.deadline) == (None, None, None):
            return None
        return cls(limits, 1 if limits.deadline is None else plan.parallel())

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return math.inf if self.limits.deadline is None else max(0.0, self.limits.deadline - time.time())

    def next(self, rest: int | None) -> Limits:
        """The limits of the next position.

        Args:
            rest: positions left in the batch, this one included; None: not known, and then it may use all the time.
        """
        if self.limits.deadline is None:
            return self.limits
        share = self.left / (1 if rest is None else max(rest / self.parallel, 1))
        seconds = share if self.limits.seconds is None else min(share, self.limits.seconds)
        return replace(self.limits, seconds=seconds, deadline=None)

    def in_turn(self, rest: int | None) -> Iterator[Limits]:
        """The limits of one position after another, each from when its turn comes."""
        for at in itertools.count():
            yield self.next(None if rest is None else rest - at)


def portions(seconds: float, count: int) -> Iterator[float]:
    """The seconds that each of several searches may take, one after another, of a time that they share.

    Each gets an equal part of what is left when its turn comes, and a millisecond at least; so what one does not need
    goes to those that come after it.

    Args:
        seconds: for all of them, from when the first is asked for.
        count: how many.
    """
    end = time.perf_counter() + seconds
    for rest in range(count, 0, -1):
        yield max(_SHORTEST, (end - time.perf_counter()) / rest)
