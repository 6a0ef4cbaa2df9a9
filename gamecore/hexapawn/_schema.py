"""JSON Schema of what Hexapawn writes."""

from typing import Final

from gamecore import schema
from gamecore.schema import Schema

_PLIES: Final[Schema] = {"type": "integer", "minimum": -1000, "maximum": 1000}
_SIDE: Final[Schema] = {"enum": ["white", "black"]}
_PAWNS: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": (1 << 64) - 1, "description": "a bit a square"}
_MORE: Final[dict[str, Schema]] = {
    "winner": schema.nullable(_SIDE),
    "distance_lower": schema.COUNT,
    "distance_upper": schema.COUNT,
    "replacements": schema.COUNT,
}

POSITION: Final = schema.record(
    {
        "rows": {"type": "integer", "minimum": 2, "maximum": 64},
        "columns": {"type": "integer", "minimum": 1, "maximum": 32},
        "white": _PAWNS,
        "black": _PAWNS,
        "to_move": _SIDE,
    }
)
SOLUTION: Final = schema.solution(_PLIES, _SIDE, _MORE)
ANALYSIS: Final = schema.analysis(_PLIES, _SIDE)

#: What ``gamecore hexapawn --json`` prints; ``moves`` is there with ``--analyse``.
COMMAND: Final = schema.record(
    {
        "position": schema.TEXT,
        **schema.solution_fields(_PLIES, _SIDE),
        **_MORE,
        "moves": schema.array(schema.move_value(_PLIES)),
    },
    optional=("moves",),
)
