"""What machines learn of the order of moves, told to one another and kept for the next session.

A search that orders moves by learnt weights gets better while it runs. Each of many machines sees a small part of the
positions and would learn so much less; and two machines that try the moves of one position in two orders are of little
use to each other. So every machine tells the master now and then by how much its weights have changed, and the master
tells all of them what comes of it: for each weight, the mean of the changes over the machines that changed it. (This is
federated averaging, McMahan et al. 2017, for sparse changes: the mean over all machines would lose what one alone has
seen, the sum would go too far where all have seen the same.) A machine takes its own change back when it gets the one
that it is part of, so that all have the same weights but for what they learnt last.

A *lesson* is a parcel of changes (:func:`gamecore.prove._exchange.seal`), one word a record. A machine's: how many
weights there are, the number of the lesson, then changes as kernels write them. The master's: how many weights there
are, how many lessons it is made of, machine (two words) and number of each of them, then changes. What is lost costs
some learning and nothing else: no weight can make an answer wrong.
"""

import threading
import time
from typing import TYPE_CHECKING, Final

import numpy as np

from gamecore.errors import GamecoreError
from gamecore.prove._exchange import CHANGES, Parcel, seal, unseal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamecore.prove._rules import Engine

ALONE: Final = 10.0  #: seconds between the lessons of a machine that is alone: they are for the store

_EVERY: Final = 0.05  # seconds between lessons where there are several machines, at least
_SHARE: Final = 0.1  # of the master's time that may go into lessons
_BYTES_A_SECOND: Final = 20e6  # of lessons, in and out, that the master's network carries beside entries
_REMEMBERED: Final = 64  # of a machine's lessons, those that have not come back
_MOST_WEIGHTS: Final = 1 << 24  # of a kernel; they have fewer
_LEAST_WEIGHT: Final = -(1 << 15)
_MOST_WEIGHT: Final = (1 << 15) - 1
_MASTER: Final = bytes(16)  # in place of a machine's name


class Learner:
    """A machine's side: tells what its engine has learnt, and takes in what all have.

    Args:
        run: of the store, 16 bytes.
        name: of the machine, 16 bytes.
        engine: the one whose weights all engines of the machine use.
    """

    def __init__(self, run: bytes, name: bytes, engine: "Engine") -> None:
        self._run, self._name, self._engine = run, name, engine
        self._weights = engine.weights
        self._lock = threading.Lock()
        self._told: dict[int, NDArray[np.uint64]] = {}  # by number: what no lesson of the master has brought back
        self._number = 0
        self._last = time.monotonic()

    def tell(self, every: float) -> bytes:
        """A lesson, if the last one is ``every`` seconds ago and something was learnt since; else nothing."""
        if not self._weights or time.monotonic() - self._last < every or not self._lock.acquire(blocking=False):
            return b""
        try:
            self._last = time.monotonic()
            changes = np.frombuffer(self._engine.take_changes(), dtype=np.uint64)
            if not len(changes):
                return b""
            self._number += 1
            self._told[self._number] = changes
            self._told.pop(self._number - _REMEMBERED, None)
            head = np.array([self._weights, self._number], dtype=np.uint64)
            return seal(CHANGES, self._run, self._name, np.concatenate((head, changes)).reshape(-1, 1))
        finally:
            self._lock.release()

    def take(self, lesson: bytes) -> int:
        """Take in a lesson of the master.

        Returns:
            How many weights were changed; -1 if it is damaged, of another run, or of a kernel with other weights.
        """
        opened = _opened(self._run, lesson)
        if opened is None:
            return -1
        words = opened.words
        if int(words[0]) != self._weights or int(words[1]) > (len(words) - 2) // 3:
            return -1
        end = 2 + 3 * int(words[1])
        name = np.frombuffer(self._name, dtype="<u8").astype(np.uint64)
        changed = 0
        with self._lock:
            for first, second, number in words[2:end].reshape(-1, 3):
                if first == name[0] and second == name[1]:
                    own = self._told.pop(int(number), None)
                    if own is not None:
                        changed += self._engine.put_changes(own, True)
            return changed + self._engine.put_changes(words[end:], False)


class Merger:
    """The master's side: puts the lessons of all machines together.

    Attributes:
        every: seconds between the lessons of a machine.

    Args:
        run: of the store, 16 bytes.
    """

    def __init__(self, run: bytes) -> None:
        self.every = _EVERY
        self._run = run
        self._last = -1e9
        self._waiting: list[Parcel] = []
        self._bytes = 0  # of those that wait
        self._resize(0)

    def start(self, lesson: bytes) -> bool:
        """Begin with what earlier sessions learnt; False if that is damaged or of another run."""
        opened = _opened(self._run, lesson)
        if opened is None or opened.words[1]:
            return False
        self._resize(int(opened.words[0]))
        places, changes = _parts(opened.words[2:])
        known = places < len(self._total)
        self._total[places[known]] = changes[known]
        return True

    def add(self, lesson: bytes) -> None:
        """A machine's lesson has come; a damaged one is left out."""
        opened = _opened(self._run, lesson)
        if opened is not None:
            self._waiting.append(opened)
            self._bytes += len(lesson)

    def merged(self, now: float) -> bytes:
        """The lesson that is made of those that came, if the last one is long enough ago; else nothing.

        Args:
            now: in seconds.
        """
        if not self._waiting or now - self._last < self.every:
            return b""
        begun = time.perf_counter()
        size = int(self._waiting[-1].words[0])
        if size != len(self._total):  # a table of another size may have another number of weights
            self._resize(size)
        parcels = [parcel for parcel in self._waiting if int(parcel.words[0]) == size]
        self._waiting.clear()
        words = self._put_together(parcels)
        head: list[int] = [size, len(parcels)]
        for parcel in parcels:
            head += [*np.frombuffer(parcel.sender, dtype="<u8").tolist(), int(parcel.words[1])]
        lesson = self._sealed(head, words)
        carried = self._bytes + len(lesson) * len({parcel.sender for parcel in parcels})
        self._last, self._bytes = now, 0
        self.every = max(_EVERY, (time.perf_counter() - begun) / _SHARE, carried / _BYTES_A_SECOND)
        return lesson

    def total(self) -> bytes:
        """All that was learnt, for the store; nothing if that is nothing."""
        places = np.flatnonzero(self._total)
        return self._sealed([len(self._total), 0], _words(places, self._total[places])) if len(places) else b""

    def _put_together(self, parcels: list[Parcel]) -> "NDArray[np.uint64]":
        """For each weight, the mean of the changes over the machines that changed it."""
        by_machine: dict[bytes, list[NDArray[np.uint64]]] = {}
        for parcel in parcels:
            by_machine.setdefault(parcel.sender, []).append(parcel.words[2:])
        for lessons in by_machine.values():
            seen = []
            for lesson in lessons:
                places, changes = _parts(lesson)
                known = places < len(self._total)
                places = places[known]
                self._sums[places] += changes[known]  # a place occurs once in a lesson
                seen.append(places)
            self._machines[np.unique(np.concatenate(seen)) if len(seen) > 1 else seen[0]] += 1
        places = np.flatnonzero(self._machines)
        means = np.rint(self._sums[places] / self._machines[places]).astype(np.int32)
        self._sums[places] = 0
        self._machines[places] = 0
        before = self._total[places]
        self._total[places] = after = np.clip(before + means, _LEAST_WEIGHT, _MOST_WEIGHT)
        changed = after != before
        return _words(places[changed], (after - before)[changed])

    def _resize(self, size: int) -> None:
        """Begin with so many weights, of which nothing is known."""
        self._total, self._sums = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
        self._machines = np.zeros(size, dtype=np.int16)

    def _sealed(self, head: list[int], words: "NDArray[np.uint64]") -> bytes:
        rows = np.concatenate((np.array(head, dtype=np.uint64), words)).reshape(-1, 1)
        return seal(CHANGES, self._run, _MASTER, rows)


def _opened(run: bytes, lesson: bytes) -> Parcel | None:
    """A lesson of this run that says how many weights there are; None: it is damaged, or something else."""
    try:
        parcel = unseal(CHANGES, run, lesson, 1)
    except GamecoreError:
        return None
    return parcel if len(parcel.words) >= 2 and 0 < int(parcel.words[0]) <= _MOST_WEIGHTS else None


def _parts(words: "NDArray[np.uint64]") -> "tuple[NDArray[np.int64], NDArray[np.int32]]":
    """Places and changes, signed."""
    return (words >> np.uint64(32)).astype(np.int64), words.astype(np.uint32).view(np.int32)


def _words(places: "NDArray[np.int64]", changes: "NDArray[np.int32]") -> "NDArray[np.uint64]":
    """Changes as kernels read them."""
    return places.astype(np.uint64) << np.uint64(32) | changes.view(np.uint32).astype(np.uint64)
