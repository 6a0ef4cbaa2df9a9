"""Results that were measured by playing: undefined numbers are nan, and None in their dicts."""

import math
from dataclasses import dataclass
from typing import Any

from gamecore import contract


class Measured(contract.Result):
    """A result whose undefined numbers are nan."""

    def to_dict(self) -> dict[str, Any]:
        """The attributes in ``FIELDS`` as plain values; None for nan."""
        return {name: _defined(value) for name, value in super().to_dict().items()}


def _defined(value: Any) -> Any:
    if isinstance(value, list):
        return [_defined(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


@dataclass(frozen=True, slots=True)
class Evaluation(Measured):
    """Estimate of one move by playouts.

    Attributes:
        move: a legal card, or three cards to pass, as in ``legal_moves``.
        mean: mean points of the seat at the end of the round (fewer is better); nan without playouts.
        stderr: standard error of the mean; nan below two playouts. All moves share their deals: differences between
            moves have smaller errors.
        playouts: number of playouts.
    """

    move: str
    mean: float
    stderr: float
    playouts: int

    def __str__(self) -> str:
        """``SQ 13.20 +- 0.11``."""
        return f"{self.move} {self.mean:.2f} +- {self.stderr:.2f}"
