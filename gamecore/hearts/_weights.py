"""Learned weights of hearts players, in files and in memory.

A file has a line with its format, a line with the SHA-256 of the rest, a line of JSON (version and origin of the
weights), and the weights as int8: first of the policy, then of the behaviour model of good players.
"""

import ctypes
import hashlib
import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gamecore.errors import GamecoreError
from gamecore.files import file_errors, write_whole
from gamecore.hearts._kernel import kernel
from gamecore.hearts._results import ByContent
from gamecore.text import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION: Final = 1  #: of the features: weights of other versions are incompatible
MODEL: Final = int(kernel.linear_layout()[0])  #: weights of one model
DEFAULT: Final = Path(__file__).with_name("data") / "linear.weights"
_MAGIC: Final = b"gamecore hearts weights, format 2\n"
_OLD: Final = b"gamecore hearts weights\n"  # the checksum of format 1 did not cover the header
_CHECKSUM: Final = 65  # bytes of its line
_MOST_HEADER: Final = 100_000
_MOST_BYTES: Final = 1 << 20  # of a file
_MOST_NAME: Final = 300  # characters of a file's name in messages


class WeightsError(GamecoreError):
    """A file of weights is missing, damaged, of another version, or no file of weights."""


@dataclass(frozen=True, eq=False)
class Weights(ByContent):
    """Weights of a learned player.

    Attributes:
        policy: (51904,) int8: of the player; a weight of 1 is stored as 16.
        behaviour: (51904,) int8: of the model of good players.
        about: origin of the weights, plain values.
    """

    policy: "NDArray[np.int8]" = field(repr=False)
    behaviour: "NDArray[np.int8]" = field(repr=False)
    about: dict[str, Any]

    def __post_init__(self) -> None:
        import numpy as np

        for name in ("policy", "behaviour"):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.dtype != np.int8 or array.shape != (MODEL,):
                raise WeightsError(f"weights: {name} must be an array of {MODEL} int8")

    def save(self, path: str | Path) -> None:
        """Write the weights to a file atomically.

        Raises:
            OSError: the file cannot be written.
        """
        data = self.policy.tobytes() + self.behaviour.tobytes()
        header = {"version": VERSION, "weights": MODEL, **self.about}
        rest = json.dumps(header).encode() + b"\n" + data
        write_whole(path, (_MAGIC, hashlib.sha256(rest).hexdigest().encode(), b"\n", rest))

    @classmethod
    def load(cls, path: str | Path) -> "Weights":
        """Read a file written by :meth:`save`.

        Raises:
            WeightsError: the file is missing, damaged, of another version, or no file of weights.
        """
        import numpy as np

        header, data = _read(path)
        both = np.frombuffer(data, np.int8)
        return cls(both[:MODEL], both[MODEL:], header)


def _read(path: str | Path) -> tuple[dict[str, Any], bytes]:
    """The header and the weights of a file."""
    name = printable(str(path), _MOST_NAME)
    with file_errors("read weights", path, WeightsError):
        place = Path(path)
        if place.exists() and not place.is_file():
            raise WeightsError(f"{name} is not a file of hearts weights")
        with place.open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    if raw.startswith(_OLD):
        raise WeightsError(f"weights {name} have format 1, whose header has no checksum: train again")
    if not raw.startswith(_MAGIC):
        raise WeightsError(f"{name} is not a file of hearts weights: its first line is not {_MAGIC[:-1].decode()!r}")
    checksum, rest = raw[len(_MAGIC) :][:_CHECKSUM], raw[len(_MAGIC) + _CHECKSUM :]
    if checksum != hashlib.sha256(rest).hexdigest().encode() + b"\n":
        raise WeightsError(f"weights {name} are damaged: their checksum is another")
    line, _, data = rest.partition(b"\n")
    try:
        header = json.loads(line[:_MOST_HEADER])
    except (ValueError, RecursionError):
        raise WeightsError(f"weights {name} are damaged: their third line is not JSON") from None
    if not isinstance(header, dict) or header.pop("version", None) != VERSION or header.pop("weights", 0) != MODEL:
        raise WeightsError(f"weights {name} are of another version than this gamecore's, {VERSION}: train again")
    if len(data) != 2 * MODEL:
        raise WeightsError(f"weights {name} are damaged: {len(data)} bytes of weights instead of {2 * MODEL}")
    return header, data


def aligned(weights: bytes) -> memoryview:
    """A read-only int8 copy aligned to cache lines, so that each row of 64 weights is one line."""
    room = bytearray(len(weights) + 64)
    start = -ctypes.addressof(ctypes.c_char.from_buffer(room)) % 64
    out = memoryview(room)[start : start + len(weights)]
    out[:] = weights
    return out.toreadonly().cast("b")


@lru_cache(maxsize=16)
def _loaded(path: str, stamp: tuple[int, int]) -> memoryview:
    return aligned(_read(path)[1])


def weights_of(path: str = "") -> memoryview:
    """The weights of a file, or the package's own for "", as int8 for the kernel; cached until the file changes.

    Raises:
        WeightsError: as for :meth:`Weights.load`.
    """
    place = path or str(DEFAULT)
    with file_errors("read weights", place, WeightsError):
        state = Path(place).stat()
    return _loaded(place, (state.st_mtime_ns, state.st_size))
