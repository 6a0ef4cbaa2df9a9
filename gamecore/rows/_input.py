"""What the functions of rows accept: checked here once, so that the kernels need not."""

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gamecore import kernels
from gamecore.text import printable
from gamecore.errors import GamecoreError, OptionError

if TYPE_CHECKING:
    from gamecore.kernels.baseline import rows as _rows

    kernel = _rows
else:
    kernel = kernels.kernel("rows")

Array: TypeAlias = npt.NDArray[Any]
Opponent: TypeAlias = Literal["optimal", "greedy", "cooperative", "dumb", "smart"]
Side: TypeAlias = Literal["me", "opponent", "sister"]
Ties: TypeAlias = Literal["right", "left"]
Move: TypeAlias = Literal["left", "right"]

OPTIMAL: Final = 0
COOPERATIVE: Final = 1
GREEDY: Final = 2
MODES: Final[dict[object, int]] = {
    "optimal": OPTIMAL,
    "smart": OPTIMAL,
    "cooperative": COOPERATIVE,
    "dumb": COOPERATIVE,
    "greedy": GREEDY,
}
NAMES: Final = ("optimal", "cooperative", "greedy")
SIDES: Final[dict[object, bool]] = {"me": False, "opponent": True, "sister": True}
TIES: Final[dict[object, bool]] = {"right": False, "left": True}
INT64_MAX: Final = (1 << 63) - 1

# Signed types that hold a dtype's values; the kernels know int16, int32, int64 and float64.
_SIGNED: Final = {"i1": "i2", "u1": "i2", "i2": "i2", "u2": "i4", "i4": "i4", "u4": "i8", "i8": "i8"}


def choose(table: dict[object, Any], name: str, given: object) -> Any:
    """What an option's name stands for.

    Raises:
        OptionError: not a known name.
    """
    if isinstance(given, str) and given in table:
        return table[given]
    known = ", ".join(repr(key) for key in table)
    raise OptionError(f"{name} has to be one of {known}, not {printable(given)}")


def numbers(values: object, name: str = "values", dimensions: int = 1) -> Array:
    """``values`` as a contiguous array of int16, int32, int64 or float64.

    Raises:
        GamecoreError: not numbers, NaN or infinity, beyond int64, other than ``dimensions`` dimensions, empty.
    """
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise GamecoreError(f"{name}: not {_shape_text(dimensions)}") from None
    if array.ndim != dimensions:
        if array.dtype.kind in "USO":
            _refuse(array, name)
        raise GamecoreError(f"{name}: {_shape_text(dimensions)} is meant, not {array.ndim} dimensions")
    if not array.flags.aligned:  # a view into a file's bytes, say: kernels read whole elements
        array = array.copy()
    if array.size == 0:
        raise GamecoreError(f"{name}: the row is empty" if dimensions == 1 else f"{name}: there is no value")
    kind = array.dtype.kind
    if kind in "iu":
        if array.dtype.str[1:] == "u8":
            largest = int(array.max())
            if largest > INT64_MAX:
                raise GamecoreError(f"{name}: {largest} does not fit int64")
            return np.ascontiguousarray(array, dtype=np.int64)
        return np.ascontiguousarray(array, dtype=_SIGNED[array.dtype.str[1:]])
    if kind == "f":
        with np.errstate(invalid="ignore"):  # signalling NaNs are told of below, as all others are
            array = np.ascontiguousarray(array, dtype=np.float64) + 0.0  # -0.0 becomes 0.0: order cannot show in a sign
        if not np.isfinite(array).all():
            where = np.unravel_index(int(np.argmin(np.isfinite(array))), array.shape)
            place = ", ".join(str(int(k)) for k in where)
            raise GamecoreError(f"{name}[{place}] is {array[where]}: values have to be finite")
        if not isinstance(values, np.ndarray) and np.abs(array).max() >= INT64_MAX:
            # NumPy makes floats of ints when one is too large for int64 and another fits no uint64.
            _check_ints(np.asarray(values, dtype=object), name)
        return array
    return _refuse(array, name)


def _shape_text(dimensions: int) -> str:
    return "one row of numbers" if dimensions == 1 else "a 2-D array of numbers, one row a game"


def _check_ints(array: Array, name: str) -> None:
    """Say which value is not a number, or that it is an int too large for int64."""
    for place, value in zip(np.ndindex(array.shape), array.ravel().tolist(), strict=True):
        at = f"{name}[{', '.join(map(str, place))}]" if place else name
        if isinstance(value, int) and not isinstance(value, bool):
            if not -INT64_MAX <= value <= INT64_MAX:
                raise GamecoreError(f"{at} is {printable(value)}: it does not fit int64")
        elif not isinstance(value, (float, np.number)):
            raise GamecoreError(f"{at} is {printable(value)}, not a number")


def _refuse(array: Array, name: str) -> Array:
    _check_ints(array, name)
    raise GamecoreError(f"{name}: {array.dtype} is not a type of numbers that is known here")


def bound_of(array: Array, name: str = "values") -> int | float:
    """The sum of absolute values, which bounds every total and difference.

    Raises:
        GamecoreError: beyond int64, or not finite.
    """
    bound: int | float = kernel.magnitude(array)
    if isinstance(bound, int):
        if bound > INT64_MAX:
            raise GamecoreError(f"{name}: totals may reach {bound}, which overflows int64 ({INT64_MAX})")
    elif not bound <= np.finfo(np.float64).max:
        raise GamecoreError(f"{name}: totals overflow float64")
    return bound


def narrow(array: Array, bound: int | float) -> Array:
    """The array in the narrowest type that holds all totals: int16, int32 or int64; float64 stays."""
    if isinstance(bound, float):
        return array
    kind = np.int16 if bound < 1 << 15 else np.int32 if bound < 1 << 31 else np.int64
    return array.astype(kind, copy=False)


def widest(array: Array) -> Array:
    """The array in int64, or float64 as it is."""
    return array if array.dtype.kind == "f" else array.astype(np.int64, copy=False)


def total_of(array: Array) -> int | float:
    """The sum of a row: exact for integers, NumPy's pairwise sum for floats."""
    return float(array.sum()) if array.dtype.kind == "f" else int(array.sum(dtype=np.int64))
