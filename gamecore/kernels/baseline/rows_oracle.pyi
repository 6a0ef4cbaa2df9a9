from typing import Any

import numpy as np
import numpy.typing as npt

class Tree:
    dtype: np.dtype[Any]
    size: int
    nbytes: int
    def __init__(self, row: npt.NDArray[Any]) -> None: ...
    def query(self, low: npt.NDArray[Any], high: npt.NDArray[Any], out: npt.NDArray[Any]) -> None: ...
