"""Batches: one thread and two, objects and columns, processes and Dask, on the same positions.

Ratios of threads need cores that nothing else uses: ``cores_idle`` says how much of them was free just before.
"""

import functools
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from gamecore import batch, duel, hexapawn, rows
from gamecore.duel import _batch as duel_batch
from gamecore.limits import Limits


def idle():
    """Share of all cores' time that was idle during a tenth of a second, or None."""

    def counts():
        with open("/proc/stat") as file:
            numbers = [int(word) for word in file.readline().split()[1:9]]
        return numbers[3] + numbers[4], sum(numbers)

    try:
        before = counts()
        time.sleep(0.1)
        after = counts()
    except OSError:
        return None
    return round((after[0] - before[0]) / max(1, after[1] - before[1]), 2)


def deals(n, count):
    """Random deals as columns."""
    order = np.argsort(np.random.default_rng(1).random((count, 52)), axis=1)[:, : 2 * n].astype(np.uint64)
    bits = np.uint64(1) << order
    return duel.PositionArray(np.bitwise_or.reduce(bits[:, :n], axis=1), np.bitwise_or.reduce(bits[:, n:], axis=1))


def boards(count):
    """5x5 boards out of random games, 4 to 13 plies deep."""
    rng = random.Random(3)
    found = []
    while len(found) < count:
        position = hexapawn.Position.start(5, 5)
        for _ in range(rng.randrange(4, 14)):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(rng.choice(moves))
        found.append(position)
    return found


def scattered_boards(count):
    """5x5 boards with pawns anywhere, as columns."""
    rng = np.random.default_rng(3)
    white, more, black, less = rng.integers(0, 1 << 20, (4, count)).astype(np.uint64)
    white &= more
    return hexapawn.PositionArray(5, 5, white, (black & less) << np.uint64(5) & ~white, rng.integers(0, 2, count))


BATCHES = {
    "10,000 duels n=12": (lambda: deals(12, 10_000), duel.solve_many),
    "1,000,000 5x5 Hexapawn boards": (lambda: scattered_boards(1_000_000), hexapawn.solve_many),
    "50,000 5x5 Hexapawn boards of games": (lambda: boards(50_000), hexapawn.solve_many),
    "10,000,000 decks, greedy": (
        lambda: rows.decks(10_000_000, rng=7),
        functools.partial(rows.solve_many, opponent="greedy"),
    ),
}
_made = functools.cache(lambda name: BATCHES[name][0]())


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("workers", [1, 2])
def test_threads(benchmark, name, workers):
    items = _made(name)
    benchmark.group = f"batch {name}"
    benchmark.extra_info.update(version=f"{workers} thread{'s'[: workers - 1]}", cores_idle=idle())
    answers = benchmark.pedantic(BATCHES[name][1], (items,), {"workers": workers, "progress": False}, rounds=5)
    assert len(answers) == len(items)


SMALL = 1_000_000


@pytest.mark.parametrize("version", ["kernel alone", "columns", "objects", "objects, iterated"])
def test_a_million_small_positions(benchmark, version):
    """What a batch costs above its kernel: two cards each, no line."""
    benchmark.group = f"batch {SMALL:,} duels n=2"
    array = deals(2, SMALL)
    limits = Limits().for_kernel(256)
    payload, _ = array.packed(range(SMALL))
    if version == "kernel alone":
        run = functools.partial(duel_batch.solve_chunk, limits, False, SMALL, payload)
    elif version == "columns":
        run = functools.partial(duel.solve_many, array, line=False, progress=False)
    else:
        some = [array[place] for place in range(1000)] * (SMALL // 1000)
        iterated = version != "objects"

        def run():
            answers = duel.solve_many(some, line=False, progress=False)
            return list(answers) if iterated else answers

    benchmark.extra_info["version"] = version
    benchmark.pedantic(run, rounds=3)
    benchmark.extra_info["us_per_position"] = round(benchmark.stats.stats.min / SMALL * 1e6, 3)


def overhead(executor, parallel):
    """Return the share of the workers' time that is spent outside searches."""
    items = deals(12, 30_000)
    begun = time.perf_counter()
    answers = duel.solve_many(items, executor=executor, progress=False)
    return (time.perf_counter() - begun) * parallel / answers.seconds.sum() - 1


@pytest.mark.slow
@pytest.mark.parametrize("version", ["processes", "Dask"])
def test_overhead_of_executors(benchmark, version):
    """With one worker, so that nothing but the executor can cost time; the start of small chunks is counted in."""
    benchmark.group = "batch 30,000 duels n=12 on one worker process"
    if version == "processes":
        with ProcessPoolExecutor(1) as pool:
            batch.run(abs, range(10), executor=pool)
            share = benchmark.pedantic(overhead, (pool, 1), rounds=3)
    else:
        distributed = pytest.importorskip("distributed", reason="distributed is not installed")
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            batch.run(abs, range(10), executor=client.get_executor())
            share = benchmark.pedantic(overhead, (client.get_executor(), 1), rounds=3)
    benchmark.extra_info.update(version=version, overhead_percent=round(100 * share, 1), cores=os.cpu_count())
