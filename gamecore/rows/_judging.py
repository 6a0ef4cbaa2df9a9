"""Test rows for programs that solve the game against an optimal opponent."""

from collections.abc import Iterator
from typing import Any

from gamecore.game import Judging, claimed_number
from gamecore.reference import rows as reference
from gamecore.rows._position import Position


def _row(least: int, most: int) -> Any:
    return lambda n, rng: Position(rng.integers(least, most + 1, n).tolist())


def _trap(n: int, rng: Any) -> Position:
    """Hide large values behind small ones, so that taking the larger end loses."""
    values = rng.integers(1, 9, n)
    values[1::3] += 20
    return Position(values.tolist())


def _claim(position: Any, words: list[str]) -> float | None:
    totals = list(map(claimed_number, words))
    if len(totals) != 2 or totals[0] is None or totals[1] is None:
        return None
    return totals[0] - totals[1]


def _smaller(position: Any) -> Iterator[Position]:
    """Yield rows with one value less, then rows with one value nearer to 0."""
    values = list(position.values)
    for k in range(len(values) if len(values) > 1 else 0):
        yield Position(values[:k] + values[k + 1 :])
    for k, value in enumerate(values):
        for nearer in sorted({0, int(value / 2), value - 1 if value > 0 else value + 1}, key=abs):
            if abs(nearer) < abs(value):
                yield Position([*values[:k], nearer, *values[k + 1 :]])


JUDGING = Judging(
    {"random": _row(1, 20), "ties": _row(1, 3), "signed": _row(-9, 9), "trap": _trap},
    sizes=range(1, 41),
    most=1000,
    claim=_claim,
    smaller=_smaller,
    versions={
        "full exploration": lambda position: reference.full_exploration(position.values, "optimal"),
        "bottom-up table": lambda position: reference.smart(position.values),
    },
    polynomial=True,
    unit="value",
)
