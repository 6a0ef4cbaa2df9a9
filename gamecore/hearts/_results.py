"""Results of simulate, record, match and compare: undefined numbers are nan, and None in their dicts."""

import dataclasses
import functools
import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from gamecore.contract import Result, dataframe, plain
from gamecore.draw.plots import add_legend, new_figure, plain_text
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors, replacing
from gamecore.hearts._cards import TEXTS, points_of
from gamecore.hearts._rules import SEATS, Rules
from gamecore.hearts._tables import RECORDED
from gamecore.text import checked_word, counted, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row: TypeAlias = tuple[int, int, int, int]


class ByContent:
    """Base of frozen dataclasses with arrays: equal if all fields without ``compare=False`` are; without a hash."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [entry.name for entry in dataclasses.fields(self) if entry.compare]  # type: ignore[arg-type]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)


@dataclass(frozen=True, eq=False)
class PlayedRounds(ByContent, Result, Sequence[Row]):
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
        rounds = range(len(self))[index]  # refuses NumPy's own kinds of index
        rows = self.points[rounds if isinstance(rounds, int) else index].tolist()
        return tuple(map(tuple, rows)) if isinstance(index, slice) else tuple(rows)

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.points)

    def to_dataframe(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """A data frame with a row per round: its number in the streams of the seed, and the points of the four seats.

        Args:
            library: None: pandas if it is installed, else polars.

        Raises:
            GamecoreError: the library is not installed. OptionError: another library.
        """
        seats = {f"seat_{seat}": self.points[:, seat] for seat in SEATS}
        first = getattr(self, "first", 0)  # a match begins with round 0
        return dataframe({"round": np.arange(first, first + self.rounds), **seats}, library)


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
        counts = [np.bincount(column.astype(np.int16) + 128, minlength=256) for column in self.points.T]
        squares = np.array(counts) @ np.square(np.arange(-128, 128))
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
        for seat, name, mean, error, moons in zip(SEATS, self.players, self.mean, self.stderr, self.moons, strict=True):
            share = 100 * moons / self.rounds if self.rounds else 0.0
            lines.append(f"{seat:<4}  {name:<{width}}  {mean:7.3f} +- {error:6.3f}  {moons:9d} ({share:.2f}%)")
        begin = f" from number {self.first}" if self.first else ""
        return "\n".join([*lines, f"{counted(self.rounds, 'round')}{begin}, seed {self.seed}, passing {self.passing}"])

    def plot(self) -> "Figure":
        """Plot mean points with two standard errors, and the distribution of points (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed.
        """
        figure = new_figure(9, 3.6)
        left, right = figure.subplots(1, 2)
        labels = [plain_text(f"{seat}: {name}") for seat, name in enumerate(self.players)]
        left.barh(labels, self.mean, xerr=2 * self.stderr, color=[f"C{seat}" for seat in SEATS], alpha=0.8)
        left.invert_yaxis()
        left.set_xlabel("points a round (bars: 2 standard errors)")
        low, high = (int(self.points.min()), int(self.points.max())) if self.rounds else (0, 26)
        for seat, label in enumerate(labels):
            counts = np.bincount(self.points[:, seat].astype(np.int64) - low, minlength=high - low + 1)
            right.plot(np.arange(low, high + 1), counts / max(1, self.rounds), drawstyle="steps-mid", label=label)
        right.set_xlabel("points in a round")
        right.set_ylabel("share of rounds")
        add_legend(figure)
        return figure


_ABOUT = ("players", "seed", "rules", "passing", "decisions", "seconds", "first")  # of a record, beside its arrays
_ARRAYS = {"points": (4, np.int8), **RECORDED}


@dataclass(frozen=True, eq=False, kw_only=True)
class Record(Simulation):
    """Result of :func:`record`: a Simulation with what was played.

    Cards are numbers, ``4 * rank + suit`` in the order C D H S from the two (0 is ``C2``); a hand has bit ``card``.

    Attributes:
        deals: (rounds, 4) uint64: hands before the pass.
        passes: (rounds, 4) uint64: the three cards that each seat passed, or none.
        cards: (rounds, 52) uint8: in the order of play.
        seats: (rounds, 52) uint8: who played each of them.
    """

    deals: NDArray[np.uint64] = field(repr=False)
    passes: NDArray[np.uint64] = field(repr=False)
    cards: NDArray[np.uint8] = field(repr=False)
    seats: NDArray[np.uint8] = field(repr=False)

    def to_dataframe(
        self, library: Literal["pandas", "polars"] | None = None, *, what: Literal["rounds", "cards"] = "rounds"
    ) -> Any:
        """A data frame with a row per round, as of a Simulation, or per card played.

        Args:
            library: None: pandas if it is installed, else polars.
            what: ``cards``: number of the round, trick and place in it from 1, seat, player, card as text, and
                its points, whoever takes it: a heart 1, the queen of spades 13.

        Raises:
            GamecoreError: the library is not installed. OptionError: another library, or another table.
        """
        if checked_word(what, "what", ("rounds", "cards")) == "rounds":
            return super().to_dataframe(library)
        index, (seats, cards) = np.arange(self.cards.size), (self.seats.ravel(), self.cards.ravel())
        columns = {
            "round": self.first + index // 52, "trick": index % 52 // 4 + 1, "place": index % 4 + 1, "seat": seats,
            "player": np.array(self.players)[seats], "card": np.array(TEXTS)[cards],
            "points": np.array([points_of([card]) for card in TEXTS])[cards],
        }  # fmt: skip
        return dataframe(columns, library)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write points and arrays as a ``.npz`` file for ``numpy.load``, the other attributes as JSON in ``about``.

        Raises:
            GamecoreError: the file cannot be written; an old one stays as it was.
        """
        about = json.dumps({name: plain(getattr(self, name)) for name in _ABOUT})
        with file_errors("write", path), replacing(path) as file:
            np.savez(file, about=np.array(about), **{name: getattr(self, name) for name in _ARRAYS})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Record":
        """Read a file of :meth:`save`.

        Raises:
            GamecoreError: the file cannot be read, or it is another kind of file, or damaged.
        """
        with file_errors("read", path), open(path, "rb") as file:
            try:
                with np.load(file, allow_pickle=False) as data:
                    arrays = {name: data[name] for name in _ARRAYS}
                    about = json.loads(data["about"].item())
                about |= {"players": tuple(about["players"]), "rules": Rules.from_dict(about["rules"])}
                record = cls(**arrays, **about | {"decisions": np.array(about["decisions"], np.int64)})
                whole = all(
                    (array.shape, array.dtype) == ((record.rounds, width), kind)
                    for array, (width, kind) in zip(arrays.values(), _ARRAYS.values(), strict=True)
                )
                whole = whole and bool((np.sort(record.cards) == np.arange(52)).all())  # each card once a round
            except OSError:
                raise
            except Exception:  # a damaged zip, header or text: many kinds of error
                whole = False
            if not whole:
                raise GamecoreError(f"{printable(os.fspath(path), 300)} is no file of hearts.Record.save, or damaged")
        return record


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
        """The running score, a line per round, and the winner, or who leads where it was cut off."""
        width = max(6, *(len(name) for name in self.players))
        cycle = self.rules.cycle if self.rules.pass_cards else ("hold",)
        lines = [" round passing  " + " ".join(f"{name:>{width}}" for name in self.players)]
        for number, totals in enumerate(np.cumsum(self.points, axis=0, dtype=np.int64).tolist()):
            scores = " ".join(f"{total:>{width}}" for total in totals)
            lines.append(f"{number + 1:>6} {cycle[number % len(cycle)]:<8} {scores}")
        first = " and ".join(f"seat {seat} ({self.players[seat]})" for seat in self.winners)
        is_over = max(self.totals) >= self.rules.match_points
        how = "won" if is_over else f"cut off below {self.rules.match_points} points; led"
        return "\n".join([*lines, f"{how} by {first}"])


@dataclass(frozen=True)
class Difference(Result):
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
class Comparison(ByContent, Result):
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
        if checked_word(what, "what", ("players", "differences")) == "players":
            names = ("mean", "stderr", "decision_seconds")
            columns = {"player": list(self.players), **{name: getattr(self, name) for name in names}}
        else:
            columns = {name: [getattr(pair, name) for pair in self.differences] for name in Difference._names()}
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
        return f"{counted(self.rounds, 'deal')}, four seats each, against {others}"

    def plot(self) -> "Figure":
        """Plot strength against time per decision, and join the Pareto-best players (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed, or fewer than two deals.
        """
        if self.rounds < 2:
            raise OptionError(f"a comparison of {counted(self.rounds, 'deal')} has no standard errors to plot")
        figure = new_figure(7, max(4.4, 3.9 + 0.1 * len(self.players)))
        axes = figure.subplots()
        means, errors, seconds = self.mean, self.stderr, self.decision_seconds
        timed = np.isfinite(seconds) & (seconds > 0)
        shown = np.where(timed, seconds, seconds[timed].min() if timed.any() else 1e-6)
        for place, player in enumerate(self.players):
            name = plain_text(player) + ("" if timed[place] else " (no time)")
            axes.errorbar(
                shown[place], means[place], yerr=2 * errors[place], fmt="os^Dv"[place // 10 % 5],
                color=f"C{place % 10}", capsize=3, label=name,
            )  # fmt: skip
        order = np.lexsort((means, shown))  # by time; of equals the stronger first
        best = order[np.diff(np.minimum.accumulate(means[order]), prepend=np.inf) < 0]
        axes.plot(shown[best], means[best], color="grey", linewidth=1, drawstyle="steps-post", zorder=0)
        axes.set_xscale("log")
        axes.set_xlabel("seconds a decision")
        axes.set_ylabel("points a round, lower is better (2 standard errors)")
        axes.set_title(plain_text(self.heading), fontsize="medium")
        add_legend(figure)
        return figure


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


def plot_strength(simulations: "Mapping[str, Simulation] | Iterable[Simulation]") -> "Figure":
    """Mean points of seat 0 in each simulation with error bars of two standard errors, the best on top.

    Args:
        simulations: results of ``hearts.simulate`` with at least two rounds each, or a mapping from names to them.

    Raises:
        OptionError: no simulation, or one with fewer than two rounds. GamecoreError: matplotlib is not installed.
    """
    named: list[tuple[str, Simulation]]
    if isinstance(simulations, Mapping):
        named = [(str(name), simulation) for name, simulation in simulations.items()]
    else:
        named = [(_table_name(simulation.players), simulation) for simulation in simulations]
    if not named:
        raise OptionError("simulations: there is none")
    for name, simulation in named:
        if simulation.rounds < 2:
            raise OptionError(f"simulations: an error needs two rounds: {printable(name, 60)} has {simulation.rounds}")
    named.sort(key=lambda entry: float(entry[1].mean[0]))
    means, errors = ([float(getattr(entry, what)[0]) for _, entry in named] for what in ("mean", "stderr"))
    figure = new_figure(7, 1.2 + 0.42 * len(named))
    axes = figure.subplots()
    places, doubled = range(len(named)), [2 * error for error in errors]
    axes.barh(places, means, xerr=doubled, color=[f"C{k % 10}" for k in places], alpha=0.85, capsize=3)
    axes.set_yticks(places, [plain_text(name) for name, _ in named])
    axes.invert_yaxis()
    axes.axvline(6.5, color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel("points a round, lower is better (dotted: 6.5; 2 standard errors)")
    return figure


def _table_name(players: tuple[str, ...]) -> str:
    others = players[1:]
    return f"{players[0]} against " + (f"3 {others[0]}" if len(set(others)) == 1 else ", ".join(others))
