"""The source's three solvers of Hexapawn (there in Haskell): naive, memoised with a list, memoised with a map.

A configuration is ``(to_move, rows)``: ``"white"`` or ``"black"``, and a tuple of strings, top row first, ``P``
white, ``p`` black. White moves up. ``trace`` records the calls: see :func:`gamecore.trace`.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from gamecore.reference import check_word, watched
from gamecore.reference._versions import Version, Versions

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
    return solved(configuration, lambda _: None, lambda *_: None, trace)


def memoised_list(configuration: Configuration, trace: "Trace | None" = None) -> int:
    """Solve with known values in a list of pairs, searched from its end."""
    known: list[tuple[Configuration, int]] = []

    def lookup(configuration: Configuration) -> int | None:
        for other, value in reversed(known):
            if other == configuration:
                return value
        return None

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


VERSIONS: dict[str, Callable[..., int]] = {
    "naive": naive,
    "memoised with a list": memoised_list,
    "memoised with a map": memoised_map,
}


def _versions_of(position: Any) -> dict[str, Version]:
    arguments = ((position.to_move, tuple(position.to_rows())),)
    most = {"naive": 12, "memoised with a list": 12, "memoised with a map": 16}
    size = position.rows * position.columns
    return {name: Version(function, arguments) for name, function in VERSIONS.items() if size <= most[name]}


PART = Versions(tuple(VERSIONS), _versions_of)
