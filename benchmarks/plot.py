"""``gamecore bench-plot``: saved benchmark baselines in, a picture of times and ratios by release out.

Here is also the one reader of baselines (:func:`read_baseline`); ``benchmarks/baseline.py`` writes them.
"""

import argparse
import io
import json
import math
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from gamecore.text import printable
from gamecore.cli.common import OK, read_text
from gamecore.errors import GamecoreError, OptionError

FORMAT = "gamecore baseline 1"
KINDS = ("native", "reference", "peer")
FILE_TYPES = (".svg", ".png", ".pdf")

EPILOG = """\
Files are what `make baseline` saves, one a release; releases stand in the order of their versions. Left, seconds of the
fastest native version of each group; right, how many times faster that is than the group's slowest reference version.

example:  gamecore bench-plot benchmarks/results/*.json -o history.svg
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One benchmark of a run.

    Attributes:
        name: pytest's node id. group, game, version: what is compared with what.
        kind: ``native`` (ours, gated), ``reference`` (the sources' algorithm in Python) or ``peer``.
        median, best: seconds of the median and of the fastest round, for one unit of work.
        nodes, table_mb: of searches, else None.
    """

    name: str
    group: str
    game: str
    version: str
    kind: str
    median: float
    best: float
    nodes: int | None = None
    table_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Baseline:
    """A saved run.

    Attributes:
        version: of gamecore. saved: UTC time, ISO 8601. arguments: pytest's, beyond ``--benchmark``.
        build_info: the fields of ``gamecore.build_info()``. machine: ``cpu`` (its name) and ``cores``.
        records: the benchmarks.
    """

    version: str
    saved: str
    arguments: tuple[str, ...]
    build_info: dict[str, Any]
    machine: dict[str, Any]
    records: tuple[Record, ...]


def read_baseline(path: str | Path) -> Baseline:
    """A saved baseline.

    Raises:
        GamecoreError: no such file, or a damaged one: the message names the file and what is wrong with it.
    """
    text = read_text(str(path))
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        fields = {
            key: _typed(data, key, kind)
            for key, kind in (("version", str), ("saved", str), ("build_info", dict), ("machine", dict))
        }
        arguments = tuple(str(argument) for argument in _typed(data, "arguments", list))
        records = tuple(_record(entry) for entry in _typed(data, "benchmarks", list))
        if not records:
            raise ValueError("it has no benchmarks")
        if len({record.name for record in records}) != len(records):
            raise ValueError("a benchmark stands in it twice")
    except (ValueError, RecursionError) as error:
        reason = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise GamecoreError(f"{str(path)!a} is not a baseline or is damaged: {reason[:200]}") from None
    return Baseline(arguments=arguments, records=records, **fields)


def _typed(data: dict[str, Any], key: str, kind: type) -> Any:
    value = data.get(key)
    if not isinstance(value, kind):
        raise ValueError(f"{key} is {printable(value)}, not a {kind.__name__}")  # noqa: TRY004
    return value


def _record(entry: object) -> Record:
    if not isinstance(entry, dict):
        raise ValueError(f"a benchmark is {printable(entry)}, not an object")  # noqa: TRY004
    name = _typed(entry, "name", str)
    if entry.get("kind") not in KINDS:
        raise ValueError(f"{name}: kind is {printable(entry.get('kind'))}")
    median, best = (_number(name, entry, key) for key in ("median", "best"))
    if not median or not best:
        raise ValueError(f"{name}: a time is missing or zero")
    return Record(
        name=name,
        group=_typed(entry, "group", str),
        game=_typed(entry, "game", str),
        version=_typed(entry, "version", str),
        kind=entry["kind"],
        median=median,
        best=best,
        nodes=_number(name, entry, "nodes"),
        table_mb=_number(name, entry, "table_mb"),
    )


def _number(name: str, entry: dict[str, Any], key: str) -> Any:
    value = entry.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise ValueError(f"{name}: {key} is {printable(value)}, not a number of at least 0")
    return value


def version_key(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Sorts 0.9 before 0.10, and 1.0rc1 before 1.0."""
    release = re.match(r"\d+(\.\d+)*", version)
    numbers = tuple(int(part[:9]) for part in release.group().split(".")) if release else ()
    return numbers, release is not None and release.end() == len(version), version


def slowest_reference(records: list[Record]) -> Record | None:
    """What a group is measured by: its slowest reference version; without one, its slowest peer; or nothing."""
    for kind in ("reference", "peer"):
        found = [record for record in records if record.kind == kind]
        if found:
            return max(found, key=lambda record: record.best)
    return None


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "bench-plot",
        help="plot saved benchmark baselines, release by release",
        description="Plot saved benchmark baselines: time and ratio by release, one panel a game (needs matplotlib).",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="baselines, one a release")
    parser.add_argument(
        "-o", "--output", required=True, metavar="PICTURE", help=f"where to write: {', '.join(FILE_TYPES)}"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read everything, draw, and only then write."""
    output = Path(args.output)
    if output.suffix not in FILE_TYPES:
        raise OptionError(f"--output {printable(args.output)} has to end in one of {', '.join(FILE_TYPES)}")
    baselines = sorted((read_baseline(path) for path in args.files), key=lambda one: version_key(one.version))
    for one, other in pairwise(baselines):
        if one.version == other.version:
            raise GamecoreError(f"two of the files are baselines of version {printable(one.version)}")
    picture = draw(baselines, output.suffix[1:])
    try:
        output.write_bytes(picture)
    except OSError as error:
        raise GamecoreError(f"cannot write {args.output!a}: {error.strerror}") from None
    return OK


Series = dict[str, list[tuple[int, float]]]  #: by group: (number of the release, value)


def series(baselines: list[Baseline]) -> dict[str, tuple[Series, Series]]:
    """By game: seconds of each group's fastest native version, and times faster than its slowest reference."""
    found: dict[str, tuple[Series, Series]] = {}
    for number, baseline in enumerate(baselines):
        groups: dict[tuple[str, str], list[Record]] = {}
        for record in baseline.records:
            groups.setdefault((record.game, record.group), []).append(record)
        for (game, group), records in groups.items():
            native = [record.best for record in records if record.kind == "native"]
            reference = slowest_reference(records)
            if not native:
                continue
            seconds, ratios = found.setdefault(game, ({}, {}))
            seconds.setdefault(group, []).append((number, min(native)))
            if reference is not None:
                ratios.setdefault(group, []).append((number, reference.best / min(native)))
    return found


def draw(baselines: list[Baseline], file_type: str) -> bytes:
    """The picture as a file of this type; the same bytes for the same baselines.

    Raises:
        GamecoreError: matplotlib is not installed, or no baseline has a native benchmark.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise GamecoreError("bench-plot needs matplotlib: pip install gamecore[plot]") from None
    games = dict(sorted(series(baselines).items()))
    if not games:
        raise GamecoreError("no native benchmark in these files: there is nothing to plot")
    heights = [2.2 + 0.17 * len(seconds) for seconds, _ in games.values()]
    with mpl.rc_context({"svg.hashsalt": "gamecore", "font.size": 8}):
        figure = Figure(figsize=(11, sum(heights) + 0.4), layout="constrained")
        machines = {str(one.machine.get("cpu")) for one in baselines}
        if len(machines) > 1:
            figure.suptitle("baselines of several machines: compare ratios, not times")
        panels = figure.subfigures(len(games), 1, height_ratios=heights, squeeze=False)
        for panel, game in zip(panels[:, 0], games.items(), strict=True):
            _draw_game(panel, *game, [one.version for one in baselines])
        out = io.BytesIO()
        figure.savefig(out, format=file_type, metadata=None if file_type == "png" else _undated(file_type))
    return out.getvalue()


def _undated(file_type: str) -> dict[str, None]:
    return {"Date": None} if file_type == "svg" else {"CreationDate": None}


def _draw_game(panel: Any, game: str, both: tuple[Series, Series], versions: list[str]) -> None:
    panel.suptitle(game, fontweight="bold")
    axes = panel.subplots(1, 2)
    colors = {group: f"C{place % 10}" for place, group in enumerate(both[0])}
    markers = "osv^D"
    for axis, found, label in zip(axes, both, ("seconds", "times faster than the reference"), strict=True):
        for place, (group, color) in enumerate(colors.items()):
            points = found.get(group, [])
            axis.plot(
                [number for number, _ in points],
                [value for _, value in points],
                color=color,
                marker=markers[place // 10 % len(markers)],
                label=group,
            )
        axis.set_yscale("log")
        axis.set_ylabel(label)
        axis.set_xticks(range(len(versions)), versions)
        axis.set_xlim(-0.5, len(versions) - 0.5)
        axis.grid(visible=True, axis="y", alpha=0.3)
    handles, labels = axes[0].get_legend_handles_labels()
    panel.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=7, frameon=False)
