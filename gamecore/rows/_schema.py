"""JSON Schema (draft 2020-12) of what rows writes: positions, results, and what ``gamecore rows --json`` prints."""

from typing import Final

from gamecore import schema
from gamecore.rows._input import LEFT, ME, NAMES, OPPONENT, RIGHT, TIES_LEFT

_SIDE: Final[schema.Schema] = {"enum": [ME, OPPONENT]}
_OPPONENT: Final[schema.Schema] = {"enum": list(NAMES)}
_TOTALS: Final = {"mine": schema.nullable(schema.NUMBER), "theirs": schema.nullable(schema.NUMBER)}
_MORE: Final[dict[str, schema.Schema]] = {
    **_TOTALS,
    "difference": schema.nullable(schema.NUMBER),
    "opponent": _OPPONENT,
}

POSITION: Final = schema.record(
    {
        "values": schema.array(schema.NUMBER),
        "opponent": _OPPONENT,
        "to_move": _SIDE,
        "mine": schema.NUMBER,
        "theirs": schema.NUMBER,
        "ties": {"enum": list(TIES_LEFT)},
    }
)

SOLUTION: Final = schema.solution(schema.NUMBER, _SIDE, _MORE)

MOVE_VALUE: Final = schema.move_value(schema.NUMBER, _TOTALS)

ANALYSIS: Final = schema.record(
    {
        **schema.analysis(schema.NUMBER, _SIDE)["properties"],
        "best_moves": schema.array({"enum": [LEFT, RIGHT]}, maxItems=2, uniqueItems=True),
        "moves": schema.array(MOVE_VALUE, maxItems=2),
        "opponent": _OPPONENT,
    }
)

#: What ``gamecore rows --json`` prints: the position, its solution, and what was asked for besides.
COMMAND: Final = schema.record(
    {
        "position": schema.TEXT,
        **schema.solution_fields(schema.NUMBER, _SIDE),
        **_MORE,
        "moves": schema.array(MOVE_VALUE, maxItems=2),
        "table": schema.array(schema.array(schema.NUMBER)),
    },
    optional=("moves", "table"),
)
