"""Rows of numbers as arrays: exact conversion, sums, and the element types of the kernels, which trust them."""

import math
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
Number: TypeAlias = int | float  #: integers in rows of integers, floats in rows of floats

INT64_MAX: Final = (1 << 63) - 1
EXACT_FLOAT: Final = 1 << 53  #: float64 holds integers up to this magnitude exactly

# Signed types that hold a dtype's values; the kernels know int16, int32, int64 and float64.
_SIGNED: Final = {"i1": "i2", "u1": "i2", "i2": "i2", "u2": "i4", "i4": "i4", "u4": "i8", "i8": "i8", "u8": "i8"}
_GRAIN: Final = 1024.0  # multiples of 1 / _GRAIN whose sums stay below _ROOM add exactly
_ROOM: Final = 2.0**43
_SHAPES: Final = {1: "one row of numbers", 2: "a 2-D array of numbers, one row a game"}


def numbers(values: object, name: str = "values", dimensions: int = 1) -> Array:
    """Convert ``values`` exactly to a contiguous array of int16, int32, int64 or float64.

    Raises:
        GamecoreError: not numbers, integers mixed with floats, masked values, NaN or infinity, integers beyond int64,
            floats that float64 would round, the wrong number of ``dimensions``, empty.
    """
    array = _array(values, name, dimensions)
    if array.ndim != dimensions:
        raise GamecoreError(f"{name}: {_SHAPES[dimensions]} is meant, not {array.ndim} dimensions")
    if array.size == 0:
        raise GamecoreError(f"{name}: the row is empty" if dimensions == 1 else f"{name}: there is no value")
    if not array.flags.aligned:  # such as a view into a file's bytes; kernels need aligned elements
        array = array.copy()
    if array.dtype.kind == "f":
        return _floats(array, name)
    kind = array.dtype.str[1:]
    if kind == "u8" and int(array.max()) > INT64_MAX:
        raise GamecoreError(f"{name}: {array.max()} does not fit int64")
    return np.ascontiguousarray(array, _SIGNED[kind])


def _array(values: object, name: str, dimensions: int) -> Array:
    """Convert to an array of integers or floats without rounding them; its shape is not yet checked."""
    if isinstance(values, (list, tuple)):
        values = tuple(values)  # a copy that other threads cannot change
        kinds = set(map(type, values))
        if kinds == {float}:
            return np.array(values)
        return _integers(values, name) if kinds == {int} else _from_items(values, name, dimensions)
    try:
        array = np.asanyarray(values)
    except (ValueError, TypeError, OverflowError):
        raise GamecoreError(f"{name}: not {_SHAPES[dimensions]}") from None
    if type(array) is not np.ndarray:
        masked = np.ma.getmaskarray(array)
        if masked.any():
            raise GamecoreError(f"{name}[{_place(masked)}] is masked")
        array = np.asarray(array)
    if array.dtype == object and array.ndim == 1:
        return _from_items(array.tolist(), name, dimensions)
    if array.dtype.kind not in "iuf":
        raise GamecoreError(f"{name}: {printable(values)} is not a number, nor {_SHAPES[dimensions]}")
    return array


def _integers(values: "list[Any] | tuple[Any, ...]", name: str) -> Array:
    try:
        return np.array(values, np.int64)
    except OverflowError:
        place, value = next((at, item) for at, item in enumerate(values) if not ~INT64_MAX <= item <= INT64_MAX)
        raise GamecoreError(f"{name}[{place}] is {printable(value)}: it does not fit int64") from None


def _from_items(values: "list[Any] | tuple[Any, ...]", name: str, dimensions: int) -> Array:
    """Convert items that are all integers or all floats, Python's or NumPy's scalars."""
    places: dict[type, int] = {}  # of the first integer and of the first float
    items: list[Any] = []
    for place, value in enumerate(values):
        if value is np.ma.masked:
            raise GamecoreError(f"{name}[{place}] is masked")
        item = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
        if isinstance(item, (list, tuple, np.ndarray)):
            raise GamecoreError(f"{name}[{place}] is {printable(value)}: {_SHAPES[dimensions]} is meant")
        whole = isinstance(item, (int, np.integer)) and not isinstance(item, bool)
        if not whole and not isinstance(item, (float, np.floating)):
            raise GamecoreError(f"{name}[{place}] is {printable(value)}, not a number")
        places.setdefault(int if whole else float, place)
        items.append(int(item) if whole else item)
    if len(places) == 2:
        raise mixed({f"{name}[{place}]": items[place] for place in places.values()})
    return _integers(items, name) if int in places else np.array(items)


def mixed(named: dict[str, Any]) -> GamecoreError:
    """Return the error for an integer and a float in one row, by name: a conversion might round the integer."""
    (whole, integer), (other, real) = sorted(named.items(), key=lambda pair: isinstance(pair[1], (float, np.floating)))
    return GamecoreError(
        f"{whole} is the integer {printable(int(integer))} and {other} the float {printable(float(real))}:"
        " a row has one kind of numbers"
    )


def _floats(array: Array, name: str) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):  # NaNs of every kind are reported below
        floats: Array = np.add(array, 0.0, dtype=np.float64, casting="same_kind", order="C")  # -0.0 becomes 0.0
    bad = ~np.isfinite(floats)
    if bad.any():
        raise GamecoreError(f"{name}[{_place(bad)}] is {array[bad][0]}: values must be finite")
    if array.dtype.itemsize > 8 and (bad := floats != array).any():
        raise GamecoreError(f"{name}[{_place(bad)}] is {array[bad][0]!r}, which float64 does not hold")
    return floats


def _place(bad: Array) -> str:
    return ", ".join(str(int(k)) for k in np.unravel_index(int(bad.argmax()), bad.shape))


# --- totals ----------------------------------------------------------------------------------------------------------


def check_bound(bound: Number) -> None:
    """Raise GamecoreError if a sum of absolute values, which bounds every total, exceeds int64 or is not finite."""
    if isinstance(bound, int):
        if bound > INT64_MAX:
            raise GamecoreError(f"values: totals may reach {bound}, which overflows int64 ({INT64_MAX})")
    elif not math.isfinite(bound):
        raise GamecoreError("values: totals overflow float64")


def checked_bound(array: Array) -> Number:
    """Return a row's sum of absolute values; see :func:`check_bound`."""
    bound = _kernel.sums(array)[0]
    check_bound(bound)
    return bound


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
    scaled = array * _GRAIN
    return bool((np.rint(scaled) == scaled).all())


def narrow(array: Array, bound: Number) -> Array:
    """Convert integers to the narrowest type that holds all totals: int16, int32 or int64; float64 stays."""
    return np.ascontiguousarray(array, narrowest(array, bound))


def narrowest(array: Array, bound: Number) -> Any:
    """Return the type that :func:`narrow` converts to."""
    if array.dtype.kind == "f":
        return np.float64
    return np.int16 if bound < 1 << 15 else np.int32 if bound < 1 << 31 else np.int64


def widest(array: Array) -> Array:
    """Convert integers to int64; float64 stays."""
    return np.ascontiguousarray(array, np.float64 if array.dtype.kind == "f" else np.int64)
