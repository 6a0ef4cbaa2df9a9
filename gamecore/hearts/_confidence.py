"""Confidence intervals for a mean that hold at all sample sizes at once: valid under any stopping rule.

*Theorem.* Let d1, d2, ... be differences on successive deals, each in [-r, r], whose expectation given all deals
before is mu. For a bet b in [0, 1) the capital K_n, the product of 1 + b (di - mu) / (r + mu), is never negative, and
the expectation of its next factor is 1: a fair game that begins with 1. So is the average of the capitals of several
bets. By Ville's inequality a fair game that begins with 1 *ever* reaches 1/alpha with chance at most alpha. The
interval at n is the set of those means m for which neither this average, nor the same one of -d1, -d2, ... and -m, has
reached 2/alpha, played as if mu were m. With chance 1 - alpha it contains mu at *all* n, for any distribution within
the bounds, so also at an n chosen from the data. A factor is 1 - b + b (r + di) / (r + m), which decreases in m: the
set is an interval, and bisection finds its ends. (Ville 1939; Waudby-Smith and Ramdas, Estimating
means of bounded random variables by betting, JRSS B 2024.)

With a passing cycle, expectations differ from deal to deal, and mu is their mean. Factors of different deals are
independent: the expectation of the product over one whole cycle is the product of 1 + b (mu_i - mu) / (r + mu), at most
1 by the inequality of arithmetic and geometric means. After whole cycles the game is fair or unfavourable. Only whole
cycles are evaluated.

A test with 1.96 standard errors is valid at one n fixed in advance. Repeated at every n, it finds a difference between
equal players with certainty (law of the iterated logarithm).

*Cost.* There are eighteen bet sizes, each 1/sqrt(2) of the one before; the one near r sqrt(2 log(2/alpha) / n) / sigma
does best. The interval has about 3.3 standard errors to each side, where a single test has 1.96. Below a few hundred
deals it is wider, because the bounds on d dominate.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

BETS: Final = 0.9 * 2.0 ** (-0.5 * np.arange(18))
_STEPS: Final = 50  # of bisection


class Differences:
    """Histogram of two players' differences by deal.

    Args:
        most: the largest possible difference, either way; differences are whole numbers.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values = np.arange(-most, most + 1, dtype=np.float64)
        self._counts = np.zeros(2 * most + 1, np.int64)

    def add(self, differences: NDArray[np.int64]) -> None:
        """Add deals: (n,) integers from -most to most."""
        self._counts += np.bincount(differences + self.most, minlength=len(self._counts))

    @property
    def deals(self) -> int:
        """Number of deals."""
        return int(self._counts.sum())

    def refutes_zero(self, alpha: float) -> bool:
        """Whether the interval excludes 0; fifty times cheaper than the interval."""
        counts, values = self._counts.astype(np.float64), self._values
        threshold = math.log(2 / alpha)
        return any(_log_capital(self.most + way * values, counts, self.most) >= threshold for way in (1, -1))

    def interval(self, alpha: float) -> tuple[float, float]:
        """The interval of the expectation; all of them hold at once but for a chance of ``alpha``."""
        seen = self._counts > 0
        values, counts = self._values[seen], self._counts[seen].astype(np.float64)
        return self._least(values, counts, alpha), -self._least(-values, counts, alpha)

    def _least(self, values: NDArray[np.float64], counts: NDArray[np.float64], alpha: float) -> float:
        """The smallest mean that the capital does not refute."""
        out, inside = -float(self.most), float(self.most)
        threshold = math.log(2 / alpha)
        for _ in range(_STEPS):
            middle = 0.5 * (out + inside)
            if _log_capital(values + self.most, counts, middle + self.most) < threshold:
                inside = middle
            else:
                out = middle
        return out


def _log_capital(values: NDArray[np.float64], counts: NDArray[np.float64], mean: float) -> float:
    """Logarithm of the average capital of all bets on values >= 0, if ``mean`` were the expectation."""
    each = np.log1p(BETS[:, None] * (values / mean - 1)) @ counts
    most = each.max()
    return float(most + np.log(np.exp(each - most).mean()))


def looks(rounds: int, period: int = 1) -> list[int]:
    """Numbers of deals at which a comparison checks its stopping rule: fixed in advance, whatever the workers.

    Args:
        rounds: limit of deals. period: of the passing directions; all checks are after whole periods.
    """
    found, n = set(), 32
    while n < rounds:
        found.add(n - n % period)
        n += max(16, n // 10)
    return sorted({*found, rounds - rounds % period} - {0})
