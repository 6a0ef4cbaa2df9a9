"""Instruction counts: reading callgrind's file, judging, what is left out and why, and a planted slower kernel."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import icount
import pytest
from comparing import instructions

ROOT = Path(__file__).resolve().parents[2]
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
cob=(3) /tmp/y/__kit__/connect4_5a.cpython-311-x86_64-linux-gnu.so
cfn=(3) strange name 12 13
calls=1 +2
* 250
5 3

ob=(3)
fn=(3)
0 250
"""


def test_costs_are_each_kernels_own():
    assert instructions.kernel_costs(CALLGRIND) == {"duel": 123, "kit": 250}


def test_one_percent_is_the_limit():
    stored = {"v3": {"duel": 1_000_000, "rows": 1_000_000}, "baseline": {}}
    assert icount.compare(stored, {"v3": {"duel": 1_010_000, "rows": 500_000}}) == (
        [
            "v3        duel              1,000,000 ->     1,010,000  +1.00%",
            "v3        rows              1,000,000 ->       500,000  -50.00%  less: make icount-save",
        ],
        True,
    )
    lines, is_fine = icount.compare(stored, {"v3": {"duel": 1_010_001, "hearts": 5}})
    assert lines[0].endswith("MORE")
    assert [line.split()[1:3] for line in lines[1:]] == [["hearts", "NOT"], ["rows", "MISSING"]]
    assert not is_fine
    assert icount.compare(stored, stored)[1]


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Counts of this build in a file of their own, measured again without valgrind."""
    path = tmp_path / "icount.json"
    monkeypatch.setattr(icount, "PATH", path)
    monkeypatch.setattr(icount, "measure_all", lambda: {"baseline": {"duel": 1000}})
    monkeypatch.setattr(icount.instructions, "available", lambda: True)
    assert icount.main(["--write"]) == 0
    return path


def test_more_instructions_fail(stored, monkeypatch, capsys):
    assert icount.main([]) == 0
    monkeypatch.setattr(icount, "measure_all", lambda: {"baseline": {"duel": 1030}})
    assert icount.main([]) == 1
    assert "+3.00%  MORE" in capsys.readouterr().out


@pytest.mark.parametrize(("key", "value"), [("compiler", "gcc 4.9"), ("cython", "0.1"), ("python", "cpython 2.7")])
def test_another_build_is_left_out_and_named(stored, key, value, capsys):
    data = json.loads(stored.read_text(encoding="utf-8"))
    stored.write_text(json.dumps({**data, key: value}), encoding="utf-8")
    assert icount.main([]) == icount.LEFT_OUT
    assert f"icount: left out, the counts were stored with {key} {value} and not" in capsys.readouterr().out


def test_without_valgrind_it_is_left_out(stored, monkeypatch, capsys):
    monkeypatch.setattr(icount.instructions, "available", lambda: False)
    capsys.readouterr()
    assert icount.main([]) == icount.LEFT_OUT
    assert capsys.readouterr().out == "icount: left out, valgrind is not installed\n"


@pytest.mark.parametrize("text", ["{", "[]", "{}", None])
def test_damaged_counts_are_an_error(stored, text, capsys):
    stored.unlink()
    if text is not None:
        stored.write_text(text, encoding="utf-8")
    assert icount.main([]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_stored_counts_are_of_every_kernel():
    counts = json.loads((ROOT / "benchmarks" / "icount.json").read_text(encoding="utf-8"))["instructions"]
    kernels = {"duel", "hexapawn", "hexapawn_wide", "rows", "hearts", "kit"}
    assert {level: set(names) for level, names in counts.items()} == dict.fromkeys(icount.LEVELS, kernels)


def test_the_workload_runs(tmp_path):
    icount.workload(tmp_path)


@pytest.mark.nightly
def test_a_loop_of_no_effect_in_a_kernel_is_red(tmp_path):
    """The searches' nodes stay equal; only the instructions tell."""
    if not instructions.available():
        pytest.skip("valgrind is not installed")
    ignored = shutil.ignore_patterns("__pycache__", "__kit__", "results")
    for name in ("gamecore", "pyx", "tools", "benchmarks", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    header, line = tmp_path / "pyx" / "common" / "watch.pxd", "    watch.nodes += 1\n"
    text = header.read_text(encoding="utf-8")
    assert text.count(line) == 1
    loop = "    store_flag(&watch.asked, load_flag(&watch.asked))\n" * 20
    header.write_text(text.replace(line, loop + line), encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(tmp_path), "GAMECORE_ONLY": "hexapawn", "GAMECORE_LEVELS": "baseline", "GAMECORE_SIMD": "",
    }  # fmt: skip
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=600)
    done = subprocess.run(
        [sys.executable, "tools/icount.py"], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True,
        timeout=600,
    )  # fmt: skip
    if done.returncode == icount.LEFT_OUT:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.findall(r"^(\w+ +\w+) .*MORE$", done.stdout, re.MULTILINE) == ["baseline  hexapawn"]
