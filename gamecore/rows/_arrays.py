"""Many rows in one array, or of one length: solved together."""

from typing import Final

import numpy as np

from gamecore.batch.columns import Columns
from gamecore.batch.stream import Slices
from gamecore.errors import GamecoreError
from gamecore.rows._input import OPTIMAL, Array, Number, Rules, adds_exactly, bound_of, narrow, numbers, sums_of
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._search import Search, Task, outcome

_SAFE: Final = ("i1", "u1", "i2", "u2")  # no totals of these overflow
# Rows longer than these are solved one by one: by folding, or by the kernel for one long row.
_LANES_OPTIMAL: Final = 200
_LANES_OTHER: Final = 2000
_BLOCK: Final = 1 << 18  # values converted at a time, so that a block stays in the caches


def array_source(rows: Array, keep_errors: bool) -> Slices:
    """A batch's source over the rows of a 2-D array of numbers, perhaps masked: chunks are slices."""
    mask = np.ma.getmaskarray(rows) if isinstance(rows, np.ma.MaskedArray) else None
    safe = rows.dtype.str[1:] in _SAFE and rows.shape[1] < 1 << 16
    table = np.asarray(rows)

    def pack(places: range) -> tuple[Array, dict[int, Exception]]:
        chosen = slice(places.start, places.stop)
        part = table[chosen]
        errors = {} if safe else row_errors(part)
        for place, masked in enumerate(() if mask is None else mask[chosen]):
            if masked.any():
                errors[place] = GamecoreError(f"values[{int(masked.argmax())}] is masked")
        if errors:
            part = part.copy()
            part[list(errors)] = 0
        return part, errors

    return Slices(len(rows), pack, keep_errors)


def row_errors(rows: Array) -> dict[int, Exception]:
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


def solve_array(rules: Rules, rows: Array) -> tuple[Columns, None]:
    """The task for arrays: rows without errors in, columns out."""
    search = Search(None, rows.size)
    mine, theirs = same_length(numbers(rows, "rows", 2), rules, search)
    return columns_of(mine, theirs, rules, search), None


def columns_of(mine: Array, theirs: Array, rules: Rules, search: Search) -> Columns:
    """Columns of rows that were solved together, by one set of rules and without moves."""
    return {
        "mine": mine,
        "theirs": theirs,
        "opponent": np.array(rules.mode, np.uint8),
        "opponent_first": np.array(rules.opponent_first),
        "best": np.array(0, np.uint8),
        "nodes": np.array(search.nodes // max(len(mine), 1)),
        "seconds": np.array(search.seconds() / max(len(mine), 1)),
    }


def same_length(rows: Array, rules: Rules, search: Search) -> tuple[Array, Array]:
    """Both totals of rows of one length, as :func:`numbers` makes them; none overflows."""
    count, n = rows.shape
    wide = np.float64 if rows.dtype.kind == "f" else np.int64
    mine, theirs = np.empty(count, dtype=wide), np.empty(count, dtype=wide)
    if not n:
        mine[:] = theirs[:] = 0
        return mine, theirs
    bound = _batch_bound(rows)
    if n > (_LANES_OPTIMAL if rules.mode == OPTIMAL else _LANES_OTHER) or not adds_exactly(rows, bound):
        for k, row in enumerate(rows):
            result = outcome(Task(row, *sums_of(row), rules))
            mine[k], theirs[k] = result.mine, result.theirs
        return mine, theirs
    step = max(1, _BLOCK // n)
    for start in range(0, count, step):
        block = rows[start : start + step]
        cards = np.ascontiguousarray(narrow(block[:, ::-1] if rules.turned else block, bound))
        got, total = np.empty(len(cards), cards.dtype), np.empty(len(cards), cards.dtype)
        search.run(_kernel.batch, rules.mode, cards, rules.opponent_first, got, total)
        mine[start : start + step] = got
        np.subtract(total, got, out=theirs[start : start + step], dtype=wide)
    return mine, theirs


def _batch_bound(rows: Array) -> Number:
    """A bound of every row's sum of absolute values: n times the largest, or exactly where that says too much."""
    if rows.dtype.kind != "f":
        crude: int = rows.shape[1] * max(abs(int(rows.max())), abs(int(rows.min())))
        if crude < 1 << 31:
            return crude
    return max(map(bound_of, rows))
