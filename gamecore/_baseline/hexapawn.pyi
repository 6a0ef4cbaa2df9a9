"""Hexapawn kernel. A square is ``row * cols + column`` from the lower left corner; white moves up."""

def needs_wide(rows: int, cols: int, white: int, black: int) -> bool: ...
def perft(rows: int, cols: int, white: int, black: int, black_to_move: bool, depth: int) -> int: ...

class Solver:
    def __init__(self, rows: int, cols: int, wide: bool, table_bytes: int) -> None: ...
    def solve(
        self, white: int, black: int, black_to_move: bool, seconds: float, nodes: int, want_line: bool
    ) -> tuple[int, int, int, list[tuple[int, int]], int]:
        """Search one position; the table is kept for the next.

        Returns:
            winner (1: the mover, -1: the other, 0: not known), least and most plies to the end (proven), the line as
            (source, target) squares (empty unless exact and wanted), nodes.
        """
    @property
    def table_bytes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def replacements(self) -> int: ...
