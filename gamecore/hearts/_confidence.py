"""Intervals for a mean that hold at every moment at once, so that one may stop when one likes what one sees.

*What holds.* Let d1, d2, ... be differences on successive deals, each in [-r, r], whose expectation given all deals
before is mu. For a bet b in [0, 1) the capital K_n, the product of 1 + b (di - mu) / (r + mu), is never negative, and
the expectation of its next factor is 1: a fair game that begins with 1. So is the average of the capitals of several
bets. By Ville's inequality a fair game that begins with 1 *ever* reaches 1/alpha with chance at most alpha. The
interval at n is the set of those means m for which neither this average, nor the same one of -d1, -d2, ... and -m, has
reached 2/alpha, played as if mu were m: with chance 1 - alpha it holds mu at *all* n, for any distribution within the
bounds, so also at an n that was chosen because of what was seen. A factor is 1 - b + b (r + di) / (r + m), which falls
as m grows: so the set is an interval, and bisection finds its ends. (Ville 1939; Waudby-Smith and Ramdas, Estimating
means of bounded random variables by betting, JRSS B 2024.)

Where cards are passed in turn to the left, to the right and so on, expectations differ from deal to deal, and mu is
their mean. Factors of different deals are independent, so that the expectation of the product over one whole cycle is
the product of 1 + b (mu_i - mu) / (r + mu), at most 1 by the inequality of the means: after whole cycles the game is
fair, or worse, and whole cycles are all that is looked at.

A test at each n with the usual 1.96 standard errors holds at an n that was chosen before, and at no other: who looks
again and again finds a difference where there is none, in the end always (the law of the iterated logarithm).

*What it costs.* Bets are spread over eighteen sizes, each 1/sqrt(2) of the one before, of which the one near
r sqrt(2 log(2/alpha) / n) / sigma does best: the interval is about 3.3 standard errors to each side where a single test
has 1.96, and wider below a few hundred deals, where only the bounds on d are known for certain.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

BETS: Final = 0.9 * 2.0 ** (-0.5 * np.arange(18))
_STEPS: Final = 50  # of bisection


class Differences:
    """Differences of two players on deals, as a histogram: they are multiples of a step between two bounds.

    Args:
        most: the largest difference that there can be, either way; the step is 1.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values = np.arange(-most, most + 1, dtype=np.float64)
        self._counts = np.zeros(2 * most + 1, np.int64)

    def add(self, differences: NDArray[np.int64]) -> None:
        """More deals: (n,) integers from -most to most."""
        self._counts += np.bincount(differences + self.most, minlength=len(self._counts))

    @property
    def deals(self) -> int:
        """How many there are."""
        return int(self._counts.sum())

    def refutes_zero(self, alpha: float) -> bool:
        """Whether the interval leaves out 0, found at a fiftieth of its cost."""
        counts, values = self._counts.astype(np.float64), self._values
        threshold = math.log(2 / alpha)
        return any(_log_capital(self.most + way * values, counts, self.most) >= threshold for way in (1, -1))

    def interval(self, alpha: float) -> tuple[float, float]:
        """Where the expectation lies, at all moments at once but for a chance of ``alpha``."""
        seen = self._counts > 0
        values, counts = self._values[seen], self._counts[seen].astype(np.float64)
        return self._least(values, counts, alpha), -self._least(-values, counts, alpha)

    def _least(self, values: NDArray[np.float64], counts: NDArray[np.float64], alpha: float) -> float:
        """The least mean that the capital does not refute."""
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
    """The logarithm of the average capital of all bets on values from 0 up, as if ``mean`` were the expectation."""
    each = np.log1p(BETS[:, None] * (values / mean - 1)) @ counts
    most = each.max()
    return float(most + np.log(np.exp(each - most).mean()))


def looks(rounds: int, period: int = 1) -> list[int]:
    """After how many deals a comparison looks whether it may stop: fixed beforehand, so that workers do not matter.

    Args:
        rounds: the most deals. period: of the directions in which cards are passed: whole ones are looked at.
    """
    found, n = set(), 32
    while n < rounds:
        found.add(n - n % period)
        n += max(16, n // 10)
    return sorted({*found, rounds - rounds % period} - {0})
