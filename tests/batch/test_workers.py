"""Cancellation, helper threads, storage of tasks, and threads that the system does not give."""

import functools
import importlib
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from batch_tasks import Here, OddAddresses, unkind

from gamecore import batch, duel, hearts, hexapawn, rows
from gamecore.batch import columns
from gamecore.batch.workers import Run, beside, is_cancelled, shared_storage, stoppable, thread_storage

# --- cancellation ----------------------------------------------------------------------------------------------------


def test_calls_beside_a_block_are_stopped_when_it_ends():
    told = []

    def call(number):
        going = [True]
        with stoppable(going.clear):
            told.append(number)
            while going:
                time.sleep(0.001)
        told.append(-number)

    with beside([functools.partial(call, number) for number in (1, 2, 3)]):
        while len(told) < 3:
            time.sleep(0.001)
    assert sorted(told) == [-3, -2, -1, 1, 2, 3]


def test_calls_beside_a_block_of_a_cancelled_run_end_at_once():
    run, stopped = Run(), []

    def call():
        with stoppable(lambda: stopped.append(True)):
            while not stopped:
                time.sleep(0.001)

    run.cancel()
    with run.at_work({}), beside([call]):
        assert is_cancelled()
    assert stopped


def test_what_a_call_beside_a_block_raises_comes_out():
    def call():
        raise MemoryError("no table")

    def both():
        with beside([call]):
            time.sleep(0.05)

    with pytest.raises(MemoryError, match="no table"):
        both()


@pytest.mark.parametrize("workers", [1, 2])
def test_nobody_takes_what_a_stopped_search_found_for_an_answer(workers):
    run = Run()
    threading.Timer(0.3, run.cancel).start()
    with run.at_work({}), pytest.raises(CancelledError):
        duel.solve_many([duel.deal(23, rng=5)] * 5, workers=workers)


# --- threads ---------------------------------------------------------------------------------------------------------


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
        seen = thread_storage()
        seen[len(seen)] = True
        shared = shared_storage()
        if shared is not None:
            with shared.lock:
                shared.values[len(shared.values)] = True
        return len(seen), None if shared is None else len(shared.values)

    assert batch.run(task, range(3)) == [(1, None), (2, None), (3, None)]
    assert sorted(count for _, count in batch.run(task, range(30), workers=2)) == list(range(1, 31))
    assert batch.run(task, range(3), executor=Here()) == [(1, None)] * 3
    assert thread_storage() == {}


# --- to other processes and back -------------------------------------------------------------------------------------


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


POSITIONS = {
    duel: [duel.deal(4, rng=seed) for seed in range(30)],
    hexapawn: [hexapawn.random(4, 4, rng=seed, plies=2) for seed in range(30)],
    hearts: [hearts.random(rng=seed, plies=44) for seed in range(3)],
    rows: np.random.default_rng(3).integers(-99, 99, (30, 12), dtype=np.int64),
}


@pytest.mark.parametrize("game", POSITIONS, ids=lambda game: game.__name__)
def test_columns_at_odd_addresses(game, monkeypatch):
    positions, seen = POSITIONS[game], []
    aligned = columns.for_kernel

    def watched(arrays):
        seen.extend(array.flags.aligned for array in arrays)
        return aligned(arrays)

    if game in (duel, hexapawn):
        monkeypatch.setattr(importlib.import_module(f"{game.__name__}._batch"), "for_kernel", watched)
    there = game.solve_many(positions, executor=OddAddresses())
    assert [(one.lower, one.upper, one.line) for one in there] == [
        (one.lower, one.upper, one.line) for one in game.solve_many(positions)
    ]
    assert game not in (duel, hexapawn) or not all(seen)


SUBINTERPRETER = """
import gamecore.duel
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
code = '''
try:
    import gamecore.duel
except ImportError as error:
    print("refused:", error)
else:
    print(gamecore.duel.solve(gamecore.duel.parse("3\\\\nDQ H2 HA\\\\nH3 D6 S3\\\\n")).value)
'''
interpreters.run_string(other, code) if hasattr(interpreters, "run_string") else interpreters.exec(other, code)
interpreters.destroy(other)
print(gamecore.duel.solve(gamecore.duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n")).value)
"""


def test_subinterpreters_are_refused_or_work():
    result = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    there, here = result.stdout.splitlines()
    assert here == "9"
    assert there == "9" or there.startswith("refused: ")
