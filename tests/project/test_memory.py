"""No call keeps memory: resident memory does not grow while calls, good and bad, are repeated."""

import os
import sys

import pytest
from command import python

# What is imported once; each call is repeated in a fork, with the heap of that moment.
CHILD = """
import contextlib, gc, os, pickle
from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, rows

leaked = []
deal = duel.Position(["DQ", "H2", "HA"], ["H3", "D6", "S3"])
ten, full, board, row = duel.deal(10, rng=3), duel.deal(26, rng=3), hexapawn.Position.start(3, 3), [5, 7, 9, 1, 4, 2, 8]
fresh, late = hearts.Round.deal(3), hearts.random(rng=3, plies=40)

def refused(call, *arguments):
    with contextlib.suppress(GamecoreError):
        call(*arguments)

CALLS = {
    "planted leak": (20_000, lambda: leaked.append(bytearray(100))),
    "duel.solve": (20_000, lambda: duel.solve(deal)),
    "duel.solve, table": (4000, lambda: duel.solve(ten, Limits(table_mb=4))),
    "duel.solve, limit": (4000, lambda: duel.solve(full, Limits(nodes=50, table_mb=0.1))),
    "duel.parse, bad text": (4000, lambda: refused(duel.parse, "3\\nDQ H2 HA\\nH3 D6 ZZ\\n")),
    "hexapawn.solve": (20_000, lambda: hexapawn.solve(board)),
    "hexapawn.solve, threads": (2000, lambda: hexapawn.solve(board, threads=2)),
    "hexapawn.parse, bad text": (4000, lambda: refused(hexapawn.parse, "3\\n3\\nppp\\n x \\nPPP\\n")),
    "rows.value": (100_000, lambda: rows.value(row)),
    "rows.value, bad": (4000, lambda: refused(rows.value, [1, "x"])),
    "rows.solve": (4000, lambda: rows.solve(row, opponent="greedy")),
    "hearts.Round": (20_000, lambda: hearts.Round.deal(5)),
    "hearts.Round, ask": (4000, lambda: fresh.ask("pimc:1")),
    "hearts.Round, pickle": (4000, lambda: pickle.loads(pickle.dumps(late))),
    "hearts.Round, bad": (4000, lambda: refused(fresh.play, "ZZ")),
    "hearts.solve": (4000, lambda: hearts.solve(late, Limits(table_mb=0.01))),
}

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

for name, (count, call) in CALLS.items():
    if not os.fork():
        for _ in range(count // 4):
            call()
        gc.collect()
        before = resident()
        for _ in range(count):
            call()
        gc.collect()
        print(f"{name}: {resident() - before}", flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""


@pytest.mark.skipif("GAMECORE_SANITIZED" in os.environ, reason="sanitizers keep what was freed")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/statm")
def test_memory_does_not_grow():
    lines = python("-c", CHILD).stdout.splitlines()
    grown = {name: float(mib) for name, mib in (line.split(": ") for line in lines)}
    assert grown.pop("planted leak") > 0.7
    assert len(grown) > 10
    assert max(grown.values()) < 0.7, grown  # MiB
