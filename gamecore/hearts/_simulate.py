"""Many rounds among players: :func:`simulate`, :func:`record`, :func:`match`, :func:`compare`: one loop and tally."""

import math
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from gamecore.batch import Plan, Progress
from gamecore.errors import OptionError
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, PlayerError, any_player, name_of, names_of, players_of
from gamecore.hearts._results import Comparison, Match, Record, Simulation
from gamecore.hearts._rules import SEATS, Rules, rules_of
from gamecore.hearts._tables import Seated, Table, Tally, play_built_in, play_many, play_rounds
from gamecore.rng import seed_of
from gamecore.text import checked_integer

if TYPE_CHECKING:
    from gamecore.rng import Rng

MAX_ROUNDS: Final = 1 << 34
MAX_DEALS: Final = 1 << 28
MAX_PLAYERS: Final = 64
_MOST_ROUNDS: Final = 1 << 20  # in a task: 4 MiB of points that an executor sends back
_MOST_RECORDED: Final = 1 << 16  # in a task of a record: 11 MiB
_MOST_DEALS: Final = 1 << 16  # in a task of a comparison
_TIMED: Final = 0.02  # least seconds of measuring a built-in player's time

Played = TypeVar("Played", bound=Simulation)


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
    return _play(Simulation, players, rounds, rng, rules, passing, first, Plan(workers, executor, progress))


def record(
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
) -> Record:
    """Play the rounds of :func:`simulate`, and keep every card: 172 bytes a round, for learning and statistics.

    Args:
        players, rounds, rng: as in :func:`simulate`, and so are all options, errors and points.

    Raises:
        OptionError, BatchError, PlayerError: as in :func:`simulate`; ``done`` and ``partial`` are Records.
    """
    return _play(Record, players, rounds, rng, rules, passing, first, Plan(workers, executor, progress))


def _play(
    kind: type[Played], players: Sequence[AnyPlayer], rounds: int, rng: "Rng", rules: Rules | None, passing: str,
    first: int, plan: Plan,
) -> Played:  # fmt: skip
    """Play rounds among four players; a Record keeps the cards."""
    seated, rules = players_of(players), rules_of(rules)
    rounds = checked_integer(rounds, "rounds", 0, MAX_ROUNDS)
    first = checked_integer(first, "first", 0, MAX_ROUNDS)
    table = Table(seated, seed_of(rng), rules, rules.directions(passing), is_recorded=issubclass(kind, Record))
    begun = time.perf_counter()

    def result(tally: Tally) -> Played:
        seconds, names = time.perf_counter() - begun, names_of(seated)
        arrays: dict[str, Any] = {**tally.rows, "decisions": tally.decisions[0]}
        return kind(
            players=names, seed=table.seed, rules=rules, passing=passing, seconds=seconds, first=first, **arrays
        )

    numbers, most = range(first, first + rounds), _MOST_RECORDED if table.is_recorded else _MOST_ROUNDS
    return play_many((table,), numbers, seated, plan, result, name="rounds", most=most)


def match(
    players: Sequence[AnyPlayer], rng: "Rng" = None, *, rules: Rules | None = None, max_rounds: int = 10_000
) -> Match:
    """Play rounds with the passing of ``rules.cycle`` until a seat has ``rules.match_points``; fewest points win.

    The rounds are the first ones of ``simulate(players, rng=rng, rules=rules, passing="cycle")``; without the rule
    ``pass_cards``, of "hold".

    Args:
        players, rng, rules: as in :func:`simulate`.
        max_rounds: limit of rounds; its print says that it was cut off.

    Raises:
        OptionError, PlayerError: as in :func:`simulate`; ``partial`` of a PlayerError or KeyboardInterrupt is the
            Match of the rounds finished before.
    """
    seated, rules = players_of(players), rules_of(rules)
    checked_integer(max_rounds, "max_rounds", 1, 1_000_000)
    table = Table(seated, seed_of(rng), rules, rules.directions("cycle" if rules.pass_cards else "hold"))
    points, totals = np.empty((0, 4), np.int8), np.zeros(4, np.int64)
    try:
        while totals.max() < rules.match_points and (played := len(points)) < max_rounds:
            tally = play_rounds((table,), range(played, played + 1), totals=tuple(totals.tolist()))
            if tally.error is not None:
                raise tally.error
            points, totals = np.concatenate((points, tally.points)), totals + tally.points[0]
    except (PlayerError, KeyboardInterrupt) as error:
        error.partial = Match(points, names_of(seated), table.seed, rules)  # type: ignore[union-attr]
        raise
    return Match(points, names_of(seated), table.seed, rules)


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
    rules = rules_of(rules)
    compared, others = _players(players), _field(field)
    rounds, first = checked_integer(rounds, "rounds", 0, MAX_DEALS), checked_integer(first, "first", 0, MAX_DEALS)
    plan = Plan(workers, executor, progress)
    seed, directions = seed_of(rng), rules.directions(passing)
    tables = tuple(
        Table(_turned((who, *others), seat), seed, rules, directions, seats=(seat,))
        for who in compared
        for seat in SEATS
    )

    def result(tally: Tally) -> Comparison:
        points = tally.points.reshape(-1, len(compared), len(SEATS))
        whole = 0 < len(points) == rounds
        seconds = [_decision_seconds(tally, tables, place) if whole else math.nan for place in range(len(compared))]
        names = names_of(compared), names_of(others)
        return Comparison(points, *names, seed, first, rules, passing, np.array(seconds))

    numbers = range(first, first + rounds)
    everybody = [*compared, *others]
    return play_many(tables, numbers, everybody, plan, result, name="deals", most=_MOST_DEALS, copies=True)


def _decision_seconds(tally: Tally, tables: Sequence[Table], place: int) -> float:
    """Time per decision of a player: measured at a table of four equal built-in ones; nan without decisions."""
    own = range(4 * place, 4 * place + 4)
    table = tables[own[0]]
    who = table.players[0]
    if not isinstance(who, BuiltIn):
        decisions, seconds = tally.decisions[own, SEATS].sum(), tally.seconds[own, SEATS].sum()
        return float(seconds / decisions) if decisions else math.nan
    equals = Table((who,) * 4, table.seed, table.rules, table.directions)
    rounds, took, counts = 1, 0.0, np.zeros(4, np.int64)
    while took < _TIMED:  # rounds are added until it can be measured
        counts[:] = 0
        start = time.thread_time()
        play_built_in(equals, range(rounds), counts, vectors=False)
        took, rounds = time.thread_time() - start, 4 * rounds
    return took / int(counts.sum())


def _turned(table: Seated, seat: int) -> Seated:
    """The table with its first player in this seat and the others to its left."""
    return tuple(table[(place - seat) % 4] for place in SEATS)


def _players(players: object) -> Seated:
    compared = players_of(players, least=1, most=MAX_PLAYERS)
    for place, who in enumerate(compared):
        if any(who is other or (isinstance(who, BuiltIn) and who == other) for other in compared[:place]):
            raise OptionError(f"players[{place}]: {name_of(who)} stands twice")
    return compared


def _field(field: object) -> Seated:
    if field is None or isinstance(field, (str, BuiltIn, Player)):
        return (any_player("greedy" if field is None else field),) * 3
    return players_of(field, "field", 3, 3)
