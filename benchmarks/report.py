"""The closing table of ``pytest --benchmark``: for each group, every version with its ratio to the slowest."""

from collections import defaultdict
from typing import Any

HEADER = ("version", "median", "times faster", "nodes", "table")


def ratio_tables(benchmarks: list[Any]) -> list[str]:
    """Lines of a table a group, slowest version first.

    Args:
        benchmarks: pytest-benchmark's results (``name``, ``group``, ``stats.median`` in seconds, ``extra_info`` with
            ``nodes`` and ``table_mb`` where a search has them).
    """
    groups: dict[str, list[Any]] = defaultdict(list)
    for result in benchmarks:
        if not result.has_error:
            groups[result.group or "other"].append(result)
    lines: list[str] = []
    for name in sorted(groups):
        results = sorted(groups[name], key=lambda result: -result["median"])
        slowest = results[0]["median"]
        rows = [HEADER, *(_row(result, slowest) for result in results)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
        lines += ["", name]
        for row in rows:
            numbers = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
            lines.append("  ".join(["", row[0].ljust(widths[0]), *numbers]).rstrip())
    return lines


def _row(result: Any, slowest: float) -> tuple[str, ...]:
    info = result.extra_info
    nodes, table = info.get("nodes"), info.get("table_mb")
    return (
        str(info.get("version", result.name.removeprefix("test_"))),
        duration(result["median"]),
        f"{slowest / result['median']:,.1f}",
        "" if nodes is None else f"{nodes:,}",
        "" if table is None else f"{table:.3g} MiB",
    )


def duration(seconds: float) -> str:
    """Three significant digits with a unit: ``12.3 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
