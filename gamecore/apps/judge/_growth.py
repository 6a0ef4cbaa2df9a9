"""How a program's time grows with the size, beside the reference algorithms."""

import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gamecore.apps.judge._judge import TLE, expected_of, failure_of, input_of, lines_of
from gamecore.apps.judge._judging import judged_game, judging_of
from gamecore.apps.judge._run import Target, run
from gamecore.contract import Playable, Result
from gamecore.errors import OptionError
from gamecore.game import Game
from gamecore.rng import generator

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST: Final = 0.02  # seconds: what is quicker is noise
_EACH: Final = 3  # cases of a size, and runs of the smallest case
YOURS: Final = "yours"
NATIVE: Final = "gamecore"


@dataclass(frozen=True)
class Growth(Result):
    """Times of one program by size.

    Attributes:
        name: of the program.
        sizes, seconds: the sizes that ended within the limits, and the median processor time of each, less
            ``startup``.
        startup: seconds of the smallest case: what an empty program takes in that language.
        factor: the time is multiplied by this for each unit of size; None: see ``power``, or no fit.
        power: in games of polynomial time, if it fits better: the time grows as this power of the size.
        stopped: the size that exceeded a limit or failed; None: the last size ended.
        verdict, why: of that size; empty: the last size ended.
        wrong: the first size with a wrong answer; None: all are right, or it is a reference algorithm.
    """

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    startup: float
    factor: float | None
    power: float | None
    stopped: int | None
    verdict: str
    why: str
    wrong: int | None

    @property
    def passed(self) -> bool:
        """Whether all answers were right, and nothing but the limit of time ended it."""
        return self.wrong is None and self.verdict in ("", TLE)

    def describe(self, unit: str, *, stop: bool = True) -> str:
        """Return the growth in words; ``unit``: what sizes count; ``stop``: also why it stopped."""
        words = f"has too few sizes of {_LEAST} s and more for a fit"
        if self.factor is not None:
            words = f"grows by {self.factor:.2g} a {unit}"
        elif self.power is not None:
            words = f"grows as n^{self.power:.1f}"
        if stop and self.stopped is not None:
            words += f"; stops at {self.stopped} {unit}s: {self.verdict}, {self.why}"
        return words if self.wrong is None else f"{words}; WRONG answers from {self.wrong} {unit}s on"


@dataclass(frozen=True)
class Scaling(Result):
    """How programs grow, side by side.

    Attributes:
        game, unit: the game's name, and what its sizes count.
        programs: the judged program first, then the reference versions, then gamecore itself.
    """

    game: str
    unit: str
    programs: tuple[Growth, ...]

    def __str__(self) -> str:
        sizes = sorted({size for growth in self.programs for size in growth.sizes})
        title = f"seconds, by {self.unit}s"
        width = max(len(title), *(len(growth.name) for growth in self.programs))
        lines = [f"{title:{width}}" + "".join(f"{size:>9}" for size in sizes)]
        for growth in self.programs:
            times = dict(zip(growth.sizes, growth.seconds, strict=True))
            cells = [f"{times[size]:9.3f}" if size in times else f"{'':9}" for size in sizes]
            lines.append(f"{growth.name:{width}}" + "".join(cells))
        lines.append(f"without the start-up: {', '.join(f'{g.name} {g.startup:.3f}' for g in self.programs)}")
        return "\n".join([*lines, *(f"{growth.name} {growth.describe(self.unit)}" for growth in self.programs)])

    def plot(self) -> "Figure":
        """Return a plot of time against size; raise GamecoreError if matplotlib is not installed."""
        from matplotlib.ticker import MaxNLocator

        from gamecore.draw.plots import add_legend, new_figure, plain_text

        figure = new_figure(6, 5)
        axes = figure.subplots()
        for growth in self.programs:
            times = {size: time for size, time in zip(growth.sizes, growth.seconds, strict=True) if time >= _LEAST}
            words = growth.describe(self.unit, stop=False) if times else f"below {_LEAST} s"
            axes.plot(list(times), list(times.values()), marker="o", label=plain_text(f"{growth.name}: {words}"))
        axes.set(xlabel=f"{self.unit}s", ylabel="seconds of processor time, without start-up", yscale="log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        add_legend(figure, columns=1)
        return figure


def scaling(
    game: str | Game,
    target: Target | Mapping[str, Target],
    *,
    sizes: range | None = None,
    seconds: float = 2.0,
    memory_mb: float = 1024.0,
    seed: int = 0,
    progress: Callable[[Scaling], object] = lambda so_far: None,
    **options: object,
) -> Scaling:
    """Time a program, the reference algorithms and gamecore on the same cases, from small to large.

    Args:
        game: a game, or its name.
        target: as for :func:`judge`, or several by name.
        sizes: default: from the game's smallest until the limit is reached. Of many sizes, some are measured: the
            first 16, then those an eighth of the number before them apart, and the last.
        seconds, memory_mb: limits of one case; a program stops at the first size that exceeds one, or fails.
        seed: of the cases, which are the first family's.
        progress: called after each size with what is measured so far.
        options: of the game's cases: of rows, ``opponent``.

    Raises:
        OptionError: a game that cannot be judged, or that has no case of these sizes. GamecoreError: the program cannot
            be started.
    """
    game = judged_game(game)
    judging, rng, limits = judging_of(game, **options), generator(seed), (seconds, memory_mb)
    family, first = next(iter(judging.families.values())), judging.sizes[0]
    asked: dict[str, Playable] = {}  # positions, by what a program reads
    chosen: dict[int, list[str]] = {}
    for size in dict.fromkeys((first, *_some_of(sizes or range(first, judging.most + 1)))):
        positions = [family(size, rng) for _ in range(_EACH)]
        inputs = {text: position for position in positions if (text := input_of(position)) is not None}
        chosen |= {size: list(inputs)} if inputs else {}
        asked |= inputs
    smallest = next(iter(asked), None)
    if sizes and first not in sizes:
        chosen.pop(first, None)
    if smallest is None or not chosen:
        raise OptionError(f"{game.name} has no case of these sizes")
    targets = target if isinstance(target, Mapping) else {YOURS: target}

    def reference(solve: Callable[..., object]) -> Target:
        return lambda text: solve(*judging.arguments(asked[text]))

    programs = {**targets, **{version: reference(solve) for version, solve in judging.versions.items()}}
    programs[NATIVE] = lambda text: game.solve(asked[text])
    growths: dict[str, Growth] = {}
    for program, solver in programs.items():
        startup = min(run(solver, smallest, *limits).seconds for _ in range(_EACH))
        times: dict[int, float] = {}
        wrong = None
        for size, texts in chosen.items():
            ended = {text: run(solver, text, *limits) for text in texts}
            failure = next(filter(None, (failure_of(ran, *limits) for ran in ended.values())), None)
            if failure is None:
                times[size] = max(0.0, statistics.median(ran.seconds for ran in ended.values()) - startup)
                if program in targets and wrong is None:
                    pairs = ((lines_of(ran.output), expected_of(game, asked[text])) for text, ran in ended.items())
                    wrong = None if all(lines == expected.split("\n") for lines, expected in pairs) else size
            seen, stopped = (tuple(times), tuple(times.values())), None if failure is None else size
            growths[program] = Growth(
                program, *seen, startup, *fit(times, judging.polynomial), stopped, *(failure or ("", "")), wrong
            )
            progress(Scaling(game.name, judging.unit, tuple(growths.values())))
            if failure is not None:
                break
    return Scaling(game.name, judging.unit, tuple(growths.values()))


def _some_of(sizes: range) -> Iterator[int]:
    """Yield the first sizes, then some, which are ever further apart, and the last."""
    index = 0
    while index < len(sizes) - 1:
        yield sizes[index]
        index += max(1, index // 8)
    yield sizes[-1]


def fit(times: Mapping[int, float], polynomial: bool = False) -> tuple[float | None, float | None]:
    """Fit seconds = c * factor**size, or, if ``polynomial``, c * size**power, by least squares on logarithms.

    Return the factor and the power, one of them None: what fits better. Both are None if fewer than three sizes took
    long enough, or if ``polynomial`` and these do not span a factor of two.
    """
    logs = {size: math.log(seconds) for size, seconds in times.items() if seconds >= _LEAST}
    if len(logs) < 3 or (polynomial and max(logs) < 2 * min(logs)):
        return None, None
    rate, squares = _line(logs)
    power, other = _line({math.log(size): log for size, log in logs.items()})
    return (None, power) if polynomial and other <= squares else (math.exp(rate), None)


def _line(points: Mapping[int, float] | Mapping[float, float]) -> tuple[float, float]:
    """Return the slope of the line that fits points best, and the sum of squares."""
    slope, intercept = statistics.linear_regression([*points], [*points.values()])
    return slope, sum((y - slope * x - intercept) ** 2 for x, y in points.items())
