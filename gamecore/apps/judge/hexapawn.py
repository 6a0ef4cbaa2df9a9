"""Test boards of Hexapawn for programs that solve it."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from gamecore.apps.judge._judging import Judging, claimed_number
from gamecore.errors import GamecoreError
from gamecore.hexapawn import MAX_SQUARES, Position, random
from gamecore.reference import hexapawn as reference

if TYPE_CHECKING:
    from numpy.random import Generator


def _sides(squares: int, rng: "Generator | None" = None) -> tuple[int, int]:
    """Return rows and columns of a board of at most ``squares`` squares: nearly square, or random with ``rng``."""
    if rng is None:
        rows = max(2, round(squares**0.5))
    else:
        rows = int(rng.integers(2, max(3, min(9, squares // 2 + 1))))
    return rows, max(1, min(8, squares // rows))


def _played(squares: int, rng: "Generator") -> Position:
    """Return a position after random moves, flipped if black is to move."""
    position = random(*_sides(squares, rng), rng=rng)
    return position if position.to_move == "white" else position.flip()


def _sparse(squares: int, rng: "Generator") -> Position:
    """Return a board of random squares: 20 % white, 20 % black."""
    rows, columns = _sides(squares, rng)
    board = [["P" if x < 0.2 else "p" if x < 0.4 else " " for x in rng.random(columns)] for _ in range(rows)]
    board[0] = [" " if square == "P" else square for square in board[0]]
    board[-1] = [" " if square == "p" else square for square in board[-1]]
    return Position.from_rows(["".join(row) for row in board], "white")


def _smaller(position: Position) -> Iterator[Position]:
    """Yield the board without a row, without a column, and without a pawn."""
    board = list(position.to_rows())
    boards = [board[:k] + board[k + 1 :] for k in range(len(board))]
    boards += [[row[:k] + row[k + 1 :] for row in board] for k in range(position.columns)]
    for k, row in enumerate(board):
        for j, square in enumerate(row):
            if square != " ":
                boards.append([*board[:k], row[:j] + " " + row[j + 1 :], *board[k + 1 :]])
    for rows in boards:
        with suppress(GamecoreError):  # too small a board, or a pawn on its far row
            yield Position.from_rows(rows, "white")


def judging() -> Judging[Position]:
    """Return what judging needs of Hexapawn."""
    starts = {
        "start": lambda squares, rng: Position.start(*_sides(squares)),
        "starts": lambda squares, rng: Position.start(*_sides(squares, rng)),
    }
    return Judging(
        starts | {"random": _played, "sparse": _sparse},
        sizes=range(4, 21),
        largest=MAX_SQUARES,
        size=lambda position: position.rows * position.columns,
        claim=lambda position, words: claimed_number(words[0]) if len(words) == 1 else None,
        smaller=_smaller,
        versions=reference.VERSIONS,
        arguments=lambda position: ((position.to_move, position.to_rows()),),
        unit="square",
    )


PART = judging
