"""Running programs: limits, process groups, and what ends when the judge ends."""

import csv
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
from pathlib import Path

import pytest

from gamecore.apps import judge as judging
from gamecore.cli import main
from gamecore.errors import GamecoreError

PYTHON = sys.executable
PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text("utf-8"))["program"]
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

    yield written
    all_end = wait_until(lambda: not any(map(is_running, written())))
    for pid in written() if not all_end else ():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert all_end


@pytest.fixture(scope="module", autouse=True)
def ballast():
    """Memory of the judge: no program is charged for it."""
    return b"x" * (300 << 20)


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
def test_right_programs_are_accepted_in_several_threads(target):
    with ThreadPoolExecutor(3) as pool:
        verdicts = list(pool.map(lambda _: judging.judge_case(target, CASE, seconds=10), range(24)))
    assert {(verdict.word, verdict.why) for verdict in verdicts} == {("AC", "")}


def test_a_process_that_the_caller_starts_meanwhile_is_left_alone():
    slow = ["sh", "-c", "sleep 1; printf 'Alice\n13'"]
    with ThreadPoolExecutor(1) as pool:
        verdict = pool.submit(judging.judge_case, slow, CASE, seconds=10)
        time.sleep(0.3)
        with subprocess.Popen(["sleep", "60"]) as unrelated:
            assert verdict.result().word == "AC"
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
@pytest.mark.parametrize(("busy", "runs", "hogs"), [(4, 4, 1), pytest.param(14, 200, 10, marks=pytest.mark.nightly)])
def test_a_busy_machine_makes_no_right_program_wrong(busy, runs, hogs):
    right = [PYTHON, "-c", "sum(range(4 * 10**6)); print('Alice'); print(13)"]
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_of_the_command_ends_the_program(number, pids):
    words = [PYTHON, "-m", "gamecore", "judge", "duel", "--time", "60", "--"]
    words += ["sh", "-c", 'sleep 1; echo $$ > "$PIDS"; sleep 60']  # the judge watches it after a second
    before = signal.signal(number, signal.SIG_DFL)  # nohup and shells have it ignored, and children inherit that
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        signal.signal(number, before)
        assert wait_until(pids)
        command.send_signal(number)
        _, errors = command.communicate(timeout=20)
    assert (command.returncode, "Traceback" in errors) == (128 + number, False)


def test_cases_are_written_after_the_program_has_ended(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    program = ["sh", "-c", "ls cases >> seen; printf 'Alice\n13'"]
    assert main(["judge", "duel", "--count", "2", "--sizes", "1", "--cases", "cases", "--", *program]) == 1
    assert Path("seen").read_text() == ""
    assert sorted(path.name for path in Path("cases").iterdir())[:2] == ["input01.txt", "input02.txt"]
    assert "2 cases" in capsys.readouterr().out


HEAD, LAST = "import sys; row = list(map(int, sys.stdin.read().split()[1:]))\n", "print(sum(row), 0)"  # of one value
C = """#include <stdio.h>\nint main(void) { long long x; scanf("%*d %lld", &x); printf("%lld 0", x); }"""
JAVA = """import java.util.*; class Other {} public class Main { public static void main(String[] a) {
Scanner s = new Scanner(System.in); s.nextInt(); System.out.println(s.nextLong() + " 0"); } }"""
# Programs of a class: name, text, verdicts with --first, the beginning of the reason.
CLASS = [
    ("broken.c", "int main(void) { return x; }", "1 CE", ""),
    ("crash.py", "1/0", "1 RE", "exit status 1: 'ZeroDivisionError: division by zero'"),
    ("endless.py", "while True: print('x' * 9999)", "1 WA", "wrote more than 64 KiB"),
    ("forks.py", "import os, time\nif not all([os.fork() for _ in range(4)]): time.sleep(60)", "1 WA", "wrote ''"),
    ("j.java", JAVA, "4 AC" if shutil.which("javac") else "1 CE", ""),
    ("list.txt", "", "1 CE", "it is not executable, and its name does not end in one of .py, .c"),
    ("lost.java", None, "1 CE", "cannot read" if shutil.which("javac") else ""),
    ("right.c", C, "4 AC" if shutil.which("cc") else "1 CE", ""),
    ("right.py", HEAD + LAST, "4 AC", ""),
    ("slow.py", "while True: pass", "1 TLE", "more than 3 s of processor time"),
    ("wrong.py", HEAD + LAST.replace("0", "1"), "1 WA", "wrote"),
]


def test_each_program_has_a_row(tmp_path, monkeypatch, capsys):
    for name, text, *_ in CLASS:
        (tmp_path / name).write_text(text) if text is not None else (tmp_path / name).symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    words = ["judge", "rows", "--sizes", "1", "--count", "4", "--time", "3", "--each"]
    assert main([*words, "*", "--first", "--csv", "--cases", "cases"]) == 1
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [(row["name"], row["verdicts"]) for row in rows] == [(name, said) for name, _, said, _ in CLASS]
    for row, (_, _, said, why) in zip(rows, CLASS, strict=True):
        assert row["why"].startswith(why), row
        assert (row["cases"] == row["accepted"] == "4", row["why"] == "") == (said == "4 AC",) * 2, row
    assert rows[-1]["first_failing"] == "1: WA, random, size 1"
    assert len(list(Path("cases").iterdir())) == 8
    assert main([*words, "right.py", "wrong.py", "broken.c", "--json"]) == 1
    right, wrong, broken = json.loads(capsys.readouterr().out)
    assert (right["passed"], wrong["counterexample"]["verdict"], len(wrong["verdicts"])) == (True, "WA", 4)
    assert (broken["passed"], broken["counterexample"]["verdict"], "broken.c" in broken["command"]) == (
        False,
        "CE",
        True,
    )
    assert main([*words, "list.txt"]) == 1
    capsys.readouterr()
    assert main(["judge", "rows", "--sizes", "1-2", "--time", "20", "--growth", "--each", "right.py", "list.txt"]) == 1
    out, err = capsys.readouterr()
    assert "\nright.py " in out
    assert "list.txt: it is not executable" in err


def test_a_status_that_another_part_of_the_process_took_is_named():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps all children
    try:
        with pytest.raises(GamecoreError, match="exit status is lost"):
            judging.judge_case(RIGHT, CASE, seconds=10)
    finally:
        signal.signal(signal.SIGCHLD, before)
