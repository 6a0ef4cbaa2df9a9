"""Write files whole or not at all, and translate errors of files."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable

_MOST_NAME: Final = 300  # characters of a file's name in messages
_MOST_BEGINNING: Final = 64  # bytes


def checked_path(path: object, name: str = "path") -> str:
    """Return a path as text.

    Raises:
        OptionError: it is not a str or a PathLike of one. ``open`` would take a number as a descriptor, and close it.
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise OptionError(f"{name} must be a str or a PathLike, not {printable(path)}")
    return text


@contextmanager
def file_errors(doing: str, path: str | os.PathLike[str], kind: type[GamecoreError] = GamecoreError) -> Iterator[None]:
    """What goes wrong with a file in the block is raised as ``cannot read 'x': No such file or directory``.

    An error of the package passes, and so does what a signal's handler raises: an alarm's TimeoutError is an OSError.

    Args:
        doing: what the block does: ``read``, ``write``.
        path: of the file.
        kind: of the error.

    Raises:
        GamecoreError: of that kind, where the block raised an OSError or a ValueError (a name with a zero byte, a text
            that is not in the encoding). OptionError: the path is not one.
    """
    name = checked_path(path)
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, GamecoreError):
            raise
        why = "no ASCII text" if isinstance(error, UnicodeError) else getattr(error, "strerror", None) or error
        raise kind(f"cannot {doing} {printable(name, _MOST_NAME)}: {why}") from None


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to read its bytes. A pipe would wait for its other end, and a device may never end: they are refused.

    Raises:
        OSError, ValueError: for :func:`file_errors`.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("not a regular file")
    return open(path, "rb")


def part_of(place: Path) -> Path:
    """The name beside a file under which this process writes what shall take its place."""
    return place.with_name(f"{place.name}.{os.getpid()}.part")


def check_writable(path: str | None, beginnings: tuple[bytes, ...] = ()) -> None:
    """Fail before the work, not after it, if a file cannot be written. Nothing is made or changed; None is no file.

    Args:
        path: of the file.
        beginnings: a file that is there may be replaced if it is empty or begins like this: it was written by the same
            command. Others, such as the rules of a game, are refused.

    Raises:
        GamecoreError: it cannot.
    """
    if path is None:
        return
    with file_errors("write", path):
        place = Path(path).resolve()
        if place.is_file():
            with place.open("rb") as file:
                begins = file.read(_MOST_BEGINNING)
            if begins and not begins.startswith(beginnings):
                raise GamecoreError(
                    f"{printable(path, _MOST_NAME)} is there{' and is another kind of file' * bool(beginnings)}"
                )
        if place.exists():
            with place.open("ab"):  # fails where it is a directory, or protected
                pass
            if not place.is_file():  # a device
                return
        trial = part_of(place)
        try:
            trial.touch(exist_ok=False)
        finally:
            with suppress(OSError):
                trial.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Replace a file; a write that fails or is interrupted leaves the old file unchanged.

    A link stays one, permissions stay, and a device such as ``/dev/stdout`` is written to.

    Args:
        chunks: what shall be in the file, in pieces of any size.

    Raises:
        OSError: it cannot be written.
    """
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        with place.open("wb") as device:
            device.writelines(chunks)
        return
    part = part_of(place)
    try:
        with part.open("wb") as file:
            file.writelines(chunks)
            file.flush()
            if place.exists():
                shutil.copymode(place, part)
            os.fsync(file.fileno())  # or the new name could stand on the disk before what it names
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
