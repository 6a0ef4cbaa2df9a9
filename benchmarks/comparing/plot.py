"""``pytest --benchmark --plot DIR``: time against size, a line a version, a picture a game."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

MARKERS = "osv^DPX*"

Lines = dict[str, list[tuple[float, float]]]  #: by version: (size, seconds)


class Point(NamedTuple):
    """One benchmark: its game, group and version, and seconds for a unit of its work."""

    game: str
    group: str
    version: str
    seconds: float


def point(item: Any, benchmark: Any) -> Point:
    """Return the point of a benchmark that has run."""
    game = item.path.stem.removeprefix("test_")
    seconds = benchmark.stats.stats.median / benchmark.extra_info.get("work", 1)
    return Point(game, benchmark.group or "other", str(benchmark.extra_info.get("version", item.name)), seconds)


def size_of(group: str) -> tuple[str, float] | None:
    """Split a group's name into its family and its size: n, or the squares of a board; None without a size."""
    if match := re.search(r"n=(\d(?:[\d,_]*\d)?)", group):
        size = float(re.sub(r"\D", "", match[1]))
    elif match := re.search(r"\b(\d+)x(\d+)\b", group):
        size = float(int(match[1]) * int(match[2]))
    else:
        return None
    rest = re.sub(r"\b\d+ (random|low) deals", r"\1 deals", group[match.end() :])
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
            axis.set(xscale="log", yscale="log", title=family, xlabel="size", ylabel="seconds an item")
            axis.grid(visible=True, alpha=0.3)
            axis.legend(fontsize=7, frameon=False)
        written.append(directory / f"{game}.svg")
        figure.savefig(written[-1])
    return written
