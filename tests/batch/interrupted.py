"""Endless calls: of solvers, batches, simulations and proofs; as a script, it interrupts them in one of the ways."""

import contextlib
import faulthandler
import itertools
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np

from gamecore import Limits, batch, duel, hearts, hexapawn, prove, rows
from gamecore.apps.prove import _run

SOON = 10  # seconds; it takes below half a second, on a machine that does nothing else
PATIENCE = 20  # seconds until a process that hangs says where

rng = np.random.default_rng(1)
full, board, wide = duel.deal(26, rng=3), hexapawn.Position.start(8, 8), hexapawn.Position.start(4, 14)
ready = [getattr(game, name) for game in (duel, hexapawn, rows, hearts) for name in game.__all__]  # before the signal
small = Limits(table_mb=8)
long_row = rng.integers(-999, 999, 100_000)
short_row = long_row[:3000].astype(np.int16)
whole_round = hearts.Round.deal(3)
whole_round = whole_round.play(whole_round.ask("greedy"))
players = ["pimc:100", *["greedy"] * 3]


def prove_board(workers=1, executor=None):
    """Prove what takes days, by jobs without an end."""
    _run._LEAST = _run._LEAST_AWAY = 1 << 40  # nodes of a job
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        prove.run(board, f"{folder}/proof", limits=small, threads=workers, executor=executor)


def spin(steps):
    """A function in Python that looks whether anybody still waits."""
    while steps and not batch.is_cancelled():
        steps -= 1


BATCHES = {
    "duel": lambda **how: duel.solve_many([full] * 50, small, **how),
    "hexapawn": lambda **how: hexapawn.solve_many([board] * 50, small, **how),
    "rows": lambda **how: rows.solve_many([long_row] * 50, opponent="greedy", **how),
    "rows, array": lambda **how: rows.solve_many(np.tile(short_row, (20_000, 1)), opponent="greedy", **how),
    "hearts": lambda **how: hearts.solve_many([whole_round] * 50, small, **how),
    "simulate": lambda **how: hearts.simulate(players, 10**6, 1, **how),
    "prove": prove_board,
    "function": lambda **how: batch.run(spin, [10**9] * 50, **how),
    "iterator": lambda **how: list(duel.solve_iter(itertools.repeat(full), small, **how)),
}
CALLS = {
    "duel": lambda: duel.solve(full, small),
    "duel, threads": lambda: duel.solve(full, small, threads=2),
    "duel, analyse": lambda: duel.analyse(full, small),
    "hexapawn": lambda: hexapawn.solve(board, small),
    "hexapawn, threads": lambda: hexapawn.solve(board, small, threads=2),
    "hexapawn, wide": lambda: hexapawn.solve(wide, small),
    "hexapawn, perft": lambda: hexapawn.perft(board, 12),
    "rows, greedy": lambda: rows.solve(np.tile(long_row, 9), opponent="greedy"),
    "rows, cooperative": lambda: rows.value(np.tile(long_row, 9), opponent="cooperative"),
    "rows, table": lambda: [rows.table(long_row[:4000], opponent="greedy") for _ in range(1000)],
    "hearts": lambda: hearts.solve(whole_round, small),
    "hearts, ask": lambda: whole_round.ask("pimc:10000000"),
    "hearts, random": lambda: hearts.simulate(["random"] * 4, 10**9, 1, workers=2, progress=False),
}
#: The calls to interrupt, by way. In the way ``workers`` only the worker processes get the signal.
WAYS = {"solve": CALLS, "workers": ["duel"], **dict.fromkeys(("alone", "threads", "pool"), BATCHES)}
WAYS["processes"] = ["duel", "rows, array", "prove"]
WAYS["processes, rare"] = [name for name in BATCHES if name not in WAYS["processes"]]
PROCESSES = ("workers", "processes", "processes, rare")
POOLS = {"pool": ThreadPoolExecutor, **dict.fromkeys(PROCESSES, ProcessPoolExecutor)}


def call(way, name, pool):
    """Make a call in one of the ways."""
    if pool is None:
        return CALLS[name]() if way == "solve" else BATCHES[name](workers=1 + (way == "threads"))
    try:
        return BATCHES[name](executor=pool)
    finally:  # a worker process that was interrupted between two tasks may have lost the signal
        pool.shutdown(wait=way == "pool", cancel_futures=way != "pool")
        for worker in multiprocessing.active_children():
            worker.kill()


def who(seconds):
    """Name the process after some time, in which another one can begin."""
    time.sleep(seconds)
    return os.getpid()


def interrupt(way, times):
    """Send SIGINT to this process and its workers, as a terminal does; or to the workers alone."""
    times.append(time.monotonic())
    if way != "workers":
        os.killpg(0, signal.SIGINT)
    for worker in multiprocessing.active_children() if way == "workers" else ():
        os.kill(worker.pid, signal.SIGINT)


def wait_for_threads():
    """Assert that no thread of gamecore goes on."""
    end = time.monotonic() + SOON
    while any(thread.name == "gamecore" for thread in threading.enumerate()):
        assert time.monotonic() < end, threading.enumerate()
        time.sleep(0.01)


def main(way):
    """Interrupt calls and print their names. Check that every game still answers, and that no thread is left."""
    for name in WAYS[way]:
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        times = []
        pool = POOLS.get(way, lambda workers: None)(2)
        while way in PROCESSES and len(set(pool.map(who, [0.01] * 4))) < 2:
            pass  # until both workers have begun, whatever else the machine does
        threading.Timer(0.1, interrupt, (way, times)).start()
        with contextlib.suppress(KeyboardInterrupt):
            call(way, name, pool)
            print("not interrupted:", end=" ")
        assert time.monotonic() - times[0] < SOON
        assert duel.solve("DQH2HA:H3D6S3:A:-").value == 9
        assert hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value == 19
        assert rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy").value == 8
        assert batch.run(abs, [-3, -4], workers=2) == [3, 4]
        wait_for_threads()
        print(name, flush=True)
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(sys.argv[1])
