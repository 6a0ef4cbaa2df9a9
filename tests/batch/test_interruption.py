"""Ctrl-C at random moments, sent by another process: every kernel stops, and the process goes on being of use.

A child runs one endless task after another; for each it is told to begin, is interrupted a random moment later, has to
say so, and then has to solve one known problem of every game.
"""

import os
import random
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from gamecore.batch._signals import Held

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a child")

TIMES = 6  # interruptions of each task; 29 tasks
PATIENCE = 60  # seconds until a child that does not answer counts as hung

CHILD = r"""
import faulthandler, itertools, random, signal, sys, threading
import numpy as np
from gamecore import Limits, duel, hearts, hexapawn, rows
from gamecore.batch._signals import Held

faulthandler.enable()
signal.signal(signal.SIGINT, signal.default_int_handler)
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

def in_a_thread():
    # The search runs in another thread and this one waits; what is interrupted is the waiting.
    for _ in itertools.count():
        worker = threading.Thread(target=duel.solve, args=(full, Limits(seconds=0.2, table_mb=8)))
        with Held():  # as our own threads are begun, and let go of
            worker.start()
        worker.join()
        with Held():
            del worker

def rows_play():
    rows.play(list(range(24)), me="full", opponent="dp")

TASKS = {
    "duel": [
        lambda: duel.solve(full, small),
        lambda: duel.analyse(full, small),
        lambda: duel.solve(duel.Position(deck[:5], deck[5:10])),
        in_a_thread,
        lambda: duel.solve_many(deals, workers=1),
        lambda: duel.solve_many(deals, workers=2),
    ],
    "hexapawn": [
        lambda: hexapawn.solve(board, small),
        lambda: hexapawn.solve(board, small, threads=3),
        lambda: hexapawn.solve(hexapawn.Position.start(3, 20), small),
        lambda: hexapawn.analyse(board, small),
        lambda: hexapawn.perft(board, 12),
        lambda: hexapawn.solve_many(boards, workers=1),
        lambda: hexapawn.solve_many(boards, workers=2),
    ],
    "rows": [
        lambda: rows.value(million),
        lambda: rows.solve(million),
        lambda: rows.solve(long_row, opponent="greedy"),
        lambda: rows.value(long_row, opponent="cooperative"),
        lambda: rows.table(table_row, opponent="greedy"),
        lambda: rows.solve_many(many, opponent="greedy"),
        lambda: rows.IntervalOracle(million),
        rows_play,
    ],
    "hearts": [
        lambda: hearts.simulate(["random"] * 4, 3_000_000, 1),
        lambda: hearts.simulate(["random"] * 4, 3_000_000, 1, workers=3),
        lambda: hearts.simulate(["pimc:40", *seats], 10_000, 1, passing="left", workers=2),
        lambda: hearts.simulate(["solver:9", *seats], 10_000, 1),
        lambda: hearts.match(["pimc:20", *seats], 1),
        lambda: hearts.evaluate_moves(fresh.view(fresh.to_move), 1_000_000, rng=1, infer=4),
        lambda: hearts.solve(fresh, Limits(table_mb=8)),
        lambda: fresh.ask("pimc:1000000"),
    ],
}

def check():
    assert duel.solve(duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")).value == 9
    assert hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value == 19
    assert rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy").mine == 18
    assert hearts.simulate(["random"] * 4, 50, 7).points.sum() == expected
    for thread in threading.enumerate():
        # One that was interrupted while it was being started has no ident, and never runs.
        if thread is not threading.main_thread() and thread.ident is not None:
            thread.join(30)
            assert not thread.is_alive(), f"{thread} goes on and on"

expected = hearts.simulate(["random"] * 4, 50, 7).points.sum()
for task in TASKS[sys.argv[1]] * int(sys.argv[2]):
    sys.stdin.readline()
    faulthandler.dump_traceback_later(45, exit=True)  # says where it hangs
    try:
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        while True:
            task()
    except KeyboardInterrupt:
        pass
    check()
    sys.stdout.write("well\n")
    sys.stdout.flush()
print("end", flush=True)
"""


def answer(process):
    ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
    if not ready:
        process.kill()
        pytest.fail(f"no answer: {process.communicate()}")
    return os.read(process.stdout.fileno(), 100)


@pytest.mark.parametrize(("game", "tasks"), [("duel", 6), ("hexapawn", 7), ("rows", 8), ("hearts", 8)])
def test_interrupted_at_random_moments(game, tasks):
    rng = random.Random()
    survived = 0
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, game, str(TIMES)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        for _ in range(TIMES * tasks):
            process.stdin.write(b"go\n")
            process.stdin.flush()
            assert answer(process) == b"begun\n", process.communicate()
            try:
                process.wait(rng.choice([0.0, 0.001, 0.01, 0.1, 0.2]) * rng.random())
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            said = answer(process)
            assert said.startswith(b"well\n"), (said, process.communicate())
            survived += 1
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert survived == TIMES * tasks


EXIT = """
import sys, threading, time
import numpy as np
from gamecore import duel, hearts, hexapawn, rows

deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
task = {
    "duel": lambda: duel.solve(duel.Position(deck[::2], deck[1::2])),
    "hexapawn": lambda: hexapawn.solve(hexapawn.Position.start(8, 8)),
    "rows": lambda: rows.solve(np.arange(200_000) % 1009, opponent="greedy"),
    "hearts": lambda: hearts.solve(hearts.Round.deal(1)),
}[sys.argv[1]]

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.2)

slow = Slow()  # the interpreter takes its time to end, so that the kernel comes by for signals meanwhile
threading.Thread(target=task, daemon=True).start()
time.sleep(0.1)
"""


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts"])
def test_a_process_ends_under_a_daemon_thread(game):
    result = subprocess.run([sys.executable, "-c", EXIT, game], capture_output=True, check=False, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, b"")


# --- Ctrl-C between the taking of a lock and the `try` that gives it back ------------------------------------------

STRIKES = r"""
import faulthandler, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from gamecore import Limits, batch, duel, hearts, hexapawn

faulthandler.dump_traceback_later(50, exit=True)
signal.signal(signal.SIGINT, signal.default_int_handler)
deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
deals = [duel.Position(deck[i : i + 5], deck[i + 5 : i + 10]) for i in range(40)]
board = hexapawn.Position.start(7, 6)
TASKS = {
    "simulate": lambda: hearts.simulate(["random"] * 4, 30_000, 1, workers=2),
    "solve_many": lambda: duel.solve_many(deals, workers=2),
    "threads": lambda: hexapawn.solve(board, Limits(nodes=150_000, table_mb=8), threads=2),
    "executor": lambda: batch.run(abs, range(2000), executor=pool),
}
pool = ThreadPoolExecutor(2)
enter, left = threading.Condition.__enter__, 0

def struck(condition):
    global left
    result = enter(condition)
    if threading.get_ident() == threading.main_thread().ident:
        left -= 1
        if left == 0:
            signal.raise_signal(signal.SIGINT)
    return result

threading.Condition.__enter__ = struck
task = TASKS[sys.argv[1]]
for moment in range(1, 400):
    left = moment
    try:
        task()
    except KeyboardInterrupt:
        continue
    assert left > 0, f"Ctrl-C number {moment} was lost"
    break  # all of its locks have been tried
left = 0
task()
print(moment)
"""


@pytest.mark.parametrize("task", ["simulate", "solve_many", "threads", "executor"])
def test_a_lock_is_never_left_locked(task):
    # Condition.__enter__ is where a KeyboardInterrupt would leave the lock of a future or a pool locked for ever.
    command = [sys.executable, "-c", STRIKES, task]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stderr[-4000:]
    assert int(run.stdout) > 1


def held_twice(seen):
    with Held():
        with Held():
            signal.raise_signal(signal.SIGINT)
        assert not seen  # the outer block goes on


def test_ctrl_c_is_held():
    seen = []

    def handler(number, frame):
        seen.append((number, frame is not None))
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            held_twice(seen)
        assert seen == [(signal.SIGINT, True)]
        with Held():
            pass
        assert signal.getsignal(signal.SIGINT) is handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with Held():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        with ThreadPoolExecutor(1) as pool:  # threads that see no signals
            assert pool.submit(Held().__enter__).result() is None
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 1
