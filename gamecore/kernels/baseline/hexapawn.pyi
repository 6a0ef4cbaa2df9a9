"""Hexapawn kernel. A square is ``row * cols + column`` from the lower left corner; white moves up."""

import numpy as np
from numpy.typing import NDArray

def needs_wide(rows: int, cols: int, white: int, black: int) -> bool: ...
def wide_ones(
    rows: NDArray[np.int8],
    cols: NDArray[np.int8],
    white: NDArray[np.uint64],
    black: NDArray[np.uint64],
    wide: NDArray[np.uint8],
) -> None:
    """Write ``needs_wide`` of many positions."""
def perft(rows: int, cols: int, white: int, black: int, black_to_move: bool, depth: int) -> int: ...

class Solver:
    def __init__(
        self, rows: int, cols: int, wide: bool, table_bytes: int, main: Solver | None = None
    ) -> None: ...
    def open_up(self, most_bytes: int) -> bool: ...
    def stop(self) -> None: ...
    def solve(
        self, white: int, black: int, black_to_move: bool, seconds: float, nodes: int, want_line: int
    ) -> tuple[int, int, int, list[tuple[int, int]], int]:
        """Search one position; the table is kept for the next.

        Returns:
            winner (1: the mover, -1: the other, 0: not known), least and most plies to the end (proven), the line as
            (source, target) squares (empty unless exact and wanted), nodes.
        """
    def solve_batch(
        self,
        white: NDArray[np.uint64],
        black: NDArray[np.uint64],
        black_to_move: NDArray[np.uint8],
        seconds: float,
        nodes: int,
        want_line: int,
        afresh: bool,
        winner: NDArray[np.int8],
        least: NDArray[np.int16],
        most: NDArray[np.int16],
        searched: NDArray[np.int64],
        nanoseconds: NDArray[np.int64],
        table_bytes: NDArray[np.int64],
        replacements: NDArray[np.int64],
        line_end: NDArray[np.int64],
    ) -> bytes:
        """Search positions of the solver's board one after another, each with the whole limits.

        Args:
            white, black, black_to_move: the positions. want_line: 0; 1: as ``solve``; 2: of moves that are equally good
                always the first, so that the line does not depend on what the table holds. afresh: forget everything
                before each position. The rest: one item a position, to be written, as ``solve`` returns them.

        Returns:
            The lines, one after another, a byte for a source and one for a target; position i has those up to
            line_end[i]. Nothing is to be trusted after ``stop``.
        """
    @property
    def table_bytes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def replacements(self) -> int: ...
