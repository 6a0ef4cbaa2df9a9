"""One-dimensional arrays by the names that NumPy has for them, over the standard library's ``array``.

Single rows are solved with them where NumPy is not installed. Batches and tables as arrays need NumPy itself.
"""

import contextlib
import math
import operator
import sys
from array import array as plain
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, NoReturn, cast

int16, int32, int64, float64 = "h", "i", "q", "d"
_CODES = {"i2": int16, "i4": int32, "i8": int64}
integer, floating, generic = int, float, ()
ma = SimpleNamespace(masked=object())


class _Type(SimpleNamespace):
    def __init__(self, code: str) -> None:
        size = plain(code).itemsize
        kind = "f" if code == float64 else "i"
        super().__init__(kind=kind, itemsize=size, str=f"<{kind}{size}")


class ndarray(plain):  # type: ignore[type-arg]
    """Numbers of one type."""

    ndim = 1
    flags = SimpleNamespace(aligned=True)

    @property
    def dtype(self) -> _Type:
        return _Type(self.typecode)

    @property
    def size(self) -> int:
        return len(self)

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def item(self, at: int) -> Any:
        return self[at]

    def astype(self, code: str, copy: bool = True) -> "ndarray":
        code = _CODES.get(code, code)
        return self if code == self.typecode and not copy else ndarray(code, self)

    def sum(self) -> Any:
        return SimpleNamespace(item=lambda: sum(self))

    def all(self) -> bool:
        return all(self)

    def any(self) -> bool:
        return any(self)

    def argmax(self) -> int:
        return self.index(max(self))

    def ravel(self) -> "ndarray":
        return self

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        return ndarray(self.typecode, found) if isinstance(at, slice) else found

    def _each(self, function: Callable[[Any], Any], code: str | None = None) -> "ndarray":
        return ndarray(code or self.typecode, map(function, self))

    def __add__(self, number: Any) -> "ndarray":
        return self._each(lambda one: one + number)

    def __mul__(self, number: Any) -> "ndarray":
        return self._each(lambda one: one * number)

    def __invert__(self) -> "ndarray":
        return self._each(lambda one: not one)

    def __eq__(self, other: object) -> Any:
        return ndarray("b", map(operator.eq, self, cast("ndarray", other)))

    __hash__ = None


def errstate(**kinds: str) -> contextlib.nullcontext[None]:
    return contextlib.nullcontext()


def array(values: Iterable[Any], code: str = float64) -> ndarray:
    return ndarray(code, values)


def asarray(values: Any) -> NoReturn:
    """Refuse what is neither a list nor a tuple: an array of another library is known by NumPy alone."""
    raise TypeError


def ascontiguousarray(values: ndarray, dtype: str | None = None) -> ndarray:
    found: ndarray = values.astype(dtype or values.typecode, copy=False)
    return found


def isfinite(values: ndarray) -> ndarray:
    return values._each(math.isfinite, "b")


def rint(values: ndarray) -> ndarray:
    return values._each(float.__round__) if max(map(abs, values), default=0) < 2**63 else values


def sort(values: ndarray) -> ndarray:
    return ndarray(values.typecode, sorted(values))


def empty_like(values: ndarray) -> ndarray:
    found: ndarray = values[:]
    return found


def unravel_index(at: int, shape: Sequence[int]) -> tuple[int]:
    return (at,)


def finfo(code: str) -> Any:
    return SimpleNamespace(eps=sys.float_info.epsilon)
