"""Entries of transposition tables on their way between machines, and into the store.

A record is three 64-bit words, little-endian: the two words of a position, and one of its result with the nodes that
its search took in the upper half (see ``pyx/common/exports.pxd``). A *parcel* is a header and packed records: sorted,
so that positions alike are neighbours, then all first bytes, all second bytes and so on, by zlib at its quickest: 24
bytes become 6 or 7, in a third of a microsecond. It is of one run alone, and a checksum covers all of it: what was
damaged, or belongs to another run or another format, is refused. Changes of weights travel in parcels of another kind
(``_lessons.py``).
"""

import contextlib
import hashlib
import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from gamecore.errors import GamecoreError

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT: Final = 3  #: of parcels and jobs; it changes whenever a kernel writes other records
RECORD_BYTES: Final = 24
PACKED_BYTES: Final = 8  #: of a record in a parcel, about

ENTRIES: Final = b"gcpe"  #: the kind of a parcel of entries
CHANGES: Final = b"gcpw"  #: of one of changes of weights

_HEADER: Final = struct.Struct("<4sHH16s16sI")  # kind, format, 0, run, sender, records
_CHECKSUM: Final = 16  # bytes at the end
_NODES_A_SECOND: Final = 2.5e6  # of a thread
_MOST_RECORDS: Final = 1 << 24  # of a parcel; kernels keep fewer
_FOLLOWS: Final = 0.25  # seconds between changes of a threshold

NOTHING: Final = np.zeros(0, dtype=np.uint64)  #: the words of no entries


class Parcel(NamedTuple):
    """What a parcel holds.

    Attributes:
        sender: the machine that it comes from, 16 bytes.
        words: of all records, uint64.
    """

    sender: bytes
    words: "NDArray[np.uint64]"


def pack(run: bytes, sender: bytes, records: bytes) -> bytes:
    """A parcel of entries.

    Args:
        run, sender: 16 bytes each.
        records: as kernels write them.
    """
    words = np.frombuffer(records, dtype=np.uint64).reshape(-1, RECORD_BYTES // 8)
    return seal(ENTRIES, run, sender, words[np.lexsort((words[:, 1], words[:, 0]))])


def unpack(run: bytes, parcel: bytes) -> Parcel:
    """The entries of a parcel of this run.

    Raises:
        GamecoreError: it is damaged, of another format, kind or run.
    """
    return unseal(ENTRIES, run, parcel, RECORD_BYTES // 8)


def seal(kind: bytes, run: bytes, sender: bytes, rows: "NDArray[np.uint64]") -> bytes:
    """A parcel of any kind.

    Args:
        kind: 4 bytes.
        run, sender: 16 bytes each.
        rows: records, one a row.
    """
    planes = np.ascontiguousarray(rows, dtype="<u8").view(np.uint8).T
    body = _HEADER.pack(kind, FORMAT, 0, run, sender, len(rows)) + _compressed(planes.tobytes())
    return body + _checksum(body)


def unseal(kind: bytes, run: bytes, parcel: bytes, width: int) -> Parcel:
    """What a parcel of this kind and run holds.

    Args:
        width: words of a record.

    Raises:
        GamecoreError: it is damaged, of another format, kind or run.
    """
    body, checksum = parcel[:-_CHECKSUM], parcel[-_CHECKSUM:]
    if len(parcel) < _HEADER.size + _CHECKSUM or _checksum(body) != checksum:
        raise GamecoreError("a parcel of entries is damaged")
    found, version, _, of_run, sender, count = _HEADER.unpack_from(body)
    if version != FORMAT:
        raise GamecoreError(f"a parcel of entries has format {version}, not {FORMAT}")
    if found != kind:
        raise GamecoreError(f"a parcel is of the kind {found!a}, not {kind!a}")
    if of_run != run:
        raise GamecoreError("a parcel of entries is of another run")
    size = 8 * width * count
    planes = None
    if count <= _MOST_RECORDS:
        with contextlib.suppress(zlib.error):
            planes = zlib.decompressobj().decompress(body[_HEADER.size :], size + 1)
    if planes is None or len(planes) != size:
        raise GamecoreError("a parcel of entries is damaged")
    rows = np.ascontiguousarray(np.frombuffer(planes, dtype=np.uint8).reshape(8 * width, count).T)
    return Parcel(sender, rows.view("<u8").reshape(-1).astype(np.uint64))


def _compressed(planes: bytes) -> bytes:
    """As zlib reads it: by runs of a byte alone, since hardly anything else repeats; a third faster, and as small."""
    squeeze = zlib.compressobj(1, strategy=zlib.Z_RLE)
    return squeeze.compress(planes) + squeeze.flush()


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECKSUM).digest()


def costly(words: "NDArray[np.uint64]", least: int) -> "NDArray[np.uint64]":
    """The records whose search took ``least`` nodes or more; three words a record."""
    rows = words.reshape(-1, 3)
    kept: NDArray[np.uint64] = rows[(rows[:, 2] >> np.uint64(32)) >= least].reshape(-1)
    return kept


class Log:
    """The parcels of all machines in the order in which they came: what a job brings to its machine.

    Nobody knows beforehand which machine of an executor takes a job. So a job brings all that some machine may not
    have yet: what came since the place up to which every machine is known to have read.

    Args:
        most_bytes: of the parcels that one job brings: the older ones are left out.
    """

    def __init__(self, most_bytes: int = 8 << 20) -> None:
        self._most = most_bytes
        self._parcels: list[bytes] = []
        self._first = 0  # number of the first parcel that is kept
        self._read: dict[bytes, int] = {}  # by machine: it has all parcels before this number

    def add(self, parcel: bytes) -> None:
        """A parcel has come."""
        self._parcels.append(parcel)

    def note(self, machine: bytes, read: int) -> None:
        """A machine has read all parcels before this number."""
        self._read[machine] = max(read, self._read.get(machine, 0))
        least = min(self._read.values())
        if len(self._read) > 1 and least > self._first:
            del self._parcels[: least - self._first]
            self._first = least

    def for_job(self, machines: int) -> tuple[int, tuple[bytes, ...]]:
        """The number of the first parcel that a job brings, and the parcels.

        Args:
            machines: how many there are; until all of them have been heard of, some may have read nothing.
        """
        start, size = len(self._parcels), 0
        least = 0 if len(self._read) < machines else max(0, min(self._read.values()) - self._first)
        while start > least and size + len(self._parcels[start - 1]) <= self._most:
            start -= 1
            size += len(self._parcels[start])
        return self._first + start, tuple(self._parcels[start:])


class Threshold:
    """From how many nodes on an entry is worth sending: as few as the network carries.

    About two entries in ``least`` nodes take ``least`` nodes or more. Every machine's entries go to every other, so
    what leaves the master grows with the square of their number.

    Args:
        threads: of all machines together.
        machines: how many.
        bytes_a_second: that may leave the master.
        fewest: the least threshold.
    """

    def __init__(self, threads: int, machines: int, bytes_a_second: float = 60e6, fewest: int = 10) -> None:
        expected = 2 * PACKED_BYTES * threads * _NODES_A_SECOND * machines
        self.least = max(fewest, int(expected / bytes_a_second))
        self._fewest, self._rate = fewest, bytes_a_second
        self._bytes, self._since = 0.0, 0.0

    def note(self, size: int, copies: int, now: float) -> None:
        """A parcel came, of which so many copies go out again; a few times a second the threshold follows."""
        self._bytes += size * copies
        if not self._since:
            self._since = now
        elif now - self._since >= _FOLLOWS:
            carried = self._bytes / (now - self._since) / self._rate
            if carried > 1:
                self.least = int(self.least * min(2.0, carried)) + 1
            elif carried < 0.5:
                self.least = max(self._fewest, int(self.least * 0.7))
            self._bytes, self._since = 0.0, now
