"""The certificates in docs/results/proofs hold: every step follows, and the records beside them say the same."""

import functools
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

RECORDS = {
    "hexapawn-6x6": (-30, -30),
    "hexapawn-6x7": (-34, -34),
    "hexapawn-7x6": (39, 39),
    "hexapawn-5x8": (29, 29),
    "hexapawn-8x7": (51, 51),
    "hexapawn-7x8": (47, 47),
    "duel-26-0": (1, 1),
    "duel-26-4": (-2, -2),
    "duel-26-5": (-1, -1),
    "duel-26-6": (-2, -2),
    "duel-26-7": (-1, -1),
    "duel-26-10": (-1, -1),
}


def start_of(name):
    """Return the position of a name in a certificate."""
    game, *sizes = re.split("(?<=[0-9])x|-", name)
    deal = functools.partial(duel_table.deal, "random")
    return (hexapawn.Position.start if game == "hexapawn" else deal)(*map(int, sizes))


of_each = pytest.mark.parametrize("path", [PROOFS / f"{name}.xz" for name in RECORDS], ids=lambda path: path.stem)


@of_each
def test_it_holds_and_is_of_this_position(path):
    verification = prove.verify(path)
    assert not verification.faults
    assert verification.position == start_of(path.stem).to_text()
    assert (verification.lower, verification.upper) == RECORDS[path.stem]
    assert {file.stem for file in PROOFS.glob("*.xz")} == set(RECORDS)


@of_each
def test_another_value_is_a_fault_and_without_its_last_step_it_does_not_hold(path, tmp_path):
    """The last step is one on which others rest."""
    head, *steps = lzma.decompress(path.read_bytes()).rstrip(b"\n").split(b"\n")
    about, damaged = json.loads(head), tmp_path / path.name
    other = json.dumps(about | {"upper": about["upper"] + 1}).encode()
    damaged.write_bytes(lzma.compress(b"\n".join([other, *steps, b""])))
    assert any("the proof says" in fault for fault in prove.verify(damaged).faults)
    damaged.write_bytes(lzma.compress(b"\n".join([head, *steps[:-1], b""])))
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(damaged)
