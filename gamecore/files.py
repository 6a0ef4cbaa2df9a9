"""Write files whole or not at all, and translate errors of files."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable

_MOST_NAME: Final = 300  # characters of a file's name in messages
_MOST_BEGINNING: Final = 64  # bytes
_STREAMS: Final = ("/dev/std", "/dev/fd/")


def checked_path(path: object, name: str = "path") -> str:
    """Return a path as text.

    Raises:
        OptionError: it is not a str or a PathLike of one. ``open`` would take a number as a descriptor, and close it.
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise OptionError(f"{name} must be a str or a PathLike, not {printable(path)}", name)
    return text


@contextmanager
def file_errors(doing: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise what goes wrong with a file in the block as ``cannot read 'x': No such file or directory``.

    Raises:
        GamecoreError: for an OSError or a ValueError (a name with a zero byte, a text that is not in the encoding).
        OptionError: the path is not one.
    """
    name = checked_path(path)
    try:
        yield
    except GamecoreError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # until Python 3.12, a loop of links is a RuntimeError
        why = "no ASCII text" if isinstance(error, UnicodeError) else getattr(error, "strerror", None) or error
        raise GamecoreError(f"cannot {doing} {printable(name, _MOST_NAME)}: {why}") from None


def _temporary_path(target: Path) -> Path:
    """Return where to write before replacing ``target``."""
    return target.with_name(f"{target.name[:40]}.{os.getpid()}.part")  # a name may be as long as the system allows


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Return True for an open stream such as ``/dev/stdout``, which may be a file that others are writing."""
    return str(path).startswith(_STREAMS)


def _is_device(path: str | os.PathLike[str]) -> bool:
    """Return True for a stream, and for what is there and is no file."""
    return is_stream(path) or (Path(path).exists() and not Path(path).is_file())


def check_writable(path: str | None, beginnings: tuple[bytes, ...] = (), overwrite: bool = True) -> None:
    """Raise GamecoreError, before the work, if a file cannot be written. Nothing is changed; None is no file.

    An existing file may be replaced if it is empty, or with ``overwrite`` if it begins with one of ``beginnings``: the
    same command wrote it.
    """
    if path is None:
        return
    with file_errors("write", path):
        if _is_device(path):
            open(path, "ab").close()  # fails where it is a directory
            return
        target = Path(path).resolve()
        if target.is_file():
            with target.open("r+b") as file:  # fails where it is protected
                begins = file.read(_MOST_BEGINNING)
            is_ours = begins.startswith(beginnings)
            if begins and not (overwrite and is_ours):
                what = " and is another kind of file" if overwrite and beginnings else ": choose a new name"
                hint = ", or give overwrite (--overwrite)" if is_ours else ""
                raise GamecoreError(f"{printable(path, _MOST_NAME)} is there{what}{hint}")
        trial = _temporary_path(target)
        trial.touch()
        trial.unlink()


def write_whole(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Replace a file by the bytes of ``chunks``; see :func:`replacing`."""
    with replacing(path) as file:
        file.writelines(chunks)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open what replaces a file after the block; an error or an interruption leaves the old file unchanged.

    A link stays one, permissions stay, and a device such as ``/dev/stdout`` is written to.

    Raises:
        OSError: it cannot be written.
    """
    target = Path(path).resolve()
    if _is_device(path):
        with open(path, "ab") as device:
            yield device
        return
    part = _temporary_path(target)
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            if target.exists():
                shutil.copymode(target, part)
            os.fsync(file.fileno())  # or the new name could stand on the disk before its content
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
