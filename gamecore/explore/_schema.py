"""JSON Schema of what the server of ``gamecore explore`` answers; ``gamecore schema explore`` prints it."""

from typing import Final

from gamecore import schema
from gamecore.duel import _schema as duel_schema
from gamecore.hearts import _schema as hearts_schema
from gamecore.schema import COUNT as _COUNT
from gamecore.schema import FLAG as _FLAG
from gamecore.schema import INTEGER as _INTEGER
from gamecore.schema import NUMBER as _NUMBER
from gamecore.schema import SECONDS as _SECONDS
from gamecore.schema import TEXT as _TEXT
from gamecore.schema import Schema, array, nullable, record

_GAME: Final[Schema] = {"enum": ["duel", "hexapawn", "rows", "hearts"]}
_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 3}
_SIDE: Final[Schema] = {"anyOf": [_TEXT, _SEAT]}
_MOVES: Final = array(_TEXT)
_NUMBERS: Final = array(_NUMBER)
_POINTS: Final[Schema] = {"type": "array", "items": _INTEGER, "minItems": 4, "maxItems": 4}
_VERDICT: Final[Schema] = {"enum": ["best", "wrong", "open"]}
_VALUE: Final[dict[str, Schema]] = {**schema.bounds(_NUMBER), "text": _TEXT, "words": _TEXT}
_JUDGED: Final[dict[str, Schema]] = {"verdict": _VERDICT, "cost": nullable(_NUMBER), "cost_text": _TEXT}
_EFFORT: Final[dict[str, Schema]] = {
    "nodes": _COUNT, "seconds": _SECONDS, "nodes_per_second": _COUNT, "table_bytes": _COUNT,
}  # fmt: skip
_MEAN: Final[dict[str, Schema]] = {"mean": _NUMBER, "stderr": nullable(_NUMBER)}

# --- what is needed to draw, by game

_CARDS: Final = array(_TEXT)
_HIDDEN: Final = array(nullable(_CARDS), minItems=4, maxItems=4)
_SQUARE: Final = record({"square": _TEXT, "column": _COUNT, "row": _COUNT})
_MOVE: Final[dict[str, Schema]] = {"move": _TEXT, "text": _TEXT}
_MOVES_SEEN: Final = (
    record({**_MOVE, "card": nullable(_TEXT)}),
    record({**_MOVE, "from": _SQUARE, "to": _SQUARE, "capture": _FLAG}),
    record({**_MOVE, "index": _COUNT, "label": _TEXT}),
    record({**_MOVE, "card": nullable(_TEXT), "cards": _CARDS}),
)
_BY_SIDE: Final = record({"Alice": _COUNT, "Bob": _COUNT})
_STATES: Final = (
    record(
        {
            "alice": _CARDS,
            "bob": _CARDS,
            "last": nullable(_TEXT),
            "to_move": _TEXT,
            "must_pass": _FLAG,
            "playable": _CARDS,
            "to_pay": _BY_SIDE,
            "points": {"type": "object", "additionalProperties": False, "patternProperties": {"^[CDHS].$": _COUNT}},
            "winner": nullable(_TEXT),
            "won": nullable(_COUNT),
        }
    ),
    record(
        {
            "rows": _COUNT,
            "columns": _COUNT,
            "board": array(_TEXT),
            "files": array(_TEXT),
            "to_move": _TEXT,
            "winner": nullable(_TEXT),
        }
    ),
    record(
        {
            "values": _NUMBERS,
            "labels": array(_TEXT),
            "mine": _TEXT,
            "theirs": _TEXT,
            "opponent": _TEXT,
            "ties": _TEXT,
            "to_move": _TEXT,
            "kind": {"enum": ["int", "float"]},
        }
    ),
    record(
        {
            "seat": nullable(_SEAT),
            "hands": _HIDDEN,
            "counts": _POINTS,
            "phase": {"enum": ["passing", "play", "over"]},
            "trick": array({"type": "array", "prefixItems": [_SEAT, _TEXT], "items": False}),
            "tricks": array(record({"leader": _SEAT, "cards": _CARDS, "winner": _SEAT, "points": _COUNT})),
            "trick_number": _COUNT,
            "points": _POINTS,
            "taken": _POINTS,
            "voids": array(_TEXT),
            "passing": _TEXT,
            "passing_seats": array(_SEAT),
            "passed": _HIDDEN,
            "received": _HIDDEN,
            "rules": hearts_schema.RULES,
            "rules_text": _TEXT,
            "to_move": _SEAT,
        }
    ),
)
_DRAFTS: Final = (
    duel_schema.POSITION,
    record({"rows": array(_TEXT), "to_move": _TEXT}),
    record({"values": array(_TEXT), **dict.fromkeys(("opponent", "to_move", "mine", "theirs", "ties"), _TEXT)}),
    record(
        {
            "hands": array(_CARDS, minItems=4, maxItems=4),
            "rules": hearts_schema.RULES,
            "passing": _TEXT,
            "passed": array(_CARDS),
            "played": _CARDS,
            "seed": _TEXT,
            "index": _COUNT,
        }
    ),
)

# --- answers

VIEW: Final = record(
    {
        "game": _GAME,
        "position": _TEXT,
        "to_move": _SIDE,
        "to_move_text": _TEXT,
        "is_over": _FLAG,
        "result": nullable(_TEXT),
        "legal_moves": _MOVES,
        "moves": array({"anyOf": list(_MOVES_SEEN)}),
        "text": _TEXT,
        "label": _TEXT,
        "draft": nullable({"anyOf": list(_DRAFTS)}),
        "state": {"anyOf": list(_STATES)},
    }
)
_PLACE: Final = dict.fromkeys(("line", "column"), nullable(_COUNT))
ERROR: Final = record({"error": record({"code": _TEXT, "message": _TEXT, "field": nullable(_TEXT), **_PLACE})})
POSITION: Final = record({"views": array(VIEW, minItems=1), "moves": _MOVES, "seat": nullable(_SEAT)})
PARSE: Final = record({"game": _GAME, "positions": array(_TEXT, minItems=1), "view": VIEW})
BUILD: Final = record({"view": VIEW})
RANDOM: Final = record({"seed": nullable(_COUNT), "view": VIEW})
MOVE: Final = record({"move": _TEXT, "player": _TEXT, "exact": _FLAG, "view": VIEW})
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

# --- events of streams

_LIMITS: Final = record(
    {"seconds": _SECONDS, "table_mb": _NUMBER, "playouts": _COUNT}, optional=("seconds", "table_mb", "playouts")
)
EVENT_START: Final = record({"id": _TEXT, "game": _GAME, "position": _TEXT, "to_move": _SIDE, "limits": _LIMITS})
EVENT_NOTE: Final = record({"message": _TEXT})
EVENT_VALUES: Final = record(
    {
        "moves": array(
            record(
                {
                    "move": _TEXT,
                    **_VALUE,
                    **_JUDGED,
                    "mine": nullable(_TEXT),
                    "theirs": nullable(_TEXT),
                    "max_n_points": nullable(_POINTS),
                },
                optional=("mine", "theirs", "max_n_points"),
            )
        ),
        "exact": _FLAG,
        "best_moves": _MOVES,
        "position_value": nullable(record(_VALUE)),
    }
)
EVENT_LINE: Final = record({"move": _TEXT, "line": array(_TEXT, minItems=1)})
EVENT_PROGRESS: Final = record(
    {**_EFFORT, "round": _COUNT, "worlds": _COUNT, "ply": _COUNT}, optional=("round", "worlds", "ply")
)
EVENT_END: Final = record(
    {
        "reason": {"enum": ["exact", "limit", "replaced", "stopped", "closing", "gone"]},
        **_EFFORT,
        "order": array(_COUNT),
    },
    optional=("order",),
)
EVENT_OUTLOOK: Final = record(
    {
        "moves": array(
            record(
                {
                    "move": _TEXT,
                    **_MEAN,
                    "playouts": _COUNT,
                    "text": _TEXT,
                    "words": _TEXT,
                    "histogram": array(_NUMBERS),
                    **_JUDGED,
                    "cost_stderr": nullable(_NUMBER),
                }
            )
        ),
        "playouts": _COUNT,
        "policy": _TEXT,
    }
)
EVENT_MARGINALS: Final = record(
    {
        "seat": _SEAT,
        "worlds": _COUNT,
        "cards": array(record({"card": _TEXT, "seats": _NUMBERS, "stderr": _NUMBERS, "known": nullable(_SEAT)})),
    }
)
EVENT_DECISION: Final = record(
    {
        "number": _COUNT,
        "ply": _COUNT,
        "trick": _COUNT,
        "seat": _SEAT,
        "played": _TEXT,
        "best": _TEXT,
        "mean_played": _NUMBER,
        "mean_best": _NUMBER,
        "stderr": nullable(_NUMBER),
        **_JUDGED,
        "position": _TEXT,
        "options": array(record({"move": _TEXT, **_MEAN}), minItems=2),
    }
)
EVENT_CANDIDATES: Final = record(
    {
        "candidates": array(
            record({"move": _TEXT, "cards": _MOVES, **_MEAN, "playouts": _COUNT, "text": _TEXT, "words": _TEXT})
        ),
        "greedy": _TEXT,
    }
)

# --- panels of rows

ROWS_TABLE: Final = record(
    {
        "n": _COUNT,
        "opponent": _TEXT,
        "labels": array(_TEXT),
        "table": array(array(nullable(_NUMBER))),
        "texts": array(array(nullable(_TEXT))),
        "least": _NUMBER,
        "most": _NUMBER,
        "meaning": _TEXT,
        "line": _TEXT,
        "path": array(array(_COUNT)),
        "first": _TEXT,
    }
)
ROWS_CELL: Final = record(
    {
        "i": _COUNT,
        "j": _COUNT,
        "position": _TEXT,
        "labels": array(_TEXT),
        "table_value": _NUMBER,
        "table_text": _TEXT,
        "mine": _TEXT,
        "theirs": _TEXT,
        "text": _TEXT,
        "line": _TEXT,
        "path": array(array(_COUNT)),
        "best_moves": _MOVES,
    }
)
ROWS_OPPONENTS: Final = record(
    {
        "opponents": array(
            record(
                {
                    "opponent": _TEXT,
                    "position": _TEXT,
                    "mine": _TEXT,
                    "theirs": _TEXT,
                    "value": _NUMBER,
                    "text": _TEXT,
                    "words": _TEXT,
                    "best_moves": _MOVES,
                    "line": _TEXT,
                    "current": _FLAG,
                }
            )
        )
    }
)
_COUNTED: Final = ("naive", "memoised", "table", "native")
ROWS_COUNTS: Final = record(
    {
        "opponent": _TEXT,
        "n": array(_COUNT),
        **dict.fromkeys(_COUNTED, array(nullable(_COUNT))),
        "explain": record(dict.fromkeys(_COUNTED, _TEXT)),
    }
)
