"""Searches of hours: their progress, and their table in a file, so that a stop loses ten minutes at most."""

import contextlib
import hashlib
import json
import os
import stat
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gamecore.contract import Result
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import checked_path, file_errors
from gamecore.hexapawn._position import BLACK, Position, move_name
from gamecore.text import printable

ENTRY_FORMAT: Final = 1  # of keys, scores and entries in pyx/hexapawn: a test fails if these change and this does not
_SLOT_BYTES: Final = 16
SAVE_SECONDS = 600.0
REPORT_SECONDS = 60.0
_FIRST_REPORT: Final = 1.0
_CHUNK: Final = 1 << 22
_HEADER: Final = 4096
_MAGIC: Final = b"gamecore hexapawn table\n"


@dataclass(frozen=True)
class Progress(Result):
    """How far a search is.

    Attributes:
        nodes: positions searched so far by this call.
        seconds: wall-clock time of this call.
        entries, slots: positions in the table, and the most that it holds.
        replacements: entries that were overwritten in full buckets.
        refuted, winning: first moves after which the winner is proven, by the table.
        replies: each other first move, how many of its replies are proven to fail, and how many there are.
        saved: seconds since the table was written to its file; None before, and without a file.
    """

    nodes: int
    seconds: float
    entries: int
    slots: int
    replacements: int
    refuted: tuple[str, ...]
    winning: tuple[str, ...]
    replies: tuple[tuple[str, int, int], ...]
    saved: float | None

    def __str__(self) -> str:
        """Return one line."""
        rate = self.nodes / max(self.seconds, 1e-9) / 1e6
        parts = [f"{self.nodes / 1e6:,.1f} M nodes in {self.seconds:.0f} s, {rate:.2f} M a second"]
        parts.append(f"table {self.entries / self.slots:.1%} full, {self.replacements / 1e6:,.1f} M replaced")
        parts += [
            f"{what}: {' '.join(moves)}" for what, moves in (("wins", self.winning), ("refuted", self.refuted)) if moves
        ]
        if self.replies:
            moves = [f"{move} ({n} of {count} replies fail)" if n else move for move, n, count in self.replies]
            parts.append(f"open: {', '.join(moves)}")
        return "; ".join(parts + ([] if self.saved is None else [f"saved {self.saved:.0f} s ago"]))


class TableFile:
    """A file that holds a copy of a table, for one board, layout and size.

    The file is a header of 4,096 bytes (what the table is, and a SHA-256 of that) and the table's memory. It is
    written in place while the search goes on. That is safe, because each entry verifies itself: its first word is
    stored XORed with the second, so that words of different entries, or halves of a word, give a key that is a
    position's with a probability of 2**-64, whatever mixes them: a writer and a reader, a killed process, or a power
    cut after which some blocks on the disk are old and some new. Lost entries are searched again. An entry's bounds are
    proven whatever search stored it, so that the answer does not depend on the file; the nodes do.

    A shared mapping of the file would need no copies, but has pages of 4 KiB, and the kernel writes each changed page
    to the disk again and again: random stores wait for it (docs/results/hexapawn.md).

    Args:
        path: made if it is not there.
        about: what the table is.
        memory: the table's memory.

    Raises:
        GamecoreError: the file is something else, of another table or in use; or it cannot be read or has no room.
    """

    def __init__(self, path: Any, about: dict[str, Any], memory: memoryview) -> None:
        self.path, self._memory, self.saved = path, memory, None
        text = json.dumps(about).encode() + b"\n"
        header = _MAGIC + text + hashlib.sha256(text).hexdigest().encode() + b"\n"
        self._header = header.ljust(_HEADER, b"\0")
        with file_errors("open the table", path):
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b", 0)
        try:
            with file_errors("use the table", path):
                self._lock()
                size = os.fstat(self._file.fileno()).st_size
                if size:
                    self._check(about)
                    self._read()
                self._reserve(size)
        except BaseException:
            self._file.close()
            raise

    saved: float | None  #: the time, as of ``time.monotonic()``, of the last copy

    def _lock(self) -> None:
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise OSError(None, "it is no file")
        with contextlib.suppress(ImportError):  # Windows has no such lock
            from fcntl import LOCK_EX, LOCK_NB, flock

            try:
                flock(self._file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise OSError(None, "another search uses it") from None

    def _check(self, about: dict[str, Any]) -> None:
        """Raise GamecoreError unless the header is that of this table."""
        header = self._file.read(_HEADER)
        text, _, digest = header.removeprefix(_MAGIC).rstrip(b"\0").partition(b"\n")
        if not header.startswith(_MAGIC) or hashlib.sha256(text + b"\n").hexdigest().encode() + b"\n" != digest:
            raise OSError(None, "it is not a table, or its header is damaged")
        there = json.loads(text)
        for name, value in about.items():
            if there.get(name) != value:
                raise OSError(None, f"its {name} is {printable(there.get(name))}, not {printable(value)}")

    def _read(self) -> None:
        """Copy the file to the table. What is zero is not copied: memory that is not touched is not used."""
        self._file.seek(_HEADER)
        for at in range(0, len(self._memory), _CHUNK):
            chunk = self._file.read(min(_CHUNK, len(self._memory) - at))
            if any(chunk[:64]) or np.frombuffer(chunk, np.uint8).any():
                self._memory[at : at + len(chunk)] = chunk
        self._forget_pages()

    def _reserve(self, size: int) -> None:
        """Take the room on the disk before the search, and write the header of a new file."""
        try:
            if not size:
                self._file.write(self._header)
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(self._file.fileno(), 0, _HEADER + len(self._memory))
            os.fsync(self._file.fileno())
        except OSError:
            if not size:
                self._file.truncate(0)
            raise

    def _forget_pages(self) -> None:
        """Write what is waiting to the disk, and free its memory: the table needs it."""
        if hasattr(os, "posix_fadvise"):
            os.fdatasync(self._file.fileno())
            os.posix_fadvise(self._file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def save(self) -> None:
        """Copy the table to the file.

        Raises:
            GamecoreError: it cannot be written.
        """
        with file_errors("write the table", self.path):
            for at in range(0, len(self._memory), _CHUNK):
                chunk = self._memory[at : at + _CHUNK]
                if np.frombuffer(chunk, np.uint64).any():
                    self._file.seek(_HEADER + at)
                    while chunk:
                        chunk = chunk[self._file.write(chunk) :]
                if at // _CHUNK % 16 == 15:
                    self._forget_pages()
            os.fsync(self._file.fileno())
        self.saved = time.monotonic()

    def close(self) -> None:
        """Close the file, which frees it for other searches."""
        self._file.close()


@contextlib.contextmanager
def kept(kernel: Any, position: Position, path: Any) -> Iterator[TableFile | None]:
    """While active, the kernel's table, which is reserved, has a copy in a file; without a path, it has none."""
    if path is None:
        yield None
        return
    layout = type(kernel).__module__.rpartition(".")[2]
    board = f"{position.rows}x{position.columns}"
    about = {"format": ENTRY_FORMAT, "board": board, "layout": layout, "table_bytes": kernel.table_bytes}
    file = TableFile(path, about, kernel.memory())
    try:
        kernel.recount()
        yield file
    finally:
        try:
            file.save()
        except GamecoreError as error:  # the answer of hours must not be lost with it
            warnings.warn(f"{error}; the answer stands", RuntimeWarning, stacklevel=2)
        finally:
            file.close()


@contextlib.contextmanager
def watched(
    search: Any,
    kernel: Any,
    position: Position,
    file: TableFile | None,
    progress: Callable[[Progress], object] | None,
) -> Iterator[None]:
    """While active, another thread saves the table every ten minutes and reports progress each minute.

    An exception of ``progress``, or of a save, ends the search and is raised.
    """
    begun, ended, errors = time.monotonic(), threading.Event(), list[BaseException]()

    def report() -> None:
        kernels = [kernel, *(search.helpers or ())]
        nodes, replaced = (sum(getattr(each, name) for each in kernels) for name in ("nodes", "replacements"))
        refuted, winning, replies = list[str](), list[str](), list[tuple[str, int, int]]()
        for move, low, high in bounds_after(kernel, position):
            if low > 0 or high < 0:
                (refuted if low > 0 else winning).append(move)
                continue
            after = [low for _, low, _ in bounds_after(kernel, position.play(move))]
            replies.append((move, sum(low > 0 for low in after), len(after)))
        saved = None if file is None or file.saved is None else time.monotonic() - file.saved
        entries = sum(each.entries for each in kernels)
        how = kernel.table_bytes // _SLOT_BYTES, replaced, tuple(refuted), tuple(winning), tuple(replies), saved
        assert progress is not None
        progress(Progress(nodes, time.monotonic() - begun, entries, *how))

    def watch() -> None:
        step, save_at, report_at = _FIRST_REPORT, begun + SAVE_SECONDS, begun + _FIRST_REPORT
        try:
            while True:
                due = min(save_at if file else float("inf"), report_at if progress else float("inf"))
                if ended.wait(max(0.0, due - time.monotonic())):
                    return
                if progress and time.monotonic() >= report_at:
                    report()
                    step = min(2 * step, REPORT_SECONDS)
                    report_at = time.monotonic() + step
                if file and time.monotonic() >= save_at:
                    file.save()
                    save_at = time.monotonic() + SAVE_SECONDS
        except BaseException as error:
            errors.append(error)
            for each in (kernel, *(search.helpers or ())):
                each.stop()

    thread = threading.Thread(target=watch, name="gamecore", daemon=True)
    if file or progress:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if thread.ident is not None:
            thread.join()
    if errors:
        raise errors[0]
    if progress:
        report()


def bounds_after(kernel: Any, position: Position) -> list[tuple[str, int, int]]:
    """Return each move with the bounds in the table of the other side's score after it."""
    children = kernel.children(position.white, position.black, position.to_move == BLACK)
    return [(move_name(source, target, position.columns), low, high) for source, target, low, high, _ in children]


def solve_long(path: Any, progress: Any, search: Any, position: Position, *what: Any) -> Any:
    """Solve a position by a search that is new, in a reserved table; see :func:`gamecore.hexapawn.solve`."""
    if progress is not None and not callable(progress):
        raise OptionError(f"progress must be a function, or None, not {printable(progress)}")
    if path is not None and not checked_path(path, "table_file"):
        raise OptionError("table_file must name a file, not ''")
    kernel = search.open(position)
    kernel.reserve()
    with kept(kernel, position, path) as file, watched(search, kernel, position, file, progress):
        return search.solve(position, *what)
