"""The kernels as WebAssembly hold the stored signatures; what cannot be built says so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = [sys.executable, str(ROOT / "tools" / "wasm.py")]


@pytest.mark.nightly
def test_signatures_and_tutorials_and_a_changed_one_is_found():
    ran = subprocess.run([*TOOL, "test"], capture_output=True, text=True, check=False)
    if ran.returncode == 77:
        pytest.skip(f"WebAssembly is not tested: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.endswith("all agree\n")
    stored = json.loads((ROOT / "tests" / "data" / "signatures.json").read_text(encoding="utf-8"))
    stored["hexapawn"]["start 4x4, table of 1 MiB"]["nodes"] += 1
    build = ROOT / "build" / "wasm"
    (build / "changed.json").write_text(json.dumps(stored))
    command = ["node", ROOT / "tools" / "web" / "run.mjs", build / "local", ROOT, "/project/tools/web/check.py"]
    ran = subprocess.run([*command, "build/wasm/changed.json"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "hexapawn: start 4x4" in ran.stdout


def test_what_is_missing_is_said():
    environment = {**os.environ, "PATH": "/nowhere"}
    ran = subprocess.run([*TOOL, "test"], capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 77
    assert "emcc, node, npm not found" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
