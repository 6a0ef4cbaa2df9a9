"""Pictures of runs: time against size with a line a version, and the versions of each release."""

import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from comparing.records import Record, Run, measure_of
from gamecore import GamecoreError

FILE_TYPES = (".svg", ".png", ".pdf")
STYLE = {"svg.hashsalt": "gamecore", "font.size": 8}
COLORS = {"reference": "#b0b0b0", "peer": "#e0a040", "native": "#1b7f79"}
MARKERS = "osv^DPX*"

Bar = tuple[str, str, str, float]  #: kind, version, release, times faster
Points = dict[str, list[tuple[float, float]]]  #: by version: (size, seconds)


def size_of(group: str) -> tuple[str, float] | None:
    """A group's name with its size as "N", and the size: n, or the squares of a board; None without one."""
    if found := re.search(r"n=(\d(?:[\d,_]*\d)?)", group):
        size = float(re.sub(r"\D", "", found[1]))
    elif found := re.search(r"\b(\d+)x(\d+)\b", group):
        size = float(int(found[1]) * int(found[2]))
    else:
        return None
    rest = re.sub(r"\b\d+ (random|low) deals", r"\1 deals", group[found.end() :])
    name = "rows x columns" if "x" in found[0] else "n"
    return f"{group[: found.start()]}{name}{rest}".strip(), size


def families(records: Iterable[Record]) -> dict[str, dict[str, Points]]:
    """By game, by family of groups that differ in their size alone: the points of each version; two sizes at least."""
    found: dict[str, dict[str, Points]] = {}
    for one in records:
        split = size_of(one.group)
        if split is not None:
            family, size = split
            points = found.setdefault(one.game, {}).setdefault(family, {}).setdefault(one.version, [])
            points.append((size, one.median))
    for game in list(found):
        found[game] = {
            family: {version: sorted(points) for version, points in versions.items()}
            for family, versions in found[game].items()
            if len({size for points in versions.values() for size, _ in points}) > 1
        }
    return {game: kept for game, kept in sorted(found.items()) if kept}


def by_size(records: Iterable[Record], directory: Path) -> list[Path]:
    """Draw time for one item against size, a file a game and a panel a family of groups; return the files.

    A version has one colour in all pictures.

    Raises:
        GamecoreError: matplotlib is not installed, or the directory cannot be written.
    """
    records = list(records)
    colors = {version: f"C{place}" for place, version in enumerate(sorted({one.version for one in records}))}
    written = []
    for game, found in families(records).items():
        figure = _figure(figsize=(5.5 * min(2, len(found)), 3.6 * ((len(found) + 1) // 2)))
        axes = figure.subplots((len(found) + 1) // 2, min(2, len(found)), squeeze=False).ravel()
        for axis, (family, versions) in zip(axes, sorted(found.items()), strict=False):
            for place, (version, points) in enumerate(sorted(versions.items(), key=lambda one: -one[1][-1][1])):
                marker = MARKERS[place % len(MARKERS)]
                axis.plot(
                    [x for x, _ in points], [y for _, y in points], marker=marker, color=colors[version], label=version
                )
            axis.set(xscale="log", yscale="log", title=family, xlabel="size", ylabel="seconds an item")
            axis.grid(visible=True, alpha=0.3)
            axis.legend(fontsize=7, frameon=False)
        for axis in axes[len(found) :]:
            axis.set_axis_off()
        written.append(save(figure, directory / f"{game}.svg"))
    return written


def releases(runs: list[Run], most: int = 3) -> Any:
    """A figure of several releases, oldest first: bars of the versions at each, a panel a game.

    A bar is how many times faster a version is than the slowest of its group.

    Args:
        runs: one of each release. most: groups of each game, those with most versions and then the largest ratio.
    """
    games: dict[str, dict[str, list[Bar]]] = {}
    for game, group in sorted({(one.game, one.group) for run in runs for one in run.records.values()}):
        bars = bars_of(runs, game, group)
        if bars:
            games.setdefault(game, {})[group] = bars
    if not games:
        raise GamecoreError("no group of these runs has a native version and one to measure it by")
    for game, groups in games.items():
        ranked = sorted(groups, key=lambda group: (-len(groups[group]), -max(bar[3] for bar in groups[group])))
        games[game] = {group: groups[group] for group in groups if group in ranked[: most or None]}
    lines = [sum(len(bars) + 1.5 for bars in groups.values()) for groups in games.values()]
    rows = (len(games) + 1) // 2
    heights = [0.6 + 0.16 * max(lines[2 * row : 2 * row + 2]) for row in range(rows)]
    figure = _figure(figsize=(10, sum(heights) + 0.4))
    axes = figure.subplots(rows, 2, height_ratios=heights, squeeze=False).ravel()
    for axis, (game, groups) in zip(axes, games.items(), strict=False):
        _draw_bars(axis, game, groups, len(runs) > 1)
    for axis in axes[len(games) :]:
        axis.set_axis_off()
    figure.supxlabel("times faster than the slowest version of the group (log scale)", fontsize=8)
    return figure


def bars_of(runs: list[Run], game: str, group: str) -> list[Bar]:
    """A group: native versions of every release, the others of the last; none where there is nothing to compare."""
    bars = []
    for run in runs:
        found = [one for one in run.records.values() if (one.game, one.group) == (game, group)]
        if measure_of(found) is None or not any(one.kind == "native" for one in found):
            continue
        slowest = max(one.best for one in found)
        for one in sorted(found, key=lambda one: -one.best):
            if one.kind == "native" or run is runs[-1]:
                bars.append((one.kind, one.version, run.version, slowest / one.best))
    return bars


def _draw_bars(axis: Any, game: str, groups: dict[str, list[Bar]], several: bool) -> None:
    place, ticks = 0.0, []
    for group, bars in groups.items():
        axis.text(1.05, place, group, fontsize=7, fontweight="bold", va="center")
        place += 1
        for kind, version, release, factor in bars:
            axis.barh(place, max(factor, 1.03) - 1, left=1, color=COLORS[kind], height=0.8)
            axis.text(max(factor, 1.03) * 1.08, place, f"{factor:,.0f}", fontsize=6, va="center")
            ticks.append((place, f"{version} {release}" if several and kind == "native" else version))
            place += 1
        place += 0.5
    axis.set_xscale("log")
    axis.set_xlim(1, 2.5 * max(bar[3] for bars in groups.values() for bar in bars))
    axis.set_yticks([at for at, _ in ticks], [label for _, label in ticks], fontsize=7)
    axis.set_ylim(place, -1)
    axis.set_title(game, loc="left", fontweight="bold")
    axis.spines[["top", "right"]].set_visible(False)


def _figure(**options: Any) -> Any:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise GamecoreError("pictures need matplotlib: pip install gamecore[plot]") from None
    with mpl.rc_context(STYLE):
        return Figure(layout="constrained", **options)


def save(figure: Any, path: Path) -> Path:
    """Write the figure as the type that the file's name says; the same bytes for the same figure.

    Raises:
        GamecoreError: the name ends in none of FILE_TYPES, or the file cannot be written.
    """
    import matplotlib as mpl

    if path.suffix not in FILE_TYPES:
        raise GamecoreError(f"{str(path)!a} has to end in one of {', '.join(FILE_TYPES)}")
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": None}[path.suffix]
    out = io.BytesIO()
    with mpl.rc_context(STYLE):
        figure.savefig(out, format=path.suffix[1:], metadata=dates)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(out.getvalue())
    except OSError as error:
        raise GamecoreError(f"cannot write {str(path)!a}: {error.strerror}") from None
    return path
