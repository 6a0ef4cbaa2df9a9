"""The master gives the most-proving leaves to workers, and writes their results into tree and store."""

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from gamecore import contract
from gamecore.apps.prove._collector import long_lived
from gamecore.apps.prove._crew import Crew
from gamecore.apps.prove._exchange import Log, threshold
from gamecore.apps.prove._prover import provable, prover_of
from gamecore.apps.prove._status import Progress
from gamecore.apps.prove._store import NO_WORK, Store, Work
from gamecore.apps.prove._tree import QUESTIONS, Node, Tree
from gamecore.apps.prove._worker import VERSION, Job, Result, fault_of
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Game
from gamecore.limits import Limits, limits_of
from gamecore.search.threads import MAX_THREADS
from gamecore.text import printable

DEFAULT_TABLE_MB: Final = 512

_SHARE: Final = 0.1  # of a session's nodes so far: the budget of all next jobs together
_SHARE_AWAY: Final = 0.02  # the same if each machine has its own table
_LEAST: Final = 20_000  # nodes: the smallest budget; about a hundredth of a second
_LEAST_AWAY: Final = 5_000
_LEAST_FOR_EACH: Final = 300  # nodes of the smallest budget for each job under way: some 8,000 results a second
_MOST: Final = 50_000_000  # nodes: the largest budget
_TURN: Final = 0.05  # seconds between looks at limits
_REPORT: Final = 0.25  # seconds between reports


@dataclass(frozen=True)
class Outcome(contract.Bounds[int]):
    """The bounds that a run has proved so far, and its effort.

    Attributes:
        lower, upper: bounds of the value for the side to move, as the game's ``solve`` has them.
        to_move: the side to move.
        winner: who wins; None when it is not known.
        question: what was asked: ``value`` or ``wins``.
        answered: whether it is answered.
        jobs, nodes, seconds: of all sessions: jobs that ended, positions they searched, seconds of their searches.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        *contract.Bounds.FIELDS, "to_move", "winner", "question", "answered", "jobs", "nodes", "seconds",
    )  # fmt: skip

    to_move: str
    winner: str | None
    question: str
    answered: bool
    jobs: int
    nodes: int
    seconds: float

    def __str__(self) -> str:
        """``white wins: value +51``, with the bounds if there are only bounds."""
        winner = f"{self.winner} wins" if self.winner else "nobody wins" if self.exact else "not decided"
        return f"{winner}: value {contract.Bounds.__str__(self)} for {self.to_move}"


def run(
    position: Any,
    store: str | os.PathLike[str],
    *,
    game: str | None = None,
    question: str = "value",
    threads: int = 1,
    executor: Executor | None = None,
    job_nodes: int | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Outcome:
    """Prove a position's value, or who wins, through a store that survives whatever happens to this process.

    The same call continues where the last one ended, also after a crash. A finished store is not written again.

    Args:
        position: a position of a game that can be proved (:class:`Prover`), or its notation.
        store: path of the file, which is created if need be.
        game: the game's name; needed if ``position`` is a text.
        question: ``value``, or ``wins``: only who wins.
        threads: of this process, which share one table.
        executor: do the jobs there instead, such as a Dask client's ``get_executor(pure=False)``.
        job_nodes: the largest budget of a job; None: a tenth of the work so far, divided among the workers.
        limits: ``seconds`` and ``nodes`` of this call, and ``table_mb`` of each machine's table (default 512).
        progress: called a few times a second with a :class:`Progress`.

    Returns:
        What is proved so far; bounds when a limit was reached.

    Raises:
        OptionError: an argument out of its range. ParseError: a bad text.
        GamecoreError: the store is of another run, is none, is damaged, locked or cannot be written; the executor or
            its workers failed. What was proved before is in the store.
        MemoryError: no memory for the table.
    """
    played, position = _read(position, game)
    if question not in QUESTIONS:
        raise OptionError(f"question must be one of {', '.join(QUESTIONS)}, not {printable(question)}")
    threads = _whole("threads", threads, MAX_THREADS)
    most = _MOST if job_nodes is None else _whole("job_nodes", job_nodes, 1 << 62)
    bounds = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    prover = prover_of(played.name)
    root = prover.canonical(position)
    about = {
        "game": played.name, "position": position.to_text(), "root": root, "question": question,
        "rules": prover.fingerprint(root),
    }  # fmt: skip
    with Store.open_for(store, about) as opened, long_lived() as set_aside:
        master = Master(opened, most, bounds.table_bytes, set_aside)
        crew = Crew(executor, threads)
        try:
            master.work(crew, bounds.seconds, bounds.nodes, progress)
        finally:
            crew.close()
        return master.outcome(position.to_move, played.sides)


def _read(position: Any, name: str | None) -> tuple[Game, Any]:
    able = provable()
    names = " or ".join(able)
    if name is not None and name not in able:
        raise OptionError(f"game must be {names}, not {printable(name)}")
    if isinstance(position, str):
        if name is None:
            raise OptionError(f"a text needs its game: {names}")
        return able[name], able[name].Position.from_text(position)
    for game in able.values():
        if isinstance(position, game.Position) and name in (None, game.name):
            return game, position
    raise OptionError(f"a position of {names} is needed, or its text, not {printable(position)}")


def budget_of(searched: int, width: int, under_way: int, most: int, local: bool) -> int:
    """Return the nodes of the next job: a share of this session's nodes, so that every session makes progress.

    Args:
        searched: nodes of this session.
        width: jobs that can be searched at once.
        under_way: jobs that are given out.
        most: largest budget.
        local: whether all jobs use one table. Machines with tables of their own repeat work of others: their jobs are
            shorter, but long enough for the master to take their results, whose rate grows with the jobs under way.
            While the tree has few leaves, short jobs make it wide soon.
    """
    share, least = (_SHARE, _LEAST) if local else (_SHARE_AWAY, _LEAST_AWAY)
    return min(max(least, _LEAST_FOR_EACH * min(width, under_way), int(share * searched / width)), most)


def _whole(name: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise OptionError(f"{name} must be a whole number from 1 to {most}, not {printable(value)}")
    return value


class Master:
    """A running session.

    Args:
        store: open for the run.
        most: nodes of the largest job.
        table_bytes: of each machine.
        set_aside: hides the tree from the garbage collector.
    """

    def __init__(self, store: Store, most: int, table_bytes: int, set_aside: Callable[[], object]) -> None:
        self._set_aside = set_aside
        self._store, self._most, self._table_bytes = store, most, table_bytes
        self._name = os.urandom(8).hex()
        self._number = 0
        self._session_begun = False
        self._paths: dict[int, list[Node]] = {}
        self._new = NO_WORK  # not yet in the store
        self._worked: dict[Node, None] = {}
        self._numbers_written = self._reported = 0.0
        self._begun = time.monotonic()
        store.hold()
        self.tree: Tree = store.load()
        self._most_score = self.tree.prover.most_score(self.tree.start.key)
        self.totals = self._before = store.totals()
        self._log = Log()
        for parcel in store.parcels():
            self._log.add(parcel)

    def work(
        self, crew: Crew, seconds: float, nodes: int, progress: Callable[[Progress], object] | None = None
    ) -> None:
        """Work until the question is answered or a limit is reached.

        Args:
            seconds: below 0: no limit.
            nodes: 0: no limit.
        """
        deadline = math.inf if seconds < 0 else self._begun + seconds
        test = self.tree.next_test()
        if test is not None and seconds != 0:
            self._store.begin_session(self._name, crew.width)
            self._session_begun = True
        while test is not None and time.monotonic() < deadline and not 0 < nodes <= self._searched():
            if self.tree.root is None or self.tree.root.test != test:
                self.tree.ask(test)
            self._give_out(crew, nodes)
            self._write(False)  # while the workers work
            self._take_in(crew, deadline)
            test = self.tree.next_test()
            self._report(progress, test, False)
        self._write(True)
        self._report(progress, test, True)

    def _searched(self) -> int:
        return self.totals.nodes + self._new.nodes - self._before.nodes

    # --- jobs --------------------------------------------------------------------------------------------------------

    def _give_out(self, crew: Crew, limit: int) -> None:
        room = crew.room
        while len(self._paths) < room:
            path = self.tree.take()
            if path is None:
                if not self._paths and self.tree.root is not None and not self.tree.root.answered:
                    raise AssertionError("an open root without a free leaf")
                return
            self._number += 1
            self._paths[self._number] = path
            crew.submit(self._job(path[-1], crew, limit))

    def _job(self, node: Node, crew: Crew, limit: int) -> Job:
        searched = self._searched()
        budget = budget_of(searched, crew.width, len(self._paths), self._most, crew.is_local)
        if limit:
            budget = max(1, min(budget, limit - searched))
        least = self._store.least
        if crew.machines > 1:
            least = min(threshold(crew.width, crew.machines), least)
        return Job(
            self._number, self._name, self._store.run, VERSION, self._store.about["game"], self.tree.start.key,
            node.place.key, node.test, budget, self._table_bytes, crew.shared, least,
            *self._log.for_job(crew.machines),
        )  # fmt: skip

    def _take_in(self, crew: Crew, deadline: float) -> None:
        """Wait for a result, and put all that are there into the tree."""
        ended = crew.next(min(_TURN, max(0.0, deadline - time.monotonic())))
        while ended is not None:
            number, result = ended
            path = self._paths.pop(number, None)
            if path is not None:  # else the job's result came twice
                self.tree.put_back(path)
                if result is None:
                    self._new = self._new.plus(Work(0, 1, 0, 0.0))
                else:
                    self._check(result, number, path[-1])
                    self._put(path[-1], result)
                    self._pass_on(result, crew)
            ended = crew.next(0.0)

    def _check(self, result: Result, number: int, node: Node) -> None:
        """Check that a result is of this job.

        Raises:
            GamecoreError: it is not, or its worker has another version of gamecore.
        """
        if result.version != VERSION:
            raise GamecoreError(f"a worker has gamecore {printable(result.version)}, but the master has {VERSION}")
        if (result.session, result.run) != (self._name, self._store.run):
            raise GamecoreError(f"the executor returned a result of another session for job {number}")
        if result.number != number:
            raise GamecoreError(f"the executor returned the result of job {printable(result.number)} for job {number}")
        fault = fault_of(result, node.place.key, node.test, self.tree.prover, self._most_score)
        if fault is not None:
            raise GamecoreError(f"the executor returned a wrong result of job {number}: {fault}")

    def _put(self, node: Node, result: Result) -> None:
        answer = result.answer
        node.work += answer.nodes
        self._worked[node] = None
        self._new = self._new.plus(Work(1, 0, answer.nodes, result.seconds))
        self.tree.tighten(node.place, answer.low, answer.high)
        if not answer.done and result.children:
            self.tree.expand(node, result.children)

    def _pass_on(self, result: Result, crew: Crew) -> None:
        """Send a job's entries to the other machines and to the store."""
        self._log.note(result.machine, result.read)
        if not result.parcel:
            return
        try:
            self._store.add_entries(result.parcel)
        except GamecoreError:
            return
        if not crew.is_local:
            self._log.add(result.parcel)

    # --- what is written and shown -----------------------------------------------------------------------------------

    def _write(self, numbers: bool) -> None:
        now = time.monotonic()
        numbers = numbers or now - self._numbers_written > 1.0
        if not self._worked and not self._new.lost and not numbers:
            return
        if numbers:
            self._numbers_written = now
        if self._session_begun:
            self._store.write(self.tree, self._new, list(self._worked), numbers)
        self.totals, self._new = self.totals.plus(self._new), NO_WORK
        self._worked.clear()
        self._set_aside()

    def _report(self, progress: Callable[[Progress], object] | None, test: int | None, now: bool) -> None:
        if progress is None or (not now and time.monotonic() - self._reported < _REPORT):
            return
        self._reported = time.monotonic()
        seconds = self._reported - self._begun
        progress(
            Progress(
                **self.tree.report(test),
                jobs=self.totals.jobs,
                nodes=self.totals.nodes,
                lost=self.totals.lost,
                jobs_per_second=(self.totals.jobs - self._before.jobs) / max(seconds, 1e-9),
                nodes_per_second=(self.totals.nodes - self._before.nodes) / max(seconds, 1e-9),
                under_way=len(self._paths),
                seconds=seconds,
            )
        )

    def outcome(self, to_move: Any, sides: tuple[Any, ...]) -> Outcome:
        """Return what is proved so far.

        Args:
            to_move: the side to move in the position as the caller gave it.
            sides: of the game.
        """
        start = self.tree.start
        other = next(side for side in sides if side != to_move)
        winner = to_move if start.low > 0 else other if start.high < 0 else None
        return Outcome(
            *self.tree.value(), to_move, winner, self.tree.question, self.tree.next_test() is None,
            self.totals.jobs, self.totals.nodes, self.totals.seconds,
        )  # fmt: skip
