"""Ratios of times with 95% intervals, and what may be concluded from them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

BAND = 1.05  # times slower or faster that still count as equal
CONFIDENCE = 0.95
FEWEST = 6  # rounds: an interval of fewer has less confidence, however wide it is

SLOWER, FASTER, EQUAL, UNPROVEN = "slower", "faster", "equal", "not enough evidence"


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio of times, new to old: above 1 is slower.

    Attributes:
        ratio: the estimate. low, high: the ends of its 95% interval.
    """

    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """SLOWER or FASTER when the whole interval lies outside the band of 5%, EQUAL when it lies inside."""
        if self.low > BAND:
            return SLOWER
        if self.high < 1 / BAND:
            return FASTER
        return EQUAL if self.low >= 1 / BAND and self.high <= BAND else UNPROVEN


def paired(old: Sequence[float], new: Sequence[float]) -> Interval:
    """Return the ratio of times that were measured in turn: round i of one just before or after round i of the other.

    The estimate is the median of the means of all pairs of rounds' log ratios (Hodges and Lehmann). The interval is
    exact for any symmetric distribution: it leaves out as many means at either end as Wilcoxon's test allows.
    """
    logs = [math.log(after / before) for before, after in zip(old, new, strict=True)]
    count = len(logs)
    if count < FEWEST:
        raise ValueError(f"{count} rounds: an interval needs {FEWEST}")
    means = sorted((one + other) / 2 for place, one in enumerate(logs) for other in logs[place:])
    ways = [1] + [0] * len(means)  # in which signs of the rounds' ranks give each sum of ranks
    for rank in range(1, count + 1):
        for total in range(len(means), rank - 1, -1):
            ways[total] += ways[total - rank]
    cut, tail = 0, ways[0]
    while (tail + ways[cut + 1]) * 2 <= (1 - CONFIDENCE) * 2**count:
        cut += 1
        tail += ways[cut]
    return Interval(*map(math.exp, (median(means), means[cut], means[-1 - cut])))
