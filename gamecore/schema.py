"""Pieces of JSON Schema (draft 2020-12) of which every game's ``_schema`` is made.

What the contract says of results stands here once; a game adds its own fields. ``gamecore schema`` prints the whole.
"""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
SECONDS: Schema = {"type": "number", "minimum": 0}
FLAG: Schema = {"type": "boolean"}


def record(fields: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """An object with these fields and no others; all of them are there but the ``optional`` ones."""
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def array(items: Schema, **more: Any) -> Schema:
    """A list of such items; ``more``: such as ``minItems``."""
    return {"type": "array", "items": items, **more}


def nullable(schema: Schema) -> Schema:
    """What the schema says, or null: what is not proven."""
    return {"anyOf": [schema, {"type": "null"}]}


def bounds(value: Schema) -> dict[str, Schema]:
    """The fields of ``contract.Bounds``."""
    return {"value": nullable(value), "lower": value, "upper": value, "exact": FLAG}


def move_value(value: Schema, more: dict[str, Schema] | None = None) -> Schema:
    """``contract.MoveValue.to_dict()``, with a game's own fields."""
    return record({"move": TEXT, **bounds(value), **(more or {})})


def solution(value: Schema, side: Schema, more: dict[str, Schema] | None = None) -> Schema:
    """``contract.Solution.to_dict()``, with a game's own fields."""
    return record(solution_fields(value, side) | (more or {}))


def solution_fields(value: Schema, side: Schema) -> dict[str, Schema]:
    """The fields of ``contract.Solution.to_dict()``, for commands that print more beside them."""
    return {
        **bounds(value),
        "to_move": side,
        "best_move": nullable(TEXT),
        "best_moves": array(TEXT),
        "best_so_far": {**nullable(TEXT), "description": "not proven; null where a best move is"},
        "line": {"anyOf": [array(TEXT), TEXT], "description": "moves; a text where each move is one letter"},
        "nodes": COUNT,
        "seconds": SECONDS,
        "table_bytes": COUNT,
    }


def analysis(value: Schema, side: Schema, more: dict[str, Schema] | None = None) -> Schema:
    """``contract.Analysis.to_dict()``; ``more``: a game's own fields of each move."""
    return record(
        {
            "to_move": side,
            "exact": FLAG,
            "best_moves": array(TEXT),
            "moves": array(move_value(value, more)),
            "nodes": COUNT,
            "seconds": SECONDS,
        }
    )
