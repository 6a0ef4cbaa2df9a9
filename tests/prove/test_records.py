"""The certificates in docs/results/proofs hold: every step follows, and the records beside them say the same."""

import json
import lzma
from pathlib import Path

import pytest

from gamecore import GamecoreError, prove

PROOFS = Path(__file__).resolve().parents[2] / "docs" / "results" / "proofs"
if not PROOFS.exists():
    pytest.skip("the results of a checkout are meant", allow_module_level=True)
LINES = Path(__file__).with_name("records.txt").read_text().splitlines()  #: name, value and position of each
RECORDS = {name: (int(value), position) for name, value, position in map(str.split, LINES)}


@pytest.mark.parametrize("name", sorted({path.stem for path in PROOFS.glob("*.xz")} | RECORDS.keys()))
def test_it_holds_is_of_this_position_and_cannot_be_changed(name, tmp_path):
    """Another value is a fault; without its last step, on which others rest, it does not hold."""
    path, damaged, (value, position) = PROOFS / f"{name}.xz", tmp_path / "damaged", RECORDS[name]
    proof = prove.verify(path)
    assert (proof.faults, proof.lower, proof.upper, proof.position) == ((), value, value, position)
    head, *steps = lzma.decompress(path.read_bytes()).rstrip(b"\n").split(b"\n")
    other = json.dumps(json.loads(head) | {"upper": value + 1}).encode()
    damaged.write_bytes(lzma.compress(b"\n".join([other, *steps, b""])))
    assert any("the proof says" in fault for fault in prove.verify(damaged).faults)
    damaged.write_bytes(lzma.compress(b"\n".join([head, *steps[:-1], b""])))
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(damaged)
