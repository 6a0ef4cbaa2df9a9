"""Many rows, one game each: over threads, or any ``concurrent.futures.Executor``."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gamecore import batch
from gamecore.batch import Chunk, OnError, Part, Plan, Progress
from gamecore.errors import GamecoreError
from gamecore.rows._input import (
    MODES,
    SIDES,
    TIES,
    Array,
    Opponent,
    Side,
    Ties,
    bound_of,
    choose,
    numbers,
)
from gamecore.rows._many import RowBatch, same_length
from gamecore.rows._solve import Outcome

_BYTES: Final = 1 << 25, 1 << 23  # of a chunk of an array: in threads, and where an executor has to carry it
_SAFE: Final = ("i1", "u1", "i2", "u2")  # no totals of these overflow
_FIRST: Final = 4096  # rows of an array in the first chunks: decks take 50 ns


def solve_many(
    rows: npt.ArrayLike | Iterable[npt.ArrayLike],
    *,
    opponent: Opponent = "optimal",
    first: Side = "me",
    ties: Ties = "right",
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> RowBatch:
    """Solve many rows, one game each.

    Args:
        rows: a 2-D array, one row a game, or an iterable of rows that may differ in length. Narrow types are fastest:
            int8 or int16 decks are read as they are.
        opponent, first, ties: as for ``value``.
        workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`. Results do not depend on them.

    Raises:
        GamecoreError: no rows at all. OptionError: an unknown name, or a bad option.
        BatchError: an empty or bad row, or totals beyond int64 (the message names the row), an executor that died;
            ``done`` is the RowBatch of the rows before.
    """
    parts = _parts(rows, (opponent, first, ties), Plan(workers, executor, progress, on_error))
    found = batch.gather(parts, _joined)
    if not len(found):
        raise GamecoreError("rows: there is no row")
    return found


def solve_iter(
    rows: npt.ArrayLike | Iterable[npt.ArrayLike],
    *,
    opponent: Opponent = "optimal",
    first: Side = "me",
    ties: Ties = "right",
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    on_error: OnError = "raise",
) -> Iterator[Outcome]:
    """The same as :func:`solve_many`, one by one as they come: of endless input, only a few chunks are held.

    Raises:
        OptionError, BatchError: as for :func:`solve_many`.
    """
    parts = _parts(rows, (opponent, first, ties), Plan(workers, executor, progress, on_error))
    return batch.flattened(parts, lambda part: _joined([part]))


def _parts(rows: Any, names: tuple[object, object, object], plan: Plan) -> batch.Parts:
    game = choose(MODES, "opponent", names[0]), choose(SIDES, "first", names[1]), choose(TIES, "ties", names[2])
    if isinstance(rows, np.ndarray) and rows.dtype != object:
        if rows.ndim != 2 or not rows.size or rows.dtype.kind not in "iuf":
            numbers(rows, "rows", 2)  # says what is wrong
        most = max(1, _BYTES[plan.executor is not None] // (rows.shape[1] * rows.itemsize))
        first = min(most, max(1, _FIRST * 52 // rows.shape[1]))
        task = functools.partial(solve_table, *game)
        return batch.stream(task, _Table(rows, plan.keeps_errors), plan, name="rows", first=first, most=most)
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise GamecoreError("rows: a 2-D array or a sequence of rows is meant")
    source = batch.Items(rows, _pack, _chained, plan.keeps_errors, "rows")
    return batch.stream(functools.partial(solve_ragged, *game), source, plan, name="rows", first=64)


def _joined(parts: Sequence[Part]) -> RowBatch:
    nothing = [np.empty(0, np.int64)]
    mine = np.concatenate([part.result[0] for part in parts] or nothing)
    theirs = np.concatenate([part.result[1] for part in parts] or nothing)
    errors: dict[int, Exception] = {}
    at = 0
    for part in parts:
        errors.update((at + place, error) for place, error in part.errors.items())
        at += part.count
    for place in errors:
        mine[place] = theirs[place] = 0
    return RowBatch(mine, theirs, errors)


# --- arrays ----------------------------------------------------------------------------------------------------------


class _Table:
    """The rows of a 2-D array in chunks."""

    def __init__(self, rows: Array, keep_errors: bool) -> None:
        self.total: int | None = len(rows)
        self.failure: Exception | None = None
        self._rows, self._keep, self._at = rows, keep_errors, 0
        self._safe = rows.dtype.str[1:] in _SAFE and rows.shape[1] < 1 << 16

    def take(self, count: int) -> Chunk | None:
        part = self._rows[self._at : self._at + count]
        if not len(part) or self.failure is not None:
            return None
        errors = {} if self._safe else _table_errors(part)
        if errors and self._keep:
            part = part.copy()
            part[list(errors)] = 0
        elif errors:
            bad = min(errors)
            self.failure = errors[bad]
            part, errors = part[:bad], {}
            if not bad:
                return None
        self._at += len(part)
        return Chunk(len(part), part, errors)


def _table_errors(rows: Array) -> dict[int, Exception]:
    """What is wrong with rows of a table: not finite, or totals that overflow."""
    if rows.dtype.kind != "f":
        crude = rows.shape[1] * max(abs(int(rows.max())), abs(int(rows.min())))
        if crude < 1 << 62:
            return {}
    errors: dict[int, Exception] = {}
    for place, row in enumerate(rows):
        try:
            bound_of(numbers(row))
        except GamecoreError as error:
            errors[place] = error
    return errors


def solve_table(mode: int, last: bool, left: bool, rows: Array) -> tuple[Array, Array]:
    """The task for arrays: rows without errors in, my totals and theirs out."""
    found = same_length(numbers(rows, "rows", 2), mode, last, left)
    return found.mine, found.theirs


# --- rows of any length ----------------------------------------------------------------------------------------------


def _pack(items: list[Any]) -> tuple[tuple[list[Array]], dict[int, Exception]]:
    alike = _alike(items)
    if alike is not None:
        return (alike,), {}
    arrays: list[Array] = []
    errors: dict[int, Exception] = {}
    for place, item in enumerate(items):
        try:
            row = numbers(item)
            bound_of(row)
        except GamecoreError as error:
            errors[place] = error
            row = np.zeros(1, np.int16)
        arrays.append(row)
    return (arrays,), errors


def _alike(items: list[Any]) -> list[Array] | None:
    """Rows that are lists of as many integers each, converted in one go: several times as fast as one by one."""
    if not set(map(type, items)) <= {list, tuple} or len(set(map(len, items))) != 1 or not len(items[0]):
        return None
    try:
        table = np.array(items)
    except (ValueError, TypeError, OverflowError):
        return None
    if table.ndim != 2 or table.dtype.kind != "i" or _table_errors(table):
        return None
    return list(table)


def _chained(parts: list[list[Array]]) -> list[Array]:
    return [array for part in parts for array in part]


def solve_ragged(mode: int, last: bool, left: bool, payload: tuple[list[Array]]) -> tuple[Array, Array]:
    """The task for rows of any length: those of one length and kind are solved together."""
    arrays = payload[0]
    floats = any(array.dtype.kind == "f" for array in arrays)
    mine = np.empty(len(arrays), dtype=np.float64 if floats else np.int64)
    theirs = np.empty_like(mine)
    groups: dict[tuple[int, str], list[int]] = {}
    for k, array in enumerate(arrays):
        groups.setdefault((len(array), array.dtype.kind), []).append(k)
    for members in groups.values():
        part = same_length(np.stack([arrays[k] for k in members]), mode, last, left)
        mine[members], theirs[members] = part.mine, part.theirs
    return mine, theirs
