"""Runs on executors: workers that die, results that come twice, other versions, entries that are exchanged."""

import itertools
import os
import random
import signal
import threading
import time
import tomllib
import zlib
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from prove.truth import solved  # pytest's pythonpath has the folder of tests

from gamecore import duel, hexapawn, prove
from gamecore.apps.prove import _crew, _exchange, _master, _worker, prover_of
from gamecore.apps.prove._exchange import pack, unpack
from gamecore.apps.prove._prover import Answer, Child
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

SMALL = Limits(table_mb=1)
START = hexapawn.Position.start(5, 6)  # some 30,000 nodes
ROOT = prover_of("hexapawn").canonical(START)
RUN, SENDER = b"r" * 16, b"s" * 16


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
        self.results = []

    def submit(self, function, job):
        self.number += 1
        return self._future(self.number, self._pool.submit(self._do, self.number, job))

    def _do(self, number, job):
        if not hasattr(self._own, "machine"):
            self._own.machine = _worker.Machine(job)
        self.results.append(self._result(number, _worker.work(self._job(number, job), self._own.machine)))
        return self.results[-1]


def test_entries_of_others_save_work():
    def work(*parcels, stopped=False):
        job = _worker.Job(1, "s", RUN, _worker.VERSION, "hexapawn", ROOT, ROOT, 1, 10**6, 1 << 20, False, 1, 0, parcels)
        machine = _worker.Machine(job)
        if stopped:
            machine.stop()
        return _worker.work(job, machine)

    first = work()
    assert first.answer.done
    second = work(first.parcel)
    assert second.answer.nodes < first.answer.nodes / 100
    assert second.read == 1
    for bad in (b"", first.parcel[:-1], pack(b"x" * 16, SENDER, b"\0" * 240)):
        assert work(bad).answer == first.answer
    parcels, began = [pack(RUN, SENDER, bytes(24 * 100_000))] * 2000, time.monotonic()
    work(*parcels, stopped=True)
    assert time.monotonic() - began < 1  # Ctrl-C does not wait until all parcels are read


def test_a_worker_that_has_a_machine_makes_one_for_another_table():
    """As when a run continues with another ``table_mb`` on the same processes; the end of a run frees the table."""

    def table_of(table_bytes):
        job = _worker.Job(
            1, "s", RUN, _worker.VERSION, "hexapawn", ROOT, ROOT, 1, 100, table_bytes, False, 1, 0, ()
        )  # fmt: skip
        _worker.work(job)
        return _worker._machines[0]

    first = table_of(1 << 16)
    assert table_of(1 << 16) is first
    assert table_of(1 << 20).table_bytes == 1 << 20
    _worker.stop_machine(SENDER)  # another run's
    assert len(_worker._machines) == 1
    _worker.stop_machine(RUN)
    assert _worker._machines == []


def test_parcels():
    for size in (0, 500):
        rows = np.random.default_rng(1).integers(0, 1 << 40, (size, 3), dtype=np.uint64)
        sender, words = unpack(RUN, pack(RUN, SENDER, rows.tobytes()))
        assert sender == SENDER
        assert sorted(map(tuple, words.reshape(-1, 3))) == sorted(map(tuple, rows))
    data = bytes(range(48))
    parcel = pack(RUN, SENDER, data)
    with pytest.raises(GamecoreError, match="another run"):
        unpack(b"q" * 16, parcel)
    forged = []
    for count in (1, 3, 1 << 30):  # a checksum that is right, over records that are not as many as it says
        body = _exchange._HEADER.pack(b"gcpe", _exchange.FORMAT, 0, RUN, SENDER, count) + zlib.compress(data)
        forged.append(body + _exchange._checksum(body))
    for place in range(0, len(parcel), 7):
        forged.append(parcel[:place] + bytes([parcel[place] ^ 4]) + parcel[place + 1 :])
    for damaged in forged:
        with pytest.raises(GamecoreError, match="damaged"):
            unpack(RUN, damaged)


def test_a_job_brings_the_latest_parcels_that_some_machine_has_not_read():
    log, parcels = _exchange.Log(10), tuple(bytes([number]) for number in range(15))
    for parcel in parcels:
        log.add(parcel)
    log.note(b"one", 12)
    assert log.for_job(2) == (5, parcels[5:])
    log.note(b"two", 8)
    log.note(b"one", 3)  # an earlier job's result
    assert log.for_job(2) == (8, parcels[8:])
    log.note(b"three", 13)  # it replaces the second one, which has died
    assert log.for_job(2) == (12, parcels[12:])
    assert log.for_job(4) == (5, parcels[5:])


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


def twice(future):
    """It calls back twice."""
    add = future.add_done_callback
    future.add_done_callback = lambda call: (add(call), add(call))
    return future


@pytest.mark.parametrize(("changes", "least_lost", "position"), [
    ({}, 0, duel.deal(14, rng=4)), ({"job": every(5, raises("killed"))}, 4, START),
    ({"future": every(6, cancelled)}, 4, START), ({"future": every(1, twice)}, 0, START),
])  # fmt: skip
def test_lost_jobs_are_done_again_and_nothing_counts_twice(tmp_path, changes, least_lost, position):
    """And machines exchange entries."""
    executor = Machines(**changes)
    outcome = proved(tmp_path / "proof", executor, position=position)
    assert prove.status(tmp_path / "proof").lost >= least_lost
    assert 20 < outcome.jobs <= executor.number
    assert outcome.nodes <= sum(result.answer.nodes for result in executor.results)
    assert len({result.machine for result in executor.results}) == 3
    assert max(result.read for result in executor.results) > 10
    assert any(result.parcel for result in executor.results)


def wrong(changes):
    """Return a change of a result to other fields: a line of ``wrong_results.txt``, which is TOML."""
    fields = tomllib.loads(f"fields = {{{changes}}}")["fields"]
    children = {"children": tuple(itertools.starmap(Child, fields.get("children", ())))}
    answer = {"answer": Answer(*fields["answer"])} if "answer" in fields else {}
    return lambda result: result._replace(**fields | children | answer)


WRONG = dict(line.split("  =>  ") for line in Path(__file__).with_name("wrong_results.txt").read_text().splitlines())
FAILURES = {
    changes: ({"result": every(6, wrong(changes))}, rf"the executor returned a wrong result of job \d+: {words}")
    for changes, words in WRONG.items()
} | {
    "garbage": ({"result": every(6, lambda _: b"\0" * 1000)}, "the executor returned no result of a job, but b'"),
    "plain tuple": ({"result": every(6, tuple)}, r"the executor returned no result of a job, but \("),
    "all workers die": ({"job": every(1, raises("killed"))}, "the executor failed: RuntimeError: killed"),
    "closed": ({"future": every(1, raises("cannot schedule"))}, "the executor failed: RuntimeError: cannot schedule"),
    "a closed Dask client": (
        {"future": every(9, lambda _: Future()), "client": SimpleNamespace(status="closed", nthreads=dict)},
        "the executor failed: the Dask client is closed",
    ),
    "no future": ({"future": every(9, lambda _: None)}, "the executor failed: AttributeError"),
    "another version": (
        {"job": every(10, lambda job: job._replace(version="0.0/1"))},
        r"a worker .* has gamecore .* but the master has 0\.0/1",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_wrong_results_are_refused_and_executors_that_fail_end_the_run(tmp_path, failure):
    changes, message = FAILURES[failure]
    with pytest.raises(GamecoreError, match=message):
        proved(tmp_path / "proof", Machines(**changes))
    assert not prove.verify(tmp_path / "proof").faults  # and the store is fine


def test_how_many_tables_there_are():
    dask = Machines(client=SimpleNamespace(nthreads=lambda: {"tcp://a": 4, "tcp://b": 4}))
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2) as processes:
        for executor, machines, width in ((threads, 1, 3), (processes, 2, 2), (Machines(), 3, 3), (dask, 2, 8)):
            crew = _crew.Crew(executor)
            assert (crew.machines, crew.width) == (machines, width)


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


@pytest.mark.parametrize("runs", [1, pytest.param(50, marks=pytest.mark.nightly)])
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


def test_the_master_is_given_no_more_results_than_it_can_take():
    """A second, by threads that search 2.5 million nodes a second each, whatever the cluster and the work so far."""
    sizes = (1, 16, 256, 1024)
    for width, under_way, searched in itertools.product(sizes, (*sizes, 2048), (0, 10**6, 10**9)):
        nodes = _master.budget_of(searched, width, under_way, 10**9, False)
        assert min(width, under_way) * 2.5e6 / nodes < 10_000
    assert _master.budget_of(0, 1024, 1, 10**9, False) == 5000  # few jobs are short: the tree becomes wide
    assert _master.budget_of(0, 1024, 1024, 1234, False) == 1234  # the largest that is wanted
