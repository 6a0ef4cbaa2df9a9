"""What `make compare` says: of work, of times, of what is missing; and the files that it reads."""

import json
from pathlib import Path

import compare
import pytest
import workloads
from comparing import judging, records, register, report
from comparing.records import read_session, together

from gamecore import GamecoreError
from gamecore.reference import hexapawn as reference

NATIVE = "benchmarks/test_duel.py::test_native"
BOARD = reference.start(3, 4)
KNOWN = {
    NATIVE: {"group": "duel n=8, 5 random deals", "kind": "native", "nodes": 100},
    "benchmarks/test_duel.py::test_full": {"group": "duel n=8, 5 random deals", "kind": "reference"},
    "benchmarks/test_pace.py::test_reference_memory": {"group": "pace: memory", "kind": "reference"},
}


@pytest.fixture
def run(session):
    """Three sessions whose native time is as given, for machines of slightly different pace."""

    def make(native=0.001, nodes=100, sessions=3, spread=0.005, paces=(1.0, 1.1, 0.95), **more):
        paths = []
        for number in range(sessions):
            pace = paces[number]
            one = session.entry("native", native * pace * (1 + spread * (number - 1)), nodes=nodes, **more)
            paths.append(session(one, session.entry("full", 1.0 * pace, "reference")))
        return together([read_session(path) for path in paths])

    return make


def verdict_of(now, then, known=KNOWN):
    return compare.verdicts_of(now, then, known)[NATIVE]


def test_equal_and_slower_and_faster_by_time(run):
    then = run()
    assert verdict_of(run(), then).interval.verdict == "equal"
    slower = verdict_of(run(native=0.0012), then)
    assert slower.bad
    assert slower.text.endswith(" slower")
    assert verdict_of(run(native=0.0008), then).good
    # A version is not slower because the machine is four times slower now.
    assert not verdict_of(run(paces=(4.0, 4.2, 3.9)), then).bad


def test_noise_is_no_verdict(run):
    found = verdict_of(run(native=0.0012, spread=0.4), run(spread=0.4))
    assert found.unjudged
    assert not found.bad
    assert "not enough evidence" in found.text


def test_more_work_is_red_whatever_the_clock_says(run):
    found = verdict_of(run(native=0.0005, nodes=101), run())
    assert found.bad
    assert found.text.startswith("MORE WORK: nodes 100 -> 101; x0.5")
    less = verdict_of(run(nodes=99), run())
    assert less.good
    assert not less.bad
    assert less.text.startswith("less work: nodes 100 -> 99")


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({"checksum": 8, "nodes_of_first_deal": 7}, "CHANGED ANSWER: checksum 8 -> 9; "
         "NOT COUNTED BEFORE: nodes none -> 100; NOT COUNTED NOW: nodes of first deal 7 -> none"),
        ({"nodes": 1000, "checksum": 8}, "CHANGED ANSWER: checksum 8 -> 9; less work: nodes 1,000 -> 100"),
        ({"nodes": 100, "checksum": 10}, "CHANGED ANSWER: checksum 10 -> 9"),
    ],
)  # fmt: skip
def test_a_changed_answer_and_a_count_that_comes_or_goes_are_red(run, known, told):
    found = judging.work(run(checksum=9).records, {NATIVE: {"group": "g", "kind": "native", **known}})
    assert found[NATIVE].bad
    assert found[NATIVE].text == told


@pytest.mark.parametrize(
    ("now", "then", "told"),
    [
        ({"sessions": 1}, {}, "an interval needs 3 sessions of each, not 1 and 3"),
        ({}, {"sessions": 2}, "not 3 and 2"),
        ({"rounds": 1}, {}, "fewer than 3 rounds"),
        ({"loaded": True}, {}, "the machine was too loaded to judge"),
        ({}, {"loaded": True}, "too loaded when the baseline was saved"),
    ],
)
def test_what_cannot_be_judged_says_why(run, now, then, told):
    found = verdict_of(run(**now), run(**then))
    assert found.unjudged
    assert told in found.text


def test_a_group_without_reference_is_measured_by_the_pace(session):
    def made(native, pace=None):
        entries = [session.entry("native", native)]
        if pace:
            entries.append(session.entry("reference_memory", pace, "reference", "pace: memory"))
        return together([read_session(session(*entries)) for _ in range(3)])

    assert verdict_of(made(0.002, 2.0), made(0.001, 1.0), {}).interval.verdict == "equal"
    assert verdict_of(made(0.002, 1.0), made(0.001, 1.0), {}).bad
    assert "neither its group nor the run has a reference" in verdict_of(made(0.002), made(0.001), {}).text
    assert "it is new" in verdict_of(made(0.002, 1.0), together([read_session(session())] * 3), {}).text


def test_another_machine_is_named_and_not_judged(session):
    now = read_session(session(session.entry("native", 1), cpu="B", python="CPython 3.13.0"))
    then = read_session(session(session.entry("native", 1)))
    found = compare.verdicts_of(now, then, {})[NATIVE]
    assert found.text == "not judged: the saved run is of another machine (A, 2 cores) and Python (CPython 3.11.7)"


def test_the_summary_names_everything_and_the_status_is_never_silently_green(run, session):
    now, then = run(), run()
    verdicts = compare.verdicts_of(now, then, KNOWN)
    assert compare.summary(now, then, verdicts, "")[1] == 0
    assert compare.summary(now, then, verdicts, "FAILED x")[1] == 1
    assert compare.summary(now, then, {}, "")[1] == 3
    unjudged = compare.verdicts_of(run(rounds=1), then, KNOWN)
    lines, status = compare.summary(now, then, unjudged, "")
    assert status == 3
    assert f"not judged  {NATIVE}: not judged: fewer than 3 rounds" in lines
    gone = together(
        [read_session(session(session.entry("native", 1), missing=["benchmarks/test_duel.py::test_x"]))] * 3
    )
    lines, status = compare.summary(gone, then, verdicts, "")
    assert status == 1
    assert "MISSING     benchmarks/test_duel.py::test_x" in lines
    red = compare.verdicts_of(run(nodes=200), then, KNOWN)
    lines, status = compare.summary(now, then, red, "")
    assert status == 1
    assert any(line.startswith("if other work was meant: make counts") for line in lines)
    assert lines[-1].endswith("1 judged benchmarks, 0 in order, 1 red, 0 not judged, 0 missing")


def test_a_benchmark_that_a_session_lacks_is_missing(session):
    whole = read_session(session(session.entry("native", 1), session.entry("full", 1, "reference")))
    assert together([whole, read_session(session(session.entry("native", 1)))]).missing == (
        "benchmarks/test_duel.py::test_full",
    )
    with pytest.raises(GamecoreError, match=r"sessions of 0\.1\.0, 0\.2\.0 are no one run"):
        together([whole, read_session(session(session.entry("native", 1), version="0.2.0"))])


def test_work_that_differs_between_sessions_is_red(session):
    one, two = (read_session(session(session.entry("native", 1, nodes=nodes))) for nodes in (100, 101))
    found = judging.work(together([one, two]).records, KNOWN)[NATIVE]
    assert (found.text, found.bad) == ("DIFFERS between sessions", True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not a run of gamecore's benchmarks, or is damaged: Expecting"),
        ("[]", "is not a run"),
        ("{}", "no 'machine_info'"),
        ("[" * 100_000, "is not a run"),
    ],
)
def test_damaged_files_are_named(tmp_path, text, reason):
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GamecoreError, match=r"bad\.json") as error:
        read_session(path)
    assert reason in str(error.value)
    with pytest.raises(GamecoreError, match="No such file"):
        read_session(tmp_path / "none.json")


def test_a_time_of_zero_is_damage(session):
    with pytest.raises(GamecoreError, match="median is 0"):
        read_session(session(session.entry("native", 0)))


# --- the register ----------------------------------------------------------------------------------------------------


def test_the_register_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "counts.json"
    assert register.read(path) == {}
    register.write(KNOWN, path)
    assert register.read(path) == KNOWN
    assert [one.name for one in tmp_path.iterdir()] == ["counts.json"]
    needs_nothing_known = '{"a": {"group": "g", "kind": "native", "needs": "v5"}}'
    for damaged in ("{", '{"a": {}}', '{"a": {"group": 1, "kind": "native"}}', "[1]", needs_nothing_known):
        path.write_text(damaged, encoding="utf-8")
        with pytest.raises(GamecoreError, match=r"counts.json' is damaged"):
            register.read(path)


def test_a_narrowed_run_needs_its_groups_references_and_the_pace():
    assert register.needed(KNOWN, [NATIVE]) == KNOWN.keys() - {NATIVE}
    assert register.needed({}, [NATIVE]) == set()


def test_a_renamed_benchmark_is_stale_but_not_one_of_a_file_that_was_not_read():
    renamed = ["benchmarks/test_duel.py::test_renamed", "benchmarks/test_duel.py::test_full"]
    assert register.absent(KNOWN, renamed, ["benchmarks/test_duel.py"]) == ([NATIVE], {})
    assert register.absent(KNOWN, renamed, ["benchmarks/test_rows.py"]) == ([], {})


@pytest.mark.parametrize("has", [{"baseline"}, {"baseline", "v3"}, {"baseline", "v3", "v4"}, set(register.NEEDS)])
def test_an_entry_that_needs_more_than_there_is_is_left_out(monkeypatch, has):
    monkeypatch.setattr(register, "available", lambda: has)
    known = {f"f::{needs}": {"group": "g", "kind": "native", "needs": needs} for needs in register.NEEDS}
    stale, left_out = register.absent(known, [], ["f"])
    assert stale == [f"f::{needs}" for needs in register.NEEDS if needs in has]
    assert left_out == {f"need {needs}": 1 for needs in register.NEEDS if needs not in has}


def test_what_is_long_or_not_ours_is_checked_at_the_highest_level(monkeypatch):
    native, peer = ({"group": "g", "kind": kind, "nodes": 1} for kind in ("native", "peer"))
    monkeypatch.setattr(register.kernels, "available_levels", lambda: ("baseline", "v3"))
    for level, alone in (("v3", None), ("baseline", "are checked at v3 alone")):
        monkeypatch.setattr(register.kernels, "level", lambda level=level: level)
        assert register.unchecked(native, False) is None
        assert register.unchecked(native, True) == register.unchecked(peer, False) == alone
        assert register.unchecked({"group": "g", "kind": "native"}, False) == "count nothing"


def test_the_stored_register_knows_all_suites():
    known = register.read()
    games = {name.partition("::")[0].rpartition("_")[2].removesuffix(".py") for name in known}
    assert games == {
        path.stem.removeprefix("test_") for path in (Path(__file__).parents[2] / "benchmarks").glob("test_*.py")
    }
    assert sum(bool(register.exact(one)) for one in known.values()) > 110
    needs = {name: one.get("needs") for name, one in known.items()}
    assert {name for name in needs if needs[name]} == {
        name for name in known if any(word in name for word in ("-v3-", "-v4-", "avx512"))
    }


# --- conventions and tables ------------------------------------------------------------------------------------------


def test_conventions_of_extra_info():
    def made(name, info, group="g"):
        stats = {"median": 3.0, "min": 2.0, "rounds": 3}
        return records.record(f"benchmarks/test_rows.py::{name}", group, info, stats)

    assert made("test_native[5]", {"nodes": 7}).kind == "native"
    assert made("test_play_open_spiel_loop", {}).kind == "peer"
    one = made("test_reference[full-5]", {"version": "full", "work": 4})
    assert (one.game, one.version, one.kind, one.median, one.best) == ("rows", "full", "reference", 0.75, 0.5)
    assert made("test_x", {"nodes": 7, "varies": True}).exact == {}
    assert made("test_x", {"cpu": 6.0}).times == (3.0,)  # two threads: wall time
    assert made("test_x", {"cpu": 2.9}).times == (2.9,)


def test_a_table_a_group_slowest_first_and_without_empty_columns(run):
    now = run(native=0.002, spread=0, paces=(1, 1, 1))
    lines = report.group_tables(now.records.values(), {}, "against 0.1.0")
    assert lines == [
        "",
        "duel n=8, 5 random deals",
        "  version  median  times faster  nodes",
        "  full        1 s           1.0",
        "  native     2 ms         500.0    100",
    ]
    lines = report.group_tables(now.records.values(), compare.verdicts_of(now, run(), KNOWN), "against 0.1.0")
    assert lines[2].endswith("against 0.1.0")
    assert lines[-1].endswith("slower")


def test_groups_of_one_version_share_a_table(session):
    entries = [session.entry(name, 0.002, group=f"rows {name}", nodes=7) for name in "ab"]
    lines = report.group_tables(read_session(session(*entries)).records.values(), {})
    assert lines == [
        "",
        "without rivals",
        "          median  nodes",
        "  rows a    2 ms      7",
        "  rows b    2 ms      7",
    ]


def test_nodes_of_python_versions_are_the_positions_that_they_expand():
    full, known = workloads.nodes_of(lambda: reference.naive(BOARD), "value_from", reference), {}
    assert full == workloads.nodes_of(lambda: reference.naive(BOARD), "value_from")  # by a profile
    reference.memoised_map(BOARD, known)
    assert len(known) == workloads.nodes_of(lambda: reference.memoised_map(BOARD), "value_from", reference) < full


def test_the_label_saved_last_is_what_is_compared_with(tmp_path, session):
    storage, results = tmp_path / "storage", tmp_path / "results"
    assert compare.saved_sessions(storage, results) == []
    results.mkdir()
    (results / "0.1.0.json").write_bytes(session(session.entry("native", 1)).read_bytes())
    assert compare.saved_sessions(storage, results) == [results / "0.1.0.json"]
    (storage / "Linux").mkdir(parents=True)
    for name in ("0001_gamecore-0.1.0-20260101T1", "0002_gamecore-0.1.0-20260101T2", "0003_gamecore-0.1.0-20260101T2"):
        (storage / "Linux" / f"{name}.json").write_text("{}")
    (storage / "Linux" / "0004_mine.json").write_text("{}")
    assert [path.name[:4] for path in compare.saved_sessions(storage, results)] == ["0002", "0003"]


def test_no_saved_run_and_a_damaged_one_are_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(compare, "saved_sessions", list)
    assert compare.main(["compare"]) == 2
    assert capsys.readouterr().err == "compare: no run is saved: make baseline saves one\n"
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({}))
    assert compare.main(["compare", "--baseline", str(bad)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
