"""Helpers of all targets: text from bytes, and checks of refusals."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

from gamecore import GamecoreError

IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
#: A folder for files that are read at once, in memory where there is such a place.
SCRATCH = os.environ.get("GAMECORE_FUZZ_SCRATCH") or tempfile.mkdtemp(prefix="gamecore-fuzz-", dir=IN_MEMORY)
if "GAMECORE_FUZZ_SCRATCH" not in os.environ:
    atexit.register(shutil.rmtree, SCRATCH, True)


def text_of(data: bytes) -> str:
    """Any bytes as text: ASCII as it is, other bytes as lone surrogates, as the command reads them."""
    return data.decode("ascii", "surrogateescape")


def refused(call: Callable[[], Any], most: int = 500) -> Any:
    """Return the result, or None after a proper refusal: a short, printable sentence."""
    try:
        return call()
    except GamecoreError as error:
        message = str(error)
        assert message, "an error that says nothing"
        assert message.isprintable(), f"control characters: {message!r}"
        assert len(message) < most, f"{len(message)} characters of message"
        return None


def raised(error: Exception) -> None:
    """Raise it."""
    raise error


def scratch_file(kind: str, data: bytes) -> str:
    """A file with these bytes; the next of its kind replaces it."""
    path = f"{SCRATCH}/{kind}"
    with open(path, "wb") as file:
        file.write(data)
    return path
