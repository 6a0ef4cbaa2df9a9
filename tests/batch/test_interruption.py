"""Signals end every call, a process ends under an open batch, a dropped iterator stops its searches."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
from interrupted import ALONE, HARD, PATIENCE, WAYS, wait_for_threads

from gamecore import duel
from gamecore.batch import workers

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


def descendants(number):
    """The children of a process and theirs: since Python 3.14 workers are children of a server."""
    children = [int(word) for word in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
    return [*children, *(worker for child in children for worker in descendants(child))]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_that_is_interrupted_alone_ends_the_batch(child):
    child.begin("processes: duel")
    time.sleep(1)
    for worker in descendants(child.process.pid):
        os.kill(worker, signal.SIGINT)
    assert (child.says(), child.says()) == ("KeyboardInterrupt", "well")


def test_a_worker_that_was_interrupted_starts_no_other_call():
    def interrupt():
        raise KeyboardInterrupt

    call, key = workers._call, "another process's"  # as two calls of one batch arrive there
    with pytest.raises(KeyboardInterrupt):
        call(key, interrupt)
    with pytest.raises(CancelledError):
        call(key, list)


def test_an_interruption_while_threads_are_started_leaves_none(monkeypatch):
    start = threading.Thread.start

    def interrupted(thread):
        start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        duel.solve_many(["CA:D2:A:-"] * 9, workers=2)
    wait_for_threads()


BEGIN = """
import threading, time
from gamecore import batch, duel, hearts
hard, easy = [duel.deal(23, rng=5)] * 1000, [duel.deal(5, rng=5)]
def beside(call):
    threading.Thread(target=call, daemon=True).start()
    time.sleep(0.2)
"""
ENDS = {
    "an open iterator": "answers = duel.solve_iter(easy + hard, workers=2); next(answers)",
    "an open iterator after an error": "answers = duel.solve_iter(easy + hard, workers=2); next(answers); 1 / 0",
    "an open iterator of functions": "answers = batch.imap(time.sleep, [0] + [60] * 9, workers=2); next(answers)",
    "a daemon thread": "beside(lambda: duel.solve_many(hard, workers=2))",
    "a daemon thread that works alone": "beside(lambda: duel.solve_many(hard))",
    "a simulation": "beside(lambda: hearts.simulate(['pimc:50'] * 4, 10**6, 1, workers=2))",
    "a batch in a batch": "answers = batch.imap(lambda deals: duel.solve_many(deals, workers=2), [easy] + [hard] * 5, "
    "workers=2); next(answers)",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_process_ends_under_a_batch(name):
    command = [sys.executable, "-c", BEGIN + ENDS[name]]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    last = result.stderr.splitlines()[-1:]
    expected = (1, ["ZeroDivisionError: division by zero"]) if "error" in name else (0, [])
    assert (result.returncode, result.stdout, last) == (expected[0], "", expected[1])


@pytest.mark.parametrize("how", ["close", "drop"])
def test_an_iterator_that_is_given_up_stops_its_searches(how):
    iterator = duel.solve_iter(["CA:D2:A:-", *[duel.deal(23, rng=5)] * 1000], workers=2)  # minutes each
    assert next(iterator).exact
    assert any(thread.name == "gamecore" for thread in threading.enumerate())
    if how == "close":
        iterator.close()
    del iterator
    wait_for_threads()
