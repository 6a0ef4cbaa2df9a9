"""The panel "How": the sources' algorithms on the position shown, their counts side by side and the calls of one."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from gamecore.apps.explore._screen import Panel, Screen
from gamecore.game import Json, Option
from gamecore.reference import versions_of

_COUNTS: Final = ("total", "distinct", "remembered", "cutoffs")
_HEADINGS: Final = ("version", "calls", "different states", "remembered", "cut off")
MOST_CALLS: Final = 200  #: calls that are drawn


def panels_of(screen: Screen) -> Mapping[str, Panel]:
    """Return a screen's panels by name, with "how" if its game is one of the sources'."""
    versions = screen.game.part("reference")
    if versions is None:
        return screen.panels
    options = (
        Option("version", "Version", versions.names[0], choices=versions.names),
        Option("calls", "First calls (0: the whole tree)", 0, 0, MOST_CALLS),
    )
    # Only quick algorithms are shown. One seat sees none, because a search shows all hands.
    panel = Panel("How", how, options, lambda position, seat: seat is None and bool(versions_of(position)))
    return {**screen.panels, "how": panel}


def how(position: Any, seat: int | None, version: str, calls: int) -> Json:
    """Return the counts of all versions, and the tree of one: the first that suits, if the version asked for does not.

    ``calls``: number of calls that are drawn, in the order of the search; 0: the outer ones of all.
    """
    traces = _traces(position)
    name = version if version in traces else next(iter(traces))
    lines: list[tuple[str, ...]] = [_HEADINGS]
    lines += [(key, *(f"{getattr(trace, count):,}" for count in _COUNTS)) for key, trace in traces.items()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = "\n".join(
        "  ".join([first.ljust(widths[0]), *map(str.rjust, counts, widths[1:])]) for first, *counts in lines
    )
    suits = {} if name == version else {"note": f"{version} does not suit this position; below is {name}"}
    return {"all_versions": table, **suits, f"calls_of_{name}": traces[name].picture(calls or None)}


@lru_cache(maxsize=2)
def _traces(position: Any) -> Mapping[str, Any]:
    """Return the versions' traces by name; a step through the calls of a position searches nothing again."""
    return {name: version.trace() for name, version in versions_of(position).items()}
