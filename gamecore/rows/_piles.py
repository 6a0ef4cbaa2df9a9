"""Several rows in one game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gamecore.errors import GamecoreError
from gamecore.rows._input import Array, check_bound, mixed, numbers, widest
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._results import Outcome


@dataclass(frozen=True, slots=True)
class PilesSolution(Outcome):
    """The solution of a game on several rows; both sides maximise.

    Attributes:
        mine, theirs: totals; I go first.
    """


def solve_piles(
    *, double_ended: Iterable[npt.ArrayLike] = (), single_ended: Iterable[npt.ArrayLike] = ()
) -> PilesSolution:
    """Solve a game on several rows: a turn takes a value from an open end of any row; both sides maximise, I go first.

    The algorithm takes O(n log n) time. It folds every row. At the closed end of single-ended rows it removes pairs
    that rise towards that end; they are taken last. The remaining values are taken in descending order. Floats are
    computed exactly, as Python integers, and each total is rounded once.

    Args:
        double_ended: rows open at both ends.
        single_ended: rows of which only the first value can be taken (piles, top first).

    Raises:
        GamecoreError: a bad row (empty rows are allowed), integers mixed with floats, no value at all, totals beyond
            int64.
    """
    doubles, singles = _piles(double_ended, "double_ended"), _piles(single_ended, "single_ended")
    named = [(name, row) for name, row in (doubles | singles).items() if len(row)]
    if not named:
        raise GamecoreError("double_ended, single_ended: there is no value")
    first = {row.dtype.kind: (f"{name}[0]", row[0]) for name, row in reversed(named)}
    if len(first) == 2:
        raise mixed(*first["i"], *first["f"])
    scale = 0  # 0 for integers
    if "f" in first:
        scale = max(value.as_integer_ratio()[1] for _, row in named for value in row.tolist())
        doubles, singles = ({name: _scaled(row, scale) for name, row in rows.items()} for rows in (doubles, singles))
    else:
        check_bound(sum(_kernel.sums(row)[0] for _, row in named), "double_ended, single_ended")
    total = sum(int(row.sum()) for row in (*doubles.values(), *singles.values()))
    difference = _difference([*doubles.values()], [*singles.values()])
    if not scale:
        return PilesSolution((total + difference) // 2, (total - difference) // 2)
    try:
        return PilesSolution((total + difference) / (2 * scale), (total - difference) / (2 * scale))
    except OverflowError:
        raise GamecoreError("double_ended, single_ended: totals overflow float64") from None


def _piles(rows: object, name: str) -> dict[str, Array]:
    """Return rows by their names for error messages."""
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise GamecoreError(f"{name}: a list of rows is meant")
    found = {}
    for k, row in enumerate(rows):
        is_empty = isinstance(row, Sequence) and not len(row)
        found[f"{name}[{k}]"] = np.empty(0, np.int64) if is_empty else widest(numbers(row, f"{name}[{k}]"))
    return found


def _scaled(row: Array, scale: int) -> Array:
    """Convert floats to Python integers, as multiples of 1 / ``scale``."""
    ratios = [value.as_integer_ratio() for value in row.tolist()]
    return np.array([numerator * (scale // denominator) for numerator, denominator in ratios], dtype=object)


def _difference(doubles: list[Array], singles: list[Array]) -> int:
    """Return the difference of both totals for the first player."""
    sign = 1 if sum(map(len, doubles + singles)) % 2 else -1
    difference = 0
    open_values = [_folded(row) for row in doubles]
    for row in singles:
        values = _folded(row)
        height = len(values)
        while height >= 2 and values[height - 1] >= values[height - 2]:  # rises towards the closed end: taken last
            difference += sign * int(values[height - 1] - values[height - 2])
            height -= 2
        open_values.append(values[:height])
    best = np.sort(np.concatenate(open_values))[::-1]
    return difference + int(best[::2].sum()) - int(best[1::2].sum())


def _folded(row: Array) -> Array:
    if not len(row):
        return row
    if row.dtype != object:
        out = np.empty_like(row)
        return out[: _kernel.folded(row, out)]
    stack: list[int] = []
    for value in row:
        while len(stack) >= 2 and stack[-2] <= stack[-1] >= value:
            value += stack[-2] - stack[-1]
            del stack[-2:]
        stack.append(value)
    return np.array(stack, dtype=object)
