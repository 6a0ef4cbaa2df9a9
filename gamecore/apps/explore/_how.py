"""The panel "How": the sources' algorithms on the position shown, their counts side by side and the calls of one."""

import threading
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Final, cast

from gamecore.apps.explore._screen import Panel, Screen
from gamecore.contract import Playable
from gamecore.draw import Trace
from gamecore.game import Json, Option
from gamecore.reference import versions_of

_COUNTS: Final = ("total", "distinct", "remembered", "cutoffs")
_HEADINGS: Final = ("version", "calls", "different states", "remembered", "cut off")
_LOCK: Final = threading.Lock()  # a class that looks at one position searches once
MOST_CALLS: Final = 200  #: calls that are drawn


def panels_of(screen: Screen[Playable]) -> Mapping[str, Panel[Playable]]:
    """Return a screen's panels by name, with "how" if its game is one of the sources'."""
    if screen.game.part("reference") is None:
        return screen.panels
    # If an algorithm is quick enough. One seat sees none, because a search shows all hands.
    panel = Panel("How", how, _options, lambda at, seat: seat is None and bool(versions_of(at)), step="calls")
    return {**screen.panels, "how": panel}


def _options(position: Playable, seat: int | None) -> tuple[Option, ...]:
    names = tuple(versions_of(position))
    calls = Option("calls", "First calls (0: the whole tree)", 0, 0, MOST_CALLS)
    return Option("version", "Version", names[0], choices=names), calls


def how(position: Playable, seat: int | None, version: str, calls: int) -> Json:
    """Return the counts of all versions, and the tree of one, with what its marks say.

    ``calls``: number of calls that are drawn, in the order of the search; 0: the outer ones of all.
    """
    with _LOCK:
        traces = _traces(cast(Hashable, position))
    trace = traces[version]
    lines: list[tuple[str, ...]] = [_HEADINGS]
    lines += [(key, *(f"{getattr(trace, count):,}" for count in _COUNTS)) for key, trace in traces.items()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = "\n".join(
        "  ".join([first.ljust(widths[0]), *map(str.rjust, counts, widths[1:])]) for first, *counts in lines
    )
    marks = {
        "golden: searched more than once": sum(count > 1 for count in trace.states.values()),
        "a ring: remembered": trace.remembered,
        "struck: cut off": trace.cutoffs,
    }
    seen = "; ".join(f"{mark} ({count:,})" for mark, count in marks.items() if count)
    answer = {"all_versions": table, "marks": seen or "no state is searched twice, remembered or cut off"}
    picture = trace.picture(calls or None)
    return {**answer, f"calls_of_{version}": picture, "steps": min(trace.total, MOST_CALLS)}


@lru_cache(maxsize=4)
def _traces(position: Hashable) -> Mapping[str, Trace]:
    """Return the versions' traces by name; a step through the calls of a position searches nothing again."""
    return {name: version.trace() for name, version in versions_of(position).items()}
