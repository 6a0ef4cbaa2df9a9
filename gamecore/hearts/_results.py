"""Shared by the results of hearts: equality of arrays, nan as None in JSON."""

import dataclasses
import math
from typing import Any

from gamecore.contract import Result


class ByContent:
    """Base of frozen dataclasses with arrays among their fields; declare them with ``eq=False``.

    Instances of one class are equal if all fields without ``compare=False`` are. They have no hash.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        import numpy as np

        result: Any = self
        names = [field.name for field in dataclasses.fields(result) if field.compare]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)


class Measured(Result):
    """A result whose undefined numbers are nan."""

    def to_dict(self) -> dict[str, Any]:
        """The attributes in ``FIELDS`` as plain values; None for nan."""
        return {name: _defined(value) for name, value in super().to_dict().items()}


def _defined(value: Any) -> Any:
    if isinstance(value, list):
        return [_defined(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
