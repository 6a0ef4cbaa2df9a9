import numpy as np
from numpy.typing import NDArray

def recheck(
    mover: int, other: int, last: int, attacks: bool, needed: int, table_bits: int, seconds: float, nodes: int
) -> tuple[int, int]:
    """Run a test like ``Solver.test``, by an independent search without reductions, over whole positions.

    Args:
        table_bits: log2 of the number of entries, of 16 bytes each; new entries overwrite old ones.

    Returns:
        The result (2: the attacker wins at least ``needed`` points, 1: it does not, 0: a limit was reached), and nodes.
    """

def can_share() -> bool: ...

class Solver:
    def __init__(self, table_bits: int, seconds: float, nodes: int, main: Solver | None = None) -> None: ...
    def share(self, threads: int, seconds: float, nodes: int) -> None: ...
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
    def begin(self, seconds: float, nodes: int = 0) -> None: ...
    def reserve(self) -> bool: ...
    def test(
        self, mover: int, other: int, last: int, attacks: bool, needed: int, seconds: float, nodes: int
    ) -> tuple[int, int]:
        """Test whether the attacker wins at least ``needed`` points; the table is kept.

        Args:
            mover, other: the hands, neither empty.
            attacks: True if the mover is the attacker.
            seconds, nodes: limits of this test; below 0, and 0: none.

        Returns:
            2 for yes, 1 for no, 0 if a limit was reached; and nodes.
        """

    def known(self, mover: int, other: int, last: int, attacks: bool, needed: int) -> int: ...
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
        """Solve positions in order, each like ``value`` and ``line`` of a new solver.

        Args:
            movers, others, lasts: the positions; a hand may be empty here.
            table_bits: log2 of the slots by number of cards (0 to 52), none above the solver's own.
            seconds, nodes: limits of each position.
            lower, upper, searched, nanoseconds, table_bytes, line_end: output, one item a position.

        Returns:
            All lines in order: cards, or -1 (as a byte) for a pass; the line of position i ends at line_end[i]. After
            ``stop`` all results are invalid.
        """
