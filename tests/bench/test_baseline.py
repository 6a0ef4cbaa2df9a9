"""Baselines: what is slower, missing or moved, on small made-up runs; bad files; pictures; one real run."""

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from gamecore import GamecoreError, cli
from gamecore.cli import bench_plot
from gamecore.cli.bench_plot import Baseline, Record, read_baseline

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("gamecore_benchmark_baseline_tool", ROOT / "benchmarks" / "baseline.py")
tool = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = tool
spec.loader.exec_module(tool)

BUILD = {"gamecore": "0.1.0", "python": "CPython 3.11.7", "platform": "linux x86_64", "level": "v3", "debug": False}


def record(name, best, kind="native", group="duel n=8"):
    game = group.split(" ", maxsplit=1)[0]
    return Record(f"benchmarks/test_{game}.py::{name}", group, game, name, kind, best * 1.1, best, 100)


def run(*records, version="0.1.0", cpu="A", python="CPython 3.11.7", arguments=()):
    saved = f"2026-01-0{version.count('.') + 1}T00:00:00+00:00"
    build = {**BUILD, "python": python}
    return Baseline(version, saved, arguments, build, {"cpu": cpu, "cores": 2}, tuple(records))


def two(native, reference, more=0.01):
    return (
        record("native", native),
        record("full", reference, "reference"),
        record("memoised", reference / 2, "reference"),
        record("large", more, group="duel n=20"),
    )


THEN = run(*two(0.001, 1.0))


def words(now, then=THEN):
    return {name.split("::")[1]: verdict for name, verdict in tool.verdicts(tool.compare(now, then)).items()}


def test_a_slower_machine_is_not_a_slower_version():
    changes = tool.compare(run(*two(0.004, 4.0, 0.04)), THEN)
    assert not any(change.slower for change in changes)
    assert tool.moved(changes, True) == []


def test_slower_than_the_limit_by_ratio():
    assert words(run(*two(0.00149, 1.0)))["native"] == "x1.49"
    assert words(run(*two(0.00151, 1.0)))["native"] == "x1.51 SLOWER"
    # As fast as ever, but the machine is four times faster now.
    assert words(run(*two(0.001, 0.25, 0.0025)))["native"] == "x4.00 SLOWER"
    assert words(run(*two(0.0005, 1.0))) == {
        "native": "x0.50 faster",
        "full": "measure",
        "memoised": "x1.00",
        "large": "x1.00",
    }


def test_only_native_versions_fail():
    records = two(0.001, 1.0)
    slow = [replace(one, best=0.9) if one.version == "memoised" else one for one in records]
    changes = tool.compare(run(*slow), THEN)
    assert tool.verdicts(changes)["benchmarks/test_duel.py::memoised"] == "x1.80 slower"
    assert not any(change.slower for change in changes)


def test_a_group_without_reference_is_measured_by_the_whole_run():
    assert words(run(*two(0.002, 2.0, 0.031)))["large"] == "x1.55 SLOWER"
    # On another machine nothing is known of it.
    assert words(run(*two(0.002, 2.0, 0.031), cpu="B"))["large"] == "x1.55 slower"
    alone = run(record("large", 0.01, group="duel n=20"))
    assert words(alone, alone)["large"] == "?"


def test_missing_and_new():
    now = run(*two(0.001, 1.0)[1:], record("other", 1.0))
    changes = tool.compare(now, THEN)
    lines = tool.moved(changes, True)
    assert lines == ["MISSING  benchmarks/test_duel.py::native", "new      benchmarks/test_duel.py::other"]
    assert tool.verdicts(changes)["benchmarks/test_duel.py::other"] == "new"


def test_what_moved_comes_worst_first_and_without_times_of_another_machine():
    changes = tool.compare(run(*two(0.0013, 1.0, 0.02)), THEN)
    assert tool.moved(changes, True) == [
        "SLOWER   x2.00  benchmarks/test_duel.py::large  by its ratio to the run's references, 10 ms -> 20 ms",
        "slower   x1.30  benchmarks/test_duel.py::native  by its ratio to full, 1 ms -> 1.3 ms",
    ]
    assert all(" -> " not in line for line in tool.moved(changes, False))


def test_another_machine_python_or_level_is_named():
    now = run(*two(1, 1))
    assert tool.other_machine(now, THEN) is None
    assert tool.other_machine(run(*two(1, 1), cpu="B"), THEN) == "machine (A, 2 cores)"
    assert tool.other_machine(run(*two(1, 1), python="CPython 3.11.9"), THEN) is None
    assert tool.other_machine(run(*two(1, 1), python="CPython 3.13.0"), THEN) == "Python (CPython 3.11.7)"
    assert tool.other_machine(replace(now, build_info={**BUILD, "level": "v4"}), THEN) == "CPU level (v3)"


def test_noise_is_measured_again_and_a_slower_version_stays_slower(capsys):
    asked = []

    def answer(native):
        def rerun(names):
            asked.append(names)
            return list(two(native, 1.0)[:3]), True

        return rerun

    slow = tool.compare(run(*two(0.002, 1.0)), THEN)
    kept = tool.confirm(slow, THEN, 1.5, answer(0.0019))
    assert [round(change.factor, 2) for change in kept if change.slower] == [1.9]
    assert len(asked) == 2
    assert [name.split("::")[1] for name in asked[0]] == ["native", "full", "memoised"]
    assert not any(change.slower for change in tool.confirm(slow, THEN, 1.5, answer(0.0011)))
    assert len(asked) == 3
    assert "again, to be sure: duel n=8" in capsys.readouterr().out


def test_conventions_of_extra_info():
    def made(name, info, group="g"):
        return tool.report.record(f"benchmarks/test_rows.py::{name}", group, info, 3.0, 2.0)

    assert made("test_native[5]", {"nodes": 7}).kind == "native"
    assert made("test_play_open_spiel_loop", {}).kind == "peer"
    one = made("test_reference[full-5]", {"version": "full", "work": 4})
    assert (one.game, one.version, one.kind, one.median, one.best) == ("rows", "full", "reference", 0.75, 0.5)
    assert made("test_x", {"kind": "reference"}).kind == "reference"


def test_the_table_has_a_column_of_verdicts():
    now = run(*two(0.002, 1.0))
    verdicts = tool.verdicts(tool.compare(now, THEN))
    lines = tool.report.ratio_tables(list(now.records), verdicts, "0.1.0")
    assert lines[lines.index("duel n=8") :] == [
        "duel n=8",
        "  version   median  times faster  nodes  table  against 0.1.0",
        "  full       1.1 s           1.0    100         measure",
        "  memoised  550 ms           2.0    100         x1.00",
        "  native    2.2 ms         500.0    100         x2.00 SLOWER",
    ]
    assert "against" not in "".join(tool.report.ratio_tables(list(now.records), {}, None))


def test_a_baseline_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "0.1.0.json"
    tool.write_baseline(path, THEN)
    read = read_baseline(path)
    assert sorted(read.records, key=lambda one: one.name) == sorted(THEN.records, key=lambda one: one.name)
    assert replace(read, records=()) == replace(THEN, records=())
    assert [entry.name for entry in tmp_path.iterdir()] == ["0.1.0.json"]


def test_the_best_of_two_runs_is_kept():
    runs = [list(two(0.001, 1.0)), list(two(0.002, 0.5))]
    assert {one.version: one.best for one in tool.best_of(runs)} == {
        "native": 0.001,
        "full": 0.5,
        "memoised": 0.25,
        "large": 0.01,
    }


def test_the_last_saved_is_the_one_to_compare_with(tmp_path):
    assert tool.last_saved(tmp_path) is None
    for version in ("0.9.0", "0.10.0", "0.9.0.1"):
        tool.write_baseline(tmp_path / f"{version}.json", run(*two(1, 1), version=version))
    assert tool.last_saved(tmp_path).name == "0.9.0.1.json"


def damage(**changes):
    data = {**asdict(THEN), "format": bench_plot.FORMAT}
    data["benchmarks"] = [asdict(one) for one in THEN.records]
    data.update(changes)
    return json.dumps(data)


ENTRY = asdict(THEN.records[0])
DAMAGED = {
    "cut off": (damage()[:200], "line 1: "),
    "empty": ("", "Expecting value"),
    "not ASCII": ("\xff", "not ASCII"),
    "a list": ("[]", "its format is not"),
    "nested": ("[" * 100_000, "damaged"),
    "another format": (damage(format="x"), "its format is not 'gamecore baseline 1'"),
    "no build_info": (damage(build_info=None), "build_info is None, not a dict"),
    "no benchmarks": (damage(benchmarks=[]), "it has no benchmarks"),
    "twice": (damage(benchmarks=[ENTRY, ENTRY]), "stands in it twice"),
    "zero": (damage(benchmarks=[{**ENTRY, "best": 0}]), "a time is missing or zero"),
    "a text": (damage(benchmarks=[{**ENTRY, "median": "1"}]), "median is '1', not a number"),
    "not a number": (damage(benchmarks=[{**ENTRY, "best": float("nan")}]), "best is nan"),
    "a number": (damage(benchmarks=[1]), "a benchmark is 1, not an object"),
    "a kind": (damage(benchmarks=[{**ENTRY, "kind": "fast"}]), "kind is 'fast'"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_baselines_give_one_line_and_status_2(name, tmp_path, capsys):
    text, reason = DAMAGED[name]
    path = tmp_path / "0.1.0.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(GamecoreError, match=r"damaged|ASCII"):
        read_baseline(path)
    for arguments in (["compare", "--baseline", str(path)], ["compare", "--results", str(tmp_path)]):
        assert tool.main(arguments) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("compare: ")
        assert reason in captured.err
        assert captured.err.count("\n") == 1
    assert cli.main(["bench-plot", str(path), "-o", str(tmp_path / "x.svg")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "x.svg").exists()


def test_missing_baselines_give_one_line_and_status_2(tmp_path, capsys):
    assert tool.main(["compare", "--results", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"compare: no baseline in {tmp_path}: make baseline saves one\n"
    assert tool.main(["compare", "--baseline", str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_check_counts_and_decides(tmp_path, monkeypatch, capsys):
    now = tool.this_run(list(two(0.001, 1.0)), [])
    tool.write_baseline(tmp_path / "0.1.0.json", now)
    for records, passed, status, told in (
        (two(0.001, 1.0), True, 0, "nothing moved"),
        (two(0.002, 1.0), True, 1, "4 compared, 1 slower by more than 1.5, 0 missing"),
        (two(0.001, 1.0)[1:], True, 1, "4 compared, 0 slower by more than 1.5, 1 missing"),
        (two(0.001, 1.0), False, 1, "4 compared, 0 slower by more than 1.5, 0 missing"),
        ((), False, 1, "4 missing"),
    ):
        monkeypatch.setattr(tool, "run_benchmarks", lambda _, found=(records, passed): (list(found[0]), found[1]))
        monkeypatch.setattr(tool, "confirm", lambda changes, then, limit: changes)
        assert tool.main(["compare", "--results", str(tmp_path)]) == status
        assert told in capsys.readouterr().out
    # A part of the suites: what was not asked for is not missed.
    monkeypatch.setattr(tool, "run_benchmarks", lambda _: (list(two(0.001, 1.0)[1:]), True))
    assert tool.main(["compare", "--results", str(tmp_path), "-k", "duel and not native"]) == 0
    assert "narrowed by -k duel and not native" in capsys.readouterr().out
    tool.write_baseline(tmp_path / "0.1.0.json", replace(now, machine={"cpu": "Z", "cores": 64}))
    tool.main(["compare", "--results", str(tmp_path)])
    assert "baseline 0.1.0 is of another machine (Z, 64 cores): compared by ratios only" in capsys.readouterr().out


def test_nothing_is_saved_of_a_failed_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tool, "run_benchmarks", lambda _: (list(two(1, 1)), False))
    assert tool.main(["save", "--results", str(tmp_path)]) == 1
    assert "not saved" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# --- the picture -------------------------------------------------------------------------------------------------


@pytest.fixture
def releases(tmp_path):
    paths = []
    for number, version in enumerate(("0.10.0", "0.9.0", "0.9.0rc1")):
        path = tmp_path / f"{version}.json"
        rows = record("fold", 0.1 / (number + 1), group="rows n=1000")
        tool.write_baseline(path, run(*two(0.001 * (number + 1), 1.0), rows, version=version))
        paths.append(str(path))
    return paths


def test_a_history_is_drawn(releases, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    outputs = [tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.png"]
    for output in outputs:
        assert cli.main(["bench-plot", *releases, "-o", str(output)]) == 0
    first, second, png = (output.read_bytes() for output in outputs)
    assert first == second
    assert b"<svg" in first
    assert png.startswith(b"\x89PNG")
    assert capsys.readouterr().out == ""


def test_releases_stand_in_order_with_times_and_ratios(releases):
    baselines = sorted(map(read_baseline, releases), key=lambda one: bench_plot.version_key(one.version))
    assert [one.version for one in baselines] == ["0.9.0rc1", "0.9.0", "0.10.0"]
    found = bench_plot.series(baselines)
    seconds, ratios = found["duel"]
    assert [round(value, 4) for _, value in seconds["duel n=8"]] == [0.003, 0.002, 0.001]
    assert [round(value) for _, value in ratios["duel n=8"]] == [333, 500, 1000]
    assert "duel n=20" not in ratios
    assert found["rows"][1] == {}


def test_bad_arguments_of_the_picture(releases, tmp_path, capsys):
    for arguments, reason in (
        ([*releases, "-o", "history.xyz"], "has to end in one of .svg, .png, .pdf"),
        ([releases[0], releases[0], "-o", str(tmp_path / "x.svg")], "two of the files are baselines of version"),
        ([str(tmp_path / "none.json"), "-o", str(tmp_path / "x.svg")], "No such file"),
        ([releases[0], "-o", str(tmp_path / "none" / "x.svg")], "cannot write"),
    ):
        assert cli.main(["bench-plot", *arguments]) == 2
        error = capsys.readouterr().err
        assert reason in error
        assert error.count("\n") == 1


# --- one real run ------------------------------------------------------------------------------------------------


def test_a_real_run_is_saved_and_shown_with_verdicts(tmp_path):
    """On a copy of the suites, so that the saved baselines stay as they are."""
    (tmp_path / "benchmarks").mkdir()
    for name in ("conftest.py", "pyproject.toml", "benchmarks/baseline.py", "benchmarks/report.py"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "benchmarks" / "test_tiny.py").write_text(TINY, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def python(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    options = ("--benchmark-max-time=0.01", "--benchmark-min-rounds=2", "--benchmark-warmup=off")
    first = python("-m", "pytest", "--benchmark", *options)
    assert "no baseline is saved (make baseline): no verdicts" in first.stdout
    saved = python("benchmarks/baseline.py", "save", "--allow-debug", "--runs", "1", *options)
    assert saved.returncode == 0, saved.stdout + saved.stderr
    baseline = read_baseline(next((tmp_path / "benchmarks" / "results").glob("*.json")))
    assert baseline.build_info["compiler"]
    assert {one.kind for one in baseline.records} == {"native", "reference"}
    second = python("-m", "pytest", "--benchmark", *options)
    assert f"against {baseline.version}" in second.stdout
    assert "measure" in second.stdout
    next((tmp_path / "benchmarks" / "results").glob("*.json")).write_text("{", encoding="utf-8")
    third = python("-m", "pytest", "--benchmark", *options)
    assert third.returncode == 2
    assert "is not a baseline or is damaged: line 1" in third.stdout + third.stderr


TINY = """
import time
import pytest

@pytest.mark.parametrize("version", ["naive", "native"])
def test_sleep(benchmark, version):
    benchmark.group = "tiny"
    benchmark.extra_info.update(version=version, kind="native" if version == "native" else "reference")
    benchmark.pedantic(time.sleep, (0.001 if version == "native" else 0.01,), rounds=2)
"""
