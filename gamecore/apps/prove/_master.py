"""The master gives the most-proving leaves to workers, and writes their results into tree and store."""

import gc
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from gamecore import contract
from gamecore.apps.prove._crew import Crew
from gamecore.apps.prove._exchange import Log, threshold
from gamecore.apps.prove._prover import provable, prover_of
from gamecore.apps.prove._status import Progress
from gamecore.apps.prove._store import MOST_ENTRY_BYTES, NO_WORK, Store, Work
from gamecore.apps.prove._tree import QUESTIONS, Node, Tree
from gamecore.apps.prove._worker import VERSION, Job, Result, fault_of
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Game, Option, checked
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
_OPTIONS: Final = (
    Option("question", "Question", "value", choices=QUESTIONS),
    Option("threads", "Threads", 1, 1, MAX_THREADS),
    Option("job_nodes", "Nodes of a job", _MOST, 1, 1 << 62),
)
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
    most = _MOST if job_nodes is None else job_nodes
    checked({"question": question, "threads": threads, "job_nodes": most}, _OPTIONS)
    bounds = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    prover = prover_of(played.name)
    root = prover.canonical(position)
    about = {
        "game": played.name, "position": position.to_text(), "root": root, "question": question,
        "rules": prover.fingerprint(root),
    }  # fmt: skip
    with Store.open_for(store, about) as opened:
        crew = Crew(executor, threads)
        try:
            master = Master(opened, crew, most, bounds.table_bytes)
            master.work(bounds.seconds, bounds.nodes, progress)
        finally:
            crew.close()
            gc.unfreeze()
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

    Machines with tables of their own repeat work of others, so that their jobs are shorter. No job is so short that the
    master cannot take all results. Short jobs widen a tree that has few leaves.

    Args:
        searched: nodes of this session.
        width, under_way: jobs that can be searched at once, and that are given out.
        most: largest budget.
        local: True if all jobs use one table.
    """
    share, least = (_SHARE, _LEAST) if local else (_SHARE_AWAY, _LEAST_AWAY)
    return min(max(least, _LEAST_FOR_EACH * min(width, under_way), int(share * searched / width)), most)


class Master:
    """A running session; ``most``: nodes of the largest job, ``table_bytes``: of each machine."""

    def __init__(self, store: Store, crew: Crew, most: int, table_bytes: int) -> None:
        self._store, self._crew, self._most, self._table_bytes = store, crew, most, table_bytes
        self._name = os.urandom(8).hex()
        self._number = 0
        self._running: dict[int, tuple[Job, list[Node]]] = {}
        self._work = self._written = NO_WORK  # of this session; what of it is in the store
        self._begun = time.monotonic()
        self._reported = 0.0
        self.tree: Tree = store.load()
        self._most_score = self.tree.prover.most_score(self.tree.start.key)
        self._before = store.totals()
        self._log = Log(MOST_ENTRY_BYTES) if crew.is_local else Log()  # threads get all that the store has
        for parcel in store.parcels():
            self._log.add(parcel)

    def work(self, seconds: float, nodes: int, progress: Callable[[Progress], object] | None = None) -> None:
        """Work until the question is answered or a limit is reached (none: ``seconds`` below 0, ``nodes`` 0)."""
        deadline = math.inf if seconds < 0 else self._begun + seconds
        test = self.tree.next_test()
        if test is not None and seconds != 0:
            self._store.begin_session(self._name, self._crew.width)
        while test is not None and time.monotonic() < deadline and not 0 < nodes <= self._work.nodes:
            if self.tree.root is None or self.tree.root.test != test:
                self.tree.ask(test)
            self._give_out(nodes)
            self._write()  # while the workers work
            self._take_in(deadline)
            test = self.tree.next_test()
            if progress is not None and time.monotonic() - self._reported >= _REPORT:
                self._report(progress, test)
        self._write()
        if progress is not None:
            self._report(progress, test)

    def _give_out(self, limit: int) -> None:
        room = self._crew.room
        while len(self._running) < room:
            path = self.tree.take()
            if path is None:
                if not self._running and self.tree.root is not None and not self.tree.root.answered:
                    raise AssertionError("an open root without a free leaf")
                return
            self._number += 1
            job = self._job(path[-1], limit)
            self._running[self._number] = job, path
            self._crew.submit(job)

    def _job(self, node: Node, limit: int) -> Job:
        crew, least = self._crew, self._store.least
        budget = budget_of(self._work.nodes, crew.width, len(self._running) + 1, self._most, crew.is_local)
        if limit:
            budget = max(1, min(budget, limit - self._work.nodes))
        if crew.machines > 1:
            least = min(threshold(crew.width, crew.machines), least)
        return Job(
            self._number, self._name, self._store.run, VERSION, self._store.about["game"], self.tree.start.key,
            node.place.key, node.test, budget, self._table_bytes, crew.shared, least,
            *self._log.for_job(crew.machines),
        )  # fmt: skip

    def _take_in(self, deadline: float) -> None:
        """Wait for a result, and put all that are there into the tree; raise GamecoreError if one is wrong."""
        ended = self._crew.next(min(_TURN, max(0.0, deadline - time.monotonic())))
        while ended is not None:
            number, result = ended
            if number in self._running:  # else the job's result came twice
                job, path = self._running.pop(number)
                self.tree.put_back(path)
                if result is None:
                    self._work = self._work.plus(Work(0, 1, 0, 0.0))
                elif fault := fault_of(result, job, self.tree.prover, self._most_score):
                    raise GamecoreError(f"the executor returned a wrong result of job {number}: {fault}")
                else:
                    self._put(path[-1], result)
            ended = self._crew.next(0.0)

    def _put(self, node: Node, result: Result) -> None:
        """Put a result into the tree, and send its entries to the other machines and to the store."""
        answer = result.answer
        node.work += answer.nodes
        self._work = self._work.plus(Work(1, 0, answer.nodes, result.seconds))
        self.tree.worked[node] = None
        self.tree.tighten(node.place, answer.low, answer.high)
        if not answer.done:
            self.tree.expand(node, result.children)
        self._log.note(result.machine, result.read)
        if result.parcel:
            self._store.add_entries(result.parcel)
            if not self._crew.is_local:
                self._log.add(result.parcel)

    def _write(self) -> None:
        """Write what is new, and hide the tree from the garbage collector, which took half of the master's time."""
        if self._work != self._written:
            self._store.write(self.tree, self._work)
            self._written = self._work
            gc.collect(1)  # young garbage is not hidden
            gc.freeze()

    def _report(self, progress: Callable[[Progress], object], test: int | None) -> None:
        self._reported = time.monotonic()
        seconds = max(1e-9, self._reported - self._begun)
        totals = self._before.plus(self._written)._replace(seconds=seconds)
        progress(
            Progress(
                **self.tree.report(test),
                **totals._asdict(),
                jobs_per_second=self._written.jobs / seconds,
                nodes_per_second=self._written.nodes / seconds,
                under_way=len(self._running),
            )
        )

    def outcome(self, to_move: Any, sides: tuple[Any, ...]) -> Outcome:
        """Return what is proved so far; ``to_move`` is the side to move in the caller's position."""
        start = self.tree.start
        other = next(side for side in sides if side != to_move)
        winner = to_move if start.low > 0 else other if start.high < 0 else None
        totals, answered = self._before.plus(self._work), self.tree.next_test() is None
        return Outcome(
            *self.tree.value(), to_move, winner, self.tree.question, answered, totals.jobs, totals.nodes, totals.seconds
        )
