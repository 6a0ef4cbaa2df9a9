"""What machines learn of the order of moves: told to one another, and kept for the next session.

A search that orders moves by learnt weights gets better while it runs. Each machine sees a small part of the positions
and learns less; and two machines that try the moves of one position in different orders find little of use to each
other. So every machine tells the master now and then how much its weights have changed. The master tells all of them,
for each weight, the mean of the changes over the machines that changed it. (This is federated averaging, McMahan et al.
2017, for sparse changes: the mean over all machines would lose what one alone has seen, the sum would go too far where
all have seen the same.) A machine takes its own change back when it gets the mean that contains it. So all have the
same weights but for their latest changes.

A *lesson* is a parcel of changes, one word a record. A machine's: the number of weights, the number of the lesson, then
changes as kernels write them. The master's: the number of weights, the number of lessons in it, machine (two words)
and number of each of them, then changes. A lost lesson costs some learning: no weight can make an answer wrong.
"""

import threading
import time
from typing import TYPE_CHECKING, Final

import numpy as np

from gamecore.errors import GamecoreError
from gamecore.prove._exchange import CHANGES, Parcel, pack, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamecore.game import Engine

ALONE: Final = 10.0  #: seconds between the lessons of a single machine: they are for the store

_EVERY: Final = 0.05  # seconds between lessons of several machines, at least
_SHARE: Final = 0.1  # of the master's time that may go into lessons
_BYTES_A_SECOND: Final = 20e6  # of lessons, in and out, that the master's network carries beside entries
_REMEMBERED: Final = 64  # of a machine's latest lessons that have not come back
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
        self._told: dict[int, NDArray[np.uint64]] = {}  # lessons by number that no mean has brought back
        self._number = 0
        self._last = time.monotonic()

    def tell(self, every: float) -> bytes:
        """Return a lesson; empty if the last one was less than ``every`` seconds ago or nothing was learnt since."""
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
            return _lesson(self._run, self._name, [self._weights, self._number], changes)
        finally:
            self._lock.release()

    def take(self, words: "NDArray[np.uint64]") -> int:
        """Take in a lesson of the master.

        Returns:
            How many weights were changed; -1 if it is no lesson, or of a kernel with other weights.
        """
        if len(words) < 2 or int(words[0]) != self._weights or int(words[1]) > (len(words) - 2) // 3:
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
    """The master's side: merges the lessons of all machines.

    Args:
        run: of the store, 16 bytes.

    Attributes:
        every: seconds between the lessons of a machine.
    """

    def __init__(self, run: bytes) -> None:
        self.every = _EVERY
        self._run = run
        self._last = -1e9
        self._waiting: list[Parcel] = []
        self._bytes = 0  # of waiting lessons
        self._resize(0)

    def _resize(self, size: int) -> None:
        """Begin with this many weights, all unknown; sums and machines are of one lesson, kept for speed."""
        self._total, self._sums = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
        self._machines = np.zeros(size, dtype=np.int16)

    def start(self, lesson: bytes) -> bool:
        """Begin with what earlier sessions learnt; return False if that is damaged or of another run."""
        opened = self._opened(lesson)
        if opened is None or opened.words[1]:
            return False
        self._resize(int(opened.words[0]))
        places, changes = _parts(opened.words[2:])
        known = places < len(self._total)
        self._total[places[known]] = changes[known]
        return True

    def add(self, lesson: bytes) -> None:
        """Add a machine's lesson, unless it is damaged."""
        opened = self._opened(lesson)
        if opened is not None:
            self._waiting.append(opened)
            self._bytes += len(lesson)

    def merged(self, now: float) -> bytes:
        """Merge the lessons added; empty if the last one was less than ``every`` ago.

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
        head = [size, len(parcels)]
        for parcel in parcels:
            head += [*np.frombuffer(parcel.sender, dtype="<u8").tolist(), int(parcel.words[1])]
        lesson = _lesson(self._run, _MASTER, head, self._mean(parcels))
        carried = self._bytes + len(lesson) * len({parcel.sender for parcel in parcels})
        self._last, self._bytes = now, 0
        self.every = max(_EVERY, (time.perf_counter() - begun) / _SHARE, carried / _BYTES_A_SECOND)
        return lesson

    def total(self) -> bytes:
        """Return all that was learnt, for the store; empty if that is nothing."""
        places = np.flatnonzero(self._total)
        if not len(places):
            return b""
        return _lesson(self._run, _MASTER, [len(self._total), 0], _words(places, self._total[places]))

    def _mean(self, parcels: list[Parcel]) -> "NDArray[np.uint64]":
        """For each weight, add the mean of the changes over the machines that changed it; return what was added."""
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
        moved = after != before
        return _words(places[moved], (after - before)[moved])

    def _opened(self, lesson: bytes) -> Parcel | None:
        try:
            parcel = unpack(self._run, lesson)
        except GamecoreError:
            return None
        has_size = len(parcel.words) >= 2 and 0 < int(parcel.words[0]) <= _MOST_WEIGHTS
        return parcel if parcel.kind == CHANGES and has_size else None


def _lesson(run: bytes, sender: bytes, head: list[int], changes: "NDArray[np.uint64]") -> bytes:
    return pack(run, sender, np.concatenate((np.array(head, dtype=np.uint64), changes)).tobytes(), CHANGES)


def _parts(words: "NDArray[np.uint64]") -> "tuple[NDArray[np.int64], NDArray[np.int32]]":
    """Split words into places and changes, signed."""
    return (words >> np.uint64(32)).astype(np.int64), words.astype(np.uint32).view(np.int32)


def _words(places: "NDArray[np.int64]", changes: "NDArray[np.int32]") -> "NDArray[np.uint64]":
    """Join places and changes, as kernels read them."""
    return places.astype(np.uint64) << np.uint64(32) | changes.view(np.uint32).astype(np.uint64)
