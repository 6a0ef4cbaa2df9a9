"""What is proved so far, and how a run stands, from its store alone: also while another process works on it."""

import os
from dataclasses import dataclass
from typing import Any, ClassVar

from gamecore import contract
from gamecore.apps.prove._store import Store, Work
from gamecore.apps.prove._tree import Tree
from gamecore.game import Game, game


@dataclass(frozen=True, kw_only=True)
class Outcome(contract.Bounds[int]):
    """The bounds that are proved so far, and what they took.

    Attributes:
        lower, upper: bounds of the value for the side to move, as the game's ``solve`` has them.
        to_move: the side to move.
        winner: who wins; None when it is not known.
        question: what was asked: ``value`` or ``wins``.
        answered: whether it is answered.
        test: what is asked now, in words; None when the question is answered.
        proof, disproof: the least number of leaves whose answers would prove, or disprove, that test.
        positions: that something is known of.
        jobs, lost, nodes, seconds: of all runs: jobs that ended, jobs that were lost, positions that jobs searched,
            seconds of their searches.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        *contract.Bounds.FIELDS, "to_move", "winner", "question", "answered", "test", "proof", "disproof",
        "positions", "jobs", "lost", "nodes", "seconds",
    )  # fmt: skip

    to_move: Any
    winner: Any
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

    def __str__(self) -> str:
        """``white wins: value +51``, with the bounds if there are only bounds."""
        winner = f"{self.winner} wins" if self.winner else "nobody wins" if self.exact else "not decided"
        return f"{winner}: value {contract.Bounds.__str__(self)} for {self.to_move}"


@dataclass(frozen=True, kw_only=True)
class Status(Outcome):
    """The status of a store.

    Attributes:
        game, position, gamecore: what it is about, and the version that began it.
        line: the moves that the proof follows so far, as the canonical positions write them.
        store_bytes: of the file.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("game", "position", *Outcome.FIELDS, "line", "gamecore", "store_bytes")

    game: str
    position: str
    gamecore: str
    line: tuple[str, ...]
    store_bytes: int


def outcome_of(tree: Tree, played: Game, position: Any, work: Work) -> dict[str, Any]:
    """Return the fields of an :class:`Outcome` from a tree that has advanced, for a position or its image."""
    start, root, to_move = tree.start, tree.root, position.to_move
    lower, upper = tree.value()
    other = next(side for side in played.sides if side != to_move)
    test = None if root is None or root.answered else root.test
    return {
        "lower": lower, "upper": upper, "to_move": to_move,
        "winner": to_move if start.low > 0 else other if start.high < 0 else None,
        "question": tree.question, "answered": test is None,
        "test": None if test is None else tree.prover.question_of(test),
        "proof": 0 if root is None else root.proof, "disproof": 0 if root is None else root.disproof,
        "positions": len(tree.places), **work._asdict(),
    }  # fmt: skip


def status(path: str | os.PathLike[str]) -> Status:
    """Return the status of a store.

    Raises:
        GamecoreError: there is no store, or it is none, damaged, locked or by other rules.
    """
    with Store(path) as store:
        tree, about = store.load(), store.about
    tree.advance()
    played = game(about["game"])
    position = played.Position.from_text(about["position"])
    return Status(
        **outcome_of(tree, played, position, store.effort),
        game=about["game"],
        position=about["position"],
        gamecore=about["gamecore"],
        line=tuple(tree.line()),
        store_bytes=os.path.getsize(path),
    )
