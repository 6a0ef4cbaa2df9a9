"""Columns of positions whose searches may be cut short, solved in turn."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gamecore.batch._columns import Columns
from gamecore.batch._deadline import Numbered, Shares
from gamecore.limits import Limits

_BLOCK: Final = 256  # positions that are tried together where there is a deadline
_TRIED: Final = 200  # nodes: a position that takes no more is solved at once

Solved = tuple[Columns, NDArray[Any]]


def solve_in_turn(
    shares: Shares,
    given: Numbered,
    solve_chunk: Callable[[Limits, Any], Solved],
    solve_one: Callable[[Limits, tuple[Any, ...]], tuple[dict[str, Any], Sequence[int]]],
    missing: Callable[[Columns, Any], NDArray[np.bool_]],
) -> Solved:
    """A chunk of columns, in blocks: all are tried with a few nodes, then those that need more are solved one by one.

    Each of those may take its limits and its share of the time until a deadline. Once a deadline is over, those that
    are left keep what the trial proved of them.

    Args:
        shares: of the batch.
        given: columns with an item a position.
        solve_chunk: solves columns within limits: result columns, of which ``line_end`` is one, and moves of all lines.
        solve_one: solves one position, given as an item of each column: an item of each result column but ``line_end``,
            and the moves of its line. It names the best move so far where it is cut short.
        missing: which positions are not solved, by the result columns and what was given.
    """
    found: list[Solved] = []
    count = len(given.payload[0])
    few = min(_TRIED, int(shares.limits.nodes)) if shares.limits.nodes is not None else _TRIED
    size = _BLOCK if shares.limits.deadline is not None else count
    for begin in range(0, count, size):
        block = tuple(column[begin : begin + size] for column in given.payload)
        in_time = shares.left > 0
        tried = replace(shares.limits, deadline=None, nodes=few, seconds=shares.limits.seconds if in_time else 0)
        columns, moves = solve_chunk(tried, block)
        hard = np.flatnonzero(missing(columns, block)).tolist() if in_time else []
        if hard:
            ends = columns["line_end"]
            lines = [moves[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
            for at in hard:
                if shares.left == 0:
                    break
                own = shares.next(None if given.rest is None else given.rest - begin - at)
                row, line = solve_one(own, tuple(column[at] for column in block))
                for name, value in row.items():
                    columns[name][at] = value
                lines[at] = np.array(line, moves.dtype)
            columns["line_end"] = np.cumsum([len(line) for line in lines], dtype=np.int64)
            moves = np.concatenate(lines)
        found.append((columns, moves))
    return _joined(found)


def _joined(found: list[Solved]) -> Solved:
    """The columns of several blocks as those of one."""
    if len(found) == 1:
        return found[0]
    offset = 0
    for columns, moves in found:
        columns["line_end"] = columns["line_end"] + offset
        offset += len(moves)
    names = found[0][0]
    joined = {name: np.concatenate([columns[name] for columns, _ in found]) for name in names}
    return joined, np.concatenate([moves for _, moves in found])
