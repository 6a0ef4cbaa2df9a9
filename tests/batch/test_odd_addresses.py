"""What comes from another process may lie at odd addresses: kernels are given none of it as it is."""

import importlib
import pickle

import numpy as np
import pytest
from batch_tasks import Here

from gamecore import duel, hearts, hexapawn, rows
from gamecore.batch import columns
from gamecore.errors import BatchError


def sent(thing):
    """A copy by pickle with out-of-band buffers, as Dask sends things, each of which begins at an odd address."""
    buffers = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    placed = []
    for buffer in buffers:
        raw = buffer.raw()
        room = np.empty(len(raw) + 8, np.uint8)
        start = 1 - room.ctypes.data % 2
        room[start : start + len(raw)] = raw
        placed.append(room[start : start + len(raw)])
    return pickle.loads(data, buffers=placed)


class OddAddresses(Here):
    """Runs a task when it is submitted, with everything sent there and back."""

    def submit(self, fn, *args, **kwargs):
        def run():
            there, given, named = sent((fn, args, kwargs))
            return sent(there(*given, **named))

        return super().submit(run)


class Checking:
    """A kernel, or an object of one, whose functions refuse arrays at odd addresses."""

    def __init__(self, kernel):
        self.kernel = kernel

    def __getattr__(self, name):
        found = getattr(self.kernel, name)
        if not callable(found):
            return found

        def call(*given):
            for array in given:
                if isinstance(array, np.ndarray):
                    assert array.flags.aligned, name
                    assert array.flags.c_contiguous, name
            made = found(*given)
            return Checking(made) if name == "Solver" else made

        return call


POSITIONS = {
    "duel": [duel.deal(4, rng=seed) for seed in range(30)],
    "hexapawn": [hexapawn.random(4, 4, rng=seed, plies=2) for seed in range(30)],
    "hearts": [hearts.random(rng=seed, plies=44) for seed in range(3)],
    "rows": np.random.default_rng(3).integers(-99, 99, (30, 12), dtype=np.int64),
}
GAMES = {"duel": duel, "hexapawn": hexapawn, "hearts": hearts, "rows": rows}


def test_they_really_lie_there():
    given = np.arange(5, dtype=np.uint64)
    arrived = sent(given)
    assert arrived.ctypes.data % 2 == 1
    assert not arrived.flags.aligned
    assert (arrived == given).all()
    (usable,) = columns.for_kernel([arrived])
    assert usable.flags.aligned
    assert (usable == given).all()
    (same,) = columns.for_kernel([given])
    assert same is given


@pytest.mark.parametrize("game", GAMES)
def test_answers_are_the_same(game):
    positions = POSITIONS[game]
    here, there = GAMES[game].solve_many(positions), GAMES[game].solve_many(positions, executor=OddAddresses())
    assert [(one.lower, one.upper, one.line) for one in there] == [(one.lower, one.upper, one.line) for one in here]


@pytest.mark.parametrize("game", ["duel", "hexapawn"])
def test_kernels_see_none_of_it(game, monkeypatch):
    module = importlib.import_module(f"gamecore.{game}._batch")
    monkeypatch.setattr(module, "_kernel", Checking(module._kernel))
    GAMES[game].solve_many(POSITIONS[game], executor=OddAddresses())
    monkeypatch.setattr(module, "for_kernel", lambda columns: columns)
    with pytest.raises(BatchError, match=r"AssertionError: .*aligned"):
        GAMES[game].solve_many(POSITIONS[game], executor=OddAddresses())
