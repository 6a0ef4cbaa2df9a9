"""The fields of a request's body, read one by one: what is of another kind, out of range or unknown is refused."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gamecore.explore._errors import ApiError
from gamecore.text import printable

_MISSING: Final = object()


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object of a body.

    Raises:
        ApiError: it is none.
    """
    try:
        found = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        reason = "is nested too deeply" if isinstance(error, RecursionError) else "is not JSON"
        raise ApiError(400, "json", f"the body {reason}") from None
    if not isinstance(found, dict):
        raise ApiError(400, "json", "the body has to be a JSON object")
    return found


class Fields:
    """Reads the fields of one request; :meth:`done` at the end refuses what nobody asked for.

    Args:
        body: the JSON object.
    """

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body
        self._known: set[str] = set()

    def _get(self, name: str, default: object) -> Any:
        self._known.add(name)
        value = self._body.get(name)
        if value is None:
            if default is _MISSING:
                raise ApiError(400, "field", f"the field {name} is missing", name)
            return default
        return value

    def text(self, name: str, most: int, default: Any = _MISSING) -> Any:
        """A text of at most so many characters.

        Raises:
            ApiError: it is missing (unless there is a default), is none, or is too long.
        """
        value = self._get(name, default)
        if value is default:
            return value
        if not isinstance(value, str):
            raise ApiError(400, "field", f"{name} has to be a text, not {printable(value)}", name)
        if len(value) > most:
            raise ApiError(413, "size", f"{name} has {len(value)} characters; at most {most} are read", name)
        return value

    def choice(self, name: str, known: Sequence[str], default: Any = _MISSING) -> Any:
        """One of the texts that are known.

        Raises:
            ApiError: something else.
        """
        value = self._get(name, default)
        if value is not default and (not isinstance(value, str) or value not in known):
            raise ApiError(400, "field", f"{name} has to be one of {', '.join(known)}, not {printable(value)}", name)
        return value

    def whole(self, name: str, least: int, most: int, default: Any = _MISSING) -> Any:
        """A whole number in a range.

        Raises:
            ApiError: something else.
        """
        value = self._get(name, default)
        if value is not default and (type(value) is not int or not least <= value <= most):
            message = f"{name} has to be a whole number from {least} to {most}, not {printable(value)}"
            raise ApiError(400, "field", message, name)
        return value

    def positive(self, name: str, most: float, default: float) -> float:
        """A number above 0; what is above ``most`` counts as ``most``.

        Raises:
            ApiError: something else.
        """
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
            raise ApiError(400, "field", f"{name} has to be a number above 0, not {printable(value)}", name)
        return float(min(value, most))

    def flag(self, name: str) -> bool:
        """True or false; false where it is missing.

        Raises:
            ApiError: something else.
        """
        value = self._get(name, False)
        if not isinstance(value, bool):
            raise ApiError(400, "field", f"{name} has to be true or false, not {printable(value)}", name)
        return value

    def texts(self, name: str, most: int, chars: int) -> list[str]:
        """A list of short texts; empty where it is missing.

        Raises:
            ApiError: something else, or too many.
        """
        value = self._get(name, ())
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) and len(one) <= chars for one in value):
            raise ApiError(400, "field", f"{name} has to be a list of texts of at most {chars} characters", name)
        if len(value) > most:
            raise ApiError(413, "size", f"{name} has {len(value)} items; at most {most} are read", name)
        return list(value)

    def record(self, name: str, default: Any = _MISSING) -> dict[str, Any]:
        """An object.

        Raises:
            ApiError: something else.
        """
        value = self._get(name, default)
        if not isinstance(value, dict):
            raise ApiError(400, "field", f"{name} has to be an object, not {printable(value)}", name)
        return value

    def done(self) -> None:
        """All fields have been read.

        Raises:
            ApiError: there are others.
        """
        for name in self._body:
            if name not in self._known:
                known = ", ".join(sorted(self._known)) or "none"
                raise ApiError(400, "field", f"there is no field {printable(name)} here; the fields are: {known}")
