"""The file of answers that ``solve-file`` writes: it can be resumed, and no other file is overwritten."""

import json
import os
import stat
import time
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple, Self

from gamecore._version import __version__
from gamecore.contract import Solution
from gamecore.errors import GamecoreError
from gamecore.files import file_errors, is_stream
from gamecore.game import Json

_BEGINNING: Final = b'{"gamecore": "solve-file"'  # of every file
_ANSWER: Final = b'{"index": '  # of every answer
_SYNC_EVERY: Final = 0.5  # seconds


class Item(NamedTuple):
    """A text of the input: its number from 0, its first line from 1, its hash, and its position or its error."""

    number: int
    line: int
    key: str
    position: Any


class Answers:
    """A file of answers: a header, then one line for each answer. It is locked while open, and often synced.

    The file is created, or with ``overwrite`` begun anew, when the first answer is written.

    Args:
        path: of the file.
        about, options: ``game`` and ``rules``, and options, for the header; a file with others is not continued.
        resume: continue an existing file.
        overwrite: replace an existing file of answers.

    Attributes:
        count: number of answers.
        errors, bounds: number of answers that are errors, that are not exact.
    """

    def __init__(self, path: str, about: Json, options: Json, resume: bool, overwrite: bool) -> None:
        self.count = self.errors = self.bounds = 0
        self._header = {"gamecore": "solve-file", "format": 2, "version": __version__, **about, "options": options}
        self._expected = {"format": 2, **about, **options}
        self._path, self._resume, self._overwrite = path, resume, overwrite
        self._file: BinaryIO | None = None
        self._has_header, self._synced = False, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Sync and close the file, which unlocks it."""
        if self._file is not None:
            with file_errors("write", self._path), self._file:
                os.fsync(self._file.fileno())

    def check(self, items: Iterator[Item], source: str) -> None:
        """Open an existing file, check its answers against the items they answer, and cut off a torn last line.

        Items with answers are consumed; ``source``: the name of the input, for messages.

        Raises:
            GamecoreError: it cannot be written, another process is writing it, it is not a file of answers, or it
                exists and neither ``resume`` nor ``overwrite`` is true; an answer of another position, other options,
                or damage before the end.
        """
        path = self._path
        with file_errors("write", path):
            try:
                if is_stream(path) or not stat.S_ISREG(os.stat(path).st_mode):
                    raise OSError("it must be a file: answers are read again when the command continues")
                self._file = file = open(path, "r+b")  # noqa: SIM115
            except FileNotFoundError:
                return
        _lock(file, path)
        beginning = file.read(len(_BEGINNING))
        if beginning != _BEGINNING[: len(beginning)]:
            raise GamecoreError(f"{path!a} is not a file of answers of gamecore solve-file: not touched")
        if beginning and not self._resume and not self._overwrite:
            raise GamecoreError(f"{path!a} exists: --resume continues it, --overwrite begins it anew")
        if not self._overwrite:
            file.seek(0)
            end = self._checked_length(file, items, source)
            file.truncate(end)
            file.seek(end)

    def _checked_length(self, file: BinaryIO, items: Iterator[Item], source: str) -> int:
        """Check all whole lines and return their length."""
        end = 0
        for number, line in enumerate(file, start=1):
            where = f"{self._path!a}, line {number}"
            record = _record(line)
            if record is None:
                _check_torn(line + file.read(), _BEGINNING if number == 1 else _ANSWER, where)
                break
            end += len(line)
            if number == 1:
                self._check_header(record)
                continue
            item = next(items, None)
            if item is None:
                raise GamecoreError(f"{where}: {source!a} has no more than {self.count} positions: not continued")
            if record.get("index") != item.number or record.get("key") != item.key:
                raise GamecoreError(f"{where} is not the answer to position {item.number} of {source!a}: not continued")
            self._add(record)
        return end

    def _check_header(self, record: Json) -> None:
        options = record.get("options")
        there = record | (options if isinstance(options, dict) else {})
        for name, value in self._expected.items():
            if there.get(name) != value:
                was = f"{name} {json.dumps(there.get(name))}, not {json.dumps(value)}"
                raise GamecoreError(f"{self._path!a} was written with {was}: not continued")
        self._has_header = True

    def _add(self, record: Json) -> None:
        self.count += 1
        self.errors += "error" in record
        self.bounds += record.get("exact") is False

    def write(self, item: Item, answer: Solution[float, object] | Exception) -> None:
        """Write an answer, a solution or an exception, and sync the file twice a second."""
        record = {"index": item.number, "input_line": item.line, "key": item.key}
        if isinstance(answer, Exception):
            record["error"] = str(answer)
        else:
            record |= {"position": item.position.to_text(), **answer.to_dict()}
        lines = [record] if self._has_header else [self._header, record]
        with file_errors("write", self._path):
            if self._file is None:
                self._file = open(os.path.realpath(self._path), "x+b")  # noqa: SIM115
                _lock(self._file, self._path)
            elif not self._has_header:
                self._file.seek(0)
                self._file.truncate()
            self._file.write("".join(json.dumps(line) + "\n" for line in lines).encode())
            self._file.flush()
            if time.monotonic() - self._synced > _SYNC_EVERY:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        self._has_header = True
        self._add(record)


def _record(line: bytes) -> Json | None:
    """Return the header or answer of a whole line; None for any other line."""
    try:
        record = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _check_torn(tail: bytes, beginning: bytes, where: str) -> None:
    """Refuse what stands behind the last answer unless a killed process or a crash left it: half a line, or zeros."""
    line = tail.rstrip(b"\0\n")
    begins = line.startswith((beginning, b"\0")) or beginning.startswith(line)
    if not begins or b"\n" in line or (tail.endswith(b"\n") and b"\0" not in tail):
        raise GamecoreError(f"{where} is damaged, and it is not a torn end: not continued")


def _lock(file: BinaryIO, path: str) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise GamecoreError(f"{path!a} is being written by another process") from None
