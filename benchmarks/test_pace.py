"""How fast this machine is at the moment: what groups without a reference of their own are measured by."""

import numpy as np


def test_reference_interpreter(benchmark):
    """Plain Python: integers, a list and a dictionary."""
    benchmark.group = "pace: plain Python"

    def work():
        found = {}
        for number in range(20_000):
            found[number & 1023] = found.get(number & 511, 0) + number * 7 % 13
        return sum(found.values())

    assert benchmark.pedantic(work, rounds=40, warmup_rounds=2) > 0


def test_reference_memory(benchmark):
    """NumPy: 16 MiB summed, too much for the inner caches."""
    benchmark.group = "pace: memory"
    values = np.arange(1 << 21)
    assert benchmark.pedantic(values.sum, rounds=60, warmup_rounds=2) == (1 << 20) * ((1 << 21) - 1)
