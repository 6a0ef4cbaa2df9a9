"""Threads with small stacks, as in servers with thousands of threads, give the same answers."""

import os
import platform
import sys

import pytest
from command import python

pytestmark = pytest.mark.threads

SOLVE = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from gamecore import Limits, duel

deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
positions = [duel.deal(n, rng=seed) for seed in range(6) for n in (26, 20, 13)]
positions += [duel.Position(deck[k::4] + deck[k + 1 :: 4] + deck[k + 2 :: 4], deck[(k + 3) % 4 :: 4]) for k in (0, 1)]
positions += [duel.Position(deck[:2], deck[2:], "Bob"), duel.Position(deck[2:], deck[:2])]


def work(_):
    answers = [duel.solve(position, Limits(nodes=20_000, table_mb=1)) for position in positions]
    answers += [duel.analyse(position, Limits(nodes=2_000, table_mb=1)) for position in positions]
    return [*answers, *duel.solve_many(positions, Limits(nodes=3_000, table_mb=1), workers=2)]


expected = work(None)
threading.stack_size(int(sys.argv[1]) << 10)
with ThreadPoolExecutor(2) as pool:
    for answers in pool.map(work, range(2)):
        assert answers == expected
print(len(expected))
"""

# Other processors' C libraries and Python 3.14 need stacks of at least 128 KiB; sanitized code ten times as much.
SIZES = [64, 128] if platform.machine() in ("x86_64", "AMD64") and sys.version_info < (3, 14) else [128]
if "GAMECORE_SANITIZED" in os.environ:
    SIZES = [1280]


@pytest.mark.parametrize("kilobytes", SIZES)
def test_deep_positions_on_small_stacks(kilobytes):
    result = python("-c", SOLVE, kilobytes)
    assert (result.returncode, result.stdout, result.stderr) == (0, "66\n", "")
