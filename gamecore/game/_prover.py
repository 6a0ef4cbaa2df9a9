"""What ``gamecore prove`` needs of a game: canonical positions, tests, the kernel that answers them, plain rules.

A *score* orders all results for the side to move; larger is better. A *test* is a number: it asks whether a position's
score is at least that. The mover of a position passes a test if and only if some move leads to a position whose mover
fails the test :meth:`Prover.test_after`. So a test of the first position becomes one of every position after it.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROOM = 1 << 17  # most entries that an engine keeps for others


class Answer(NamedTuple):
    """Result of one search for a test: whether it is answered, proven bounds of the score, nodes."""

    done: bool
    low: int
    high: int
    nodes: int


class Child(NamedTuple):
    """A move, and what is known of the position after it without search.

    Attributes:
        move: as the game writes it, in the canonical position before it.
        key: the canonical position after it.
        low, high: proven bounds of its score, for its own mover.
        order: larger for moves that should be tried sooner.
    """

    move: str
    key: str
    low: int
    high: int
    order: int


class Engine(ABC):
    """A kernel's solver that keeps its table between jobs. It answers one caller at a time.

    Args:
        solver: the kernel's, with ``stop``, ``export_from``, ``take_entries`` and ``put_entries``.
    """

    def __init__(self, solver: Any) -> None:
        self.solver = solver

    @abstractmethod
    def test(self, key: str, test: int, seconds: float, nodes: int) -> Answer:
        """Search for the answer to a test; ``seconds`` below 0 and ``nodes`` 0: without a limit."""

    @abstractmethod
    def children(self, key: str, test: int) -> list[Child]:
        """Return every legal move of a position that is to be split."""

    def helper(self) -> "Engine | None":
        """Return another engine on the same table, for another thread; None if threads cannot share it."""
        return None

    def stop(self) -> None:
        """End the current search, and all later ones; from any thread."""
        self.solver.stop()

    def export_from(self, least: int) -> None:
        """Keep entries whose search took at least this many nodes, from now on."""
        self.solver.export_from(least, _ROOM)

    def take_entries(self) -> bytes:
        """Return the entries kept since the last call."""
        entries: bytes = self.solver.take_entries()
        return entries

    def put_entries(self, words: "NDArray[np.uint64]") -> int:
        """Store entries of another engine; return how many were stored: not those that cannot be true."""
        stored: int = self.solver.put_entries(words)
        return stored


class PlainRules(ABC):
    """A game for those who check proofs: nothing of it may come from a kernel or a :class:`Prover`.

    Keys are canonical notations.
    """

    @abstractmethod
    def canonical(self, text: str) -> str:
        """Return the canonical notation of a position, as :meth:`Prover.canonical` writes it.

        Raises:
            GamecoreError: the text is no position.
        """

    @abstractmethod
    def after(self, key: str) -> dict[str, str]:
        """Return the key after each legal move, by the move's name; empty when the game is over."""

    @abstractmethod
    def before(self, score: int) -> int:
        """Return the score of a move from the score after it, which is within :meth:`most`."""

    @abstractmethod
    def most(self, key: str) -> tuple[int, int]:
        """Return the least and greatest score that the rules allow here; equal when the game is over."""

    @abstractmethod
    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        """Return bounds of a score as bounds of a value, for the side to move.

        Raises:
            GamecoreError: no result has a score between them.
        """


class Prover(ABC):
    """A game for ``gamecore prove``.

    Attributes:
        plain: the rules once more, for checks.
    """

    plain: PlainRules

    @abstractmethod
    def canonical(self, position: Any) -> str:
        """Return one notation for a position and all that differ from it in names, colours or mirrors only."""

    @abstractmethod
    def bounds(self, key: str) -> tuple[int, int]:
        """Return bounds of a canonical position's score that need no search; equal when the game is over."""

    @abstractmethod
    def plies_left(self, key: str) -> int:
        """Return a number that every move makes smaller, so that no position comes after itself."""

    @abstractmethod
    def test_after(self, test: int) -> int:
        """Return the test that must fail after some move for ``test`` to be passed before it."""

    @abstractmethod
    def score_before(self, score: int) -> int:
        """Return the score of a move from the score after it."""

    @abstractmethod
    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Return what to ask next of a position with these bounds; None when the question is answered.

        Args:
            question: ``value``, or ``wins``: only who wins.
        """

    @abstractmethod
    def value_of(self, key: str, low: int, high: int) -> tuple[int, int]:
        """Return scores as the contract's bounds of a value for the side to move.

        Raises:
            GamecoreError: no game ends with a score between them: the proof is damaged.
        """

    @abstractmethod
    def question_of(self, test: int) -> str:
        """Return a test in words, for people."""

    @abstractmethod
    def engine(self, key: str, table_bytes: int, shared: bool) -> Engine:
        """Return a new engine for a position and all after it; ``shared``: helpers will join."""

    def most_score(self, root: str) -> int:
        """Return a number that no score of this position or one after it exceeds, up or down."""
        return max(map(abs, self.bounds(root))) + 1  # a Hexapawn player who has lost already: by one more

    def fingerprint(self, root: str) -> str:
        """Return a text that changes with the rules of this position and all after it; empty: they never change."""
        return ""

    def recheck(self, key: str, test: int, table_bytes: int) -> tuple[bool, int]:
        """Search for a test again, from an empty table whose entries hold whole positions.

        Returns:
            Whether it is passed, and nodes.
        """
        answer = self.engine(key, table_bytes, False).test(key, test, -1.0, 0)
        return answer.low >= test, answer.nodes
