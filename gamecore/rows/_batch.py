"""Many rows, one game each: over threads, or any ``concurrent.futures.Executor``."""

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Self, overload

import numpy as np
import numpy.typing as npt

from gamecore.batch.columns import Columns, SolutionColumns
from gamecore.batch.plan import Plan, Shares
from gamecore.batch.spec import Batch
from gamecore.batch.stream import Items, Numbered, Part, Parts, stream
from gamecore.errors import GamecoreError
from gamecore.limits import Limits
from gamecore.rows._arrays import array_source, columns_of, row_errors, same_length, solve_array
from gamecore.rows._input import (
    ME,
    NAMES,
    OPPONENT,
    OPTIMAL,
    Array,
    First,
    Opponent,
    Rules,
    Ties,
    numbers,
    rules_of,
    sums_of,
)
from gamecore.rows._position import Position
from gamecore.rows._results import Solution
from gamecore.rows._search import Search, Task, task_of
from gamecore.rows._solve import solve_task

_BYTES: Final = 1 << 25, 1 << 23  # of a chunk of an array: in threads, and where an executor has to carry it
_FIRST: Final = 4096  # rows of an array in the first chunks: decks take 50 ns
_MANY: Final = 4096  # solutions made at a time while iterating
_BEST: Final = ((), ("L",), ("R",), ("L", "R"), ("R", "L"))  # by their code in the columns


class Solutions(SolutionColumns[Solution]):
    """The answers of ``solve_many``: a sequence of :class:`Solution` that holds columns.

    Without ``line``, its solutions have totals and no moves. The columns hold zeros in the places of errors. Where a
    limit left only bounds, totals are unknown: None in a solution, masked in the columns, which are masked arrays then.
    """

    __slots__ = ("_lines",)

    # A column that is one number for all rows is an array of no dimensions: "opponent" (a mode), "opponent_first",
    # "best" (place in _BEST), "nodes", "seconds".  Always whole: "mine", "theirs", and "lower" and "upper" where they
    # are kept.
    _lines: list[str] | None

    def __init__(self, columns: Columns, lines: list[str] | None, errors: Mapping[int, Exception]) -> None:
        super().__init__(columns, np.empty(0, np.uint8), errors)
        self._lines = lines

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Self:
        """Those of parts whose results are (columns, lines)."""
        columns: Columns = {}
        lines: list[str] | None = None
        errors: dict[int, Exception] = {}
        at = 0
        for part in parts:
            errors.update((at + place, error) for place, error in part.errors.items())
            at += part.count
            if part.result[1] is not None:
                lines = (lines or []) + part.result[1]
        counts = [part.count for part in parts]
        for name in parts[0].result[0] if parts else _one_by_one([])[0]:
            columns[name] = _joined(name, [part.result[0][name] for part in parts], counts)
        for place in errors:
            for name in columns.keys() & {"mine", "theirs", "lower", "upper"}:
                columns[name][place] = 0
        return cls(columns, lines, errors)

    def __len__(self) -> int:
        return len(self._columns["mine"])

    @overload
    def __getitem__(self, index: int) -> Solution: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Solution | Self:
        if isinstance(index, slice):
            chosen = range(len(self))[index]
            bad = enumerate(chosen) if self.errors else ()
            errors = {place: self.errors[at] for place, at in bad if at in self.errors}
            columns = {name: column[index] if column.ndim else column for name, column in self._columns.items()}
            return type(self)(columns, None if self._lines is None else self._lines[index], errors)
        at = range(len(self))[index]
        return next(self._made(at, at + 1))

    def __iter__(self) -> Iterator[Solution]:
        for start in range(0, len(self), _MANY):
            yield from self._made(start, min(start + _MANY, len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._columns, self._lines, self.errors)

    def _made(self, start: int, end: int) -> Iterator[Solution]:
        """The solutions from ``start`` to before ``end``, errors among them."""
        part = {name: self._whole(name)[start:end].tolist() for name in self._columns}
        lower, upper = self.lower[start:end].tolist(), self.upper[start:end].tolist()
        lines = itertools.repeat("") if self._lines is None else self._lines[start:end]
        names = ("opponent", "opponent_first", "best", "nodes", "seconds", "mine", "theirs")
        columns = [part[name] for name in names]
        for at, (mode, later, best, nodes, seconds, mine, theirs, low, high, line) in enumerate(
            zip(*columns, lower, upper, lines, strict=False), start
        ):
            if at in self.errors:
                yield self.errors[at]  # type: ignore[misc]
                continue
            yield Solution._made(
                lower=low,
                upper=high,
                to_move=OPPONENT if later else ME,
                best_moves=_BEST[best],
                best_so_far=None,
                line=line,
                nodes=nodes,
                seconds=seconds,
                table_bytes=0,
                mine=mine if low == high else None,
                theirs=theirs if low == high else None,
                opponent=NAMES[mode],
            )

    def _whole(self, name: str) -> Array:
        """A column, one number a row."""
        return np.broadcast_to(self._columns[name], (len(self),))

    @property
    def mine(self) -> Array:
        """(n,) int64 or float64: my totals; masked where only bounds are known."""
        return self._totals("mine")

    @property
    def theirs(self) -> Array:
        """(n,) int64 or float64: the opponents' totals; masked where only bounds are known."""
        return self._totals("theirs")

    def _totals(self, name: str) -> Array:
        column = self._columns[name]
        if "lower" in self._columns:
            unknown = self.lower < self.upper
            if unknown.any():
                column = np.ma.masked_array(column, unknown)
        return column

    @property
    def difference(self) -> Array:
        """(n,) int64 or float64: ``mine - theirs``, whoever is to move; masked where only bounds are known."""
        result: Array = self.mine - self.theirs
        return result

    def _column(self, name: str) -> Array:
        if name in ("lower", "upper") and name not in self._columns:
            return np.where(self._columns["opponent_first"], self.theirs - self.mine, self.difference)
        return self._whole(name)


def _joined(name: str, columns: list[Array], counts: list[int]) -> Array:
    """A column of several parts: one number as long as it is the same in all, and the mean of their times."""
    if columns and not any(column.ndim for column in columns):
        if name == "seconds":
            return np.array(np.average([column.item() for column in columns], weights=counts))
        if len({column.item() for column in columns}) == 1:
            return columns[0]
    if not columns:
        return np.empty(0, np.int64)
    return np.concatenate([np.broadcast_to(column, (count,)) for column, count in zip(columns, counts, strict=True)])


class _Batch(Batch[Solutions]):
    """Batches of rows: arrays, rows of any length, positions."""

    make = Solutions.of

    def parts(
        self,
        positions: "npt.ArrayLike | Iterable[Any]",
        limits: Limits | None,
        plan: Plan,
        total: int | None = None,
        *,
        opponent: Opponent | None = None,
        first: First | None = None,
        ties: Ties | None = None,
        line: bool = False,
    ) -> Parts:
        """See :meth:`gamecore.batch.spec.Batch.parts`; ``opponent, first, ties``: of bare rows, as for ``solve``.

        With limits and with ``line``, rows are solved one by one.
        """
        names = opponent, first, ties
        rules = rules_of(opponent or "optimal", first or ME, ties or "right")
        shares = Shares.of(limits, plan)
        alone = line or shares is not None
        if isinstance(positions, np.ndarray) and positions.dtype != object:
            if positions.ndim != 2 or not positions.size or positions.dtype.kind not in "iuf":
                numbers(positions, "rows", 2)  # says what is wrong
            if not alone:
                most = max(1, _BYTES[plan.executor is not None] // (positions.shape[1] * positions.itemsize))
                few = min(most, max(1, _FIRST * 52 // positions.shape[1]))
                source = array_source(positions, plan.keeps_errors)
                return stream(functools.partial(solve_array, rules), source, plan, name="rows", first=few, most=most)
        if isinstance(positions, (str, bytes, Position)) or not isinstance(positions, Iterable):
            raise GamecoreError("rows: a 2-D array or a sequence of rows is meant")
        items = Items(positions, _Packer(names, rules).pack, _chained, plan.keeps_errors, "rows", total)
        if shares is not None:
            task = functools.partial(_solve_shared, shares, line)
            return stream(task, items, plan, name="rows", numbered=True)
        return stream(_solve_alone if line else solve_ragged, items, plan, name="rows", first=64)


BATCH: Final = _Batch()
solve_many, solve_iter = BATCH.solve_many, BATCH.solve_iter


# --- rows of any length ----------------------------------------------------------------------------------------------

_NOTHING: Final = Task(np.zeros(1, np.int16), 0, 0, Rules(OPTIMAL, False, False))  # in the place of a bad row


class _Packer:
    """Makes tasks of positions, texts and rows, all of the kind of numbers that the first one has.

    Args:
        names: the options of the call, for bare rows. rules: what they mean.
    """

    def __init__(self, names: tuple[Any, Any, Any], rules: Rules) -> None:
        self._names, self._rules = names, rules
        self._kind = ""
        self._packed = 0
        self._first = 0

    def pack(self, items: list[Any]) -> tuple[tuple[list[Task]], dict[int, Exception]]:
        """The tasks, and by place what is wrong with bad items."""
        begun = self._packed
        self._packed += len(items)
        errors: dict[int, Exception] = {}
        tasks = [] if self._kind == "f" else _alike(items, self._rules)
        if tasks and not self._kind:
            self._kind, self._first = "i", begun
        for place, item in enumerate(() if tasks else items):
            try:
                task = self._task(item, begun + place)
            except GamecoreError as error:
                errors[place] = error
                task = _NOTHING
            tasks.append(task)
        return (tasks,), errors

    def _task(self, item: Any, index: int) -> Task:
        if isinstance(item, GamecoreError):
            raise item
        if isinstance(item, (str, Position)):
            task = task_of(item, *self._names)
        else:
            row = numbers(item)
            task = Task(row, *sums_of(row), self._rules)
        kind = task.row.dtype.kind
        if not self._kind:
            self._kind, self._first = kind, index
        if kind != self._kind:
            names = {"i": "integers", "f": "floats"}
            raise GamecoreError(
                f"a row of {names[kind]}, where rows[{self._first}] has {names[self._kind]}: a batch has one kind"
            )
        return task


def _alike(items: list[Any], rules: Rules) -> list[Task]:
    """Rows that are lists of as many integers each, converted in one go: several times as fast as one by one."""
    if not set(map(type, items)) <= {list, tuple} or len(set(map(len, items))) != 1 or not len(items[0]):
        return []
    if set(map(type, itertools.chain.from_iterable(items))) != {int}:
        return []
    try:
        table = np.array(items, np.int64)
    except OverflowError:
        return []
    return [] if row_errors(table) else [Task(row, 0, 0, rules) for row in table]


def _chained(parts: list[list[Task]]) -> list[Task]:
    return list(itertools.chain.from_iterable(parts))


def solve_ragged(payload: tuple[list[Task]]) -> tuple[Columns, None]:
    """The task for totals of rows of any length: those of one length and kind are solved together."""
    tasks = payload[0]
    rules = {task.rules for task in tasks}
    search = Search(None, sum(len(task.row) for task in tasks))
    groups: dict[tuple[int, Rules], list[int]] = {}
    for k, task in enumerate(tasks):
        groups.setdefault((len(task.row), task.rules), []).append(k)
    wide = np.float64 if any(task.row.dtype.kind == "f" for task in tasks) else np.int64
    mine, theirs, nodes = np.empty(len(tasks), wide), np.empty(len(tasks), wide), np.empty(len(tasks), np.int64)
    for (_, game), members in groups.items():
        before = search.nodes
        found = same_length(np.stack([tasks[k].row for k in members]), game, search)
        mine[members], theirs[members] = found
        nodes[members] = (search.nodes - before) // len(members)
    for k, task in enumerate(tasks):
        if task.mine or task.theirs:
            mine[k], theirs[k] = mine[k] + task.mine, theirs[k] + task.theirs
    columns = columns_of(mine, theirs, tasks[0].rules, search) | {"nodes": nodes}
    if len(rules) > 1:
        columns["opponent"] = np.array([task.rules.mode for task in tasks], np.uint8)
        columns["opponent_first"] = np.array([task.rules.opponent_first for task in tasks])
    return columns, None


def _solve_alone(payload: tuple[list[Task]]) -> tuple[Columns, list[str]]:
    """The task for rows that are solved one by one, with moves."""
    return _one_by_one([_solve_summed(task, None, True) for task in payload[0]])


def _solve_shared(shares: Shares, line: bool, given: Numbered) -> tuple[Columns, list[str]]:
    """The same where searches may be cut short."""
    turns = shares.in_turn(given.rest)
    return _one_by_one([_solve_summed(task, next(turns), line) for task in given.payload[0]])


def _solve_summed(task: Task, limits: Limits | None, line: bool) -> Solution:
    bound, total = sums_of(task.row) if len(task.row) else (0, 0)
    return solve_task(task._replace(bound=bound, total=total), limits, line)


def _one_by_one(solutions: list[Solution]) -> tuple[Columns, list[str]]:
    wide = np.float64 if any(isinstance(solution.lower, float) for solution in solutions) else np.int64
    columns: Columns = {
        "mine": np.array([solution.mine or 0 for solution in solutions], wide),
        "theirs": np.array([solution.theirs or 0 for solution in solutions], wide),
        "lower": np.array([solution.lower for solution in solutions], wide),
        "upper": np.array([solution.upper for solution in solutions], wide),
        "opponent": np.array([NAMES.index(solution.opponent) for solution in solutions], np.uint8),
        "opponent_first": np.array([solution.to_move == OPPONENT for solution in solutions], np.bool_),
        "best": np.array([_BEST.index(solution.best_moves) for solution in solutions], np.uint8),
        "nodes": np.array([solution.nodes for solution in solutions], np.int64),
        "seconds": np.array([solution.seconds for solution in solutions], np.float64),
    }
    return columns, [solution.line for solution in solutions]
