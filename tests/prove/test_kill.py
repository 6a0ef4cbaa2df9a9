"""kill -9 of a run, or of its Dask workers, and signals with handlers: at most the jobs under way are lost."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from _thread import start_new_thread
from collections import Counter
from contextlib import contextmanager

import pytest

from gamecore import hexapawn, prove
from gamecore.errors import GamecoreError
from gamecore.limits import Limits
from gamecore.prove import _database, _store
from gamecore.prove._store import Store

BOARD, VALUE = "6x6", -30
COMMAND = [sys.executable, "-m", "gamecore", "prove", "hexapawn", BOARD, "--json", "--table-mb", "4"]


def run_and_kill(store, threads, seconds, job_nodes):
    """Run the command and kill it after this many seconds of work, unless it ends before.

    Returns:
        The last lines that it wrote, and whether it came to its end.
    """
    command = [*COMMAND, "--store", str(store), "--threads", str(threads), "--job-nodes", str(job_nodes)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while process.poll() is None and not store.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        with_rest = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < with_rest:
            time.sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL), err
        lines = [json.loads(line) for line in out.decode().splitlines() if line.endswith("}")]
        return lines, process.returncode == 0


def checked_jobs_in(store):
    """The jobs of a store whose proof was checked; 0 where the process was killed before it had made the store."""
    try:
        status = prove.status(store)
    except GamecoreError as error:
        if "it is empty" not in str(error):
            raise
        return 0
    assert not prove.verify(store).faults
    return status.jobs


def kill_again_and_again(store, kills, rng, job_nodes):
    """Kill runs this many times, starting a new one when one ends; return how many were killed and how many ended."""
    killed = ended = 0
    before = 0
    while killed < kills:
        threads = rng.choice((1, 2))
        lines, done = run_and_kill(store, threads, rng.uniform(0.0, 0.5), job_nodes)
        written = max((line["jobs"] for line in lines), default=0)
        after = checked_jobs_in(store)
        assert after >= max(before, written)  # nothing that was said to be done is lost
        before = after
        if not done:
            killed += 1
            continue
        ended += 1
        assert lines[-1]["event"] == "result"
        assert lines[-1]["value"] == VALUE
        before = 0
        for end in ("", "-wal", "-shm"):
            (store.parent / (store.name + end)).unlink(missing_ok=True)
    return ended


def finish(store):
    command = [*COMMAND, "--store", str(store)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout.splitlines()[-1])["value"] == VALUE


def test_three_kills(tmp_path):
    store = tmp_path / "proof"
    kill_again_and_again(store, 3, random.Random(1), 2000)
    finish(store)


@pytest.mark.nightly
def test_fifty_kills(tmp_path):
    store = tmp_path / "proof"
    kill_again_and_again(store, 50, random.Random(2), 2000)
    finish(store)
    assert not prove.verify(store, recheck=3).faults


def test_ctrl_c(tmp_path):
    store = tmp_path / "proof"
    command = [*COMMAND, "--store", str(store), "--job-nodes", "3000"]
    command[5] = "8x8"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if json.loads(line)["jobs"] > 3:
                break
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "gamecore: interrupted"
    assert prove.status(store).jobs > 3


class Struck(ValueError):
    """What handlers raise here: also an error of this kind is no damage of a store."""


def strike(number, frame):
    raise KeyboardInterrupt if number == signal.SIGINT else Struck


SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGUSR1") if hasattr(signal, name)]


@contextmanager
def handlers():
    """Set the handlers; yield what they raised and Python dropped."""
    dropped, hook = [], sys.unraisablehook
    before = [signal.signal(number, strike) for number in SIGNALS]
    sys.unraisablehook = dropped.append
    try:
        yield dropped
    finally:
        sys.unraisablehook = hook
        for number, one in zip(SIGNALS, before, strict=True):
            signal.signal(number, one)


def interrupt_again_and_again(folder, times, rng):
    """Interrupt runs this many times by each signal, at random moments, and check their stores.

    Python drops what a handler raises while a finalizer runs, and calls ``sys.unraisablehook``; such a run is repeated.
    Python's import drops a ValueError: the first run, without signals, imports all.

    Returns:
        How many runs were interrupted, by name of the signal, how many had ended before, and how many were dropped.
    """
    start, counts, before = hexapawn.Position.start(5, 5), Counter(), 0
    prove.run(start, folder / "first", threads=2, limits=Limits(nodes=60, table_mb=0.1))
    while left := [one for one in SIGNALS if counts[one.name] < times]:
        number = rng.choice(left)
        store = folder / str(counts["ended"])
        sent, dropped, raised, delay = [], [], None, rng.random() * rng.choice((0.02, 0.2))

        def send(number=number, sent=sent, delay=delay):
            time.sleep(delay)
            sent.append(number)
            signal.pthread_kill(threading.main_thread().ident, number)

        try:
            with handlers() as dropped:
                start_new_thread(send, ())
                limits, threads = Limits(table_mb=0.1), rng.choice((1, 2))
                prove.run(start, store, job_nodes=rng.choice((20, 200)), threads=threads, limits=limits)
                end = time.monotonic() + 30
                while not dropped and time.monotonic() < end:  # the signal is still to come
                    time.sleep(0.001)
        except (KeyboardInterrupt, Struck) as error:
            raised = type(error)
        if raised is None and dropped:
            counts["dropped"] += 1
            continue
        assert (sent, raised) == ([number], KeyboardInterrupt if number == signal.SIGINT else Struck)
        counts[number.name] += 1
        after = checked_jobs_in(store) if store.exists() else 0
        assert after >= before
        before = after
        if before and prove.status(store).answered:
            assert prove.status(store).lower == 19
            counts["ended"] += 1
            before = 0
    return counts


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread here")
def test_interruptions(tmp_path):
    interrupt_again_and_again(tmp_path, 10, random.Random(1))


def interrupt_lines(folder, step, monkeypatch):
    """Press Ctrl-C at every ``step``-th line of ``_store.py`` that a short run executes.

    Returns:
        The number of runs, and the errors of last writes that failed.
    """
    start, runs, left, failed = hexapawn.Position.start(4, 4), 0, 0, set()
    write_entries = Store.write_entries

    def last_write(self, work):
        try:
            write_entries(self, work)
        except GamecoreError as error:
            failed.add(str(error).partition("'")[0])
            raise

    def trace(frame, event, argument):
        nonlocal left
        left -= event == "line"
        if event == "line" and not left:
            raise KeyboardInterrupt
        return trace if frame.f_code.co_filename in (_store.__file__, _database.__file__) else None

    monkeypatch.setattr(Store, "write_entries", last_write)
    before = sys.gettrace()
    while left <= 0:
        runs += 1
        left, store = step * runs, folder / str(runs)
        sys.settrace(trace)
        try:
            prove.run(start, store, job_nodes=20, limits=Limits(nodes=60, table_mb=0.1))
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)
        assert prove.run(start, store, limits=Limits(table_mb=0.1)).value == 11
        assert not prove.verify(store).faults
    return runs, failed


def test_a_transaction_that_was_dropped_open_outlives_its_store(tmp_path, monkeypatch):
    prove.run(hexapawn.Position.start(3, 3), tmp_path / "proof")
    with Store.open(tmp_path / "proof") as store:
        generator = Store._transaction.__wrapped__(store)
        monkeypatch.setattr(store, "_check_session", lambda: None)
        store._connection.rollback()
        next(generator)
    generator.close()  # as when an interrupted caller drops it


def test_ctrl_c_at_lines_of_the_store(tmp_path, monkeypatch):
    runs, failed = interrupt_lines(tmp_path, 19, monkeypatch)
    assert runs > 30
    assert not failed

    @contextmanager
    def left_open(self):  # the planted fault
        with _database.translate_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")

    monkeypatch.setattr(Store, "_transaction", left_open)
    (tmp_path / "planted").mkdir()
    assert interrupt_lines(tmp_path / "planted", 29, monkeypatch)[1] == {"the store "}


class WorkerKiller(threading.Thread):
    """Kills one Dask worker after the other at random moments, while others of its cluster live."""

    def __init__(self, cluster, kills, rng):
        super().__init__(daemon=True)
        self._cluster, self._rng = cluster, rng
        self.left = kills
        self.killed = []

    def alive(self):
        """The processes of the workers that have come up and are known to the scheduler."""
        nannies = [self._cluster.workers.get(known.name) for known in list(self._cluster.scheduler.workers.values())]
        pids = [nanny.pid for nanny in nannies if nanny is not None and nanny.status.name == "running"]
        return [pid for pid in pids if pid is not None and pid not in self.killed]

    def run(self):
        while self.left:
            time.sleep(self._rng.uniform(0.05, 0.6))
            pids = self.alive()
            if len(pids) > 1:
                self.killed.append(self._rng.choice(pids))
                os.kill(self.killed[-1], signal.SIGKILL)
                self.left -= 1
            else:
                self._cluster.scale(2)  # a worker that dies while it comes up is not restarted


@pytest.mark.nightly
def test_fifty_kills_of_dask_workers(dask, tmp_path):
    lost = runs = jobs = 0
    with dask(2) as client:
        killer = WorkerKiller(client.cluster, 50, random.Random(3))
        killer.start()
        while killer.left:
            store = tmp_path / str(runs)
            executor = client.get_executor(pure=False)
            limits = Limits(table_mb=4, seconds=600)
            outcome = prove.run(hexapawn.Position.start(6, 6), store, executor=executor, job_nodes=2000, limits=limits)
            assert outcome.value == VALUE
            assert not prove.verify(store).faults
            runs, lost, jobs = runs + 1, lost + prove.status(store).lost, jobs + outcome.jobs
        killer.join()
        client.wait_for_workers(1, timeout=60)
    assert len(set(killer.killed)) == 50
    print(f"\n50 workers killed in {runs} runs of {jobs} jobs altogether; {lost} jobs were lost")
