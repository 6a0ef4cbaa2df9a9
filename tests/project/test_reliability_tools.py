"""The tools behind docs/results/reliability.md can say no: each finds a fault that was planted."""

import importlib
import inspect
import json
import mmap
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
TOOLS = TESTS.parent / "tools"
if not TOOLS.is_dir() or sys.platform != "linux":
    pytest.skip("the tools of a checkout on Linux are meant", allow_module_level=True)
sys.path += [str(TOOLS), str(TESTS / "prove"), str(TESTS / "batch")]

import kills  # noqa: E402
import reliability  # noqa: E402
import sanitize  # noqa: E402
import test_kill  # noqa: E402


@pytest.mark.nightly
def test_memory_that_is_kept_is_noticed(capsys):
    """The leak consists of whole pages: small objects could fit into heap that was freed before."""
    freed = [bytes(10_000) for _ in range(4000)]
    above = bytes(10_000)  # so that the heap below it stays with this process
    del freed
    kept = [above]

    def keep():
        block = mmap.mmap(-1, max(16_384, mmap.PAGESIZE), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for at in range(0, len(block), mmap.PAGESIZE):
            block[at] = 1
        kept.append(block)

    calls = {"good": lambda: bytes(10_000), "bad": keep}
    assert reliability.leaks(calls, 2000, 5.0, warm_up=0.0) == ["bad"]
    assert "LEAKS" in capsys.readouterr().out.splitlines()[1]


@pytest.mark.nightly
def test_searches_past_their_time_are_noticed(capsys):
    assert reliability.limits({"late": lambda limits: time.sleep(limits.seconds * 1.2 + 0.08)}, 1) == ["late"]
    assert "4 beyond" in capsys.readouterr().out


@pytest.mark.nightly
def test_a_process_that_does_not_end_is_noticed(monkeypatch):
    test_exit = importlib.import_module("test_exit")
    monkeypatch.setattr(test_exit, "SOON", 1)
    with pytest.raises(subprocess.TimeoutExpired):
        reliability.exits({"a thread": "        threading.Thread(target=time.sleep, args=(3,)).start()\n"}, 1)


HEADER = b'{"gamecore": "solve-file", "format": 2}\n'
KNOWN = [{"index": at, "value": at * at, "seconds": 0.1} for at in range(4)]
LINES = [json.dumps(answer | {"seconds": 7}).encode() + b"\n" for answer in KNOWN]


def test_answers_after_a_kill_are_checked():
    whole = HEADER + b"".join(LINES)
    assert kills.check_answers(whole, KNOWN) == 4
    assert kills.check_answers(whole[:-9], KNOWN) == 3  # the last line is torn
    assert kills.check_answers(HEADER[:5], KNOWN) == 0
    for damaged in (
        b"",  # emptied
        whole + LINES[3],  # one too many
        HEADER + LINES[0] + LINES[2],  # one is missing
        HEADER + LINES[0] * 2,
        HEADER + LINES[0].replace(b"0,", b"5,") + LINES[1],  # a wrong value
        HEADER + LINES[0][:-5] + b"\n" + LINES[1],  # torn in the middle
        b"".join(LINES),
    ):
        with pytest.raises(kills.Damage):
            kills.check_answers(damaged, KNOWN)


@pytest.fixture
def campaign(tmp_path):
    return kills.Campaign("duel", tmp_path, random.Random(1), 300)


@pytest.mark.nightly
def test_runs_are_killed_and_checked(campaign):
    for _ in range(2):
        campaign.kill()
    campaign._refuses(campaign.whole)
    campaign.finish()
    assert campaign.counts["killed"] == 2


@pytest.mark.nightly
def test_a_command_that_empties_files_is_noticed(campaign, monkeypatch, tmp_path):
    """A planted command that opens the file for writing whatever its options."""
    bad = "import sys, time; open(sys.argv[sys.argv.index('-o') + 1], 'w'); time.sleep(9)"
    monkeypatch.setattr(kills, "COMMAND", [sys.executable, "-c", bad])
    monkeypatch.setattr(campaign.rng, "choice", lambda options: "--overwrite")
    campaign.out.write_bytes(campaign.whole)
    with pytest.raises(kills.Damage, match="the file is empty"):
        campaign.kill()


@pytest.mark.nightly
def test_jobs_that_are_lost_are_noticed(tmp_path, monkeypatch):
    run = test_kill.run_and_kill

    def claims_more(*arguments):
        lines, done = run(*arguments)
        return [*lines, {"jobs": 10**6}], done

    monkeypatch.setattr(test_kill, "run_and_kill", claims_more)
    with pytest.raises(AssertionError):
        test_kill.kill_again_and_again(tmp_path / "proof", 1, random.Random(1), 2000)


#: Public functions that `leaks` does not call, and why.
LEFT_OUT = {
    "batch.is_cancelled": "a look at a flag",
    "draw.text_picture": "a position's picture",
    "gamecore.games": "imports packages, once",
    "gamecore.judge": "starts programs; `tests/judging` ends them",
    "gamecore.register": "keeps what it is given",
    "gamecore.build_info": "reads what was built",
    "duel.plot_duels": "matplotlib keeps caches of its own",
    "hearts.plot_strength": "matplotlib keeps caches of its own",
    "rows.plot_table": "matplotlib keeps caches of its own",
    "explore.application": "a server; its requests are called as `explore, ...`",
    "explore.serve": "a server that does not return",
    "explore.widget": "needs a notebook",
}


def test_every_watched_call_works():
    code = "import leak_calls; [call() for call in leak_calls.CALLS.values()]"
    done = subprocess.run([sys.executable, "-c", code], cwd=TOOLS, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_public_function_is_watched_for_leaks():
    names = [line.split('"')[1] for line in (TOOLS / "leak_calls.py").read_text().splitlines() if line[:5] == '    "']
    watched = {name.partition(",")[0] for name in names}
    for package in ("gamecore", "duel", "hexapawn", "rows", "hearts", "prove", "batch", "draw", "explore"):
        module = importlib.import_module("gamecore" if package == "gamecore" else f"gamecore.{package}")
        public = {f"{package}.{name}" for name in module.__all__ if inspect.isroutine(getattr(module, name))}
        assert public - watched - LEFT_OUT.keys() == set()


def test_words_for_pytest_may_follow_any_option(capsys):
    args = sanitize.options(["address", "--levels", "v4", "--", "-k", "duel"])
    assert (args.kind, args.levels, args.rest) == ("address", "v4", ["-k", "duel"])
    assert sanitize.options(["thread"]).rest == []
    with pytest.raises(SystemExit):
        sanitize.options(["address", "-k", "duel"])
    assert "unrecognized arguments: -k duel" in capsys.readouterr().err


def test_a_run_without_the_baseline_leaves_its_tests_out_and_says_so(capsys):
    given = sanitize.options(["address", "--levels", "v3"])
    names = {f"--deselect={name}" for name in sanitize.OF_THE_BASELINE}
    assert names <= set(sanitize.selection(given, ["v3"]))
    out = capsys.readouterr().out
    assert all(name in out for name in sanitize.OF_THE_BASELINE)
    assert not names & set(sanitize.selection(given, ["baseline", "v3"]))
    assert sanitize.selection(sanitize.options(["address", "--", "-k", "duel"]), ["v3"]) == ["-k", "duel"]
    assert capsys.readouterr().out == ""


def test_what_a_sanitized_run_leaves_out_is_there():
    """Pytest ignores a deselected name that no test has any more."""
    files = [str(path.relative_to(TESTS.parent)) for path in TESTS.rglob("*.py")]
    for name in (*sanitize.NOT_OURS, *sanitize.OF_THE_BASELINE):
        start, _, test = name.partition("::")
        found = [file for file in files if file.startswith(start)]
        assert found, name
        assert not test or f"\ndef {test}" in (TESTS.parent / found[0]).read_text(encoding="utf-8"), name
