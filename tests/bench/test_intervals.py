"""Intervals: how often they hold the truth, and what is concluded from them."""

import numpy as np
import pytest
from comparing.intervals import EQUAL, FASTER, SLOWER, UNPROVEN, Interval, explained, paired


@pytest.mark.parametrize(
    ("low", "ratio", "high", "verdict"),
    [
        (1.06, 1.1, 1.2, SLOWER),
        (1.04, 1.1, 1.2, UNPROVEN),
        (0.96, 1.0, 1.04, EQUAL),
        (0.9, 1.0, 1.1, UNPROVEN),
        (0.8, 0.9, 0.94, FASTER),
        (0.8, 0.9, 0.96, UNPROVEN),
    ],
)
def test_verdicts_need_the_whole_interval_on_one_side_of_the_band(low, ratio, high, verdict):
    assert Interval(ratio, low, high, 10).verdict == verdict


@pytest.mark.parametrize("truth", [1.0, 1.5])
def test_the_interval_of_few_paired_rounds_holds_the_truth(truth):
    """An equal build is not red, a slower one is not green."""
    rng = np.random.default_rng(1)
    held, wrong, count = 0, 0, 400
    for seed in range(count):
        pace = np.exp(rng.normal(0, 0.3, 10))  # of the machine, the same for both sides of a round
        old, new = pace * np.exp(rng.normal(0, 0.05, 10)), truth * pace * np.exp(rng.normal(0, 0.05, 10))
        interval = paired(old, new, seed)
        held += interval.low <= truth <= interval.high
        wrong += interval.verdict in ((FASTER, EQUAL) if truth > 1 else (FASTER, SLOWER))
    assert held / count > 0.93
    assert wrong == 0


def test_outliers_of_a_loaded_machine_do_not_decide():
    interval = paired([1.0] * 10, [1.0, 1.01, 0.99, 1.0, 5.0, 1.0, 1.01, 1.0, 7.0, 0.99])
    assert interval.verdict != SLOWER
    assert abs(interval.ratio - 1) < 0.02


def test_more_rounds_shrink_the_interval_to_a_verdict():
    assert "more rounds would do" in explained(Interval(1.2, 1.0, 1.44, 10))
    assert "too close to 5% to tell" in explained(Interval(1.05, 1.0, 1.1, 10))
    assert explained(Interval(1.0, 0.99, 1.01, 10)) == EQUAL
    with pytest.raises(ValueError, match="4 rounds: an interval needs 5"):
        paired([1] * 4, [1] * 4)
