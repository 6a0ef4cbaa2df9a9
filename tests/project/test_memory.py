"""No call keeps memory: resident memory does not grow while calls, good and bad, are repeated.

``tools/reliability.py leaks`` measures the same over a million calls, of every kind that there is.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
if not TOOLS.is_dir():
    pytest.skip("the tools of a checkout are not here", allow_module_level=True)

CHILD = """
import gc, resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from leak_calls import CALLS
from reliability import resident
call = CALLS[sys.argv[2]]
count = int(sys.argv[3])
for _ in range(count // 4):
    call()
gc.collect()
before = resident()
for _ in range(count):
    call()
gc.collect()
print(resident() - before)
"""

# Calls of some 50 ms in all; a leak of one Python object a call would show as a megabyte or more.
COUNTS = {"duel.solve": 20_000, "hexapawn.solve": 20_000, "rows.value": 100_000, "hearts.Round": 20_000}
NAMES = (
    "duel.solve", "duel.solve, table", "duel.parse, bad text", "duel.solve, limit", "hexapawn.solve",
    "hexapawn.parse, bad text", "hexapawn.solve, threads", "rows.value", "rows.solve", "rows.IntervalOracle",
    "rows.value, bad", "hearts.Round", "hearts.Round, ask", "hearts.Round, pickle", "hearts.solve", "hearts.Round, bad",
)  # fmt: skip


@pytest.mark.skipif("GAMECORE_SANITIZED" in os.environ, reason="sanitizers keep what was freed")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/statm")
@pytest.mark.parametrize("name", NAMES)
def test_memory_does_not_grow(name):
    count = COUNTS.get(name, 4000)
    result = subprocess.run(
        [sys.executable, "-c", CHILD, str(TOOLS), name, str(count)], capture_output=True, text=True, check=True
    )
    assert float(result.stdout) < 0.7  # MiB
