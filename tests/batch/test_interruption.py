"""Signals end every call, a process ends under an open batch, a dropped iterator stops its searches."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from interrupted import ALONE, HARD, PATIENCE, WAYS

from gamecore import duel

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals to a process group")

CHILD = Path(__file__).parent / "interrupted.py"
SOON = 10  # seconds; it takes below half a second, on a machine that does nothing else
RAISED = {signal.SIGINT: "KeyboardInterrupt", signal.SIGTERM: "SystemExit"}
TABLE = [("solve", list(ALONE), number) for number in RAISED]
TABLE += [(way, list(HARD), signal.SIGINT) for way in WAYS]
TABLE += [(way, ["duel", "iterator"], signal.SIGTERM) for way in ("alone", "threads", "pool")]


class Child:
    """A process of ``interrupted``, in a group of its own."""

    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        command = [sys.executable, str(CHILD)]
        self.process = subprocess.Popen(command, text=True, start_new_session=True, **pipes)
        self._lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line.strip())
        self._lines.put("no more")

    def begin(self, task):
        self.process.stdin.write(f"{task}\n")
        self.process.stdin.flush()
        assert self.says() == "begun"

    def says(self):
        return self._lines.get(timeout=PATIENCE + 10)


@pytest.fixture
def child():
    child = Child()
    yield child
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.process.pid, signal.SIGKILL)
    child.process.wait()


@pytest.mark.parametrize(("way", "names", "number"), TABLE)
def test_a_signal_ends_the_task(child, way, names, number):
    for name in names:
        child.begin(f"{way}: {name}")
        time.sleep(0.6 if way == "processes" else 0.2)
        begun = time.monotonic()
        os.killpg(child.process.pid, number)
        assert (name, child.says()) == (name, RAISED[number])
        assert time.monotonic() - begun < SOON, name
        assert (name, child.says()) == (name, "well")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_that_is_interrupted_alone_ends_the_batch(child):
    child.begin("processes: duel")
    time.sleep(1)
    number = child.process.pid
    for worker in Path(f"/proc/{number}/task/{number}/children").read_text().split():
        os.kill(int(worker), signal.SIGINT)
    assert (child.says(), child.says()) == ("KeyboardInterrupt", "well")


BEGIN = """
import sys, threading, time
from gamecore import batch, duel, hearts
hard, easy = [duel.deal(23, rng=5)] * 1000, [duel.deal(5, rng=5)]
def beside(call):
    threading.Thread(target=call, daemon=True).start()
    time.sleep(0.2)
"""
ENDS = {
    "an open iterator": "found = duel.solve_iter(easy + hard, workers=2); next(found)",
    "an open iterator after an error": "found = duel.solve_iter(easy + hard, workers=2); next(found); 1 / 0",
    "an open iterator of functions": "found = batch.imap(time.sleep, [0] + [60] * 9, workers=2); next(found)",
    "a daemon thread": "beside(lambda: duel.solve_many(hard, workers=2))",
    "a daemon thread that works alone": "beside(lambda: duel.solve_many(hard))",
    "a simulation": "beside(lambda: hearts.simulate(['pimc:50'] * 4, 10**6, 1, workers=2))",
    "a batch in a batch": """
found = batch.imap(lambda some: duel.solve_many(some, workers=2), [easy] + [hard] * 5, workers=2); next(found)
""",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_process_ends_under_a_batch(name):
    command = [sys.executable, "-c", BEGIN + ENDS[name]]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if "error" in name:
        assert (result.returncode, result.stderr.splitlines()[-1]) == (1, "ZeroDivisionError: division by zero")
    else:
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("how", ["close", "drop"])
def test_an_iterator_that_is_given_up_stops_its_searches(how):
    iterator = duel.solve_iter(["CA:D2:A:-", *[duel.deal(23, rng=5)] * 1000], workers=2)  # minutes each
    assert next(iterator).exact
    assert any(thread.name == "gamecore" for thread in threading.enumerate())
    if how == "close":
        iterator.close()
    del iterator
    end = time.monotonic() + SOON
    while any(thread.name == "gamecore" for thread in threading.enumerate()):
        assert time.monotonic() < end, "its threads go on"
        time.sleep(0.01)
