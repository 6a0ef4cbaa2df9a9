"""Many rounds among four players: :func:`simulate`."""

import contextlib
import functools
import math
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.outcome import Task
from gamecore.batch.plan import Plan, Progress
from gamecore.batch.progress import Bar
from gamecore.batch.stream import hand_over, stream
from gamecore.contract import Result
from gamecore.frames import dataframe
from gamecore.hearts._equality import ByContent
from gamecore.hearts._players import SEARCHING, AnyPlayer, players_of
from gamecore.hearts._rules import SEATS, Rules, check_count, check_rules
from gamecore.hearts._tables import (
    Call,
    Played,
    RoundNumbers,
    Tally,
    Work,
    names_of,
    play_at_copy,
    play_round,
    play_rounds,
    workers_for,
)
from gamecore.rng import seed_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.rng import Rng

MAX_ROUNDS: Final = 1 << 34
_MOST = 1 << 20  # rounds in a task: 4 MiB of points that an executor sends back

Row: TypeAlias = tuple[int, int, int, int]
Steps: TypeAlias = Generator[int, None, None]  # how many rounds are finished, again and again


@dataclass(frozen=True, eq=False)
class PlayedRounds(ByContent, Result, Sequence[Row]):
    """Rounds that were played, as a sequence: each is a tuple of the four seats' points.

    A slice is a tuple of such rounds. Equality ignores the time that they took.

    Attributes:
        points: (rounds, 4) int8, points of each seat as the rules count them (moon and bonuses included).
        players: the four players, as text.
        seed: of the streams.
        rules: as played.
    """

    points: NDArray[np.int8] = field(repr=False)
    players: tuple[str, ...]
    seed: int
    rules: Rules = field(repr=False)

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        rows = self.points[index].tolist()
        return tuple(map(tuple, rows)) if isinstance(index, slice) else tuple(rows)

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.points)

    def to_dataframe(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """A data frame with a row a round: its number from 0, and the points of the four seats.

        Args:
            library: which of them makes it; None: pandas if it is installed, else polars.

        Raises:
            GamecoreError: the library is not installed. OptionError: another library.
        """
        seats = {f"seat_{seat}": self.points[:, seat] for seat in SEATS}
        return dataframe({"round": np.arange(self.rounds), **seats}, library)


@dataclass(frozen=True, eq=False)
class Simulation(PlayedRounds):
    """Rounds that were played by :func:`simulate`.

    Attributes:
        passing: as played.
        decisions: (4,) int64, times each seat had more than one legal card; zeros for four random players, whose rounds
            are played many at a time.
        seconds: wall-clock time. Equality ignores it.
        first: number of its first round in the streams of the seed.
    """

    #: ``to_dict`` has what the rounds add up to; the rounds themselves are in ``points`` and ``to_dataframe``.
    FIELDS: ClassVar[tuple[str, ...]] = (
        "players", "rounds", "first", "seed", "rules", "passing", "mean", "stderr", "moons", "decisions", "seconds",
    )  # fmt: skip

    passing: str
    decisions: NDArray[np.int64] = field(repr=False)
    seconds: float = field(compare=False)
    first: int = 0

    @property
    def mean(self) -> NDArray[np.float64]:
        """(4,) float64: mean points a round, seat by seat; nan without rounds."""
        if not self.rounds:
            return np.full(4, np.nan)
        sums: NDArray[np.int64] = self.points.sum(axis=0, dtype=np.int64)
        return sums / self.rounds

    @property
    def stderr(self) -> NDArray[np.float64]:
        """(4,) float64: standard errors of :attr:`mean`; nan below two rounds."""
        if self.rounds < 2:
            return np.full(4, np.nan)
        squares = np.array([_sum_of_squares(self.points[:, seat]) for seat in SEATS])
        variance = (squares - self.mean**2 * self.rounds) / (self.rounds - 1)
        return np.sqrt(np.maximum(variance, 0.0) / self.rounds)

    @property
    def moons(self) -> NDArray[np.int64]:
        """(4,) int64: how often each seat took all 26 points."""
        sums = self.points.sum(axis=1, dtype=np.int16)
        # No other round sums to this: 26 less bonuses otherwise, 78 (or -26) less the jack's after a moon.
        shot = sums < 0 if self.rules.moon == "shooter" else sums > 60
        return np.bincount(self.points[shot].argmin(axis=1), minlength=4)

    def to_dict(self) -> dict[str, Any]:
        """What the rounds add up to, as plain values; None for a mean or an error that is not defined."""
        found = Result.to_dict(self)
        for name in ("mean", "stderr"):
            found[name] = [None if math.isnan(value) else value for value in found[name]]
        return found

    def summary(self) -> str:
        """A line a seat: player, mean points with standard error, moons."""
        width = max(6, *(len(name) for name in self.players))
        lines = [f"seat  {'player':<{width}}  points a round       moons"]
        for seat, name, mean, error, moons in self._lines():
            share = 100 * moons / self.rounds if self.rounds else 0.0
            lines.append(f"{seat:<4}  {name:<{width}}  {mean:7.3f} +- {error:6.3f}  {moons:9d} ({share:.2f}%)")
        return "\n".join([*lines, self._caption()])

    def _lines(self) -> list[tuple[int, str, float, float, int]]:
        means, errors, moons = self.mean.tolist(), self.stderr.tolist(), self.moons.tolist()
        return list(zip(SEATS, self.players, means, errors, moons, strict=True))

    def _caption(self) -> str:
        begin = f" from number {self.first}" if self.first else ""
        return f"{self.rounds} rounds{begin}, seed {self.seed}, passing {self.passing}"

    def _repr_html_(self) -> str:
        """The summary as a table, for notebooks."""
        from gamecore.draw.html import table

        lines = [
            (seat, name, f"{mean:.3f} \N{PLUS-MINUS SIGN} {error:.3f}", moons)
            for seat, name, mean, error, moons in self._lines()
        ]
        return table(("seat", "player", "points a round", "moons"), lines, self._caption())

    def plot(self) -> "Figure":
        """Mean points with two standard errors, and how points are distributed (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed.
        """
        from gamecore.hearts._plots import plot_simulation

        return plot_simulation(self)


def _sum_of_squares(column: NDArray[np.int8]) -> int:
    counts = np.bincount(column.astype(np.int16) + 128, minlength=256)
    values = np.arange(-128, 128, dtype=np.int64)
    return int((counts[:256] * values * values).sum())


def simulate(
    players: Sequence[AnyPlayer],
    rounds: int = 10_000,
    rng: "Rng" = None,
    *,
    rules: Rules | None = None,
    passing: str = "hold",
    first: int = 0,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> Simulation:
    """Play rounds among four players.

    Round i draws all its random numbers from streams of (seed, i): results are the same for any ``workers``, on any
    CPU level, and the first n of a longer simulation are those of a shorter one.

    Args:
        players: four names (see :class:`BuiltIn`), BuiltIns or Players, seat by seat.
        rounds: from 0.
        rng: None, an integer (the seed itself), a sequence of integers, or a NumPy SeedSequence, BitGenerator or
            Generator.
        rules: default ``Rules()``.
        passing: ``hold`` (no passing, the default), ``left``, ``across``, ``right``, or ``cycle``: those of
            ``rules.cycle`` in turn.
        first: number of the first round: a simulation with ``first=n`` goes on where one of n rounds ended.
        workers: threads; the kernel runs without the GIL. None: one for each core this process may use. With a Player
            in Python, processes of our own, as ``multiprocessing`` starts them; with 1 it plays in the calling thread.
        executor: any ``concurrent.futures.Executor`` instead: see :mod:`gamecore.batch`. In workers and executors
            copies of a Player play, a fresh one for each task of many rounds; rounds are the same as with one worker if
            what it does depends on the round alone: its views and what :meth:`Player.begin_round` gives it.
        progress: as in :class:`gamecore.batch.Plan`; a function is called with (rounds done, rounds).

    Raises:
        OptionError: an argument out of its range; a Player that cannot be copied, or not be sent to a process.
        BatchError: the executor died; ``done`` is the Simulation of the rounds finished before.
        PlayerError: a Player raised or answered nonsense. Its ``partial``, and that of a KeyboardInterrupt and of what
            handlers of signals raise, is the Simulation of the rounds finished before.
    """
    table = players_of(players)
    rules = check_rules(rules)
    rounds = check_count("rounds", rounds, 0, MAX_ROUNDS)
    plan = Plan(workers, executor, progress)
    first = check_count("first", first, 0, MAX_ROUNDS)
    work = Work(table, seed_of(rng), rules, rules.directions(passing))
    begun = time.perf_counter()
    points, tally = np.empty((rounds, 4), np.int8), Tally()
    play = _play_built_in if work.built_in else _play_in_python
    done = 0

    def result() -> Simulation:
        return Simulation(
            points if done == rounds else points[:done].copy(), names_of(table), work.seed, rules, passing,
            tally.decisions, time.perf_counter() - begun, first,
        )  # fmt: skip

    try:
        with contextlib.closing(play(work, points, tally, plan, first)) as steps:
            for finished in steps:
                done = finished
    except BaseException as error:
        hand_over(error, result)
        raise
    return result()


def _play_built_in(work: Work, points: NDArray[np.int8], tally: Tally, plan: Plan, first: int) -> Steps:
    """Play all rounds in the kernel; yields how many are finished, and adds up decisions."""
    call = work.call
    task: Task = functools.partial(_in_place, call, points, first)
    if plan.executor is not None:
        task = functools.partial(_to_send, call)
    kinds = [kind for kind, *_ in call[0]]
    searches, random = max(kinds) >= SEARCHING, max(kinds) == 0
    least = 1 if searches else 1 << 16 if random else 1 << 10
    parts = stream(task, RoundNumbers(first, len(points)), plan, name="rounds", first=least, most=_MOST)
    with contextlib.closing(parts):
        for part in parts:
            made = part.result
            if plan.executor is not None:
                rows, made = made
                points[part.start : part.start + part.count] = rows
            tally.decisions += made
            yield part.start + part.count


def _in_place(call: Call, points: NDArray[np.int8], begin: int, numbers: tuple[int, int]) -> NDArray[np.int64]:
    """The task in threads: each writes its own rows."""
    first, count = numbers
    return play_rounds(call, points[first - begin : first - begin + count], first)


def _to_send(call: Call, numbers: tuple[int, int]) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The task on executors: points and decisions are sent back."""
    first, count = numbers
    points = np.empty((count, 4), np.int8)
    return points, play_rounds(call, points, first)


def _play_in_python(work: Work, points: NDArray[np.int8], tally: Tally, plan: Plan, first: int) -> Steps:
    """The same for tables with a Player: in the calling thread, or by copies in processes or an executor."""
    with workers_for(work.table, plan) as found:
        if found.executor is not None:
            yield from _play_copies(work, points, tally, found, first)
            return
        with Bar(plan.progress, len(points), "rounds") as bar:
            for at in range(len(points)):
                points[at] = play_round(work, first + at, tally)
                if at & 15 == 0 or at + 1 == len(points):
                    bar.report(at + 1)
                yield at + 1


def _play_copies(work: Work, points: NDArray[np.int8], tally: Tally, plan: Plan, first: int) -> Steps:
    task = functools.partial(_copy_to_send, work)
    parts = stream(task, RoundNumbers(first, len(points)), plan, name="rounds", most=_MOST)
    with contextlib.closing(parts):
        for part in parts:
            played: Played = part.result
            done = part.start + len(played.points)
            points[part.start : done] = played.points
            tally.decisions += played.tally.decisions
            yield done
            if played.error is not None:
                raise played.error


def _copy_to_send(work: Work, numbers: tuple[int, int]) -> Played:
    return play_at_copy(work, *numbers)
