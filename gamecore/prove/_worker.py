"""What works on jobs: a *machine* is a process with one table and an engine for each of its threads.

:func:`work` is what threads, executors and clusters call. A machine keeps its table between jobs, takes in the entries
that others have found, and sends back those of its own that were costly.
"""

import math
import os
import socket
import threading
import time
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, get_origin

from gamecore._version import __version__
from gamecore.batch.workers import stoppable
from gamecore.errors import GamecoreError
from gamecore.prove._exchange import FORMAT, pack, unpack
from gamecore.prove._games import plies_left, rules_of
from gamecore.prove._lessons import Learner
from gamecore.prove._rules import Answer, Child, Engine

VERSION: Final = f"{__version__}/{FORMAT}"  #: that master and machines have to agree on


class Job(NamedTuple):
    """A test to be searched, and what the machine that takes it has to know.

    Attributes:
        number, session: no other job has these two.
        run: of the store, 16 bytes.
        version: of the master's gamecore.
        game, root: rules, and the canonical position that everything comes after.
        key, test: what is asked.
        nodes: budget.
        table_bytes, shared: of the machine's table, and whether several threads will use it.
        least: entries that took so many nodes are sent back; 0: none.
        first, parcels: entries of others; the number of the first one.
        every: seconds between the machine's lessons.
        first_lesson, lessons: of all machines together; the number of the first one.
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
    every: float
    first_lesson: int
    lessons: tuple[bytes, ...]


class Result(NamedTuple):
    """What came of a job.

    Attributes:
        number, session, run, version: the job's; the machine's version.
        machine: 16 bytes, the same for all threads of a process.
        read, learnt: the machine has all parcels, and all lessons, before these numbers.
        answer: what the search says.
        children: every legal move, where the budget ran out; else empty.
        parcel: entries that were costly to find; empty: none.
        lesson: what the machine has learnt since its last one; empty: nothing, or not yet to be told.
        refused: parcels, entries and lessons of others that were not valid.
        seconds: of the search.
    """

    number: int
    session: str
    run: bytes
    version: str
    machine: bytes
    read: int
    learnt: int
    answer: Answer
    children: tuple[Child, ...]
    parcel: bytes
    lesson: bytes
    refused: int
    seconds: float


_FIELDS: Final[dict[type, tuple[Any, ...]]] = {
    kind: tuple(get_origin(field) or field for field in kind.__annotations__.values())
    for kind in (Result, Answer, Child)
}


def fault_of(result: Result, key: str, test: int, game: str, most: int) -> str | None:
    """What is wrong with a result of a test that came from another process; None: nothing that can be seen.

    Args:
        most: no score is further from 0.
    """
    answer, children = result.answer, result.children
    if not _is_typed(result) or not _is_typed(answer) or not all(map(_is_typed, children)):
        return "a field is of another type"
    if result.read < 0 or result.learnt < 0 or answer.nodes not in range(1 << 62) or not 0 <= result.seconds < math.inf:
        return "a count is out of range"
    bounds = [(answer.low, answer.high), *((child.low, child.high) for child in children)]
    if not all(-most <= low <= high <= most for low, high in bounds):
        return "bounds are out of range"
    if not (answer.low >= test or answer.high < test if answer.done else children):
        return "it neither answers its test nor splits its position"
    left = plies_left(game, key)
    if any(plies_left(game, child.key) >= left for child in children):
        return "a move leads to no position after it"
    return None


def _is_typed(record: "Result | Answer | Child") -> bool:
    fields = _FIELDS.get(type(record))
    return fields is not None and all(type(value) is kind for value, kind in zip(record, fields, strict=True))


class _Inbox:
    """Which of the numbered parcels that jobs bring are not here yet; several threads bring the same ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._upto = 0

    def new(self, first: int, parcels: tuple[bytes, ...]) -> tuple[tuple[bytes, ...], int]:
        """Those of the parcels that nobody was given before, and the number before which all have been given out.

        Args:
            first: the number of the first one.
        """
        with self._lock:
            new = parcels[max(0, self._upto - first) :]
            self._upto = max(self._upto, first + len(parcels))
            return new, self._upto


class Machine:
    """The engines of one process for one run: one for each job at a time, all on one table."""

    def __init__(self, job: Job) -> None:
        self.name = os.urandom(16)
        self._run = job.run
        self._main = rules_of(job.game).engine(job.root, job.table_bytes, job.shared)
        self._free: SimpleQueue[Engine] = SimpleQueue()
        self._free.put(self._main)
        self._entries, self._lessons = _Inbox(), _Inbox()
        self.refused = 0
        self.learner = Learner(job.run, self.name, self._main)

    def engine(self) -> Engine:
        """An engine that nobody uses; give it back. Waits for one where threads cannot share the table."""
        try:
            return self._free.get_nowait()
        except Empty:
            return self._main.helper() or self._free.get()

    def give_back(self, engine: Engine) -> None:
        """Done."""
        self._free.put(engine)

    def read(self, engine: Engine, first: int, parcels: tuple[bytes, ...]) -> int:
        """Take in what was not there yet; the number before which everything is there now."""
        new, upto = self._entries.new(first, parcels)
        for parcel in new:
            try:
                sender, words = unpack(self._run, parcel)
            except GamecoreError:
                self.refused += 1
                continue
            if sender != self.name:
                self.refused += len(words) // 3 - engine.put_entries(words)
        return upto

    def learn(self, first: int, lessons: tuple[bytes, ...]) -> int:
        """Take in the lessons that were not there yet; the number before which everything is there now."""
        new, upto = self._lessons.new(first, lessons)
        for lesson in new:
            self.refused += self.learner.take(lesson) < 0
        return upto


_machines: dict[bytes, Machine] = {}
_lock = threading.Lock()


def machine_of(job: Job) -> Machine:
    """This process's machine for the job's run; those of other runs are forgotten."""
    with _lock:
        found = _machines.get(job.run)
        if found is None:
            _machines.clear()
            found = _machines[job.run] = Machine(job)
        return found


def work(job: Job, machine: Machine | None = None) -> Result:
    """Do a job.

    Args:
        machine: whose engines do it; None: this process's.

    Raises:
        GamecoreError: the master has another version of gamecore.
    """
    if job.version != VERSION:
        here = f"{socket.gethostname()} (process {os.getpid()})"
        raise GamecoreError(f"a worker on {here} has gamecore {VERSION}, but the master has {job.version}")
    if machine is None:
        machine = machine_of(job)
    engine = machine.engine()
    try:
        before = machine.refused
        read = machine.read(engine, job.first, job.parcels)
        learnt = machine.learn(job.first_lesson, job.lessons)
        if job.least:
            engine.export_from(job.least)
        begun = time.perf_counter()
        with stoppable(engine.stop):
            answer = engine.test(job.key, job.test, -1.0, job.nodes)
        children = () if answer.done else tuple(engine.children(job.key, job.test))
        seconds = time.perf_counter() - begun
        records = engine.take_entries() if job.least else b""
        parcel = pack(job.run, machine.name, records) if records else b""
        lesson = machine.learner.tell(job.every)
    finally:
        machine.give_back(engine)
    refused = machine.refused - before
    return Result(
        job.number, job.session, job.run, VERSION, machine.name, read, learnt, answer, children, parcel, lesson,
        refused, seconds,
    )  # fmt: skip
