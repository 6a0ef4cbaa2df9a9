"""Equality of results whose fields are arrays: :class:`ByContent`."""

import dataclasses
from typing import Any

import numpy as np


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
        made: Any = self
        names = [one.name for one in dataclasses.fields(made) if one.compare]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)
