"""Node counts, table stores and checksums of play, exactly as stored, at every CPU level of this machine."""

import json

import pytest
from command import ROOT, python
from oracles.checks import answering

from gamecore import kernels


@pytest.mark.parametrize("level", answering(*kernels.NAMES))
def test_signatures_are_those_stored(level, data):
    """``make accept`` writes them anew; the change says why."""
    result = python(ROOT / "tests" / "signatures.py", GAMECORE_SIMD=level)
    assert result.returncode == 0, result.stderr[-3000:]
    assert json.loads(result.stdout) == data("signatures")
