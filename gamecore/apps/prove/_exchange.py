"""Table entries that machines send one another.

An entry is a record of three 64-bit words, little-endian: the two words of a position, and one of its result with the
nodes that its search took in the upper half (see ``pyx/common/exports.pxd``). A *parcel* is a header and packed
records: sorted, so that similar positions are neighbours, then all first bytes, all second bytes and so on, by zlib at
its quickest: 24 bytes become 6 or 7, in a third of a microsecond. It is of one run, and a checksum covers all of it:
what was damaged, or belongs to another run or another format, is refused.
"""

import contextlib
import hashlib
import itertools
import struct
import zlib
from collections import deque
from typing import TYPE_CHECKING, Final

import numpy as np

from gamecore.errors import GamecoreError

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT: Final = 3  #: of parcels; it changes whenever a kernel writes other records
PACKED_BYTES: Final = 8  #: of an entry in a parcel, about

_MAGIC: Final = b"gcpe"
_HEADER: Final = struct.Struct("<4sHH16s16sI")  # _MAGIC, FORMAT, 0, run, sender, records
_RECORD: Final = 24  # bytes
_CHECKSUM: Final = 16  # bytes at the end
_NODES_A_SECOND: Final = 2.5e6  # of a thread
_MOST_RECORDS: Final = 1 << 24  # of a parcel; kernels keep fewer
_MOST_BYTES: Final = 8 << 20  # of the parcels that a job may bring
_BYTES_A_SECOND: Final = 60e6  # that may leave the master
_FEWEST: Final = 10  # nodes of an entry that is sent


def pack(run: bytes, sender: bytes, records: bytes) -> bytes:
    """Return a parcel of records, as kernels write them; ``run`` and ``sender`` are 16 bytes each."""
    rows = np.frombuffer(records, dtype=np.uint64).reshape(-1, 3)
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    planes = np.ascontiguousarray(rows, dtype="<u8").view(np.uint8).T
    squeeze = zlib.compressobj(1, strategy=zlib.Z_RLE)  # hardly more than runs repeat: a third faster, and as small
    body = _HEADER.pack(_MAGIC, FORMAT, 0, run, sender, len(rows)) + squeeze.compress(planes.tobytes())
    body += squeeze.flush()
    return body + _checksum(body)


def unpack(run: bytes, parcel: bytes) -> "tuple[bytes, NDArray[np.uint64]]":
    """Return the contents of a parcel of this run: the machine that sent it, 16 bytes, and the words of all records.

    Raises:
        GamecoreError: it is damaged, of another format or run.
    """
    body, checksum = parcel[:-_CHECKSUM], parcel[-_CHECKSUM:]
    if len(parcel) < _HEADER.size + _CHECKSUM or _checksum(body) != checksum:
        raise GamecoreError("a parcel of entries is damaged")
    magic, version, _, of_run, sender, count = _HEADER.unpack_from(body)
    if (magic, version, of_run) != (_MAGIC, FORMAT, run):
        raise GamecoreError("a parcel of entries is of another format, or of another run")
    planes = None
    if count <= _MOST_RECORDS:
        with contextlib.suppress(zlib.error):
            planes = zlib.decompressobj().decompress(body[_HEADER.size :], _RECORD * count + 1)
    if planes is None or len(planes) != _RECORD * count:
        raise GamecoreError("a parcel of entries is damaged")
    rows = np.ascontiguousarray(np.frombuffer(planes, dtype=np.uint8).reshape(_RECORD, count).T)
    return sender, rows.view("<u8").reshape(-1).astype(np.uint64)


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECKSUM).digest()


def thinned(run: bytes, parcel: bytes, least: int) -> bytes:
    """Return a parcel of the entries whose search took ``least`` nodes or more; empty if none did, or it is damaged."""
    try:
        sender, words = unpack(run, parcel)
    except GamecoreError:
        return b""
    rows = words.reshape(-1, 3)
    kept = rows[(rows[:, 2] >> np.uint64(32)) >= least]
    if len(kept) == len(rows):
        return parcel
    return pack(run, sender, kept.tobytes()) if len(kept) else b""


class Log:
    """The latest parcels of all machines, up to ``most_bytes``. Jobs bring them to the other machines.

    Which machine of an executor takes a job is not known beforehand. So a job brings all parcels that some machine may
    not have read yet.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._parcels: deque[bytes] = deque()
        self._first = self._bytes = 0  # number of the first parcel that is kept; bytes of all
        self._read: dict[bytes, int] = {}  # by machine: it has all parcels before this number

    def add(self, parcel: bytes) -> None:
        """Append a parcel; forget the oldest ones if they are too many."""
        self._parcels.append(parcel)
        self._bytes += len(parcel)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._parcels.popleft())
            self._first += 1

    def note(self, machine: bytes, read: int) -> None:
        """Note that a machine has read all parcels before this number."""
        self._read[machine] = max(read, self._read.pop(machine, 0))  # the last one that was heard of stands last

    def for_job(self, machines: int) -> tuple[int, tuple[bytes, ...]]:
        """Return the parcels that a job brings to one of the ``machines``, after the number of the first parcel."""
        read = list(self._read.values())[-machines:]  # without machines that have gone
        least = min(read) if len(read) == machines else 0  # a machine that has not answered may have read nothing
        first = max(least, self._first)
        return first, tuple(itertools.islice(self._parcels, first - self._first, None))


def threshold(threads: int, machines: int) -> int:
    """Return the nodes that an entry must have cost to be sent: as few as the master's network carries.

    About two entries in ``least`` nodes take ``least`` nodes or more. Every machine's entries go to every other, so
    the master's traffic grows with their number and that of the ``threads`` of all of them.
    """
    return max(_FEWEST, int(2 * PACKED_BYTES * threads * _NODES_A_SECOND * machines / _BYTES_A_SECOND))
