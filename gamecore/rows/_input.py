"""What the functions of rows accept: checked here once, so that the kernels need not."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from gamecore.errors import GamecoreError, OptionError
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._numpy import np
from gamecore.text import printable

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = Any
Number: TypeAlias = int | float  #: integers in rows of integers, floats in rows of floats
Opponent: TypeAlias = Literal["optimal", "greedy", "cooperative", "dumb", "smart"]
Side: TypeAlias = Literal["me", "opponent"]
First: TypeAlias = Literal["me", "opponent", "sister"]
Ties: TypeAlias = Literal["right", "left"]

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
NAMES: Final = ("optimal", "cooperative", "greedy")  #: of the modes
ME: Final = "me"
OPPONENT: Final = "opponent"
OPPONENT_FIRST: Final[dict[object, bool]] = {ME: False, OPPONENT: True, "sister": True}
TIES_LEFT: Final[dict[object, bool]] = {"right": False, "left": True}
LEFT: Final = "L"
RIGHT: Final = "R"
INT64_MAX: Final = (1 << 63) - 1
EXACT_FLOAT: Final = 1 << 53  #: integers up to this size are floats exactly

# Signed types that hold a dtype's values; the kernels know int16, int32, int64 and float64.
_SIGNED: Final = {"i1": "i2", "u1": "i2", "i2": "i2", "u2": "i4", "i4": "i4", "u4": "i8", "i8": "i8"}
_GRAIN: Final = 1024.0  # floats that are whole numbers of 1 / _GRAIN and add up to less than _ROOM add exactly
_ROOM: Final = 2.0**43
_LETTERS: Final = b"LR" + bytes(254)


class Rules(NamedTuple):
    """The game on a row: one of the modes, whether the opponent takes first, and the greedy opponent's end on a tie."""

    mode: int
    opponent_first: bool
    ties_left: bool

    @property
    def turned(self) -> bool:
        """Whether the row must be turned round: the kernel's greedy opponent takes the right end on ties."""
        return self.ties_left and self.mode == GREEDY

    def after_move(self) -> "Rules":
        """The game on what a move leaves."""
        return self._replace(opponent_first=not self.opponent_first)

    def legal_moves(self, values: "Sequence[Any] | Array") -> tuple[str, ...]:
        """The moves of the side to move on a row: both, but for a greedy opponent, who has the larger end alone."""
        if self.mode != GREEDY or not self.opponent_first or not len(values):
            return (LEFT, RIGHT) if len(values) else ()
        first, last = values[0], values[-1]
        takes_left = first > last or len(values) == 1 or (first == last and self.ties_left)
        return (LEFT,) if takes_left else (RIGHT,)


def rules_of(opponent: object, first: object, ties: object) -> Rules:
    """The game that options name; see :func:`choose`."""
    return Rules(
        choose(MODES, "opponent", opponent),
        choose(OPPONENT_FIRST, "first", first),
        choose(TIES_LEFT, "ties", ties),
    )


def choose(table: dict[object, Any], name: str, given: object) -> Any:
    """The value of an option's name; raise OptionError if it is not in the table."""
    if isinstance(given, str) and given in table:
        return table[given]
    known = ", ".join(repr(key) for key in table)
    raise OptionError(f"{name} must be one of {known}, not {printable(given)}")


# --- numbers ---------------------------------------------------------------------------------------------------------


def numbers(values: object, name: str = "values", dimensions: int = 1) -> Array:
    """``values`` as a contiguous array of int16, int32, int64 or float64: exactly, or not at all.

    Raises:
        GamecoreError: not numbers, integers and floats mixed, masked values, NaN or infinity, beyond int64, floats
            wider than float64 that it would round, other than ``dimensions`` dimensions, empty.
    """
    array = _array(values, name, dimensions)
    if array.ndim != dimensions:
        raise GamecoreError(f"{name}: {_shape_text(dimensions)} is meant, not {array.ndim} dimensions")
    if not array.flags.aligned:  # a view into a file's bytes, say: kernels read whole elements
        array = array.copy()
    if array.size == 0:
        raise GamecoreError(f"{name}: the row is empty" if dimensions == 1 else f"{name}: there is no value")
    kind = array.dtype.kind
    if kind == "f":
        return _floats(array, name)
    if kind not in "iu":
        raise GamecoreError(f"{name}: {array.dtype} is not a type of numbers that is known here")
    if array.dtype.str[1:] == "u8":
        largest = int(array.max())
        if largest > INT64_MAX:
            raise GamecoreError(f"{name}: {largest} does not fit int64")
        return np.ascontiguousarray(array, dtype=np.int64)
    return np.ascontiguousarray(array, dtype=_SIGNED[array.dtype.str[1:]])


def _array(values: object, name: str, dimensions: int) -> Array:
    """An array of numbers, if it can be had without rounding; of any type and shape otherwise."""
    if isinstance(values, (list, tuple)):
        values = tuple(values)  # which no other thread changes meanwhile
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
        place, value = next((at, one) for at, one in enumerate(values) if not -INT64_MAX <= one <= INT64_MAX)
        raise GamecoreError(f"{name}[{place}] is {printable(value)}: it does not fit int64") from None


def _from_items(values: "list[Any] | tuple[Any, ...]", name: str, dimensions: int) -> Array:
    """The array of items of any types: integers or floats, NumPy's scalars among them, but not both."""
    first: dict[bool, int] = {}  # of either kind (whether it is an integer), the first place
    plain: list[Any] = []
    for place, value in enumerate(values):
        if value is np.ma.masked:
            raise GamecoreError(f"{name}[{place}] is masked")
        one = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
        whole = isinstance(one, (int, np.integer)) and not isinstance(one, bool)
        if not whole and not isinstance(one, (float, np.floating)):
            if isinstance(one, (list, tuple, np.ndarray)):
                raise GamecoreError(f"{name}: {_shape_text(dimensions)} is meant, not {_depth(values)} dimensions")
            raise GamecoreError(f"{name}[{place}] is {printable(value)}, not a number")
        first.setdefault(whole, place)
        plain.append(int(one) if whole else one)
    if len(first) == 2:
        raise mixed(f"{name}[{first[True]}]", values[first[True]], f"{name}[{first[False]}]", values[first[False]])
    return _integers(plain, name) if True in first else np.array(plain)


def _depth(values: object) -> int:
    depth = 0
    while isinstance(values, (list, tuple, np.ndarray)) and len(values):
        depth, values = depth + 1, values[0]
    return max(depth, 2)


def mixed(integer_name: str, integer: object, float_name: str, real: object) -> GamecoreError:
    """What is wrong with integers among floats: one of them would must be rounded, or might have been."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in (integer, real)]
    return GamecoreError(
        f"{integer_name} is the integer {printable(plain[0])} and {float_name} the float {printable(plain[1])}:"
        " a row has one kind of numbers"
    )


def _floats(array: Array, name: str) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):  # signalling NaNs are told of below, as all others are
        found = np.ascontiguousarray(array, dtype=np.float64) + 0.0  # -0.0 becomes 0.0: order cannot show in a sign
    bad = ~np.isfinite(found)
    if bad.any():
        raise GamecoreError(f"{name}[{_place(bad)}] is {array.ravel()[bad.argmax()]}: values must be finite")
    if array.dtype.itemsize > 8 and (bad := found != array).any():
        raise GamecoreError(f"{name}[{_place(bad)}] is {array.ravel()[bad.argmax()]!r}, which float64 does not hold")
    return found


def _place(bad: Array) -> str:
    return ", ".join(str(int(k)) for k in np.unravel_index(int(bad.argmax()), bad.shape))


def _shape_text(dimensions: int) -> str:
    return "one row of numbers" if dimensions == 1 else "a 2-D array of numbers, one row a game"


# --- totals ----------------------------------------------------------------------------------------------------------


def sums_of(array: Array) -> tuple[Number, Number]:
    """The sum of absolute values, checked, which bounds every total, and the sum (of floats: if it is exact)."""
    bound, total = _kernel.sums(array)
    check_bound(bound)
    return bound, total


def check_bound(bound: Number, name: str = "values") -> None:
    """Raise GamecoreError if a sum of absolute values is beyond int64, or not finite."""
    if isinstance(bound, int):
        if bound > INT64_MAX:
            raise GamecoreError(f"{name}: totals may reach {bound}, which overflows int64 ({INT64_MAX})")
    elif not math.isfinite(bound):
        raise GamecoreError(f"{name}: totals overflow float64")


def adds_exactly(array: Array, bound: Number) -> bool:
    """Whether no sum of these values is rounded: integers, and floats that are multiples of 1/1024 and not too large.

    Args:
        array: any number of dimensions.
        bound: of the sum of absolute values of a row.
    """
    if array.dtype.kind != "f":
        return True
    if not bound < _ROOM:
        return False
    scaled = array * _GRAIN
    return bool((np.rint(scaled) == scaled).all())


def narrow(array: Array, bound: Number) -> Array:
    """The array in the narrowest type that holds all totals: int16, int32 or int64; float64 stays."""
    if isinstance(bound, float):
        return array
    kind = np.int16 if bound < 1 << 15 else np.int32 if bound < 1 << 31 else np.int64
    return array.astype(kind, copy=False)


def widest(array: Array) -> Array:
    """The array in int64, or float64 as it is."""
    return array if array.dtype.kind == "f" else array.astype(np.int64, copy=False)


def letters(moves: memoryview) -> str:
    """Moves 0 and 1 as L and R."""
    return moves.tobytes().translate(_LETTERS).decode("ascii")
