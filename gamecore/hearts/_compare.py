"""Players compared on the same deals: :func:`compare`."""

import dataclasses
import functools
import itertools
import math
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.plan import Plan, Progress
from gamecore.contract import dataframe
from gamecore.errors import OptionError
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, any_player, name_of, names_of
from gamecore.hearts._results import ByContent, Measured
from gamecore.hearts._rules import SEATS, Rules, check_count, check_rules
from gamecore.hearts._tables import Rounds, Seated, Table
from gamecore.rng import seed_of
from gamecore.text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.rng import Rng

MAX_DEALS: Final = 1 << 28
MAX_PLAYERS: Final = 64
_MOST: Final = 1 << 16  # deals in a task
_TIMED: Final = 0.02  # least seconds of measuring a built-in player's time


@dataclass(frozen=True)
class Difference(Measured):
    """The difference of two players: mean of the first less mean of the second.

    Attributes:
        first, second: their names.
        mean: in points a round; below 0 the first is better. nan without deals.
        stderr: its standard error, from paired differences by deal; nan below two deals.
        unpaired_stderr: the standard error without pairing.
    """

    first: str
    second: str
    mean: float
    stderr: float
    unpaired_stderr: float

    def __str__(self) -> str:
        """``duck - greedy: -1.050 +- 0.050``."""
        return f"{self.first} - {self.second}: {self.mean:+.3f} +- {self.stderr:.3f}"


@dataclass(frozen=True, eq=False)
class Comparison(ByContent, Measured):
    """Players compared by :func:`compare`. Equality ignores times.

    Attributes:
        points: (rounds, players, 4) int8: points of each player on each deal, in the seats 0 to 3.
        players: names of the players.
        field: names of the three others at the table, from the player's left.
        seed: of the streams. first: number of the first deal in them. rules, passing: as played.
        decision_seconds: (players,) float64: time a decision, measured on this machine: processor time of built-in
            players, wall-clock time of others, whose programs may run elsewhere; nan without decisions.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "players", "field", "rounds", "first", "seed", "rules", "passing", "mean", "stderr", "decision_seconds",
        "differences",
    )  # fmt: skip

    points: NDArray[np.int8] = dataclasses.field(repr=False)
    players: tuple[str, ...]
    field: tuple[str, ...]
    seed: int
    first: int
    rules: Rules = dataclasses.field(repr=False)
    passing: str
    decision_seconds: NDArray[np.float64] = dataclasses.field(compare=False, repr=False)

    @property
    def rounds(self) -> int:
        """Deals; each was played in the four seats of every player."""
        return len(self.points)

    @functools.cached_property
    def _by_deal(self) -> NDArray[np.float64]:
        """(players, rounds): mean points of a player's four seats on each deal."""
        sums: NDArray[np.int64] = self.points.sum(axis=2, dtype=np.int64)
        return sums.T / 4

    @property
    def mean(self) -> NDArray[np.float64]:
        """(players,) float64: points a round, on average over deals and seats; nan without deals."""
        return np.array([_mean(points) for points in self._by_deal])

    @property
    def stderr(self) -> NDArray[np.float64]:
        """(players,) float64: standard errors of :attr:`mean`, over deals; nan below two."""
        return np.array([_stderr(points) for points in self._by_deal])

    @functools.cached_property
    def differences(self) -> tuple[Difference, ...]:
        """All pairs of players, in order."""
        errors = self.stderr
        return tuple(
            Difference(
                self.players[a],
                self.players[b],
                _mean(self._by_deal[a] - self._by_deal[b]),
                _stderr(self._by_deal[a] - self._by_deal[b]),
                float(np.hypot(errors[a], errors[b])),
            )
            for a, b in itertools.combinations(range(len(self.players)), 2)
        )

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
            columns = {name: [getattr(pair, name) for pair in self.differences] for name in Difference.names()}
        else:
            raise OptionError(f"what must be 'players' or 'differences', not {printable(what)}")
        return dataframe(columns, library)

    def __str__(self) -> str:
        """A line per player, best first, and a line per difference."""
        names = [*self.players, *(f"{pair.first} - {pair.second}" for pair in self.differences)]
        width = max(len("difference"), *map(len, names))
        lines = [f"{'player':<{width}}  points a round     a decision"]
        means, errors = self.mean, self.stderr
        for place in sorted(range(len(self.players)), key=lambda place: float(means[place])):
            took = time_text(self.decision_seconds[place])
            lines.append(f"{self.players[place]:<{width}}  {means[place]:7.3f} +- {errors[place]:6.3f}  {took:>11}")
        if self.differences:
            lines.append(f"{'difference':<{width}}  paired               unpaired")
        for pair in self.differences:
            name = f"{pair.first} - {pair.second}"
            lines.append(f"{name:<{width}}  {pair.mean:+7.3f} +- {pair.stderr:6.3f}  +- {pair.unpaired_stderr:6.3f}")
        return "\n".join([*lines, f"{self.heading}; seed {self.seed}, passing {self.passing}"])

    @property
    def heading(self) -> str:
        """What was played: ``100 deals, four seats each, against three greedy``."""
        others = f"three {self.field[0]}" if len(set(self.field)) == 1 else ", ".join(self.field)
        return f"{self.rounds} deals, four seats each, against {others}"

    def plot(self) -> "Figure":
        """Plot strength against time per decision, and join the Pareto-best players (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed, or fewer than two deals.
        """
        from gamecore.hearts._plots import plot_comparison

        return plot_comparison(self)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else math.nan


def _stderr(values: NDArray[np.float64]) -> float:
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
    rules: Rules | None = None,
    passing: str = "hold",
    first: int = 0,
    workers: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> Comparison:
    """Compare players on the same deals, each in each of the four seats against the same others.

    The luck of deals and seats cancels in the differences: far fewer deals show which player is better. A difference
    of 2 standard errors is found between equal players in one comparison of twenty; choose the number of rounds before.
    Deal i is round i of ``simulate`` with the same seed; results are the same for any ``workers``.

    Args:
        players: names, BuiltIns or Players, no two the same: 1 to 64 of them.
        field: the three others at the table: one player (default greedy), or three from the left of the player
            compared.
        rounds: deals, from 0; each is played four times by each player.
        rng, rules, passing, first: as in :func:`simulate`.
        workers, executor, progress: as in :func:`simulate`. Copies of Players in Python play, also with one worker, and
            no copy sits twice at a table: their play must depend on the round alone.

    Raises:
        OptionError: an argument out of its range; the same player twice; a Player that cannot be copied.
        BatchError: the executor died; ``done`` is the Comparison of the deals finished before.
        PlayerError: a Player raised or gave an invalid answer. The ``partial`` of this error and of a KeyboardInterrupt
            is the Comparison of deals finished before.
    """
    rules = check_rules(rules)
    compared, others = _players(players), _field(field)
    rounds, first = check_count("rounds", rounds, 0, MAX_DEALS), check_count("first", first, 0, MAX_DEALS)
    plan = Plan(workers, executor, progress)
    seed, directions = seed_of(rng), rules.directions(passing)
    tables = tuple(
        Table(_turned((who, *others), seat), seed, rules, directions, seats=(seat,))
        for who in compared
        for seat in SEATS
    )
    played = Rounds(tables, first, rounds)

    def result(decision_seconds: "Sequence[float]" = ()) -> Comparison:
        points = played.points.reshape(-1, len(compared), len(SEATS))
        seconds = np.array(decision_seconds or [math.nan] * len(compared))
        return Comparison(points, names_of(compared), names_of(others), seed, first, rules, passing, seconds)

    played.play([*compared, *others], plan, result, name="deals", most=_MOST, copies=True)
    return result([_decision_seconds(played, tables, number) for number in range(len(compared))])


def _decision_seconds(played: Rounds, tables: Sequence[Table], number: int) -> float:
    """Time per decision of the player with this number; nan without decisions."""
    own = range(4 * number, 4 * number + 4)
    who = tables[own[0]].players[0]
    if isinstance(who, BuiltIn):
        return _seconds_of_built_in(who, tables[0])
    decisions, seconds = played.tally.decisions[own, SEATS].sum(), played.tally.seconds[own, SEATS].sum()
    return float(seconds / decisions) if decisions else math.nan


def _seconds_of_built_in(who: BuiltIn, table: Table) -> float:
    """Processor time per decision at a table of four equal players; rounds are added until it can be measured."""
    rounds, seconds, decisions = 1, 0.0, np.zeros(4, np.int64)
    while seconds < _TIMED:
        points, decisions[:] = np.empty((rounds, 4), np.int8), 0
        start = time.thread_time()
        with controlled() as control:
            specs = (who.numbers,) * 4
            kernel.run(points, table.seed, 0, table.rules.flags, specs, table.directions, control, decisions)
        seconds, rounds = time.thread_time() - start, 4 * rounds
    return seconds / int(decisions.sum())


def _turned(table: Seated, seat: int) -> Seated:
    """The table with its first player in this seat and the others to its left."""
    return tuple(table[(place - seat) % 4] for place in SEATS)


# --- arguments --------------------------------------------------------------------------------------------------------


def _players(players: object) -> Seated:
    if isinstance(players, str) or not isinstance(players, Sequence) or not 1 <= len(players) <= MAX_PLAYERS:
        raise OptionError(f"players must be a list of 1 to {MAX_PLAYERS} players, not {printable(players)}")
    compared = tuple(any_player(who) for who in players)
    for place, who in enumerate(compared):
        if any(who is other or (isinstance(who, BuiltIn) and who == other) for other in compared[:place]):
            raise OptionError(f"players[{place}]: {name_of(who)} stands twice")
    return compared


def _field(field: object) -> Seated:
    if field is None:
        field = "greedy"
    if isinstance(field, (str, BuiltIn, Player)):
        return (any_player(field),) * 3
    if not isinstance(field, Sequence) or len(field) != 3:
        raise OptionError(f"field must be one player, or a list of three, not {printable(field)}")
    return tuple(any_player(who) for who in field)
