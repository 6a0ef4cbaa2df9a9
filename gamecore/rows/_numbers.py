"""Rows of numbers as arrays: exact conversion, sums, and the element types of the kernels, which trust them."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from gamecore.errors import GamecoreError
from gamecore.rows._kernel import kernel as _kernel
from gamecore.text import printable

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = Any
Number: TypeAlias = int | float  #: integers in rows of integers, floats in rows of floats

INT64_MAX: Final = (1 << 63) - 1
_BLOCK: Final = 1 << 20  # values that NumPy converts in one call: a few milliseconds
EXACT_FLOAT: Final = 1 << 53  #: float64 holds integers up to this magnitude exactly

# Signed types that hold a dtype's values; the kernels know int16, int32, int64 and float64.
_SIGNED: Final = {"i1": "i2", "u1": "i2", "i2": "i2", "u2": "i4", "i4": "i4", "u4": "i8", "i8": "i8"}
_GRAIN: Final = 1024.0  # multiples of 1 / _GRAIN whose sums stay below _ROOM add exactly
_ROOM: Final = 2.0**43


def numbers(values: object, name: str = "values", dimensions: int = 1) -> Array:
    """Convert ``values`` exactly to a contiguous array of int16, int32, int64 or float64.

    Raises:
        GamecoreError: not numbers, integers mixed with floats, masked values, NaN or infinity, integers beyond int64,
            floats that float64 would round, the wrong number of ``dimensions``, empty.
    """
    array = _array(values, name, dimensions)
    if array.ndim != dimensions:
        raise GamecoreError(f"{name}: {_shape_text(dimensions)} is meant, not {array.ndim} dimensions")
    if not array.flags.aligned:  # such as a view into a file's bytes; kernels need aligned elements
        array = array.copy()
    if array.size == 0:
        raise GamecoreError(f"{name}: the row is empty" if dimensions == 1 else f"{name}: there is no value")
    kind = array.dtype.kind
    if kind == "f":
        return _floats(array, name)
    if kind not in "iu":
        raise GamecoreError(f"{name}: {array.dtype} is not a supported type of numbers")
    if array.dtype.str[1:] == "u8":
        largest = int(array.max())
        if largest > INT64_MAX:
            raise GamecoreError(f"{name}: {largest} does not fit int64")
        return _converted(array, np.int64)
    return _converted(array, _SIGNED[array.dtype.str[1:]])


def _array(values: object, name: str, dimensions: int) -> Array:
    """Convert to an array without rounding numbers; its type and shape are not yet checked."""
    if isinstance(values, (list, tuple)):
        values = tuple(values)  # a copy that other threads cannot change
        kinds = set(map(type, values))
        if kinds == {float}:
            return np.array(values)
        return _integers(values, name) if kinds == {int} else _from_items(values, name, dimensions)
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise GamecoreError(f"{name}: not {_shape_text(dimensions)}") from None
    if type(array) is not np.ndarray:
        masked = np.ma.getmaskarray(array)
        if masked.any():
            raise GamecoreError(f"{name}[{_place(masked)}] is masked")
        array = np.asarray(array)
    if array.dtype == object and array.ndim == 1:
        return _from_items(array.tolist(), name, dimensions)
    if array.dtype.kind not in "iuf":
        raise GamecoreError(f"{name}: {printable(values)} is not a number, nor {_shape_text(dimensions)}")
    return array


def _integers(values: "list[Any] | tuple[Any, ...]", name: str) -> Array:
    try:
        return np.array(values, np.int64)
    except OverflowError:
        place, value = next((at, item) for at, item in enumerate(values) if not -INT64_MAX <= item <= INT64_MAX)
        raise GamecoreError(f"{name}[{place}] is {printable(value)}: it does not fit int64") from None


def _from_items(values: "list[Any] | tuple[Any, ...]", name: str, dimensions: int) -> Array:
    """Convert items that are all integers or all floats, Python's or NumPy's scalars."""
    first: dict[bool, int] = {}  # the first index of an integer (True) and of a float (False)
    plain: list[Any] = []
    for place, value in enumerate(values):
        if value is np.ma.masked:
            raise GamecoreError(f"{name}[{place}] is masked")
        item = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
        whole = isinstance(item, (int, np.integer)) and not isinstance(item, bool)
        if not whole and not isinstance(item, (float, np.floating)):
            if isinstance(item, (list, tuple, np.ndarray)):
                raise GamecoreError(f"{name}[{place}] is {printable(value)}: {_shape_text(dimensions)} is meant")
            raise GamecoreError(f"{name}[{place}] is {printable(value)}, not a number")
        first.setdefault(whole, place)
        plain.append(int(item) if whole else item)
    if len(first) == 2:
        raise mixed(f"{name}[{first[True]}]", values[first[True]], f"{name}[{first[False]}]", values[first[False]])
    return _integers(plain, name) if True in first else np.array(plain)


def mixed(integer_name: str, integer: object, float_name: str, real: object) -> GamecoreError:
    """Return the error for integers among floats, which a conversion might round."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in (integer, real)]
    return GamecoreError(
        f"{integer_name} is the integer {printable(plain[0])} and {float_name} the float {printable(plain[1])}:"
        " a row has one kind of numbers"
    )


def _converted(array: Array, kind: Any) -> Array:
    """Convert to a contiguous array, block by block: a single call on a long row would keep Ctrl-C waiting."""
    if array.size <= _BLOCK or (array.dtype == kind and array.flags.c_contiguous):
        return np.ascontiguousarray(array, dtype=kind)
    converted = np.empty(array.shape, kind)
    for part in _blocks(array):
        converted[part] = array[part]
    return converted


def _blocks(array: Array) -> Iterator[slice]:
    """Yield slices of an array that is not empty, of about a million values each."""
    step = max(1, _BLOCK * len(array) // array.size)
    for start in range(0, len(array), step):
        yield slice(start, start + step)


def _floats(array: Array, name: str) -> Array:
    floats = np.empty(array.shape)
    for part in _blocks(array):
        block, start = array[part], part.start
        with np.errstate(invalid="ignore", over="ignore"):  # NaNs of every kind are reported below
            converted = np.add(block, 0.0, out=floats[part], casting="same_kind")  # -0.0 becomes 0.0
        bad = ~np.isfinite(converted)
        if bad.any():
            raise GamecoreError(f"{name}[{_place(bad, start)}] is {block.ravel()[bad.argmax()]}: values must be finite")
        if array.dtype.itemsize > 8 and (bad := converted != block).any():
            value = block.ravel()[bad.argmax()]
            raise GamecoreError(f"{name}[{_place(bad, start)}] is {value!r}, which float64 does not hold")
    return floats


def _place(bad: Array, start: int = 0) -> str:
    first, *rest = (int(k) for k in np.unravel_index(int(bad.argmax()), bad.shape))
    return ", ".join(map(str, [start + first, *rest]))


def _shape_text(dimensions: int) -> str:
    return "one row of numbers" if dimensions == 1 else "a 2-D array of numbers, one row a game"


# --- totals ----------------------------------------------------------------------------------------------------------


def sums_of(array: Array) -> tuple[Number, Number]:
    """Return the checked sum of absolute values, which bounds every total, and the sum (for floats maybe rounded)."""
    bound, total = _kernel.sums(array)
    check_bound(bound)
    return bound, total


def check_bound(bound: Number) -> None:
    """Raise GamecoreError if a sum of absolute values exceeds int64 or is not finite."""
    if isinstance(bound, int):
        if bound > INT64_MAX:
            raise GamecoreError(f"values: totals may reach {bound}, which overflows int64 ({INT64_MAX})")
    elif not math.isfinite(bound):
        raise GamecoreError("values: totals overflow float64")


def adds_exactly(array: Array, bound: Number) -> bool:
    """True if no sum of these values is rounded: integers, and small enough floats that are multiples of 1/1024.

    Args:
        array: any number of dimensions.
        bound: upper bound of a row's sum of absolute values.
    """
    if array.dtype.kind != "f":
        return True
    if not bound < _ROOM:
        return False
    for part in _blocks(array):
        scaled = array[part] * _GRAIN
        if not (np.rint(scaled) == scaled).all():
            return False
    return True


def narrow(array: Array, bound: Number) -> Array:
    """Convert integers to the narrowest type that holds all totals: int16, int32 or int64; float64 stays."""
    if isinstance(bound, float):
        return array
    kind = np.int16 if bound < 1 << 15 else np.int32 if bound < 1 << 31 else np.int64
    return _converted(array, kind)


def widest(array: Array) -> Array:
    """Convert integers to int64; float64 stays."""
    return array if array.dtype.kind == "f" else _converted(array, np.int64)
