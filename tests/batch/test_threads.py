"""Threads, forks, pickles and interpreters: the same answers from all of them, or a clear refusal."""

import multiprocessing
import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from batch_tasks import solved

from gamecore import duel, hearts, hexapawn, rows
from gamecore.search.threads import nodes_alone

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
NUMBER = 8


def deal(seed, size):
    cards = random.Random(seed).sample(DECK, 2 * size)
    return duel.Position(cards[:size], cards[size:])


def round_at(seed, count, passing="left"):
    round_ = hearts.Round.deal(seed, passing=passing)
    for _ in range(count):
        round_ = round_.play(round_.ask("random"))
    return round_


TASKS = {
    "duel": lambda seed: duel.solve(deal(seed, 9)).line,
    "duel, analyse": lambda seed: duel.analyse(deal(seed, 7)),
    "hexapawn": lambda seed: hexapawn.solve(hexapawn.Position.start(4, 3 + seed % 3)).value,
    "hexapawn, threads": lambda seed: hexapawn.solve(hexapawn.Position.start(5, 5), threads=2).value,
    "hexapawn, wide": lambda seed: hexapawn.solve(hexapawn.Position.start(3, 9 + seed % 2)).line,
    "rows": lambda seed: rows.solve(np.arange(500 + seed) * 7919 % 1009, opponent="greedy"),
    "rows, fold": lambda seed: rows.solve(np.arange(90_000 + seed) * 7919 % 1009),
    "rows, table": lambda seed: rows.table(np.arange(90 + seed) * 7919 % 1009).tobytes(),
    "rows, batch": lambda seed: rows.solve_many(rows.decks(40, seed), opponent="greedy").mine.tobytes(),
    "hearts": lambda seed: hearts.simulate(["random"] * 4, 600, seed).points.tobytes(),
    "hearts, players": lambda seed: hearts.simulate(["pimc:3", "duck", "greedy", "solver:2"], 4, seed).points.tobytes(),
    "hearts, solve": lambda seed: hearts.solve(round_at(seed, 36)).max_n_points,
}


@pytest.mark.parametrize("name", TASKS)
def test_eight_threads_answer_as_one(name):
    task = TASKS[name]
    serial = [task(seed) for seed in range(4)]
    with ThreadPoolExecutor(NUMBER) as pool:
        separate = list(pool.map(task, [0, 1, 2, 3] * 4))
        shared = list(pool.map(task, [2] * (2 * NUMBER)))
    assert separate == serial * 4
    assert shared == [serial[2]] * (2 * NUMBER)


def test_objects_are_shared_by_threads():
    position, board = deal(3, 8), hexapawn.Position.start(4, 4)
    row = np.arange(5_000) * 7919 % 1009
    view = round_at(5, 20).view(round_at(5, 20).to_move)
    gate = threading.Barrier(NUMBER)

    def work(_):
        gate.wait()
        answers = []
        for i in range(10):
            answers += [duel.solve(position).value, hexapawn.solve(board).value, rows.value(row[i:], opponent="greedy")]
        return [*answers, hearts.evaluate_moves(view, playouts=20, rng=1)]

    with ThreadPoolExecutor(NUMBER) as pool:
        answers = list(pool.map(work, range(NUMBER)))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_fork_after_use():
    # Tables, threads that have come and gone, lazily made state: a child starts with all of it.
    expected = [task(1) for task in TASKS.values()]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            same = [task(1) for task in TASKS.values()] == expected
            os.write(writing, b"same" if same else b"different")
        finally:
            os._exit(0)
    os.close(writing)
    assert os.read(reading, 100) == b"same"
    os.close(reading)
    assert os.waitpid(child, 0)[1] == 0
    assert [task(1) for task in TASKS.values()] == expected


def test_objects_cross_processes():
    context = multiprocessing.get_context("spawn")
    thing = deal(3, 6), hexapawn.Position.start(4, 4), round_at(3, 40)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        one, two, three, round_ = pool.submit(solved, thing).result()
    assert (one.line, two.line, three) == (
        duel.solve(thing[0]).line, hexapawn.solve(thing[1]).line, hearts.solve(thing[2]).max_n_points,
    )  # fmt: skip
    assert round_.hands == thing[2].hands


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


def test_one_thread_begins_a_search_that_others_join():
    expected = {(0, 1): 0, (0, 2): 100_000, (7, 2): 7, (100_000, 2): 100_000, (100_001, 2): 100_000, (10**6, 1): 10**6}
    assert {given: nodes_alone(*given) for given in expected} == expected
