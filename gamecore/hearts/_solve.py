"""Answers: rounds in play solved with all hands open, and cards evaluated from the view of one seat."""

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, get_args

from gamecore import contract
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError
from gamecore.hearts._cards import TEXTS, controlled
from gamecore.hearts._players import player
from gamecore.hearts._position import Round, passing_first, read
from gamecore.hearts._view import View, checked, core_of
from gamecore.hearts.words import WORDS
from gamecore.kernels import hearts as kernel
from gamecore.limits import Limits, limits_of
from gamecore.rng import seed_of
from gamecore.text import checked_flag, checked_word

if TYPE_CHECKING:
    from gamecore.rng import Rng

Points: TypeAlias = tuple[int, int, int, int]
Method: TypeAlias = Literal["both", "max_n", "paranoid"]
METHODS: Final[tuple[str, ...]] = get_args(Method)

_ENTRY_BYTES = 40
_DEFAULT_TABLE_MB = 64.0


@dataclass(frozen=True)
class MoveValue(contract.MoveValue[int]):
    """A legal card with proven bounds of its value: minus the final points of the seat to move.

    Attributes:
        lower, upper: bounds of the value by the chosen method; -13 is 13 points.
        move: the card.
        max_n_points: final points of the four seats by max^n; None without ``max_n``, or if a limit was reached.
        paranoid_points: bounds of the points of the seat to move if the three others play against it; None without
            ``paranoid``.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (*contract.MoveValue.FIELDS, "max_n_points", "paranoid_points")

    max_n_points: Points | None = None
    paranoid_points: Bounds[int] | None = None


Analysis: TypeAlias = contract.Analysis[MoveValue, int]


@dataclass(frozen=True)
class Solution(contract.Solution[int, int]):
    """A round in play solved with all hands open.

    The value is *minus* the final points of the seat to move; larger is better, as in every game. -13 is 13 points, +26
    a moon under ``moon="shooter"``. By default it is the value of max^n.

    ``best_moves`` has all proven best cards, in the order C D S H and by rank. ``line`` is the play of all seats by
    max^n to the last card; it is empty for the method ``paranoid``.

    Attributes:
        method: of the value: ``max_n`` (also for ``both``) or ``paranoid``.
        max_n_points: final points of the four seats if each minimises its own; None without ``max_n``, or if a limit
            was reached.
        paranoid_points: bounds of the points of the seat to move if the three others play against it; they may be
            open where the value is exact. None without ``paranoid``.
        paranoid_move: a card that reaches them; None if not proven.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        *contract.Solution.FIELDS, "method", "max_n_points", "paranoid_points", "paranoid_move",
    )  # fmt: skip

    method: Literal["max_n", "paranoid"]
    max_n_points: Points | None = None
    paranoid_points: Bounds[int] | None = None
    paranoid_move: str | None = None

    def __str__(self) -> str:
        """``seat 2 gets 3 points: H4``, with the bounds if there are only bounds."""
        return WORDS.solution(self)


def solve(
    position: Round | str, limits: Limits | None = None, *, method: Method = "both", line: bool = True
) -> Solution:
    """Solve a round in play with all hands open.

    max^n (Luckhardt and Irani 1986): every seat minimises its own points; of equally good cards it plays the first in
    the order C D S H and by rank. Paranoid: the seat to move minimises its points and the three others maximise them;
    this bounds its points by max^n from above. All rules apply, moon and bonuses included. With more than 36 cards
    left it can take very long: give ``limits``.

    Args:
        position: a round in play, or its notation.
        limits: on time, nodes and table (default: a table of at most 64 MiB). If one is reached, ``lower`` and
            ``upper`` are proven bounds, and the line may be incomplete.
        method: ``max_n``, ``paranoid``, or ``both``: the value of max^n, with paranoid bounds.
        line: whether to find the ``line``; ``nodes`` does not count its nodes.

    Raises:
        GamecoreError: cards are still to be passed.
        ParseError: a malformed text.
        OptionError: not a round, bad limits or an unknown method.
        MemoryError: not enough for the table.
    """
    begun, line = time.perf_counter(), checked_flag(line, "line")
    round_, limits = read(position), limits_of(limits)
    checked_word(method, "method", METHODS)
    seat = round_.to_move
    method_of_value: Literal["max_n", "paranoid"] = "paranoid" if method == "paranoid" else "max_n"
    if round_.is_over:
        score: Points = round_._core.score()
        return Solution(
            -score[seat], -score[seat], seat, (), (), 0, time.perf_counter() - begun, 0, method_of_value,
            score if method != "paranoid" else None, Bounds(score[seat], score[seat]) if method != "max_n" else None,
        )  # fmt: skip
    moves, play, table_bytes = _search(round_, limits, method, line)
    points = [move.paranoid_points for move in moves if move.paranoid_points is not None]
    paranoid = Bounds(min(b.lower for b in points), min(b.upper for b in points)) if points else None
    best = moves.best_moves
    return Solution(
        lower=max(move.lower for move in moves),
        upper=max(move.upper for move in moves),
        to_move=seat,
        best_moves=best,
        line=play,
        nodes=moves.nodes,
        seconds=time.perf_counter() - begun,
        table_bytes=table_bytes,
        method=method_of_value,
        max_n_points=next((move.max_n_points for move in moves if best[:1] == (move.move,)), None),
        paranoid_points=paranoid,
        paranoid_move=_reaching(paranoid, moves),
        best_so_far=None if best else _best_so_far(round_, moves),
    )


def _best_so_far(round_: Round, moves: Analysis) -> str:
    """The card with the best bounds; among equals the choice of ``duck``, or the first."""
    rule_of_thumb = round_.ask("duck")
    return max(moves, key=lambda entry: (entry.lower, entry.upper, entry.move == rule_of_thumb)).move


def _reaching(paranoid: Bounds[int] | None, moves: Analysis) -> str | None:
    """The first card proven to have the paranoid value."""
    if paranoid is None or not paranoid.exact:
        return None
    reaching = (move.move for move in moves if move.paranoid_points and move.paranoid_points.upper == paranoid.upper)
    return next(reaching, None)


def analyse(position: Round | str, limits: Limits | None = None, *, method: Method = "both") -> Analysis:
    """Every legal card with its value for the seat to move, best first, equals in the order C D S H and by rank.

    The value of a card is minus the final points of the seat. All cards share one table and the limits; unfinished
    cards have bounds. Empty when the round is over.

    Args:
        position, limits, method: as for :func:`solve`.

    Raises:
        GamecoreError, ParseError, OptionError, MemoryError: as for :func:`solve`.
    """
    begun = time.perf_counter()
    round_, limits = read(position), limits_of(limits)
    checked_word(method, "method", METHODS)
    if round_.is_over:
        return contract.Analysis((), round_.to_move, 0, time.perf_counter() - begun)
    unsorted, _, _ = _search(round_, limits, method, False)
    moves = tuple(sorted(unsorted, key=lambda move: (-move.lower, -move.upper)))
    return contract.Analysis(moves, round_.to_move, unsorted.nodes, time.perf_counter() - begun)


def _search(round_: Round, limits: Limits, method: Method, line: bool) -> tuple[Analysis, tuple[str, ...], int]:
    """The legal cards in their order, the line of play, and the bytes of the table."""
    if round_.passing_seats:
        raise GamecoreError(f"{passing_first(round_.passing_seats)}: there is nothing to solve yet")
    bounds = limits.for_kernel(_DEFAULT_TABLE_MB)
    useful, fitting = 42 - len(round_.played), (bounds.table_bytes // _ENTRY_BYTES).bit_length() - 1
    entries = 1 << max(0, min(max(10, min(28, useful)), fitting))
    with controlled(bounds) as control:
        rows, cards, nodes, _ = kernel.solve(
            round_._core, control, entries, method != "paranoid", method != "max_n", line
        )
    values = {TEXTS[row[0]]: _value_of(row, round_.to_move, method) for row in rows}
    moves = tuple(values[move] for move in round_.legal_moves())
    play = tuple(TEXTS[card] for card in cards or ())
    return contract.Analysis(moves, round_.to_move, nodes, 0.0), play, entries * _ENTRY_BYTES


def _value_of(row: "kernel.SolvedMove", seat: int, method: Method) -> MoveValue:
    """A card's value from the proven points of the seat that plays it."""
    card, vector, paranoid, (least, most) = row
    if method == "paranoid":
        assert paranoid is not None
        least, most = paranoid
    elif vector is not None:
        least = most = vector[seat]
    elif paranoid is not None:
        most = min(most, paranoid[1])  # the paranoid value is an upper bound of max^n points
    return MoveValue(-most, -least, TEXTS[card], vector, None if paranoid is None else Bounds(*paranoid))


# --- evaluation by playouts -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evaluation(contract.Result):
    """Estimate of one move by playouts.

    Attributes:
        move: a legal card, or three cards to pass, as in ``legal_moves``.
        mean: mean points of the seat at the end of the round (fewer is better); nan without playouts.
        stderr: standard error of the mean; nan below two playouts. All moves share their deals: differences between
            moves have smaller errors.
        playouts: number of playouts.
    """

    move: str
    mean: float
    stderr: float
    playouts: int

    def __str__(self) -> str:
        """``SQ 13.20 +- 0.11``."""
        return f"{self.move} {self.mean:.2f} +- {self.stderr:.2f}"


def evaluate_moves(
    view: View,
    limits: Limits | None = None,
    *,
    playouts: int = 1000,
    policy: str = "greedy",
    rng: "Rng" = None,
    epsilon: float | None = None,
    infer: int = 0,
) -> tuple[Evaluation, ...]:
    """Mean points after each legal card of a view, best (fewest) first.

    The unseen cards are dealt uniformly over all hands consistent with the view: voids shown, cards passed, and plays
    that the rules forced. Every deal is played to its end once per card.

    Args:
        view: of the seat to move (``round_.view(round_.to_move)``).
        limits: on time and on playouts of single cards (``nodes``); if one is reached, fewer deals are used.
        playouts: deals, from 1.
        policy: of all four seats: as :class:`BuiltIn` has it.
        rng: None, an integer, a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.
        epsilon: chance of a random card at each step; default 0.1 (0 with random and linear playouts).
        infer: 0: uniform deals; else Metropolis steps per deal, drawn by the likelihood of the play so far.

    Raises:
        GamecoreError: not a view of the seat to move, a view during the pass, or an inconsistent view.
        OptionError: an argument out of its range.
    """
    checked(view)
    if view.to_move != view.seat or not view.hand:
        raise GamecoreError(f"seat {view.seat} has no move to evaluate")
    spec = player("pimc", playouts=playouts, policy=policy, epsilon=epsilon, infer=infer)
    core, seed = core_of(view), seed_of(rng)
    with controlled(limits_of(limits).for_kernel(0)) as control:
        rows = core.evaluate(view.seat, spec.numbers, seed, control)
    estimates = [Evaluation(TEXTS[card], *_mean_and_error(total, square, n), n) for card, total, square, n in rows]
    return tuple(sorted(estimates, key=lambda estimate: estimate.mean))


def _mean_and_error(total: float, square: float, count: int) -> tuple[float, float]:
    """Mean and standard error from a sum, a sum of squares and a count; nan where undefined."""
    if not count:
        return math.nan, math.nan
    if count < 2:
        return total / count, math.nan
    return total / count, math.sqrt(max(0.0, (square - total * total / count) / (count - 1)) / count)
