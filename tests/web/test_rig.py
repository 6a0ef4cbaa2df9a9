"""The kernels as WebAssembly hold the stored signatures; what cannot be built says so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from web.answers import answers  # pytest's pythonpath has the folder of tests

ROOT = Path(__file__).parents[2]
TOOL = [sys.executable, str(ROOT / "tools" / "wasm.py")]


@pytest.mark.nightly
def test_signatures_and_tutorials_and_a_changed_one_is_found():
    ran = subprocess.run([*TOOL, "test"], capture_output=True, text=True, check=False)
    if ran.returncode == 77:
        pytest.skip(f"WebAssembly is not tested: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.endswith("all agree\n")
    command = ["node", ROOT / "tools" / "web" / "run.mjs", ROOT / "build" / "wasm" / "local", ROOT]
    ran = subprocess.run([*command, "/project/tests/web/answers.py"], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == json.loads(json.dumps(answers()))
    stored = json.loads((ROOT / "tests" / "data" / "signatures.json").read_text(encoding="utf-8"))
    stored["hexapawn"]["start 4x4, table of 1 MiB"]["nodes"] += 1
    (ROOT / "build" / "wasm" / "changed.json").write_text(json.dumps(stored))
    command += ["/project/tools/web/check.py", "build/wasm/changed.json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "hexapawn: start 4x4" in ran.stdout


def test_what_is_missing_is_said():
    environment = {**os.environ, "PATH": "/nowhere"}
    ran = subprocess.run([*TOOL, "test"], capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 77
    assert "emcc, node, npm not found" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
