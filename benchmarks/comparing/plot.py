"""What a person sees of ``pytest --benchmark``: a table a group, and with ``--plot=DIR`` time against size."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

MARKERS = "osv^DPX*"

Lines = dict[str, list[tuple[float, float]]]  #: by version: (size, seconds)


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
    groups: dict[str, list[Point]] = {}
    for point in points:
        groups.setdefault(point.group, []).append(point)
    lines = []
    for group, members in groups.items():
        lines += ["", f"{group:<52} {'time an item':>13} {'fastest = 1':>12} {'nodes an item':>14}"]
        for point in sorted(members, key=lambda point: point.seconds):
            ratio = point.seconds / min(point.seconds for point in members)
            times = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
            nodes = "" if point.nodes is None else f"{point.nodes:,.0f}"
            lines.append(f"  {point.version:<50} {duration(point.seconds):>13} {times:>12} {nodes:>14}".rstrip())
    return lines


def size_of(group: str) -> tuple[str, float] | None:
    """Split a group's name into its family and its size: n, or the squares of a board; None without a size."""
    if match := re.search(r"n=(\d(?:[\d,_]*\d)?)", group):
        size = float(re.sub(r"\D", "", match[1]))
    elif match := re.search(r"\b(\d+)x(\d+)\b", group):
        size = float(int(match[1]) * int(match[2]))
    else:
        return None
    rest = re.sub(r"\b\d+ (random|low) deals", r"\1 deals", group[match.end() :].partition(", table of")[0])
    name = "rows x columns" if "x" in match[0] else "n"
    return f"{group[: match.start()]}{name}{rest}".strip(), size


def families(points: Iterable[Point]) -> dict[str, dict[str, Lines]]:
    """Return the lines of each family of groups that differ in their size alone, by game; two sizes at least."""
    games: dict[str, dict[str, Lines]] = {}
    for point in points:
        if split := size_of(point.group):
            family, size = split
            lines = games.setdefault(point.game, {}).setdefault(family, {})
            lines.setdefault(point.version, []).append((size, point.seconds))
    for game, by_family in games.items():
        games[game] = {
            family: {version: sorted(line) for version, line in lines.items()}
            for family, lines in by_family.items()
            if len({size for line in lines.values() for size, _ in line}) > 1
        }
    return {game: by_family for game, by_family in sorted(games.items()) if by_family}


def by_size(points: Iterable[Point], directory: Path) -> list[Path]:
    """Draw a file a game, a panel a family, logarithmic axes; return the files. A version has one colour everywhere."""
    from matplotlib.figure import Figure

    points = list(points)
    colors = {version: f"C{place}" for place, version in enumerate(sorted({point.version for point in points}))}
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for game, by_family in families(points).items():
        height = (len(by_family) + 1) // 2
        figure = Figure(figsize=(11, 3.6 * height), layout="constrained")
        axes = figure.subplots(height, 2, squeeze=False).ravel()
        for axis in axes[len(by_family) :]:
            axis.set_axis_off()
        for axis, (family, lines) in zip(axes, sorted(by_family.items()), strict=False):
            for place, (version, line) in enumerate(sorted(lines.items())):
                marker = MARKERS[place % len(MARKERS)]
                axis.plot(*zip(*line, strict=True), marker=marker, color=colors[version], label=version)
            axis.set(
                xscale="log", yscale="log", title=family, xlabel="size (log axis)", ylabel="seconds an item (log axis)"
            )
            axis.grid(visible=True, alpha=0.3)
            axis.legend(fontsize=7, frameon=False)
        written.append(directory / f"{game}.svg")
        figure.savefig(written[-1])
    return written
