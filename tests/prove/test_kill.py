"""kill -9 of a run or of its Dask workers, and Ctrl-C: at most the running jobs are lost."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from gamecore import hexapawn, prove
from gamecore.apps.prove import _master
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

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


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread here")
@pytest.mark.parametrize("threads", [1, 2, None])
def test_ctrl_c_stops_long_jobs_and_the_store_continues(tmp_path, monkeypatch, threads):
    """Jobs without an end, in threads of the run and (None) of an executor of the caller's."""
    monkeypatch.setattr(_master, "_LEAST", 1 << 40)
    monkeypatch.setattr(_master, "_LEAST_AWAY", 1 << 40)
    store, sent = tmp_path / "proof", []

    def press():
        sent.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    with ThreadPoolExecutor(2) as pool:
        timer = threading.Timer(1.0, press)
        timer.start()
        how = {"executor": pool} if threads is None else {"threads": threads}
        with pytest.raises(KeyboardInterrupt):
            prove.run(hexapawn.Position.start(8, 8), store, limits=Limits(seconds=60, table_mb=16), **how)
    timer.join()
    assert time.monotonic() - sent[0] < 5  # half a second where nothing else runs
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("gamecore")]
    if threads is not None:
        assert prove.status(store).nodes > 0  # those of the stopped jobs
    limits = Limits(nodes=1000, table_mb=16)
    assert prove.run(hexapawn.Position.start(8, 8), store, limits=limits).nodes >= 1000


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
