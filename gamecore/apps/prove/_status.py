"""What is proved so far, and how a run stands: from its store alone, also while another process works on it."""

import os
from dataclasses import dataclass
from typing import ClassVar

from gamecore.apps.prove._store import Store
from gamecore.apps.prove._tree import Tree
from gamecore.contract import Bounds, Playable
from gamecore.game import game


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
        proof, disproof: the least number of leaves whose answers would prove, or disprove, that test.
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


def in_words(name: str, position: str, bounds: Bounds[int]) -> str:
    """Return ``white wins in 11 plies``."""
    place, words = game(name).Position.from_text(position), game(name).words
    return f"{words.side(place)} {words.value(bounds, place)}"


def status_of(store: Store, tree: Tree, position: Playable) -> Status:
    """Return the status of a store whose tree has advanced, for its position or an image of that."""
    about, start, root, to_move = store.about, tree.start, tree.root, position.to_move
    lower, upper = tree.value()
    other = next(side for side in game(about["game"]).sides if side != to_move)
    test = None if root is None or root.answered else root.test
    return Status(
        game=about["game"], position=position.to_text(), lower=lower, upper=upper, to_move=to_move,
        winner=to_move if start.low > 0 else other if start.high < 0 else None,
        question=tree.question, answered=test is None, test=None if test is None else tree.prover.question_of(test),
        proof=0 if root is None else root.proof, disproof=0 if root is None else root.disproof,
        positions=len(tree.places), **store.effort._asdict(),
        line=tuple(tree.line()), gamecore=about["gamecore"], store_bytes=os.path.getsize(store.path),
    )  # fmt: skip


def status(path: str | os.PathLike[str]) -> Status:
    """Return the status of a store.

    Raises:
        GamecoreError: there is no store, or it is none, damaged, locked or by other rules.
    """
    with Store(path) as store:
        return status_of(store, store.load(), store.position)
