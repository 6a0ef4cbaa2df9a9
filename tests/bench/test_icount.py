"""Instruction counts: reading callgrind's file, judging, and clear words when there is nothing to judge with."""

import importlib.util
import json
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "icount.py"
spec = importlib.util.spec_from_file_location("gamecore_icount", TOOL)
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

CALLGRIND = """\
# callgrind format
positions: line
events: Ir
summary: 1000

ob=(1) /usr/bin/python3.11
fn=(1) main
0 500
cob=(2) /x/gamecore/kernels/v3/duel.cpython-311-x86_64-linux-gnu.so
cfn=(2) 0x0000000000008590
calls=3 0
0 400
+3 7

ob=(2)
fn=(2)
* 100
-4 20
cob=(3) /x/gamecore/kernels/v3/rows_oracle.cpython-311-x86_64-linux-gnu.so
cfn=(3) strange name 12 13
calls=1 +2
* 250
5 3

ob=(3)
fn=(3)
0 250
"""


def test_costs_are_each_kernels_own():
    assert tool.instructions.kernel_costs(CALLGRIND) == {"duel": 123, "rows_oracle": 250}


def test_one_percent_is_the_limit():
    stored = {"duel": 1_000_000, "rows": 1_000_000}
    assert tool.judge(stored, {"duel": 1_010_000, "rows": 500_000}) == (
        [
            "duel              1,000,000 ->      1,010,000  +1.00%",
            "rows              1,000,000 ->        500,000  -50.00%  less: make icount-save",
        ],
        True,
    )
    lines, fine = tool.judge(stored, {"duel": 1_010_001, "hearts": 5})
    assert lines[0].endswith("MORE")
    assert [line.split() for line in lines[1:]] == [["hearts", "new"], ["rows", "MISSING"]]
    assert not fine
    assert tool.judge(stored, stored)[1]


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Counts of this build in a file of their own, measured again without valgrind."""
    path = tmp_path / "icount.json"
    monkeypatch.setattr(tool, "PATH", path)
    monkeypatch.setattr(tool, "measure", lambda level: {"duel": 1000})
    monkeypatch.setattr(tool.instructions, "available", lambda: True)
    assert tool.main(["--write"]) == 0
    return path


def test_more_instructions_fail_and_another_compiler_is_not_judged(stored, monkeypatch, capsys):
    assert tool.main([]) == 0
    monkeypatch.setattr(tool, "measure", lambda level: {"duel": 1030})
    assert tool.main([]) == 1
    assert "+3.00%  MORE" in capsys.readouterr().out
    data = json.loads(stored.read_text(encoding="utf-8"))
    stored.write_text(json.dumps({**data, "compiler": "gcc 4.9"}), encoding="utf-8")
    assert tool.main([]) == 0
    assert "stored by another build (compiler gcc 4.9): shown, not judged" in capsys.readouterr().out


def test_without_valgrind_without_counts_with_damaged_counts(stored, monkeypatch, capsys):
    stored.write_text("{", encoding="utf-8")
    assert tool.main([]) == 2
    assert "is damaged" in capsys.readouterr().err
    stored.unlink()
    assert tool.main([]) == 2
    assert "make icount-save stores them" in capsys.readouterr().err
    monkeypatch.setattr(tool.instructions, "available", lambda: False)
    assert tool.main([]) == 2
    error = capsys.readouterr().err
    assert error.startswith("icount: valgrind is not installed")
    assert error.count("\n") == 1


def test_the_workload_runs():
    tool.workload()
