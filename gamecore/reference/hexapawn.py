"""The source's three solvers of Hexapawn (there in Haskell): naive, memoised with a list, memoised with a map.

A configuration is ``(to_move, rows)``: ``"white"`` or ``"black"``, and a tuple of strings, top row first, ``P``
white, ``p`` black. White moves up. ``trace`` records the calls: see :func:`gamecore.trace`.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from gamecore.reference import check_word

if TYPE_CHECKING:
    from gamecore.draw import Trace

Rows: TypeAlias = tuple[str, ...]
Configuration: TypeAlias = tuple[str, Rows]

SIDES = ("white", "black")


def start(rows: int, cols: int) -> Configuration:
    """Return the start position."""
    return "white", ("p" * cols, *[" " * cols] * (rows - 2), "P" * cols)


def successors(configuration: Configuration) -> Iterator[Configuration]:
    """Yield the configurations after one move, without a check that the game is not over."""
    to_move, rows = configuration
    check_word("to_move", to_move, SIDES)
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
    check_word("to_move", to_move, SIDES)
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
    if trace:
        trace.enter(text(configuration))
    if opponent_arrived(configuration):
        value = 0
    else:
        value = value_from([naive(after, trace) for after in successors(configuration)])
    return trace.leave(value) if trace else value


def memoised_list(configuration: Configuration, trace: "Trace | None" = None) -> int:
    """Solve with known values in a list of pairs, searched from its end."""
    known: list[tuple[Configuration, int]] = []

    def search(configuration: Configuration) -> int:
        for other, value in reversed(known):
            if other == configuration:
                return trace.leaf(text(configuration), value, "remembered") if trace else value
        if trace:
            trace.enter(text(configuration))
        if opponent_arrived(configuration):
            return trace.leave(0) if trace else 0
        value = value_from([search(after) for after in successors(configuration)])
        known.append((configuration, value))
        return trace.leave(value) if trace else value

    return search(configuration)


def memoised_map(
    configuration: Configuration, known: dict[Configuration, int] | None = None, trace: "Trace | None" = None
) -> int:
    """Solve with known values in a dictionary, which a caller may pass to read or reuse it."""
    known = {} if known is None else known
    if trace:
        trace.enter(text(configuration), "remembered" if configuration in known else "computed")
    if opponent_arrived(configuration):
        return trace.leave(0) if trace else 0
    if configuration not in known:
        known[configuration] = value_from([memoised_map(after, known, trace) for after in successors(configuration)])
    return trace.leave(known[configuration]) if trace else known[configuration]


VERSIONS: dict[str, Callable[..., int]] = {
    "naive": naive,
    "memoised with a list": memoised_list,
    "memoised with a map": memoised_map,
}


def perft(configuration: Configuration, depth: int) -> int:
    """Count the sequences of ``depth`` moves."""
    if depth == 0:
        return 1
    if opponent_arrived(configuration):
        return 0
    return sum(perft(after, depth - 1) for after in successors(configuration))


def reachable(configuration: Configuration) -> set[Configuration]:
    """Return every configuration that play can reach, this one included."""
    seen = {configuration}
    waiting = [configuration]
    while waiting:
        current = waiting.pop()
        if not opponent_arrived(current):
            for after in successors(current):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return seen
