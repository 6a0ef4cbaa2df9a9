"""What does jobs: a *machine* is a process with one table, which it keeps between jobs, and an engine for each thread.

:func:`work` is what threads, executors and clusters call.
"""

import contextlib
import itertools
import math
import os
import queue
import socket
import threading
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from gamecore._version import __version__
from gamecore.apps.prove._prover import Child, Engine, prover_of
from gamecore.apps.prove._tree import Node, Tree
from gamecore.errors import GamecoreError
from gamecore.text import printable

VERSION: Final = f"{__version__}/8"  #: a run and its workers must agree; the number changes with jobs and results


class Kind(NamedTuple):
    """What all jobs of a run have in common: what a machine must know.

    Attributes:
        version: of gamecore.
        game, root, rules: the game, the canonical position before all others, and the fingerprint of its rules.
        table_bytes, shared: of a machine's table, and whether several threads will use it.
    """

    version: str
    game: str
    root: str
    rules: str
    table_bytes: int
    shared: bool


class Job(NamedTuple):
    """A test of a canonical position, to be searched with a budget of nodes."""

    kind: Kind
    key: str
    test: int
    nodes: int


class Result(NamedTuple):
    """Result of a job.

    Attributes:
        key, test: the job's.
        low, high: proven bounds of the score.
        nodes, seconds: of the search.
        children: every legal move, if the budget ran out before the bounds answered the test; else empty.
    """

    key: str
    test: int
    low: int
    high: int
    nodes: int
    seconds: float
    children: tuple[Child, ...]


def fault_of(result: object, node: Node, tree: Tree) -> str | None:
    """Return what is visibly wrong with the result of a job for a node of a tree, or None."""
    if not isinstance(result, Result):
        return f"it is {printable(result)}"
    most, plies_left = tree.most_score, tree.prover.plain.plies_left
    if (result.key, result.test) != (node.place.key, node.test):
        return "it is another job's"
    bounds = [(result.low, result.high), *((child.low, child.high) for child in result.children)]
    numbers = [result.nodes, *itertools.chain(*bounds), *(child.order for child in result.children)]
    if any(type(number) is not int for number in numbers):
        return "it has a number that is no int"
    if not 0 <= result.nodes < 1 << 62 or not 0 <= result.seconds < math.inf:
        return "a count is out of range"
    if not all(-most <= low <= high <= most for low, high in bounds):
        return "bounds are out of range"
    if result.low < node.test <= result.high and not result.children:
        return "it neither answers its test nor splits its position"
    if any(plies_left(child.key) >= plies_left(node.place.key) for child in result.children):
        return "a move leads to no position after it"
    return None


class Machine:
    """The engines of one process for one kind of jobs, all on one table.

    Raises:
        GamecoreError: the run has another version of gamecore, or other rules.
    """

    def __init__(self, kind: Kind) -> None:
        here = f"a worker on {socket.gethostname()} (process {os.getpid()}) has"
        if kind.version != VERSION:
            raise GamecoreError(f"{here} gamecore {VERSION}, but the run has {kind.version}")
        prover = prover_of(kind.game)
        if prover.fingerprint(kind.root) != kind.rules:
            raise GamecoreError(f"{here} other rules of {kind.game}")
        self.kind = kind
        # Helpers copy facts of the main engine's table, so that it may not search meanwhile: it only owns the table.
        self._main = prover.engine(kind.root, kind.table_bytes, kind.shared)
        self._engines = [self._main.helper() or self._main]
        self._free = queue.SimpleQueue[Engine]()
        self._free.put(self._engines[0])
        self._lock, self._stopped = threading.Lock(), False

    @contextlib.contextmanager
    def engine(self) -> Iterator[Engine]:
        """Yield an engine that nobody else uses. Waits if threads cannot share the table."""
        try:
            engine = self._free.get_nowait()
        except queue.Empty:
            with self._lock:
                helper = self._main.helper()
                self._engines += [helper] if helper else []
                if helper and self._stopped:
                    helper.stop()
            engine = helper or self._free.get()
        try:
            yield engine
        finally:
            self._free.put(engine)

    def stop(self) -> None:
        """Stop all searches, now and later."""
        with self._lock:
            self._stopped = True
            for engine in self._engines:
                engine.stop()


_machines: list[Machine] = []  # this process's for jobs of executors: one at most
_lock = threading.Lock()


def stop_machine(kind: Kind) -> None:
    """Stop the searches of the machine of this kind in this process, if it has one, and forget the machine."""
    with _lock:
        while _machines and _machines[0].kind == kind:
            _machines.pop().stop()


def work(job: Job, machine: Machine | None = None) -> Result:
    """Do a job with the engines of a machine; None: this process's, which replaces one of another kind of jobs."""
    with _lock if machine is None else contextlib.nullcontext():
        if machine is None and (not _machines or _machines[0].kind != job.kind):
            _machines.clear()
            _machines.append(Machine(job.kind))
        machine = machine or _machines[0]
    with machine.engine() as engine:
        begun = time.perf_counter()
        low, high, nodes = engine.test(job.key, job.test, job.nodes)
        moves = engine.children(job.key, job.test) if low < job.test <= high else ()
        children = tuple(itertools.starmap(Child, moves))
        return Result(job.key, job.test, low, high, nodes, time.perf_counter() - begun, children)
