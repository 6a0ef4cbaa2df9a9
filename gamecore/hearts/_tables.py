"""Rounds at tables of four players: how a round is played in Python, and many rounds at several tables."""

import contextlib
import copy
import dataclasses
import functools
import hashlib
import itertools
import multiprocessing
import pickle
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gamecore.batch import Plan, is_cancelled
from gamecore.batch.stream import Items, stream
from gamecore.errors import BatchError, GamecoreError, OptionError
from gamecore.game._registry import loaded_files, module_of
from gamecore.hearts._cards import controlled, index_of
from gamecore.hearts._players import QUICK, BuiltIn, Player, PlayerError, name_of
from gamecore.hearts._position import Round
from gamecore.hearts._rules import DIRECTIONS, Rules
from gamecore.kernels import hearts as kernel
from gamecore.text import printable, without_controls

_NAMES: Final = {number: name for name, number in DIRECTIONS.items()}
_NO_TOTALS: Final = (0, 0, 0, 0)  # before a match's first round, and outside matches

Answer = TypeVar("Answer")
Seated: TypeAlias = tuple[BuiltIn | Player, ...]
Columns: TypeAlias = dict[str, tuple[int, type[np.generic]]]

#: The arrays of a record, in the kernel's order: columns and type.
RECORDED: Final[Columns] = {
    "deals": (4, np.uint64), "passes": (4, np.uint64), "cards": (52, np.uint8), "seats": (52, np.uint8),
}  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Four players, the seed, rules and passing directions of their rounds, and the seats whose points are kept.

    ``is_recorded``: their cards are kept, too; such a table is the only one of its batch.
    """

    players: Seated
    seed: int
    rules: Rules
    directions: bytes
    seats: tuple[int, ...] = (0, 1, 2, 3)
    is_recorded: bool = False

    def passing(self, index: int) -> str:
        """The direction of a round."""
        return _NAMES[self.directions[index % len(self.directions)]]


class Tally(NamedTuple):
    """Rounds played at several tables.

    Attributes:
        rows: arrays with a row per round: ``points``, (rounds, columns) int8: the score of each seat that is kept,
            table by table; and of a recorded table those of ``RECORDED``.
        decisions: (tables, 4) int64: decisions with more than one legal card, in all rounds.
        seconds: (tables, 4) float64: time of Players in Python for them.
        error: the error that ended the rounds early, or None.
    """

    rows: dict[str, NDArray[Any]]
    decisions: NDArray[np.int64]
    seconds: NDArray[np.float64]
    error: PlayerError | None = None

    @classmethod
    def empty(cls, rounds: int, tables: "Sequence[Table]") -> "Tally":
        """A tally to fill."""
        columns: Columns = {"points": (sum(len(table.seats) for table in tables), np.int8)}
        columns |= RECORDED if tables[0].is_recorded else {}
        rows = {name: np.empty((rounds, width), kind) for name, (width, kind) in columns.items()}
        return cls(rows, np.zeros((len(tables), 4), np.int64), np.zeros((len(tables), 4)))

    @property
    def points(self) -> NDArray[np.int8]:
        """The points in ``rows``."""
        return self.rows["points"]

    def part(self, begin: int, end: int) -> "Tally":
        """A tally that fills these rows of this one."""
        rows = {name: array[begin:end] for name, array in self.rows.items()}
        return Tally(rows, np.zeros_like(self.decisions), np.zeros_like(self.seconds))


# --- one round in Python ----------------------------------------------------------------------------------------------


def play_round(
    table: Table, index: int, totals: tuple[int, ...], decisions: NDArray[np.int64], seconds: NDArray[np.float64]
) -> Round:
    """Play a round to its end; built-in players draw as in the kernel. ``totals``: of the match before it.

    Each seat's decisions with more than one legal card, and the time of Players for them, are added to the arrays.

    Raises:
        PlayerError: a Player raised, or its answer was not a legal card.
    """
    round_ = Round.deal(table.seed, table.rules, table.passing(index), None, index)
    for seat, listener in _overriding(table, "begin_round"):
        seed = _seed_of_player(table.seed, index, seat)
        _call(listener, "begin_round", seat, 0, "", (round_.view(seat), seed, totals))
    drawn = 0  # passes drawn from the round's stream
    for seat in round_.passing_seats:
        who = table.players[seat]
        if isinstance(who, BuiltIn):
            cards = round_._choose_pass(seat, who, drawn)
            drawn += who.name in ("random", "intelligent")
            round_ = round_._pass(seat, drawn, cards)
        else:
            accept = functools.partial(round_._pass, seat, drawn)
            round_ = _call(who, "pass_cards", seat, 0, ", passing", (round_.view(seat),), accept)
    while not round_.is_over:
        seat = round_.to_move
        who = table.players[seat]
        legal = round_._core.legal()
        if not legal & (legal - 1):
            card = legal.bit_length() - 1  # forced
        else:
            decisions[seat] += 1
            if isinstance(who, BuiltIn):
                card = index_of(round_.ask(who))
            else:
                start, trick = time.perf_counter(), len(round_.tricks) + 1
                where = f", trick {trick}"
                card = _call(who, "choose", seat, trick, where, (round_.view(seat),), round_._legal_index)
                seconds[seat] += time.perf_counter() - start
        round_ = round_._after(card, isinstance(who, BuiltIn) and who.name == "random")
    for seat, listener in _overriding(table, "end_round"):
        _call(listener, "end_round", seat, 13, "", (round_.view(seat), round_.points))
    return round_


def _overriding(table: Table, method: str) -> Iterator[tuple[int, Player]]:
    """Yield seats and Players that define a method."""
    for seat, who in enumerate(table.players):
        if isinstance(who, Player) and getattr(getattr(who, method), "__func__", None) is not getattr(Player, method):
            yield seat, who


def _seed_of_player(seed: int, index: int, seat: int) -> int:
    """A seed below 2**64 for a Player in a round; it does not reveal the deal."""
    return int.from_bytes(hashlib.blake2b(f"hearts {seed} {index} {seat}".encode(), digest_size=8).digest())


def _call(
    who: Player, method: str, seat: int, trick: int, where: str, arguments: tuple[Any, ...],
    accept: Callable[[Any], Any] | None = None,
) -> Any:  # fmt: skip
    """Call a Player's method and return what ``accept`` makes of the answer; any exception becomes a PlayerError."""
    place = f"seat {seat}{where}"
    try:
        answer = getattr(who, method)(*arguments)
    except Exception as error:
        raise PlayerError(f"{place}: {name_of(who)}.{method} raised {_reason(error)}", seat, trick) from error
    try:
        return None if accept is None else accept(answer)
    except Exception as error:
        why = f"{printable(answer)}: {error if isinstance(error, GamecoreError) else _reason(error)}"
        raise PlayerError(f"{place}: {name_of(who)}.{method} answered {why}", seat, trick, answer) from error


def _reason(error: Exception) -> str:
    try:
        text = str(error)
    except Exception:
        text = "?"
    shown = without_controls(text) if isinstance(error, GamecoreError) else printable(text, 80)
    return f"{without_controls(type(error).__name__)}: {shown}"


# --- many rounds ------------------------------------------------------------------------------------------------------


def play_rounds(
    tables: Sequence[Table], numbers: range, tally: Tally | None = None, totals: tuple[int, ...] = _NO_TOTALS
) -> Tally:
    """Play rounds of these numbers at every table, with the Players themselves, and return the tally, filled.

    ``totals``: of the match before.
    The first PlayerError ends all tables before its round. Cancelling the batch stops early with meaningless points.
    """
    count = len(numbers)
    tally = tally or Tally.empty(count, tables)
    record = [tally.rows[name] for name in RECORDED if name in tally.rows]
    ends = itertools.accumulate(len(table.seats) for table in tables)
    in_python = []
    for place, (table, end) in enumerate(zip(tables, ends, strict=True)):
        columns = slice(end - len(table.seats), end)
        if any(isinstance(who, Player) for who in table.players):
            in_python.append((place, table, columns))
        else:
            points = play_built_in(table, numbers, tally.decisions[place], record)
            tally.points[:, columns] = points[:, table.seats]
    done = 0
    try:
        while in_python and done < count and not is_cancelled():
            for place, table, columns in in_python:
                round_ = play_round(table, numbers[done], totals, tally.decisions[place], tally.seconds[place])
                tally.points[done, columns] = [round_.points[seat] for seat in table.seats]
                for array, row in zip(record, _record_of(round_) if record else (), strict=True):
                    array[done] = row
            done += 1
    except PlayerError as error:
        return tally.part(0, done)._replace(decisions=tally.decisions, seconds=tally.seconds, error=error)
    return tally


def _record_of(round_: Round) -> tuple[Sequence[int], ...]:
    """Return a finished round's row in each array of ``RECORDED``."""
    seats = [(trick.leader + turn) % 4 for trick in round_.tricks for turn in range(4)]
    return round_._dealt, round_._passed, list(round_._plays), seats


def play_built_in(
    table: Table,
    numbers: range,
    decisions: NDArray[np.int64],
    record: Sequence[NDArray[Any]] = (),
    *,
    vectors: bool = True,
) -> NDArray[np.int8]:
    """(rounds, 4): points of built-in players; four random ones play in vectors, without counting their decisions.

    ``record``: the arrays of a recorded table.
    """
    points = np.empty((len(numbers), 4), np.int8)
    seed, flags, directions = table.seed, table.rules.flags, table.directions
    players = [who for who in table.players if isinstance(who, BuiltIn)]
    arrays = tuple(record) or None
    with controlled() as control:
        if vectors and {who.name for who in players} == {"random"}:
            kernel.run_random(points, seed, numbers.start, flags, directions, control, True, arrays)
        else:
            specs = tuple([who.numbers for who in players])
            kernel.run(points, seed, numbers.start, flags, specs, directions, control, decisions, arrays)
    return points


def _play_copies(tables: Sequence[Table], numbers: range, tally: Tally | None = None) -> Tally:
    """Play rounds with copies of the Players, closed afterwards; no copy sits twice at a table."""
    copies: dict[tuple[int, int], Player] = {}

    def copied(players: Seated) -> Iterator[BuiltIn | Player]:
        for place, who in enumerate(players):
            key = id(who), sum(who is other for other in players[:place])
            if isinstance(who, Player) and key not in copies:
                copies[key] = copy.deepcopy(who)
            yield copies.get(key, who)

    try:
        mine = [dataclasses.replace(table, players=tuple(copied(table.players))) for table in tables]
        return play_rounds(mine, numbers, tally)
    finally:
        for who in copies.values():
            who.close()


# --- the batch --------------------------------------------------------------------------------------------------------


def play_many(
    tables: tuple[Table, ...], numbers: range, players: Sequence[BuiltIn | Player], plan: Plan,
    result: Callable[[Tally], Answer], *, name: str, most: int, copies: bool = False,
) -> Answer:  # fmt: skip
    """Play rounds of these numbers at several tables, over workers or an executor; Players in Python need processes.

    Args:
        tables: with equal rules, seed and directions; ``players``: of all of them.
        result: makes the result of the rounds finished, here or for an error to carry.
        name: of the rounds, for progress and messages. most: limit of rounds in a task.
        copies: play with copies of the Players also in this thread.

    Raises:
        OptionError: a Player that cannot be copied or sent to another process.
        BatchError: the executor died. PlayerError: a Player raised or gave an invalid answer.
    """
    whole = Tally.empty(len(numbers), tables)
    done = 0
    try:
        with _workers_for(players, plan) as workers:
            play = _play_copies if copies else play_rounds

            def play_here(part: range) -> Tally:
                begin = part.start - numbers.start
                return play(tables, part, whole.part(begin, begin + len(part)))

            task = play_here if workers.executor is None else functools.partial(_play_copies, tables)
            items = Items(numbers, lambda part: (part, {}), workers, name)
            parts = stream(task, items, first=_first_task(players), most=most)
            with contextlib.closing(parts):
                for part in parts:
                    tally = part.result
                    count = len(tally.points)
                    for field, array in whole.rows.items() if workers.executor is not None else ():
                        array[done : done + count] = tally.rows[field]
                    whole.decisions[:] += tally.decisions
                    whole.seconds[:] += tally.seconds
                    done += count
                    if tally.error is not None:
                        raise tally.error
    except (BatchError, PlayerError, KeyboardInterrupt) as error:
        finished = whole._replace(rows={field: array[:done].copy() for field, array in whole.rows.items()})
        setattr(error, "done" if isinstance(error, BatchError) else "partial", result(finished))
        raise
    return result(whole)


def _first_task(players: Sequence[BuiltIn | Player]) -> int:
    """Rounds in the first task: many where they take nanoseconds."""
    names = {who.name if isinstance(who, BuiltIn) else "" for who in players}
    return 1 << 16 if names == {"random"} else 1 << 10 if names <= QUICK else 1


@contextlib.contextmanager
def _workers_for(players: Sequence[BuiltIn | Player], plan: Plan) -> Iterator[Plan]:
    """The plan that runs tasks with these players; OptionError: one cannot be copied or sent to another process."""
    in_python = [(place, who) for place, who in enumerate(players) if isinstance(who, Player)]
    if plan.executor is not None:
        _check_each(in_python, "copied", copy.deepcopy)
    if plan.executor is not None or not in_python or plan.parallel() == 1:
        yield plan
        return
    _check_each(in_python, "sent to another process", pickle.dumps)
    pool = ProcessPoolExecutor(plan.parallel(), initializer=_begin_worker, initargs=(tuple(loaded_files),))
    try:
        yield dataclasses.replace(plan, executor=pool)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((getattr(pool, "_processes", None) or {}).values()):  # a Player may hang
            process.terminate()
        raise
    pool.shutdown()


def _check_each(players: Sequence[tuple[int, Player]], what: str, how: Callable[[Any], object]) -> None:
    for place, who in players:
        try:
            how(who)
        except Exception as error:
            raise OptionError(f"players[{place}], {name_of(who)}, cannot be {what}: {_reason(error)}") from error


def _begin_worker(files: Sequence[str]) -> None:
    """Begin a worker process: players may come from these files."""
    # Ctrl-C reaches all processes of a terminal; the caller ends the workers.
    if multiprocessing.parent_process() is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for file in files:
        module_of(file)
