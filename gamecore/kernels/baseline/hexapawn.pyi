"""Hexapawn kernel. A square is ``row * columns + column`` from the lower left corner; white moves up."""

import numpy as np
from numpy.typing import NDArray

def needs_wide(rows: int, columns: int, white: int, black: int) -> bool: ...
def perft(rows: int, columns: int, white: int, black: int, black_to_move: bool, depth: int) -> int: ...
def position_key(rows: int, columns: int, white: int, black: int, black_to_move: bool) -> tuple[int, int, int]: ...

class Solver:
    """A search with its table, for positions of one board size and layout. Not reentrant: one call at a time.

    Args:
        table_bytes: most bytes of the table.
        main: the solver to help: this one shares its table and may search in another thread.
    """

    def __init__(self, rows: int, columns: int, table_bytes: int, main: Solver | None = None) -> None: ...
    def reserve(self) -> None:
        """Replace the table by an empty one with all its memory, which never grows.

        From then on the table stays where it is: another thread may call ``memory``, ``children``, ``nodes``,
        ``entries`` and ``replacements`` during a search.
        """

    def memory(self) -> memoryview:
        """Return the bytes of the table, to be saved or filled; the view is valid while the solver is.

        Entries verify themselves (``pyx/hexapawn/entry.pxd``): a copy may be made during a search.
        """

    def recount(self) -> None: ...
    def share_growing_table(self, most_bytes: int, helpers: list[Solver]) -> None:
        """Share the table with helpers, made with this solver as ``main``; no search may run during the call.

        The table grows if a quarter of it is in use, up to ``most_bytes``. Then each solver may add an equal share of
        entries until half of the table is in use. A search that has added its share ends as ``full``, like at a limit;
        call this again to continue.
        """

    @property
    def full(self) -> bool: ...
    def stop(self) -> None: ...
    def solve(
        self, white: int, black: int, black_to_move: bool, seconds: float, nodes: int, want: int
    ) -> tuple[int, int, int, list[tuple[int, int]], int]:
        """Search one position; the table is kept.

        Args:
            want: 0: the value; 1: and a line; 2: and the first of equal lines, independent of the table; -1: only who
                wins, with bounds that say no more, whatever the table holds.

        Returns:
            winner (1: the mover, -1: the other side, 0: unknown), least and most plies to the end (proven), the line as
            (source, target) squares (empty unless exact and requested), nodes.
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
        """Solve positions of the solver's board in order, each with the whole limits.

        Args:
            white, black, black_to_move: the positions.
            want_line: 0: none; 1: like ``solve``; 2: always the first of equal moves, independent of the table.
            afresh: clear the table and the weights before each position.
            winner, least, most, searched, nanoseconds, table_bytes, replacements, line_end: output, one item a
                position, as ``solve`` returns them; zeros before the call.

        Returns:
            All lines in order, a byte for each source and target; the line of position i ends at line_end[i]. After
            ``stop`` all results are invalid.
        """

    def test(
        self, white: int, black: int, black_to_move: bool, least: int, seconds: float, nodes: int
    ) -> tuple[bool, int, int, int]:
        """Test whether the mover's score is at least ``least``; the table is kept.

        A score is ``mate`` - plies for a win and plies - ``mate`` for a loss. No score is from -1 to 1; these three
        tests all ask who wins.

        Returns:
            True if the test is answered, proven bounds of the score, nodes.
        """

    def children(self, white: int, black: int, black_to_move: bool) -> list[tuple[int, int, int, int, int]]: ...
    def stored(self) -> list[tuple[int, int, int, int]]: ...
    def knows(self, left: int, right: int) -> bool: ...
    @property
    def mate(self) -> int: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def replacements(self) -> int: ...
