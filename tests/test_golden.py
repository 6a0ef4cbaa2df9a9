"""Files that 0.3.0 wrote are read, continued, or refused by a message that names the version; see ``data/golden``.

Stores of another format: ``refusals/prove.txt``.

open.proof        prove.run(Position.start(4, 4), ..., job_nodes=5, limits=Limits(nodes=60, table_mb=0.1))
4x4.xz            prove.export of the same proof, finished with job_nodes=5
answers.jsonl     gamecore solve-file of the first two deals below
"""

import json
import shutil
from pathlib import Path

import pytest
from command import ROOT, said

from gamecore import GamecoreError, hexapawn, prove

GOLDEN = ROOT / "tests" / "data" / "golden"
DEALS = ["DQH2HA:H3D6S3:A:-", "DQ:H3D6:B:DK", "D2C7C8:C4H5C9:A:-"]
START = hexapawn.Position.start(4, 4)


@pytest.fixture
def golden(tmp_path):
    """Copies of the files: a test may write them."""
    return Path(shutil.copytree(GOLDEN, tmp_path / "golden"))


def test_a_store_is_refused(golden):
    """Facts have another form since 0.5; the file is left as it is."""
    store = golden / "open.proof"
    for use in (prove.status, prove.verify, lambda path: prove.run(START, path)):
        with pytest.raises(GamecoreError, match=r"is a store of gamecore 0\.4 or older: begin a new one"):
            use(store)
    assert store.read_bytes() == (GOLDEN / "open.proof").read_bytes()


def test_a_certificate_is_read():
    verification = prove.verify(GOLDEN / "4x4.xz", recheck="all")
    assert not verification.faults
    assert (verification.position, verification.lower, verification.upper) == (START.to_text(), 11, 11)


def test_an_answer_file_is_continued_or_refused_by_name(golden):
    (golden / "deals").write_text("".join(f"{deal}\n" for deal in DEALS))
    answers = golden / "answers.jsonl"
    old = answers.read_text().splitlines()
    assert json.loads(old[0])["version"] == "0.3.0"
    assert said("solve-file", golden / "deals", "-o", answers, "--resume")[0] == 0
    lines = answers.read_text().splitlines()
    assert (lines[:3], len(lines)) == (old, 4)
    assert json.loads(lines[3])["position"] == DEALS[2]
    old[0] = old[0].replace('"format": 2', '"format": 1')
    answers.write_text("\n".join([*old, ""]))
    status, _, err = said("solve-file", golden / "deals", "-o", answers, "--resume")
    assert status == 2
    assert "answers.jsonl" in err
    assert answers.read_text().splitlines() == old  # a refused file is left alone
