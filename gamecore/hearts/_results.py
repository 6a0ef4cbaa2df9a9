"""What results of hearts share: equality of arrays, means and their errors, nan as None in JSON."""

import dataclasses
import math
from typing import Any

from gamecore.contract import Result


class ByContent:
    """A base of frozen dataclasses, which are declared with ``eq=False``, that may have arrays among their fields.

    Two of them are equal if they are of one class and agree in every field but those of ``field(compare=False)``. They
    have no hash.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        import numpy as np

        made: Any = self
        names = [one.name for one in dataclasses.fields(made) if one.compare]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)


class Measured(Result):
    """A result with numbers that are nan where they are not defined."""

    def to_dict(self) -> dict[str, Any]:
        """The attributes in ``FIELDS`` as plain values; None for what is not defined."""
        return {name: _defined(value) for name, value in super().to_dict().items()}


def _defined(value: Any) -> Any:
    if isinstance(value, list):
        return [_defined(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def mean_and_error(total: float, square: float, count: int) -> tuple[float, float]:
    """The mean of so many numbers and its standard error, from their sum and the sum of their squares; nan for none."""
    if not count:
        return math.nan, math.nan
    if count < 2:
        return total / count, math.nan
    return total / count, math.sqrt(max(0.0, (square - total * total / count) / (count - 1)) / count)
