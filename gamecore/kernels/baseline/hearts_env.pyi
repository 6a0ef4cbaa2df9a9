import numpy as np
from numpy.typing import NDArray

def layout() -> tuple[int, int, int, int]: ...

class Env:
    def __init__(
        self,
        count: int,
        flags: int,
        seed: int,
        passing: bytes,
        kinds: tuple[int, ...],
        weights: tuple[NDArray[np.int8] | None, ...] = ...,
    ) -> None: ...
    def reset(
        self, first: int, observations: NDArray[np.uint8], may: NDArray[np.uint8], seats: NDArray[np.int8]
    ) -> None: ...
    def step(
        self,
        actions: NDArray[np.int64],
        observations: NDArray[np.uint8],
        may: NDArray[np.uint8],
        rewards: NDArray[np.int8],
        done: NDArray[np.uint8],
        seats: NDArray[np.int8],
    ) -> int: ...
    def numbers(self, out: NDArray[np.int64]) -> None: ...
