"""Long rows can be interrupted: NumPy converts them in blocks, and kernels look at the watch between passes."""

import time

import numpy as np
import pytest

from gamecore import GamecoreError, kernels
from gamecore.rows import _numbers

kernel = kernels.kernel("rows")
rng = np.random.default_rng(5)


def test_a_stopped_kernel_does_not_prepare_its_first_pass():
    """It costs less than what any call does before: a copy of the row, and the cells of one value."""
    row = rng.integers(-9, 9, 6_000_000).astype(np.int32)
    stopped = kernel.Control()
    stopped.stop()

    def seconds(length, control):
        begun = time.process_time()
        kernel.cells(2, row, length, False, control=control)
        return time.process_time() - begun

    costs = [(seconds(len(row) - 2, stopped), seconds(1, kernel.Control())) for _ in range(5)]
    assert min(cost for cost, _ in costs) < 1.5 * min(cost for _, cost in costs)


@pytest.mark.parametrize("shape", [(1000,), (40, 25)])
@pytest.mark.parametrize("dtype", ["u1", "u4", "u8", "i4", "i8", "f2", "f4", "f8", "g", ">i4", ">f8"])
def test_blocks_make_no_difference(shape, dtype, monkeypatch):
    values = rng.integers(0, 99, shape).astype(dtype)
    wide = np.repeat(values, 2, axis=-1)[..., ::2]  # not contiguous
    whole = [_numbers.numbers(array, "rows", len(shape)) for array in (values, wide)]
    monkeypatch.setattr(_numbers, "_BLOCK", 7)
    for expected, array in zip(whole, (values, wide), strict=True):
        converted = _numbers.numbers(array, "rows", len(shape))
        assert converted.dtype == expected.dtype
        assert converted.flags.c_contiguous
        assert (converted == expected).all()
        assert (_numbers.narrow(converted, 10_000) == expected).all()
        assert _numbers.adds_exactly(converted, 10_000.0)
        assert converted.dtype.kind != "f" or not _numbers.adds_exactly(converted / 3, 10_000.0)


def test_errors_name_the_place_across_blocks(monkeypatch):
    monkeypatch.setattr(_numbers, "_BLOCK", 7)
    row = np.arange(100.0)
    row[61] = np.nan
    with pytest.raises(GamecoreError, match=r"^values\[61\] is nan"):
        _numbers.numbers(row)
    table = row.reshape(20, 5)
    with pytest.raises(GamecoreError, match=r"^rows\[12, 1\] is nan"):
        _numbers.numbers(table, "rows", 2)


def test_sums_of_long_rows():
    row = rng.integers(-(1 << 40), 1 << 40, 700_000)
    assert kernel.sums(row) == (sum(map(abs, row.tolist())), sum(row.tolist()))
    floats = rng.random(700_000) - 0.5
    magnitude = total = 0.0
    for value in floats.tolist():
        magnitude, total = magnitude + abs(value), total + value
    assert kernel.sums(floats) == (magnitude, total)
