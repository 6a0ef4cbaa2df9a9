"""Eight threads in every game at once, on the same objects, with and without the GIL: the answers of one thread.

Under a free-threaded CPython that is started with ``-X gil=0`` all of it runs in parallel; under others the threads
change places inside Python's own code, and kernels run in parallel as ever.
"""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from batch_tasks import Lucky

from gamecore import duel, hearts, hexapawn, rows

pytestmark = pytest.mark.threads

NUMBER = 8


class Shared:
    """One object of each kind, which all threads use."""

    def __init__(self):
        self.duels = [duel.random(cards, plies=0, rng=seed) for cards in (3, 6, 8) for seed in range(4)]
        self.boards = [hexapawn.Position.start(3, columns) for columns in (3, 4, 5)]
        self.boards += [hexapawn.random(4, 4, rng=seed) for seed in range(5)]
        self.values = [k * 7919 % 1009 for k in range(100)]  # a list: the kernel reads it itself
        self.row = np.arange(600) * 7919 % 1009
        self.decks = rows.decks(40, 7)
        self.rounds = [hearts.random("left", plies=40, rng=seed) for seed in range(4)]
        round_ = hearts.random("left", plies=20, rng=5)
        self.view = round_.view(round_.to_move)
        self.players = [hearts.player(name) for name in ("pimc:2", "duck", "linear", "solver:2")]


TASKS = {
    "duel": lambda s: [duel.solve(one) for one in s.duels],
    "duel, analyse": lambda s: duel.analyse(s.duels[4]),
    "duel, threads": lambda s: duel.solve(s.duels[8], threads=2).value,
    "duel, batch": lambda s: [*duel.solve_many(s.duels, workers=2), *duel.solve_iter(iter(s.duels), workers=2)],
    "hexapawn": lambda s: [hexapawn.solve(one) for one in s.boards],
    "hexapawn, analyse": lambda s: (hexapawn.analyse(s.boards[1]), hexapawn.perft(s.boards[2], 8)),
    "hexapawn, threads": lambda s: hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value,
    "hexapawn, wide": lambda s: hexapawn.solve(hexapawn.Position.start(3, 9)).value,
    "hexapawn, batch": lambda s: [one.value for one in hexapawn.solve_many(s.boards, workers=2)],
    "rows, list": lambda s: [rows.value(s.values, opponent=how) for how in OPPONENTS for _ in range(20)],
    "rows": lambda s: [rows.solve(s.row, opponent=how) for how in OPPONENTS],
    "rows, analyse": lambda s: rows.analyse(s.row, opponent="greedy"),
    "rows, batch": lambda s: [rows.solve_many(s.decks, opponent=how, workers=2).mine.tolist() for how in OPPONENTS],
    "rows, table": lambda s: rows.table(s.values, opponent="greedy").tobytes(),
    "hearts": lambda s: hearts.simulate(["random"] * 4, 600, 7, workers=2).points.tobytes(),
    "hearts, players": lambda s: hearts.simulate(s.players, 3, 7, workers=2).points.tobytes(),
    "hearts, Python": lambda s: hearts.simulate([Lucky(), "duck", "duck", "duck"], 2, 7).points.tobytes(),
    "hearts, solve": lambda s: [one.max_n_points for one in hearts.solve_many(s.rounds, workers=2)],
    "hearts, analyse": lambda s: (hearts.analyse(s.rounds[0]), hearts.evaluate_moves(s.view, playouts=10, rng=1)),
    "hearts, match": lambda s: hearts.match(["greedy", "duck", "duck", "duck"], 7).points.tobytes(),
    "hearts, compare": lambda s: hearts.compare(["duck", "greedy"], rounds=6, rng=7).differences,
}
OPPONENTS = ("optimal", "cooperative", "greedy")


@pytest.fixture(scope="module")
def shared():
    return Shared()


def differing(tasks, shared, again=2):
    """The names of the tasks that answer otherwise in eight threads at once; each thread begins at another task."""
    expected = {name: task(shared) for name, task in tasks.items()}
    names = list(tasks)
    gate = threading.Barrier(NUMBER)

    def work(thread):
        begin = thread * len(names) // NUMBER
        gate.wait()
        return [
            name
            for _ in range(again)
            for name in names[begin:] + names[:begin]
            if tasks[name](shared) != expected[name]
        ]

    with ThreadPoolExecutor(NUMBER) as pool:
        return sorted({name for found in pool.map(work, range(NUMBER)) for name in found})


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts", ""])
def test_eight_threads_answer_as_one(game, shared):
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        tasks = {name: task for name, task in TASKS.items() if name.startswith(game)}
        assert differing(tasks, shared, again=2 if game else 1) == []
    finally:
        sys.setswitchinterval(before)


def test_a_wrong_answer_is_seen(shared):
    main = threading.get_ident()
    tasks = {"right": TASKS["rows, list"], "wrong": lambda s: threading.get_ident() == main}
    assert differing(tasks, shared) == ["wrong"]


CHANGING = """
import sys, threading, time
from gamecore import GamecoreError, rows
sys.setswitchinterval(1e-6)
values = [*range(100)]
end = time.monotonic() + 1.0
def change():
    values.clear()
    values.extend(range(10**6, 10**6 + 100))
def use():
    try:
        rows.value(values, opponent="greedy")
    except GamecoreError:
        pass
def repeat(function):
    while time.monotonic() < end:
        function()
threads = [threading.Thread(target=repeat, args=(one,)) for one in [change, use, use, use]]
for one in threads: one.start()
for one in threads: one.join()
print("whole")
"""


def test_a_list_that_changes_while_the_kernel_reads_it():
    """The answer has no meaning then, but nothing outside the list is read: the process does not crash."""
    options = [] if getattr(sys, "_is_gil_enabled", lambda: True)() else ["-X", "gil=0"]
    command = [sys.executable, *options, "-c", CHANGING]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (result.returncode, result.stdout, result.stderr) == (0, "whole\n", "")


def test_the_gil_stays_off():
    # A free-threaded CPython turns the GIL on for a module that does not say that it does without it.
    code = (
        "import sys, importlib; from gamecore import kernels\n"
        "for name in ('duel', 'hexapawn', 'rows', 'hearts'):\n"
        "    kernels.kernel(name)\n"
        "print(getattr(sys, '_is_gil_enabled', lambda: True)())"
    )
    result = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    free = "free-threading" in sys.version
    assert (result.stdout, result.stderr) == (f"{not free}\n", "")


# --- forks ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_fork_after_use():
    # Tables, threads that have come and gone, lazily made state: a child starts with all of it.
    shared = Shared()
    expected = [task(shared) for task in TASKS.values()]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            same = [task(shared) for task in TASKS.values()] == expected
            os.write(writing, b"same" if same else b"different")
        finally:
            os._exit(0)
    os.close(writing)
    assert os.read(reading, 100) == b"same"
    os.close(reading)
    assert os.waitpid(child, 0)[1] == 0
    assert [task(shared) for task in TASKS.values()] == expected
