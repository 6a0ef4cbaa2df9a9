"""Running programs: limits, process groups, and what ends when the judge ends."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from gamecore.apps import judge as judging
from gamecore.cli import main

PYTHON = sys.executable
PROGRAMS, CLASS = (
    tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["program"]
    for name in ("programs.toml", "class.toml")
)
CASE = judging.Case("", 1, None, "1\nHK\nSK\n", "Alice\n13")
RIGHT = ["printf", "Alice\n13"]


def is_running(pid):
    """Return True if a process exists and is not a zombie."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):  # it may end at any time
        return False


def wait_until(condition, seconds=20.0):
    """Return True as soon as the condition holds, False if it does not hold in time."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


@pytest.fixture
def pids(tmp_path, monkeypatch):
    """A function: the process ids that programs appended to ``$PIDS``, one a line; at the end none of them runs."""
    path = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(path))
    monkeypatch.setenv("PYTHON", PYTHON)

    def written():
        return [int(line) for line in path.read_text().splitlines()] if path.exists() else []

    written.path = path
    yield written
    all_end = wait_until(lambda: not any(map(is_running, written())))
    for pid in written() if not all_end else ():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert all_end


@pytest.fixture(scope="module", autouse=True)
def ballast():
    """Memory of the judge: no program is charged for it."""
    return b"x" * (120 << 20)


@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: row["what"])
def test_programs(row, pids):
    if row.get("linux") and sys.platform != "linux":
        pytest.skip("only Linux limits a process's children")
    words = [PYTHON, "-c", row["python"]] if "python" in row else ["sh", "-c", row["sh"]]
    limits = {"seconds": row.get("seconds", 0.4), "memory_mb": row.get("memory_mb", 400)}
    verdict = judging.judge_case(words, CASE, **limits)
    assert verdict.word == row["word"], verdict
    assert row.get("says", "") in verdict.why
    assert verdict.why.isprintable()
    low, high = row.get("used_mb", (-1, 1e9))
    assert low < verdict.memory_mb < high
    assert len(pids()) == row.get("leaves", 0)


def test_a_function_is_not_charged_for_the_judges_memory(ballast):
    quick = judging.judge_case(lambda text: ("Alice", 13), CASE, seconds=10, memory_mb=100)
    assert (quick.word, quick.memory_mb < 50 < len(ballast)) == ("AC", True)
    large = judging.judge_case(lambda text: len(b"x" * (200 << 20)), CASE, seconds=10, memory_mb=100)
    assert large.word == "MLE"


@pytest.mark.parametrize("target", [RIGHT, lambda text: ("Alice", 13)], ids=["command", "function"])
def test_right_programs_are_accepted_in_several_threads_and_a_process_of_the_callers_is_left_alone(target):
    with ThreadPoolExecutor(3) as pool:
        verdicts = pool.map(lambda _: judging.judge_case(target, CASE, seconds=10), range(24))
        with subprocess.Popen(["sleep", "60"]) as unrelated:
            assert {(verdict.word, verdict.why) for verdict in verdicts} == {("AC", "")}
            assert unrelated.poll() is None
            unrelated.kill()


def test_what_waited_on_a_busy_machine_runs_again_and_alone(tmp_path, monkeypatch):
    log = tmp_path / "log"
    monkeypatch.setenv("LOG", str(log))
    second = """echo begin >> "$LOG"; sleep 0.3; echo end >> "$LOG"; printf 'Alice\n13'"""
    programs = [["sh", "-c", f"if mkdir {tmp_path}/{k}; then sleep 60; fi; {second}"] for k in range(2)]
    for load, word in ((os.cpu_count() + 0.1, "AC"), (os.cpu_count() - 0.1, "ILE")):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0.0, 0.0))
        with ThreadPoolExecutor(2) as pool:
            verdicts = list(pool.map(lambda words: judging.judge_case(words, CASE, seconds=0.2), programs))
        assert {verdict.word for verdict in verdicts} == {word}, verdicts
        for k in range(2):
            (tmp_path / str(k)).rmdir()
    assert log.read_text().split() == ["begin", "end"] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who works")
@pytest.mark.parametrize(("busy", "runs", "hogs"), [(4, 2, 1), pytest.param(14, 200, 10, marks=pytest.mark.nightly)])
def test_a_busy_machine_makes_no_right_program_wrong(busy, runs, hogs):
    right = [PYTHON, "-c", f"sum(range({busy // 4} * 10**6)); print('Alice'); print(13)"]
    hog = [PYTHON, "-c", "data = []\nwhile True: data.append(b'x' * (1 << 20))"]
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(busy)]
    try:
        verdicts = [judging.judge_case(right, CASE) for _ in range(runs)]
        verdicts += [judging.judge_case(hog, CASE) for _ in range(hogs)]
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    assert [verdict.word for verdict in verdicts] == ["AC"] * runs + ["MLE"] * hogs, verdicts


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who works")
def test_a_program_that_works_in_children_of_nobody_ends_too(monkeypatch):
    monkeypatch.setattr("gamecore.apps.judge._run._PATIENCE", 1)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    code = "import os, signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile os.fork() or sum(range(10**6)) < 0:"
    code += "\n    try: os.wait()\n    except OSError: pass"
    assert judging.judge_case([PYTHON, "-c", code], CASE, seconds=0.2).word == "ILE"


@pytest.mark.parametrize(("number", "says"), [
    (signal.SIGTERM, ""), (signal.SIGHUP, ""), (signal.SIGINT, ""),
    (signal.SIGINT, "seconds of processor time without the start-up:\n   cards  yours\n       2  "),
])  # fmt: skip
def test_a_signal_of_the_command_ends_the_program(number, says, pids):
    """What ``--growth`` measured is printed, and plotted."""
    plot = pids.path.with_name("plot.svg")
    growth = ["--growth", "--sizes", "2-3"] if says else []
    growth += ["--plot", str(plot)] if says and find_spec("matplotlib") else []
    words = [PYTHON, "-m", "gamecore", "judge", "duel", "--time", "60", *growth]
    # The judge watches it after a second.
    words += ["--", "sh", "-c", f'read n; [ "$n" -lt {3 * bool(says)} ] || {{ sleep 1; echo $$ > "$PIDS"; sleep 60; }}']
    before = signal.signal(number, signal.SIG_DFL)  # nohup and shells have it ignored, and children inherit that
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        signal.signal(number, before)
        assert wait_until(pids)
        command.send_signal(number)
        output, errors = command.communicate(timeout=20)
    assert (command.returncode, "Traceback" in errors) == (128 + number, False)
    assert output.startswith(says)
    assert plot.exists() == ("--plot" in growth)


def test_each_program_has_a_row(tmp_path, monkeypatch, capsys):
    for row in CLASS:
        file = tmp_path / row["name"]
        file.write_text(row["text"]) if "text" in row else file.symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}")  # no slow shim of a Python
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")  # starts sooner
    words = ["judge", "rows", "--sizes", "1", "--count", "2", "--time", "0.5", "--each"]
    assert main([*words, "*", "--first", "--csv", "--cases", "cases"]) == 1
    printed = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    for row, wanted in zip(printed, CLASS, strict=True):
        there = "compiler" not in wanted or shutil.which(wanted["compiler"])
        assert row["name"] == wanted["name"]
        assert row["verdicts"] == (wanted["verdicts"] if there else "1 CE, 2 not run"), row
        assert row["cases"] == "2" or "CE" not in row["verdicts"], row
        assert row["why"].startswith(wanted.get("why", "") if there else "there is no"), row
        assert (row["cases"] == row["accepted"] == "2", row["why"] == "") == (row["verdicts"] == "2 AC",) * 2, row
    assert printed[-1]["first_failing"] == "1: WA, random, size 1"
    assert len(list(Path("cases").iterdir())) == 4
    assert main([*words, "right.py", "wrong.py", "broken.c", "--json"]) == 1
    right, *others = json.loads(capsys.readouterr().out)
    assert (right["passed"], right["name"], len(right["verdicts"])) == (True, "right.py", 2)
    assert [report["counterexample"]["verdict"] for report in others] == ["WA", "CE"]
    assert main(["judge", "rows", "--sizes", "1", "--growth", "--csv", "--each", "right.py", "list.txt"]) == 1
    out, err = capsys.readouterr()
    sizes, times, startup = csv.reader(out.splitlines())
    assert sizes == ["values", "right.py", "full", "smart", "gamecore"]
    assert (times[0], startup[0], len(times), len(startup)) == ("1", "start-up", 5, 5)
    assert "list.txt: it is not executable" in err
    monkeypatch.setattr(shutil, "which", lambda tool: tool if tool == "javac" else None)
    assert main([*words, "j.java"]) == 1
    assert "there is no java to start it" in capsys.readouterr().out


def test_a_line_at_a_terminal_shows_how_far_a_program_is(tmp_path, monkeypatch):
    (tmp_path / "\x1b[2J.py").write_text("print(input())")
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.chdir(tmp_path)
    assert main(["judge", "rows", "--sizes", "1", "--count", "2", "--each", "\x1b[2J.py"]) == 1
    assert [line.strip() for line in stream.getvalue().split("\r")] == [
        "", "\\x1b[2J.py: 1 of 2", "\\x1b[2J.py: 2 of 2", "", ""]  # fmt: skip
