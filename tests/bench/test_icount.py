"""Instruction counts: reading callgrind's file, judging, what is left out and why."""

import json

import icount
import pytest
from command import ROOT
from comparing import instructions

COUNTS = {"duel": 1_000_000, "rows": 1_000_000}


def test_costs_are_each_kernels_own():
    text = (ROOT / "tests" / "data" / "callgrind.txt").read_text(encoding="utf-8")
    assert instructions.kernel_costs(text) == {"duel": 123, "kit": 250}


@pytest.mark.parametrize(("counts", "stored", "status", "text"), [
    (COUNTS, {}, 0, "+0.00%"),
    ({**COUNTS, "duel": 1_010_000}, {}, 0, "+1.00%\n"),
    ({**COUNTS, "duel": 1_010_001}, {}, 1, "+1.00%  MORE"),
    ({**COUNTS, "rows": 500_000}, {}, 0, "-50.00%  less: make accept"),
    ({"duel": 1_000_000}, {}, 1, "rows          MISSING"),
    ({**COUNTS, "hearts": 5}, {}, 1, "hearts        NOT STORED: make accept"),
    *((COUNTS, {key: other}, icount.LEFT_OUT, f"left out, the counts were stored with {key} {other} and not")
      for key, other in (("compiler", "gcc 4.9"), ("cython", "0.1"), ("python", "cpython 2.7"))),
    *((COUNTS, damaged, 2, "cannot be read") for damaged in ("{", "[]", "{}")),
])  # fmt: skip
def test_more_instructions_fail_and_another_build_is_left_out(
    counts, stored, status, text, tmp_path, monkeypatch, capsys
):
    """``stored``: what of the file is other than this build would write, or the whole file."""
    path = tmp_path / "icount.json"
    monkeypatch.setattr(icount, "PATH", path)
    monkeypatch.setattr(icount.instructions, "available", lambda: True)
    monkeypatch.setattr(icount, "measure_all", lambda _: {"baseline": COUNTS})
    assert icount.main(["--write"]) == 0
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(stored if isinstance(stored, str) else json.dumps(data | stored), encoding="utf-8")
    monkeypatch.setattr(icount, "measure_all", lambda _: {"baseline": counts})
    assert icount.main([]) == status
    assert text in "".join(capsys.readouterr())
    monkeypatch.setattr(icount.instructions, "available", lambda: False)
    assert icount.main([]) == icount.LEFT_OUT
    assert capsys.readouterr().out == "icount: left out, valgrind is not installed\n"


def test_the_stored_counts_are_of_every_kernel():
    counts = json.loads((ROOT / "benchmarks" / "icount.json").read_text(encoding="utf-8"))["instructions"]
    kernels = {"duel", "hexapawn", "hexapawn_wide", "rows", "hearts", "kit"}
    assert {level: set(names) for level, names in counts.items()} == dict.fromkeys(icount.LEVELS, kernels)


@pytest.mark.nightly
def test_the_kernels_take_what_is_stored(capsys):
    """A loop without effect in a kernel, whose nodes stay equal, is one of the planted faults."""
    status = icount.main([])
    if status == icount.LEFT_OUT:
        pytest.skip(capsys.readouterr().out.strip())
    assert status == 0, capsys.readouterr().out
