"""Batches: one thread and two, objects and columns, on the same positions.

Ratios of threads need cores that nothing else uses.
"""

import functools

import numpy as np
import pytest

from gamecore import duel, hexapawn, rows


def deals(n, count):
    """Random deals as columns."""
    order = np.argsort(np.random.default_rng(1).random((count, 52)), axis=1)[:, : 2 * n].astype(np.uint64)
    bits = np.uint64(1) << order
    return duel.PositionArray(np.bitwise_or.reduce(bits[:, :n], axis=1), np.bitwise_or.reduce(bits[:, n:], axis=1))


def scattered_boards(count):
    """5x5 boards with pawns anywhere."""
    rng = np.random.default_rng(3)
    white, more, black, less = rng.integers(0, 1 << 20, (4, count)).astype(np.uint64)
    white &= more
    black = (black & less) << np.uint64(5) & ~white
    sides = [("white", "black")[side] for side in rng.integers(0, 2, count)]
    return [hexapawn.Position(5, 5, *pawns) for pawns in zip(white.tolist(), black.tolist(), sides, strict=True)]


BATCHES = {
    "1,000 duels n=12": (lambda: deals(12, 1_000), duel.solve_many),
    "200,000 5x5 Hexapawn boards": (lambda: scattered_boards(200_000), hexapawn.solve_many),
    "1,000,000 decks, greedy": (
        lambda: rows.decks(1_000_000, rng=7),
        functools.partial(rows.solve_many, opponent="greedy"),
    ),
}
_made = functools.cache(lambda name: BATCHES[name][0]())


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("workers", [1, 2])
def test_threads(benchmark, name, workers):
    items = _made(name)
    benchmark.group = f"batch {name}"
    benchmark.extra_info.update(version=f"{workers} thread{'s'[: workers - 1]}", work=len(items))
    answers = benchmark.pedantic(BATCHES[name][1], (items,), {"workers": workers, "progress": False}, rounds=5)
    assert len(answers) == len(items)


SMALL = 200_000


@pytest.mark.parametrize("version", ["columns", "objects", "objects, iterated"])
def test_many_small_positions(benchmark, version):
    """Two cards each, no line: what a batch costs beside its searches."""
    benchmark.group = f"batch {SMALL:,} duels n=2"
    array = deals(2, SMALL)
    if version == "columns":
        run = functools.partial(duel.solve_many, array, line=False, progress=False)
    else:
        some = [array[place] for place in range(1000)] * (SMALL // 1000)
        iterated = version != "objects"

        def run():
            answers = duel.solve_many(some, line=False, progress=False)
            return list(answers) if iterated else answers

    benchmark.extra_info.update(version=version, work=SMALL)
    benchmark.pedantic(run, rounds=3)
