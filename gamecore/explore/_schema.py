"""JSON Schema of what the server of ``gamecore explore`` answers; ``gamecore schema explore`` prints it.

What only one game has is an object without further rules: ``draft`` and the data of panels.
"""

from typing import Final

from gamecore import schema
from gamecore.schema import COUNT as _COUNT
from gamecore.schema import FLAG as _FLAG
from gamecore.schema import NUMBER as _NUMBER
from gamecore.schema import SECONDS as _SECONDS
from gamecore.schema import TEXT as _TEXT
from gamecore.schema import Schema, array, nullable, record

_OBJECT: Final[Schema] = {"type": "object"}
_SEAT: Final = nullable(_COUNT)
_SIDE: Final[Schema] = {"anyOf": [_TEXT, _COUNT]}
_MOVES: Final = array(_TEXT)
_TONE: Final = nullable({"enum": ["good", "bad", "level", "open"]})
_VALUE: Final[dict[str, Schema]] = {**schema.bounds(_NUMBER), "text": _TEXT, "words": _TEXT, "tone": _TONE}
_JUDGED: Final[dict[str, Schema]] = {
    "verdict": {"enum": ["best", "wrong", "open"]}, "cost": nullable(_NUMBER), "cost_text": _TEXT,
}  # fmt: skip
_EFFORT: Final[dict[str, Schema]] = {
    "nodes": _COUNT, "seconds": _SECONDS, "nodes_per_second": _COUNT, "table_bytes": _COUNT,
}  # fmt: skip


def _open(fields: dict[str, Schema]) -> Schema:
    """Return the schema of an object with these fields, to which a game adds its own."""
    return {**record(fields), "additionalProperties": True}


# --- answers

VIEW: Final = record(
    {
        "game": _TEXT,
        "position": _TEXT,
        "to_move": _SIDE,
        "to_move_text": _TEXT,
        "automatic": nullable(_SIDE),
        "is_over": _FLAG,
        "result": nullable(_TEXT),
        "legal_moves": _MOVES,
        "moves": array(_open({"move": _TEXT, "text": _TEXT})),
        "text": _TEXT,
        "label": _TEXT,
        "draft": nullable(_OBJECT),
        "panels": array(_TEXT),
    }
)
_PLACE: Final = dict.fromkeys(("line", "column"), nullable(_COUNT))
ERROR: Final = record({"error": record({"code": _TEXT, "message": _TEXT, "field": nullable(_TEXT), **_PLACE})})
POSITION: Final = record({"views": array(VIEW, minItems=1), "moves": _MOVES, "seat": _SEAT})
PARSE: Final = record({"game": _TEXT, "positions": array(_TEXT, minItems=1), "view": VIEW})
BUILD: Final = record({"view": VIEW})
RANDOM: Final = record({"seed": nullable(_COUNT), "view": VIEW})
MOVE: Final = record({"move": _TEXT, "player": _TEXT, "exact": _FLAG, "view": VIEW})
PUZZLE: Final = record({"task": _TEXT, "view": VIEW})
COPY: Final = record(
    {"text": _TEXT, "svg": _TEXT, "python": _TEXT} | dict.fromkeys(("notation", "judge", "command"), nullable(_TEXT))
)
REFUTE: Final = record(
    {
        "move": _TEXT,
        "value": record(_VALUE),
        "best": nullable(record({"move": _TEXT, "value": record(_VALUE), "line": _MOVES})),
        **_JUDGED,
        "line": _MOVES,
        "reply": nullable(_TEXT),
    }
)

# --- events of streams; those of a panel are its game's

EVENT_START: Final = record({"id": _TEXT, "game": _TEXT, "position": _TEXT, "to_move": _SIDE, "limits": _OBJECT})
EVENT_NOTE: Final = record({"message": _TEXT})
EVENT_VALUES: Final = record(
    {
        "moves": array(_open({"move": _TEXT, **_VALUE, **_JUDGED})),
        "exact": _FLAG,
        "best_moves": _MOVES,
        "position_value": nullable(record({**_VALUE, "share": nullable(array(_NUMBER))})),
    }
)
EVENT_ESTIMATES: Final = record({"playouts": _COUNT, "shares": _OBJECT})
EVENT_LINE: Final = record({"move": _TEXT, "line": array(_TEXT, minItems=1)})
EVENT_PROGRESS: Final = _open(_EFFORT)
EVENT_END: Final = _open(
    {"reason": {"enum": ["exact", "limit", "playouts", "chances", "replaced", "stopped", "closing", "gone"]}, **_EFFORT}
)
