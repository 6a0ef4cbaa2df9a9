"""No call keeps memory: resident memory does not grow while calls, good and bad, are repeated.

``tools/reliability.py leaks`` measures the same over a million calls, of every kind that there is.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
if not TOOLS.is_dir():
    pytest.skip("the tools of a checkout are not here", allow_module_level=True)

# What is imported once; each call is repeated in a fork, with the heap of that moment.
CHILD = """
import gc, json, os, sys
sys.path.insert(0, sys.argv[1])
from leak_calls import CALLS
from reliability import resident
for name, count in json.loads(sys.argv[2]).items():
    if not os.fork():
        call = CALLS[name]
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

# Calls of some 50 ms in all; a leak of one Python object a call would show as a megabyte or more.
COUNTS = {"duel.solve": 20_000, "hexapawn.solve": 20_000, "rows.value": 100_000, "hearts.Round": 20_000}
NAMES = (
    "duel.solve", "duel.solve, table", "duel.parse, bad text", "duel.solve, limit", "hexapawn.solve",
    "hexapawn.parse, bad text", "hexapawn.solve, threads", "rows.value", "rows.solve",
    "rows.value, bad", "hearts.Round", "hearts.Round, ask", "hearts.Round, pickle", "hearts.solve", "hearts.Round, bad",
)  # fmt: skip


@pytest.mark.skipif("GAMECORE_SANITIZED" in os.environ, reason="sanitizers keep what was freed")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/statm")
def test_memory_does_not_grow():
    counts = json.dumps({name: COUNTS.get(name, 4000) for name in NAMES})
    result = subprocess.run(
        [sys.executable, "-c", CHILD, str(TOOLS), counts], stdout=subprocess.PIPE, text=True, check=True
    )
    grown = {name: float(mib) for name, mib in (line.split(": ") for line in result.stdout.splitlines())}
    assert tuple(grown) == NAMES
    assert max(grown.values()) < 0.7, grown  # MiB
