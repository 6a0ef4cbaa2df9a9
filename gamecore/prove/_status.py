"""The status of a run, from its store alone: also while another process works on it."""

import math
import os
import time
from dataclasses import dataclass
from typing import Any, Final

from gamecore import contract
from gamecore.prove._store import Store
from gamecore.prove._tree import Node, Tree

_ENOUGH: Final = 5  # leaves that were solved, for a mean cost
_QUANTILE: Final = 1.28  # standard deviations: 80 of 100 lie within


@dataclass(frozen=True)
class Estimate:
    """What may be left of the test that is asked now: the likely figure, and bounds that should hold in 8 of 10 cases.

    Attributes:
        nodes, nodes_low, nodes_high: positions to be searched.
        seconds: the likely time, at the rate of the last session; None where there is none.
    """

    nodes: float
    nodes_low: float
    nodes_high: float
    seconds: float | None

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain values."""
        return dict(vars(self))


@dataclass(frozen=True)
class Status:
    """The status of a run.

    Attributes:
        game, position, question, gamecore: what it is about.
        answered: whether the question is answered.
        lower, upper: proved bounds of the value, for the side to move.
        test: what is asked now, in words; None when answered.
        proof, disproof: numbers of that test.
        line: the moves that the proof follows so far, as the canonical positions write them.
        proved, open, disproved, places: nodes of each kind, and positions.
        sessions, jobs, lost, nodes, seconds: processes that worked on it, and their work.
        nodes_per_second: of the last session, by the clock.
        last_seen: seconds since something was written.
        estimate: what may be left; None when answered, or too little is known.
        store_bytes: of the file.
    """

    game: str
    position: str
    question: str
    gamecore: str
    answered: bool
    lower: int
    upper: int
    test: str | None
    proof: int
    disproof: int
    line: tuple[str, ...]
    proved: int
    open: int
    disproved: int
    places: int
    sessions: int
    jobs: int
    lost: int
    nodes: int
    seconds: float
    nodes_per_second: float
    last_seen: float
    estimate: Estimate | None
    store_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain values."""
        plain: dict[str, Any] = contract.plain(vars(self))
        return plain


def status(path: str | os.PathLike[str]) -> Status:
    """Return the status of a store's run.

    Raises:
        GamecoreError: there is no store, or it is none, damaged or locked.
    """
    with Store.open(path) as store:
        tree, about = store.load(), store.about
        work, sessions = store.totals(), store.sessions()
    test = tree.next_test()
    root = None if test is None else tree.ask(test)
    rate = 0.0
    if sessions:
        rate = sessions[-1]["nodes"] / max(1e-9, sessions[-1]["seen"] - sessions[-1]["began"])
    return Status(
        game=about["game"],
        position=about["position"],
        question=about["question"],
        gamecore=about["gamecore"],
        **tree.report(test),
        **work._asdict(),
        answered=test is None,
        line=tuple(tree.line()),
        sessions=len(sessions),
        nodes_per_second=rate,
        last_seen=time.time() - sessions[-1]["seen"] if sessions else 0.0,
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
    variance = math.fsum((one - mean) ** 2 for one in logs) / (len(logs) - 1)
    leaves = max(1, min(root.proof, root.disproof))
    likely = leaves * math.fsum(costs) / len(costs)
    model = math.log(3) if len(solved) >= _ENOUGH else math.log(30)
    spread = math.exp(_QUANTILE * math.hypot(model, math.sqrt(variance / leaves)))
    return Estimate(likely, likely / spread, likely * spread, likely / rate if rate else None)
