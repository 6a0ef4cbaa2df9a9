"""Names of squares and moves."""

import functools


def column_name(column: int) -> str:
    """Return ``a`` for 0, ``z`` for 25, ``aa`` for 26."""
    letters = chr(ord("a") + column % 26)
    return letters if column < 26 else chr(ord("a") + column // 26 - 1) + letters


def square_name(square: int, columns: int) -> str:
    """Return a name such as ``b3``: columns a to z, then aa, ab, ...; rows from 1 at the bottom."""
    row, column = divmod(square, columns)
    return column_name(column) + str(row + 1)


@functools.cache
def move_name(source: int, target: int, columns: int) -> str:
    """Return ``b2-b3``, or ``b2xc3`` for a capture."""
    sign = "-" if (target - source) % columns == 0 else "x"
    return square_name(source, columns) + sign + square_name(target, columns)
