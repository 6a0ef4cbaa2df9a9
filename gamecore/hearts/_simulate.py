"""Many rounds among four players (:func:`simulate`), and matches to 100 points (:func:`match`)."""

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.plan import Plan, Progress
from gamecore.contract import dataframe
from gamecore.hearts._players import AnyPlayer, PlayerError, names_of, players_of
from gamecore.hearts._results import ByContent, Measured
from gamecore.hearts._rules import SEATS, Rules, check_count, check_rules
from gamecore.hearts._tables import Rounds, Table, play_rounds
from gamecore.rng import seed_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.rng import Rng

MAX_ROUNDS: Final = 1 << 34
_MOST: Final = 1 << 20  # rounds in a task: 4 MiB of points that an executor sends back

Row: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class PlayedRounds(ByContent, Measured, Sequence[Row]):
    """Rounds as a sequence of tuples: the points of the four seats. A slice is a tuple of rounds.

    Equality ignores times.

    Attributes:
        points: (rounds, 4) int8: points of each seat, moon and bonuses included.
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
        """A data frame with a row per round: its number from 0, and the points of the four seats.

        Args:
            library: None: pandas if it is installed, else polars.

        Raises:
            GamecoreError: the library is not installed. OptionError: another library.
        """
        seats = {f"seat_{seat}": self.points[:, seat] for seat in SEATS}
        return dataframe({"round": np.arange(self.rounds), **seats}, library)


@dataclass(frozen=True, eq=False)
class Simulation(PlayedRounds):
    """Result of :func:`simulate`.

    Attributes:
        passing: as played.
        decisions: (4,) int64: decisions with more than one legal card; not counted (zeros) for four random players.
        seconds: wall-clock time. Equality ignores it.
        first: number of its first round in the streams of the seed.
    """

    #: Fields of ``to_dict``, which leaves out the single rounds: ``points`` and ``to_dataframe`` have them.
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
        """(4,) int64: moons shot by each seat."""
        if self.rules.moon == "none":
            return np.zeros(4, np.int64)
        sums = self.points.sum(axis=1, dtype=np.int16)
        # No other round sums to this: 26 less bonuses otherwise, 78 (or -26) less the jack's after a moon.
        shot = sums < 0 if self.rules.moon == "shooter" else sums > 60
        return np.bincount(self.points[shot].argmin(axis=1), minlength=4)

    def __str__(self) -> str:
        """A line per seat: player, mean points with standard error, moons."""
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
        """Plot mean points with two standard errors, and the distribution of points (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed.
        """
        from gamecore.hearts._plots import plot_simulation

        return plot_simulation(self)


@dataclass(frozen=True, eq=False)
class Match(PlayedRounds):
    """Result of :func:`match`: its rounds, in order."""

    FIELDS: ClassVar[tuple[str, ...]] = ("players", "rounds", "seed", "rules", "points", "totals", "winners")

    @property
    def totals(self) -> tuple[int, ...]:
        """Final score of the four seats."""
        return tuple(int(total) for total in self.points.sum(axis=0, dtype=np.int64))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the fewest points; several if they tie."""
        totals = self.totals
        return tuple(seat for seat in SEATS if totals[seat] == min(totals))

    def __str__(self) -> str:
        """The running score, a line per round, and the winner."""
        width = max(6, *(len(name) for name in self.players))
        cycle = self.rules.cycle if self.rules.pass_cards else ("hold",)
        lines = [" round passing  " + " ".join(f"{name:>{width}}" for name in self.players)]
        for number, totals in enumerate(self._scores()):
            scores = " ".join(f"{total:>{width}}" for total in totals)
            lines.append(f"{number + 1:>6} {cycle[number % len(cycle)]:<8} {scores}")
        return "\n".join([*lines, self._won_by()])

    def _scores(self) -> list[list[int]]:
        return np.cumsum(self.points, axis=0, dtype=np.int64).tolist()  # type: ignore[no-any-return]

    def _won_by(self) -> str:
        return "won by " + " and ".join(f"seat {seat} ({self.players[seat]})" for seat in self.winners)

    def _repr_html_(self) -> str:
        """The running score as a table, for notebooks."""
        from gamecore.draw.html import table

        lines = [(number, *line) for number, line in enumerate(self._scores(), start=1)]
        return table(("round", *self.players), lines, self._won_by())


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
    CPU level, and a longer simulation begins with the rounds of a shorter one.

    Args:
        players: four names (see :class:`BuiltIn`), BuiltIns or Players, seat by seat.
        rounds: from 0.
        rng: None, an integer (the seed), a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.
        rules: default ``Rules()``.
        passing: ``hold`` (no passing, the default), ``left``, ``across``, ``right``, or ``cycle``: the
            directions of ``rules.cycle``, round by round.
        first: number of the first round: a simulation with ``first=n`` continues one of n rounds.
        workers: threads; the kernel runs without the GIL. None: one per available core. With a Player in Python:
            processes started by ``multiprocessing``; with 1 it plays in the calling thread.
        executor: any ``concurrent.futures.Executor`` instead: see :mod:`gamecore.batch`. Workers and executors use
            copies of a Player, a new one for each task. Rounds are the same as with one worker if the Player depends on
            the round alone: its views and the arguments of :meth:`Player.begin_round`.
        progress: as in :class:`gamecore.batch.Plan`; a function is called with (rounds done, rounds).

    Raises:
        OptionError: an argument out of its range; a Player that cannot be copied or sent to a process.
        BatchError: the executor died; ``done`` is the Simulation of the rounds finished before.
        PlayerError: a Player raised or gave an invalid answer. The ``partial`` of this error and of a KeyboardInterrupt
            is the Simulation of rounds finished before.
    """
    seated = players_of(players)
    rules = check_rules(rules)
    rounds = check_count("rounds", rounds, 0, MAX_ROUNDS)
    plan = Plan(workers, executor, progress)
    first = check_count("first", first, 0, MAX_ROUNDS)
    table = Table(seated, seed_of(rng), rules, rules.directions(passing))
    begun = time.perf_counter()
    played = Rounds((table,), first, rounds)

    def result() -> Simulation:
        seconds = time.perf_counter() - begun
        decisions = played.tally.decisions[0]
        return Simulation(played.points, names_of(seated), table.seed, rules, passing, decisions, seconds, first)

    played.play(seated, plan, result, name="rounds", most=_MOST)
    return result()


def match(
    players: Sequence[AnyPlayer], rng: "Rng" = None, *, rules: Rules | None = None, max_rounds: int = 10_000
) -> Match:
    """Play rounds with the passing of ``rules.cycle`` until a seat has ``rules.match_points``; fewest points win.

    The rounds are the first ones of ``simulate(players, rng=rng, rules=rules, passing="cycle")``.

    Args:
        players, rng, rules: as in :func:`simulate`.
        max_rounds: limit of rounds.

    Raises:
        OptionError, PlayerError: as in :func:`simulate`; ``partial`` of a PlayerError or KeyboardInterrupt is the
            Match of the rounds finished before.
    """
    seated, rules = players_of(players), check_rules(rules)
    check_count("max_rounds", max_rounds, 1, 1_000_000)
    table = Table(seated, seed_of(rng), rules, rules.directions("cycle"))
    rows: list[NDArray[np.int8]] = []
    totals = np.zeros(4, np.int64)

    def result() -> Match:
        return Match(np.array(rows, np.int8).reshape(-1, 4), names_of(seated), table.seed, rules)

    try:
        while totals.max() < rules.match_points and len(rows) < max_rounds:
            tally = play_rounds((table,), range(len(rows), len(rows) + 1), tuple(totals.tolist()))
            if tally.error is not None:
                raise tally.error
            rows.append(tally.points[0])
            totals += tally.points[0]
    except (PlayerError, KeyboardInterrupt) as error:
        error.partial = result()  # type: ignore[union-attr]
        raise
    return result()
