"""Limits hold: nodes exactly, tables in their memory; without memory a MemoryError; and no call keeps memory."""

import contextlib
import gc
import os
import pickle
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from command import ROOT, python

from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, rows

on_plain_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux") or "GAMECORE_SANITIZED" in os.environ,
    reason="reads /proc/self; sanitizers keep what was freed, and reserve terabytes of addresses",
)
DEAL, BOARD, ROUND = duel.deal(26, rng=3), hexapawn.Position.start(8, 8), hearts.Round.deal(1)
WIDE, LONG = hexapawn.Position.start(4, 16), np.arange(2_000_000) % 1009
HARD = {
    "duel": lambda limits: duel.solve(DEAL, limits, line=False),
    "hexapawn": lambda limits: hexapawn.solve(BOARD, limits, line=False),
    "hexapawn, wide": lambda limits: hexapawn.solve(WIDE, limits),
    "hearts": lambda limits: hearts.solve(ROUND, limits),
    "hearts, paranoid": lambda limits: hearts.solve(ROUND, limits, method="paranoid"),
}


@pytest.mark.parametrize("game", HARD)
@pytest.mark.parametrize("nodes", [0, 1, 2, 100, 4095, 4096, 4097, 12_345, 300_000])
def test_nodes_are_held_exactly(game, nodes):
    assert HARD[game](Limits(nodes=nodes, table_mb=4)).nodes == nodes
    assert nodes or HARD[game](Limits(seconds=0)).nodes == 0


def status(name):
    """Bytes of this program's own memory, as Linux counts them (ru_maxrss begins with what the parent has)."""
    return int(re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii")).group(1)) << 10


def grow(game, table_mb):
    """Print by how much the memory of a search grows that fills its table, and the table's bytes."""
    solve = HARD.get(game, lambda limits: hexapawn.solve(BOARD, limits, line=False, threads=2))
    solve(Limits(nodes=1000, table_mb=0.1))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins at what is used now
    before = status("VmHWM")
    table_bytes = solve(Limits(nodes=100_000 * (2 + int(table_mb)), table_mb=float(table_mb))).table_bytes
    print(status("VmHWM") - before, table_bytes)


# All but threads: one that finds no memory for its very first Python call leaves CPython's Thread.start() waiting.
STARVED = [
    *(lambda solve=solve: solve(Limits(nodes=120_000, table_mb=256)) for solve in list(HARD.values())[:3]),
    lambda: duel.analyse(duel.deal(6, rng=3)),
    lambda: rows.value(LONG),
    lambda: rows.solve(LONG),
    lambda: rows.solve(LONG[:3000], opponent="greedy"),
    lambda: rows.solve_many(np.zeros((4000, 60), np.int16)),
    lambda: hearts.simulate(["random"] * 4, 1000, 1),
    lambda: hearts.solve(ROUND, Limits(nodes=9000, table_mb=512)),
    lambda: ROUND.ask("solver:3"),
]


def starve(seed):
    """Lower the address space to a little above what is used, again and again; print how often that was too little."""
    import resource

    for task in STARVED:
        task()
    rng, refused, hard = random.Random(seed), 0, resource.getrlimit(resource.RLIMIT_AS)[1]
    for _ in range(60):
        task = rng.choice(STARVED)
        resource.setrlimit(resource.RLIMIT_AS, (status("VmSize") + int(2 ** rng.uniform(12, 28)), hard))
        try:
            task()
        except MemoryError:
            refused += 1
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        assert [duel.solve("DQH2HA:H3D6S3:A:-").value, rows.value([5, 7, 9, 1, 4, 2])] == [9, 8]
    print(refused)


def refused(call, argument):
    with contextlib.suppress(GamecoreError):
        call(argument)


SMALL, TEN = duel.Position.from_text("DQH2HA:H3D6S3:A:-"), duel.deal(10, rng=3)
START, ROW, LATE = hexapawn.Position.start(3, 3), [5, 7, 9, 1, 4, 2, 8], hearts.random(rng=3, plies=40)
leaked = []
#: How often a call is repeated, and the call.
REPEATED = {
    "planted": (10_000, lambda: leaked.append(bytearray(100))),
    "duel.solve": (10_000, lambda: duel.solve(SMALL)),
    "duel.solve, table": (2000, lambda: duel.solve(TEN, Limits(table_mb=4))),
    "duel.solve, limit": (2000, lambda: duel.solve(DEAL, Limits(nodes=50, table_mb=0.1))),
    "duel.parse, bad": (2000, lambda: refused(duel.parse, "3\nDQ H2 HA\nH3 D6 ZZ\n")),
    "hexapawn.solve": (10_000, lambda: hexapawn.solve(START)),
    "hexapawn.solve, threads": (1000, lambda: hexapawn.solve(START, threads=2)),
    "hexapawn.parse, bad": (2000, lambda: refused(hexapawn.parse, "3\n3\nppp\n x \nPPP\n")),
    "rows.value": (50_000, lambda: rows.value(ROW)),
    "rows.value, bad": (2000, lambda: refused(rows.value, [1, "x"])),
    "rows.solve": (2000, lambda: rows.solve(ROW, opponent="greedy")),
    "hearts.Round": (10_000, lambda: hearts.Round.deal(5)),
    "hearts.Round, ask": (2000, lambda: ROUND.ask("pimc:1")),
    "hearts.Round, pickle": (2000, lambda: pickle.loads(pickle.dumps(LATE))),
    "hearts.Round, bad": (2000, lambda: refused(ROUND.play, "ZZ")),
    "hearts.solve": (2000, lambda: hearts.solve(LATE, Limits(table_mb=0.01))),
}


def leak(more):
    """Print by how many bytes resident memory grows while each call is repeated, in a fork with the heap of now."""
    for count, call in REPEATED.values():
        if not os.fork():
            sizes = []
            for times in (count // 4, count * int(more)):
                for _ in range(times):
                    call()
                gc.collect()
                sizes.append(status("VmRSS"))
            print(sizes[1] - sizes[0], flush=True)
            os._exit(0)
        assert os.wait()[1] == 0


def printed(*words):
    done = python(__file__, *words, PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "tests")]))
    assert (done.returncode, done.stderr) == (0, "")
    return [*map(int, done.stdout.split())]


@on_plain_linux
@pytest.mark.parametrize("game", ["duel", "hexapawn", "threads", "hearts, paranoid"])
@pytest.mark.parametrize("table_mb", [2, pytest.param(32, marks=pytest.mark.nightly)])
def test_tables_keep_to_their_memory(game, table_mb):
    grown, table_bytes = printed("grow", game, table_mb)
    assert table_bytes <= table_mb << 20
    # Beside the table: children on the path, ordering, the interpreter; threads have stacks and tables of their own.
    assert grown <= (table_mb + (8 if game == "threads" else 4)) << 20


@on_plain_linux
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 4))])
def test_without_memory_there_is_a_memory_error_and_nothing_else(seed):
    (refused,) = printed("starve", seed)
    assert 5 < refused < 55


@on_plain_linux
@pytest.mark.parametrize("more", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_memory_does_not_grow(more):
    grown = dict(zip(REPEATED, printed("leak", more), strict=True))
    assert grown.pop("planted") > 0.7 * 2**20 > max(grown.values()), grown


if __name__ == "__main__":
    {"grow": grow, "starve": starve, "leak": leak}[sys.argv[1]](*sys.argv[2:])
