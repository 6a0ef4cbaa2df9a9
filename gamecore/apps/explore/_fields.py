"""The fields of a request's body, read one by one: a wrong type, a value out of range or an unknown name is refused."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gamecore.apps.explore._errors import ApiError
from gamecore.text import printable

_MISSING: Final = object()


def parsed(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body.

    Raises:
        ApiError: there is none.
    """
    try:
        fields = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        reason = "is nested too deeply" if isinstance(error, RecursionError) else "is not JSON"
        raise ApiError(400, "json", f"the body {reason}") from None
    if not isinstance(fields, dict):
        raise ApiError(400, "json", "the body must be a JSON object")
    return fields


class Fields:
    """Reads the fields of one request; each method raises :class:`ApiError` for a value that does not fit.

    A field without a default must be there. :meth:`done` at the end refuses fields that were not read.

    Args:
        body: the JSON object.
    """

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body
        self._known: set[str] = set()

    def _get(self, name: str, default: object) -> Any:
        self._known.add(name)
        value = self._body.get(name)
        if value is None and default is _MISSING:
            raise ApiError(400, "field", f"the field {name} is missing", name)
        return default if value is None else value

    def _wrong(self, name: str, needed: str, value: object) -> ApiError:
        return ApiError(400, "field", f"{name} must be {needed}, not {printable(value)}", name)

    def text(self, name: str, most: int) -> str:
        """Return a text of at most ``most`` characters."""
        value = self._get(name, _MISSING)
        if not isinstance(value, str):
            raise self._wrong(name, "a text", value)
        if len(value) > most:
            raise ApiError(413, "size", f"{name} has {len(value)} characters; at most {most} are read", name)
        return value

    def choice(self, name: str, choices: Sequence[str], default: Any = _MISSING) -> Any:
        """Return one of several texts."""
        value = self._get(name, default)
        if value is not default and (not isinstance(value, str) or value not in choices):
            raise self._wrong(name, f"one of {', '.join(choices)}", value)
        return value

    def whole(self, name: str, least: int, most: int, default: Any = _MISSING) -> Any:
        """Return a whole number in a range."""
        value = self._get(name, default)
        if value is not default and (type(value) is not int or not least <= value <= most):
            raise self._wrong(name, f"a whole number from {least} to {most}", value)
        return value

    def positive(self, name: str, most: float, default: float) -> float:
        """Return a number above 0, at most ``most``."""
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
            raise self._wrong(name, "a number above 0", value)
        return float(min(value, most))

    def share(self, name: str, default: float) -> float:
        """Return a number from 0 to 1."""
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise self._wrong(name, "a number from 0 to 1", value)
        return float(value)

    def flag(self, name: str) -> bool:
        """Return true or false, by default false."""
        value = self._get(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false", value)
        return value

    def texts(self, name: str, most: int, chars: int) -> list[str]:
        """Return a list of short texts, by default an empty one."""
        value = self._get(name, ())
        if not isinstance(value, (list, tuple)) or any(type(text) is not str or len(text) > chars for text in value):
            raise self._wrong(name, f"a list of texts of at most {chars} characters", value)
        if len(value) > most:
            raise ApiError(413, "size", f"{name} has {len(value)} items; at most {most} are read", name)
        return list(value)

    def record(self, name: str, default: Any = _MISSING) -> dict[str, Any]:
        """Return an object."""
        value = self._get(name, default)
        if not isinstance(value, dict):
            raise self._wrong(name, "an object", value)
        return value

    def done(self) -> None:
        """Refuse fields that were not read."""
        for name in self._body:
            if name not in self._known:
                names = ", ".join(sorted(self._known)) or "none"
                raise ApiError(400, "field", f"there is no field {printable(name)} here; the fields are: {names}")
