"""Searches of hours: their progress, and their table in a file, so that a stop loses ten minutes at most."""

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from gamecore.batch.workers import beside, stoppable
from gamecore.contract import Result
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import checked_path, file_errors
from gamecore.hexapawn._position import Position, move_name
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.kernels import hexapawn as _kernel

ENTRY_FORMAT: Final = 1  # of keys, scores and entries in pyx/hexapawn: a test fails if these change and this does not
SAVE_SECONDS = 600.0
_REPORT_SECONDS: Final = 1.0, 2.0, 4.0, 8.0, 16.0, 32.0  # then each minute
_SLOT_BYTES: Final = 16
_HEADER: Final = 4096


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
    """

    nodes: int
    seconds: float
    entries: int
    slots: int
    replacements: int
    refuted: tuple[str, ...]
    winning: tuple[str, ...]
    replies: tuple[tuple[str, int, int], ...]

    def __str__(self) -> str:
        """Return one line."""
        rate = self.nodes / max(self.seconds, 1e-9) / 1e6
        parts = [f"{self.nodes / 1e6:,.1f} M nodes in {self.seconds:.0f} s, {rate:.2f} M a second"]
        parts.append(f"table {self.entries / self.slots:.1%} full, {self.replacements / 1e6:,.1f} M replaced")
        replies = [f"{move} ({n} of {count} replies fail)" if n else move for move, n, count in self.replies]
        named = ("wins", " ", self.winning), ("refuted", " ", self.refuted), ("open", ", ", replies)
        parts += [f"{name}: {sign.join(moves)}" for name, sign, moves in named if moves]
        return "; ".join(parts)


@contextmanager
def copied(path: str, kernel: "_kernel.Solver", position: Position) -> Iterator[Callable[[], None]]:
    """Read a kernel's table, which is reserved, from a file; yield a function that writes it; write it at the end.

    The file is a line that names the table, in 4,096 bytes, and the table's memory. It is written in place while the
    search goes on. That is safe, because each entry verifies itself: its first word is stored XORed with the second, so
    that words of different entries, or halves of a word, give a key that is a position's with a probability of 2**-64,
    whatever mixes them: a writer and a reader, a killed process, or a power cut after which some blocks on the disk are
    old and some new. Lost entries are searched again. An entry's bounds are proven whatever search stored it, so that
    the answer does not depend on the file; the nodes do.

    A shared mapping of the file would need no copies, but has pages of 4 KiB, and the kernel writes each changed page
    to the disk again and again: random stores wait for it (docs/results/hexapawn.md).

    Raises:
        GamecoreError: the file is something else, of another table or in use; or it cannot be read or has no room.
    """
    layout, board = type(kernel).__module__.rpartition(".")[2], f"{position.rows}x{position.columns}"
    name = f"gamecore table, format {ENTRY_FORMAT}: {layout} {board}, {kernel.table_bytes} bytes\n".encode()
    with ExitStack() as stack:
        with file_errors("use the table", path):
            Path(path).touch()
            if not Path(path).is_file():
                raise OSError(None, "it is no file")
            file = stack.enter_context(open(path, "r+b", buffering=0))
            _lock(file)
            header = file.read(_HEADER)
            if header and header != name.ljust(_HEADER, b"\0"):
                there = header.partition(b"\n")[0].decode("latin-1")
                raise OSError(None, f"it begins with {printable(there, 80)}, not {name.decode().strip()!r}")
            rest = kernel.memory()
            while header and (count := file.readinto(rest)):
                rest = rest[count:]
            file.seek(0)
            file.write(name.ljust(_HEADER, b"\0"))
            if hasattr(os, "posix_fallocate"):  # take the room on the disk
                os.posix_fallocate(file.fileno(), 0, _HEADER + kernel.table_bytes)

        def save() -> None:
            with file_errors("write the table", path):
                file.seek(_HEADER)
                rest = kernel.memory()
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())

        try:
            yield save
        finally:
            try:
                save()
            except GamecoreError as error:  # the answer of hours must not be lost with it
                warnings.warn(f"{error}; the answer stands", RuntimeWarning, stacklevel=2)


def _lock(file: IO[bytes]) -> None:
    with suppress(ImportError):  # Windows has no such lock
        from fcntl import LOCK_EX, LOCK_NB, flock

        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise OSError(None, "another search uses it") from None


def progress_of(search: Any, position: Position, begun: float) -> Progress:
    """Return how far the search of a position is, which began at a ``time.monotonic()``; any thread may ask."""
    main = search.open(position)
    kernels = [main, *(search.helpers or ())]
    nodes, entries, replaced = (sum(getattr(each, n) for each in kernels) for n in ("nodes", "entries", "replacements"))
    refuted, winning, replies = list[str](), list[str](), list[tuple[str, int, int]]()
    for source, target, low, high, _ in search.children(position):
        move = move_name(source, target, position.columns)
        if low > 0 or high < 0:
            (refuted if low > 0 else winning).append(move)
            continue
        fails = [low > 0 for _, _, low, *_ in search.children(position.play(move))]
        replies.append((move, sum(fails), len(fails)))
    seconds, slots = time.monotonic() - begun, main.table_bytes // _SLOT_BYTES
    return Progress(nodes, seconds, entries, slots, replaced, tuple(refuted), tuple(winning), tuple(replies))


def solve_long(
    path: "str | os.PathLike[str] | None",
    progress: Callable[[Progress], object] | None,
    search: Any,
    position: Position,
    *what: Any,
) -> Any:
    """Solve a position by a search that is new, in a reserved table; see :func:`gamecore.hexapawn.solve`."""
    if progress is not None and not callable(progress):
        raise OptionError(f"progress must be a function, or None, not {printable(progress)}")
    if path is not None and not checked_path(path, "table_file"):
        raise OptionError("table_file must name a file, not ''")
    begun, kernel = time.monotonic(), search.open(position)
    kernel.reserve()

    def repeatedly(action: Callable[[], object], pauses: Iterable[float]) -> None:
        """Act after each pause, until the search beside ends; if the action raises, it ends the search."""
        ended = threading.Event()
        try:
            with stoppable(ended.set):
                for pause in pauses:
                    if ended.wait(pause):
                        return
                    action()
        except BaseException:
            for each in (kernel, *(search.helpers or ())):
                each.stop()
            raise

    def report() -> None:
        if progress is not None:
            progress(progress_of(search, position, begun))

    with ExitStack() as stack:
        calls = list[Callable[[], None]]()
        if path is not None:
            save = stack.enter_context(copied(os.fspath(path), kernel, position))
            kernel.recount()
            calls.append(lambda: repeatedly(save, repeat(SAVE_SECONDS)))
        if progress is not None:
            calls.append(lambda: repeatedly(report, chain(_REPORT_SECONDS, repeat(60.0))))
        stack.enter_context(beside(calls))
        solution = search.solve(position, *what)
    report()
    return solution
