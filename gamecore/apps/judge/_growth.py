"""How a program's time grows with the size, beside the reference algorithms."""

import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from gamecore.apps.judge._judge import input_of
from gamecore.apps.judge._judging import judging_of
from gamecore.apps.judge._run import Target, run
from gamecore.game import Game
from gamecore.game import game as game_of
from gamecore.rng import generator

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST: Final = 0.02  # seconds: what is quicker is noise
_EACH: Final = 3  # cases of a size


@dataclass(frozen=True)
class Growth:
    """Times of one program by size.

    Attributes:
        name: of the program.
        sizes, seconds: the sizes that ended within the limits, and the median processor time of each.
        factor: the time is multiplied by this for each unit of size; None: too quick, or too few sizes.
        power: in games of polynomial time instead: the time grows as this power of the size.
        stopped: the size that exceeded a limit or failed; None: the last size ended.
    """

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    factor: float | None
    power: float | None
    stopped: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self) | {"sizes": list(self.sizes), "seconds": list(self.seconds)}

    def describe(self, unit: str) -> str:
        """Return the growth in words; ``unit``: what sizes count."""
        if self.factor is not None:
            return f"grows by {self.factor:.2g} a {unit}"
        if self.power is not None:
            return f"grows as n^{self.power:.1f}"
        return "ends too quickly, or at too few sizes, for a fit"


@dataclass(frozen=True)
class Scaling:
    """How programs grow, side by side.

    Attributes:
        game, unit: the game's name, and what its sizes count.
        programs: the judged program first, then the reference versions.
    """

    game: str
    unit: str
    programs: tuple[Growth, ...]

    def __str__(self) -> str:
        sizes = sorted({size for growth in self.programs for size in growth.sizes})
        width = max(len(growth.name) for growth in self.programs)
        head = f"{'seconds, by ' + self.unit + 's':{width}}" + "".join(f"{size:>9}" for size in sizes)
        lines = [head]
        for growth in self.programs:
            times = dict(zip(growth.sizes, growth.seconds, strict=True))
            cells = [f"{times[size]:9.3f}" if size in times else f"{'':9}" for size in sizes]
            lines.append(f"{growth.name:{max(width, len(head) - 9 * len(sizes))}}" + "".join(cells))
        for growth in self.programs:
            lines.append(f"{growth.name} {growth.describe(self.unit)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"game": self.game, "unit": self.unit, "programs": [growth.to_dict() for growth in self.programs]}

    def plot(self) -> "Figure":
        """Return a plot of time against size.

        Raises:
            GamecoreError: matplotlib is not installed.
        """
        from gamecore.draw.plots import add_legend, new_figure, plain_text

        figure = new_figure(6, 4)
        axes = figure.subplots()
        for growth in self.programs:
            label = plain_text(f"{growth.name} {growth.describe(self.unit)}")
            axes.plot(growth.sizes, [max(seconds, 1e-4) for seconds in growth.seconds], marker="o", label=label)
        axes.set(xlabel=f"size ({self.unit}s)", ylabel="processor time (s)", yscale="log")
        add_legend(figure)
        return figure


def scaling(
    game: str | Game,
    target: Target,
    *,
    sizes: range | None = None,
    seconds: float = 2.0,
    memory_mb: float = 1024.0,
    seed: int = 0,
    name: str = "yours",
    each: Callable[[Growth], None] = lambda _: None,
) -> Scaling:
    """Time a program and the reference algorithms on the same cases, from small to large.

    Args:
        game: a game, or its name.
        target: as for :func:`judge`.
        sizes: default: upward from the game's smallest until the limit is reached.
        seconds, memory_mb: limits of one case; a program stops at the first size that exceeds one, or fails.
        seed: of the cases, which are the first family's.
        name: of the program in the table.
        each: called with each program's result.

    Raises:
        OptionError: a game that cannot be judged. GamecoreError: the program cannot be started.
    """
    game = game_of(game) if isinstance(game, str) else game
    judging = judging_of(game)
    rng, chosen = generator(seed), {}
    family = next(iter(judging.families.values()))
    for size in sizes or _steps(judging.sizes[0], judging.most):
        positions = [family(size, rng) for _ in range(_EACH)]
        chosen[size] = [(position, text) for position in positions if (text := input_of(game, position)) is not None]
    programs: dict[str, Callable[[Any], Target]] = {name: lambda position: target}
    for version, solve in judging.versions.items():
        programs[version] = lambda position, solve=solve: lambda text: solve(position)  # type: ignore[misc]
    results = []
    for program, target_of in programs.items():
        times: dict[int, float] = {}
        stopped = None
        for size, some in chosen.items():
            runs = [run(target_of(position), text, seconds, memory_mb) for position, text in some]
            if any(ran.exceeded or ran.status for ran in runs):
                stopped = size
                break
            times[size] = statistics.median(ran.seconds for ran in runs)
        factor, power = (None, fit(times, True)) if judging.polynomial else (fit(times), None)
        results.append(Growth(program, tuple(times), tuple(times.values()), factor, power, stopped))
        each(results[-1])
    return Scaling(game.name, judging.unit, tuple(results))


def _steps(first: int, most: int) -> Iterator[int]:
    """Yield sizes, an eighth apart once they are large."""
    while first <= most:
        yield first
        first += max(1, first // 8)


def fit(times: dict[int, float], power: bool = False) -> float | None:
    """Fit seconds = start + c * rate**size, or start + c * size**rate if ``power``; return the rate.

    Least squares on logarithms; the start is that of the best fit from 0 to the quickest time. None: fewer than three
    sizes took long enough.
    """
    quickest, fits = min(times.values(), default=0.0), []
    for tenths in range(10):
        start = quickest * tenths / 10
        points = [
            (float(size), math.log(seconds - start)) for size, seconds in times.items() if seconds - start >= _LEAST
        ]
        if len(points) >= 3:
            xs = [math.log(size) if power else size for size, _ in points]
            logs = [log for _, log in points]
            slope = statistics.linear_regression(xs, logs).slope
            fits.append((abs(statistics.correlation(xs, logs)) if slope else 0.0, slope))
    if not fits:
        return None
    slope = max(fits)[1]
    return slope if power else math.exp(slope)
