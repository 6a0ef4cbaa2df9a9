"""Node counts, table stores and checksums of play, exactly as stored, at every CPU level of this machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import signatures as tool

from gamecore import kernels

TOOL = Path(__file__).parent / "signatures.py"


@pytest.mark.parametrize("level", kernels.available_levels())
def test_signatures_are_those_stored(level, data):
    environment = {**os.environ, "GAMECORE_SIMD": level}
    result = subprocess.run(
        [sys.executable, str(TOOL)], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == 0, result.stderr[-3000:]
    lines = tool.differences(data("signatures"), json.loads(result.stdout))
    assert not lines, "\n".join([*lines, "if this was meant: make accept, and say why in the change"])


def test_a_difference_is_told_with_both_numbers():
    stored = {"duel": {"n=8": {"nodes": 10}, "gone": {"nodes": 1}}}
    found = {"duel": {"n=8": {"nodes": 11}}, "rows": {"new": {"mine": 3}}}
    assert tool.differences(stored, stored) == []
    assert tool.differences(stored, found) == [
        "duel: n=8: {'nodes': 10} stored, {'nodes': 11} found",
        "duel: gone: {'nodes': 1} stored, nothing found",
        "rows: new: nothing stored, {'mine': 3} found",
    ]
