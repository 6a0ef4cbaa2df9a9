"""Limits hold: nodes exactly, tables in the memory they were given; without memory a MemoryError and nothing else."""

import os
import sys

import pytest
from command import python

from gamecore import Limits, duel, hearts, hexapawn

on_plain_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux") or "GAMECORE_SANITIZED" in os.environ,
    reason="reads /proc/self; sanitizers keep what was freed, and reserve terabytes of addresses",
)
HARD = {
    "duel": lambda limits: duel.solve(duel.deal(26, rng=3), limits),
    "hexapawn": lambda limits: hexapawn.solve(hexapawn.Position.start(8, 8), limits),
    "hexapawn, wide": lambda limits: hexapawn.solve(hexapawn.Position.start(4, 16), limits),
    "hearts": lambda limits: hearts.solve(hearts.Round.deal(1), limits),
}


@pytest.mark.parametrize("game", HARD)
@pytest.mark.parametrize("nodes", [0, 1, 2, 100, 4095, 4096, 4097, 12_345, 300_000])
def test_nodes_are_held_exactly(game, nodes):
    assert HARD[game](Limits(nodes=nodes, table_mb=4)).nodes == nodes
    assert nodes or HARD[game](Limits(seconds=0)).nodes == 0


@pytest.mark.threads
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("nodes", [150_000, 250_001])
def test_threads_share_the_nodes(threads, nodes):
    solution = hexapawn.solve(hexapawn.Position.start(8, 8), Limits(nodes=nodes, table_mb=4), threads=threads)
    # Helpers end when the first thread has done its share: the limit is never passed, but may not be reached.
    assert 100_000 + (nodes - 100_000) // threads <= solution.nodes <= nodes


MEMORY = """
import re, sys
from gamecore import Limits, duel, hearts, hexapawn
board = hexapawn.Position.start(8, 8)
solve = {
    "duel": lambda limits: duel.solve(duel.deal(26, rng=3), limits, line=False),
    "hexapawn": lambda limits: hexapawn.solve(board, limits, line=False),
    "threads": lambda limits: hexapawn.solve(board, limits, line=False, threads=2),
    "hearts": lambda limits: hearts.solve(hearts.Round.deal(1), limits, "paranoid"),
}[sys.argv[1]]
solve(Limits(nodes=1000, table_mb=0.1))
def peak():  # of this program's own memory, KiB; ru_maxrss begins with what the parent has
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()).group(1))
before = peak()
solution = solve(Limits(nodes=3_000_000, table_mb=float(sys.argv[2])))
print(peak() - before, solution.table_bytes)
"""


@on_plain_linux
@pytest.mark.parametrize("game", ["duel", "hexapawn", "threads", "hearts"])
@pytest.mark.parametrize("table_mb", [2, 32])
def test_tables_keep_to_their_memory(game, table_mb):
    grown, table_bytes = map(int, python("-c", MEMORY, game, table_mb).stdout.split())
    assert table_bytes <= table_mb << 20
    # Beside the table: children on the path, ordering, the interpreter; threads have stacks and tables of their own.
    assert grown * 1024 <= (table_mb + (8 if game == "threads" else 4)) << 20


# A child lowers its own address space to a little above what it uses, again and again, and tries all but threads:
# a thread that finds no memory for its very first Python call leaves CPython's Thread.start() waiting for ever.
STARVED = """
import random, resource, sys
import numpy as np
from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, rows

deal = duel.deal(26, rng=3)
board, wide = hexapawn.Position.start(8, 8), hexapawn.Position.start(4, 16)
round_ = hearts.Round.deal(1)
row, long_row = np.arange(3000) % 97, np.arange(2_000_000) % 1009
limits = Limits(nodes=120_000, table_mb=256)
TASKS = [
    lambda: duel.solve(deal, limits),
    lambda: duel.analyse(duel.deal(6, rng=3)),
    lambda: hexapawn.solve(board, limits),
    lambda: hexapawn.solve(wide, limits),
    lambda: rows.value(long_row),
    lambda: rows.solve(long_row),
    lambda: rows.solve(row, opponent="greedy"),
    lambda: rows.solve_many(np.zeros((4000, 60), np.int16)),
    lambda: hearts.simulate(["random"] * 4, 1000, 1),
    lambda: hearts.solve(round_, Limits(nodes=9000, table_mb=512)),
    lambda: round_.ask("solver:3"),
]
for task in TASKS:
    task()

def address_space():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()

rng = random.Random(int(sys.argv[1]))
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
refused = answered = 0
for trial in range(60):
    task = rng.choice(TASKS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + int(2 ** rng.uniform(12, 28)), hard))
    try:
        task()
        answered += 1
    except MemoryError:
        refused += 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    assert [duel.solve("DQH2HA:H3D6S3:A:-").value, rows.value([5, 7, 9, 1, 4, 2])] == [9, 8]
print(refused, answered)
"""


@on_plain_linux
@pytest.mark.parametrize("seed", range(4))
def test_without_memory_there_is_a_memory_error_and_nothing_else(seed):
    result = python("-c", STARVED, seed)
    assert (result.returncode, result.stderr) == (0, "")
    assert min(map(int, result.stdout.split())) > 5  # refused, answered
