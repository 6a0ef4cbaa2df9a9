"""Duels in other processes: with small stacks, as in servers with thousands of threads, and by a debug build."""

import json
import os
import platform
import sys

import pytest
from command import python
from oracles.positions import deal

from gamecore import duel

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


@pytest.mark.threads
@pytest.mark.parametrize("kilobytes", SIZES)
def test_deep_positions_on_small_stacks(kilobytes):
    result = python("-c", SOLVE, kilobytes)
    assert (result.returncode, result.stdout, result.stderr) == (0, "66\n", "")


#: With a build that keeps whole states beside the hashes.
COMPARE = """
import importlib.util, json, sys
path, deals = sys.argv[1], json.loads(sys.argv[2])
spec = importlib.util.spec_from_file_location("gamecore.kernels.baseline.duel", path)
kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
answers, collisions, stores = [], 0, 0
for mover, other in deals:
    solver = kernel.Solver(16, -1.0, 10**9)
    answers.append(solver.value(mover, other, -1))
    collisions += solver.collisions
    stores += solver.stores
print(json.dumps([answers, collisions, stores]))
"""


@pytest.mark.nightly
def test_full_keys_agree_on_a_thousand_deals(tmp_path):
    what = {"GAMECORE_DEBUG": "1", "GAMECORE_ONLY": "duel", "GAMECORE_LEVELS": "baseline"}
    result = python("setup.py", "-q", "build_ext", "--build-lib", tmp_path, "--build-temp", tmp_path, **what)
    assert result.returncode == 0, result.stderr[-3000:]
    path = next((tmp_path / "gamecore" / "kernels" / "baseline").glob("duel*"))

    positions = [deal(5 + seed % 7, ("random", "low")[seed % 2], seed) for seed in range(1000)]
    hands = [(position._alice_mask, position._bob_mask) for position in positions]
    result = python("-c", COMPARE, path, json.dumps(hands))
    assert result.returncode == 0, result.stderr[-3000:]
    answers, collisions, stores = json.loads(result.stdout)
    assert collisions == 0
    assert stores > 100_000
    for position, (lower, upper) in zip(positions, answers, strict=True):
        assert lower == upper == duel.solve(position, line=False).value
