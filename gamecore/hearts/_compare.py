"""Players against the same field on the same deals, in every seat: :func:`compare`."""

import contextlib
import dataclasses
import functools
import itertools
import math
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.plan import Plan, Progress
from gamecore.batch.stream import hand_over, stream
from gamecore.batch.workers import is_cancelled
from gamecore.errors import OptionError
from gamecore.frames import dataframe
from gamecore.hearts._confidence import Differences, looks
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, PlayerError, any_player
from gamecore.hearts._results import ByContent, Measured
from gamecore.hearts._rules import SEATS, Rules, check_count, check_number, check_rules
from gamecore.hearts._tables import (
    RoundNumbers,
    Table,
    Tally,
    Work,
    copied,
    names_of,
    play_round,
    play_rounds,
    workers_for,
)
from gamecore.rng import seed_of
from gamecore.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.rng import Rng

MAX_DEALS: Final = 1 << 28
MAX_PLAYERS: Final = 64
_MOST_POINTS: Final = 26  # of a seat in a round, under any rules
_MOST: Final = 1 << 16  # deals in a task
_TIMED: Final = 0.02  # seconds for which a player is timed, at least

Steps: TypeAlias = Generator[int, None, None]


@dataclass(frozen=True)
class Difference(Measured):
    """What is known of two players' difference: points of the first less points of the second, a round.

    Attributes:
        first, second: their names.
        mean: on average over deals and seats; below 0 the first is better. nan without deals.
        stderr: its standard error, from the differences deal by deal. nan below two deals.
        unpaired_stderr: what it would be on different deals for each.
        low, high: where the expectation lies. With the chance ``confidence`` of the comparison *all* its intervals hold
            at *all* moments, however it was decided when to stop.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "first", "second", "mean", "stderr", "unpaired_stderr", "low", "high", "better",
    )  # fmt: skip

    first: str
    second: str
    mean: float
    stderr: float
    unpaired_stderr: float
    low: float
    high: float

    @property
    def better(self) -> str | None:
        """The name of the better one, or None while the interval holds 0."""
        return self.first if self.high < 0 else self.second if self.low > 0 else None

    def __str__(self) -> str:
        """``duck - greedy: -1.05 +- 0.05, duck is better``."""
        what = f"{self.better} is better" if self.better else "not told apart"
        return f"{self.first} - {self.second}: {self.mean:+.3f} +- {self.stderr:.3f}, {what}"


@dataclass(frozen=True, eq=False)
class Comparison(ByContent, Measured):
    """Players that were compared by :func:`compare`. Equality ignores times.

    Attributes:
        points: (rounds, players, 4) int8: points of each player on each deal, sitting in each of the four seats.
        players: names of the players.
        field: names of the three others at the table, from the player's left.
        seed: of the streams. first: number of the first deal in them. rules, passing: as played.
        confidence: with which all intervals hold.
        until: of the stopping rule, or None.
        decision_seconds: (players,) float64: time a decision, measured on this machine: processor time of built-in
            players, wall-clock time of others, whose programs may run elsewhere; nan without decisions.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "players", "field", "rounds", "first", "seed", "rules", "passing", "confidence", "until", "settled", "mean",
        "stderr", "decision_seconds", "differences",
    )  # fmt: skip

    points: NDArray[np.int8] = dataclasses.field(repr=False)
    players: tuple[str, ...]
    field: tuple[str, ...]
    seed: int
    first: int
    rules: Rules = dataclasses.field(repr=False)
    passing: str
    confidence: float
    until: float | None
    decision_seconds: NDArray[np.float64] = dataclasses.field(compare=False, repr=False)

    @property
    def rounds(self) -> int:
        """Deals; every player played each of them four times."""
        return len(self.points)

    @property
    def mean(self) -> NDArray[np.float64]:
        """(players,) float64: points a round, on average over deals and seats; nan without deals."""
        return np.array([_mean(self._sums(place)) / 4 for place in range(len(self.players))])

    @property
    def stderr(self) -> NDArray[np.float64]:
        """(players,) float64: standard errors of :attr:`mean`, over deals; nan below two."""
        return np.array([_stderr(self._sums(place)) / 4 for place in range(len(self.players))])

    @functools.cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Of each pair of players, in their order."""
        pairs = list(itertools.combinations(range(len(self.players)), 2))
        errors = self.stderr
        return tuple(self._difference(a, b, errors, (1 - self.confidence) / len(pairs)) for a, b in pairs)

    @property
    def settled(self) -> bool:
        """Whether each difference is told apart from 0, or half its interval is at most ``until`` wide."""
        return all(one.better or one.high - one.low <= 2 * (self.until or 0.0) for one in self.differences)

    def _sums(self, place: int) -> NDArray[np.int64]:
        """A player's points on each deal, over the four seats."""
        found: NDArray[np.int64] = self.points[:, place].sum(axis=1, dtype=np.int64)
        return found

    def _difference(self, a: int, b: int, errors: NDArray[np.float64], alpha: float) -> Difference:
        deals = self._sums(a) - self._sums(b)
        seen = Differences(most_of(self.rules))
        seen.add(deals[: len(deals) - len(deals) % len(self.rules.directions(self.passing))])
        low, high = seen.interval(alpha)
        return Difference(
            self.players[a], self.players[b], _mean(deals) / 4, _stderr(deals) / 4,
            float(np.hypot(errors[a], errors[b])), low / 4, high / 4,
        )  # fmt: skip

    def to_dataframe(
        self, library: Literal["pandas", "polars"] | None = None, *, what: Literal["players", "differences"] = "players"
    ) -> Any:
        """A data frame with a row a player, or a row a difference.

        Args:
            library: which of them makes it; None: pandas if it is installed, else polars.
            what: ``players``: name, mean, standard error, time a decision; ``differences``: the attributes of
                :class:`Difference`.

        Raises:
            GamecoreError: the library is not installed. OptionError: another library, or another table.
        """
        if what == "players":
            names = ("mean", "stderr", "decision_seconds")
            columns = {"player": list(self.players), **{name: getattr(self, name) for name in names}}
        elif what == "differences":
            columns = {name: [getattr(one, name) for one in self.differences] for name in Difference.FIELDS}
        else:
            raise OptionError(f"what must be 'players' or 'differences', not {printable(what)}")
        return dataframe(columns, library)

    def __str__(self) -> str:
        """A line a player, best first, and a line a difference."""
        names = [*self.players, *(f"{one.first} - {one.second}" for one in self.differences)]
        width = max(len("difference"), *map(len, names))
        lines = [f"{'player':<{width}}  points a round       a decision"]
        means, errors = self.mean, self.stderr
        for place in sorted(range(len(self.players)), key=lambda place: float(means[place])):
            took = time_text(self.decision_seconds[place])
            lines.append(f"{self.players[place]:<{width}}  {means[place]:7.3f} +- {errors[place]:6.3f}  {took:>11}")
        if self.differences:
            lines.append(f"{'difference':<{width}}  paired               unpaired  {self.confidence:.0%} at any stop")
        for one in self.differences:
            found = f"{one.low:+.3f} to {one.high:+.3f}: " + (f"{one.better} is better" if one.better else "open")
            name = f"{one.first} - {one.second}"
            lines.append(
                f"{name:<{width}}  {one.mean:+7.3f} +- {one.stderr:6.3f}  +- {one.unpaired_stderr:6.3f}  {found}"
            )
        return "\n".join([*lines, self._caption()])

    def _caption(self) -> str:
        others = f"three {self.field[0]}" if len(set(self.field)) == 1 else ", ".join(self.field)
        return f"{self.rounds} deals, four seats each, against {others}; seed {self.seed}, passing {self.passing}"

    def plot(self) -> "Figure":
        """Strength against time a decision, with the players that no other beats in both (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed, or fewer than two deals.
        """
        from gamecore.hearts._plots import plot_comparison

        return plot_comparison(self)


def _mean(values: NDArray[np.int64]) -> float:
    return float(values.sum()) / len(values) if len(values) else math.nan


def _stderr(values: NDArray[np.int64]) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def time_text(seconds: float) -> str:
    """A time with three digits and its unit: ``70 ns``, ``1.2 ms``; ``-`` for nan."""
    if math.isnan(seconds):
        return "-"
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 999.5:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def most_of(rules: Rules) -> int:
    """The largest difference of two players on a deal, summed over four seats."""
    least = -26 * (rules.moon == "shooter") - 10 * rules.jack_of_diamonds - 5 * rules.avoid_all_tricks_bonus
    return 4 * (_MOST_POINTS - least)


# --- playing ----------------------------------------------------------------------------------------------------------


class Deals(NamedTuple):
    """What a task played: points (deals, players, 4) int8, a tally a player, and what ended it early."""

    points: NDArray[np.int8]
    tallies: list[Tally]
    error: PlayerError | None


def seated(work: Work, seat: int) -> Work:
    """The same table turned so that its first player sits in this seat, the others to its left as before."""
    return dataclasses.replace(work, table=tuple(work.table[(at - seat) % 4] for at in SEATS))


def play_deals(works: tuple[Work, ...], numbers: tuple[int, int]) -> Deals:
    """The task: some deals, with each player in each seat. It ends at the first deal on which a Player fails."""
    first, count = numbers
    points, tallies = np.zeros((count, len(works), 4), np.int8), [Tally() for _ in works]
    rows = np.empty((count, 4), np.int8)
    for place, work in enumerate(works):
        for seat in SEATS if work.built_in else ():
            play_rounds(seated(work, seat).call, rows, first)
            points[:, place, seat] = rows[:, seat]
    asked = [place for place, work in enumerate(works) if not work.built_in]
    done = 0
    with contextlib.ExitStack() as stack:
        tables = {place: stack.enter_context(copied(works[place], apart=True)) for place in asked}
        turned = {(place, seat): seated(tables[place], seat) for place in asked for seat in SEATS}
        try:
            while asked and done < count and not is_cancelled():
                for (place, seat), work in turned.items():
                    tally = Tally()
                    points[done, place, seat] = play_round(work, first + done, tally)[seat]
                    tallies[place].decisions[0] += tally.decisions[seat]
                    tallies[place].seconds[0] += tally.seconds[seat]
                done += 1
        except PlayerError as error:
            return Deals(points[:done], tallies, error)
    return Deals(points, tallies, None)


def seconds_of(work: Work, tally: Tally) -> float:
    """Time a decision of the first player of a table; nan where it made none."""
    who = work.table[0]
    if isinstance(who, Player):
        return float(tally.seconds[0] / tally.decisions[0]) if tally.decisions[0] else math.nan
    specs, seed, flags, directions = dataclasses.replace(work, table=(who,) * 4).call
    decisions, rounds, taken = np.zeros(4, np.int64), 1, 0.0
    while taken < _TIMED:  # four of its kind, rounds enough for the clock
        points, rounds = np.empty((rounds, 4), np.int8), rounds * 4
        decisions[:] = 0
        start = time.thread_time()
        with controlled() as control:
            kernel.run(points, seed, 0, flags, specs, directions, control, decisions)
        taken = time.thread_time() - start
    return taken / int(decisions.sum())


def compare(
    players: Sequence[AnyPlayer],
    field: "AnyPlayer | Sequence[AnyPlayer]" = "greedy",
    rounds: int = 1000,
    rng: "Rng" = None,
    *,
    rules: Rules | None = None,
    passing: str = "hold",
    first: int = 0,
    until: float | None = None,
    confidence: float = 0.95,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> Comparison:
    """Compare players on the same deals: each plays every deal in each of the four seats, against the same field.

    What the deals and the seats do to all players alike drops out of the differences, so that far fewer deals tell two
    players apart. The deals are those of ``simulate`` with the same seed; results are the same for any ``workers``.

    Args:
        players: 1 to 64 names, BuiltIns or Players, no two the same.
        field: who sits at the other three places: one player, or three from the left of the one who is compared.
        rounds: deals, from 0; with ``until`` at most so many. Each is played four times by every player.
        rng, rules, passing, first: as in :func:`simulate`.
        until: points. None: all rounds are played. Else it looks again and again, and stops when every difference of
            two players is told apart from 0, or half its interval is at most so many points wide. The intervals hold
            whenever one stops.
        confidence: chance, at least, that *all* intervals of the comparison hold at *all* moments.
        workers, executor, progress: as in :func:`simulate`. Players in Python are copied for each task, also with one
            worker, and every seat has a copy of its own: what they do has to depend on the round alone.

    Raises:
        OptionError: an argument out of its range; the same player twice; a Player that cannot be copied.
        BatchError: the executor died; ``done`` is the Comparison of the deals finished before.
        PlayerError: a Player raised or answered nonsense. Its ``partial``, and that of a KeyboardInterrupt and of what
            handlers of signals raise, is the Comparison of the deals finished before.
    """
    rules = check_rules(rules)
    compared, others = _players(players), _field(field)
    rounds, first = check_count("rounds", rounds, 0, MAX_DEALS), check_count("first", first, 0, MAX_DEALS)
    check_number("confidence", confidence, 0.5, 0.999999)
    if until is not None:
        check_number("until", until, 1e-6, 26)
    plan = Plan(workers, executor, progress)
    seed, directions = seed_of(rng), rules.directions(passing)
    works = tuple(Work((one, *others), seed, rules, directions) for one in compared)
    tallies = [Tally() for _ in works]
    points = np.empty((rounds, len(works), 4), np.int8)
    race = Race(len(works), rules, confidence, until)
    done = 0

    def result(times: "Sequence[float]" = ()) -> Comparison:
        seconds = np.array(times or [math.nan] * len(works))
        return Comparison(
            points if done == rounds else points[:done].copy(), names_of(compared), names_of(others), seed, first,
            rules, passing, confidence, until, seconds,
        )  # fmt: skip

    try:
        with contextlib.closing(_play(works, points, tallies, plan, first, race)) as steps:
            for finished in steps:
                done = finished
        return result([seconds_of(work, tally) for work, tally in zip(works, tallies, strict=True)])
    except BaseException as error:
        hand_over(error, result)
        raise


def _play(
    works: tuple[Work, ...], points: NDArray[np.int8], tallies: list[Tally], plan: Plan, first: int, race: "Race"
) -> Steps:
    """Play deals until the race is decided or all are played; yields how many count."""
    never = len(points) + 1
    ends = iter(looks(len(points), len(works[0].directions)))
    end, looked = next(ends, never), 0
    with workers_for([one for work in works for one in work.table], plan) as found:
        task = functools.partial(play_deals, works)
        parts = stream(task, RoundNumbers(first, len(points)), found, name="deals", most=_MOST)
        with contextlib.closing(parts):
            for part in parts:
                made: Deals = part.result
                done = part.start + len(made.points)
                points[part.start : done] = made.points
                for mine, more in zip(tallies, made.tallies, strict=True):
                    mine.decisions += more.decisions
                    mine.seconds += more.seconds
                while end <= done:
                    race.add(points[looked:end])
                    looked = end
                    yield looked
                    if race.decided():
                        return
                    end = next(ends, never)
                yield done
                if made.error is not None:
                    raise made.error


class Race:
    """The differences of all pairs, and whether one may stop.

    Args:
        players: how many. rules: as played. confidence: that all intervals hold at all moments.
        until: see :func:`compare`; None: one never stops.
    """

    def __init__(self, players: int, rules: Rules, confidence: float, until: float | None) -> None:
        pairs = list(itertools.combinations(range(players), 2))
        self._pairs = {pair: Differences(most_of(rules)) for pair in pairs}
        self._alpha = (1 - confidence) / max(1, len(pairs))  # the chances of failing add up at most
        self._until = until

    def add(self, points: NDArray[np.int8]) -> None:
        """More deals: (n, players, 4)."""
        sums = points.sum(axis=2, dtype=np.int64)
        for (a, b), seen in self._pairs.items():
            seen.add(sums[:, a] - sums[:, b])

    def decided(self) -> bool:
        """Whether each difference is told apart from 0, or half its interval is narrow enough."""
        if self._until is None:
            return False
        return all(self._is_settled(seen, self._until) for seen in self._pairs.values())

    def _is_settled(self, seen: Differences, until: float) -> bool:
        if seen.refutes_zero(self._alpha):
            return True
        low, high = seen.interval(self._alpha)
        return (high - low) / 4 <= 2 * until


# --- arguments --------------------------------------------------------------------------------------------------------


def _players(players: object) -> "tuple[BuiltIn | Player, ...]":
    if isinstance(players, str) or not isinstance(players, Sequence) or not 1 <= len(players) <= MAX_PLAYERS:
        raise OptionError(f"players must be a list of 1 to {MAX_PLAYERS} players, not {printable(players)}")
    found = tuple(any_player(one) for one in players)
    for place, one in enumerate(found):
        if any(one is other or (isinstance(one, BuiltIn) and one == other) for other in found[:place]):
            raise OptionError(f"players[{place}]: {names_of([one])[0]} stands twice")
    return found


def _field(field: object) -> Table:
    if isinstance(field, (str, BuiltIn, Player)):
        return (any_player(field),) * 3
    if not isinstance(field, Sequence) or len(field) != 3:
        raise OptionError(f"field must be one player, or a list of three, not {printable(field)}")
    return tuple(any_player(one) for one in field)
