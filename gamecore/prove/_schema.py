"""JSON Schema of what ``gamecore prove`` prints with ``--json``, from the fields of its dataclasses."""

from dataclasses import fields
from typing import Any, Final, get_args, get_type_hints

from gamecore.prove._master import Outcome
from gamecore.prove._status import Estimate, Progress, Status
from gamecore.prove._verify import Verification
from gamecore.schema import COUNT, FLAG, INTEGER, NUMBER, SECONDS, TEXT, Schema, array, bounds, nullable, record

_BY_NAME: Final = {"lower": INTEGER, "upper": INTEGER, "seconds": SECONDS}
_BY_TYPE: Final[dict[Any, Schema]] = {
    str: TEXT, bool: FLAG, int: COUNT, float: NUMBER, tuple[str, ...]: array(TEXT),
}  # fmt: skip


def _properties(kind: type[Any]) -> dict[str, Schema]:
    """Return the properties of a dataclass; ``X | None`` is nullable."""
    hints, found = get_type_hints(kind), {}
    for name in (field.name for field in fields(kind)):
        hint, *none = get_args(hints[name]) if type(None) in get_args(hints[name]) else (hints[name],)
        if hint is Estimate:
            schema = record(_properties(Estimate))
        else:
            schema = _BY_NAME.get(name) or _BY_TYPE[hint]
        found[name] = nullable(schema) if none else schema
    return found


PROGRESS: Final = record({"event": {"const": "progress"}, **_properties(Progress)})
RESULT: Final = record({"event": {"const": "result"}, **bounds(INTEGER), **_properties(Outcome)})
STATUS: Final = record(_properties(Status))
VERIFICATION: Final = record(_properties(Verification))
