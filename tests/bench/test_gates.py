"""The intervals and verdicts of ab.py."""

import ab
import numpy as np
import pytest
from comparing.intervals import paired


def test_intervals_are_those_of_wilcoxons_test():
    """Of 10 rounds its tables leave out 8 of the 55 means at either end, of 6 rounds none."""
    for count, left_out in ((6, 0), (10, 8), (15, 25), (20, 52)):
        logs = [2.0**place for place in range(count)]  # all means differ
        means = sorted((one + other) / 2 for place, one in enumerate(logs) for other in logs[place:])
        pace = np.arange(1.0, count + 1)  # of the machine, the same for both sides of a round
        interval = paired(pace, pace * np.exp(np.array(logs) / 2**count))
        ends = np.log([interval.low, interval.high]) * 2**count
        assert ends == pytest.approx([means[left_out], means[-1 - left_out]])
    with pytest.raises(ValueError, match="5 rounds: an interval needs 6"):
        paired([1] * 5, [1] * 5)


def result(ratio=1.0, nodes=(100, 100), instructions=(None, None), key="nodes"):
    times = [0.001 * (1 + 0.01 * (number % 3)) for number in range(12)]
    return ab.Result((times, [ratio * time for time in times]), [{key: count} for count in nodes], list(instructions))


@pytest.mark.parametrize(("measured", "text", "bad"), [
    (result(), "equal", False),
    (result(1.2), "slower", True),
    (result(0.8), "faster", False),
    (result(0.8, (100, 101)), "MORE WORK: nodes 100 -> 101; faster", True),
    (result(1.0, (100, 99)), "less work: nodes 100 -> 99; equal", False),
    (result(1.0, (1, 2), key="checksum"), "CHANGED ANSWER: checksum 1 -> 2; equal", True),
    (result(1.0, (100, None)), "NOT COUNTED NOW: nodes 100 -> None; equal", True),
    (result(1.0, instructions=(1000, 1020)), "MORE INSTRUCTIONS +2.0%; equal", True),
    (result(1.0, instructions=(1000, 980)), "fewer INSTRUCTIONS -2.0%; equal", False),
    (result(1.0, instructions=(1000, 1009)), "equal", False),
])  # fmt: skip
def test_work_is_exact_and_times_have_a_band(measured, text, bad):
    verdict = ab.verdict(measured)
    assert (verdict.text, verdict.bad) == (text, bad)
