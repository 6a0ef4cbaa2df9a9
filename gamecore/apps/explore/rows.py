"""How the page shows a row; its panels: the O(n^2) table, sub-rows, the three opponents, and states by row length."""

from collections.abc import Sequence
from typing import Any, Final

from gamecore.apps.explore._screen import Panel, Screen
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.game import Json, Option
from gamecore.rows import GAME, Position, solve, table
from gamecore.text import SEPARATOR, printable

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
_TOTALS: Final = ("mine", "theirs")


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


def _row(position: Any, values: Sequence[Any]) -> Position:
    """Return the game on other values, with me to move first."""
    return Position(values, position.opponent, ties=position.ties)


def whole_table(position: Any, seat: int | None) -> Json:
    """Return ``rows.table`` of the remaining values, and the best line through it when I go first."""
    values = position.values
    cells = [[cell if j >= i else None for j, cell in enumerate(row)] for i, row in enumerate(_cells(position))]
    filled = [cell for row in cells for cell in row if cell is not None]
    return {
        "n": len(values),
        "table": cells,
        "least": min(filled),
        "most": max(filled),
        "meaning": _MEANINGS[position.opponent],
        "path": path_of(solve(_row(position, values)).line, 0, len(values) - 1),
    }


def cell(position: Any, seat: int | None, *, i: int, j: int) -> Json:
    """Return one cell of the table, with its sub-row solved when I go first."""
    values = position.values
    if not i <= j < len(values):
        raise OptionError(f"there is no cell ({i}, {j}) in a table of {len(values)} values")
    part = values[i : j + 1]
    solution = solve(_row(position, part))
    return {
        "labels": list(map(repr, part)),
        "value": repr(_cells(position)[i][j]),
        "mine": repr(solution.mine),
        "theirs": repr(solution.theirs),
        "text": f"{solution.value:+}",
        "line": solution.line,
        "path": path_of(solution.line, i, j),
    }


def opponents(position: Any, seat: int | None) -> Json:
    """Return the solutions of the same row and side to move against the three opponents."""
    answers = []
    for opponent in _MEANINGS:
        other = Position.from_dict(position.to_dict() | {"opponent": opponent})
        solution = solve(other)
        answers.append(
            {
                "opponent": opponent,
                "position": other.to_text(),
                "mine": repr(solution.mine),
                "theirs": repr(solution.theirs),
                "value": solution.value,
                "words": f"{GAME.words.side(other)} {GAME.words.value(solution, other)}",
                "line": solution.line,
                "current": opponent == position.opponent,
            }
        )
    return {"opponents": answers}


def counts(position: Any, seat: int | None) -> Json:
    """Count the states visited on each prefix of the row when I go first, by four algorithms."""
    values = position.values[:COUNT_VALUES]
    lengths = list(range(1, len(values) + 1))
    counts: dict[str, list[int | None]] = {name: [] for name in _EXPLAINED}
    for n in lengths:
        naive, memoised = _visited(position, n)
        native = solve(_row(position, values[:n]), line=False).nodes
        for name, count in (("naive", naive), ("memoised", memoised), ("table", n * (n + 1) // 2), ("native", native)):
            counts[name].append(count if count <= _EXACT else None)
    return {"n": lengths, **counts, "explain": _EXPLAINED}


def _visited(position: Any, n: int) -> tuple[int, int]:
    """Return the recursion's calls and its distinct sub-rows, counting the ways to each sub-row level by level."""
    naive, memoised, mine = 0, 0, True
    level = {(0, n - 1): 1}
    while level:
        naive += sum(level.values())
        memoised += len(level)
        below: dict[tuple[int, int], int] = {}
        for (i, j), ways in level.items():
            left, right = (i + 1, j), (i, j - 1)
            for after in (left, right) if mine or position.opponent != "greedy" else (_greedy(position, i, j),):
                if after[0] <= after[1]:
                    below[after] = below.get(after, 0) + ways
        level, mine = below, not mine
    return naive, memoised


def _greedy(position: Any, i: int, j: int) -> tuple[int, int]:
    """Return the sub-row that the greedy opponent leaves of the values from i to j."""
    first, last = position.values[i], position.values[j]
    return (i + 1, j) if first > last or (first == last and position.ties == "left") else (i, j - 1)


def _is_small(position: Any, seat: int | None) -> bool:
    return 0 < len(position.values) <= TABLE_VALUES


_CELL: Final = tuple(Option(name, f"Value {name}", 0, 0, TABLE_VALUES - 1) for name in ("i", "j"))
_PANELS: Final = {
    "table": Panel("Table of sub-rows", whole_table, applies=_is_small, element="gc-row-heatmap"),
    "cell": Panel("", cell, _CELL, applies=_is_small),
    "opponents": Panel("The three opponents", opponents, element="gc-row-opponents"),
    "counts": Panel(
        "States visited", counts, applies=lambda position, seat: bool(position.values),
        element="gc-row-counts", is_open=False,
    ),
}  # fmt: skip
_PRESETS: Final = {
    f"{n} values, {opponent} opponent": {"n": n, "opponent": opponent}
    for opponent in ("optimal", "greedy")
    for n in (8, 12, 20, 52)
}


class RowsScreen(Screen):
    """See :class:`Screen`."""

    is_strip = True
    script = "rows.js"
    side_names = ("you", "opponent")
    presets = _PRESETS
    panels = _PANELS

    def automatic_side(self, position: Any) -> str | None:
        return None if position.opponent == "optimal" else "opponent"

    def label(self, position: Any, seat: int | None = None) -> str:
        left = ", ".join(map(repr, position.values)) or "nothing"
        taken = f"you have {position.mine!r}, the {position.opponent} opponent has {position.theirs!r}"
        end = self.game.words.turn(position)
        return f"A row with {left} left. {taken}; {end}."

    def draft(self, position: Any) -> Json:
        texts = {name: repr(getattr(position, name)) for name in _TOTALS}
        fields: Json = position.to_dict() | texts | {"values": list(map(repr, position.values))}
        return fields

    def build(self, draft: Json) -> Position:
        fields = Position([]).to_dict() | draft
        if not isinstance(fields["values"], list):
            raise ParseError("values must be a list of numbers, or of numbers as texts")
        words = [repr(_number(value, f"value {k}")) for k, value in enumerate(fields["values"], 1)]
        fields["values"] = list(GAME.parse(" ".join(words)).values) if words else []
        return Position.from_dict(fields | {name: _number(fields[name], name) for name in _TOTALS})


def _number(value: object, name: str) -> Any:
    """Return a number of a draft, or of its text."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    try:
        if isinstance(value, str) and SEPARATOR not in value and len(value.split()) == 1:
            (number,) = GAME.parse(value).values
            return number
    except (GamecoreError, ValueError):
        pass
    raise ParseError(f"{name} must be a number, not {printable(value)}")
