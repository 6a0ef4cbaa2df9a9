"""The certificates in docs/results/proofs hold: every step follows, and the records beside them say the same."""

import json
import lzma
import re
import sys
from pathlib import Path

import pytest

from gamecore import GamecoreError, hexapawn, prove

ROOT = Path(__file__).resolve().parents[2]
PROOFS = ROOT / "docs" / "results" / "proofs"
if not PROOFS.exists():
    pytest.skip("the results of a checkout are meant", allow_module_level=True)
sys.path.append(str(ROOT / "examples"))

import duel_table  # noqa: E402

VALUES = {
    "hexapawn-6x6": -30, "hexapawn-6x7": -34, "hexapawn-7x6": 39, "hexapawn-5x8": 29, "hexapawn-8x7": 51,
    "hexapawn-7x8": 47, "duel-26-0": 1, "duel-26-4": -2, "duel-26-5": -1, "duel-26-6": -2, "duel-26-7": -1,
    "duel-26-10": -1,
}  # fmt: skip


def start_of(name):
    """Return the position of a name in a certificate."""
    game, *sizes = re.split("(?<=[0-9])x|-", name)
    sizes = map(int, sizes)
    return hexapawn.Position.start(*sizes) if game == "hexapawn" else duel_table.deal("random", *sizes)


@pytest.mark.parametrize("name", sorted({path.stem for path in PROOFS.glob("*.xz")} | VALUES.keys()))
def test_it_holds_is_of_this_position_and_cannot_be_changed(name, tmp_path):
    """Another value is a fault; without its last step, on which others rest, it does not hold."""
    path, damaged, value = PROOFS / f"{name}.xz", tmp_path / "damaged", VALUES[name]
    proof = prove.verify(path)
    assert (proof.faults, proof.lower, proof.upper) == ((), value, value)
    assert proof.position == start_of(name).to_text()
    head, *steps = lzma.decompress(path.read_bytes()).rstrip(b"\n").split(b"\n")
    other = json.dumps(json.loads(head) | {"upper": value + 1}).encode()
    damaged.write_bytes(lzma.compress(b"\n".join([other, *steps, b""])))
    assert any("the proof says" in fault for fault in prove.verify(damaged).faults)
    damaged.write_bytes(lzma.compress(b"\n".join([head, *steps[:-1], b""])))
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(damaged)
