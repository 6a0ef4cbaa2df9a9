"""Forks, pickles and helper threads: the same answers from all of them."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import pytest
from batch_tasks import solved
from test_free_threads import TASKS, Shared, round_at

from gamecore import duel, hearts, hexapawn
from gamecore.search.threads import nodes_alone


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


def test_objects_cross_processes():
    context = multiprocessing.get_context("spawn")
    thing = duel.deal(6, rng=3), hexapawn.Position.start(4, 4), round_at(3, 40)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        one, two, three, round_ = pool.submit(solved, thing).result()
    assert (one.line, two.line, three) == (
        duel.solve(thing[0]).line, hexapawn.solve(thing[1]).line, hearts.solve(thing[2]).max_n_points,
    )  # fmt: skip
    assert round_.hands == thing[2].hands


def test_one_thread_begins_a_search_that_others_join():
    expected = {(0, 1): 0, (0, 2): 100_000, (7, 2): 7, (100_000, 2): 100_000, (100_001, 2): 100_000, (10**6, 1): 10**6}
    assert {given: nodes_alone(*given) for given in expected} == expected
