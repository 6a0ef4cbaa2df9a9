"""Check the duel's hash by a debug build, which keeps whole states beside the hashes."""

import json

import pytest
from command import python
from oracles.positions import deal

from gamecore import duel

SOLVE = """
import importlib.util, json, sys
path, deals = sys.argv[1], json.loads(sys.argv[2])
spec = importlib.util.spec_from_file_location("gamecore.kernels.baseline.duel", path)
kernel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
answers, collisions, stores = [], 0, 0
for mover, other in deals:
    solver = kernel.Solver(16, -1.0, 10**9)
    answers.append(solver.value(mover, other, -1))
    collisions += solver.collisions
    stores += solver.stores
print(json.dumps([answers, collisions, stores]))
"""


@pytest.mark.nightly
def test_full_keys_agree_on_a_thousand_deals(tmp_path):
    what = {"GAMECORE_DEBUG": "1", "GAMECORE_ONLY": "duel", "GAMECORE_LEVELS": "baseline"}
    result = python("setup.py", "-q", "build_ext", "--build-lib", tmp_path, "--build-temp", tmp_path, **what)
    assert result.returncode == 0, result.stderr[-3000:]
    path = next((tmp_path / "gamecore" / "kernels" / "baseline").glob("duel*"))

    positions = [deal(5 + seed % 7, ("random", "low")[seed % 2], seed) for seed in range(1000)]
    hands = [(position._alice_mask, position._bob_mask) for position in positions]
    result = python("-c", SOLVE, path, json.dumps(hands))
    assert result.returncode == 0, result.stderr[-3000:]
    answers, collisions, stores = json.loads(result.stdout)
    assert collisions == 0
    assert stores > 100_000
    for position, (lower, upper) in zip(positions, answers, strict=True):
        assert lower == upper == duel.solve(position, line=False).value
