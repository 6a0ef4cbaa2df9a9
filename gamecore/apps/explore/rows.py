"""How the page shows a row; its panels: the O(n^2) table, the three opponents, and states by row length."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from gamecore.apps.explore._screen import Panel, Screen
from gamecore.errors import GamecoreError, ParseError
from gamecore.game import Json, Option
from gamecore.rows import GAME, Position, solve, table_picture
from gamecore.rows.opponents import NAMES
from gamecore.text import SEPARATOR, printable

TABLE_VALUES: Final = 32  #: longest row whose O(n^2) table is shown
COUNT_VALUES: Final = 64  #: longest row whose states are counted
_ALGORITHMS: Final = {
    "naive": "calls of the recursion that tries every play, without calls on an empty row",
    "memoised": "distinct sub-rows in the recursion",
    "table": "cells of the whole O(n^2) table",
    "native": "values that gamecore folds (optimal), or cells that it computes (the other games)",
}
_TOTALS: Final = ("mine", "theirs")


def whole_table(position: Position, seat: int | None, diagonals: int) -> Json:
    """Return the picture of the table of the values left, or of its first diagonals."""
    picture = table_picture(position.values, diagonals=diagonals or None, **_rule(position))
    return {"table": picture, "steps": len(position.values)}


def _rule(position: Position) -> Json:
    return {"opponent": position.opponent, "ties": position.ties}


def _diagonals(position: Position, seat: int | None) -> tuple[Option, ...]:
    return (Option("diagonals", "Diagonals (0: all)", 0, 0, len(position.values)),)


def opponents(position: Position, seat: int | None) -> Json:
    """Return the solutions of the same row and side to move against each opponent."""
    answers: Json = {}
    for opponent in NAMES:
        other = Position.from_dict(position.to_dict() | {"opponent": opponent})
        solution = solve(other)
        words = f"{GAME.words.side(other)} {GAME.words.value(solution, other)}"
        text = f"{words}: you {solution.mine}, opponent {solution.theirs}; line {solution.line or '-'}"
        answers[opponent] = text if opponent == position.opponent else {"text": text, "position": other.to_text()}
    return answers


def counts(position: Position, seat: int | None) -> Json:
    """Count the states visited on each prefix of the row when I go first, by four algorithms."""
    values = position.values[:COUNT_VALUES]
    lines = [("n", *_ALGORITHMS)]
    for n in range(1, len(values) + 1):
        native = solve(Position(values[:n], **_rule(position)), line=False).nodes
        lines.append(tuple(map(str, (n, *_visited(position, n), n * (n + 1) // 2, native))))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ("  ".join(map(str.rjust, line, widths)) for line in lines)
    return {"states": "\n".join(rows), **_ALGORITHMS}


def _visited(position: Position, n: int) -> tuple[int, int]:
    """Return the recursion's calls and its distinct sub-rows, counting the ways to each sub-row level by level."""
    naive, memoised, mine, rule = 0, 0, True, position.rule
    level = {(0, n - 1): 1}
    while level:
        naive += sum(level.values())
        memoised += len(level)
        below: dict[tuple[int, int], int] = {}
        for (i, j), ways in level.items():
            afters = [(i + 1, j), (i, j - 1)]
            if not mine and rule.forced_end:
                del afters[rule.takes_left(position.values[i], position.values[j], position.ties)]
            for after in afters:
                if after[0] <= after[1]:
                    below[after] = below.get(after, 0) + ways
        level, mine = below, not mine
    return naive, memoised


def _has_table(position: Position, seat: int | None) -> bool:
    return 0 < len(position.values) <= TABLE_VALUES


class RowsScreen(Screen[Position]):
    """See :class:`Screen`."""

    side_names = ("you", "opponent")
    panels: ClassVar[Mapping[str, Panel[Any]]] = {
        "table": Panel("Table of sub-rows", whole_table, _diagonals, _has_table, step="diagonals"),
        "opponents": Panel("The opponents", opponents),
        "counts": Panel("States visited", counts, applies=lambda at, _: bool(at.values), is_open=False),
    }

    def automatic_side(self, position: Position) -> str | None:
        return "opponent" if position.rule.forced_end or position.rule.helps else None

    def label(self, position: Position, seat: int | None = None) -> str:
        left = ", ".join(map(str, position.values)) or "nothing"
        taken = f"you have {position.mine}, the {position.opponent} opponent has {position.theirs}"
        end = self.game.words.turn(position)
        return f"A row with {left} left. {taken}; {end}."

    def draft(self, position: Position) -> Json:
        texts = {name: str(getattr(position, name)) for name in _TOTALS}  # JavaScript would round them
        fields: Json = position.to_dict() | texts | {"values": list(map(str, position.values))}
        return fields

    def build(self, draft: Json) -> Position:
        fields = Position([]).to_dict() | draft
        if not isinstance(fields["values"], list):
            raise ParseError("values must be a list of integers, or of integers as texts")
        fields["values"] = [_integer(value, f"value {k}") for k, value in enumerate(fields["values"], 1)]
        return Position.from_dict(fields | {name: _integer(fields[name], name) for name in _TOTALS})


def _integer(value: object, name: str) -> int:
    """Return an integer of a draft, or of its text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        if isinstance(value, str) and SEPARATOR not in value and len(value.split()) == 1:
            (number,) = GAME.parse(value).values
            return int(number)
    except GamecoreError:
        pass
    raise ParseError(f"{name} must be an integer, not {printable(value)}")


PART = RowsScreen
