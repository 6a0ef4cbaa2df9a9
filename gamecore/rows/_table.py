"""The sources' n x n tables."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from gamecore.errors import GamecoreError, OptionError
from gamecore.rows._kernel import kernel as _kernel
from gamecore.rows._numbers import Array, Number, numbers, sums_of
from gamecore.rows._position import ME, MODES, Opponent, Ties, names_of
from gamecore.text import printable


def table(
    values: npt.ArrayLike,
    *,
    opponent: Opponent = "optimal",
    ties: Ties = "right",
    dtype: npt.DTypeLike | None = None,
    out: "Array | None" = None,
) -> Array:
    """Return the n x n table of the sources: cell (i, j) is a total on the values from i to j; zero below the diagonal.

    ``"optimal"`` (*smart*): the total of the side to move. ``"greedy"`` (*Best*): my total when I am to move.
    ``"cooperative"`` (*dumb*): the largest total of the whole row's first player, or, if n - 1 - (j - i) is odd, the
    smallest total of the second player, who is to move in that cell.

    Args:
        values, opponent, ties: as for ``value``.
        dtype: int32, int64 or float64; default int64 for integers, float64 for floats.
        out: a C-contiguous n x n array to fill and return; its dtype replaces ``dtype``. Reusing an array saves time.

    Raises:
        GamecoreError: a bad row, totals beyond the dtype, a table larger than memory (the message names its size).
        OptionError: a bad ``dtype`` or ``out``, an unknown name.
    """
    name, _, end = names_of(opponent, ME, ties)
    is_reversed = end == "left"  # the kernel's greedy opponent takes the right end
    row = numbers(values)
    n = len(row)
    kind = _table_dtype(row, sums_of(row)[0], out.dtype if isinstance(out, np.ndarray) else dtype)
    if out is None:
        out = _new_table(n, kind)
    elif not isinstance(out, np.ndarray) or out.shape != (n, n) or not out.flags.carray:
        raise OptionError(f"out must be a writable, aligned, C-contiguous array of shape ({n}, {n})")
    work = _new_table(n, kind) if is_reversed else out
    row = np.ascontiguousarray(row[::-1] if is_reversed else row, dtype=kind)
    _kernel.table(MODES[name], row, work)
    if is_reversed:
        out[...] = work[::-1, ::-1].T
    return out


def _table_dtype(row: Array, bound: Number, dtype: npt.DTypeLike | None) -> np.dtype[Any]:
    whole = row.dtype.kind != "f"
    try:
        kind = np.dtype(dtype if dtype is not None else np.int64 if whole else np.float64)
    except TypeError:
        raise OptionError(f"dtype: {printable(dtype)} is not a type") from None
    allowed = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64)) if whole else (np.dtype(np.float64),)
    if kind not in allowed:
        raise OptionError(f"dtype must be one of {', '.join(map(str, allowed))} for this row, not {kind}")
    limit = {"i4": (1 << 31) - 1, "i8": (1 << 63) - 1, "f8": 1 << 53}[kind.str[1:]]
    if whole and bound > limit:
        raise GamecoreError(f"values: totals may reach {bound}, beyond {kind}")
    return kind


def _new_table(n: int, kind: np.dtype[Any]) -> Array:
    size = n * n * kind.itemsize
    text = f"a table of {n} x {n} {kind} takes {size / 1e9:.3g} GB"
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        free = size  # unknown: let the allocation decide
    if size > free:
        raise GamecoreError(f"values: {text}; only {free / 1e9:.3g} GB of memory are free")
    try:
        return np.empty((n, n), dtype=kind)
    except MemoryError:
        raise GamecoreError(f"values: {text}, more than the free memory") from None
