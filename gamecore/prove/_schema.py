"""JSON Schema of what ``gamecore prove`` prints with ``--json``."""

from typing import Final

from gamecore.schema import COUNT, FLAG, INTEGER, NUMBER, SECONDS, TEXT, Schema, array, bounds, nullable, record

_TREE: Final[dict[str, Schema]] = {"proved": COUNT, "open": COUNT, "disproved": COUNT, "places": COUNT}
_WORK: Final[dict[str, Schema]] = {"jobs": COUNT, "nodes": COUNT, "lost": COUNT}

PROGRESS: Final = record(
    {
        "event": {"const": "progress"},
        "test": nullable(TEXT),
        "lower": INTEGER,
        "upper": INTEGER,
        **_TREE,
        **_WORK,
        "jobs_per_second": NUMBER,
        "nodes_per_second": NUMBER,
        "proof": COUNT,
        "disproof": COUNT,
        "under_way": COUNT,
        "seconds": SECONDS,
    }
)
RESULT: Final = record(
    {
        "event": {"const": "result"},
        **bounds(INTEGER),
        "to_move": TEXT,
        "winner": nullable(TEXT),
        "question": TEXT,
        "answered": FLAG,
        "jobs": COUNT,
        "nodes": COUNT,
        "seconds": SECONDS,
    }
)
STATUS: Final = record(
    {
        "game": TEXT,
        "position": TEXT,
        "question": TEXT,
        "gamecore": TEXT,
        "answered": FLAG,
        "lower": INTEGER,
        "upper": INTEGER,
        "test": nullable(TEXT),
        "proof": COUNT,
        "disproof": COUNT,
        "line": array(TEXT),
        **_TREE,
        "sessions": COUNT,
        **_WORK,
        "seconds": SECONDS,
        "nodes_per_second": NUMBER,
        "last_seen": NUMBER,
        "estimate": nullable(
            record({"nodes": NUMBER, "nodes_low": NUMBER, "nodes_high": NUMBER, "seconds": nullable(NUMBER)})
        ),
        "store_bytes": COUNT,
    }
)
VERIFICATION: Final = record(
    {
        "position": TEXT,
        "question": TEXT,
        "lower": INTEGER,
        "upper": INTEGER,
        "steps": COUNT,
        "by_rules": COUNT,
        "claims": COUNT,
        "rechecked": COUNT,
        "nodes": COUNT,
        "faults": array(TEXT),
    }
)
