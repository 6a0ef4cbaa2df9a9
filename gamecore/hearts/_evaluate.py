"""Judging moves: playouts over determinized hands, and the perfect-information solver."""

import math
import time
from dataclasses import dataclass

from gamecore.batch import _workers
from gamecore.text import printable
from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._players import player
from gamecore.hearts._position import Round, View, core_of
from gamecore.hearts._rules import Rng, kernel, seed_of, text_of
from gamecore.limits import Limits
from gamecore.contract import Bounds


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What playouts say of one card.

    Attributes:
        card: a legal card. mean: points of the seat at the end of the round, on average over the playouts (lower is
            better). stderr: standard error of the mean; the playouts of all cards share their deals, so that
            differences between cards are better known than this says. playouts: how many.
    """

    card: str
    mean: float
    stderr: float
    playouts: int

    def __str__(self) -> str:
        """``SQ 13.20 +- 0.11``."""
        return f"{self.card} {self.mean:.2f} +- {self.stderr:.2f}"


def evaluate_moves(
    view: View,
    playouts: int = 1000,
    policy: str = "greedy",
    rng: Rng = None,
    *,
    epsilon: float | None = None,
    infer: int = 0,
) -> tuple[Evaluation, ...]:
    """Mean points after each legal card of a view, best (fewest) first.

    The unseen cards are dealt uniformly over all hands that agree with what the seat has seen - voids shown, cards
    passed, cards that the rules would have made somebody play - and every deal is played to its end once per card.

    Args:
        view: of the seat to move (``round_.view(round_.to_move)``). playouts: deals, from 1.
        policy: all four seats play by it: ``random``, ``greedy`` or ``duck``. rng: None, a seed or a Generator.
        epsilon: chance of a random card at each step; default 0.1 (0 with random playouts).
        infer: 0, or so many candidate deals for each one used, drawn by how well they explain the play so far.

    Raises:
        GamecoreError: not a view of the seat to move. OptionError: an argument out of its range.
    """
    if not isinstance(view, View):
        raise OptionError(f"evaluate_moves takes a View (round_.view(seat)), not {printable(view)}")
    if not view.legal_moves:
        raise GamecoreError(f"seat {view.seat} has no move to evaluate")
    spec = player("pimc", playouts=playouts, policy=policy, epsilon=epsilon, infer=infer)
    rows = core_of(view).evaluate(view.seat, spec.numbers, seed_of(rng))
    found = [Evaluation(text_of(card), total / n, _stderr(total, square, n), n) for card, total, square, n in rows]
    return tuple(sorted(found, key=lambda one: one.mean))


def _stderr(total: float, square: float, n: int) -> float:
    if n < 2:
        return math.nan
    return math.sqrt(max(0.0, (square - total * total / n) / (n - 1)) / n)


_ENTRY_BYTES = 40
_DEFAULT_TABLE_MB = 64.0
METHODS = ("both", "max_n", "paranoid")


@dataclass(frozen=True, slots=True)
class OpenMove:
    """What perfect play after one card leads to; all points are those at the end of the round.

    Attributes:
        card: a legal card. max_n: points of the four seats by max^n, or None where a limit came first (or it was not
            asked for). paranoid: proven bounds of the mover's points when the three others play against it, or None
            when it was not asked for.
    """

    card: str
    max_n: tuple[int, int, int, int] | None
    paranoid: Bounds | None


@dataclass(frozen=True, slots=True)
class OpenSolution:
    """A round solved with all hands open.

    Attributes:
        seat: seat to move. moves: every legal card, in the order of ``legal_moves``.
        max_n: final points of the four seats when each minimises its own; None when a limit came first.
        best_move: by max^n: the first of its best cards; None when not proven.
        paranoid: bounds of the mover's final points when the three others play against it; equal when exact.
        paranoid_move: a card that reaches them; None when not proven.
        nodes: positions searched. seconds: wall-clock time. table_bytes: memory of the table.
        exact: whether everything that was asked for is proven.
    """

    seat: int
    moves: tuple[OpenMove, ...]
    max_n: tuple[int, int, int, int] | None
    best_move: str | None
    paranoid: Bounds | None
    paranoid_move: str | None
    nodes: int
    seconds: float
    table_bytes: int
    exact: bool


def solve(round_: Round, limits: Limits | None = None, method: str = "both") -> OpenSolution:
    """Perfect information: the values of a round in play when everybody sees all hands.

    max^n (Luckhardt and Irani 1986): every seat minimises its own points; of cards equally good for it, it plays the
    first in the order C D S H and by rank. Paranoid: the mover minimises its points, the three others maximise them.
    All rules count, moon and bonuses included. With more than 36 cards left it can take very long: give ``limits``.

    Raises:
        GamecoreError: nobody is to move. OptionError: not a Round, or an unknown method (``both``, ``max_n``,
            ``paranoid``). MemoryError: none for the table.
    """
    if not isinstance(round_, Round):
        raise OptionError(f"solve takes a Round, not {printable(round_)}")
    if method not in METHODS:
        raise OptionError(f"method has to be one of {', '.join(METHODS)}, not {printable(method)}")
    seat = round_.to_move
    if seat is None:
        raise GamecoreError("no seat is to move: there is nothing to solve")
    bounds = (limits or Limits()).for_kernel(_DEFAULT_TABLE_MB)
    entries = _entries(52 - len(round_.view(seat).played), bounds.table_bytes)
    begun = time.perf_counter()
    stopper = kernel.Stopper()
    with _workers.stoppable(stopper.stop):
        rows, nodes, stopped = kernel.solve(
            round_.core, bounds.seconds, bounds.nodes, entries, method != "paranoid", method != "max_n", stopper
        )
    seconds = time.perf_counter() - begun
    moves = tuple(
        OpenMove(text_of(card), vector, None if found is None else Bounds(*found)) for card, vector, found in rows
    )
    moves = tuple(sorted(moves, key=lambda move: round_.legal_moves().index(move.card)))
    vectors = [(move.max_n, move.card) for move in moves if move.max_n is not None]
    best = min(vectors, key=lambda one: one[0][seat]) if len(vectors) == len(moves) else (None, None)
    paranoid, paranoid_move = _best_paranoid(moves)
    return OpenSolution(
        seat, moves, best[0], best[1], paranoid, paranoid_move, nodes, seconds, entries * _ENTRY_BYTES, not stopped
    )


def _entries(cards_left: int, table_bytes: int) -> int:
    """Entries of the table: what the search can use, within what it may: a power of two."""
    useful = 1 << max(10, min(28, cards_left - 10))
    fitting = 1 << max(0, (table_bytes // _ENTRY_BYTES).bit_length() - 1)
    return min(useful, fitting)


def _best_paranoid(moves: tuple[OpenMove, ...]) -> tuple[Bounds | None, str | None]:
    bounds = [(move.paranoid, move.card) for move in moves if move.paranoid is not None]
    if not bounds:
        return None, None
    value = Bounds(min(one.lower for one, _ in bounds), min(one.upper for one, _ in bounds))
    return value, next((card for one, card in bounds if value.exact and one.upper == value.upper), None)
