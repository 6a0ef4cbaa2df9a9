"""Panels of a row's page: the O(n^2) table, sub-rows, the three opponents, and states visited by row length."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gamecore.errors import OptionError
from gamecore.game import Json, Option, Panel, game
from gamecore.rows._input import Rules
from gamecore.rows._position import Position
from gamecore.rows._solve import solve
from gamecore.rows._table import table

TABLE_VALUES: Final = 128  #: longest row whose O(n^2) table is shown
COUNT_VALUES: Final = 64  #: longest row whose states are counted
_MEANINGS: Final = {
    "optimal": "the total of the side to move on the values from i to j, when both play their best",
    "greedy": "my total on the values from i to j, with me to move against the greedy opponent",
    "cooperative": "the total of the side to move on the values from i to j, when both help the row's first player",
}
_EXPLAINED: Final = {
    "naive": "calls of the recursion that tries every play, without calls on an empty row",
    "memoised": "distinct sub-rows in the recursion",
    "table": "cells of the whole O(n^2) table",
    "native": "values that gamecore folds (optimal), or cells that it computes (the other games)",
}
_EXACT: Final = 1 << 53  # JavaScript reads integers up to this exactly


def path_of(line: str, first: int, last: int) -> list[list[int]]:
    """Return the sub-rows [i, j] that a line of play visits, starting with the whole row."""
    intervals, i, j = [], first, last
    for move in line:
        intervals.append([i, j])
        i, j = (i + 1, j) if move == "L" else (i, j - 1)
    return intervals


def _cells(position: Any) -> list[list[Any]]:
    """Return ``rows.table`` of the values left as lists."""
    cells: list[list[Any]] = table(position.values, opponent=position.opponent, ties=position.ties).tolist()
    return cells


def whole_table(position: Any, seat: int | None, seconds: float) -> list[tuple[str, Json]]:
    """Return ``rows.table`` of the remaining values, and the best line through it when I go first."""
    values = position.values
    cells = _cells(position)
    shown = [[cell if j >= i else None for j, cell in enumerate(row)] for i, row in enumerate(cells)]
    filled = [cell for row in shown for cell in row if cell is not None]
    line = solve(_row(position, values)).line
    answer = {
        "n": len(values),
        "opponent": position.opponent,
        "labels": list(map(repr, values)),
        "table": shown,
        "texts": [[None if cell is None else repr(cell) for cell in row] for row in shown],
        "least": min(filled),
        "most": max(filled),
        "meaning": _MEANINGS[position.opponent],
        "line": line,
        "path": path_of(line, 0, len(values) - 1),
        "first": "me",
    }
    return [("table", answer)]


def cell(position: Any, seat: int | None, seconds: float, *, i: int, j: int) -> list[tuple[str, Json]]:
    """Return one cell of the table, with its sub-row solved when I go first."""
    values = position.values
    if not i <= j < len(values):
        raise OptionError(f"there is no cell ({i}, {j}) in a table of {len(values)} values")
    part = values[i : j + 1]
    alone = _row(position, part)
    solution = solve(alone)
    value = _cells(position)[i][j]
    answer = {
        "i": i,
        "j": j,
        "position": alone.to_text(),
        "labels": list(map(repr, part)),
        "table_value": value,
        "table_text": repr(value),
        "mine": repr(solution.mine),
        "theirs": repr(solution.theirs),
        "text": f"{solution.value:+}",
        "line": solution.line,
        "path": path_of(solution.line, i, j),
        "best_moves": list(solution.best_moves),
    }
    return [("cell", answer)]


def opponents(position: Any, seat: int | None, seconds: float) -> list[tuple[str, Json]]:
    """Return the solutions of the same row and side to move against the three opponents."""
    answers, words = [], game("rows").words
    for opponent in _MEANINGS:
        other = Position.from_dict(position.to_dict() | {"opponent": opponent})
        solved = solve(other)
        answers.append(
            {
                "opponent": opponent,
                "position": other.to_text(),
                "mine": repr(solved.mine),
                "theirs": repr(solved.theirs),
                "value": solved.value,
                "text": f"{solved.value:+}",
                "words": f"{words.side(other)} {words.value(solved, other)}",
                "best_moves": list(solved.best_moves),
                "line": solved.line,
                "current": opponent == position.opponent,
            }
        )
    return [("opponents", {"opponents": answers})]


def _row(position: Any, values: Sequence[Any]) -> Position:
    return Position(values, position.opponent, ties=position.ties)


def counts(position: Any, seat: int | None, seconds: float) -> list[tuple[str, Json]]:
    """Count the states visited on each prefix of the row when I go first, by four algorithms."""
    values = position.values[:COUNT_VALUES]
    rules = position.rules._replace(opponent_first=False)
    counts: dict[str, list[int | None]] = {name: [] for name in _EXPLAINED}
    for n in range(1, len(values) + 1):
        naive, memoised = _visited(values[:n], rules)
        native = solve(_row(position, values[:n]), line=False).nodes
        for name, count in (("naive", naive), ("memoised", memoised), ("table", n * (n + 1) // 2), ("native", native)):
            counts[name].append(count if count <= _EXACT else None)
    facts = {"opponent": position.opponent, "n": list(range(1, len(values) + 1))}
    return [("counts", {**facts, **counts, "explain": _EXPLAINED})]


def _visited(values: Sequence[Any], rules: Rules) -> tuple[int, int]:
    """Return the recursion's calls and its distinct sub-rows, counting the ways to each sub-row level by level."""
    naive = memoised = 0
    level = {(0, len(values) - 1): 1}
    while level:
        naive += sum(level.values())
        memoised += len(level)
        following: dict[tuple[int, int], int] = {}
        for (i, j), ways in level.items():
            for move in rules.legal_moves(values[i : j + 1]):
                after = (i + 1, j) if move == "L" else (i, j - 1)
                if after[0] <= after[1]:
                    following[after] = following.get(after, 0) + ways
        level, rules = following, rules.after_move()
    return naive, memoised


def _small(position: Any, seat: int | None) -> bool:
    return 0 < len(position.values) <= TABLE_VALUES


_CELL: Final = tuple(Option(name, f"Value {name}", 0, 0, TABLE_VALUES - 1) for name in ("i", "j"))
PANELS: Final[Mapping[str, Panel]] = {
    "table": Panel("Table of sub-rows", whole_table, applies=_small),
    "cell": Panel("A sub-row", cell, _CELL, applies=_small),
    "opponents": Panel("The three opponents", opponents),
    "counts": Panel("States visited", counts, applies=lambda position, seat: len(position.values) > 0),
}
