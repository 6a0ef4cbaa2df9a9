"""Positions, functions and executors that the tests of batches use; processes import them by name."""

import os
import pickle
import random
import signal
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from types import SimpleNamespace

import numpy as np

from gamecore import duel, hearts, hexapawn, rows


def square(x):
    return x * x


def slow_square(x):
    time.sleep(0.001)
    return x * x


def picky(x):
    if x % 7 == 3:
        raise ValueError(f"{x} is not wanted")
    return x


def suicidal(x):
    if x == 300:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


class Here(Executor):
    """Runs a task when it is submitted; counts."""

    def __init__(self):
        self.tasks = 0

    def submit(self, fn, *args, **kwargs):
        self.tasks += 1
        future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


def sent(thing):
    """A copy by pickle with out-of-band buffers, as Dask sends things, each of which begins at an odd address."""
    buffers, placed = [], []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
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
            function, arguments = sent((fn, args))
            return sent(function(*arguments))

        return super().submit(run)


class Dies(Here):
    """Breaks at the nth task: in submit, in the future, by cancelling it, or silently, as a closed Dask client does."""

    def __init__(self, at, how):
        super().__init__()
        self.at, self.how = at, how

    def submit(self, fn, *args, **kwargs):
        if self.tasks < self.at:
            return super().submit(fn, *args, **kwargs)
        if self.how == "submit":
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        if self.how == "cancel":
            future.cancel()
        elif self.how == "closed":
            self._client = SimpleNamespace(status="closed", nthreads=dict)
        else:
            future.set_exception(BrokenExecutor("a worker has gone"))
        return future


class TwoArguments(Exception):
    """Cannot be unpickled: it hands one argument on, and takes two."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class Hostile(Exception):
    def __str__(self):
        raise RuntimeError

    def __reduce__(self):
        raise RuntimeError


def unkind(how):
    """Raises what it is asked for."""

    class Local(Exception):
        pass

    kind, *arguments = {
        "two arguments": (TwoArguments, "one", "two"),
        "local": (Local, "here only"),
        "hostile text": (Hostile, "x"),
        "fine": (ValueError, "fine"),
    }[how]
    raise kind(*arguments)


def _played(position, plies, rng):
    for _ in range(plies):
        if not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def _duels(rng):
    """Deals of all sizes, some in the middle of play, some over."""
    for _ in range(300):
        deal = duel.deal(rng.choice([1, 1, 2, 3, 4, 6, 8]), rng=rng.randrange(1 << 30))
        start = duel.Position(deal.alice, deal.bob, rng.choice(["Alice", "Bob"]))
        yield _played(start, rng.choice([0, 0, 1, 2, 9]), rng)


def _boards(rng, sizes=((3, 3), (4, 4), (5, 4), (3, 12), (9, 2), (2, 1))):
    for _ in range(200):
        yield _played(hexapawn.Position.start(*rng.choice(sizes)), rng.randrange(9), rng)


POSITIONS = {
    duel: [*_duels(random.Random(1))],
    hexapawn: [*_boards(random.Random(1))],
    rows: [rows.random(9, opponent=opponent, rng=seed) for seed in range(30) for opponent in ("optimal", "greedy")],
    hearts: [hearts.random("left", plies=32, rng=seed) for seed in range(25)],
}
#: Positions that take longer than a test.
HARD = {
    duel: [duel.deal(17, rng=seed) for seed in range(4)],
    hexapawn: [hexapawn.random(7, 7, plies=4, rng=seed) for seed in range(4)],
    rows: [rows.Position(np.arange(300) * seed % 97, "greedy") for seed in (3, 5, 7, 11)],
    hearts: [hearts.random("left", plies=9, rng=seed) for seed in range(4)],
}
