"""The tables that a run ends with: one a group, each version beside the slowest and the verdict on it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from comparing.judging import Verdict
from comparing.records import Record

COLUMNS = ("version", "median", "times faster", "nodes", "table")


def group_tables(records: Iterable[Record], verdicts: Mapping[str, Verdict], against: str = "") -> list[str]:
    """Return the lines of a table for each group, slowest version first; groups of one version share the last table.

    Args:
        records: of one run. verdicts: by name; shown in a last column when there are any.
        against: what the verdicts compare with, for the head of that column.
    """
    groups: dict[str, list[Record]] = defaultdict(list)
    for one in records:
        groups[one.group if one.game in one.group else f"{one.game}: {one.group}"].append(one)
    lines: list[str] = []
    alone = {name: groups.pop(name)[0] for name in sorted(groups) if len(groups[name]) == 1}
    for name in sorted(groups):
        found = sorted(groups[name], key=lambda one: -one.median)
        rows = [[*COLUMNS, against], *(_row(one, found[0].median, verdicts) for one in found)]
        lines += ["", name, *aligned(rows, left=(0, len(COLUMNS)))]
    if alone:
        rows = [["", *COLUMNS[1:], against]]
        rows += [[name, *_row(one, one.median, verdicts)[1:]] for name, one in alone.items()]
        lines += ["", "without rivals", *aligned([[*row[:2], "", *row[3:]] for row in rows], left=(0, len(COLUMNS)))]
    return lines


def _row(one: Record, slowest: float, verdicts: Mapping[str, Verdict]) -> list[str]:
    nodes = one.exact.get("nodes")
    return [
        one.version,
        duration(one.median),
        f"{slowest / one.median:,.1f}",
        "" if nodes is None else f"{nodes:,}",
        "" if one.table_mb is None else f"{one.table_mb:.3g} MiB",
        verdicts[one.name].text if one.name in verdicts else "",
    ]


def aligned(rows: list[list[str]], left: Iterable[int] = (0,)) -> list[str]:
    """Rows of equal length as lines, numbers to the right; columns that are empty in every row are left out."""
    left = set(left)
    used = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    widths = {column: max(len(row[column]) for row in rows) for column in used}
    return [
        "  " + "  ".join(
            row[column].ljust(widths[column]) if column in left else row[column].rjust(widths[column])
            for column in used
        ).rstrip()
        for row in rows
    ]  # fmt: skip


def markdown(rows: list[list[str]]) -> list[str]:
    """Rows as a table of Markdown, the first one its head."""
    head = ["|" + "|".join(f" {cell} " for cell in row) + "|" for row in rows]
    return [head[0], "|" + "|".join("---" for _ in rows[0]) + "|", *head[1:]]


def duration(seconds: float) -> str:
    """Three significant digits with a unit: ``12.3 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e12:.3g} ps"
