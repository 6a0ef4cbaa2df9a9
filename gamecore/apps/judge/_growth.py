"""How a program's time grows with the size, beside the reference algorithms."""

import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gamecore.apps.judge._judge import TLE, expected_of, failure_of, input_of, lines_of
from gamecore.apps.judge._judging import check_sizes, judged_game, judging_of
from gamecore.apps.judge._run import Run, Target, run
from gamecore.contract import Playable, Result
from gamecore.errors import OptionError
from gamecore.game import Game
from gamecore.rng import generator
from gamecore.text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST: Final = 0.02  # seconds: what is quicker is noise
_LOWEST: Final = 0.001  # seconds in a plot
_FEWEST: Final = 3  # sizes of a fit
_SLOWEST: Final = 1.1  # factor of a fit: what grows by less is a power
_EACH: Final = 3  # cases of a size, and runs of the smallest case
YOURS: Final = "yours"
NATIVE: Final = "gamecore"


@dataclass
class Growth(Result):
    """Times of one program by size.

    Attributes:
        name: of the program.
        is_polynomial: whether good programs of the game take polynomial time.
        startup: seconds of the smallest case: what an empty program takes in that language.
        times: by each size that ended within the limits, the median processor time, less ``startup``.
        stopped: the size that exceeded a limit or failed; None: the last size ended.
        verdict, why: of that size; empty: the last size ended.
        wrong: the first size with a wrong answer; None: all are right, or it is a reference algorithm.
    """

    FIELDS = ("name", "sizes", "seconds", "startup", "factor", "power", "stopped", "verdict", "why", "wrong")

    name: str
    is_polynomial: bool
    startup: float
    times: dict[int, float] = field(default_factory=dict)
    stopped: int | None = None
    verdict: str = ""
    why: str = ""
    wrong: int | None = None

    @property
    def least(self) -> float:
        """Seconds below which a time is not fitted. What is quicker than the start-up is noise."""
        return max(_LEAST, self.startup)

    @property
    def fitted(self) -> dict[int, float]:
        """The times that are fitted."""
        return {size: seconds for size, seconds in self.times.items() if seconds >= self.least}

    @property
    def rates(self) -> tuple[float | None, float | None]:
        """By which factor the time grows for each unit of size, and as which power of the size: see :func:`fit`."""
        return fit(self.fitted, self.is_polynomial)

    @property
    def passed(self) -> bool:
        """Whether all answers were right, and nothing but the limit of time ended it."""
        return self.wrong is None and self.verdict in ("", TLE)

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        factor, power = self.rates
        fitted = {"sizes": [*self.times], "seconds": [*self.times.values()], "factor": factor, "power": power}
        return {name: fitted[name] if name in fitted else getattr(self, name) for name in self.FIELDS}

    def describe(self, unit: str, *, stop: bool = True) -> str:
        """Return the growth in words; ``unit``: what sizes count; ``stop``: also why it stopped."""
        (factor, power), points = self.rates, counted(len(self.fitted), "size")
        forms = [] if factor is None else [f"by {factor:.2g} a {unit}"]
        forms += [] if power is None else [f"as n^{power:.1f}"]
        unclear = ", too close together to tell" if len(forms) == 2 else ""
        words = f"grows {' or '.join(forms)} ({points}{unclear})"
        words = words if forms else f"has {points} of {self.least:.2g} s and more: a fit needs {_FEWEST}"
        if stop and self.stopped is not None:
            words += f"; stops at {counted(self.stopped, unit)}: {self.verdict}, {self.why}"
        return words if self.wrong is None else f"{words}; WRONG answers from {counted(self.wrong, unit)} on"


@dataclass(frozen=True)
class Scaling(Result):
    """How programs grow, side by side.

    Attributes:
        game, unit: the game's name, and what its sizes count.
        programs: the judged programs first, then the reference versions, then gamecore itself.
    """

    game: str
    unit: str
    programs: list[Growth]

    def table(self) -> list[list[str]]:
        """Return the texts of a table: a row a size, the start-up last; a column a program, the sizes first."""
        rows = [[f"{self.unit}s", *(growth.name for growth in self.programs)]]
        for size in sorted({size for growth in self.programs for size in growth.times}):
            seconds = [growth.times.get(size) for growth in self.programs]
            rows.append([str(size), *("" if second is None else f"{second:.3f}" for second in seconds)])
        return [*rows, ["start-up", *(f"{growth.startup:.3f}" for growth in self.programs)]]

    def __str__(self) -> str:
        table = self.table()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)).rstrip() for row in table]
        words = (f"{growth.name} {growth.describe(self.unit)}" for growth in self.programs)
        return "\n".join(["seconds of processor time without the start-up:", *lines, *words])

    def plot(self) -> "Figure":
        """Return a plot of time against size; raise GamecoreError if matplotlib is not installed."""
        from matplotlib.ticker import LogFormatter, MaxNLocator

        from gamecore.draw.plots import add_legend, new_figure, plain_text

        figure = new_figure(6, 5)
        axes = figure.subplots()
        for growth in self.programs:
            label = plain_text(f"{growth.name}: {growth.describe(self.unit, stop=False)}")
            seconds = [max(time, _LOWEST) for time in growth.times.values()]
            (line,) = axes.plot([*growth.times], seconds, marker="o", fillstyle="none", label=label)
            axes.plot([*growth.fitted], [*growth.fitted.values()], "o", color=line.get_color())
        what = f"{self.unit}s (hollow: too quick to be fitted, drawn at {_LOWEST} s or above)"
        axes.set(xlabel=what, ylabel="seconds, without start-up", yscale="log")
        if self.programs[0].is_polynomial:  # powers are lines, and exponentials end long before them
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter("{x:.0f}")
            axes.xaxis.set_minor_formatter(LogFormatter(minor_thresholds=(3, 0.4)))
        else:
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
    **options: object,
) -> Iterator[Scaling]:
    """Time a program, the reference algorithms and gamecore on the same cases, from small to large.

    Args:
        game: a game, or its name.
        target: as for :func:`judge`, or several by name.
        sizes: default: from the game's smallest until the limit is reached. Of many sizes, some are measured: the
            first 16, then those an eighth of the number before them apart, and the last.
        seconds, memory_mb: limits of one case; a program stops at the first size that exceeds one, or fails.
        seed: of the cases, which are the first family's.
        options: of the game's cases: of rows, ``opponent``.

    Yields:
        After each size of each program, what is measured so far: one object, which grows.

    Raises:
        OptionError: a game that cannot be judged, or that has no case of these sizes; a program that is named as a
            reference algorithm. GamecoreError: the program cannot be started.
    """
    game = judged_game(game)
    judging, rng, limits = judging_of(game, **options), generator(seed), (seconds, memory_mb)
    check_sizes(judging, sizes)
    family, first = next(iter(judging.families.values())), judging.sizes[0]
    asked: dict[str, Playable] = {}  # positions, by what a program reads
    chosen: dict[int, list[str]] = {}
    for size in dict.fromkeys((first, *_some_of(sizes or range(first, min(judging.most, judging.largest) + 1)))):
        positions = [family(size, rng) for _ in range(_EACH)]
        inputs = {text: position for position in positions if (text := input_of(position)) is not None}
        chosen |= {size: list(inputs)} if inputs else {}
        asked |= inputs
    smallest = next(iter(asked), None)
    if sizes and first not in sizes:
        chosen.pop(first, None)
    if smallest is None or not chosen:
        raise OptionError(f"{game.name} has no case of these sizes")

    def silent(solve: Callable[..., object], arguments: Callable[[Playable], tuple[object, ...]]) -> Target:
        def answer(text: str) -> str:
            solve(*arguments(asked[text]))
            return ""  # a version may return more than a program may write

        return answer

    targets = target if isinstance(target, Mapping) else {YOURS: target}
    versions = {name: silent(solve, judging.arguments) for name, solve in judging.versions.items()}
    versions[NATIVE] = silent(game.solve, lambda position: (position,))
    for name in targets.keys() & versions.keys():
        raise OptionError(f"a reference version is named {name}: name the program otherwise, such as ./{name}")
    result = Scaling(game.name, judging.unit, [])
    for program, solver in {**targets, **versions}.items():
        startup = min(run(solver, smallest, *limits).seconds for _ in range(_EACH))
        growth = Growth(program, judging.polynomial, startup)
        result.programs.append(growth)
        for size, texts in chosen.items():
            ended = dict[str, Run]()
            for text in texts:
                ended[text] = run(solver, text, *limits)
                if (failure := failure_of(ended[text], *limits)) is not None:
                    growth.stopped, (growth.verdict, growth.why) = size, failure
                    break
            else:
                growth.times[size] = max(0.0, statistics.median(ran.seconds for ran in ended.values()) - startup)
                if program in targets and growth.wrong is None:
                    pairs = ((ran.output, expected_of(game, asked[text])) for text, ran in ended.items())
                    growth.wrong = None if all(lines_of(mine) == lines_of(right) for mine, right in pairs) else size
            yield result
            if growth.stopped is not None:
                break


def _some_of(sizes: range) -> Iterator[int]:
    """Yield the first sizes, then some, which are ever further apart, and the last."""
    index = 0
    while index < len(sizes) - 1:
        yield sizes[index]
        index += max(1, index // 8)
    yield sizes[-1]


def fit(times: Mapping[int, float], polynomial: bool = False) -> tuple[float | None, float | None]:
    """Fit seconds = c * factor**size, or, if ``polynomial``, c * size**power, by least squares on logarithms.

    Return the factor and the power, of which one is None: what fits better; never a factor that is nearly 1. Both are
    None if fewer than three sizes took long enough. Neither is if ``polynomial`` and these do not span a factor of two:
    both curves fit so few sizes.
    """
    logs = {size: math.log(seconds) for size, seconds in times.items() if seconds >= _LEAST}
    if len(logs) < _FEWEST:
        return None, None
    rate, squares = _line(logs)
    power, other = _line({math.log(size): log for size, log in logs.items()})
    factor, is_narrow = math.exp(rate), max(logs) < 2 * min(logs)
    if factor < _SLOWEST or (polynomial and not is_narrow and other <= squares):
        return None, power
    return factor, power if polynomial and is_narrow else None


def _line(points: Mapping[int, float] | Mapping[float, float]) -> tuple[float, float]:
    """Return the slope of the line that fits points best, and the sum of squares."""
    slope, intercept = statistics.linear_regression([*points], [*points.values()])
    return slope, sum((y - slope * x - intercept) ** 2 for x, y in points.items())
