import numpy as np
from numpy.typing import NDArray

def improve(
    states: NDArray[np.int16],
    nodes: NDArray[np.int64],
    points: NDArray[np.int16],
    weights: NDArray[np.float32],
    least: int,
    most_points: int,
    match_points: int,
    table: NDArray[np.float32],
) -> float: ...
