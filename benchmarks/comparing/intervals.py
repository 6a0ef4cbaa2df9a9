"""Ratios of times with 95% intervals, and what may be concluded from them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BAND = 1.05  # times slower or faster that still count as equal
RESAMPLES = 4000
TRIMMED = 0.2  # of the rounds at either end
FEWEST = 5  # rounds that a bootstrap can work with
MOST = 1000  # rounds that are worth suggesting
# 97.5% points of Student's t by degrees of freedom; beyond them the normal distribution's.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10)
NORMAL = 1.96

SLOWER, FASTER, EQUAL, UNPROVEN = "slower", "faster", "equal", "not enough evidence"


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio of times, new to old: above 1 is slower.

    Attributes:
        ratio: the estimate. low, high: the ends of its 95% interval. rounds: how many it was made from.
    """

    ratio: float
    low: float
    high: float
    rounds: int

    @property
    def verdict(self) -> str:
        """SLOWER or FASTER when the whole interval lies outside the band of 5%, EQUAL when it lies inside."""
        if self.low > BAND:
            return SLOWER
        if self.high < 1 / BAND:
            return FASTER
        return EQUAL if self.low >= 1 / BAND and self.high <= BAND else UNPROVEN

    @property
    def more_rounds(self) -> int | None:
        """About how many more rounds would decide, as the width shrinks with their root; None: more than MOST."""
        half = math.log(self.high / self.low) / 2
        distance = min(abs(math.log(self.ratio) - edge) for edge in (math.log(BAND), -math.log(BAND)))
        if not math.isfinite(half) or distance <= 0:
            return None
        needed = math.ceil(self.rounds * (half / distance) ** 2) - self.rounds
        return max(1, needed) if needed <= MOST else None

    def __str__(self) -> str:
        return f"x{self.ratio:.3f} [{self.low:.3f}, {self.high:.3f}]"


def explained(interval: Interval) -> str:
    """The verdict in words; an open one with what would close it."""
    if interval.verdict != UNPROVEN:
        return interval.verdict
    more = interval.more_rounds
    return f"{UNPROVEN} ({f'{more} more rounds would do' if more else 'too close to 5% to tell'})"


def paired(old: Sequence[float], new: Sequence[float], seed: int = 1) -> Interval:
    """The ratio of times that were measured in turn: round i of one just before or after round i of the other.

    The trimmed mean of the rounds' log ratios, and a bootstrap over rounds. Percentiles of few resampled rounds are too
    narrow, so they are widened as Student's t is wider than the normal distribution.
    """
    logs = np.log(np.asarray(new, float) / np.asarray(old, float))
    count = len(logs)
    if count < FEWEST:
        raise ValueError(f"{count} rounds: an interval needs {FEWEST}")
    estimate = float(_trimmed(logs[None])[0])
    samples = logs[np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))]
    low, high = np.percentile(_trimmed(samples), [2.5, 97.5]) - estimate
    wider = _student(count - 1) / NORMAL * math.sqrt(count / (count - 1))
    return Interval(math.exp(estimate), math.exp(estimate + wider * low), math.exp(estimate + wider * high), count)


def _trimmed(rows: np.ndarray) -> np.ndarray:
    cut = int(TRIMMED * rows.shape[1])
    return np.sort(rows, axis=1)[:, cut : rows.shape[1] - cut].mean(axis=1)


def _student(freedom: int) -> float:
    return STUDENT[freedom - 1] if 1 <= freedom <= len(STUDENT) else NORMAL
