"""kill -9 of runs, several at once on one store: at most what was not yet put is lost."""

import json
import random
import re
import subprocess
import sys
import time
from signal import SIGKILL

import pytest

from gamecore import prove
from gamecore.errors import GamecoreError

VALUE = -30  # of 6x6


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
    """Run up to four commands at once, and kill them after this many seconds of work; return the lines they wrote.

    Readers see a whole store meanwhile.
    """
    running, lines, deadline = [], [], time.monotonic() + 60
    words = "-m gamecore prove hexapawn 6x6 --json --table-mb 4 --store"
    command = [sys.executable, *words.split(), str(store)]
    for _ in range(rng.randint(1, 4)):
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
        assert set(results) <= {VALUE}
        assert results or kills
        before = 0 if results else jobs
        if not results:
            kills -= 1
        elif kills:
            for file in tmp_path.iterdir():
                file.unlink()
    assert not prove.verify(store, recheck=3).faults
