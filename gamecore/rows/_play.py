"""Strategies against each other, and decks to play them on."""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gamecore.text import printable
from gamecore.errors import GamecoreError, OptionError
from gamecore.rows._input import (
    GREEDY,
    OPTIMAL,
    SIDES,
    TIES,
    Array,
    Side,
    Ties,
    bound_of,
    choose,
    kernel,
    numbers,
    widest,
)
from gamecore.rows._solve import Outcome, solve

Strategy: TypeAlias = Literal["greedy", "full", "dp"]
STRATEGIES: Final[dict[object, str]] = {"greedy": "greedy", "full": "full", "dp": "dp"}
FULL_AGAINST_GREEDY: Final = 52  #: 2**26 plays
FULL_AGAINST_BEST: Final = 26  #: 2**26 plays


@dataclass(frozen=True, slots=True)
class Play(Outcome):
    """A game that was played.

    Attributes:
        mine, theirs: totals.
        line: every move, L or R, both sides'.
        first: who took first, ``"me"`` or ``"opponent"``.
    """

    line: str
    first: str


def play(
    values: npt.ArrayLike,
    *,
    me: Strategy = "dp",
    opponent: Strategy = "greedy",
    first: Side = "me",
    ties: Ties = "right",
) -> Play:
    """Play a row out, strategy against strategy (the source's play_game).

    ``"greedy"`` takes the larger end, on a tie the one ``ties`` names. ``"dp"`` plays best against the other's
    strategy: the greedy table's line against greedy, the optimal line where both look ahead. ``"full"`` finds the
    same by trying every play, as the source does first: 2**(n/2) against greedy, 2**n otherwise.

    Raises:
        GamecoreError: a bad row, as for ``solve``; a row too long for ``"full"`` (52 against greedy, else 26).
        OptionError: an unknown name.
    """
    mine: str = choose(STRATEGIES, "me", me)
    theirs: str = choose(STRATEGIES, "opponent", opponent)
    last: bool = choose(SIDES, "first", first)
    left: bool = choose(TIES, "ties", ties)
    row = numbers(values)
    bound_of(row)
    wide = widest(row)
    turn = "opponent" if last else "me"
    if mine == theirs == "greedy":
        moves = np.empty(len(row), dtype=np.uint8)
        kernel.greedy_line(wide, left, left, moves)
        moves[-1] = 0
    else:
        greedy = "greedy" in (mine, theirs)
        swapped = mine == "greedy"  # then it is the opponent who looks ahead
        if "full" in (mine, theirs):
            _check_full(wide, greedy, swapped != last, left)
        solution = solve(
            row,
            opponent="greedy" if greedy else "optimal",
            first="opponent" if swapped != last else "me",
            ties=ties,
        )
        moves = (np.frombuffer(solution.line.encode(), dtype=np.uint8) == ord("R")).astype(np.uint8)
    starter, other = kernel.replay(wide, moves)
    totals = (other, starter) if last else (starter, other)
    line = np.where(moves, np.uint8(ord("R")), np.uint8(ord("L"))).tobytes().decode("ascii")
    return Play(totals[0], totals[1], line, turn)


def _check_full(row: Array, greedy: bool, last: bool, left: bool) -> None:
    """Explore every play, and hold the table's value to what that finds."""
    limit = FULL_AGAINST_GREEDY if greedy else FULL_AGAINST_BEST
    if len(row) > limit:
        raise GamecoreError(f"values: {len(row)} values are too many for 'full' here; at most {limit}")
    mode = GREEDY if greedy else OPTIMAL
    explored = kernel.full(mode, np.ascontiguousarray(row[::-1]) if left and greedy else row, not last)
    name: Literal["greedy", "optimal"] = "greedy" if greedy else "optimal"
    found = solve(
        row, opponent=name, first="opponent" if last else "me", ties="left" if left else "right", line=False
    ).mine
    if row.dtype.kind != "f" and explored != found:
        raise AssertionError(f"full exploration finds {explored}, the table {found}: please report this row")


def deck(rng: int | np.random.Generator | None = None) -> npt.NDArray[np.int64]:
    """A shuffled deck as the source means it: 52 cards, 2 to 14, four of each; uniform (the source's shuffle is not).

    Args:
        rng: None, a seed, or a ``numpy.random.Generator``.

    Raises:
        OptionError: a bad ``rng``.
    """
    result: npt.NDArray[np.int64] = decks(1, rng)[0].astype(np.int64)
    return result


def decks(count: int, rng: int | np.random.Generator | None = None) -> npt.NDArray[np.int16]:
    """``count`` shuffled decks, an int16 array of shape (count, 52).

    Raises:
        OptionError: a ``count`` below 0 or a bad ``rng``.
    """
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
        raise OptionError(f"count has to be a whole number of at least 0, not {printable(count)}")
    new = np.repeat(np.arange(2, 15, dtype=np.int16), 4)
    cards: npt.NDArray[Any] = np.broadcast_to(new, (int(count), 52))
    return np.ascontiguousarray(_generator(rng).permuted(cards, axis=1))


def _generator(rng: object) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or (isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0):
        return np.random.default_rng(None if rng is None else int(rng))
    raise OptionError(f"rng has to be None, a seed of at least 0 or a numpy Generator, not {printable(rng)}")
