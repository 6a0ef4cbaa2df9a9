"""Whole runs: the value is the game's own, whatever the jobs, the threads, the sittings, the kills."""

import json
import random
import re
import sqlite3
import subprocess
import sys
import time
from signal import SIGKILL

import pytest
from prove.truth import images, position_of, small_position, solved  # pytest's pythonpath has the folder of tests

from gamecore import hexapawn, prove
from gamecore.apps.prove import _run
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

OVER = [position_of(text) for text in ("0:D6S3:B:DQ", "p/P:w")]


@pytest.mark.parametrize("seed", range(26))
def test_the_value_whatever_the_jobs(tmp_path, seed):
    """And of positions that need no search."""
    position, rng = OVER[seed - 24] if seed >= 24 else small_position(seed), random.Random(seed)
    solution, store, seen = solved(position), tmp_path / "proof", []
    question = rng.choice(("value", "value", "wins"))
    for _ in range(2000):
        how = {"threads": rng.choice((1, 2)), "job_nodes": rng.choice((2, 5, 20, 100))}
        limits = Limits(nodes=rng.choice((20, 300, 2000)), table_mb=0.1)
        outcome = prove.run(position, store, question=question, limits=limits, progress=seen.append, **how)
        if outcome.answered:
            break
    assert (outcome.answered, outcome.winner, outcome.to_move) == (True, solution.winner, position.to_move)
    assert question == "wins" or outcome.value == solution.value
    assert (seen[-1].test, seen[-1].jobs) == (None, outcome.jobs)
    verification = prove.verify(store, recheck="all")
    assert not verification.faults
    assert (verification.lower, verification.upper) == (outcome.lower, outcome.upper)
    assert verification.claims == verification.rechecked
    same = position_of(rng.choice(images(position.to_text(), rng)))
    assert prove.run(same, store, question=question).jobs == outcome.jobs  # nothing is left to do
    status = prove.status(store)
    assert status.answered
    for name in ("lower", "upper", "jobs", "nodes"):
        assert getattr(status, name) == getattr(outcome, name)


def test_two_runs_on_one_store(tmp_path, monkeypatch):
    """Each works on by itself, and the store has what both found: their work, and the tighter bounds."""
    monkeypatch.setattr(_run, "_REPORT", 0.0)  # progress is told of each result
    start, store, others = hexapawn.Position.start(5, 5), tmp_path / "proof", []

    def begin_another(progress):
        if progress.jobs == 20:
            others.append(prove.run(start, store, job_nodes=15, limits=Limits(nodes=2000, table_mb=1)))

    outcome = prove.run(start, store, job_nodes=10, progress=begin_another)
    assert outcome.value == 19
    status = prove.status(store)
    assert (status.jobs, status.nodes) == (outcome.jobs + others[0].jobs - 20, outcome.nodes + 2000)
    assert status.value == 19
    assert not prove.verify(store, recheck="all").faults
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT sum(work) FROM facts").fetchone() == (status.nodes,)


# --- kill -9 of several runs at once: at most what was not yet put is lost ------------------------------------------


def jobs_of(store):
    """Return the number of jobs in a store without faults; 0 if nothing was written to it yet."""
    try:
        jobs = prove.status(store).jobs
        assert not prove.verify(store).faults
    except GamecoreError as error:
        if not re.search("there is no store|it is empty|No such file", str(error)):
            raise
        return 0
    return jobs


def run_and_kill(store, rng, seconds):
    """Run commands at once, up to four, or for 60 seconds one; kill them after as much work; return what they wrote.

    Readers see a whole store meanwhile.
    """
    running, lines, deadline = [], [], time.monotonic() + 60
    words = "-m gamecore prove hexapawn 6x6 --json --table-mb 4 --store"
    command = [sys.executable, *words.split(), str(store)]
    for _ in range(rng.randint(1, 4) if seconds < 60 else 1):
        how = ["--threads", rng.choice("12"), "--job-nodes", rng.choice(("300", "2000"))]
        running.append(subprocess.Popen([*command, *how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        time.sleep(rng.uniform(0.0, 0.12))
    while any(process.poll() is None for process in running) and time.monotonic() < deadline:
        if store.exists():
            deadline = min(deadline, time.monotonic() + seconds)
        jobs_of(store)
        time.sleep(0.01)
    for process in running:
        process.kill()
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -SIGKILL), err
        lines += [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    return lines


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.nightly)])
def test_kills_of_several_runs_at_once(tmp_path, kills):
    """Begin a new store when a run came to its end."""
    store, rng, before, results = tmp_path / "proof", random.Random(kills), 0, []
    while kills or not results:
        lines = run_and_kill(store, rng, rng.uniform(0.0, 0.5) if kills else 60)
        jobs = jobs_of(store)
        assert jobs >= max([before, *(line["jobs"] for line in lines)])  # nothing that was said to be done is lost
        results = [line["value"] for line in lines if line["event"] == "result"]
        assert set(results) <= {-30}
        assert results or kills
        before = 0 if results else jobs
        if not results:
            kills -= 1
        elif kills:
            for file in tmp_path.iterdir():
                file.unlink()
    assert not prove.verify(store, recheck=3).faults
