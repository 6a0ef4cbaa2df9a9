"""Running programs: limits, process groups, and what ends when the judge ends."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from gamecore.apps import judge as judging
from gamecore.errors import GamecoreError, OptionError

PYTHON = sys.executable
CASE = judging.Case("", 1, None, "1\nHK\nSK\n", "Alice\n13")
RIGHT = [PYTHON, "-c", "print('Alice\\n13')"]


def is_running(pid):
    """Return True if a process exists and is not a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=20.0):
    """Return True as soon as the condition holds, False if it does not hold in time."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


class Pids:
    """The process ids that programs appended to a file, one a line."""

    def __init__(self, path):
        self.path = path

    def __call__(self):
        return [int(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def all_end(self):
        return wait_until(lambda: not any(map(is_running, self())))


@pytest.fixture
def pids(tmp_path):
    return Pids(tmp_path / "pids")


# --- what ends -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [RIGHT, lambda text: ("Alice", 13)], ids=["command", "function"])
def test_right_programs_are_accepted_in_several_threads(target):
    with ThreadPoolExecutor(3) as pool:
        verdicts = list(pool.map(lambda _: judging.judge_case(target, CASE, seconds=10), range(24)))
    assert {(verdict.word, verdict.why) for verdict in verdicts} == {("AC", "")}


def test_a_process_that_the_caller_starts_meanwhile_is_left_alone():
    slow = [PYTHON, "-c", "import time; time.sleep(1); print('Alice\\n13')"]
    with ThreadPoolExecutor(1) as pool:
        verdict = pool.submit(judging.judge_case, slow, CASE, seconds=10)
        time.sleep(0.3)
        with subprocess.Popen(["sleep", "60"]) as unrelated:
            assert verdict.result().word == "AC"
            assert unrelated.poll() is None
            unrelated.kill()


def test_a_long_chain_of_processes_is_ended(tmp_path, pids):
    script = tmp_path / "chain.sh"
    flood = f"{PYTHON} -c 'print(\"x\" * 100000)'"  # the last one has the judge end them all
    end = f'if [ "$1" -gt 0 ]; then sh "$0" $(($1 - 1)); else {flood}; fi\nsleep 60\n'
    script.write_text(f"echo $$ >> {pids.path}\n{end}")
    verdict = judging.judge_case(["sh", str(script), "1100"], CASE, seconds=60)
    assert (verdict.why, len(pids())) == ("wrote more than 64 KiB", 1101)
    assert pids.all_end()


def test_what_a_program_leaves_in_its_group_is_ended(pids):
    leaving = ["sh", "-c", f"sleep 60 & echo $! > {pids.path}; echo Alice; echo 13"]
    assert judging.judge_case(leaving, CASE, seconds=5).word == "AC"
    assert pids()
    assert pids.all_end()


def test_an_interrupted_call_ends_the_program(pids):
    def interrupt():
        if wait_until(pids):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        judging.judge_case(["sh", "-c", f"echo $$ > {pids.path}; sleep 60"], CASE, seconds=30)
    thread.join()
    assert pids.all_end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_of_the_command_ends_the_program(number, pids):
    program = ["sh", "-c", f"echo $$ > {pids.path}; sleep 60"]
    words = [PYTHON, "-m", "gamecore", "judge", "duel", "--time", "60", "--", *program]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        assert wait_until(pids)
        command.send_signal(number)
        _, errors = command.communicate(timeout=20)
    assert command.returncode == 128 + number
    assert "Traceback" not in errors
    assert pids.all_end()


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's children")
def test_the_limits_hold_for_children_that_leave_the_group(pids):
    source = (
        "import os, sys\n"
        "if os.fork() == 0:\n"
        "    os.setsid(); open(sys.argv[1], 'w').write(f'{os.getpid()}\\n')\n"
        "    while True: pass\n"
        "while not os.path.exists(sys.argv[1]): pass\n"
    )
    judging.judge_case([PYTHON, "-c", source, str(pids.path)], CASE, seconds=0.5)
    try:
        assert pids.all_end()
    finally:
        with suppress(ProcessLookupError):
            os.kill(pids()[0], signal.SIGKILL)
    large = f"{PYTHON} -c 'bytearray(10**10)'"
    assert "MemoryError" in judging.judge_case(["sh", "-c", large], CASE, seconds=5, memory_mb=100).why


def test_a_function_is_not_charged_for_the_judges_memory():
    ballast = b"x" * (300 << 20)
    quick = judging.judge_case(lambda text: ("Alice", 13), CASE, seconds=10, memory_mb=100)
    assert (quick.word, len(ballast)) == ("AC", 300 << 20)
    assert quick.memory_mb < 50
    large = judging.judge_case(lambda text: len(b"x" * (200 << 20)), CASE, seconds=10, memory_mb=100)
    assert large.word == "MLE"


def test_memory_that_forks_share_counts_once():
    source = (
        "import os, time\n"
        "data = b'x' * (100 << 20)\n"
        "pids = [os.fork() for _ in range(2)]\n"
        "time.sleep(0.2)\n"
        "if all(pids): os.waitpid(-1, 0)\n"
    )
    verdict = judging.judge_case([PYTHON, "-c", source], CASE, seconds=10, memory_mb=200)
    assert verdict.word == "WA"
    assert 100 < verdict.memory_mb < 150
    assert judging.judge_case([PYTHON, "-c", ""], CASE, memory_mb=200).memory_mb < 100


def test_memory_and_time_of_children_count():
    assert sum(bytearray([1]) * (300 << 20)) == 300 << 20  # the system counts the judge's peak for a new process
    large = f"{PYTHON} -c \"import time; data = b'x' * (150 << 20); time.sleep(0.5)\"; true"
    assert judging.judge_case(["sh", "-c", large], CASE, seconds=10, memory_mb=100).word == "MLE"
    source = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    assert judging.judge_case([PYTHON, "-c", source], CASE, seconds=0.5).word == "TLE"


# --- what cannot be run ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["./mine", b"./mine", [], [1], 3, None, ["./mine", None]])
def test_a_target_that_is_no_command(target):
    with pytest.raises(OptionError, match="target must be a function or the words of a command, not"):
        judging.judge_case(target, CASE)


def test_a_status_that_another_part_of_the_process_took_is_named():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps all children
    try:
        with pytest.raises(GamecoreError, match="exit status is lost"):
            judging.judge_case(RIGHT, CASE, seconds=10)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_command_that_cannot_be_started(tmp_path):
    file = tmp_path / "mine"
    file.write_text("#!/bin/sh\necho Alice; echo 13\n")
    for words, why in (([str(file)], "it is not executable"), ([str(tmp_path / "no")], "there is no such program")):
        with pytest.raises(GamecoreError, match=f"cannot start '.*': {why}"):
            judging.judge_case(words, CASE)
    file.chmod(0o755)
    assert judging.judge_case([str(file)], CASE, seconds=10).word == "AC"
    assert judging.judge_case(["printf", "%s\\n%s", "Alice", "13"], CASE, seconds=1e30, memory_mb=1e30).word == "AC"
