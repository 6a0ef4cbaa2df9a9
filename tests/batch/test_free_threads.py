"""Eight threads in every game at once, on the same objects, with and without the GIL: the answers of one thread.

Under a free-threaded CPython that is started with ``-X gil=0`` all of it runs in parallel; under others the threads
change places inside Python's own code, and kernels run in parallel as ever.
"""

import contextlib
import os
import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from batch_tasks import POSITIONS
from command import python
from hearts.strange_players import Lowest

from gamecore import GamecoreError, duel, hearts, hexapawn, rows

pytestmark = pytest.mark.threads

NUMBER = 8
# Objects that all threads use.
LARGE, WIDE = hexapawn.Position.start(5, 5), hexapawn.Position.start(3, 9)
VALUES = [k * 7919 % 1009 for k in range(100)]  # a list: the kernel reads it itself
ROW, HOW = np.arange(600) * 7919 % 1009, ("optimal", "cooperative", "greedy")
ROUND = hearts.random("left", plies=20, rng=5)
VIEW = ROUND.view(ROUND.to_move)
PLAYERS = [hearts.player(name) for name in ("pimc:2", "duck", "linear", "solver:2")]


def points(players, rounds, **how):
    return hearts.simulate(players, rounds, 7, **how).points.tolist()


def values(answers):
    return [(answer.value, answer.line) for answer in answers]  # in batches of Hexapawn, nodes differ


TASKS = {
    "duel, threads": lambda: duel.solve(duel.deal(8, rng=1), threads=2).value,
    "hexapawn, threads": lambda: hexapawn.solve(LARGE, threads=2).value,
    "hexapawn, wide": lambda: (hexapawn.solve(WIDE).value, hexapawn.perft(LARGE, 6)),
    "rows, list": lambda: [rows.value(VALUES, opponent=how) for how in HOW for _ in range(20)],
    "rows": lambda: ([rows.solve(ROW, opponent=how) for how in HOW], rows.table(VALUES, opponent="greedy").tobytes()),
    "hearts": lambda: (points(["random"] * 4, 600, workers=2), points([Lowest(), "duck", "duck", "duck"], 2)),
    "hearts, players": lambda: (points(PLAYERS, 3, workers=2), hearts.evaluate_moves(VIEW, playouts=10, rng=1)),
    "hearts, compare": lambda: hearts.compare(["duck", "greedy"], rounds=6, rng=7).differences,
}
for game, positions in POSITIONS.items():
    TASKS[f"{game.GAME.name}, many"] = lambda game=game, items=positions[:25]: (
        *map(game.solve, items[:9]), game.analyse(items[0]),
        values(game.solve_many(items, workers=2)), values(game.solve_iter(iter(items), workers=2)),
    )  # fmt: skip


@pytest.fixture
def often():
    """Threads change places after each few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("game", ["", *(pytest.param(game.GAME.name, marks=pytest.mark.nightly) for game in POSITIONS)])
def test_eight_threads_answer_as_one(game, often):
    names, gate = [name for name in TASKS if name.startswith(game)], threading.Barrier(NUMBER)
    expected = {name: TASKS[name]() for name in names}

    def differing(thread):
        begin = thread * len(names) // NUMBER  # each begins at another task
        gate.wait()
        return [name for name in (names[begin:] + names[:begin]) * (1 + bool(game)) if TASKS[name]() != expected[name]]

    with ThreadPoolExecutor(NUMBER) as pool:
        assert [*pool.map(differing, range(NUMBER))] == [[]] * NUMBER


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_fork_after_use():
    # Tables, threads that have come and gone, lazily made state: a child starts with all of it.
    expected = [task() for task in TASKS.values()]
    child = os.fork()
    if not child:
        try:
            os._exit([task() for task in TASKS.values()] != expected)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert [task() for task in TASKS.values()] == expected


def test_a_list_that_changes_while_the_kernel_reads_it(often):
    """The answer has no meaning then, but nothing outside the list is read: the process does not crash."""
    changing, end = [*range(100)], time.monotonic() + 1.0

    def work(thread):
        while time.monotonic() < end:
            if not thread:
                changing[:] = []
                changing.extend(range(10**6, 10**6 + 100))
                continue
            with contextlib.suppress(GamecoreError):
                rows.value(changing, opponent="greedy")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
run = getattr(interpreters, "run_string", None) or interpreters.exec
solve = 'from gamecore import duel; print(duel.solve("DQH2HA:H3D6S3:A:-").value)'
exec(solve)
interpreter = interpreters.create()
run(interpreter, f'''
try:
    {solve}
except ImportError as error:
    print("refused:", error)
''')
interpreters.destroy(interpreter)
exec(solve)
"""
# A free-threaded CPython turns the GIL on for a module that does not say that it does without it.
GIL = """
from gamecore import kernels
import sys
for name in ("duel", "hexapawn", "rows", "hearts"):
    kernels.kernel(name)
print("GIL" if getattr(sys, "_is_gil_enabled", lambda: "free-threading" not in sys.version)() else "no GIL")
"""


@pytest.mark.parametrize(("code", "printed"), [
    (SUBINTERPRETER, r"9\n(9|refused: .*)\n9\n"),
    (GIL, "no GIL\n" if "free-threading" in sys.version else "GIL\n"),
])  # fmt: skip
def test_subinterpreters_are_refused_or_work_and_the_gil_stays_off(code, printed):
    result = python("-W", "error", "-c", code)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(printed, result.stdout)
