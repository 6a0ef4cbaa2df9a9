"""Players compared on the same deals: :func:`compare`."""

import contextlib
import dataclasses
import functools
import itertools
import math
from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.plan import Plan, Progress
from gamecore.batch.stream import hand_over, stream
from gamecore.errors import OptionError
from gamecore.frames import dataframe
from gamecore.hearts._confidence import Differences, looks
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, any_player
from gamecore.hearts._protocols import (
    PROTOCOLS,
    Deals,
    Protocol,
    empty_tally,
    most_of,
    protocol_of,
    seatings_of,
    seconds_of,
    task_of,
)
from gamecore.hearts._results import ByContent, Measured
from gamecore.hearts._rules import Rules, check_count, check_number, check_rules
from gamecore.hearts._tables import Table, Tally, names_of, round_numbers, workers_for
from gamecore.rng import seed_of
from gamecore.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.rng import Rng

MAX_DEALS: Final = 1 << 28
MAX_PLAYERS: Final = 64
_MOST: Final = 1 << 16  # deals in a task

Steps: TypeAlias = Generator[int, None, None]


@dataclass(frozen=True)
class Difference(Measured):
    """The difference of two players: mean of the first less mean of the second.

    Attributes:
        first, second: their names.
        mean: in points a round, or ranks; below 0 the first is better. nan without deals.
        stderr: its standard error, from paired differences by deal; nan below two deals.
        unpaired_stderr: the standard error without pairing.
        low, high: interval of the expectation. With chance ``confidence``, *all* intervals of the comparison hold at
            *all* times, whatever rule stopped it.
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
        """Name of the better player, None while the interval contains 0."""
        return self.first if self.high < 0 else self.second if self.low > 0 else None

    def __str__(self) -> str:
        """``duck - greedy: -1.05 +- 0.05, duck is better``."""
        what = f"{self.better} is better" if self.better else "open"
        return f"{self.first} - {self.second}: {self.mean:+.3f} +- {self.stderr:.3f}, {what}"


@dataclass(frozen=True, eq=False)
class Comparison(ByContent, Measured):
    """Players compared by :func:`compare`. Equality ignores times.

    Attributes:
        points: (rounds, players, places) int8: points of each player on each deal. Its places are the seats 0 to 3
            (``field``), or all seats in which it sat, seating by seating. With ``matches``: twice its rank.
        players: names of the players.
        field: names of the three others at the table, from the player's left; () without a field.
        protocol: ``field``, ``seatings``, ``duo`` or ``matches``.
        seed: of the streams. first: number of the first deal in them. rules, passing: as played.
        confidence: of all intervals together.
        until: of the stopping rule, or None.
        decision_seconds: (players,) float64: time a decision, measured on this machine: processor time of built-in
            players, wall-clock time of others, whose programs may run elsewhere; nan without decisions.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "players", "protocol", "field", "rounds", "first", "seed", "rules", "passing", "confidence", "until", "settled",
        "mean", "stderr", "decision_seconds", "differences",
    )  # fmt: skip

    points: NDArray[np.int8] = dataclasses.field(repr=False)
    players: tuple[str, ...]
    field: tuple[str, ...]
    protocol: str
    seed: int
    first: int
    rules: Rules = dataclasses.field(repr=False)
    passing: str
    confidence: float
    until: float | None
    decision_seconds: NDArray[np.float64] = dataclasses.field(compare=False, repr=False)

    @property
    def rounds(self) -> int:
        """Deals (or matches); each was played in every seating of the protocol."""
        return len(self.points)

    @property
    def mean(self) -> NDArray[np.float64]:
        """(players,) float64: points a round (ranks in a match), on average over deals and seats; nan without deals."""
        return np.array([_mean(self._sums(place)) / self._scale for place in range(len(self.players))])

    @property
    def stderr(self) -> NDArray[np.float64]:
        """(players,) float64: standard errors of :attr:`mean`, over deals; nan below two."""
        return np.array([_stderr(self._sums(place)) / self._scale for place in range(len(self.players))])

    @functools.cached_property
    def differences(self) -> tuple[Difference, ...]:
        """All pairs of players, in order."""
        pairs = list(itertools.combinations(range(len(self.players)), 2))
        errors = self.stderr
        return tuple(self._difference(a, b, errors, (1 - self.confidence) / len(pairs)) for a, b in pairs)

    @property
    def settled(self) -> bool:
        """Whether each interval excludes 0, or is at most ``2 * until`` wide."""
        return all(one.better or one.high - one.low <= 2 * (self.until or 0.0) for one in self.differences)

    @property
    def _scale(self) -> int:
        return _scale(PROTOCOLS[self.protocol], self.points.shape[2])

    def _sums(self, player: int) -> NDArray[np.int64]:
        """A player's points on each deal, over its places."""
        found: NDArray[np.int64] = self.points[:, player].sum(axis=1, dtype=np.int64)
        return found

    def _difference(self, a: int, b: int, errors: NDArray[np.float64], alpha: float) -> Difference:
        protocol, scale = PROTOCOLS[self.protocol], self._scale
        deals = self._sums(a) - self._sums(b)
        seen = Differences(most_of(self.rules, protocol.is_match, self.points.shape[2]))
        seen.add(deals[: len(deals) - len(deals) % _period(protocol, self.rules.directions(self.passing))])
        low, high = seen.interval(alpha)
        return Difference(
            self.players[a], self.players[b], _mean(deals) / scale, _stderr(deals) / scale,
            float(np.hypot(errors[a], errors[b])), low / scale, high / scale,
        )  # fmt: skip

    def to_dataframe(
        self, library: Literal["pandas", "polars"] | None = None, *, what: Literal["players", "differences"] = "players"
    ) -> Any:
        """A data frame with a row per player, or per difference.

        Args:
            library: None: pandas if it is installed, else polars.
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
        """A line per player, best first, and a line per difference."""
        names = [*self.players, *(f"{one.first} - {one.second}" for one in self.differences)]
        width = max(len("difference"), *map(len, names))
        lines = [f"{'player':<{width}}  {PROTOCOLS[self.protocol].unit:<17}  a decision"]
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
        return "\n".join([*lines, f"{self.heading}; seed {self.seed}, passing {self.passing}"])

    @property
    def heading(self) -> str:
        """What was played: ``100 deals, four seats each, against three greedy``."""
        seatings = len(PROTOCOLS[self.protocol].seatings)
        if seatings:
            what = "matches" if PROTOCOLS[self.protocol].is_match else "deals"
            return f"{self.rounds} {what} in {seatings} seatings of two players"
        others = f"three {self.field[0]}" if len(set(self.field)) == 1 else ", ".join(self.field)
        return f"{self.rounds} deals, four seats each, against {others}"

    def plot(self) -> "Figure":
        """Plot strength against time per decision, and join the Pareto-best players (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed, or fewer than two deals.
        """
        from gamecore.hearts._plots import plot_comparison

        return plot_comparison(self)


def _scale(protocol: Protocol, places: int) -> int:
    """How many steps of a player's sum on a deal are one point, or one rank."""
    return places * (2 if protocol.is_match else 1)


def _period(protocol: Protocol, directions: bytes) -> int:
    """Deals after which passing directions repeat; a match has all of them."""
    return 1 if protocol.is_match else len(directions)


def _mean(values: NDArray[np.int64]) -> float:
    return float(values.sum()) / len(values) if len(values) else math.nan


def _stderr(values: NDArray[np.int64]) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def time_text(seconds: float) -> str:
    """Format a time with three digits: ``70 ns``, ``1.2 ms``; ``-`` for nan."""
    if math.isnan(seconds):
        return "-"
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 999.5:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def compare(
    players: Sequence[AnyPlayer],
    field: "AnyPlayer | Sequence[AnyPlayer] | None" = None,
    rounds: int = 1000,
    rng: "Rng" = None,
    *,
    protocol: str = "field",
    rules: Rules | None = None,
    passing: str | None = None,
    first: int = 0,
    until: float | None = None,
    confidence: float = 0.95,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> Comparison:
    """Compare players on the same deals, in the seatings of a protocol.

    The luck of deals and seats cancels in the differences: far fewer deals show which player is better. Deal i is
    round i of ``simulate`` with the same seed; results are the same for any ``workers``.

    Args:
        players: names, BuiltIns or Players, no two the same: 1 to 64 of them, or two where there is no field.
        field: the three others at the table of ``protocol="field"``: one player (default greedy), or three from the
            left of the player compared. No other protocol has a field.
        rounds: deals (matches), from 0; with ``until`` the limit. Each is played in every seating.
        protocol: ``field``: each player in each of the four seats, against the field. ``seatings``: two players in all
            14 mixed seatings, as in the papers on xinxin and on GO-MCTS (arXiv 2404.13150). ``duo``: two against two,
            6 seatings, as brianberns/Hearts. ``matches``: the same in matches to ``rules.match_points``; means are
            ranks, 1 to 4.
        rng, rules, first: as in :func:`simulate`.
        passing: as in :func:`simulate`; default ``hold`` with a field, else ``cycle``.
        until: points (ranks). None: all rounds are played. Else the comparison stops once each interval excludes
            0, or half of it is at most this wide. The intervals hold at any stop.
        confidence: chance, at least, that *all* intervals of the comparison hold at *all* moments.
        workers, executor, progress: as in :func:`simulate`. Copies of Players in Python play, also with one worker, and
            no copy sits twice at a table: their play must depend on the round alone.

    Raises:
        OptionError: an argument out of its range; the same player twice; a Player that cannot be copied.
        BatchError: the executor died; ``done`` is the Comparison of the deals finished before.
        PlayerError: a Player raised or gave an invalid answer. The ``partial`` of this error, of a KeyboardInterrupt
            and of exceptions of signal handlers is the Comparison of the deals finished before.
    """
    rules, kind = check_rules(rules), protocol_of(protocol)
    compared, others = _players(players), _field(field, protocol)
    if kind.seatings and len(compared) != 2:
        raise OptionError(f"protocol {protocol!r} compares two players, not {len(compared)}")
    rounds, first = check_count("rounds", rounds, 0, MAX_DEALS), check_count("first", first, 0, MAX_DEALS)
    check_number("confidence", confidence, 0.5, 0.999999)
    if until is not None:
        check_number("until", until, 1e-6, 26)
    passing = kind.passing if passing is None else passing
    plan = Plan(workers, executor, progress)
    seed, directions = seed_of(rng), rules.directions(passing)
    seatings = seatings_of(kind, compared, others, seed, rules, directions)
    tally = empty_tally(len(compared))
    places = 4 * len(kind.seatings) // 2 or 4
    points = np.empty((rounds, len(compared), places), np.int8)
    race = Race(kind, points, rules, confidence, until)
    done = 0

    def result(times: "Sequence[float]" = ()) -> Comparison:
        seconds = np.array(times or [math.nan] * len(compared))
        return Comparison(
            points if done == rounds else points[:done].copy(), names_of(compared), names_of(others), protocol, seed,
            first, rules, passing, confidence, until, seconds,
        )  # fmt: skip

    try:
        numbers, ends = round_numbers(first, rounds), looks(rounds, _period(kind, directions))
        with workers_for([*compared, *others], plan) as found:
            parts = stream(task_of(kind, seatings), numbers, found, name="deals", most=_MOST)
            with contextlib.closing(parts), contextlib.closing(_collect(parts, points, tally, race, ends)) as steps:
                for finished in steps:
                    done = finished
        spent = zip(compared, tally.decisions.tolist(), tally.seconds.tolist(), strict=True)
        return result([seconds_of(one, seatings[0].work, count, seconds) for one, count, seconds in spent])
    except BaseException as error:
        hand_over(error, result)
        raise


def _collect(parts: Any, points: NDArray[np.int8], tally: Tally, race: "Race", ends: list[int]) -> Steps:
    """Gather deals until the race is decided or all are played; yields the number of deals that count."""
    never = len(points) + 1
    waiting = iter(ends)
    end, looked = next(waiting, never), 0
    for part in parts:
        made: Deals = part.result
        done = part.start + len(made.scores)
        points[part.start : done] = made.scores
        tally.decisions += made.tally.decisions
        tally.seconds += made.tally.seconds
        while end <= done:
            race.add(points[looked:end])
            looked = end
            yield looked
            if race.decided():
                return
            end = next(waiting, never)
        yield done
        if made.error is not None:
            raise made.error


class Race:
    """The differences of all pairs, and whether the comparison may stop.

    Args:
        protocol: its kind. points: of the comparison, for their shape. rules: as played.
        confidence: that all intervals hold at all moments.
        until: see :func:`compare`; None: it never stops.
    """

    def __init__(
        self, protocol: Protocol, points: NDArray[np.int8], rules: Rules, confidence: float, until: float | None
    ) -> None:
        _, players, places = points.shape
        pairs = list(itertools.combinations(range(players), 2))
        self._pairs = {pair: Differences(most_of(rules, protocol.is_match, places)) for pair in pairs}
        self._alpha = (1 - confidence) / max(1, len(pairs))  # the chances of failing add up at most
        self._until = until
        self._scale = _scale(protocol, places)

    def add(self, points: NDArray[np.int8]) -> None:
        """Add deals: (n, players, places)."""
        sums = points.sum(axis=2, dtype=np.int64)
        for (a, b), seen in self._pairs.items():
            seen.add(sums[:, a] - sums[:, b])

    def decided(self) -> bool:
        """Whether each interval excludes 0 or is narrow enough."""
        if self._until is None:
            return False
        return all(self._is_settled(seen, self._until) for seen in self._pairs.values())

    def _is_settled(self, seen: Differences, until: float) -> bool:
        if seen.refutes_zero(self._alpha):
            return True
        low, high = seen.interval(self._alpha)
        return (high - low) / self._scale <= 2 * until


# --- arguments --------------------------------------------------------------------------------------------------------


def _players(players: object) -> "tuple[BuiltIn | Player, ...]":
    if isinstance(players, str) or not isinstance(players, Sequence) or not 1 <= len(players) <= MAX_PLAYERS:
        raise OptionError(f"players must be a list of 1 to {MAX_PLAYERS} players, not {printable(players)}")
    found = tuple(any_player(one) for one in players)
    for place, one in enumerate(found):
        if any(one is other or (isinstance(one, BuiltIn) and one == other) for other in found[:place]):
            raise OptionError(f"players[{place}]: {names_of([one])[0]} stands twice")
    return found


def _field(field: object, protocol: str) -> Table:
    if PROTOCOLS[protocol].seatings:
        if field is not None:
            raise OptionError(f"protocol {protocol!r} has no field, not {printable(field)}")
        return ()
    if field is None:
        field = "greedy"
    if isinstance(field, (str, BuiltIn, Player)):
        return (any_player(field),) * 3
    if not isinstance(field, Sequence) or len(field) != 3:
        raise OptionError(f"field must be one player, or a list of three, not {printable(field)}")
    return tuple(any_player(one) for one in field)
