"""Searches of hours: their progress, and their table in a file, so that a stop loses ten minutes at most."""

import contextlib
import hashlib
import json
import os
import stat
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final, Self

from gamecore.contract import Result
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import checked_path, file_errors
from gamecore.hexapawn._position import BLACK, Position, move_name
from gamecore.text import printable

ENTRY_FORMAT: Final = 1  # of keys, scores and entries in pyx/hexapawn: a test fails if these change and this does not
SAVE_SECONDS = 600.0
_REPORT_SECONDS: Final = 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0  # the last one again and again
_SLOT_BYTES: Final = 16
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
    """While active, a file holds a copy of a kernel's table, which is reserved; it is saved at the end.

    The file is a header of 4,096 bytes (board, layout and size of the table, and a SHA-256 of that) and the table's
    memory. It is written in place while the search goes on. That is safe, because each entry verifies itself: its first
    word is stored XORed with the second, so that words of different entries, or halves of a word, give a key that is a
    position's with a probability of 2**-64, whatever mixes them: a writer and a reader, a killed process, or a power
    cut after which some blocks on the disk are old and some new. Lost entries are searched again. An entry's bounds are
    proven whatever search stored it, so that the answer does not depend on the file; the nodes do.

    A shared mapping of the file would need no copies, but has pages of 4 KiB, and the kernel writes each changed page
    to the disk again and again: random stores wait for it (docs/results/hexapawn.md).

    Raises:
        GamecoreError: the file is something else, of another table or in use; or it cannot be read or has no room.
    """

    def __init__(self, path: Any, kernel: Any, position: Position) -> None:
        self._path, self._memory = path, kernel.memory()
        self.saved: float | None = None  #: the time, as of ``time.monotonic()``, of the last copy
        self._about = {
            "format": ENTRY_FORMAT,
            "board": f"{position.rows}x{position.columns}",
            "layout": type(kernel).__module__.rpartition(".")[2],
            "table_bytes": kernel.table_bytes,
        }

    def __enter__(self) -> Self:
        with file_errors("open the table", self._path):
            Path(self._path).touch()
            self._file = open(self._path, "r+b", buffering=0)
        try:
            with file_errors("use the table", self._path):
                self._load()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.save()
        except GamecoreError as error:  # the answer of hours must not be lost with it
            warnings.warn(f"{error}; the answer stands", RuntimeWarning, stacklevel=2)
        finally:
            self._file.close()

    def _load(self) -> None:
        """Lock the file; read the table, or write the header of a new file; take the room on the disk."""
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise OSError(None, "it is no file")
        with contextlib.suppress(ImportError):  # Windows has no such lock
            from fcntl import LOCK_EX, LOCK_NB, flock

            try:
                flock(self._file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise OSError(None, "another search uses it") from None
        if header := self._file.read(_HEADER):
            self._check(header)
            rest = self._memory
            while count := self._file.readinto(rest):
                rest = rest[count:]
        else:
            text = json.dumps(self._about).encode() + b"\n"
            self._file.write((_MAGIC + text + _digest(text)).ljust(_HEADER, b"\0"))
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._file.fileno(), 0, _HEADER + len(self._memory))

    def _check(self, header: bytes) -> None:
        text, _, digest = header.removeprefix(_MAGIC).rstrip(b"\0").partition(b"\n")
        if not header.startswith(_MAGIC) or _digest(text + b"\n") != digest:
            raise OSError(None, "it is not a table, or its header is damaged")
        there = json.loads(text)
        for name, value in self._about.items():
            if there.get(name) != value:
                raise OSError(None, f"its {name} is {printable(there.get(name))}, not {printable(value)}")

    def save(self) -> None:
        """Copy the table to the file.

        Raises:
            GamecoreError: it cannot be written.
        """
        with file_errors("write the table", self._path):
            self._file.seek(_HEADER)
            rest = self._memory
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        self.saved = time.monotonic()


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode() + b"\n"


@contextlib.contextmanager
def repeatedly(action: Callable[[], object], pauses: Iterable[float], stop: Callable[[], object]) -> Iterator[None]:
    """While active, another thread calls ``action`` after each of ``pauses``, in seconds.

    An exception of ``action`` calls ``stop``, which ends the block's search, and is raised at the end.
    """
    ended, errors = threading.Event(), list[BaseException]()

    def run() -> None:
        try:
            for pause in pauses:
                if ended.wait(pause):
                    return
                action()
        except BaseException as error:
            errors.append(error)
            stop()

    thread = threading.Thread(target=run, name="gamecore", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    if errors:
        raise errors[0]


def progress_of(search: Any, position: Position, begun: float, file: TableFile | None) -> Progress:
    """Return how far the search of a position is; any thread may ask."""
    main = search.kernel
    kernels = [main, *(search.helpers or ())]
    nodes, entries, replaced = (sum(getattr(each, n) for each in kernels) for n in ("nodes", "entries", "replacements"))
    refuted, winning, replies = list[str](), list[str](), list[tuple[str, int, int]]()
    for move, low, high in bounds_after(main, position):
        if low > 0 or high < 0:
            (refuted if low > 0 else winning).append(move)
            continue
        after = [low for _, low, _ in bounds_after(main, position.play(move))]
        replies.append((move, sum(low > 0 for low in after), len(after)))
    now, slots = time.monotonic(), main.table_bytes // _SLOT_BYTES
    saved = None if file is None or file.saved is None else now - file.saved
    moves = tuple(refuted), tuple(winning), tuple(replies)
    return Progress(nodes, now - begun, entries, slots, replaced, *moves, saved)


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
    begun, kernel, file = time.monotonic(), search.open(position), None
    kernel.reserve()

    def report() -> None:
        progress(progress_of(search, position, begun, file))

    def stop() -> None:
        for each in (kernel, *(search.helpers or ())):
            each.stop()

    with contextlib.ExitStack() as stack:
        if path is not None:
            file = stack.enter_context(TableFile(path, kernel, position))
            kernel.recount()
            stack.enter_context(repeatedly(file.save, repeat(SAVE_SECONDS), stop))
        if progress is not None:
            pauses = chain(_REPORT_SECONDS, repeat(_REPORT_SECONDS[-1]))
            stack.enter_context(repeatedly(report, pauses, stop))
        solution = search.solve(position, *what)
    if progress is not None:
        report()
    return solution
