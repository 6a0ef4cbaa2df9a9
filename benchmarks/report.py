"""The closing table of ``pytest --benchmark``: each version of a group, against its slowest and the last baseline.

What a benchmark says of itself, in ``benchmark.group`` and ``benchmark.extra_info``:

    group         game, task, size and inputs by seed, so that the figure can be made again: "duel n=8, 5 random deals"
                  where deal k of family F has the seed "F-n-k". Versions of one group answer the same question, and the
                  benchmark asserts that they answer it alike.
    "version"     what the table calls it: "alpha-beta", "native", "numba". Default: the test's name.
    "kind"        "native": ours, gated by `make compare`; "reference": the sources' algorithm in plain Python, which
                  the others are measured by; "peer": another library. Default, by the test's name: "reference" where
                  it has that word or "python", "peer" where it has "numba", "numpy", "open_spiel" or "peer".
    "work"        units of work in a round, where versions of a group do different amounts (rounds played, rows solved):
                  times are then shown and compared for one unit. Default: 1.
    "nodes"       positions searched; "table_mb": peak memory of the table, MiB.
    "seeds"       seeds, where the group's name does not say them.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from gamecore.cli.bench_plot import Record

REFERENCE_WORDS = ("reference", "python")
PEER_WORDS = ("numba", "numpy", "open_spiel", "openspiel", "peer")


def record(fullname: str, group: str | None, extra_info: dict[str, Any], median: float, best: float) -> Record:
    """A benchmark of a run as baselines keep it; times in seconds a round."""
    path, _, name = fullname.partition("::")
    work = extra_info.get("work", 1)
    return Record(
        name=fullname,
        group=group or "other",
        game=path.rpartition("/")[2].removeprefix("test_").removesuffix(".py"),
        version=str(extra_info.get("version", name.removeprefix("test_"))),
        kind=extra_info.get("kind") or _kind(name),
        median=median / work,
        best=best / work,
        nodes=extra_info.get("nodes"),
        table_mb=extra_info.get("table_mb"),
    )


def _kind(name: str) -> str:
    name = name.lower()
    if any(word in name for word in PEER_WORDS):
        return "peer"
    return "reference" if any(word in name for word in REFERENCE_WORDS) else "native"


def of_session(benchmarks: Iterable[Any]) -> list[Record]:
    """The records of pytest-benchmark's results of this process."""
    return [
        record(one.fullname, one.group, one.extra_info, one["median"], one["min"])
        for one in benchmarks
        if not one.has_error
    ]


def ratio_tables(records: list[Record], verdicts: dict[str, str], against: str | None) -> list[str]:
    """Lines of a table a group, slowest version first.

    Args:
        records: of this run.
        verdicts: by name; see ``baseline.verdicts``.
        against: version of the baseline they are against; None: there is none, and no such column.
    """
    header = ["version", "median", "times faster", "nodes", "table"]
    if against is not None:
        header.append(f"against {against}")
    groups: dict[str, list[Record]] = defaultdict(list)
    for one in records:
        named = one.game in one.group
        groups[one.group if named else f"{one.game}: {one.group}"].append(one)
    lines: list[str] = []
    for name in sorted(groups):
        found = sorted(groups[name], key=lambda one: -one.median)
        rows = [header, *(_row(one, found[0].median, verdicts)[: len(header)] for one in found)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
        lines += ["", name]
        for row in rows:
            numbers = (cell.rjust(width) for cell, width in zip(row[1:5], widths[1:5], strict=True))
            lines.append("  ".join(["", row[0].ljust(widths[0]), *numbers, *row[5:]]).rstrip())
    return lines


def _row(one: Record, slowest: float, verdicts: dict[str, str]) -> list[str]:
    return [
        one.version,
        duration(one.median),
        f"{slowest / one.median:,.1f}",
        "" if one.nodes is None else f"{one.nodes:,}",
        "" if one.table_mb is None else f"{one.table_mb:.3g} MiB",
        verdicts.get(one.name, ""),
    ]


def duration(seconds: float) -> str:
    """Three significant digits with a unit: ``12.3 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e12:.3g} ps"
