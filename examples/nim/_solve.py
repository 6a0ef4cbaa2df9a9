"""Solving Nim: the exclusive or of the piles (Bouton 1901) says who wins."""

import functools
import operator
import time
from typing import TypeAlias

from gamecore import contract
from gamecore.limits import Limits, limits_of
from nim._position import MoveValue, Position, Side
from nim._text import read

Analysis: TypeAlias = contract.Analysis[MoveValue, Side]


class Solution(contract.Solution[int, Side]):
    """What is proven of a position: +1, the side to move wins, or -1. ``best_moves`` holds all of them."""

    def __str__(self) -> str:
        return f"{self.to_move} {'wins' if self.value == 1 else 'loses'}"


def solve(position: Position | str, limits: Limits | None = None) -> Solution:
    """Who wins, all winning moves, and a line of play in which the winner takes the first of them.

    Args:
        position: a position, or its text.
        limits: taken for the contract's sake; a solution takes microseconds.
    """
    start = time.perf_counter()
    position, _ = read(position), limits_of(limits)
    best = _best(position)
    line, after = [], position
    while not after.is_over:
        line.append(_best(after)[0])
        after = after.play(line[-1])
    value = 1 if _sum(position) else -1
    return Solution(value, value, position.to_move, best, tuple(line), 1, time.perf_counter() - start, 0)


def analyse(position: Position | str, limits: Limits | None = None) -> Analysis:
    """Every move with its value, best first."""
    start = time.perf_counter()
    position, _ = read(position), limits_of(limits)
    moves = [(-1 if _sum(position.play(move)) else 1, move) for move in position.legal_moves()]
    entries = [MoveValue(value, value, move) for value, move in sorted(moves, key=lambda pair: -pair[0])]
    return contract.Analysis(tuple(entries), position.to_move, len(entries), time.perf_counter() - start)


def _sum(position: Position) -> int:
    return functools.reduce(operator.xor, position.piles)


def _best(position: Position) -> tuple[str, ...]:
    """The winning moves; all moves where every one loses."""
    moves = position.legal_moves()
    return tuple(move for move in moves if not _sum(position.play(move))) or moves
