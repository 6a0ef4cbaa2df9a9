"""Values of any interval of a row when both sides maximise."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gamecore import kernels
from gamecore.errors import GamecoreError
from gamecore.rows._input import Array, numbers, sums_of, widest

if TYPE_CHECKING:
    from gamecore.kernels.baseline import rows_oracle as _kernel
else:
    _kernel = kernels.kernel("rows_oracle")


class IntervalOracle:
    """A segment tree of folded parts of a row: values of its intervals when both sides maximise.

    Args:
        values: one row; it is copied.

    Building takes O(n) time on random rows and O(n log n) at worst. A query takes time linear in the folded interval:
    microseconds on random rows, O(length) at worst on sorted rows. Floats are rounded at every fold. Ctrl-C interrupts
    both.

    Raises:
        GamecoreError: as for ``rows.solve``.
    """

    __slots__ = ("_row", "_tree")

    def __init__(self, values: npt.ArrayLike) -> None:
        row = numbers(values)
        sums_of(row)
        self._row = np.array(widest(row))
        self._tree = _kernel.Tree(self._row)

    def __reduce__(self) -> tuple[object, ...]:
        return IntervalOracle, (self._row,)  # rebuilding the tree is faster than reading it

    def __len__(self) -> int:
        return self._tree.size

    @property
    def nbytes(self) -> int:
        """Bytes of the tree, without the row."""
        return self._tree.nbytes

    def value(self, i: npt.ArrayLike, j: npt.ArrayLike) -> Any:
        """Return the difference for the side to move on the values from index ``i`` to ``j`` inclusive.

        Args:
            i, j: ints, or integer arrays that broadcast together.

        Returns:
            A number, or an array of the broadcast shape (int64 or float64).

        Raises:
            GamecoreError: an index that is not an integer or out of range, or ``i > j``.
        """
        low, high = _indices(i, "i"), _indices(j, "j")
        try:
            low, high = np.broadcast_arrays(low, high)
        except ValueError:
            raise GamecoreError(f"i and j: shapes {low.shape} and {high.shape} do not broadcast together") from None
        flat_low = np.ascontiguousarray(low.ravel(), dtype=np.int64)
        flat_high = np.ascontiguousarray(high.ravel(), dtype=np.int64)
        bad = (flat_low < 0) | (flat_high >= len(self)) | (flat_low > flat_high)
        if bad.any():
            k = int(bad.argmax())
            raise GamecoreError(f"interval {flat_low[k]}..{flat_high[k]} is not within 0..{len(self) - 1}")
        out: Array = np.empty(flat_low.shape, dtype=self._tree.dtype)
        if out.size:
            self._tree.query(flat_low, flat_high, out)
        return out[0].item() if low.ndim == 0 else out.reshape(low.shape)


def _indices(values: npt.ArrayLike, name: str) -> Array:
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):
        raise GamecoreError(f"{name} must be an integer or an array of integers") from None
    if array.dtype.kind not in "iu" and array.size:
        raise GamecoreError(f"{name} must be an integer or an array of integers, not {array.dtype}")
    return array.astype(np.int64)
