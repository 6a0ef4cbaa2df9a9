"""Cancellation, helper threads, storage of tasks, threads that the system does not give, tasks in other processes."""

import functools
import importlib
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from batch_tasks import POSITIONS, Here, OddAddresses, unkind

from gamecore import batch, duel, hexapawn
from gamecore.batch import columns
from gamecore.batch.workers import Run, beside, is_cancelled, shared_storage, stoppable, thread_storage


def test_calls_beside_a_block_are_stopped_when_it_ends():
    events = []

    def call(number):
        going = [True]
        with stoppable(going.clear):
            events.append(number)
            while going:
                time.sleep(0.001)
        events.append(-number)

    with beside([functools.partial(call, number) for number in (1, 2, 3)]):
        while len(events) < 3:
            time.sleep(0.001)
    assert sorted(events) == [-3, -2, -1, 1, 2, 3]
    run = Run()
    run.cancel()
    with run.at_work({}), beside([functools.partial(call, 4)]):  # of a cancelled run: at once
        assert is_cancelled()
    assert events[-1] == -4


def test_an_exception_of_a_call_beside_a_block_is_raised():
    def call():
        raise MemoryError("no table")

    with pytest.raises(MemoryError, match="no table"), beside([call]):
        time.sleep(0.05)


@pytest.mark.parametrize("workers", [1, 2])
def test_bounds_of_a_stopped_search_are_no_answer(workers):
    run = Run()
    threading.Timer(0.3, run.cancel).start()
    with run.at_work({}), pytest.raises(CancelledError):
        duel.solve_many([duel.deal(23, rng=5)] * 5, workers=workers)


@pytest.mark.parametrize("room", [0, 1])
def test_fewer_threads_are_used_where_the_system_gives_fewer(monkeypatch, room):
    start, left = threading.Thread.start, [room]

    def start_some(thread):
        if not left[0]:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_some)
    assert batch.run(abs, range(-50, 50), workers=4) == [abs(x) for x in range(-50, 50)]


def test_storage_of_tasks():
    def task(_):
        own = thread_storage()
        own[len(own)] = True
        shared = shared_storage()
        if shared is not None:
            with shared.lock:
                shared.values[len(shared.values)] = True
        return len(own), None if shared is None else len(shared.values)

    assert batch.run(task, range(3)) == [(1, None), (2, None), (3, None)]
    assert sorted(count for _, count in batch.run(task, range(30), workers=2)) == list(range(1, 31))
    assert batch.run(task, range(3), executor=Here()) == [(1, None)] * 3
    assert thread_storage() == {}


def test_errors_that_cannot_be_unpickled():
    names = ["two arguments", "local", "hostile text", "fine"]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        errors = batch.run(unkind, names, executor=pool, on_error="return")
        with pytest.raises(batch.BatchError, match=r"^items\[0\]: batch_tasks.TwoArguments: one and two"):
            batch.run(unkind, names, executor=pool)
    assert [f"{type(error).__name__} {error}" for error in errors] == [
        "WorkerError batch_tasks.TwoArguments: one and two",
        "WorkerError batch_tasks.unkind.<locals>.Local: here only",
        "WorkerError batch_tasks.Hostile",
        "ValueError fine",
    ]


@pytest.mark.parametrize("game", [duel, hexapawn], ids=lambda game: game.__name__)
def test_columns_at_odd_addresses(game, monkeypatch):
    arrived, aligned = [], columns.for_kernel

    def watched(arrays):
        arrived.extend(array.flags.aligned for array in arrays)
        needed = aligned(arrays)
        assert all(array.flags.aligned for array in needed)
        return needed

    monkeypatch.setattr(importlib.import_module(f"{game.__name__}._batch"), "for_kernel", watched)
    there = game.solve_many(POSITIONS[game][:60], executor=OddAddresses())
    assert [(one.value, one.line) for one in there] == [
        (one.value, one.line) for one in game.solve_many(POSITIONS[game][:60])
    ]
    assert not all(arrived)


SUBINTERPRETER = """
import gamecore.duel
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
solve = 'print(gamecore.duel.solve("DQH2HA:H3D6S3:A:-").value)'
code = f'''
try:
    import gamecore.duel
except ImportError as error:
    print("refused:", error)
else:
    {solve}
'''
other = interpreters.create()
interpreters.run_string(other, code) if hasattr(interpreters, "run_string") else interpreters.exec(other, code)
interpreters.destroy(other)
exec(solve)
"""


def test_subinterpreters_are_refused_or_work():
    result = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    there, here = result.stdout.splitlines()
    assert here == "9"
    assert there == "9" or there.startswith("refused: ")
