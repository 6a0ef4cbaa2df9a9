"""Hexapawn kernel. A square is ``row * columns + column`` from the lower left corner; white moves up."""

import numpy as np
from numpy.typing import NDArray

def needs_wide(rows: int, columns: int, white: int, black: int) -> bool:
    """Whether this position needs the module ``hexapawn_wide``, for large boards and long games."""

def need_wide(
    rows: NDArray[np.int8],
    columns: NDArray[np.int8],
    white: NDArray[np.uint64],
    black: NDArray[np.uint64],
    wide: NDArray[np.uint8],
) -> None:
    """Write ``needs_wide`` of many positions."""

def perft(rows: int, columns: int, white: int, black: int, black_to_move: bool, depth: int) -> int:
    """The number of sequences of ``depth`` moves."""

def position_key(rows: int, columns: int, white: int, black: int, black_to_move: bool) -> tuple[int, int, int]:
    """The table's key of a position: its two numbers, and how many bits of the second stand in no entry."""

class Solver:
    """A search with its table, for positions of one board size and layout; it answers one caller at a time.

    Args:
        table_bytes: most bytes of the table.
        main: the solver to help: this one has the same table, and may search in another thread meanwhile.
    """

    def __init__(self, rows: int, columns: int, table_bytes: int, main: Solver | None = None) -> None: ...
    def share_table(self, most_bytes: int) -> bool:
        """Give the table its full size, or this one if it is smaller, so that helpers may join.

        Returns:
            ``can_share``.
        """

    @property
    def can_share(self) -> bool:
        """Whether threads can share a table: not in ``hexapawn_wide``, nor without the compiler's atomic exchange."""

    def share_growing_table(self, most_bytes: int, helpers: list[Solver]) -> None:
        """Share the table with helpers, made with this solver as ``main``; no search may run meanwhile.

        The table becomes twice as large if a quarter of it is in use, until it has ``most_bytes``. All solvers together
        fill it to the half, each its equal part; then their searches end as if a limit had been reached, and are
        ``full``: after another call they can go on.
        """

    @property
    def full(self) -> bool:
        """Whether the last search ended because the shared table has to grow."""

    def stop(self) -> None:
        """Ask the search that runs, and all later ones, to end early; from any thread, any number of times."""

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
            white, black, black_to_move: the positions.
            want_line: 0; 1: as ``solve``; 2: of moves that are equally good always the first, so that the line does not
                depend on what the table holds.
            afresh: forget everything before each position.
            winner, least, most, searched, nanoseconds, table_bytes, replacements, line_end: one item a position, zeros,
                to be written as ``solve`` returns them.

        Returns:
            The lines, one after another, a byte for a source and one for a target; position i has those up to
            line_end[i]. Nothing is to be trusted after ``stop``.
        """

    def test(
        self, white: int, black: int, black_to_move: bool, least: int, seconds: float, nodes: int
    ) -> tuple[bool, int, int, int]:
        """Ask whether the mover's score is ``least`` or more; the table is kept for the next question.

        A score is ``mate`` - plies for a win and plies - ``mate`` for a loss. No score lies from -1 to 1: these three
        ask who wins.

        Returns:
            Whether the question is answered, proven bounds of the score, nodes.
        """

    def children(self, white: int, black: int, black_to_move: bool) -> list[tuple[int, int, int, int, int]]:
        """Every legal move: source, target, bounds of the score after it (of the other side) that are known without
        search, and a number that is larger for moves that the search would try sooner."""

    def export_from(self, least: int, room: int) -> None:
        """Keep, from now on, every entry whose search took ``least`` nodes, for ``take_entries``.

        Args:
            room: records that are kept at most; when they are more, ``least`` doubles until half of the room is free.
        """

    def take_entries(self) -> bytes:
        """The entries kept since the last call: records of three words (own, opp; nodes, low and high)."""

    def put_entries(self, words: NDArray[np.uint64]) -> int:
        """Store entries that another solver of the same board and layout found.

        Returns:
            How many were entries that a search could have written; the others were not stored.
        """

    @property
    def weights(self) -> int:
        """How many weights order the moves."""

    def take_changes(self) -> bytes:
        """What the search has learnt of the order of moves since the last call.

        It may be called while a search learns in another thread, but not by two threads at once.

        Returns:
            A 64-bit word for each weight that has changed: its number above, the difference, signed, in the lower half.
        """

    def put_changes(self, words: NDArray[np.uint64], away: bool) -> int:
        """Add the changes of another solver of this board to the weights, or take them away.

        Returns:
            How many were of weights that this solver has.
        """

    def stored(self) -> list[tuple[int, int, int, int]]:
        """Every entry of the table, for tests: the two numbers of its key, low and high."""

    def knows(self, left: int, right: int) -> bool:
        """Whether the table has an entry of this key, for tests."""

    def head(self, right: int, locked: bool) -> int:
        """Lock a bucket as a thread that writes to it does, or open it, for tests; its head before that."""

    @property
    def mate(self) -> int:
        """What scores are counted from: 125, or 8191 in the layout for large boards."""

    @property
    def table_bytes(self) -> int:
        """Bytes of the table in use."""

    @property
    def entries(self) -> int:
        """Positions stored."""

    @property
    def replacements(self) -> int:
        """Positions that went because their bucket was full."""
