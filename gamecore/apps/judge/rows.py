"""Test rows for programs that solve the game against an opponent."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from gamecore.apps.judge._judging import Judging, claimed_number
from gamecore.game import Option, takes
from gamecore.reference import rows as reference
from gamecore.rows import Position
from gamecore.rows.opponents import BY_NAME, NAMES

_TITLES: Final = {"top_down": "top-down memo", "bottom_up": "bottom-up table"}


def _claim(position: Any, words: list[str]) -> float | None:
    totals = list(map(claimed_number, words))
    if len(totals) != 2 or totals[0] is None or totals[1] is None:
        return None
    return totals[0] - totals[1]


def _smaller(position: Any) -> Iterator[Position]:
    """Yield rows with one value less, then rows with one value nearer to 0."""
    values = list(position.values)
    for k in range(len(values) if len(values) > 1 else 0):
        yield Position(values[:k] + values[k + 1 :], position.opponent)
    for k, value in enumerate(values):
        for nearer in sorted({0, int(value / 2), value - 1 if value > 0 else value + 1}, key=abs):
            if abs(nearer) < abs(value):
                yield Position([*values[:k], nearer, *values[k + 1 :]], position.opponent)


@takes(Option("opponent", "Opponent", "optimal", choices=NAMES))
def judging(*, opponent: Any = "optimal") -> Judging:
    """Return what judging needs of rows; a greedy opponent takes the right end on ties."""

    def row(least: int, most: int) -> Callable[[int, Any], Position]:
        return lambda n, rng: Position(rng.integers(least, most + 1, n).tolist(), opponent)

    def trap(n: int, rng: Any) -> Position:
        """Hide large values behind small ones, so that taking the larger end loses."""
        values = rng.integers(1, 9, n)
        values[1::3] += 20
        return Position(values.tolist(), opponent)

    versions = {"full exploration": lambda values: reference.full_exploration(values, opponent)}
    versions |= {_TITLES.get(name, "bottom-up table"): reference.VERSIONS[name] for name in BY_NAME[opponent].versions}
    return Judging(
        {"random": row(1, 20), "ties": row(1, 3), "signed": row(-9, 9), "trap": trap},
        sizes=range(1, 41),
        most=1000,
        size=lambda position: len(position.values),
        claim=_claim,
        smaller=_smaller,
        versions=versions,
        arguments=lambda position: (position.values,),
        polynomial=True,
        unit="value",
    )


PART = judging
