"""Answers of every game's ``solve_many``, and positions stored as NumPy columns."""

import itertools
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, Literal, Self, TypeAlias, TypeVar, get_args, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gamecore.batch.stream import Part
from gamecore.contract import Solution, dataframe, plain
from gamecore.errors import OptionError
from gamecore.text import checked_word, is_integer

S = TypeVar("S")
T = TypeVar("T")

_BLOCK: Final = 4096  # solutions made together while iterating
_LINES: Final = "line_start", "line_end"
_STORED: Final = "lower", "upper", "to_move", "nodes", "seconds", "table_bytes"  # of all solutions, beside their moves
_NUMBERS: Final[dict[str, DTypeLike]] = {  # where no solution tells them
    **dict.fromkeys(("value", "lower", "upper", "nodes", "table_bytes"), np.int64), "exact": bool, "seconds": float
}  # fmt: skip

Array = NDArray[Any]
Masked = np.ma.MaskedArray[Any, Any]
Whole: TypeAlias = type[np.integer[Any]]
Columns = dict[str, Array]
Values: TypeAlias = list[Any]  #: a field of all items as plain values
Column: TypeAlias = Values | Array  #: a field of all items: an array if it has numbers only
Payload = tuple[Array, ...]  #: columns with one item per position, as kernels take them
Solved = tuple[Columns, Array]  #: result columns, including ``line_end``, and the moves of all lines


class ColumnSequence(Sequence[S], Generic[S]):
    """A sequence that is equal to any sequence of equal items; slices are of the same kind.

    Attributes:
        errors: items that are exceptions, by index.
    """

    __hash__ = None  # type: ignore[assignment]
    _items_are: ClassVar[str] = "solutions"
    errors: Mapping[int, Exception] = MappingProxyType({})

    @overload
    def __getitem__(self, index: int) -> S: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> S | Self:
        if isinstance(index, slice):
            return self._slice(index)
        first = range(len(self))[index]
        return next(iter(self._slice(slice(first, first + 1))))

    @abstractmethod
    def __iter__(self) -> Iterator[S]: ...

    @abstractmethod
    def _slice(self, part: slice) -> Self:
        """Return a slice."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return len(self) == len(other) and all(map(_are_equal, self, other))

    def __repr__(self) -> str:
        errors = f", {len(self.errors)} of them errors" if self.errors else ""
        return f"<{self._name()}: {len(self)} {self._items_are}{errors}>"

    def _name(self) -> str:
        """Return the public class name, such as ``duel.Solutions``."""
        return ".".join([*type(self).__module__.split(".")[-2:-1], type(self).__name__])

    def field(self, name: str) -> Values:
        """Return a field of the items' ``to_dict`` as a list of plain values, with None for exceptions.

        Raises:
            OptionError: there is no such field.
        """
        return self._listed(self._plain(checked_word(name, "name", self._fields())))

    def to_dict(self) -> dict[str, Values]:
        """Return :meth:`field` of each of the items' fields; with errors, also a list ``error`` of their texts."""
        table = {name: self._listed(column) for name, column in self._table().items()}
        if self.errors:
            table["error"] = [str(self.errors[index]) if index in self.errors else None for index in range(len(self))]
        return table

    def to_dataframe(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """Return a data frame with a row per item and the columns of :meth:`to_dict`; numbers stay arrays.

        Args:
            library: None: pandas if it is installed, else polars.

        Raises:
            GamecoreError: the library is not installed. OptionError: another library.
        """
        table = self.to_dict() if self.errors else self._table()
        return dataframe({name: _widened(name, column) for name, column in table.items()}, library)

    def _table(self) -> dict[str, Column]:
        """Return all fields."""
        return {name: self._plain(name) for name in self._fields()}

    def _plain(self, name: str) -> Column:
        """Return a field of all items as plain values; what is at errors does not matter."""
        return [None if isinstance(item, Exception) else plain(getattr(item, name)) for item in self]

    def _listed(self, column: Column) -> Values:
        values: Values = column if isinstance(column, list) else column.tolist()
        for index in self.errors:
            values[index] = None
        return values

    def _fields(self) -> tuple[str, ...]:
        """Return the names of the items' fields: of the first item, or else of the class's type of items."""
        items = (type(item) for item in self if not isinstance(item, Exception))
        kind: Any = next(items, self._kind())
        names: tuple[str, ...] = kind._names()
        return names

    @classmethod
    def _kind(cls) -> Any:
        """Return the class's type of items, such as ``duel.Solution``."""
        kinds = [argument for base in getattr(cls, "__orig_bases__", ()) for argument in get_args(base)]
        return kinds[0] if kinds and hasattr(kinds[0], "_names") else Solution


def _are_equal(item: object, other: object) -> bool:
    """Compare two items; exceptions by their type and text."""
    if isinstance(item, Exception):
        return type(item) is type(other) and str(item) == str(other)
    return bool(item == other)


def _widened(name: str, column: Column) -> Column:
    """Return integers as int64, as Python's integers would be, and no numbers as an array."""
    if name in _NUMBERS and not len(column):
        return np.empty(0, _NUMBERS[name])
    is_short = isinstance(column, np.ndarray) and column.dtype.kind in "iu"
    return np.asarray(column, np.int64) if is_short else column


class SolutionList(ColumnSequence[S]):
    """A batch's solutions, as a sequence and as columns. With ``on_error="return"`` an item may be an exception.

    Args:
        items: solutions and exceptions, in order.

    Attributes:
        errors: the exceptions, by index; the columns hold zeros there.
    """

    def __init__(self, items: Iterable[S | Exception]) -> None:
        self._items: tuple[Any, ...] = tuple(items)
        self.errors = {index: item for index, item in enumerate(self._items) if isinstance(item, Exception)}

    @classmethod
    def _of(cls, parts: Sequence[Part]) -> Self:
        """Join parts of a batch; their results are lists of solutions."""
        return cls(item for part in parts for item in part.result)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[S]:
        return iter(self._items)

    def _slice(self, part: slice) -> Self:
        return type(self)(self._items[part])

    def _column(self, name: str) -> Array:
        """Return the column of a field; without solutions, zeros."""
        if len(self.errors) == len(self):
            return np.zeros(len(self), _NUMBERS.get(name, np.int64))
        return np.array([0 if isinstance(item, Exception) else getattr(item, name) for item in self._items])

    @property
    def lower(self) -> Array:
        """(n,): proven lower bounds of the values, as in the game's ``Solution``."""
        return self._column("lower")

    @property
    def upper(self) -> Array:
        """(n,): proven upper bounds."""
        return self._column("upper")

    @property
    def value(self) -> Masked:
        """(n,): the values, masked where unknown (a limit was reached, or an error)."""
        unknown = ~self.exact
        unknown[list(self.errors)] = True
        return np.ma.array(self.lower, mask=unknown)

    @property
    def exact(self) -> NDArray[np.bool_]:
        """(n,) bool: where the bounds meet (True for errors, whose bounds are 0 and 0)."""
        return np.equal(self.lower, self.upper)

    @property
    def to_move(self) -> Array:
        """(n,): the sides to move: 0 for Alice, white or me, else 1; in Hearts seats, in a game of your own names."""
        return self._column("to_move")

    @property
    def best_moves(self) -> list[tuple[str, ...]]:
        """``Solution.best_moves`` of each position; empty for errors."""
        return [tuple(moves or ()) for moves in self.field("best_moves")]

    @property
    def winner(self) -> NDArray[np.object_]:
        """(n,) object: the winners' names, None where not proven; of games whose solutions have it."""
        return np.array(self._own("winner"), object)

    @property
    def plies(self) -> Masked:
        """(n,) int64: plies to the end, masked where unknown; of games whose solutions have it."""
        plies = self._own("plies")
        return np.ma.array([number or 0 for number in plies], np.int64, mask=[number is None for number in plies])

    def _own(self, name: str) -> Values:
        """Return a field that not every game has; AttributeError if this one has it not."""
        if name not in self._fields():
            raise AttributeError(f"{self._name()} has no {name}")
        return self.field(name)

    @property
    def nodes(self) -> NDArray[np.int64]:
        """(n,) int64: positions searched."""
        return self._column("nodes")

    @property
    def seconds(self) -> NDArray[np.float64]:
        """(n,) float64: wall-clock time of each search."""
        return self._column("seconds")


class SolutionColumns(SolutionList[S]):
    """A sequence of solutions stored as NumPy columns; items are made when accessed.

    Args:
        columns: those of ``_dtypes``, then ``line_start`` and ``line_end``: indices into ``moves``.
        moves: the moves of all lines, one after another.
        errors: the exceptions of bad items, by index.
    """

    _dtypes: ClassVar[Mapping[str, DTypeLike]] = {
        "to_move": np.uint8,
        "lower": np.int16,
        "upper": np.int16,
        "nodes": np.int64,
        "seconds": np.float64,
        "table_bytes": np.int64,
    }
    _moves_dtype: ClassVar[DTypeLike] = np.uint8
    _sides: ClassVar[tuple[str, ...]]  #: the sides by their number in the column ``to_move``
    _more: ClassVar[tuple[str, ...]] = ()  #: what the items hold besides the fields of all games

    def __init__(self, columns: Columns, moves: Array, errors: Mapping[int, Exception]) -> None:
        self._columns, self._moves, self.errors = columns, moves, errors
        for column in columns.values():  # they are the answers, and are handed out
            column.flags.writeable = False

    def _column(self, name: str) -> Array:
        return self._columns[name]

    def _plain(self, name: str) -> Column:
        if name in ("value", "exact"):
            return self._known(self.lower) if name == "value" else self.exact
        if name == "to_move":
            return words_at(self._sides, self.to_move)
        if name == "line":
            return [line if isinstance(line, str) else list(line) for line in self._lines()]
        if name in ("best_moves", "best_move"):
            best = self._best(self._lines())
            return list(map(list, best)) if name == "best_moves" else [moves[0] if moves else None for moves in best]
        if name == "best_so_far":  # batches have none
            return [None] * len(self)
        return self._columns[name] if name in self._columns else super()._plain(name)

    def _known(self, values: Array) -> Column:
        """Return values, in a list with None where only bounds are known."""
        unknown = ~self.exact
        return np.where(unknown, np.array(None), values).tolist() if unknown.any() else values

    def _ranges(self) -> Iterator[tuple[int, int]]:
        """Yield the start and the end of each line in the moves."""
        return zip(*(self._columns[name].tolist() for name in _LINES), strict=True)

    def _lines(self) -> Values:
        """Return the lines of play."""
        raise NotImplementedError

    def _best(self, lines: Values) -> Values:
        """Return the best moves of each position, from its line."""
        return [line[:1] for line in lines]

    @classmethod
    def _zeros(cls, count: int) -> Columns:
        """Return columns for a kernel to fill, the last of which is ``line_end``."""
        return {name: np.zeros(count, kind) for name, kind in (*cls._dtypes.items(), ("line_end", np.int64))}

    @classmethod
    def _of(cls, parts: Sequence[Part]) -> Self:
        """Join parts whose results are (columns, moves); the column ``line_end`` has the ends of lines."""
        tables: list[Solved] = [part.result for part in parts] or [(cls._zeros(0), np.empty(0, cls._moves_dtype))]
        columns = {name: _joined([table[name] for table, _ in tables]) for name in cls._dtypes}
        errors, begun = dict[int, Exception](), 0
        for part in parts:
            errors |= {begun + index: error for index, error in part.errors.items()}
            begun += part.size
        if errors:
            columns = {name: column.copy() for name, column in columns.items()}
            for column in columns.values():
                column[list(errors)] = 0
        before = itertools.accumulate((len(moves) for _, moves in tables), initial=0)
        ends = _joined([table["line_end"] + start for (table, _), start in zip(tables, before, strict=False)])
        columns |= {"line_start": np.concatenate(([0], ends[:-1]))[: len(ends)], "line_end": ends}
        return cls(columns, _joined([moves for _, moves in tables]), errors)

    def __len__(self) -> int:
        return len(self._columns["line_end"])

    def _slice(self, part: slice) -> Self:
        columns, moves = {name: column[part] for name, column in self._columns.items()}, self._moves
        if len(columns["line_end"]):  # leave out the lines of other items
            first = columns["line_start"].min()
            moves = moves[first : columns["line_end"].max()]
            columns |= {name: columns[name] - first for name in _LINES}
        indices = enumerate(range(len(self))[part]) if self.errors else ()
        return type(self)(columns, moves, {new: self.errors[old] for new, old in indices if old in self.errors})

    def __iter__(self) -> Iterator[S]:
        names, kind = (*_STORED, *self._more), self._kind()
        for begin in range(0, len(self), _BLOCK):
            block = self._slice(slice(begin, begin + _BLOCK))
            lines, errors = block._lines(), block.errors
            values = {name: block._listed(block._plain(name)) for name in names}
            values |= {"line": lines, "best_moves": block._best(lines)}
            for index, row in enumerate(zip(*values.values(), strict=True)):
                item: Any = errors.get(index)
                if item is None:
                    item = object.__new__(kind)
                    vars(item).update(zip(values, row, strict=True))
                yield item


def words_at(words: Sequence[T], numbers: Array) -> list[T]:
    """Return the words that numbers stand for."""
    return list(map(words.__getitem__, numbers.tolist()))


def _joined(arrays: list[Array]) -> Array:
    return np.concatenate(arrays) if len(arrays) > 1 else arrays[0]


def checked_columns(values: Mapping[str, object], dtypes: Sequence[Whole]) -> Columns:
    """Return columns of positions, by name, as arrays of one length; a number is repeated as a column.

    Raises:
        OptionError: other lengths or dimensions, values that do not fit the dtype.
    """
    arrays = {name: _column(name, part, dtype) for (name, part), dtype in zip(values.items(), dtypes, strict=True)}
    length = max((len(array) for array in arrays.values() if array.ndim), default=1)
    for name, array in arrays.items():
        if not array.ndim:
            arrays[name] = np.full(length, array)
        elif len(array) != length:
            raise OptionError(f"{name} has {len(array)} items where another column has {length}")
    return arrays


def _column(name: str, values: object, dtype: Whole) -> Array:
    """Return integers as an array of a dtype, if they fit."""
    # Lists go through object arrays: NumPy turns a mixture of int64 and uint64 values into floats.
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if np.ma.is_masked(array):
        raise OptionError(f"{name} has masked values")
    flags = (bool, np.bool_) if dtype is np.uint8 else ()  # whose turn it is; no hands, nor cards
    whole = array.dtype.kind in ("iub" if flags else "iu") or all(
        is_integer(value) or isinstance(value, flags) for value in array.ravel()
    )
    limits = np.iinfo(dtype)
    span = range(limits.min, limits.max + 1)
    if array.ndim > 1 or not whole or (array.size and not (int(array.min()) in span and int(array.max()) in span)):
        raise OptionError(f"{name} must be a row of integers that fit {np.dtype(dtype)}", name)
    return np.asarray(array).astype(dtype)


def for_kernel(columns: Iterable[Array]) -> Payload:
    """Return contiguous, aligned columns, as kernels need them.

    Columns from other processes may be unaligned: pickle's out-of-band buffers, which Dask uses, start at any address.
    """
    return tuple([np.require(column, requirements=("C", "A")) for column in columns])
