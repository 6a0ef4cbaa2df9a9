"""The file of answers that ``solve-file`` writes: it can be resumed, and no other file is overwritten."""

import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO, Final

from gamecore._version import __version__
from gamecore.apps.solve_file._positions import Read
from gamecore.errors import GamecoreError

FORMAT: Final = 2  #: of the file; 1 had no header
_BEGINNING: Final = b'{"gamecore": "solve-file"'  # of every file
_ANSWER: Final = b'{"index": '  # of every answer


def header_of(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the first line of the file: its kind, format, game and options."""
    return {"gamecore": "solve-file", "format": FORMAT, "version": __version__, "game": game, "options": options}


class Answers:
    """A file of answers: a header, then one line for each answer. It is locked while open and synced after each chunk.

    The file is created with the first answer. With ``overwrite``, answers go to a new file, which replaces the old one
    when the first chunk is on the disk.

    Args:
        path: of the file.
        header: see :func:`header_of`.
        resume: continue an existing file.
        overwrite: replace an existing file.

    Attributes:
        count: number of answers.
        errors, bounds: number of answers that are errors, that are not exact.

    Raises:
        GamecoreError: it cannot be written, another process is writing it, it is not a file of answers, or it exists
            and neither ``resume`` nor ``overwrite`` is true.
    """

    def __init__(self, path: str, header: dict[str, Any], resume: bool, overwrite: bool) -> None:
        self.count = self.errors = self.bounds = 0
        self._name, self._header = path, header
        self._path = os.path.realpath(path) if "\0" not in path else path  # the file behind links
        self._file: BinaryIO | None = None  # the file being written
        self._old: BinaryIO | None = None  # the file to be replaced
        self._headed = False  # True once the header is written
        try:
            status = os.stat(path)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise self._cannot_write(error) from None
        if not stat.S_ISREG(status.st_mode):
            raise GamecoreError(f"cannot write {path!a}: it must be a file, for --resume")
        try:
            file = open(self._path, "r+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise self._cannot_write(error) from None
        try:
            _lock(file, path)
            if os.fstat(file.fileno()).st_size:
                _check_kind(file, path)
                if not resume and not overwrite:
                    raise GamecoreError(f"{path!a} exists: --resume continues it, --overwrite begins it anew")
        except BaseException:
            file.close()
            raise
        if overwrite:
            self._old = file
        else:
            self._file = file

    def __enter__(self) -> "Answers":
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._file, self._old):
            if file is not None:
                file.close()  # which unlocks it

    def _cannot_write(self, error: Exception, advice: str = "") -> GamecoreError:
        return GamecoreError(f"cannot write {self._name!a}: {getattr(error, 'strerror', None) or error}{advice}")

    def check(self, positions: Iterator[Read], source: str) -> None:
        """Check existing answers against the positions they answer, and cut off a torn last line.

        Args:
            positions: of the input; those with answers are consumed.
            source: the name of the input, for messages.

        Raises:
            GamecoreError: an answer of another position, other options, or damage before the end.
        """
        if self._file is None:
            return
        kept = 0
        with open(self._path, "rb") as file:
            for number, line in enumerate(file, start=1):
                where = f"{self._name!a}, line {number}"
                found = _read_line(line)
                if found is None:
                    _check_torn(line, file, _BEGINNING if number == 1 else _ANSWER, where)
                    break
                if number == 1:
                    self._check_header(found)
                    self._headed = True
                else:
                    self._check_answer(found, next(positions, None), source, where)
                kept += len(line)
        self._file.truncate(kept)
        self._file.seek(kept)

    def _check_header(self, found: dict[str, Any]) -> None:
        for name in ("format", "game"):
            if found.get(name) != self._header[name]:
                was = f"{name} {json.dumps(found.get(name))}, not {json.dumps(self._header[name])}"
                raise GamecoreError(f"{self._name!a} was written with {was}: not continued")
        options = found.get("options")
        for name, here in self._header["options"].items():
            there = options.get(name) if isinstance(options, dict) else None
            if there != here:
                was = f"{name} {json.dumps(there)}, not {json.dumps(here)}"
                raise GamecoreError(f"{self._name!a} was written with {was}: not continued")

    def _check_answer(self, found: dict[str, Any], read: Read | None, source: str, where: str) -> None:
        if read is None:
            raise GamecoreError(f"{where}: {source!a} has no more than {self.count} positions: not continued")
        if found.get("index") != read.index or found.get("key") != read.key:
            raise GamecoreError(f"{where} is not the answer to position {read.index} of {source!a}: not continued")
        self.count += 1
        self.errors += "error" in found
        self.bounds += found.get("exact") is False

    def write(self, entries: Iterable[tuple[Read, Any]]) -> None:
        """Write answers (solutions or exceptions) and sync them to the disk.

        Raises:
            GamecoreError: the file cannot be written, for instance on a full disk.
        """
        entries = list(entries)
        lines = [_line_of(read, found) for read, found in entries]
        if not self._headed:
            lines.insert(0, json.dumps(self._header) + "\n")
        data = "".join(lines).encode()
        try:
            if self._file is None:
                self._begin(data)
            else:
                _write(self._file, data)
        except OSError as error:
            raise self._cannot_write(error, "; --resume continues it" if self._headed else "") from None
        self._headed = True
        self.count += len(entries)
        self.errors += sum(isinstance(found, Exception) for _, found in entries)
        self.bounds += sum(not getattr(found, "exact", True) for _, found in entries)

    def _begin(self, data: bytes) -> None:
        """Create the file, or a temporary file that replaces the old one."""
        path = self._path
        if self._old is not None:
            folder, name = os.path.split(path)
            path = os.path.join(folder, f".{name}.{os.getpid()}.new")
        try:
            file = open(path, "x+b", buffering=0)  # noqa: SIM115
        except FileExistsError:
            raise GamecoreError(f"{self._name!a} was made by somebody else meanwhile: not touched") from None
        try:
            _lock(file, path)
            if self._old is not None:
                with suppress(OSError):
                    os.chmod(path, stat.S_IMODE(os.fstat(self._old.fileno()).st_mode))
            _write(file, data)
            os.replace(path, self._path)
        except BaseException as error:
            file.close()
            if path != self._path or isinstance(error, OSError):  # after Ctrl-C, a new file can be resumed
                with suppress(OSError):
                    os.unlink(path)
            raise
        self._file = file
        with suppress(OSError):  # sync the directory entry, too
            folder_file = os.open(os.path.dirname(self._path), os.O_RDONLY)
            try:
                os.fsync(folder_file)
            finally:
                os.close(folder_file)


def _line_of(read: Read, found: Any) -> str:
    """Return one answer as a line of JSON."""
    answer = {"index": read.index, "input_line": read.line, "key": read.key}
    if isinstance(found, Exception):
        answer["error"] = str(found)
    else:
        answer |= {"position": read.position.to_text(), **found.to_dict()}
    return json.dumps(answer) + "\n"


def _write(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def _read_line(line: bytes) -> dict[str, Any] | None:
    """Return the header or answer of a line; None for any other line."""
    if not line.endswith(b"\n"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _check_kind(file: BinaryIO, path: str) -> None:
    """Accept a file of answers, even with a torn header.

    Raises:
        GamecoreError: any other file.
    """
    first = file.read(len(_BEGINNING))
    file.seek(0)
    if first.startswith(_ANSWER):
        raise GamecoreError(f"{path!a} has answers of gamecore 0.1, which had no header: not touched")
    if first != _BEGINNING[: len(first)]:
        raise GamecoreError(f"{path!a} is not a file of answers of gamecore solve-file: not touched")


def _check_torn(first: bytes, rest: Iterable[bytes], beginning: bytes, where: str) -> None:
    """Refuse what stands behind the last answer unless it is what a killed process or a crash leaves of one.

    Raises:
        GamecoreError: it is not.
    """
    lines = [first, *rest]
    begins = first.startswith((beginning, b"\0")) or beginning.startswith(first)
    one_line = len(lines) == 1 and not first.endswith(b"\n")
    pages_lost = any(b"\0" in line for line in lines)
    if not begins or not (one_line or pages_lost) or any(_read_line(line) is not None for line in lines):
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
