"""No call keeps memory: resident memory does not grow while calls, good and bad, are repeated.

``tools/reliability.py`` measures the same over a million calls each.
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
from reliability import CALLS, resident
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
COUNTS = {"duel, solve": 20_000, "hexapawn, solve": 20_000, "rows, value": 100_000, "hearts, deal": 20_000}
NAMES = (
    "duel, solve", "duel, table", "duel, bad text", "duel, limit", "hexapawn, solve", "hexapawn, bad text",
    "hexapawn, threads", "rows, value", "rows, solve", "rows, oracle", "rows, bad", "hearts, deal", "hearts, ask",
    "hearts, pickle", "hearts, solve", "hearts, bad",
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
