"""JSON Schema of what hearts writes."""

from typing import Final

from gamecore import schema
from gamecore.hearts._rules import DIRECTIONS, FLAGS, MOONS, MOST_DIRECTIONS, MOST_POINTS
from gamecore.hearts._text import MOST_INDEX, MOST_SEED
from gamecore.schema import Schema

_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 3}
_CARD: Final[Schema] = {"type": "string", "pattern": "^[CDHS][2-9TJQKA]$"}
_POINTS: Final[Schema] = {"type": "integer", "minimum": -41, "maximum": 31}  # of a seat at the end of a round
_VALUE: Final[Schema] = {"type": "integer", "minimum": -31, "maximum": 41, "description": "minus points"}
_SEED: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": MOST_SEED}
_DIRECTION: Final[Schema] = {"enum": list(DIRECTIONS)}


def _of_four(items: Schema) -> Schema:
    """A list with an entry a seat."""
    return schema.array(items, minItems=4, maxItems=4)


def _cards(least: int, most: int) -> Schema:
    return schema.array(_CARD, minItems=least, maxItems=most, uniqueItems=True)


RULES: Final = schema.record(
    {
        **dict.fromkeys(FLAGS, schema.FLAG),
        "moon": {"enum": list(MOONS)},
        "cycle": schema.array(_DIRECTION, minItems=1, maxItems=MOST_DIRECTIONS),
        "match_points": {"type": "integer", "minimum": 1, "maximum": MOST_POINTS},
    }
)
POSITION: Final = schema.record(
    {
        "dealt": _of_four(_cards(13, 13)),
        "rules": RULES,
        "passing": _DIRECTION,
        "passed": _of_four(_cards(0, 3)),
        "played": _cards(0, 52),
        "seed": _SEED,
        "index": {"type": "integer", "minimum": 0, "maximum": MOST_INDEX},
    }
)

_OPEN_HANDS: Final[dict[str, Schema]] = {
    "max_n_points": schema.nullable(_of_four(_POINTS)),
    "paranoid_points": schema.nullable(schema.record(schema.bounds(_POINTS))),
}
_SOLUTION: Final[dict[str, Schema]] = {
    "method": {"enum": ["max_n", "paranoid"]},
    **_OPEN_HANDS,
    "paranoid_move": schema.nullable(_CARD),
}
SOLUTION: Final = schema.solution(_VALUE, _SEAT, _SOLUTION)
ANALYSIS: Final = schema.analysis(_VALUE, _SEAT, _OPEN_HANDS)

EVALUATION: Final = schema.record(
    {
        "move": _CARD,
        "mean": schema.nullable(schema.NUMBER),
        "stderr": schema.nullable({"type": "number", "minimum": 0}),
        "playouts": schema.COUNT,
    }
)
_PLAYED: Final[dict[str, Schema]] = {
    "players": _of_four(schema.TEXT),
    "rounds": schema.COUNT,
    "seed": _SEED,
    "rules": RULES,
}
_MEANS: Final = _of_four(schema.nullable(schema.NUMBER))
SIMULATION: Final = schema.record(
    {
        **_PLAYED,
        "first": schema.COUNT,
        "passing": {"enum": [*DIRECTIONS, "cycle"]},
        "mean": _MEANS,
        "stderr": _MEANS,
        "moons": _of_four(schema.COUNT),
        "decisions": _of_four(schema.COUNT),
        "seconds": schema.SECONDS,
    }
)
_DEFINED: Final = schema.nullable(schema.NUMBER)
COMPARISON: Final = schema.record(
    {
        "players": schema.array(schema.TEXT, minItems=1),
        "field": schema.array(schema.TEXT, minItems=3, maxItems=3),
        "rounds": schema.COUNT,
        "first": schema.COUNT,
        "seed": _SEED,
        "rules": RULES,
        "passing": {"enum": [*DIRECTIONS, "cycle"]},
        "confidence": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "until": schema.nullable(schema.NUMBER),
        "settled": schema.FLAG,
        "mean": schema.array(_DEFINED),
        "stderr": schema.array(_DEFINED),
        "decision_seconds": schema.array(_DEFINED),
        "differences": schema.array(
            schema.record(
                {
                    "first": schema.TEXT,
                    "second": schema.TEXT,
                    **dict.fromkeys(("mean", "stderr", "unpaired_stderr"), _DEFINED),
                    **dict.fromkeys(("low", "high"), schema.NUMBER),
                    "better": schema.nullable(schema.TEXT),
                }
            )
        ),
    }
)
MATCH: Final = schema.record(
    {
        **_PLAYED,
        "points": schema.array(_of_four(_POINTS)),
        "totals": _of_four(schema.INTEGER),
        "winners": schema.array(_SEAT, minItems=1, maxItems=4, uniqueItems=True),
    }
)
#: What ``gamecore hearts train`` prints; all but the first four also stand in the file of weights, as its ``about``.
TRAINING: Final = schema.record(
    {
        "out": schema.TEXT,
        "seconds": schema.SECONDS,
        "scale": {"type": "number", "exclusiveMinimum": 0},
        "curves": schema.array(
            schema.record(
                {
                    **dict.fromkeys(("stage", "epoch", "samples"), schema.COUNT),
                    **dict.fromkeys(("best", "drawn", "random"), schema.NUMBER),
                }
            )
        ),
        "command": schema.TEXT,
        "seed": _SEED,
        "stages": schema.array(
            schema.record(
                {
                    **dict.fromkeys(("rounds", "worlds", "infer", "epochs", "since"), schema.COUNT),
                    **dict.fromkeys(("tau", "rate"), schema.NUMBER),
                    "field": schema.array(schema.TEXT),
                }
            )
        ),
        "rules": RULES,
        "passing": {"enum": [*DIRECTIONS, "cycle"]},
        "decisions": schema.COUNT,
    }
)

#: What ``gamecore hearts`` prints with ``--json``: ``solve`` (``moves`` is there with ``--analyse``) ...
COMMAND: Final = schema.record(
    {
        "position": schema.TEXT,
        **schema.solution_fields(_VALUE, _SEAT),
        **_SOLUTION,
        "moves": schema.array(schema.move_value(_VALUE, _OPEN_HANDS)),
    },
    optional=("moves",),
)
#: ... and ``evaluate``; ``simulate`` prints a SIMULATION, ``compare`` a COMPARISON, ``match`` a MATCH, ``train`` a
#: TRAINING, ``deal`` a POSITION.
COMMAND_EVALUATE: Final = schema.record(
    {"position": schema.TEXT, "seat": _SEAT, "moves": schema.array(EVALUATION, minItems=1)}
)
