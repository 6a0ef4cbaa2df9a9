"""The fields of a request's body, read one by one: a wrong type, a value out of range or an unknown name is refused."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from gamecore.apps.explore._errors import ApiError
from gamecore.game import Json
from gamecore.text import printable

_MISSING: Final = object()


def parsed(body: bytes) -> Json:
    """Return the JSON object of a body; raise ApiError if there is none."""
    try:
        fields = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ApiError(400, "json", "the body is not JSON, or is nested too deeply") from None
    if not isinstance(fields, dict):
        raise ApiError(400, "json", "the body must be a JSON object")
    return fields


class Fields:
    """Reads the fields of one request; each method raises :class:`ApiError` for a value that does not fit.

    A field without a default must be there. :meth:`done` at the end refuses fields that were not read.

    Args:
        body: the JSON object.
    """

    def __init__(self, body: Json) -> None:
        self._body = body
        self._known: set[str] = set()

    def _get(self, name: str, default: object, fits: Callable[[Any], bool], needed: str) -> Any:
        self._known.add(name)
        value = self._body.get(name)
        if value is None and default is _MISSING:
            raise ApiError(400, "field", f"the field {name} is missing", name)
        if value is None:
            return default
        if not fits(value):
            raise ApiError(400, "field", f"{name} must be {needed}, not {printable(value)}", name)
        return value

    def _check_size(self, name: str, size: int, most: int, unit: str) -> None:
        if size > most:
            raise ApiError(413, "size", f"{name} has {size} {unit}; at most {most} are read", name)

    def text(self, name: str, most: int) -> str:
        """Return a text of at most ``most`` characters."""
        text: str = self._get(name, _MISSING, lambda value: isinstance(value, str), "a text")
        self._check_size(name, len(text), most, "characters")
        return text

    def choice(self, name: str, choices: Sequence[str], default: object = _MISSING) -> Any:
        """Return one of several texts."""
        needed = f"one of {', '.join(choices)}"
        return self._get(name, default, lambda value: isinstance(value, str) and value in choices, needed)

    def whole(self, name: str, least: int, most: int, default: object = _MISSING) -> Any:
        """Return a whole number in a range."""
        needed = f"a whole number from {least} to {most}"
        return self._get(name, default, lambda value: type(value) is int and least <= value <= most, needed)

    def positive(self, name: str, most: float, default: float) -> float:
        """Return a number above 0, cut to ``most``."""
        number = self._get(name, default, lambda value: _is_number(value) and 0 < value < math.inf, "a number above 0")
        return float(min(number, most))

    def share(self, name: str) -> float:
        """Return a number from 0 to 1, by default 0."""
        return float(self._get(name, 0.0, lambda value: _is_number(value) and 0 <= value <= 1, "a number from 0 to 1"))

    def flag(self, name: str) -> bool:
        """Return true or false, by default false."""
        return bool(self._get(name, False, lambda value: isinstance(value, bool), "true or false"))

    def texts(self, name: str, most: int, chars: int) -> list[str]:
        """Return a list of short texts, by default an empty one."""

        def fits(value: object) -> bool:
            return isinstance(value, list) and all(type(text) is str and len(text) <= chars for text in value)

        texts = list(self._get(name, [], fits, f"a list of texts of at most {chars} characters"))
        self._check_size(name, len(texts), most, "items")
        return texts

    def record(self, name: str, default: object = _MISSING) -> Json:
        """Return an object."""
        return dict(self._get(name, default, lambda value: isinstance(value, dict), "an object"))

    def done(self) -> None:
        """Refuse fields that were not read."""
        for name in self._body.keys() - self._known:
            names = ", ".join(sorted(self._known)) or "none"
            raise ApiError(400, "field", f"there is no field {printable(name)} here; the fields are: {names}")


def _is_number(value: object) -> bool:
    return type(value) in (int, float)
