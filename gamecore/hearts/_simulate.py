"""Many rounds among four players: :func:`simulate`; a match to 100 points: :func:`match`."""

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gamecore.batch._pace import Bar
from gamecore.batch._signals import Held
from gamecore.batch._workers import finished
from gamecore.batch import Plan, Progress
from gamecore.text import printable
from gamecore.errors import BatchError, GamecoreError, OptionError
from gamecore.hearts._batch import fill, played
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, PlayerError, players_of
from gamecore.hearts._position import Round, check_rules
from gamecore.hearts._rules import DIRECTIONS, SEATS, Rng, Rules, check_count, kernel, seed_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_ROUNDS = 1 << 34
_SLICE_SECONDS = 0.05  # a kernel call returns after about so long: progress, Ctrl-C, other threads
_NAMES = {number: name for name, number in DIRECTIONS.items()}

@dataclass(frozen=True, slots=True)
class Simulation:
    """Rounds that were played.

    Attributes:
        points: (rounds, 4) int8, points of each seat as the rules count them (moon and bonuses included).
        players: the four players, as text. seed: of the streams. rules, passing: as played.
        decisions: (4,) int64, times each seat had more than one legal card; zeros for four random players, whose rounds
            are played many at a time, and for tables with a Player.
        seconds: wall-clock time.
    """

    points: NDArray[np.int8] = field(repr=False)
    players: tuple[str, ...]
    seed: int
    rules: Rules = field(repr=False)
    passing: str
    decisions: NDArray[np.int64] = field(repr=False)
    seconds: float

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.points)

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

    def summary(self) -> str:
        """A line a seat: player, mean points with standard error, moons."""
        width = max(6, *(len(name) for name in self.players))
        lines = [f"seat  {'player':<{width}}  points a round       moons"]
        for seat, (name, mean, error, moons) in enumerate(
            zip(self.players, self.mean, self.stderr, self.moons, strict=True)
        ):
            share = 100 * moons / self.rounds if self.rounds else 0.0
            lines.append(f"{seat:<4}  {name:<{width}}  {mean:7.3f} +- {error:6.3f}  {moons:9d} ({share:.2f}%)")
        lines.append(f"{self.rounds} rounds, seed {self.seed}, passing {self.passing}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The summary as a table, for notebooks."""
        from gamecore.draw._html import table

        lines = [
            (seat, name, f"{mean:.3f} \N{PLUS-MINUS SIGN} {error:.3f}", int(moons))
            for seat, (name, mean, error, moons) in enumerate(
                zip(self.players, self.mean, self.stderr, self.moons, strict=True)
            )
        ]
        caption = f"{self.rounds} rounds, seed {self.seed}, passing {self.passing}"
        return table(("seat", "player", "points a round", "moons"), lines, caption)

    def plot(self) -> "Figure":
        """Mean points with two standard errors, and how points are distributed (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed.
        """
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise GamecoreError("a plot needs matplotlib: pip install gamecore[plot]") from None
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        labels = [f"{seat}: {name}" for seat, name in enumerate(self.players)]
        left.barh(labels, self.mean, xerr=2 * self.stderr, color=[f"C{seat}" for seat in SEATS], alpha=0.8)
        left.invert_yaxis()
        left.set_xlabel("points a round (bars: 2 standard errors)")
        low, high = (int(self.points.min()), int(self.points.max())) if self.rounds else (0, 26)
        for seat in SEATS:
            counts = np.bincount(self.points[:, seat].astype(np.int64) - low, minlength=high - low + 1)
            share = counts / max(1, self.rounds)
            right.plot(np.arange(low, high + 1), share, drawstyle="steps-mid", label=labels[seat])
        right.set_xlabel("points in a round")
        right.set_ylabel("share of rounds")
        right.legend(fontsize="small")
        return figure


def _sum_of_squares(column: NDArray[np.int8]) -> int:
    counts = np.bincount(column.astype(np.int16) + 128, minlength=256)
    values = np.arange(-128, 128, dtype=np.int64)
    return int((counts[:256] * values * values).sum())


def simulate(
    players: Sequence[AnyPlayer],
    rounds: int = 10_000,
    rng: Rng = None,
    *,
    rules: Rules | None = None,
    passing: str = "hold",
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> Simulation:
    """Play rounds among four players.

    Round i draws all its random numbers from streams of (seed, i): results are the same for any ``workers``, on any
    CPU level, and the first n of a longer simulation are those of a shorter one.

    Args:
        players: four names (see :class:`BuiltIn`), BuiltIns or Players, seat by seat. rounds: from 0.
        rng: None, a seed, or a numpy Generator. rules: default ``Rules()``.
        passing: ``hold`` (no passing, the default), ``left``, ``across``, ``right``, or ``cycle``: those of
            ``rules.cycle`` in turn.
        workers: threads; the kernel runs without the GIL. With a Player in Python, one is used. None: as many as cores.
        executor: any ``concurrent.futures.Executor`` instead of threads: see :mod:`gamecore.batch`.
        progress: as in :class:`gamecore.batch.Plan`; a function is called with (rounds done, rounds) several times a
            second, from this thread.

    Raises:
        OptionError: an argument out of its range; an executor for a Player in Python.
        BatchError: the executor died; ``done`` is the Simulation of the rounds finished before.
        PlayerError: a Player raised or answered nonsense. Its ``partial`` (and that of a KeyboardInterrupt) is the
            Simulation of the rounds finished before.
    """
    table = players_of(players)
    rules = check_rules(rules)
    rounds = check_count("rounds", rounds, 0, MAX_ROUNDS)
    plan = Plan(workers, executor, progress)
    with Bar(progress, rounds, "rounds") as bar:
        work = _Work(table, rounds, seed_of(rng), rules, passing, bar.report if bar.shown else None)
        if executor is not None:
            return work.run_executor(executor)
        if all(isinstance(one, BuiltIn) for one in table):
            return work.run_built_in(plan.parallel())
        return work.run_python()


class _Work:
    """A simulation under way."""

    def __init__(
        self,
        table: tuple[BuiltIn | Player, ...],
        rounds: int,
        seed: int,
        rules: Rules,
        passing: str,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self.table = table
        self.seed = seed
        self.rules = rules
        self.passing = passing
        self.directions = rules.directions(passing)
        self.progress = progress
        self.points = np.empty((rounds, 4), np.int8)
        self.finished: list[tuple[int, int]] = []  # intervals of rounds
        self.done = 0
        self.next_block = 0
        self.decisions = np.zeros(4, np.int64)
        self.stop = np.zeros(1, np.int32)
        self.lock = threading.Lock()
        self.begun = time.perf_counter()

    def result(self, points: NDArray[np.int8]) -> Simulation:
        names = tuple(str(one) if isinstance(one, BuiltIn) else type(one).__name__ for one in self.table)
        seconds = time.perf_counter() - self.begun
        return Simulation(points, names, self.seed, self.rules, self.passing, self.decisions, seconds)

    def partial(self) -> Simulation:
        """The finished rounds, in the order of their indices."""
        kept = [self.points[start:end] for start, end in sorted(self.finished)]
        return self.result(np.concatenate(kept) if kept else self.points[:0].copy())

    def run_built_in(self, workers: int) -> Simulation:
        specs = tuple(one.numbers for one in self.table if isinstance(one, BuiltIn))
        rounds = len(self.points)
        # Small enough that no worker waits long for the last one, large enough that a call costs nothing.
        self.block = max(1, min(1 << 16, rounds // (workers * 8) or 1))
        try:
            if workers == 1:
                self._worker(specs, True)
            else:
                self._threads(specs, workers)
        except KeyboardInterrupt as error:
            error.partial = self.partial()  # type: ignore[attr-defined]
            raise
        if self.progress is not None:
            self.progress(rounds, rounds)
        return self.result(self.points)

    def run_executor(self, executor: Executor) -> Simulation:
        table = tuple(one for one in self.table if isinstance(one, BuiltIn))
        if len(table) < 4:
            raise OptionError("executor: players written in Python play in this process; there is none for them")
        try:
            chunks = played(table, len(self.points), self.seed, self.rules.flags, self.directions, executor)
            for start, (points, decisions) in chunks:
                self.points[start : start + len(points)] = points
                self.finished.append((start, start + len(points)))
                self.done += len(points)
                self.decisions += decisions
                self._report()
        except BatchError as error:
            error.done = self.partial()
            raise
        except KeyboardInterrupt as error:
            error.partial = self.partial()  # type: ignore[attr-defined]
            raise
        return self.result(self.points)

    def _threads(self, specs: tuple[Any, ...], workers: int) -> None:
        futures: list[Future[None]] = []
        ended = False
        pool = ThreadPoolExecutor(workers)
        try:
            with Held(), contextlib.suppress(RuntimeError):  # no room for one more thread: fewer will do
                for _ in range(workers):
                    futures.append(pool.submit(self._worker, specs, False))
            while not (ended := finished(futures)):
                time.sleep(0.005)
                self._report()
        finally:
            with Held():
                self.stop[0] = not ended
                pool.shutdown()
                del pool  # threads die in weak references' functions, and those lose a Ctrl-C
                failures = [future.exception() for future in futures]
        for failure in filter(None, failures):
            raise failure
        if not futures:
            self._worker(specs, True)

    def _worker(self, specs: tuple[Any, ...], reports: bool) -> None:
        rounds = len(self.points)
        while not self.stop[0]:
            with self.lock:
                start = self.next_block
                end = min(rounds, start + self.block)
                self.next_block = end
            if start == end:
                return
            at = start
            while at < end and not self.stop[0]:
                decisions = np.zeros(4, np.int64)
                done = self._slice(self.points[at:end], at, specs, decisions)
                with self.lock:
                    self.finished.append((at, at + done))
                    self.done += done
                    self.decisions += decisions
                at += done
                if reports:
                    self._report()

    def _slice(self, rows: NDArray[np.int8], at: int, specs: tuple[Any, ...], decisions: NDArray[np.int64]) -> int:
        game = self.seed, self.rules.flags, self.directions
        return fill(rows, at, specs, *game, self.stop, _SLICE_SECONDS, decisions)

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(self.done, len(self.points))

    def run_python(self) -> Simulation:
        rounds = len(self.points)
        try:
            for index in range(rounds):
                self.points[index] = self._python_round(index)
                self.done = index + 1
                self.finished = [(0, self.done)]
                if index & 15 == 0:
                    self._report()
        except PlayerError as error:
            error.partial = self.partial()
            raise
        except KeyboardInterrupt as error:
            error.partial = self.partial()  # type: ignore[attr-defined]
            raise
        self._report()
        return self.result(self.points)

    def _python_round(self, index: int) -> tuple[int, ...]:
        direction = _NAMES[self.directions[index % len(self.directions)]]
        round_ = Round.deal(self.seed, self.rules, direction, None, index)
        for seat in round_.passing_seats:
            self._ask_pass(round_, seat)
        while (seat_to_move := round_.to_move) is not None:
            self._ask_card(round_, seat_to_move)
        return round_.points

    def _ask_pass(self, round_: Round, seat: int) -> None:
        who = self.table[seat]
        if isinstance(who, BuiltIn):
            round_.pass_cards(seat, round_.ask_pass(seat, who))
            return
        cards: object = None
        try:
            cards = who.pass_cards(round_.view(seat))
            round_.pass_cards(seat, tuple(cards))
        except Exception as error:
            what = "raised" if cards is None else f"answered {printable(cards)}:"
            raise PlayerError(
                f"seat {seat}, passing: {type(who).__name__}.pass_cards {what} {_reason(error)}", seat, 0, cards
            ) from error

    def _ask_card(self, round_: Round, seat: int) -> None:
        who = self.table[seat]
        if isinstance(who, BuiltIn):
            round_.play(round_.ask(who))
            return
        place = f"seat {seat}, trick {len(round_.tricks) + 1}: {type(who).__name__}.choose"
        trick = len(round_.tricks) + 1
        try:
            card = who.choose(round_.view(seat))
        except Exception as error:
            raise PlayerError(f"{place} raised {_reason(error)}", seat, trick) from error
        try:
            round_.play(card)
        except GamecoreError as error:
            raise PlayerError(f"{place} answered {printable(card)}: {error}", seat, trick, card) from error


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {printable(str(error), 80)}"


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played to its end.

    Attributes:
        points: (rounds, 4) int8, round by round. players: as text. seed, rules: as played.
    """

    points: NDArray[np.int8] = field(repr=False)
    players: tuple[str, ...]
    seed: int
    rules: Rules = field(repr=False)

    @property
    def totals(self) -> tuple[int, ...]:
        """Final score of the four seats."""
        return tuple(int(total) for total in self.points.sum(axis=0, dtype=np.int64))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the fewest points: more than one when they are level."""
        return tuple(seat for seat in SEATS if self.totals[seat] == min(self.totals))

    def summary(self) -> str:
        """The running score, a line a round, and who won."""
        width = max(6, *(len(name) for name in self.players))
        cycle = self.rules.cycle if self.rules.pass_cards else ("hold",)
        lines = [" round passing  " + " ".join(f"{name:>{width}}" for name in self.players)]
        for number, totals in enumerate(np.cumsum(self.points, axis=0, dtype=np.int64)):
            scores = " ".join(f"{int(total):>{width}}" for total in totals)
            lines.append(f"{number + 1:>6} {cycle[number % len(cycle)]:<8} {scores}")
        lines.append(self._won_by())
        return "\n".join(lines)

    def _won_by(self) -> str:
        return "won by " + " and ".join(f"seat {seat} ({self.players[seat]})" for seat in self.winners)

    def _repr_html_(self) -> str:
        """The running score as a table, for notebooks."""
        from gamecore.draw._html import table

        totals = np.cumsum(self.points, axis=0, dtype=np.int64)
        lines = [(number, *map(int, line)) for number, line in enumerate(totals, start=1)]
        return table(("round", *self.players), lines, self._won_by())


def match(
    players: Sequence[AnyPlayer], rng: Rng = None, *, rules: Rules | None = None, max_rounds: int = 10_000
) -> Match:
    """Play rounds, passing as ``rules.cycle`` says, until a seat has ``rules.match_points``; fewest points win.

    Its rounds are the first ones of ``simulate(players, rng=rng, rules=rules, passing="cycle")``.

    Args:
        players, rng, rules: as in :func:`simulate`. max_rounds: the match ends there in any case.

    Raises:
        OptionError, PlayerError: as in :func:`simulate`; the error's ``partial`` has the rounds finished before.
    """
    table = players_of(players)
    rules = check_rules(rules)
    check_count("max_rounds", max_rounds, 1, 1_000_000)
    work = _Work(table, max_rounds, seed_of(rng), rules, "cycle", None)
    played = 0
    totals = np.zeros(4, np.int64)
    specs = tuple(one.numbers for one in table if isinstance(one, BuiltIn))
    try:
        while played < max_rounds and totals.max() < rules.match_points:
            if len(specs) == 4:
                kernel.run(
                    work.points[played : played + 1], work.seed, played, rules.flags, specs,
                    work.directions, work.stop, -1.0, work.decisions,
                )  # fmt: skip
            else:
                work.points[played] = work._python_round(played)
            totals += work.points[played]
            played += 1
            work.finished = [(0, played)]
    except (PlayerError, KeyboardInterrupt) as error:
        error.partial = work.partial()  # type: ignore[union-attr]
        raise
    result = work.partial()
    return Match(result.points, result.players, result.seed, rules)
