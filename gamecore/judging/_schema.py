"""JSON Schema of what ``gamecore judge`` prints with ``--json``."""

from typing import Final

from gamecore.judging._judge import WORDS
from gamecore.schema import COUNT, FLAG, NUMBER, SECONDS, TEXT, array, nullable, record

VERDICT: Final = record(
    {
        "verdict": {"enum": list(WORDS)},
        "family": TEXT,
        "size": COUNT,
        "input": TEXT,
        "expected": TEXT,
        "output": TEXT,
        "seconds": SECONDS,
        "memory_mb": NUMBER,
        "why": TEXT,
    }
)
REPORT: Final = record(
    {
        "game": TEXT,
        "passed": FLAG,
        "verdicts": array(VERDICT),
        "counterexample": nullable(VERDICT),
        "notes": array(TEXT),
    }
)
SCALING: Final = record(
    {
        "game": TEXT,
        "unit": TEXT,
        "programs": array(
            record(
                {
                    "name": TEXT,
                    "sizes": array(COUNT),
                    "seconds": array(SECONDS),
                    "factor": nullable(NUMBER),
                    "power": nullable(NUMBER),
                    "stopped": nullable(COUNT),
                }
            )
        ),
    }
)
