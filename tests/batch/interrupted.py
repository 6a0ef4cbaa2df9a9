"""A process that runs endless tasks, and tells how it takes a signal in each: ``interruptions`` sends them.

    python interrupted.py GAME

For each line of stdin, the name of a task, it says "begun", is sent a signal a random moment later, has to come out of
the task with what the signal's handler raised, to solve a known problem of every game, to end its threads, and says
"well".
"""

import contextlib
import faulthandler
import itertools
import random
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gamecore import Limits, batch, duel, hearts, hexapawn, rows
from gamecore.batch.workers import is_cancelled
from gamecore.signals import Held

PATIENCE = 45  # seconds until a process that hangs says where


class Stop(Exception):
    """What the handler of SIGUSR1 raises: an exception like any other."""


def stop(number, frame):
    raise Stop


def too_late(number, frame):
    raise TimeoutError


def leave(number, frame):
    sys.exit(number)


RAISED = {
    signal.SIGINT: (signal.default_int_handler, KeyboardInterrupt),
    signal.SIGTERM: (leave, SystemExit),
    signal.SIGALRM: (too_late, TimeoutError),
    signal.SIGUSR1: (stop, Stop),
}

rng = np.random.default_rng(1)
deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
random.Random(5).shuffle(deck)
full = duel.Position(deck[:26], deck[26:])
board = hexapawn.Position.start(8, 8)
deals = [duel.Position(deck[i : i + 11], deck[i + 11 : i + 22]) for i in range(30)] * 20
boards = [hexapawn.Position.start(5, columns) for columns in (3, 4, 5)] * 200
small = Limits(table_mb=8)
long_row, table_row = rng.integers(-999, 999, 60_000), rng.integers(-999, 999, 3000)
million, many = rng.integers(-999, 999, 4_000_000), rng.integers(-99, 99, (3000, 1500))
seats = ["greedy"] * 3
fresh = hearts.Round.deal(3, passing="left")
late = hearts.random(rng=3, plies=44)
pool = ThreadPoolExecutor(2)


def in_a_thread():
    # The search runs in another thread and this one waits; what is interrupted is the waiting.
    for _ in itertools.count():
        worker = threading.Thread(target=duel.solve, args=(full, Limits(seconds=0.2, table_mb=8)))
        with Held():  # as people should begin threads, and let go of them
            worker.start()
        worker.join()
        with Held():
            del worker


def first_answers():
    with contextlib.closing(duel.solve_iter(deals, workers=2)) as found:
        next(found)


def spin(steps):
    """A function in Python that looks whether anybody still waits."""
    return sum(not is_cancelled() for _ in range(steps))


TASKS = {
    "duel": {
        "solve": lambda: duel.solve(full, small),
        "analyse": lambda: duel.analyse(full, small),
        "short": lambda: duel.solve(duel.Position(deck[:5], deck[5:10])),
        "thread": in_a_thread,
        "many": lambda: duel.solve_many(deals, workers=1),
        "many, 2 threads": lambda: duel.solve_many(deals, workers=2),
        "many, pool": lambda: duel.solve_many(deals, executor=pool),
        "iterator": first_answers,
        "functions": lambda: batch.run(spin, [20_000] * 20, workers=2),
        "functions, pool": lambda: batch.run(spin, [20_000] * 20, executor=pool),
    },
    "hexapawn": {
        "solve": lambda: hexapawn.solve(board, small),
        "threads": lambda: hexapawn.solve(board, small, threads=3),
        "wide": lambda: hexapawn.solve(hexapawn.Position.start(3, 20), small),
        "analyse": lambda: hexapawn.analyse(board, small),
        "perft": lambda: hexapawn.perft(board, 12),
        "many": lambda: hexapawn.solve_many(boards, workers=1),
        "many, 2 threads": lambda: hexapawn.solve_many(boards, workers=2),
    },
    "rows": {
        "value": lambda: rows.value(million),
        "solve": lambda: rows.solve(million),
        "greedy": lambda: rows.solve(long_row, opponent="greedy"),
        "cooperative": lambda: rows.value(long_row, opponent="cooperative"),
        "table": lambda: rows.table(table_row, opponent="greedy"),
        "many": lambda: rows.solve_many(many, opponent="greedy"),
        "many, 2 threads": lambda: rows.solve_many(many, opponent="greedy", workers=2),
        "oracle": lambda: rows.IntervalOracle(million),
        "play": lambda: rows.play(list(range(2000)), me="dp", opponent="dp"),
    },
    "hearts": {
        "random": lambda: hearts.simulate(["random"] * 4, 3_000_000, 1),
        "random, 3 threads": lambda: hearts.simulate(["random"] * 4, 3_000_000, 1, workers=3),
        "pimc, 2 threads": lambda: hearts.simulate(["pimc:40", *seats], 10_000, 1, passing="left", workers=2),
        "pimc, pool": lambda: hearts.simulate(["pimc:40", *seats], 10_000, 1, executor=pool),
        "solver": lambda: hearts.simulate(["solver:9", *seats], 10_000, 1),
        "match": lambda: hearts.match(["pimc:20", *seats], 1),
        "evaluate": lambda: hearts.evaluate_moves(fresh.view(fresh.to_move), playouts=1_000_000, rng=1, infer=4),
        "solve": lambda: hearts.solve(fresh, Limits(table_mb=8)),
        "many, 2 threads": lambda: hearts.solve_many([late] * 1000, workers=2),
        "ask": lambda: fresh.ask("pimc:1000000"),
    },
}


def check(expected):
    """Assert that every game answers, and that nothing goes on."""
    assert duel.solve(duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")).value == 9
    assert hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value == 19
    assert rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy").value == 8
    assert hearts.simulate(["random"] * 4, 50, 7).points.sum() == expected
    assert batch.run(abs, [-3, -4], workers=2) == [3, 4]
    assert pool.submit(abs, -3).result(30) == 3  # the caller's pool still works
    workers = {thread for thread in threading.enumerate() if not thread.name.startswith("ThreadPoolExecutor")}
    for thread in workers - {threading.main_thread()}:
        if thread.ident is not None:  # one that was interrupted while it was being started never runs
            thread.join(30)
            assert not thread.is_alive(), f"{thread} goes on and on"


def warm_up(tasks):
    """Run each task for a moment: it imports modules then, and Python's import loses a TimeoutError, an OSError."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for task in tasks.values():
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            try:
                task()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            pass


def main():
    tasks = TASKS[sys.argv[1]]
    warm_up(tasks)
    expected = hearts.simulate(["random"] * 4, 50, 7).points.sum()
    for number, (handler, _) in RAISED.items():
        signal.signal(number, handler)
    raised = tuple(kind for _, kind in RAISED.values())
    for line in sys.stdin:
        task = tasks[line.strip()]
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            print("begun", flush=True)
            while True:
                task()
        except raised as error:
            came = type(error).__name__
        check(expected)
        print("well", came, flush=True)
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    faulthandler.enable()
    main()
