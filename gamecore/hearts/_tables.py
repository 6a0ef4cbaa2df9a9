"""Four players at a table, and how their rounds are played, in this thread or in a batch."""

import contextlib
import copy
import dataclasses
import functools
import itertools
import multiprocessing
import pickle
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.plan import Plan
from gamecore.batch.stream import Items, Task
from gamecore.batch.workers import is_cancelled
from gamecore.errors import OptionError
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import BuiltIn, Player, PlayerError
from gamecore.hearts._python import NO_TOTALS, name_of, round_in_python
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.text import printable, without_controls

_NAMES: Final = {number: name for name, number in DIRECTIONS.items()}

Table: TypeAlias = tuple[BuiltIn | Player, ...]
Call: TypeAlias = tuple[tuple[Any, ...], int, int, bytes]  # arguments of the kernel: see Work.call


@dataclass(frozen=True)
class Work:
    """A table, and the seed and rules of all its rounds."""

    table: Table
    seed: int
    rules: Rules
    directions: bytes

    @property
    def built_in(self) -> bool:
        """Whether the kernel plays all four seats."""
        return all(isinstance(one, BuiltIn) for one in self.table)

    @property
    def call(self) -> Call:
        """Built-in players, seed, rules and directions as arguments of the kernel."""
        specs = tuple(one.numbers for one in self.table if isinstance(one, BuiltIn))
        return specs, self.seed, self.rules.flags, self.directions

    @property
    def task(self) -> Task:
        """The picklable task that plays rounds (first, count) and returns :class:`Played`; it carries the weights."""
        return functools.partial(_play_built_in, self.call) if self.built_in else functools.partial(_play_copies, self)

    def passing(self, index: int) -> str:
        """The direction of a round."""
        return _NAMES[self.directions[index % len(self.directions)]]


@dataclass
class Tally:
    """Counters of a table's seats, summed over rounds.

    Attributes:
        decisions: (4,) int64: decisions with more than one legal card.
        seconds: (4,) float64: time of Players in Python for them.
    """

    decisions: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, np.int64))
    seconds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(4))


class Played(NamedTuple):
    """Result of a task: points (rounds, 4) int8 of the finished rounds, and the error that ended them early."""

    points: NDArray[np.int8]
    tally: Tally
    error: PlayerError | None


def round_numbers(first: int, rounds: int) -> Items:
    """Return round numbers as the items of a batch: a task gets (first, count)."""
    return Items(range(first, first + rounds), lambda numbers: ((numbers.start, len(numbers)), {}))


def names_of(players: Sequence[BuiltIn | Player]) -> tuple[str, ...]:
    """The players as text: built-in ones as :func:`player` reads them, others by name.

    Different players of one name get numbers: ``Mine``, ``Mine#2``.
    """
    seen: dict[str, list[BuiltIn | Player]] = {}
    names = []
    for one in players:
        name = str(one) if isinstance(one, BuiltIn) else name_of(one)
        known = seen.setdefault(name, [])
        number = next((at for at, other in enumerate(known) if _is_same(one, other)), len(known))
        if number == len(known):
            known.append(one)
        names.append(f"{name}#{number + 1}" if number else name)
    return tuple(names)


def _is_same(one: BuiltIn | Player, other: BuiltIn | Player) -> bool:
    return one is other or (isinstance(one, BuiltIn) and isinstance(other, BuiltIn) and one == other)


# --- playing ----------------------------------------------------------------------------------------------------------


def play_rounds(call: Call, points: NDArray[np.int8], first: int) -> NDArray[np.int64]:
    """Play rounds of built-in players from number ``first`` into ``points``; return the decisions of the four seats.

    Cancelling the batch stops it early.
    """
    specs, seed, flags, directions = call
    decisions = np.zeros(4, np.int64)
    with controlled() as control:
        if all(spec[0] == 0 for spec in specs):  # random: the vector kernel
            kernel.run_random(points, seed, first, flags, directions, control)
        else:
            kernel.run(points, seed, first, flags, specs, directions, control, decisions)
    return decisions


def play_round(work: Work, index: int, tally: Tally, totals: tuple[int, ...] = NO_TOTALS) -> tuple[int, ...]:
    """Play one round at a table with a Player; return its points."""
    return round_in_python(
        work.table, work.seed, work.rules, work.passing(index), index, totals, tally.decisions, tally.seconds
    )


def match_rounds(work: Work, first: int, tally: Tally) -> Iterator[NDArray[np.int8]]:
    """Yield the points, (4,) int8, of a match's rounds until a seat has ``rules.match_points``.

    Round ``k`` has the number ``first + k`` and the ``k``-th direction of the cycle.
    """
    totals = np.zeros(4, np.int64)
    turns = [dataclasses.replace(work, directions=bytes([one])) for one in work.directions]
    for number, turn in zip(itertools.count(first), itertools.cycle(turns), strict=False):
        row = np.empty((1, 4), np.int8)
        if work.built_in:
            play_rounds(turn.call, row, number)
        else:
            row[0] = play_round(turn, number, tally, tuple(totals.tolist()))
        totals += row[0]
        yield row[0]
        if totals.max() >= work.rules.match_points:
            return


def _play_built_in(call: Call, numbers: tuple[int, int]) -> Played:
    first, count = numbers
    points = np.empty((count, 4), np.int8)
    return Played(points, Tally(play_rounds(call, points, first)), None)


def _play_copies(work: Work, numbers: tuple[int, int]) -> Played:
    """Play rounds with copies of the Players, which are closed afterwards; a PlayerError ends them."""
    first, count = numbers
    points, tally, done = np.empty((count, 4), np.int8), Tally(), 0
    with copied(work) as mine:
        try:
            while done < count and not is_cancelled():
                points[done] = play_round(mine, first + done, tally)
                done += 1
        except PlayerError as error:
            return Played(points[:done], tally, error)
    return Played(points, tally, None)


@contextlib.contextmanager
def copied(work: Work) -> Iterator[Work]:
    """Copy the Players of a table, and close the copies afterwards.

    Other tasks of this process may hold the same objects.
    """
    table: Table = copy.deepcopy(work.table)
    try:
        yield dataclasses.replace(work, table=table)
    finally:
        for one in table:
            if isinstance(one, Player):
                one.close()


@contextlib.contextmanager
def workers_for(players: Sequence[BuiltIn | Player], plan: Plan) -> Iterator[Plan]:
    """The plan that runs tasks with these players; with a Player in Python, workers are processes.

    Raises:
        OptionError: a Player that cannot be copied or sent to another process.
    """
    if plan.executor is not None:
        _check_each(players, "copied", copy.deepcopy)
    if plan.executor is not None or all(isinstance(one, BuiltIn) for one in players) or plan.parallel() == 1:
        yield plan
        return
    _check_each(players, "sent to another process", pickle.dumps)
    pool = ProcessPoolExecutor(plan.parallel(), initializer=_leave_interrupts_to_the_caller)
    try:
        yield dataclasses.replace(plan, executor=pool)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((getattr(pool, "_processes", None) or {}).values()):  # a Player may hang
            process.terminate()
        raise
    pool.shutdown()


def _check_each(players: Sequence[BuiltIn | Player], done: str, how: Any) -> None:
    for place, one in enumerate(players):
        if isinstance(one, BuiltIn):
            continue
        try:
            how(one)
        except Exception as error:
            why = f"{type(error).__name__}: {printable(str(error), 80)}"
            raise OptionError(f"players[{place}], {name_of(one)}, cannot be {done}: {without_controls(why)}") from error


def _leave_interrupts_to_the_caller() -> None:
    # Ctrl-C reaches all processes of a terminal; the caller ends the workers.
    if multiprocessing.parent_process() is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
