"""What the page shows beside a row: its O(n^2) table, sub-rows, the three opponents, and states counted as n grows."""

from collections.abc import Sequence
from typing import Any, Final

from gamecore import rows
from gamecore.contract import plain
from gamecore.errors import GamecoreError
from gamecore.explore import _bounds
from gamecore.explore._errors import ApiError
from gamecore.explore._explorer import Json
from gamecore.explore._rows import OPPONENTS, Rows
from gamecore.rows._input import MODES, Rules

_MEANINGS: Final = {
    "optimal": "what the side to move takes of the values from i to j, when both play their best",
    "greedy": "what I take of the values from i to j, with me to move against the greedy opponent",
    "cooperative": "what the side to move in a cell takes there, when both work for the first player of the whole row",
}
_EXPLAINED: Final = {
    "naive": "calls of the recursion that tries every play (those on nothing left are not counted)",
    "memoised": "sub-rows that the recursion meets, each counted once",
    "table": "cells of the whole O(n^2) table",
    "native": "what gamecore computes: values folded (optimal), or cells (the other games)",
}
_EXACT: Final = 1 << 53  # integers that a page reads exactly


def _values(position: rows.Position, most: int) -> tuple[Any, ...]:
    values = position.values
    if not values:
        raise GamecoreError("the row is empty: there is nothing to show")
    if len(values) > most:
        raise ApiError(413, "size", f"a row of {len(values)} values; this shows at most {most}", "position")
    return values


def path_of(line: str, first: int, last: int) -> list[list[int]]:
    """The sub-rows [i, j] that a line of play visits, from the whole one on."""
    found, i, j = [], first, last
    for move in line:
        found.append([i, j])
        i, j = (i + 1, j) if move == "L" else (i, j - 1)
    return found


def table(position: rows.Position, opponent: str) -> Json:
    """The table of what is left, as ``rows.table`` has it, and the best line through it, me first."""
    values = _values(position, _bounds.TABLE_VALUES)
    cells = plain(rows.table(values, opponent=opponent, ties=position.ties))  # type: ignore[arg-type]
    shown = [[cell if j >= i else None for j, cell in enumerate(row)] for i, row in enumerate(cells)]
    filled = [cell for row in shown for cell in row if cell is not None]
    line = _solved(position, values, opponent, "me").line
    return {
        "n": len(values),
        "opponent": opponent,
        "labels": list(map(repr, values)),
        "table": shown,
        "texts": [[None if cell is None else repr(cell) for cell in row] for row in shown],
        "least": min(filled),
        "most": max(filled),
        "meaning": _MEANINGS[opponent],
        "line": line,
        "path": path_of(line, 0, len(values) - 1),
        "first": "me",
    }


def cell(position: rows.Position, i: int, j: int, opponent: str) -> Json:
    """One cell of the table: its sub-row, solved with me first."""
    values = _values(position, _bounds.TABLE_VALUES)
    if not 0 <= i <= j < len(values):
        raise ApiError(400, "field", f"there is no cell ({i}, {j}) in a table of {len(values)} values", "i")
    part = values[i : j + 1]
    found = _solved(position, part, opponent, "me")
    whole = rows.table(values, opponent=opponent, ties=position.ties)  # type: ignore[arg-type]
    return {
        "i": i,
        "j": j,
        "position": _row(position, part, opponent, "me").to_text(),
        "labels": list(map(repr, part)),
        "table_value": plain(whole[i, j]),
        "table_text": repr(plain(whole[i, j])),
        "mine": repr(found.mine),
        "theirs": repr(found.theirs),
        "text": f"{found.value:+}",
        "line": found.line,
        "path": path_of(found.line, i, j),
        "best_moves": list(found.best_moves),
    }


def opponents(position: rows.Position) -> Json:
    """The same row, and the same side to move, against each of the three opponents."""
    explorer, found = Rows(), []
    for opponent in OPPONENTS:
        other = _row(position, position.values, opponent, position.to_move, position.mine, position.theirs)
        solved = rows.solve(other)
        found.append(
            {
                "opponent": opponent,
                "position": other.to_text(),
                "mine": repr(solved.mine),
                "theirs": repr(solved.theirs),
                "value": solved.value,
                "text": f"{solved.value:+}",
                "words": f"{explorer.side(other)} {explorer.words(solved, other)}",
                "best_moves": list(solved.best_moves),
                "line": solved.line,
                "current": opponent == position.opponent,
            }
        )
    return {"opponents": found}


def _row(
    position: rows.Position, values: Sequence[Any], opponent: str, first: str, mine: Any = 0, theirs: Any = 0
) -> rows.Position:
    names: Any = {"opponent": opponent, "to_move": first}
    return rows.Position(list(values), mine=mine, theirs=theirs, ties=position.ties, **names)


def _solved(position: rows.Position, values: Sequence[Any], opponent: str, first: str) -> rows.Solution:
    return rows.solve(_row(position, values, opponent, first))


def counts(position: rows.Position, opponent: str) -> Json:
    """States visited on the beginnings of this row, me first: naive recursion, memoised, whole table, and native."""
    values = _values(position, _bounds.ROW_VALUES)[: _bounds.COUNT_VALUES]
    rules = Rules(MODES[opponent], False, position.ties == "left")
    found: dict[str, list[int | None]] = {name: [] for name in _EXPLAINED}
    for n in range(1, len(values) + 1):
        naive, memoised = _visited(values[:n], rules)
        native = rows.solve(_row(position, values[:n], opponent, "me"), line=False).nodes
        for name, count in (("naive", naive), ("memoised", memoised), ("table", n * (n + 1) // 2), ("native", native)):
            found[name].append(count if count <= _EXACT else None)
    return {"opponent": opponent, "n": list(range(1, len(values) + 1)), **found, "explain": _EXPLAINED}


def _visited(values: Sequence[Any], rules: Rules) -> tuple[int, int]:
    """Calls of the recursion on a row, and the sub-rows among them; ways to each sub-row are counted, not walked."""
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
