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

VALUE = -30  # of 6x6


def command(board, store, *options):
    words = ["prove", "hexapawn", board, "--json", "--table-mb", "4", "--store", store, *options]
    return [sys.executable, "-m", "gamecore", *map(str, words)]


def run_and_kill(store, *options, seconds):
    """Run the command and kill it after this many seconds of work, unless it ends before; return the lines it wrote."""
    with subprocess.Popen(command("6x6", store, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if store.exists():
                deadline = min(deadline, time.monotonic() + seconds)
            time.sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL), err
        return [json.loads(line) for line in out.decode().splitlines() if line.endswith("}")]


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


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.nightly)])
def test_kills(tmp_path, kills):
    """Kill runs of one store again and again; begin a new store when a run came to its end."""
    store, rng, before, lines = tmp_path / "proof", random.Random(kills), 0, []
    while kills:
        threads, seconds = rng.choice((1, 2)), rng.uniform(0.0, 0.5)
        lines = run_and_kill(store, "--threads", threads, "--job-nodes", 2000, seconds=seconds)
        jobs = checked_jobs_in(store)
        assert jobs >= max([before, *(line["jobs"] for line in lines)])  # nothing that was said to be done is lost
        before = jobs
        if lines and lines[-1]["event"] == "result":
            assert lines[-1]["value"] == VALUE
            before = 0
            for end in ("", "-wal", "-shm"):
                (tmp_path / f"proof{end}").unlink(missing_ok=True)
        else:
            kills -= 1
    assert run_and_kill(store, seconds=60)[-1]["value"] == VALUE
    assert not prove.verify(store, recheck=3).faults


def test_ctrl_c(tmp_path):
    words = command("8x8", tmp_path / "proof", "--job-nodes", 3000)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if json.loads(line)["jobs"] > 3:
                break
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "gamecore: interrupted")
    assert prove.status(tmp_path / "proof").jobs > 3
