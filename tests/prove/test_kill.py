"""kill -9 of a run or of its Dask workers, and Ctrl-C: at most the running jobs are lost."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from gamecore import prove
from gamecore.errors import GamecoreError

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


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.nightly)])
def test_kills(tmp_path, kills):
    store = tmp_path / "proof"
    kill_again_and_again(store, kills, random.Random(kills), 2000)
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
