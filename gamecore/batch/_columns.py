"""The answers of a batch as columns: :class:`Answers`, of which every game's ``solve_many`` returns a kind."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from gamecore.batch import Chunk, Part
from gamecore.text import printable
from gamecore.errors import GamecoreError, OptionError

P = TypeVar("P")
S = TypeVar("S")

_BLOCK: Final = 4096  # answers made at a time while iterating

Columns = dict[str, NDArray[Any]]


class Answers(Sequence[S], Generic[S]):
    """A sequence of answers that holds NumPy columns and makes an answer's object when it is looked at.

    Equal to any sequence of equal answers; slices are of the same kind. An answer may be an exception, when errors
    were asked for.

    Attributes:
        errors: by index, what was wrong with bad items; their places in the columns hold zeros.
    """

    __slots__ = ("_columns", "_moves", "errors")

    _dtypes: ClassVar[dict[str, Any]]  #: of the columns, in the order in which ``_make`` takes them
    _moves_dtype: ClassVar[Any]  #: of the moves of all lines, one after another

    errors: Mapping[int, Exception]

    def __init__(self, columns: Columns, moves: NDArray[Any], errors: Mapping[int, Exception]) -> None:
        """For :meth:`of` and slices."""
        self._columns = columns
        self._moves = moves
        self.errors = errors

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Self:
        """Those of parts whose results are (columns, moves), with the ends of lines in the column ``line_end``."""
        columns = {name: np.empty(sum(part.count for part in parts), dtype) for name, dtype in cls._dtypes.items()}
        moves, at, before = [], 0, 0
        errors: dict[int, Exception] = {}
        for part in parts:
            found, played = part.result
            end = at + part.count
            starts = np.concatenate(([0], found["line_end"][:-1])) if part.count else found["line_end"]
            for name, column in columns.items():
                column[at:end] = starts + before if name == "line_start" else found[name]
            columns["line_end"][at:end] += before
            for place, error in part.errors.items():
                errors[at + place] = error
                for name, column in columns.items():
                    if name not in ("line_start", "line_end"):
                        column[at + place] = 0
            moves.append(played)
            before += len(played)
            at = end
        return cls(columns, np.concatenate(moves) if moves else np.empty(0, cls._moves_dtype), errors)

    def _make(self, row: Any, moves: list[int]) -> S:
        """The answer of one row of the columns, whose last two items are the line's place, and its moves."""
        raise NotImplementedError

    def __len__(self) -> int:
        """How many answers."""
        return len(self._columns["line_end"])

    @overload
    def __getitem__(self, index: int) -> S: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> S | Self:
        """One answer (or its exception), or a slice."""
        if isinstance(index, slice):
            chosen = range(len(self))[index]
            bad = enumerate(chosen) if self.errors else ()
            errors = {place: self.errors[at] for place, at in bad if at in self.errors}
            return type(self)({name: column[index] for name, column in self._columns.items()}, self._moves, errors)
        at = range(len(self))[index]
        if at in self.errors:
            return self.errors[at]  # type: ignore[return-value]
        row = [column[at].item() for column in self._columns.values()]
        return self._make(row, self._moves[row[-2] : row[-1]].tolist())

    def __iter__(self) -> Iterator[S]:
        """The answers in order, exceptions among them."""
        make, errors = self._make, self.errors
        for start in range(0, len(self), _BLOCK):
            columns = [column[start : start + _BLOCK] for column in self._columns.values()]
            first = columns[-2].min()
            moves = self._moves[first : columns[-1].max()].tolist()
            places = zip((columns[-2] - first).tolist(), (columns[-1] - first).tolist(), strict=True)
            rows = zip(*(column.tolist() for column in columns), strict=True)
            for at, (row, (begin, end)) in enumerate(zip(rows, places, strict=True), start):
                if errors and at in errors:
                    yield errors[at]  # type: ignore[misc]
                else:
                    yield make(row, moves[begin:end])

    def __eq__(self, other: object) -> bool:
        """Whether the other is a sequence of equal answers; exceptions of one kind that say the same are equal."""
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return len(self) == len(other) and all(_alike(one, two) for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """How many there are."""
        errors = f", {len(self.errors)} of them errors" if self.errors else ""
        game = type(self).__module__.removeprefix("gamecore._").removesuffix("_batch")
        return f"<{game}.{type(self).__name__}: {len(self)} answers{errors}>"

    @property
    def lower(self) -> NDArray[np.int16]:
        """(n,) int16: proven lower bounds of the values, as in the game's ``Solution``."""
        return self._columns["lower"]

    @property
    def upper(self) -> NDArray[np.int16]:
        """(n,) int16: proven upper bounds."""
        return self._columns["upper"]

    @property
    def exact(self) -> NDArray[np.bool_]:
        """(n,) bool: where the bounds meet (True for errors, whose bounds are 0 and 0)."""
        met: NDArray[np.bool_] = self.lower == self.upper
        return met

    @property
    def nodes(self) -> NDArray[np.int64]:
        """(n,) int64: positions searched."""
        return self._columns["nodes"]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """(n,) float64: wall-clock time of each search."""
        return self._columns["seconds"]


def _alike(one: object, other: object) -> bool:
    if isinstance(one, Exception) and isinstance(other, Exception):
        return type(one) is type(other) and str(one) == str(other)
    return one == other


class Columnar(Sequence[S], Generic[S]):
    """Items that are columns already: a sequence that makes an item's object when it is looked at.

    Args:
        columns: 1-D arrays of one length, of the dtypes of the class.

    Raises:
        OptionError: other lengths or dimensions, values that do not fit the dtype.
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Mapping[str, Any], dtypes: Mapping[str, Any]) -> None:
        """Convert and keep the columns; a number stands for a column of it."""
        arrays = {name: _column(name, values, dtypes[name]) for name, values in columns.items()}
        length = max((len(array) for array in arrays.values() if array.ndim), default=1)
        for name, array in arrays.items():
            if array.ndim and len(array) != length:
                raise OptionError(f"{name} has {len(array)} items where another column has {length}")
        self._columns = {
            name: array if array.ndim else np.full(length, array, array.dtype) for name, array in arrays.items()
        }

    def __len__(self) -> int:
        """How many items."""
        return len(next(iter(self._columns.values())))

    def _part(self, start: int, end: int) -> tuple[NDArray[Any], ...]:
        return tuple(column[start:end] for column in self._columns.values())

    def _take(self, index: slice) -> Self:
        part = object.__new__(type(self))
        part._columns = {name: column[index] for name, column in self._columns.items()}
        return part


def _column(name: str, values: Any, dtype: Any) -> NDArray[Any]:
    # Lists go through object arrays: NumPy makes floats of ints that only int64 and uint64 together would hold.
    given = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    limits = np.iinfo(dtype)
    whole = given.dtype.kind in "iub" or (
        given.dtype == object and all(isinstance(value, (int, np.integer, np.bool_)) for value in given.ravel())
    )
    if given.ndim > 1 or not whole or (given.size and not limits.min <= given.min() <= given.max() <= limits.max):
        raise OptionError(f"{name} has to be a row of integers that fit {np.dtype(dtype)}")
    array: NDArray[Any] = given.astype(dtype)
    return array


def positions_of(
    items: list[Any], nothing: P, parse: Callable[[str], P], game: str
) -> tuple[list[P], dict[int, Exception]]:
    """Positions of items that are positions or judge's texts; errors (by place) of bad ones, with ``nothing`` there.

    Args:
        items: as they were given; one that is a GamecoreError is a bad one. parse: of the game named ``game``.
    """
    kind = type(nothing)
    errors: dict[int, Exception] = {}
    if set(map(type, items)) == {kind}:
        return items, errors
    found = []
    for place, item in enumerate(items):
        position = nothing
        try:
            if isinstance(item, str):
                position = parse(item)
            elif isinstance(item, kind):
                position = item
            elif isinstance(item, GamecoreError):
                raise item
            else:
                raise OptionError(f"a {game}.Position or a judge's text is meant, not {printable(item)}")
        except GamecoreError as error:
            errors[place] = error
        found.append(position)
    return found, errors


class ColumnSource:
    """A batch's source over columns: chunks are slices.

    Args:
        items: the columns. pack: makes a payload of a slice, with placeholders for bad items, and says what is wrong
            with those (by place). keep_errors: whether bad items are passed on, or end it.
    """

    def __init__(self, items: Columnar[Any], pack: Any, keep_errors: bool) -> None:
        """Look at nothing yet."""
        self.total: int | None = len(items)
        self.failure: Exception | None = None
        self._items, self._pack, self._keep, self._at = items, pack, keep_errors, 0

    def take(self, count: int) -> Chunk | None:
        """The next items."""
        end = min(len(self._items), self._at + count)
        if end == self._at or self.failure is not None:
            return None
        payload, errors = self._pack(*self._items._part(self._at, end))
        if errors and not self._keep:
            first = min(errors)
            self.failure = errors[first]
            end = self._at + first
            if not first:
                return None
            payload, errors = self._pack(*self._items._part(self._at, end))
        taken, self._at = end - self._at, end
        return Chunk(taken, payload, errors)
