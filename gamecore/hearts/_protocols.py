"""Protocols of comparisons: seatings, and how the tables are played."""

import contextlib
import copy
import dataclasses
import functools
import itertools
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.stream import Task
from gamecore.batch.workers import is_cancelled
from gamecore.errors import OptionError
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import BuiltIn, Player, PlayerError
from gamecore.hearts._rules import SEATS, Rules
from gamecore.hearts._tables import Table, Tally, Work, match_rounds, play_round, play_rounds
from gamecore.text import printable

MOST_ROUNDS: Final = 1 << 10  # in a match; match i of a seed has the rounds from i * MOST_ROUNDS on
_TIMED: Final = 0.02  # least seconds of measuring a player's time
_MOST_POINTS: Final = 26  # of a seat in a round, under any rules

Seats: TypeAlias = tuple[int, ...]  # the compared player in each seat, by number; FIELD: one of the field
FIELD: Final = -1
_T = TypeVar("_T")


class Protocol(NamedTuple):
    """A way to compare players.

    Attributes:
        seatings: the compared player (0 or 1) in each seat, table by table; () if each meets the field instead.
        is_match: whether the players are compared by their ranks in matches, not by their points in rounds.
        passing: the default.
        help: the games played, and users of the protocol.
    """

    seatings: tuple[Seats, ...]
    is_match: bool
    passing: str
    help: str

    @property
    def unit(self) -> str:
        """The unit of ``Comparison.mean``."""
        return "rank in a match" if self.is_match else "points a round"


_MIXED: Final = tuple(seats for seats in itertools.product((0, 1), repeat=4) if len(set(seats)) == 2)
_EVEN: Final = tuple(seats for seats in _MIXED if sum(seats) == 2)

PROTOCOLS: Final = {
    "field": Protocol((), False, "hold", "one against three others, in each of the four seats (gamecore's own tables)"),
    "seatings": Protocol(
        _MIXED, False, "cycle", "two players in all 14 mixed seatings (papers on xinxin; GO-MCTS, arXiv 2404.13150)"
    ),
    "duo": Protocol(_EVEN, False, "cycle", "two against two, in 6 seatings (brianberns/Hearts)"),
    "matches": Protocol(_EVEN, True, "cycle", "duo in matches to 100 points, by rank, 1 to 4 (as people play)"),
}


def protocol_of(name: object) -> Protocol:
    """The protocol of this name.

    Raises:
        OptionError: an unknown name.
    """
    if not isinstance(name, str) or name not in PROTOCOLS:
        raise OptionError(f"protocol must be one of {', '.join(PROTOCOLS)}, not {printable(name)}")
    return PROTOCOLS[name]


def most_of(rules: Rules, is_match: bool = False, places: int = 4) -> int:
    """The largest difference of two players' scores on a deal, summed over their places."""
    if is_match:
        return places * 6  # doubled ranks, 2 to 8
    least = -26 * (rules.moon == "shooter") - 10 * rules.jack_of_diamonds - 5 * rules.avoid_all_tricks_bonus
    return places * (_MOST_POINTS - least)


class Seating(NamedTuple):
    """A table of a comparison, and the compared player in each seat."""

    work: Work
    seats: Seats


def seatings_of(
    protocol: Protocol, compared: Table, field: Table, seed: int, rules: Rules, directions: bytes
) -> tuple[Seating, ...]:
    """Every table at which each deal is played."""
    if protocol.seatings:
        tables = [(tuple(compared[who] for who in seats), seats) for seats in protocol.seatings]
    else:
        tables = [
            (_turned((one, *field), seat), _turned((who, FIELD, FIELD, FIELD), seat))
            for who, one in enumerate(compared)
            for seat in SEATS
        ]
    return tuple(Seating(Work(table, seed, rules, directions), seats) for table, seats in tables)


def _turned(table: tuple[_T, ...], seat: int) -> tuple[_T, ...]:
    """The table with its first entry in this seat and the others to its left."""
    return tuple(table[(at - seat) % 4] for at in SEATS)


# --- playing ----------------------------------------------------------------------------------------------------------


class Deals(NamedTuple):
    """Result of a task.

    Attributes:
        scores: (deals, players, places) int8: points, or doubled ranks in matches.
        tally: decisions and seconds of each player's Python code.
        error: the error that ended the task early.
    """

    scores: NDArray[np.int8]
    tally: Tally
    error: PlayerError | None


def empty_tally(players: int) -> Tally:
    """A tally by player."""
    return Tally(np.zeros(players, np.int64), np.zeros(players))


def task_of(protocol: Protocol, seatings: tuple[Seating, ...]) -> Task:
    """The picklable task that plays deals (first, count) and returns :class:`Deals`."""
    return functools.partial(_play_deals, protocol.is_match, seatings)


def _play_deals(is_match: bool, seatings: tuple[Seating, ...], numbers: tuple[int, int]) -> Deals:
    """Play deals at every table. It ends at the first deal on which a Player fails."""
    first, count = numbers
    columns, players, places = _columns(seatings)
    scores, tally = np.zeros((count, players, places), np.int8), empty_tally(players)
    for seating, where in zip(seatings, columns, strict=True):
        if seating.work.built_in:
            rows = _built_in_scores(seating.work, is_match, first, count)
            for seat, who, place in where:
                scores[:, who, place] = rows[:, seat]
    asked = [at for at, seating in enumerate(seatings) if not seating.work.built_in]
    done = 0
    with _copies([seatings[at].work for at in asked]) as works:
        try:
            while asked and done < count and not is_cancelled():
                for work, at in zip(works, asked, strict=True):
                    spent = Tally()
                    row = _scores(work, is_match, first + done, spent)
                    for seat, who, place in columns[at]:
                        scores[done, who, place] = row[seat]
                        tally.decisions[who] += spent.decisions[seat]
                        tally.seconds[who] += spent.seconds[seat]
                done += 1
        except PlayerError as error:
            return Deals(scores[:done], tally, error)
    return Deals(scores, tally, None)


def _columns(seatings: tuple[Seating, ...]) -> tuple[list[list[tuple[int, int, int]]], int, int]:
    """(seat, player, place) of the compared players at each table; the numbers of players, and of places of each."""
    seen: Counter[int] = Counter()
    columns: list[list[tuple[int, int, int]]] = []
    for seating in seatings:
        columns.append([])
        for seat, who in enumerate(seating.seats):
            if who != FIELD:
                columns[-1].append((seat, who, seen[who]))
                seen[who] += 1
    return columns, len(seen), seen[0]


def _built_in_scores(work: Work, is_match: bool, first: int, count: int) -> NDArray[np.int8]:
    """(count, 4): scores of built-in players; meaningless once the batch is cancelled."""
    rows = np.zeros((count, 4), np.int8)
    if not is_match:
        play_rounds(work.call, rows, first)
        return rows
    for at in range(count):
        if is_cancelled():
            break
        rows[at] = _scores(work, is_match, first + at, Tally())
    return rows


def _scores(work: Work, is_match: bool, number: int, tally: Tally) -> Sequence[int]:
    """Points of a round at a table with a Player, or doubled ranks in a match."""
    return doubled_ranks(_match_totals(work, number, tally)) if is_match else play_round(work, number, tally)


def _match_totals(work: Work, number: int, tally: Tally) -> list[int]:
    """The final totals of a match; meaningless once the batch is cancelled."""
    totals = np.zeros(4, np.int64)
    for points in itertools.islice(match_rounds(work, number * MOST_ROUNDS, tally), MOST_ROUNDS):
        totals += points
        if is_cancelled():
            break
    return totals.tolist()


def doubled_ranks(totals: Sequence[int]) -> list[int]:
    """Twice the rank of each seat, 2 for the fewest points; equal seats share their ranks."""
    return [1 + sum(2 * (other < mine) + (other == mine) for other in totals) for mine in totals]


@contextlib.contextmanager
def _copies(works: Sequence[Work]) -> Iterator[list[Work]]:
    """The same tables with copies of their Players, closed afterwards; no copy sits twice at one table."""
    made: dict[tuple[int, int], Player] = {}

    def copied(table: Table) -> Table:
        seen: Counter[int] = Counter()
        out: list[BuiltIn | Player] = []
        for one in table:
            key = id(one), seen[id(one)]
            seen[id(one)] += 1
            if isinstance(one, Player) and key not in made:
                made[key] = copy.deepcopy(one)
            out.append(made[key] if isinstance(one, Player) else one)
        return tuple(out)

    try:
        yield [dataclasses.replace(work, table=copied(work.table)) for work in works]
    finally:
        for one in made.values():
            one.close()


def seconds_of(who: BuiltIn | Player, work: Work, decisions: int, seconds: float) -> float:
    """Time per decision: of a Player from its tally, of a built-in one from rounds of four; nan without decisions."""
    if isinstance(who, Player):
        return seconds / decisions if decisions else math.nan
    specs, seed, flags, directions = dataclasses.replace(work, table=(who,) * 4).call
    counted, rounds, taken = np.zeros(4, np.int64), 1, 0.0
    while taken < _TIMED:
        points, rounds = np.empty((rounds, 4), np.int8), rounds * 4
        counted[:] = 0
        start = time.thread_time()
        with controlled() as control:
            kernel.run(points, seed, 0, flags, specs, directions, control, counted)
        taken = time.thread_time() - start
    return taken / int(counted.sum())
