import numpy as np
from numpy.typing import NDArray

def recheck(
    mover: int, other: int, last: int, attacks: bool, needed: int, table_bits: int, seconds: float, nodes: int
) -> tuple[int, int]:
    """Ask as ``Solver.test`` does, of an independent search without reductions whose table holds whole positions.

    Args:
        table_bits: log2 of the entries, of 16 bytes each; a full table replaces.

    Returns:
        Whether the attacker wins with at least ``needed`` points (2 yes, 1 no, 0: a limit was reached), and nodes.
    """

def can_share() -> bool:
    """Whether threads can share a table: not in debug builds, which keep whole states beside the entries."""

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
    def begin(self, seconds: float, nodes: int = 0) -> None:
        """Give what is asked from now on these limits (seconds below 0, nodes 0: none).

        The table is kept, and may grow up to the last moment. Nodes are counted from 0 again.
        """
    def reserve(self) -> bool:
        """Let the table have its full size at once, so that solvers made with ``main`` may search other positions in
        it meanwhile.

        Returns:
            False in debug builds, where one thread has to do.
        """

    def test(
        self, mover: int, other: int, last: int, attacks: bool, needed: int, seconds: float, nodes: int
    ) -> tuple[int, int]:
        """Ask whether the attacker wins with at least ``needed`` points; the table is kept for the next question.

        Args:
            mover, other: the hands, neither empty.
            attacks: whether the mover is the attacker.
            seconds, nodes: limits of this question; below 0, and 0: none.

        Returns:
            2 yes, 1 no, 0 when a limit was reached; and nodes.
        """

    def known(self, mover: int, other: int, last: int, attacks: bool, needed: int) -> int:
        """What ``test`` would say without searching: 2, 1, or 0 for not known. A hand may be empty."""

    def export_from(self, least: int, room: int) -> None:
        """Keep, from now on, every entry whose search took ``least`` nodes, for ``take_entries``.

        Args:
            room: records that are kept at most; when they are more, ``least`` doubles until half of the room is free.
        """

    def take_entries(self) -> bytes:
        """The entries kept since the last call: records of three words (``pyx/duel/exchange.pxi``)."""

    def put_entries(self, words: NDArray[np.uint64]) -> int:
        """Store entries that another solver found.

        Returns:
            How many were states that a search could have written; the others were not stored.
        """

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
