"""Many rounds among four players: :func:`simulate`."""

import contextlib
import dataclasses
import functools
import math
import time
from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from gamecore.batch._pace import Bar
from gamecore.batch._plan import Plan, Progress
from gamecore.batch._stream import Chunk, Source, stream
from gamecore.contract import Result
from gamecore.errors import BatchError, GamecoreError, OptionError
from gamecore.frames import dataframe
from gamecore.hearts._cards import index_of
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import SEARCHING, AnyPlayer, BuiltIn, Player, PlayerError, players_of
from gamecore.hearts._position import Round
from gamecore.hearts._rules import DIRECTIONS, SEATS, Rules, check_count, check_rules
from gamecore.rng import seed_of
from gamecore.text import printable, without_controls

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gamecore.rng import Rng

MAX_ROUNDS: Final = 1 << 34
_MOST = 1 << 20  # rounds in a task: 4 MiB of points that an executor sends back
_NAMES = {number: name for name, number in DIRECTIONS.items()}

Table: TypeAlias = tuple[BuiltIn | Player, ...]
Row: TypeAlias = tuple[int, int, int, int]
Steps: TypeAlias = Generator[int, None, None]  # how many rounds are finished, again and again
Call: TypeAlias = tuple[tuple[Any, ...], int, int, bytes]  # what the kernel is called with: see Work


@dataclass(frozen=True, eq=False)
class PlayedRounds(Result, Sequence[Row]):
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

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [one.name for one in dataclasses.fields(self) if one.compare]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

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
            are played many at a time, and for tables with a Player.
        seconds: wall-clock time. Equality ignores it.
    """

    #: ``to_dict`` has what the rounds add up to; the rounds themselves are in ``points`` and ``to_dataframe``.
    FIELDS: ClassVar[tuple[str, ...]] = (
        "players", "rounds", "seed", "rules", "passing", "mean", "stderr", "moons", "decisions", "seconds",
    )  # fmt: skip

    passing: str
    decisions: NDArray[np.int64] = field(repr=False)
    seconds: float = field(compare=False)

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
        return f"{self.rounds} rounds, seed {self.seed}, passing {self.passing}"

    def _repr_html_(self) -> str:
        """The summary as a table, for notebooks."""
        from gamecore.draw._html import table

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
        from gamecore.draw._plots import plot_simulation

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
        workers: threads; the kernel runs without the GIL. None: one for each core this process may use. A Player in
            Python keeps what it likes between decisions and runs in the calling thread: with one, only 1 will do.
        executor: any ``concurrent.futures.Executor`` instead of threads: see :mod:`gamecore.batch`. Not with a Player
            in Python.
        progress: as in :class:`gamecore.batch.Plan`; a function is called with (rounds done, rounds).

    Raises:
        OptionError: an argument out of its range; ``workers`` other than 1, or an executor, for a Player in Python.
        BatchError: the executor died; ``done`` is the Simulation of the rounds finished before.
        PlayerError: a Player raised or answered nonsense. Its ``partial``, and that of a KeyboardInterrupt and of what
            handlers of signals raise, is the Simulation of the rounds finished before.
    """
    table = players_of(players)
    rules = check_rules(rules)
    rounds = check_count("rounds", rounds, 0, MAX_ROUNDS)
    plan = Plan(workers, executor, progress)
    work = Work(table, seed_of(rng), rules, rules.directions(passing))
    begun = time.perf_counter()
    points, decisions = np.empty((rounds, 4), np.int8), np.zeros(4, np.int64)
    play = _play_built_in
    if any(isinstance(one, Player) for one in table):
        _check_alone(plan)
        play = _play_in_python
    done = 0

    def result() -> Simulation:
        return Simulation(
            points if done == rounds else points[:done].copy(), names_of(table), work.seed, rules, passing, decisions,
            time.perf_counter() - begun,
        )  # fmt: skip

    try:
        with contextlib.closing(play(work, points, decisions, plan)) as steps:
            for finished in steps:
                done = finished
    except BatchError as error:
        error.done = result()
        raise
    except BaseException as error:
        with contextlib.suppress(AttributeError, TypeError):  # of classes that take no attributes
            error.partial = result()  # type: ignore[attr-defined]
        raise
    return result()


def names_of(table: Table) -> tuple[str, ...]:
    """The players as text: built-in ones as :func:`player` reads them, others by their classes' names."""
    return tuple(str(one) if isinstance(one, BuiltIn) else _name_of(one) for one in table)


def _name_of(who: object) -> str:
    name = who.name if isinstance(who, Player) else None
    return without_controls(name if isinstance(name, str) else type(who).__name__)


# --- built-in players: the kernel plays whole rounds ------------------------------------------------------------------


class _RoundNumbers(Source):
    """The rounds of a simulation as a batch's source: a chunk is the number of its first round, and how many."""

    def __init__(self, rounds: int) -> None:
        self.total: int | None = rounds
        self.failure: Exception | None = None
        self._rounds, self._next = rounds, 0

    def take(self, count: int) -> Chunk | None:
        """The next rounds."""
        count = min(count, self._rounds - self._next)
        if not count:
            return None
        self._next += count
        return Chunk(count, (self._next - count, count), {})


@dataclass(frozen=True)
class Work:
    """What all rounds of a simulation have in common."""

    table: Table
    seed: int
    rules: Rules
    directions: bytes

    @property
    def call(self) -> Call:
        """Built-in players, seed, rules and directions as the kernel takes them."""
        specs = tuple(one.numbers for one in self.table if isinstance(one, BuiltIn))
        return specs, self.seed, self.rules.flags, self.directions

    def passing(self, index: int) -> str:
        """The direction of a round."""
        return _NAMES[self.directions[index % len(self.directions)]]



def play_rounds(call: Call, points: NDArray[np.int8], first: int) -> NDArray[np.int64]:
    """Play rounds from the ``first`` into ``points``: decisions of the four seats. A batch that is given up ends it."""
    specs, seed, flags, directions = call
    decisions = np.zeros(4, np.int64)
    with controlled() as control:
        if all(spec[0] == 0 for spec in specs):  # random: a kernel of its own
            kernel.run_random(points, seed, first, flags, directions, control)
        else:
            kernel.run(points, seed, first, flags, specs, directions, control, decisions)
    return decisions


def _in_place(call: Call, points: NDArray[np.int8], numbers: tuple[int, int]) -> NDArray[np.int64]:
    """The task in threads: each writes its own rows."""
    first, count = numbers
    return play_rounds(call, points[first : first + count], first)


def _to_send(call: Call, numbers: tuple[int, int]) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The task on executors: points and decisions are sent back."""
    first, count = numbers
    points = np.empty((count, 4), np.int8)
    return points, play_rounds(call, points, first)


def _play_built_in(work: Work, points: NDArray[np.int8], decisions: NDArray[np.int64], plan: Plan) -> Steps:
    """Play all rounds; yields how many are finished, and adds up decisions."""
    call = work.call
    task = functools.partial(_in_place, call, points) if plan.executor is None else functools.partial(_to_send, call)
    kinds = [kind for kind, *_ in call[0]]
    searches, random = max(kinds) >= SEARCHING, max(kinds) == 0
    first = 1 if searches else 1 << 16 if random else 1 << 10
    parts = stream(task, _RoundNumbers(len(points)), plan, name="rounds", first=first, most=_MOST)
    with contextlib.closing(parts):
        for part in parts:
            made = part.result
            if plan.executor is not None:
                rows, made = made
                points[part.start : part.start + part.count] = rows
            decisions += made
            yield part.start + part.count


# --- players in Python ------------------------------------------------------------------------------------------------


def _check_alone(plan: Plan) -> None:
    if plan.executor is not None:
        raise OptionError("executor: players written in Python play in this process; there is none for them")
    if plan.workers != 1:
        raise OptionError(
            f"workers: players written in Python play in the calling thread, workers=1; not {printable(plan.workers)}"
        )


def _play_in_python(work: Work, points: NDArray[np.int8], decisions: NDArray[np.int64], plan: Plan) -> Steps:
    """The same for tables with a Player, whose decisions are not counted."""
    with Bar(plan.progress, len(points), "rounds") as bar:
        for index in range(len(points)):
            points[index] = round_in_python(work, index)
            if index & 15 == 0 or index + 1 == len(points):
                bar.report(index + 1)
            yield index + 1


def round_in_python(work: Work, index: int) -> tuple[int, ...]:
    """The points of one round; built-in players draw as they do in the kernel."""
    round_ = Round.deal(work.seed, work.rules, work.passing(index), None, index)
    drawn = 0  # seats that drew the cards that they passed from the round's stream
    for seat in round_.passing_seats:
        who = work.table[seat]
        if isinstance(who, BuiltIn):
            cards = round_._choose_pass(seat, who, drawn)
            drawn += who.name in ("random", "intelligent")
            round_ = round_._pass(seat, cards, drawn)
        else:
            round_ = _pass_of(round_, seat, who, drawn)
    while not round_.is_over:
        who = work.table[round_.to_move]
        card = _card_of(round_, who) if isinstance(who, Player) else index_of(round_.ask(who))
        round_ = round_._after(card, isinstance(who, BuiltIn) and who.name == "random")
    return round_.points


def _pass_of(round_: Round, seat: int, who: Player, drawn: int) -> Round:
    cards: object = None
    try:
        cards = who.pass_cards(round_.view(seat))
        return round_._pass(seat, tuple(cards), drawn)
    except Exception as error:
        what = "raised" if cards is None else f"answered {printable(cards)}:"
        text = f"seat {seat}, passing: {_name_of(who)}.pass_cards {what} {_reason(error)}"
        raise PlayerError(text, seat, 0, cards) from error


def _card_of(round_: Round, who: Player) -> int:
    """The index of a legal card."""
    seat, trick = round_.to_move, len(round_.tricks) + 1
    place = f"seat {seat}, trick {trick}: {_name_of(who)}.choose"
    try:
        card = who.choose(round_.view(seat))
    except Exception as error:
        raise PlayerError(f"{place} raised {_reason(error)}", seat, trick) from error
    try:
        return round_._legal_index(card)
    except GamecoreError as error:
        raise PlayerError(f"{place} answered {printable(card)}: {error}", seat, trick, card) from error


def _reason(error: Exception) -> str:
    try:
        text = str(error)
    except Exception:
        text = "?"
    return f"{without_controls(type(error).__name__)}: {printable(text, 80)}"
