"""JSON Schema of what the duel writes."""

from typing import Final

from gamecore import schema
from gamecore.schema import Schema

_VALUE: Final[Schema] = {"type": "integer", "minimum": -364, "maximum": 364}
_SIDE: Final[Schema] = {"enum": ["Alice", "Bob"]}
_CARD: Final[Schema] = {"type": "string", "pattern": "^[CDHS][A2-9TJQK]$"}
_HAND: Final = schema.array(_CARD, uniqueItems=True)
_ABSOLUTE: Final[dict[str, Schema]] = {
    "winner": schema.nullable(_SIDE),
    "points": schema.nullable({"type": "integer", "minimum": 1, "maximum": 364}),
}

POSITION: Final = schema.record({"alice": _HAND, "bob": _HAND, "to_move": _SIDE, "last": schema.nullable(_CARD)})
SOLUTION: Final = schema.solution(_VALUE, _SIDE, _ABSOLUTE)
ANALYSIS: Final = schema.analysis(_VALUE, _SIDE)

#: A line of ``gamecore duel --json``; ``moves`` is there with ``--analyse``.
COMMAND: Final = schema.record(
    {
        "position": schema.TEXT,
        **schema.solution_fields(_VALUE, _SIDE),
        **_ABSOLUTE,
        "moves": schema.array(schema.move_value(_VALUE)),
    },
    optional=("moves",),
)
