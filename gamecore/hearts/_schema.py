"""JSON Schema of hearts' output, as far as the types of the results do not imply it."""

from typing import Final

from gamecore import schema
from gamecore.hearts._compare import Comparison, Difference
from gamecore.hearts._evaluate import Evaluation
from gamecore.hearts._protocols import PROTOCOLS
from gamecore.hearts._rules import DIRECTIONS, MOONS, MOST_DIRECTIONS, MOST_POINTS, Rules
from gamecore.hearts._simulate import Match, Simulation
from gamecore.hearts._text import MOST_INDEX, MOST_SEED
from gamecore.schema import NUMBER, TEXT, Schema, array, nullable, record

_CARD: Final[Schema] = {"type": "string", "pattern": "^[CDHS][2-9TJQKA]$"}
_POINTS: Final[Schema] = {"type": "integer", "minimum": -41, "maximum": 31}  # of a seat at the end of a round
_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 3}
_DEFINED: Final = nullable(NUMBER)  # nan is written as null


def _of_four(items: Schema) -> Schema:
    """A list with one entry per seat."""
    return array(items, minItems=4, maxItems=4)


def _cards(least: int, most: int) -> Schema:
    return array(_CARD, minItems=least, maxItems=most, uniqueItems=True)


RANGES: Final[dict[str, Schema]] = {
    "value": {"minimum": -31, "maximum": 41, "description": "minus points"},
    "to_move": _SEAT,
    "dealt": _of_four(_cards(13, 13)),
    "passing": {"enum": list(DIRECTIONS)},
    "passed": _of_four(_cards(0, 3)),
    "played": _cards(0, 52),
    "seed": {"maximum": MOST_SEED},
    "index": {"maximum": MOST_INDEX},
    "moon": {"enum": list(MOONS)},
    "cycle": {"items": {"enum": list(DIRECTIONS)}, "minItems": 1, "maxItems": MOST_DIRECTIONS},
    "match_points": {"minimum": 1, "maximum": MOST_POINTS},
    "max_n_points": {"items": _POINTS},
    "paranoid_points": nullable(record(schema.bounds(_POINTS))),
    "paranoid_move": {"pattern": _CARD["pattern"]},
}
_MEASURED: Final = RANGES | {
    **dict.fromkeys(("mean", "stderr"), _of_four(_DEFINED)),
    **dict.fromkeys(("moons", "decisions"), _of_four(schema.COUNT)),
    "players": {"minItems": 4, "maxItems": 4},
    "passing": {"enum": [*DIRECTIONS, "cycle"]},
    "points": array(_of_four(_POINTS)),
    "totals": _of_four(schema.INTEGER),
    "winners": array(_SEAT, minItems=1, maxItems=4, uniqueItems=True),
}
_COMPARED: Final = _MEASURED | {
    **dict.fromkeys(("mean", "stderr", "decision_seconds"), array(_DEFINED)),
    "players": {"minItems": 1},
    "field": {"maxItems": 3},
    "protocol": {"enum": list(PROTOCOLS)},
    "confidence": {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "differences": array(schema.of(Difference, dict.fromkeys(("mean", "stderr", "unpaired_stderr"), _DEFINED))),
}
_EVALUATED: Final = {"move": _CARD, "mean": _DEFINED, "stderr": nullable(schema.SECONDS)}
_EVALUATION: Final = schema.of(Evaluation, _EVALUATED)
_RULES: Final = schema.of(Rules, RANGES)
_COUNTED: Final = ("rounds", "worlds", "infer", "epochs", "since")
_STAGE: Final = {
    **dict.fromkeys(_COUNTED, schema.COUNT), **dict.fromkeys(("tau", "rate"), NUMBER), "field": array(TEXT),
}  # fmt: skip
_EPOCH: Final = {
    **dict.fromkeys(("stage", "epoch", "samples"), schema.COUNT), **dict.fromkeys(("best", "drawn", "random"), NUMBER),
}  # fmt: skip

#: Output of the commands by name. All fields of ``training`` but the first four are also in the file of weights.
SCHEMAS: Final[dict[str, Schema]] = {
    "rules": _RULES,
    "evaluation": _EVALUATION,
    "simulation": schema.of(Simulation, _MEASURED),
    "comparison": schema.of(Comparison, _COMPARED),
    "match": schema.of(Match, _MEASURED),
    "training": record(
        {
            "out": TEXT,
            "seconds": schema.SECONDS,
            "scale": {"type": "number", "exclusiveMinimum": 0},
            "curves": array(record(_EPOCH)),
            "command": TEXT,
            "seed": {"type": "integer", "minimum": 0, "maximum": MOST_SEED},
            "stages": array(record(_STAGE)),
            "rules": _RULES,
            "passing": _MEASURED["passing"],
            "decisions": schema.COUNT,
        }
    ),
    "command-evaluate": record({"position": TEXT, "seat": _SEAT, "moves": array(_EVALUATION, minItems=1)}),
}
