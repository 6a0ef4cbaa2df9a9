"""A pass over so many vectors that the kernel looks at the watch within it."""

import numpy as np
import pytest

from gamecore import kernels

LANES = {"baseline": 2, "v3": 4, "v4": 8}  # of 64 bits


@pytest.mark.parametrize("mode", [0, 2])
@pytest.mark.parametrize("level", kernels.available_levels())
def test_a_pass_in_parts(level, mode):
    """The first cells depend on the first values alone, which make passes of one part."""
    values = LANES[level] * (65536 + 100)  # the lower part of a pass is 100 vectors
    length = 1 + 2 * (values // 24 // 4 * 4)  # one stage
    row = np.random.default_rng(3).integers(-999, 1000, values)
    kernel = kernels.kernel("rows", at=level)
    assert kernel.cells(mode, row, length) == kernel.cells(mode, row[: length + 2], length)
