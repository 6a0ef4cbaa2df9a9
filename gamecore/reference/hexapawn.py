"""The source's three solvers of Hexapawn (there in Haskell), naive and memoised with a list or a map, and two more.

The two show what the kernel does: it asks who wins before it asks how soon, and learns which moves to try first.

A configuration is ``(to_move, rows)``: ``"white"`` or ``"black"``, and a tuple of strings, top row first, ``P``
white, ``p`` black. White moves up. ``trace`` records the calls: see :func:`gamecore.trace`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from gamecore.reference import Version, Versions, watched
from gamecore.text import checked_word

if TYPE_CHECKING:
    from gamecore.draw import How, Trace

Rows: TypeAlias = tuple[str, ...]
Configuration: TypeAlias = tuple[str, Rows]

SIDES = ("white", "black")


def start(rows: int, cols: int) -> Configuration:
    """Return the start position."""
    return "white", ("p" * cols, *[" " * cols] * (rows - 2), "P" * cols)


def successors(configuration: Configuration) -> Iterator[Configuration]:
    """Yield the configurations after one move, without a check that the game is not over."""
    to_move, rows = configuration
    checked_word(to_move, "to_move", SIDES)
    own, opp, step, after = ("P", "p", -1, "black") if to_move == "white" else ("p", "P", 1, "white")
    for i, row in enumerate(rows):
        if not 0 <= i + step < len(rows):
            continue
        for j, square in enumerate(row):
            if square != own:
                continue
            for k, wanted in ((j - 1, opp), (j, " "), (j + 1, opp)):
                if 0 <= k < len(row) and rows[i + step][k] == wanted:
                    moved = list(rows)
                    moved[i] = row[:j] + " " + row[j + 1 :]
                    moved[i + step] = rows[i + step][:k] + own + rows[i + step][k + 1 :]
                    yield after, tuple(moved)


def opponent_arrived(configuration: Configuration) -> bool:
    """True if the side that is not to move has won by reaching its far row."""
    to_move, rows = configuration
    checked_word(to_move, "to_move", SIDES)
    return "p" in rows[-1] if to_move == "white" else "P" in rows[0]


def value_from(values: list[int]) -> int:
    """Return a configuration's value from its successors' values, by the source's rule."""
    if not values:
        return 0
    if all(value > 0 for value in values):
        return -(max(values) + 1)
    return -(max(value for value in values if value <= 0) - 1)


def text(configuration: Configuration) -> str:
    """Return a configuration on one line, for a trace."""
    return f"{'/'.join(configuration[1]).replace(' ', '.')} {configuration[0]}"


def naive(configuration: Configuration, trace: "Trace | None" = None) -> int:
    """Solve recursively, without memory."""
    return solved(configuration, lambda _: None, lambda *_: None, trace)


def memoised_list(configuration: Configuration, trace: "Trace | None" = None) -> int:
    """Solve with known values in a list of pairs, searched from its end."""
    known: list[tuple[Configuration, int]] = []

    def lookup(configuration: Configuration) -> int | None:
        return next((value for other, value in reversed(known) if other == configuration), None)

    return solved(configuration, lookup, lambda *pair: known.append(pair), trace)


def memoised_map(
    configuration: Configuration, known: dict[Configuration, int] | None = None, trace: "Trace | None" = None
) -> int:
    """Solve with known values in a dictionary, which a caller may pass to read or reuse it."""
    values = {} if known is None else known
    return solved(configuration, values.get, values.__setitem__, trace)


def solved(
    configuration: Configuration,
    lookup: Callable[[Configuration], int | None],
    store: Callable[[Configuration, int], None],
    trace: "Trace | None",
) -> int:
    """Solve recursively with a memory: ``lookup`` returns a known value or None, ``store`` keeps a new one."""

    @watched(trace, lambda after: (text(after), "computed" if lookup(after) is None else "remembered"))
    def search(configuration: Configuration) -> int:
        value = lookup(configuration)
        if value is None:
            if opponent_arrived(configuration):
                return 0
            value = value_from([search(after) for after in successors(configuration)])
            store(configuration, value)
        return value

    return search(configuration)


LONGEST = 1000  #: a win in n plies scores LONGEST - n, a loss in n plies n - LONGEST


def outcome_first(configuration: Configuration, trace: "Trace | None" = None) -> int:
    """Find who wins, then the distance, by questions "is the score at least S?" (version 4)."""
    return asked(configuration, trace, lambda before, moves: moves, lambda before, after: None)


def with_history(configuration: Configuration, trace: "Trace | None" = None) -> int:
    """Ask the same, but first try moves that answered most questions elsewhere (version 5).

    A move is known by what it changes: a window of three columns around the pawn, before and after.
    """
    answers: Counter[tuple[str, ...]] = Counter()

    def window(before: Configuration, after: Configuration) -> tuple[str, ...]:
        old, new = before[1], after[1]
        if before[0] == "black":  # seen from the side that moves
            old, new = (tuple(row.swapcase() for row in reversed(rows)) for rows in (old, new))
        targets = ((i, j) for i, line in enumerate(new) for j, square in enumerate(line) if square == "P" != old[i][j])
        row, column = next(targets)
        lines = [line for rows in (old, new) for line in rows[max(0, row - 2) : row + 2]]
        return tuple(line[max(0, column - 1) : column + 2] for line in lines)

    def ordered(before: Configuration, moves: list[Configuration]) -> list[Configuration]:
        return sorted(moves, key=lambda after: answers[window(before, after)], reverse=True)

    return asked(configuration, trace, ordered, lambda before, after: answers.update([window(before, after)]))


def parent_score(score: int) -> int:
    """Return a position's score from that of the position after its best move: a ply further from the end."""
    return -score - 1 if score < 0 else -score + 1


def asked(
    configuration: Configuration,
    trace: "Trace | None",
    order: Callable[[Configuration, list[Configuration]], list[Configuration]],
    praise: Callable[[Configuration, Configuration], None],
) -> int:
    """Return the value by questions; ``order`` sorts moves, ``praise`` is told a move that answered one."""
    bounds: dict[Configuration, tuple[int, int]] = {}

    def known(configuration: Configuration) -> tuple[int, int]:
        return bounds.get(configuration, (-LONGEST, LONGEST))

    def described(configuration: Configuration, least: int) -> tuple[str, "How"]:
        lower, upper = known(configuration)
        how: How = "remembered" if lower >= least or upper < least else "computed"
        return f"{text(configuration)}: {least} or more?", how

    @watched(trace, described, lambda configuration, _: known(configuration))
    def search(configuration: Configuration, least: int) -> int:
        """Return a lower bound of at least ``least``, or else an upper bound below it."""
        lower, upper = known(configuration)
        if lower >= least or upper < least:
            return lower if lower >= least else upper
        best = -LONGEST
        moves = [] if opponent_arrived(configuration) else order(configuration, list(successors(configuration)))
        for place, after in enumerate(moves, start=1):
            best = max(best, parent_score(search(after, -least if least > 0 else 2 - least)))
            if best >= least:
                praise(configuration, after)
                if trace:
                    trace.cut(text(other) for other in moves[place:])
                break
        bounds[configuration] = (best, upper) if best >= least else (lower, best)
        return best

    score = search(configuration, 1)  # who wins
    while (window := known(configuration))[0] < window[1]:
        score = search(configuration, max(score, window[0] + 1))
    return LONGEST - score if score > 0 else -LONGEST - score


VERSIONS: dict[str, Callable[..., int]] = {
    "naive": naive,
    "memoised with a list": memoised_list,
    "memoised with a map": memoised_map,
    "outcome first": outcome_first,
    "history": with_history,
}


def _versions_of(position: Any) -> dict[str, Version]:
    arguments = ((position.to_move, tuple(position.to_rows())),)
    most = {"naive": 12, "memoised with a list": 12, "memoised with a map": 16, "outcome first": 20, "history": 20}
    size = position.rows * position.columns
    return {name: Version(function, arguments) for name, function in VERSIONS.items() if size <= most[name]}


PART = Versions(tuple(VERSIONS), _versions_of)
