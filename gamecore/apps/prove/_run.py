"""A run: the most-proving leaves go to an executor as jobs, what comes back goes into tree and store. Its status."""

import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from typing import ClassVar, Final

from gamecore.apps.prove._prover import provable, prover_of
from gamecore.apps.prove._store import Store, Work
from gamecore.apps.prove._tree import QUESTIONS, Node, Tree
from gamecore.apps.prove._worker import VERSION, Job, Kind, Machine, Result, fault_of, stop_machine, work
from gamecore.batch import Plan
from gamecore.contract import Bounds, Playable
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Option, checked
from gamecore.game import game as game_of
from gamecore.limits import Limits, limits_of
from gamecore.search import MAX_THREADS
from gamecore.text import describe, printable

DEFAULT_TABLE_MB: Final = 512

#: The budget of all next jobs together as a share of all nodes so far, and the smallest one of a job in nodes, about a
#: hundredth of a second: if all jobs use one table, and if each process has its own.
_BUDGETS: Final = {True: (0.1, 20_000), False: (0.02, 5_000)}
_LEAST_FOR_EACH: Final = 300  # nodes of the smallest budget for each job under way: some 8,000 results a second
_MOST: Final = 50_000_000  # nodes: the largest budget
_OPTIONS: Final = (
    Option("question", "Question", "value", choices=QUESTIONS),
    Option("threads", "Threads", 1, 1, MAX_THREADS),
    Option("job_nodes", "Nodes of a job", _MOST, 1, 1 << 62),
)
_TURN: Final = 0.05  # seconds between looks at limits
_REPORT: Final = 0.25  # seconds between reports
_LOOK: Final = 2.0  # seconds between looks at how many tasks an executor does at once: clusters grow and shrink
_QUEUED: Final = 2  # jobs for each thread of an executor, so that none waits for the network
_PATIENCE: Final = 50  # jobs that may be lost one after another before the run ends with an error


@dataclass(frozen=True, kw_only=True)
class Status(Bounds[int]):
    """The bounds that are proved so far, what they took, and what is asked now.

    Attributes:
        game, position: what it is about.
        lower, upper: bounds of the value for the side to move, as the game's ``solve`` has them.
        to_move: the side to move.
        winner: who wins; None when it is not known.
        question: what was asked: ``value`` or ``wins``.
        answered: whether it is answered.
        test: what is asked now, in words; None when the question is answered.
        proof, disproof: the least number of leaves whose answers would prove, or disprove, that test; else 0.
        positions: that something is known of.
        jobs, lost, nodes, seconds: of all runs: jobs that ended, jobs that were lost, positions that jobs searched,
            seconds of their searches.
        line: the moves that the proof follows so far, as the canonical positions write them.
        gamecore: the version that began the store.
        store_bytes: of the file.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "game", "position", *Bounds.FIELDS, "to_move", "winner", "question", "answered", "test", "proof", "disproof",
        "positions", "jobs", "lost", "nodes", "seconds", "line", "gamecore", "store_bytes",
    )  # fmt: skip

    game: str
    position: str
    to_move: object
    winner: object
    question: str
    answered: bool
    test: str | None
    proof: int
    disproof: int
    positions: int
    jobs: int
    lost: int
    nodes: int
    seconds: float
    line: tuple[str, ...]
    gamecore: str
    store_bytes: int

    def __str__(self) -> str:
        """``white wins in 51 plies``."""
        return in_words(self.game, self.position, self)


def run(
    position: Playable,
    store: str | os.PathLike[str],
    *,
    question: str = "value",
    threads: int = 1,
    executor: Executor | None = None,
    job_nodes: int | None = None,
    limits: Limits | None = None,
    progress: Callable[[Status], object] | None = None,
) -> Status:
    """Prove a position's value, or who wins, through a store that survives whatever happens to this process.

    The same call continues where the last one ended, also after a crash. A finished store is not written again.

    Args:
        position: of a game that can be proved (:class:`Prover`).
        store: path of the file, which is created if need be.
        question: ``value``, or ``wins``: only who wins.
        threads: of this process, which share one table; 1 with an executor.
        executor: do the jobs there instead, such as a Dask client's ``get_executor(pure=False)``; each of its processes
            has a table of its own.
        job_nodes: the largest budget of a job; None: a tenth of the work so far, divided among the workers.
        limits: ``seconds`` and ``nodes`` of this call, and ``table_mb`` of each process's table (default 512).
        progress: called a few times a second.

    Returns:
        What is proved so far; bounds when a limit was reached.

    Raises:
        OptionError: an argument out of its range.
        GamecoreError: the store is of another proof, is none, is damaged, locked or cannot be written; the executor or
            its workers failed. What was proved before is in the store.
        MemoryError: no memory for the table.
    """
    played = next((entry for entry in map(game_of, provable()) if isinstance(position, entry.Position)), None)
    if played is None:
        raise OptionError(f"a position of {' or '.join(provable())} is needed, not {printable(position)}")
    most = _MOST if job_nodes is None else job_nodes
    checked({"question": question, "threads": threads, "job_nodes": most}, _OPTIONS)
    if executor is not None and threads != 1:
        raise OptionError(f"threads must be 1 with an executor, which has workers of its own, not {threads}", "threads")
    if progress is not None and not callable(progress):
        raise OptionError(f"progress must be None or a function, not {printable(progress)}", "progress")
    bounds = limits_of(limits).for_kernel(DEFAULT_TABLE_MB)
    prover, text = prover_of(played.name), position.to_text()
    root = prover.plain.canonical(text)
    about = {"game": played.name, "position": text, "root": root, "question": question}
    about["rules"] = prover.fingerprint(root)
    shared = executor is not None or threads > 1  # an executor does not say how many threads a process has
    kind = Kind(VERSION, played.name, root, about["rules"], bounds.table_bytes, shared)
    with Store(store, about) as opened, closing(_Run(opened, kind, executor, threads, most)) as running:
        for _ in running.work(bounds.seconds, bounds.nodes):
            outcome = status_of(opened, running.tree, position)
            if progress is not None:
                progress(outcome)
        return outcome


def in_words(name: str, position: str, bounds: Bounds[int]) -> str:
    """Return ``white wins in 11 plies``."""
    place, words = game_of(name).Position.from_text(position), game_of(name).words
    return f"{words.side(place)} {words.value(bounds, place)}"


def status_of(store: Store, tree: Tree, position: Playable) -> Status:
    """Return the status of a store whose tree has advanced, for its position or an image of that."""
    about, start, root, to_move = store.about, tree.start, tree.root, position.to_move
    lower, upper = tree.value()
    played, test = game_of(about["game"]), None
    other = next(side for side in played.sides if side != to_move)
    if root is not None and not root.answered:
        holds = Bounds(*tree.prover.plain.value(start.key, root.test, start.high))
        verb = "wins" if root.test == 1 else played.words.value(holds, position)
        test = f"{played.words.side(position)} {verb}"
    return Status(
        game=about["game"], position=position.to_text(), lower=lower, upper=upper, to_move=to_move,
        winner=to_move if start.low > 0 else other if start.high < 0 else None,
        question=tree.question, answered=test is None, test=test,
        proof=root.proof if root and test else 0, disproof=root.disproof if root and test else 0,
        positions=len(tree.places), **store.effort._asdict(),
        line=tuple(tree.line()), gamecore=about["gamecore"], store_bytes=os.path.getsize(store.path),
    )  # fmt: skip


def status(path: str | os.PathLike[str]) -> Status:
    """Return the status of a store.

    Raises:
        GamecoreError: there is no store, or it is none, damaged, locked or by other rules.
    """
    with Store(path) as store:
        tree, kind = store.load(), game_of(store.about["game"]).Position
        return status_of(store, tree, kind.from_text(store.about["position"]))


def budget_of(searched: int, before: int, width: int, under_way: int, most: int, local: bool) -> int:
    """Return the nodes of the next job: a share of all nodes so far, but no more than this run has searched.

    So every run makes progress, however short. Processes with tables of their own repeat work of others, so that their
    jobs are shorter. No job is so short that the run cannot take all results. Short jobs widen a tree with few leaves.

    Args:
        searched, before: nodes of this run, and of those before it.
        width, under_way: jobs that can be searched at once, and that are given out.
        most: largest budget.
        local: True if all jobs use one table.
    """
    share, least = _BUDGETS[local]
    budget = min(share * (searched + before), searched)
    return min(max(least, _LEAST_FOR_EACH * min(width, under_way), int(budget / width)), most)


class _Run:
    """A run on a store.

    Args:
        store: what is proved goes there.
        kind: of all jobs.
        executor: does them; None: threads of this process, which share one machine.
        threads: their number.
        most: nodes of the largest job.
    """

    def __init__(self, store: Store, kind: Kind, executor: Executor | None, threads: int, most: int) -> None:
        self._store, self._kind, self._most, self._is_local = store, kind, most, executor is None
        self._executor: Executor = ThreadPoolExecutor(threads, "gamecore") if executor is None else executor
        self._machines: list[Machine] = []  # of our threads: one, or none
        self._looked, self._width, self._lost = -math.inf, 0, 0
        self._jobs: dict[Future[Result], list[Node]] = {}  # under way
        self._begun, self.tree = time.monotonic(), store.load()
        self._before, self._searched = store.effort.nodes, 0  # nodes before this run, and of it
        self._work = Work()  # that is not in the store yet

    def work(self, seconds: float, nodes: int) -> Iterator[None]:
        """Work until the question is answered or a limit is reached (none: ``seconds`` below 0, ``nodes`` 0).

        Yields when it is time for a report: a few times a second, and at the end.
        """
        deadline, reported = math.inf if seconds < 0 else self._begun + seconds, 0.0
        test = self.tree.advance()
        if test is not None and self._is_local:
            self._machines = [Machine(self._kind)]
        while test is not None and time.monotonic() < deadline and not 0 < nodes <= self._searched:
            self._give_out(nodes)
            self._write()  # while the workers work
            self._take_in(deadline)
            test = self.tree.advance()
            if time.monotonic() - reported >= _REPORT:
                reported = time.monotonic()
                yield
        self._write()
        yield

    # --- jobs --------------------------------------------------------------------------------------------------------

    def _give_out(self, limit: int) -> None:
        """Submit jobs for the most-proving leaves; no more nodes than the limit, if there is one."""
        if time.monotonic() - self._looked > _LOOK:
            self._looked, self._width = time.monotonic(), Plan(executor=self._executor).parallel()
        room = self._width if self._is_local else _QUEUED * self._width
        while len(self._jobs) < room:
            path = self.tree.take()
            if path is None:
                assert self._jobs, "an open root without a free leaf"
                return
            nodes, under_way = (self._searched, self._before), len(self._jobs) + 1
            budget = budget_of(*nodes, self._width, under_way, self._most, self._is_local)
            if limit:
                budget = max(1, min(budget, limit - self._searched))
            try:
                job = Job(self._kind, path[-1].place.key, path[-1].test, budget)
                future = self._executor.submit(work, job, *self._machines)
            except Exception as error:
                raise GamecoreError(f"the executor failed: {describe(error)}") from error
            if not isinstance(future, Future):
                raise GamecoreError(f"the executor failed: it gave no future of a job, but {printable(future)}")
            self._jobs[future] = path

    def _take_in(self, deadline: float) -> None:
        """Wait for a result, and put all that are there into the tree; raise GamecoreError if one is wrong."""
        seconds = min(_TURN, max(0.0, deadline - time.monotonic()))
        ended = wait(self._jobs, seconds, return_when=FIRST_COMPLETED).done
        if not ended and getattr(getattr(self._executor, "_client", None), "status", None) == "closed":
            raise GamecoreError("the executor failed: the Dask client is closed")  # its futures never end
        for future in ended:
            *_, node = path = self._jobs.pop(future)
            self.tree.put_back(path)
            result = self._result_of(future, node)
            if result is None:
                continue
            self._work = self._work.plus(Work(1, 0, result.nodes, result.seconds))
            self._searched += result.nodes
            node.place.work += result.nodes
            self.tree.changed[node.place] = None
            self.tree.tighten(node.place, result.low, result.high)
            self.tree.expand(node, result.children)

    def _result_of(self, future: Future[Result], node: Node) -> Result | None:
        """Return the result of a job that ended; None if it was lost.

        Raises:
            GamecoreError: the executor broke, workers have another gamecore or other rules, job after job is lost, or
                the result is wrong. Whatever a job raised in a thread of ours.
        """
        try:
            result = future.result()
        except Exception as error:
            if self._is_local:
                raise
            if isinstance(error, (GamecoreError, ImportError, AttributeError, MemoryError)):
                raise GamecoreError(f"a worker failed: {describe(error)}") from error
            self._lost, self._work = self._lost + 1, self._work.plus(Work(lost=1))
            if isinstance(error, BrokenExecutor) or self._lost > _PATIENCE:
                raise GamecoreError(f"the executor failed: {describe(error)}") from error
            return None
        self._lost = 0
        if fault := fault_of(result, node, self.tree):
            raise GamecoreError(f"the executor returned a wrong result of a job: {fault}")
        return result

    def _write(self) -> None:
        """Write what is new."""
        if self._work != Work():
            self._store.put(self.tree, self._work)
            self._work = Work()

    def close(self) -> None:
        """Cancel the jobs that wait, and stop those that run in this process. Other processes finish theirs."""
        for future in self._jobs:
            future.cancel()
        if self._is_local:
            for machine in self._machines:
                machine.stop()
            self._executor.shutdown()
        else:
            stop_machine(self._kind)
