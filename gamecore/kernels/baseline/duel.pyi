import numpy as np
from numpy.typing import NDArray

class Solver:
    def __init__(self, table_bits: int, seconds: float, nodes: int, main: Solver | None = None) -> None: ...
    def share(self, threads: int, seconds: float, nodes: int) -> bool: ...
    @property
    def full(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def stores(self) -> int: ...
    @property
    def collisions(self) -> int: ...
    @property
    def table_bytes(self) -> int: ...
    def value(self, mover: int, other: int, last: int) -> tuple[int, int]: ...
    def line(self, mover: int, other: int, last: int, value: int) -> list[int] | None: ...
    def stop(self) -> None: ...
    def solve_batch(
        self,
        movers: NDArray[np.uint64],
        others: NDArray[np.uint64],
        lasts: NDArray[np.int8],
        table_bits: NDArray[np.int8],
        seconds: float,
        nodes: int,
        want_lines: bool,
        lower: NDArray[np.int16],
        upper: NDArray[np.int16],
        searched: NDArray[np.int64],
        nanoseconds: NDArray[np.int64],
        table_bytes: NDArray[np.int64],
        line_end: NDArray[np.int64],
    ) -> bytes:
        """Solve positions one after another, each as ``value`` and ``line`` of a new solver would.

        Args:
            movers, others, lasts: the positions; a hand may be empty here.
            table_bits: by number of cards (0 to 52), none above the solver's own.
            seconds, nodes: limits of each position.
            lower, upper, searched, nanoseconds, table_bytes, line_end: one item a position, to be written.

        Returns:
            The lines, one after another: cards, -1 (as a byte) for a pass; position i has those up to line_end[i].
            Nothing is to be trusted after ``stop``.
        """
