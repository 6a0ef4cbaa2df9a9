"""Runs on executors: workers that die, wrong results, other versions and rules, Dask."""

import itertools
import os
import random
import signal
import threading
import tomllib
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from prove.truth import solved  # pytest's pythonpath has the folder of tests

from gamecore import duel, hexapawn, prove
from gamecore.apps.prove import _run, _worker, prover_of
from gamecore.apps.prove._prover import Child
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

SMALL = Limits(table_mb=1)
START = hexapawn.Position.start(5, 6)  # some 30,000 nodes
ROOT = prover_of("hexapawn").plain.canonical(START.to_text())
KIND = _worker.Kind(_worker.VERSION, "hexapawn", ROOT, prover_of("hexapawn").fingerprint(ROOT), 1 << 16, False)


def proved(store, executor, job_nodes=400, position=START):
    outcome = prove.run(position, store, executor=executor, job_nodes=job_nodes, limits=SMALL)
    assert outcome.value == solved(position).value
    assert not prove.verify(store, recheck=3).faults
    return outcome


def same(number, thing):
    return thing


class Machines(Executor):
    """Threads that stand for machines, each with a table of its own; jobs, results and futures may be changed."""

    _max_workers = 3

    def __init__(self, job=same, result=same, future=same, client=None):
        self._pool = ThreadPoolExecutor(self._max_workers)
        self._own = threading.local()
        self._job, self._result, self._future, self._client = job, result, future, client
        self.number = 0
        self.machines = []

    def submit(self, function, job):
        self.number += 1
        return self._future(self.number, self._pool.submit(self._do, self.number, job))

    def _do(self, number, job):
        job = self._job(number, job)
        if getattr(getattr(self._own, "machine", None), "kind", None) != job.kind:
            self._own.machine = _worker.Machine(job.kind)
            self.machines.append(self._own.machine)
        return self._result(number, _worker.work(job, self._own.machine))


def test_a_worker_keeps_its_table_between_jobs_of_a_kind():
    """It makes another one when a run goes on with another ``table_mb``; the end of a run frees the table."""

    def nodes_of(kind):
        return _worker.work(_worker.Job(kind, ROOT, 1, 10**6)).nodes

    larger = KIND._replace(table_bytes=1 << 20)
    first = nodes_of(larger)
    assert nodes_of(larger) < first / 100
    assert nodes_of(KIND) > 100
    assert nodes_of(larger) == first
    _worker.stop_machine(KIND)  # another run's
    assert [machine.kind for machine in _worker._machines] == [larger]
    _worker.stop_machine(larger)
    assert _worker._machines == []


def every(count, change):
    """Change every n-th job, result or future, counted from 1."""
    return lambda number, thing: thing if number % count else change(thing)


def raises(text):
    def change(thing):
        raise RuntimeError(text)

    return change


def cancelled(_):
    future = Future()
    future.cancel()
    future.set_running_or_notify_cancel()
    return future


@pytest.mark.parametrize(("changes", "least_lost", "position"), [
    ({}, 0, duel.deal(14, rng=4)), ({"job": every(5, raises("killed"))}, 4, START),
    ({"future": every(6, cancelled)}, 4, START),
])  # fmt: skip
def test_lost_jobs_are_done_again(tmp_path, changes, least_lost, position):
    executor = Machines(**changes)
    outcome = proved(tmp_path / "proof", executor, position=position)
    assert outcome.lost >= least_lost
    assert 20 < outcome.jobs <= executor.number - outcome.lost
    assert len(executor.machines) == 3


def wrong(changes):
    """Return a change of a result to other fields: a line of ``wrong_results.txt``, which is TOML."""
    fields = tomllib.loads(f"fields = {{{changes}}}")["fields"]
    children = {"children": tuple(itertools.starmap(Child, fields.get("children", ())))}
    return lambda result: result._replace(**fields | children)


def another(**changes):
    return {"job": every(10, lambda job: job._replace(kind=job.kind._replace(**changes)))}


WRONG = dict(line.split("  =>  ") for line in Path(__file__).with_name("wrong_results.txt").read_text().splitlines())
FAILURES = {
    changes: ({"result": every(6, wrong(changes))}, f"the executor returned a wrong result of a job: {words}")
    for changes, words in WRONG.items()
} | {
    "garbage": ({"result": every(6, lambda _: b"\0" * 1000)}, "a wrong result of a job: it is b'"),
    "plain tuple": ({"result": every(6, tuple)}, r"the executor returned a wrong result of a job: it is \("),
    "all workers die": ({"job": every(1, raises("killed"))}, "the executor failed: RuntimeError: killed"),
    "closed": ({"future": every(1, raises("cannot schedule"))}, "the executor failed: RuntimeError: cannot schedule"),
    "a closed Dask client": (
        {"future": every(9, lambda _: Future()), "client": SimpleNamespace(status="closed", nthreads=dict)},
        "the executor failed: the Dask client is closed",
    ),
    "no future": ({"future": every(9, lambda _: None)}, "the executor failed: it gave no future of a job, but None"),
    "another version": (another(version="0.0/1"), r"a worker .* has gamecore .* but the run has 0\.0/1"),
    "other rules": (another(rules="hexapawn 0"), r"a worker .* has other rules of hexapawn"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_wrong_results_are_refused_and_executors_that_fail_end_the_run(tmp_path, failure):
    changes, message = FAILURES[failure]
    with pytest.raises(GamecoreError, match=message):
        proved(tmp_path / "proof", Machines(**changes))
    assert not prove.verify(tmp_path / "proof").faults  # and the store is fine


def kill_after(jobs, pids):
    """Return a callback of progress that kills processes after some jobs, once."""

    def kill(progress):
        while pids and progress.jobs >= jobs:
            os.kill(pids.pop(), signal.SIGKILL)

    return kill


def test_a_pool_that_breaks(tmp_path):
    store = tmp_path / "proof"
    with ProcessPoolExecutor(2) as pool:
        kill = kill_after(4, [pool.submit(os.getpid).result()])
        with pytest.raises(GamecoreError, match="the executor failed: BrokenProcessPool"):
            prove.run(START, store, executor=pool, job_nodes=50, limits=SMALL, progress=kill)
    jobs = prove.status(store).jobs
    assert jobs > 0
    with ProcessPoolExecutor(2) as pool:
        assert proved(store, pool, 3000).jobs > jobs


RUNS = 5 if "GAMECORE_SANITIZED" in os.environ else 50  # a sanitizer slows the start of a process


@pytest.mark.parametrize("runs", [1, pytest.param(RUNS, marks=pytest.mark.nightly)])
def test_dask_and_workers_that_are_killed(dask, tmp_path, runs):
    start, rng = hexapawn.Position.start(6, 6), random.Random(3)
    for number in range(runs):
        with dask(2, threads=2) as client:
            pids = [rng.choice([*client.run(os.getpid).values()])]
            how = {"job_nodes": 10_000, "limits": Limits(table_mb=16), "progress": kill_after(rng.randint(1, 9), pids)}
            outcome = prove.run(start, tmp_path / str(number), executor=client.get_executor(pure=False), **how)
        assert not pids
        assert outcome.value == -30
        assert not prove.verify(tmp_path / str(number), recheck=2).faults


def test_a_run_is_given_no_more_results_than_it_can_take():
    """A second, by threads that search 2.5 million nodes a second each, whatever the cluster and the work so far."""
    sizes = (1, 16, 256, 1024)
    for width, under_way, searched in itertools.product(sizes, (*sizes, 2048), (0, 10**6, 10**9)):
        nodes = _run.budget_of(searched, 0, width, under_way, 10**9, False)
        assert min(width, under_way) * 2.5e6 / nodes < 10_000
    assert _run.budget_of(0, 0, 1024, 1, 10**9, False) == 5000  # few jobs are short: the tree becomes wide
    assert _run.budget_of(0, 0, 1024, 1024, 1234, False) == 1234  # the largest that is wanted
    assert [_run.budget_of(n, 10**6, 1, 1, 10**9, True) for n in (0, 50_000, 10**6)] == [20_000, 50_000, 200_000]
