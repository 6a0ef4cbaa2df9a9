"""Positions, functions and executors that the tests of batches use; processes import them by name."""

import os
import pickle
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
    """Runs a task when it is submitted; counts. ``send`` makes what arrives of a function, arguments and a result."""

    def __init__(self, send=lambda thing: thing):
        self.tasks, self.send = 0, send

    def submit(self, fn, *args):
        self.tasks += 1
        future = Future()
        try:
            function, arguments = self.send((fn, args))
            future.set_result(self.send(function(*arguments)))
        except BaseException as error:
            future.set_exception(error)
        return future


def at_odd_addresses(thing):
    """A copy by pickle with out-of-band buffers, as Dask sends things, each of which begins at an odd address."""
    buffers = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[np.frombuffer(b"x" + buffer.raw(), np.uint8)[1:].data for buffer in buffers])


class Dies(Here):
    """Breaks at the sixth task: in submit, in the future, by cancelling it, by returning none, or silently, as a closed
    Dask client does."""

    def __init__(self, how, at=5):
        super().__init__()
        self.at, self.how = at, how

    def submit(self, fn, *args):
        if self.tasks < self.at:
            return super().submit(fn, *args)
        if self.how == "submit":
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        if self.how == "cancel":
            future.cancel()
        elif self.how == "closed":
            self._client = SimpleNamespace(status="closed", nthreads=dict)
        elif self.how == "future":
            future.set_exception(BrokenExecutor("a worker has gone"))
        return None if self.how == "none" else future


class TwoArguments(Exception):
    """Cannot be unpickled: it hands one argument on, and takes two."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def unkind(is_unkind):
    raise TwoArguments("one", "two") if is_unkind else ValueError("fine")


BOARDS = (3, 3), (4, 4), (5, 4), (3, 9), (9, 2), (2, 1)
#: At the start, in the middle of play, and over.
POSITIONS = {
    duel: [duel.random((1, 2, 3, 4, 6, 8)[seed % 6], plies=seed % 5, rng=seed) for seed in range(120)],
    hexapawn: [hexapawn.random(*BOARDS[seed % 6], plies=seed % 9, rng=seed) for seed in range(90)],
    rows: [rows.random(9, opponent=opponent, rng=seed) for seed in range(15) for opponent in ("optimal", "greedy")],
    hearts: [hearts.random("left", plies=35, rng=seed) for seed in range(25)],
}
#: Positions that take longer than a test.
HARD = {
    duel: [duel.deal(17, rng=seed) for seed in range(4)],
    hexapawn: [hexapawn.random(7, 7, plies=4, rng=seed) for seed in range(4)],
    rows: [rows.Position(np.arange(300) * seed % 97, "greedy") for seed in (3, 5, 7, 11)],
    hearts: [hearts.random("left", plies=9, rng=seed) for seed in range(4)],
}
