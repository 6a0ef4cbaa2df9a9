"""What a person sees of ``pytest --benchmark``: a table a group, and with ``--plot=DIR`` time against size."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple


class Point(NamedTuple):
    """One benchmark: its game, group and version, and the median seconds and the nodes of one unit of its work."""

    game: str
    group: str
    version: str
    seconds: float
    nodes: float | None = None


def point(item: Any, benchmark: Any) -> Point:
    """Return the point of a benchmark that has run."""
    info, game = benchmark.extra_info, item.path.stem.removeprefix("test_")
    work, nodes = info.get("work", 1), info.get("nodes")
    seconds, nodes = benchmark.stats.stats.median / work, None if nodes is None else nodes / work
    return Point(game, benchmark.group or "other", str(info.get("version", item.name)), seconds, nodes)


def duration(seconds: float) -> str:
    """Write seconds with three significant digits and a unit: ``12.3 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def tables(points: Iterable[Point]) -> list[str]:
    """Return a table for each group, the fastest version first; every column is about one item (a deal, a board)."""
    groups: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        groups[point.group].append(point)
    lines = []
    for group, members in groups.items():
        lines += ["", f"{group:<52} {'time an item':>13} {'fastest = 1':>12} {'nodes an item':>14}"]
        for point in sorted(members, key=lambda point: point.seconds):
            ratio = point.seconds / min(point.seconds for point in members)
            times = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
            nodes = "" if point.nodes is None else f"{point.nodes:,.0f}"
            lines.append(f"  {point.version:<50} {duration(point.seconds):>13} {times:>12} {nodes:>14}".rstrip())
    return lines


def size_of(group: str) -> int | None:
    """Return the size in a group's name: n, or the squares of a board."""
    match = re.search(r"\bn=(\d+(?:,\d{3})*)|\b(\d+)x(\d+)\b", group)
    return match and math.prod(int(number.replace(",", "")) for number in match.groups() if number)


def by_size(points: Iterable[Point], directory: Path) -> list[Path]:
    """Draw time against size, a file a game, and return the files.

    A panel has the groups that differ in their numbers alone, of two sizes at least; its axes are logarithmic.
    """
    from matplotlib.figure import Figure

    games: dict[str, Any] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for point in points:
        if size := size_of(point.group):
            family = re.sub(r"\b\d+(?:,\d{3})*(?:x\d+)?\b", "N", point.group)
            games[point.game][family][point.version].append((size, point.seconds))
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for game, families in games.items():
        sizes = {family: {size for line in lines.values() for size, _ in line} for family, lines in families.items()}
        shown = [(family, lines) for family, lines in families.items() if len(sizes[family]) > 1]
        if not shown:
            continue
        figure = Figure(figsize=(7, 4 * len(shown)), layout="constrained")
        for axes, (family, lines) in zip(figure.subplots(len(shown), squeeze=False).flat, shown, strict=True):
            for version, line in lines.items():
                axes.plot(*zip(*sorted(line), strict=True), marker="o", label=version)
            axes.set(
                xscale="log", yscale="log", title=family, xlabel="size (log axis)", ylabel="seconds an item (log axis)"
            )
            axes.grid(visible=True, alpha=0.3)
            axes.legend(fontsize=7, frameon=False)
        written.append(directory / f"{game}.svg")
        figure.savefig(written[-1])
    return written
