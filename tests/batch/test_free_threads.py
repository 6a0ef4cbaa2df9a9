"""Eight threads in every game at once, on the same objects, with and without the GIL: the answers of one thread.

Under a free-threaded CPython that is started with ``-X gil=0`` all of it runs in parallel; under others the threads
change places inside Python's own code, and kernels run in parallel as ever.
"""

import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gamecore import duel, hearts, hexapawn, rows

pytestmark = pytest.mark.threads

NUMBER = 8


class Lucky(hearts.Player):
    """Plays at random, from the seed that each round gives it."""

    def begin_round(self, view, seed, totals):
        self.rng = random.Random(seed)

    def choose(self, view):
        return self.rng.choice(view.legal_moves())


# Objects that all threads use.
OPPONENTS = ("optimal", "cooperative", "greedy")
DUELS = [duel.random(cards, plies=0, rng=seed) for cards in (3, 6, 8) for seed in range(4)]
BOARDS = [hexapawn.Position.start(3, columns) for columns in (3, 4, 5)]
BOARDS += [hexapawn.random(4, 4, rng=seed) for seed in range(5)]
VALUES = [k * 7919 % 1009 for k in range(100)]  # a list: the kernel reads it itself
ROW, DECKS = np.arange(600) * 7919 % 1009, rows.decks(40, 7)
ROUNDS = [hearts.random("left", plies=40, rng=seed) for seed in range(4)]
ROUND = hearts.random("left", plies=20, rng=5)
VIEW = ROUND.view(ROUND.to_move)
PLAYERS = [hearts.player(name) for name in ("pimc:2", "duck", "linear", "solver:2")]
TASKS = {
    "duel": lambda: [duel.solve(position) for position in DUELS],
    "duel, analyse": lambda: duel.analyse(DUELS[4]),
    "duel, threads": lambda: duel.solve(DUELS[8], threads=2).value,
    "duel, batch": lambda: [*duel.solve_many(DUELS, workers=2), *duel.solve_iter(iter(DUELS), workers=2)],
    "hexapawn": lambda: [hexapawn.solve(board) for board in BOARDS],
    "hexapawn, analyse": lambda: (hexapawn.analyse(BOARDS[1]), hexapawn.perft(BOARDS[2], 8)),
    "hexapawn, threads": lambda: hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value,
    "hexapawn, wide": lambda: hexapawn.solve(hexapawn.Position.start(3, 9)).value,
    "hexapawn, batch": lambda: [answer.value for answer in hexapawn.solve_many(BOARDS, workers=2)],
    "rows, list": lambda: [rows.value(VALUES, opponent=how) for how in OPPONENTS for _ in range(20)],
    "rows": lambda: [rows.solve(ROW, opponent=how) for how in OPPONENTS],
    "rows, analyse": lambda: rows.analyse(ROW, opponent="greedy"),
    "rows, batch": lambda: [rows.solve_many(DECKS, opponent=how, workers=2).mine.tolist() for how in OPPONENTS],
    "rows, table": lambda: rows.table(VALUES, opponent="greedy").tobytes(),
    "hearts": lambda: [*map(str, hearts.simulate(["random"] * 4, 600, 7, workers=2).points)],
    "hearts, players": lambda: [*map(str, hearts.simulate(PLAYERS, 3, 7, workers=2).points)],
    "hearts, Python": lambda: [*map(str, hearts.simulate([Lucky(), "duck", "duck", "duck"], 2, 7).points)],
    "hearts, solve": lambda: [answer.max_n_points for answer in hearts.solve_many(ROUNDS, workers=2)],
    "hearts, analyse": lambda: (hearts.analyse(ROUNDS[0]), hearts.evaluate_moves(VIEW, playouts=10, rng=1)),
    "hearts, match": lambda: [*map(str, hearts.match(["greedy", "duck", "duck", "duck"], 7).points)],
    "hearts, compare": lambda: hearts.compare(["duck", "greedy"], rounds=6, rng=7).differences,
}


def differing(tasks, again=2):
    """The names of the tasks that answer otherwise in eight threads at once; each thread begins at another task."""
    expected = {name: task() for name, task in tasks.items()}
    names = list(tasks)
    gate = threading.Barrier(NUMBER)

    def work(thread):
        begin = thread * len(names) // NUMBER
        gate.wait()
        ordered = again * (names[begin:] + names[:begin])
        return [name for name in ordered if tasks[name]() != expected[name]]

    with ThreadPoolExecutor(NUMBER) as pool:
        return sorted({name for differences in pool.map(work, range(NUMBER)) for name in differences})


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows", "hearts", ""])
def test_eight_threads_answer_as_one(game):
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        tasks = {name: task for name, task in TASKS.items() if name.startswith(game)}
        assert differing(tasks, again=2 if game else 1) == []
    finally:
        sys.setswitchinterval(before)


def test_a_wrong_answer_is_seen():
    main = threading.get_ident()
    assert differing({"right": TASKS["rows, list"], "wrong": lambda: threading.get_ident() == main}) == ["wrong"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_fork_after_use():
    # Tables, threads that have come and gone, lazily made state: a child starts with all of it.
    expected = [task() for task in TASKS.values()]
    child = os.fork()
    if not child:
        same = False
        try:
            same = [task() for task in TASKS.values()] == expected
        finally:
            os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert [task() for task in TASKS.values()] == expected


# --- other interpreters ----------------------------------------------------------------------------------------------


def output_of(code, *options):
    result = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


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
threads = [threading.Thread(target=repeat, args=(function,)) for function in [change, use, use, use]]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("whole")
"""


def test_a_list_that_changes_while_the_kernel_reads_it():
    """The answer has no meaning then, but nothing outside the list is read: the process does not crash."""
    options = [] if getattr(sys, "_is_gil_enabled", lambda: True)() else ["-X", "gil=0"]
    assert output_of(CHANGING, *options) == "whole\n"


def test_the_gil_stays_off():
    # A free-threaded CPython turns the GIL on for a module that does not say that it does without it.
    code = (
        "import sys, importlib; from gamecore import kernels\n"
        "for name in ('duel', 'hexapawn', 'rows', 'hearts'):\n"
        "    kernels.kernel(name)\n"
        "print(getattr(sys, '_is_gil_enabled', lambda: True)())"
    )
    assert output_of(code, "-W", "error") == f"{'free-threading' not in sys.version}\n"


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
    there, here = output_of(SUBINTERPRETER).splitlines()
    assert here == "9"
    assert there == "9" or there.startswith("refused: ")
