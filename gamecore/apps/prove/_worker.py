"""What works on jobs: a *machine* is a process with one table and an engine for each of its threads.

:func:`work` is what threads, executors and clusters call. A machine keeps its table between jobs, takes in the entries
that others have found, and sends back those of its own that were costly.
"""

import contextlib
import math
import os
import socket
import threading
import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple

from gamecore._version import __version__
from gamecore.apps.prove._exchange import pack, unpack
from gamecore.apps.prove._prover import Answer, Child, Engine, Prover, prover_of
from gamecore.errors import GamecoreError

VERSION: Final = f"{__version__}/6"  #: master and machines must agree; its number changes with jobs and parcels


class Job(NamedTuple):
    """A test to be searched, and what its machine must know.

    Attributes:
        number, session: no other job has these two.
        run: of the store, 16 bytes.
        version: of the master's gamecore.
        game, root: the game, and the canonical position before all others.
        key, test: what is asked.
        nodes: budget.
        table_bytes, shared: of the machine's table, and whether several threads will use it.
        least: entries that took this many nodes are sent back; 0: none.
        first, parcels: entries of others; the number of the first parcel.
    """

    number: int
    session: str
    run: bytes
    version: str
    game: str
    root: str
    key: str
    test: int
    nodes: int
    table_bytes: int
    shared: bool
    least: int
    first: int
    parcels: tuple[bytes, ...]


class Result(NamedTuple):
    """Result of a job.

    Attributes:
        number, session: the job's.
        machine: 16 bytes, the same for all threads of a process.
        read: the machine has read all parcels before this number.
        answer: of the search.
        children: every legal move, if the budget ran out; else empty.
        parcel: entries that were costly to find, or empty.
        seconds: of the search.
    """

    number: int
    session: str
    machine: bytes
    read: int
    answer: Answer
    children: tuple[Child, ...]
    parcel: bytes
    seconds: float


def fault_of(result: Result, job: Job, prover: Prover, most: int) -> str | None:
    """Return what is visibly wrong with the result of a job, or None. Scores lie within -``most`` and ``most``."""
    answer, children = result.answer, result.children
    numbers = [*answer[1:], *(number for child in children for number in child[2:])]
    if type(answer.done) is not bool or any(type(number) is not int for number in numbers):
        return "it has a number that is no int, or an answer that is no bool"
    if (result.number, result.session) != (job.number, job.session):
        return "it is another job's"
    if result.read < 0 or not 0 <= answer.nodes < 1 << 62 or not 0 <= result.seconds < math.inf:
        return "a count is out of range"
    bounds = [(answer.low, answer.high), *((child.low, child.high) for child in children)]
    if not all(-most <= low <= high <= most for low, high in bounds):
        return "bounds are out of range"
    if not (answer.low >= job.test or answer.high < job.test if answer.done else children):
        return "it neither answers its test nor splits its position"
    left = prover.plies_left(job.key)
    if any(prover.plies_left(child.key) >= left for child in children):
        return "a move leads to no position after it"
    return None


class Machine:
    """The engines of one process for one run, all on one table."""

    def __init__(self, job: Job) -> None:
        self.name, self.run, self.table_bytes = os.urandom(16), job.run, job.table_bytes
        self._main = prover_of(job.game).engine(job.root, job.table_bytes, job.shared)
        # Helpers copy facts of the main engine's table, so that it may not search meanwhile: it only owns the table.
        self._engines = [self._main.helper() or self._main]
        self._free: SimpleQueue[Engine] = SimpleQueue()
        self._free.put(self._engines[0])
        self._lock = threading.Lock()
        self._stopped = False
        self._upto = 0  # all parcels before this number were handed out to be read

    @contextlib.contextmanager
    def engine(self) -> Iterator[Engine]:
        """Yield an engine that nobody else uses. Waits if threads cannot share the table."""
        try:
            engine = self._free.get_nowait()
        except Empty:
            engine = self._new_engine() or self._free.get()
        try:
            yield engine
        finally:
            self._free.put(engine)

    def _new_engine(self) -> Engine | None:
        with self._lock:
            helper = self._main.helper()
            if helper is not None:
                self._engines.append(helper)
                if self._stopped:
                    helper.stop()
        return helper

    def stop(self) -> None:
        """Stop all searches, now and later."""
        with self._lock:
            self._stopped = True
            for engine in self._engines:
                engine.stop()

    def read(self, engine: Engine, first: int, parcels: tuple[bytes, ...]) -> int:
        """Take in the parcels that no thread has read; ``first`` is the number of the first one.

        Return the number before which all have been handed out.
        """
        with self._lock:
            new = parcels[max(0, self._upto - first) :]
            self._upto = upto = max(self._upto, first + len(parcels))
        for parcel in new:
            if self._stopped:  # the parcels of a warm start take seconds
                break
            with contextlib.suppress(GamecoreError):  # a damaged one is left out
                sender, words = unpack(self.run, parcel)
                if sender != self.name:
                    engine.put_entries(words)
        return upto


_machines: list[Machine] = []  # this process's for jobs of executors: one at most
_lock = threading.Lock()


def _machine_of(job: Job) -> Machine:
    """Return this process's machine for a job; forget one of another run, or with another table."""
    with _lock:
        if [(machine.run, machine.table_bytes) for machine in _machines] != [(job.run, job.table_bytes)]:
            _machines.clear()
            _machines.append(Machine(job))
        return _machines[0]


def stop_machine(run: bytes) -> None:
    """Stop the searches of a run's machine in this process, if it has one, and forget the machine."""
    with _lock:
        while _machines and _machines[0].run == run:
            _machines.pop().stop()


def work(job: Job, machine: Machine | None = None) -> Result:
    """Do a job with the engines of a machine; None: this process's.

    Raises:
        GamecoreError: the master has another version of gamecore.
    """
    if job.version != VERSION:
        here = f"{socket.gethostname()} (process {os.getpid()})"
        raise GamecoreError(f"a worker on {here} has gamecore {VERSION}, but the master has {job.version}")
    if machine is None:
        machine = _machine_of(job)
    with machine.engine() as engine:
        read = machine.read(engine, job.first, job.parcels)
        if job.least:
            engine.export_from(job.least)
        begun = time.perf_counter()
        answer = Answer(*engine.test(job.key, job.test, job.nodes))
        children = () if answer.done else tuple(Child(*child) for child in engine.children(job.key, job.test))
        seconds = time.perf_counter() - begun
        records = engine.take_entries() if job.least else b""
        parcel = pack(job.run, machine.name, records) if records else b""
    return Result(job.number, job.session, machine.name, read, answer, children, parcel, seconds)
