"""The gates: intervals and verdicts of ab.py, instruction counts of icount.py, and what the sanitizers run."""

import json

import ab
import icount
import numpy as np
import pytest
import sanitize
from command import ROOT
from comparing import instructions
from comparing.intervals import paired


def test_intervals_are_those_of_wilcoxons_test():
    """Of 10 rounds its tables leave out 8 of the 55 means at either end, of 6 rounds none."""
    for count, left_out in ((6, 0), (10, 8), (15, 25), (20, 52)):
        logs = [2.0**place for place in range(count)]  # all means differ
        means = sorted((one + other) / 2 for place, one in enumerate(logs) for other in logs[place:])
        pace = np.arange(1.0, count + 1)  # of the machine, the same for both sides of a round
        interval = paired(pace, pace * np.exp(np.array(logs) / 2**count))
        ends = np.log([interval.low, interval.high]) * 2**count
        assert ends == pytest.approx([means[left_out], means[-1 - left_out]])
    with pytest.raises(ValueError, match="5 rounds: an interval needs 6"):
        paired([1] * 5, [1] * 5)


def result(ratio=1.0, nodes=(100, 100), instructions=(None, None), key="nodes"):
    times = [0.001 * (1 + 0.01 * (number % 3)) for number in range(12)]
    return ab.Result((times, [ratio * time for time in times]), [{key: count} for count in nodes], list(instructions))


@pytest.mark.parametrize(("measured", "text", "bad"), [
    (result(), "equal", False),
    (result(1.2), "slower", True),
    (result(0.8), "faster", False),
    (result(0.8, (100, 101)), "MORE WORK: nodes 100 -> 101; faster", True),
    (result(1.0, (100, 99)), "less work: nodes 100 -> 99; equal", False),
    (result(1.0, (1, 2), key="checksum"), "CHANGED ANSWER: checksum 1 -> 2; equal", True),
    (result(1.0, (100, None)), "NOT COUNTED NOW: nodes 100 -> None; equal", True),
    (result(1.0, instructions=(1000, 1020)), "MORE INSTRUCTIONS +2.0%; equal", True),
    (result(1.0, instructions=(1000, 980)), "fewer INSTRUCTIONS -2.0%; equal", False),
    (result(1.0, instructions=(1000, 1009)), "equal", False),
])  # fmt: skip
def test_work_is_exact_and_times_have_a_band(measured, text, bad):
    verdict = ab.verdict(measured)
    assert (verdict.text, verdict.bad) == (text, bad)


# --- instruction counts: reading callgrind's file, judging, what is left out and why ---------------------------------

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


def test_what_is_selected_is_here():
    """Kit's compiled games are among it, and a long test of --quick is cut."""
    kinds = (["address"], ["address", "--quick"], ["thread"])
    chosen = [word for words in kinds for word in sanitize.selection(sanitize.options(words))]
    assert {"tests", "threads", "tests/kit", "tests/duel", "tests/project/test_fuzz_corpus.py"} <= set(chosen)
    assert "--ignore=tests/kit" not in chosen
    paths = [word.removeprefix("--ignore=") for word in chosen if "tests/" in word and "::" not in word]
    assert all((ROOT / path).exists() for path in paths)
    for name in sanitize.OF_ALL_LEVELS:
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), name
