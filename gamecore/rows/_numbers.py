"""Rows of integers as arrays: exact conversion, and the element types of the kernels, which trust them."""

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from gamecore.errors import GamecoreError
from gamecore.kernels import rows as _kernel
from gamecore.text import printable

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = Any

INT64_MAX: Final = (1 << 63) - 1
SCALE: Final = "scale them to whole numbers"  #: what to do with floats

# Signed types that hold a dtype's values; the kernels know int16, int32 and int64.
_SIGNED: Final = {"i1": "i2", "u1": "i2", "i2": "i2", "u2": "i4", "i4": "i4", "u4": "i8", "i8": "i8", "u8": "i8"}
_SHAPES: Final = {1: "one row of integers", 2: "a 2-D array of integers, one row a game"}


def integers(values: object, name: str = "values", dimensions: int = 1) -> Array:
    """Convert ``values`` exactly to a contiguous array of int16, int32 or int64, and share it if it is one.

    Raises:
        GamecoreError: not integers, masked values, integers beyond int64, the wrong number of ``dimensions``, empty.
    """
    array = _array(values, name, dimensions)
    if array.ndim != dimensions:
        raise GamecoreError(f"{name}: {_SHAPES[dimensions]} is meant, not {array.ndim} dimensions")
    if array.size == 0:
        raise GamecoreError(f"{name}: the row is empty" if dimensions == 1 else f"{name}: there is no value")
    if array.dtype.kind == "f":
        raise GamecoreError(f"{name} are {array.dtype}, not integers: {SCALE}")
    kind = array.dtype.str[1:]
    if kind == "u8" and int(array.max()) > INT64_MAX:
        raise GamecoreError(f"{name}: {array.max()} does not fit int64")
    if not array.flags.aligned:  # such as a view into a file's bytes
        array = array.copy()
    return np.ascontiguousarray(array, _SIGNED[kind])


def _array(values: object, name: str, dimensions: int) -> Array:
    """Convert to an array of integers or floats of any type; its shape is not yet checked."""
    if isinstance(values, (list, tuple)):
        return _from_items(tuple(values), name, dimensions)  # a copy that other threads cannot change
    try:
        array = np.asanyarray(values)
    except (ValueError, TypeError, OverflowError):
        raise GamecoreError(f"{name}: not {_SHAPES[dimensions]}") from None
    if type(array) is not np.ndarray:
        masked = np.ma.getmaskarray(array)
        if masked.any():
            place = np.unravel_index(int(masked.argmax()), masked.shape)
            raise GamecoreError(f"{name}[{', '.join(map(str, map(int, place)))}] is masked")
        array = np.asarray(array)
    if array.dtype == object and array.ndim == 1:
        return _from_items(tuple(array.tolist()), name, dimensions)
    if array.dtype.kind not in "iuf":
        raise GamecoreError(f"{name}: {printable(values)} is not {_SHAPES[dimensions]}")
    return array


def _from_items(values: tuple[Any, ...], name: str, dimensions: int) -> Array:
    """Convert integers, Python's or NumPy's scalars."""
    if set(map(type, values)) != {int}:
        values = tuple(_item(value, name, place, dimensions) for place, value in enumerate(values))
    try:
        return np.array(values, np.int64)
    except OverflowError:
        place, value = next((at, item) for at, item in enumerate(values) if not ~INT64_MAX <= item <= INT64_MAX)
        raise GamecoreError(f"{name}[{place}] is {printable(value)}: it does not fit int64") from None


def _item(value: Any, name: str, place: int, dimensions: int) -> int:
    if value is np.ma.masked:
        raise GamecoreError(f"{name}[{place}] is masked")
    item = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(item, (list, tuple, np.ndarray)):
        raise GamecoreError(f"{name}[{place}] is {printable(value)}: {_SHAPES[dimensions]} is meant")
    if not isinstance(item, (int, np.integer)) or isinstance(item, bool):
        hint = f": {SCALE}" if isinstance(item, (float, np.floating)) else ""
        raise GamecoreError(f"{name}[{place}] is {printable(value)}, not an integer{hint}")
    return int(item)


def check_bound(bound: int) -> None:
    """Raise GamecoreError if a sum of absolute values, which bounds every total, exceeds int64."""
    if bound > INT64_MAX:
        raise GamecoreError(f"values: totals may reach {bound}, which overflows int64 ({INT64_MAX})")


def checked_bound(row: Array) -> int:
    """Return a row's sum of absolute values; see :func:`check_bound`."""
    bound = _kernel.sums(row)[0]
    check_bound(bound)
    return bound


def narrow(row: Array, bound: int) -> Array:
    """Convert to the narrowest type that holds all totals: int16, int32 or int64; ``bound``: of the totals."""
    return np.ascontiguousarray(row, narrowest(bound))


def narrowest(bound: int) -> type[np.signedinteger[Any]]:
    """Return the type that :func:`narrow` converts to."""
    return np.int16 if bound < 1 << 15 else np.int32 if bound < 1 << 31 else np.int64


def widest(row: Array) -> Array:
    """Convert to int64."""
    return np.ascontiguousarray(row, np.int64)
