"""Solutions as a sequence of objects, with columns made when they are asked for: for games without a batch kernel."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from gamecore.batch._columns import ColumnSequence
from gamecore.batch._stream import Part

S = TypeVar("S")


class SolutionList(ColumnSequence[S]):
    """A sequence of solutions that are kept as objects. An item may be an exception, when errors were asked for.

    Equal to any sequence of equal solutions; slices are of the same kind.

    Args:
        items: solutions and exceptions, in order.

    Attributes:
        errors: by index, the items that are exceptions; the columns hold zeros there.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[S | Exception]) -> None:
        self._items = tuple(items)

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Self:
        """The solutions of parts whose results are lists of them."""
        return cls(item for part in parts for item in part.result)

    @property
    def errors(self) -> Mapping[int, Exception]:
        """By index, what was wrong with bad items."""
        return {at: item for at, item in enumerate(self._items) if isinstance(item, Exception)}

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> S: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> S | Self:
        if isinstance(index, slice):
            return type(self)(self._items[index])
        return self._items[index]  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._items,)

    def __repr__(self) -> str:
        errors = f", {len(self.errors)} of them errors" if self.errors else ""
        return f"<{self._name()}: {len(self)} solutions{errors}>"

    def _column(self, name: str) -> NDArray[Any]:
        return np.array([0 if isinstance(item, Exception) else getattr(item, name) for item in self._items])

    @property
    def lower(self) -> NDArray[Any]:
        """(n,): proven lower bounds of the values, int64 or float64."""
        return self._column("lower")

    @property
    def upper(self) -> NDArray[Any]:
        """(n,): proven upper bounds."""
        return self._column("upper")

    @property
    def exact(self) -> NDArray[np.bool_]:
        """(n,) bool: where the bounds meet (True for errors, whose bounds are 0 and 0)."""
        met: NDArray[np.bool_] = self.lower == self.upper
        return met

    @property
    def nodes(self) -> NDArray[np.int64]:
        """(n,) int64: positions searched."""
        return self._column("nodes")

    @property
    def seconds(self) -> NDArray[np.float64]:
        """(n,) float64: wall-clock time of each search."""
        return self._column("seconds")
