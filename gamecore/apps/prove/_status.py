"""The status of a run, from its store alone: also while another process works on it."""

import math
import os
import time
from dataclasses import dataclass
from typing import Any, Final

from gamecore import contract
from gamecore.apps.prove._store import NO_WORK, Session, Store
from gamecore.apps.prove._tree import Node, Tree

_ENOUGH: Final = 5  # leaves that were solved, for a mean cost
_QUANTILE: Final = 1.28  # standard deviations: 80 of 100 lie within


@dataclass(frozen=True, kw_only=True)
class Report(contract.Result):
    """What progress and status have in common.

    Attributes:
        test: what is asked now, in words; None when the question is answered.
        lower, upper: proved bounds of the value, for the side to move.
        proved, open, disproved: nodes of the tree: tests that hold, are open, fail.
        places: positions in the tree.
        proof, disproof: numbers of the test that is asked.
        jobs, nodes, lost: of all sessions: jobs that ended, positions they searched, jobs that were lost.
        seconds: of a progress, those of this session; of a status, those of all searches.
        nodes_per_second: of the last session.
    """

    test: str | None
    lower: int
    upper: int
    proved: int
    open: int
    disproved: int
    places: int
    proof: int
    disproof: int
    jobs: int
    nodes: int
    lost: int
    seconds: float
    nodes_per_second: float


@dataclass(frozen=True, kw_only=True)
class Progress(Report):
    """The progress of a run.

    Attributes:
        jobs_per_second: of this session.
        under_way: jobs now.
    """

    jobs_per_second: float
    under_way: int


@dataclass(frozen=True)
class Estimate(contract.Result):
    """What may be left of the test that is asked now: the likely figure, and bounds that should hold in 8 of 10 cases.

    Attributes:
        nodes, nodes_low, nodes_high: positions to be searched.
        seconds: the likely time, at the rate of the last session; None if there is none.
    """

    nodes: float
    nodes_low: float
    nodes_high: float
    seconds: float | None


@dataclass(frozen=True, kw_only=True)
class Status(Report):
    """The status of a run.

    Attributes:
        game, position, question, gamecore: what it is about.
        answered: whether the question is answered.
        line: the moves that the proof follows so far, as the canonical positions write them.
        sessions: processes that worked on it.
        last_seen: seconds since something was written.
        estimate: what may be left; None when answered, or too little is known.
        store_bytes: of the file.
    """

    game: str
    position: str
    question: str
    gamecore: str
    answered: bool
    line: tuple[str, ...]
    sessions: int
    last_seen: float
    estimate: Estimate | None
    store_bytes: int


def status(path: str | os.PathLike[str]) -> Status:
    """Return the status of a store's run.

    Raises:
        GamecoreError: there is no store, or it is none, damaged or locked.
    """
    with Store.open(path) as store:
        tree, sessions, totals = store.load(), store.sessions(), store.totals()
        about: dict[str, Any] = {name: store.about[name] for name in ("game", "position", "question", "gamecore")}
    test = tree.next_test()
    root = None if test is None else tree.ask(test)
    last = sessions[-1] if sessions else Session(0.0, time.time(), NO_WORK)
    rate = last.work.nodes / max(1e-9, last.seen - last.began)
    return Status(
        **about,
        **tree.report(test),
        **totals._asdict(),
        answered=test is None,
        line=tuple(tree.line()),
        sessions=len(sessions),
        nodes_per_second=rate,
        last_seen=time.time() - last.seen,
        estimate=None if root is None else estimate(tree, root, rate),
        store_bytes=os.path.getsize(path),
    )


def estimate(tree: Tree, root: Node, rate: float) -> Estimate | None:
    """Estimate what is left: as many leaves as the smaller number of the root, each at the mean cost so far.

    Costs of leaves differ by powers of ten, and the number of leaves grows while they are split. The bounds contain the
    spread of the costs and a factor of three for that; of thirty while few leaves are solved, since only the costs of
    jobs that ran out are known then.
    """
    worked = [node for place in tree.places.values() for node in place.nodes.values() if node.work]
    solved = [node.work for node in worked if node.answered and node.children is None]
    costs = solved if len(solved) >= _ENOUGH else [node.work for node in worked]
    if len(costs) < 2:
        return None
    logs = [math.log(cost) for cost in costs]
    mean = math.fsum(logs) / len(logs)
    variance = math.fsum((log - mean) ** 2 for log in logs) / (len(logs) - 1)
    leaves = max(1, min(root.proof, root.disproof))
    likely = leaves * math.fsum(costs) / len(costs)
    model = math.log(3) if len(solved) >= _ENOUGH else math.log(30)
    spread = math.exp(_QUANTILE * math.hypot(model, math.sqrt(variance / leaves)))
    return Estimate(likely, likely / spread, likely * spread, likely / rate if rate else None)
