"""Many rows: independent games in a batch, or several rows that make one game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gamecore.errors import GamecoreError
from gamecore.rows._input import (
    MODES,
    OPTIMAL,
    Array,
    bound_of,
    kernel,
    narrow,
    numbers,
    widest,
)
from gamecore.rows._solve import Outcome, outcome

# Rows longer than these are solved one by one: by folding, or by the kernel for one long row.
_LANES_OPTIMAL: Final = 200
_LANES_OTHER: Final = 2000
_BLOCK: Final = 1 << 18  # values converted at a time, so that a block stays in the caches


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Results of many games, in the order of the rows; by index and one by one, each is an :class:`Outcome`.

    Attributes:
        mine, theirs, difference: arrays of shape (rows,), int64 or float64.
        errors: by index, what was wrong with bad rows, if errors were asked for; their totals are 0.
    """

    mine: Array
    theirs: Array
    errors: Mapping[int, Exception] = field(default_factory=dict, repr=False)

    @property
    def difference(self) -> Array:
        """``mine - theirs``, an array of shape (rows,)."""
        result: Array = self.mine - self.theirs
        return result

    def __len__(self) -> int:
        """How many games."""
        return len(self.mine)

    def __getitem__(self, index: int) -> Outcome:
        """One game's outcome, or its error."""
        at = range(len(self))[index]
        if at in self.errors:
            return self.errors[at]  # type: ignore[return-value]
        return Outcome(self.mine[at].item(), self.theirs[at].item())

    def __iter__(self) -> Iterator[Outcome]:
        """The outcomes in order, errors among them."""
        for at, (mine, theirs) in enumerate(zip(self.mine.tolist(), self.theirs.tolist(), strict=True)):
            yield Outcome(mine, theirs) if at not in self.errors else self.errors[at]  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class PilesSolution(Outcome):
    """A solved game on several rows at once; both sides maximise.

    Attributes:
        mine, theirs: totals; I go first.
    """


def same_length(rows: Array, mode: int, last: bool, left: bool) -> RowBatch:
    """The games of rows of one length, as :func:`numbers` makes them; none overflows."""
    count, n = rows.shape
    wide = np.float64 if rows.dtype.kind == "f" else np.int64
    mine, theirs = np.empty(count, dtype=wide), np.empty(count, dtype=wide)
    turned = left and mode not in (OPTIMAL, MODES["cooperative"])
    bound = _batch_bound(rows)
    if n > (_LANES_OPTIMAL if mode == OPTIMAL else _LANES_OTHER):
        for k in range(count):
            result = outcome(rows[k], bound_of(rows[k], f"rows[{k}]"), mode, last, left)
            mine[k], theirs[k] = result.mine, result.theirs
        return RowBatch(mine, theirs)
    step = max(1, _BLOCK // n)
    for start in range(0, count, step):
        block = rows[start : start + step]
        cards = narrow(block[:, ::-1] if turned else block, bound)
        cards = np.ascontiguousarray(cards)
        got, total = np.empty(len(cards), cards.dtype), np.empty(len(cards), cards.dtype)
        kernel.batch(mode, cards, last, got, total)
        mine[start : start + step] = got
        np.subtract(total, got, out=theirs[start : start + step], dtype=wide)
    return RowBatch(mine, theirs)


def _batch_bound(rows: Array) -> int | float:
    """A bound of every row's sum of absolute values: n times the largest, or exactly where that says too much."""
    n = rows.shape[1]
    if rows.dtype.kind != "f":
        crude: int = n * max(abs(int(rows.max())), abs(int(rows.min())))
        if crude < 1 << 31:
            return crude
    return max(bound_of(row, f"rows[{k}]") for k, row in enumerate(rows))


def solve_piles(
    *, double_ended: Iterable[npt.ArrayLike] = (), single_ended: Iterable[npt.ArrayLike] = ()
) -> PilesSolution:
    """Several rows in one game: a turn takes one value from an open end of any row; both sides maximise, I go first.

    Fold every row; at the closed end of a single-ended one, peel off pairs that rise towards it (taken last, in order);
    what remains is taken from the largest down. O(n log n).

    Args:
        double_ended: rows open at both ends.
        single_ended: rows of which only the first value can be taken (piles, top first).

    Raises:
        GamecoreError: a bad row (an empty one is allowed here), no value at all, totals beyond int64.
    """
    doubles = [_pile(row, f"double_ended[{k}]") for k, row in enumerate(_listed(double_ended, "double_ended"))]
    singles = [_pile(row, f"single_ended[{k}]") for k, row in enumerate(_listed(single_ended, "single_ended"))]
    piles = [row for row in doubles + singles if len(row)]
    if not piles:
        raise GamecoreError("double_ended, single_ended: there is no value")
    wide = np.float64 if any(row.dtype.kind == "f" for row in piles) else np.int64
    everything = np.concatenate([row.astype(wide, copy=False) for row in piles])
    bound_of(everything, "double_ended, single_ended")
    total: Any = everything.sum().item()
    sign = 1 if len(everything) % 2 else -1
    difference: Any = 0
    open_values = []
    for row in doubles:
        open_values.append(_folded(row.astype(wide, copy=False)))
    for row in singles:
        values = _folded(row.astype(wide, copy=False))
        height, peeled = _peel(values, sign)
        difference += peeled
        open_values.append(values[:height])
    best = np.sort(np.concatenate(open_values))[::-1]
    difference += best[::2].sum().item() - best[1::2].sum().item()
    if wide is np.int64:
        return PilesSolution((total + difference) // 2, (total - difference) // 2)
    return PilesSolution((total + difference) / 2, (total - difference) / 2)


def _listed(rows: object, name: str) -> list[Any]:
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise GamecoreError(f"{name}: a list of rows is meant")
    return list(rows)


def _pile(row: npt.ArrayLike, name: str) -> Array:
    if isinstance(row, Sequence) and not len(row):
        return np.empty(0, dtype=np.int64)
    return widest(numbers(row, name))


def _folded(row: Array) -> Array:
    if not len(row):
        return row
    out = np.empty_like(row)
    return out[: kernel.folded(row, out)]


def _peel(values: Array, sign: int) -> tuple[int, Any]:
    """Height left of a folded pile and the difference that its rising pairs at the bottom make."""
    height = len(values)
    difference: Any = 0
    while height >= 2 and values[height - 1] >= values[height - 2]:
        difference += sign * (values[height - 1].item() - values[height - 2].item())
        height -= 2
    return height, difference
