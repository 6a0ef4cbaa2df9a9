"""kill -9 of a run, Ctrl-C, several runs at once: at most the running jobs are lost."""

import json
import random
import subprocess
import sys
import time
from signal import SIGINT, SIGKILL

import pytest

from gamecore import prove
from gamecore.errors import GamecoreError

VALUE = -30  # of 6x6


def proving(board, store, *options):
    """Begin the command."""
    words = ["prove", "hexapawn", board, "--json", "--table-mb", 4, "--store", store, *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-m", "gamecore", *map(str, words)], **pipes)


def run_and_kill(store, *options, seconds):
    """Run the command and kill it after this many seconds of work, unless it ends before; return the lines it wrote."""
    with proving("6x6", store, *options) as process:
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if store.exists():
                deadline = min(deadline, time.monotonic() + seconds)
            time.sleep(0.002)
        process.kill()
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -SIGKILL), err
        return [json.loads(line) for line in out.splitlines() if line.endswith("}")]


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.nightly)])
def test_kills(tmp_path, kills):
    """Kill runs of one store again and again; begin a new store when a run came to its end."""
    store, rng, before = tmp_path / "proof", random.Random(kills), 0
    while kills:
        options = ("--threads", rng.choice((1, 2)), "--job-nodes", 2000)
        lines = run_and_kill(store, *options, seconds=rng.uniform(0.0, 0.5))
        try:
            jobs = prove.status(store).jobs
            assert not prove.verify(store).faults
        except GamecoreError as error:  # it was killed before it had made the store
            if "it is empty" not in str(error):
                raise
            jobs = 0
        assert jobs >= max([before, *(line["jobs"] for line in lines)])  # nothing that was said to be done is lost
        before = jobs
        if lines and lines[-1]["event"] == "result":
            assert lines[-1]["value"] == VALUE
            before = 0
            for file in tmp_path.iterdir():
                file.unlink()
        else:
            kills -= 1
    assert run_and_kill(store, seconds=60)[-1]["value"] == VALUE
    assert not prove.verify(store, recheck=3).faults


def test_ctrl_c(tmp_path):
    with proving("8x8", tmp_path / "proof", "--job-nodes", 3000) as process:
        next(line for line in process.stdout if json.loads(line)["jobs"] > 3)
        process.send_signal(SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "gamecore: interrupted")
    assert prove.status(tmp_path / "proof").jobs > 3


@pytest.mark.parametrize("seed", range(2))
def test_four_processes_at_once(tmp_path, seed):
    """One reaches the value; the others may be taken over, and readers see a whole store meanwhile."""
    store, rng, running, errors = tmp_path / "proof", random.Random(seed), [], []
    for _ in range(4):
        running.append(proving("6x6", store, "--job-nodes", rng.choice((300, 2000))))
        time.sleep(rng.uniform(0.0, 0.12))
    while any(process.poll() is None for process in running):
        for look in (prove.status, prove.verify):
            try:
                look(store)
            except GamecoreError as error:
                errors.append(str(error))
        time.sleep(0.15)
    # not there yet, or still empty
    assert not [error for error in errors if "no store" not in error and "No such file" not in error]
    for process in running:
        out, err = process.communicate()
        if process.returncode == 0:
            assert json.loads(out.splitlines()[-1])["value"] == VALUE
        else:
            assert process.returncode == 2, err
            assert err.startswith(("gamecore: another process has taken over", "gamecore: another process holds")), err
    assert 0 in [process.returncode for process in running]
    verification = prove.verify(store)
    assert (verification.lower, verification.upper, verification.faults) == (VALUE, VALUE, ())
