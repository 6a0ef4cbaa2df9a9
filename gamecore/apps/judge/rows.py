"""Test rows for programs that solve the game against an opponent."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from gamecore.apps.judge._judging import Judging, claimed_number
from gamecore.game import Option, takes
from gamecore.reference import rows as reference
from gamecore.rows import Position
from gamecore.rows.opponents import BY_NAME, NAMES

if TYPE_CHECKING:
    from numpy.random import Generator

_MOST_TOTAL: Final = (1 << 63) - 1


def _claim(position: Position, words: list[str]) -> float | None:
    totals = list(map(claimed_number, words))
    if len(totals) != 2 or totals[0] is None or totals[1] is None:
        return None
    return totals[0] - totals[1]


def _smaller(position: Any) -> Iterator[Position]:
    """Yield rows without a half, a quarter and so on, down to one value less; then with values nearer to 0."""
    values = list(position.values)
    cut = len(values) // 2
    while cut:
        for k in range(0, len(values), cut):
            yield Position(values[:k] + values[k + cut :], position.opponent)
        cut //= 2
    if any(values):
        yield Position([_nearer(value, 1)[0] for value in values], position.opponent)
    for k, value in enumerate(values):
        for shift in range(value.bit_length()):
            for nearer in _nearer(value, shift):
                yield Position([*values[:k], nearer, *values[k + 1 :]], position.opponent)


def _nearer(value: int, shift: int) -> tuple[int, int]:
    """Return what is nearer to 0 than a value by 1/2**shift of it, rounded up, and rounded down."""
    steps = -(-abs(value) >> shift), abs(value) >> shift
    return (value - steps[0], value - steps[1]) if value > 0 else (value + steps[0], value + steps[1])


@takes(Option("opponent", "Opponent", "optimal", choices=NAMES))
def judging(*, opponent: Any = "optimal") -> Judging[Position]:
    """Return what judging needs of rows; a greedy opponent takes the right end on ties."""

    def row(least: int, most: int) -> "Callable[[int, Generator], Position]":
        return lambda n, rng: Position(rng.integers(least, most + 1, n).tolist(), opponent)

    def trap(n: int, rng: "Generator") -> Position:
        """Hide large values behind small ones, so that taking the larger end loses."""
        values = rng.integers(1, 9, n)
        values[1::3] += 20
        return Position(values.tolist(), opponent)

    def huge(n: int, rng: "Generator") -> Position:
        """Draw values of either sign whose absolute values add up to nearly 2**63."""
        most = _MOST_TOTAL // n
        return Position(rng.integers(-most, most, n, endpoint=True).tolist(), opponent)

    versions = {"full": lambda values: reference.full_exploration(values, opponent)}
    versions |= {name: reference.VERSIONS[name] for name in BY_NAME[opponent].versions}
    return Judging(
        {
            "random": row(1, 20),
            "ties": row(1, 3),
            "signed": row(-9, 9),
            "trap": trap,
            "large": row(1 << 29, (1 << 31) - 1),  # sums overflow 32 bits
            "huge": huge,
            "deep": row(1, 20),  # recursion, one call inside the other, meets Python's limit
        },
        sizes=range(1, 41),
        own_sizes={"deep": range(1010, 1101, 30)},
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
