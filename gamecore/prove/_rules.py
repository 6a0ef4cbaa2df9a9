"""What the prover has to know of a game: canonical positions, tests, and the kernel that answers them.

A *score* orders all that can come out for the side to move, larger being better: the points of the duel, and for
Hexapawn ``MATE - plies`` of a win and ``plies - MATE`` of a loss. A *test* is a number: it asks whether a position's
score is at least that. The mover of a position passes a test if and only if some move leads to a position whose mover
fails the test :meth:`Rules.test_after`: so a test of the first position becomes one of every position after it.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUESTIONS: Final = ("value", "wins")  #: what may be asked of a position


class Answer(NamedTuple):
    """What one search says of a test: whether it is answered, proven bounds of the score, and the work."""

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


class Engine(Protocol):
    """A kernel's solver, which keeps its table between jobs. It answers one caller at a time.

    Attributes:
        weights: how many weights it learns to order moves by; 0: it learns nothing.
    """

    weights: int

    def test(self, key: str, test: int, seconds: float, nodes: int) -> Answer:
        """Search for the answer to a test; ``seconds`` below 0 and ``nodes`` 0: without a limit."""

    def children(self, key: str, test: int) -> list[Child]:
        """Every legal move of a position that is to be split."""

    def helper(self) -> "Engine | None":
        """Another engine on the same table, for another thread; None where threads cannot share it."""

    def export_from(self, least: int) -> None:
        """Keep entries whose search took so many nodes, from now on."""

    def take_entries(self) -> bytes:
        """The entries kept since the last call."""

    def put_entries(self, words: "NDArray[np.uint64]") -> int:
        """Store entries of another engine; how many were valid."""

    def take_changes(self) -> bytes:
        """What the weights have changed by since the last call, while searches go on; see the kernel's."""

    def put_changes(self, words: "NDArray[np.uint64]", away: bool) -> int:
        """Add another engine's changes to the weights, or take them away; how many were of weights that there are."""

    def stop(self) -> None:
        """End the search that runs, and all later ones; from any thread."""


class Rules(Protocol):
    """A game, as the prover sees it."""

    name: str

    def read(self, text: str) -> Any:
        """The position of a text, by the game's own ``from_text``."""

    def canonical(self, position: Any) -> str:
        """The notation that stands for a position and for all that are the same but for names, colours, mirrors."""

    def bounds(self, key: str) -> tuple[int, int]:
        """Bounds of a canonical position's score that need no search; equal where the game is over."""

    def test_after(self, test: int) -> int:
        """The test that has to fail after some move for ``test`` to be passed before it."""

    def score_before(self, score: int) -> int:
        """The score of a move from the score after it."""

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """What to ask next of a position of these bounds; None when the question is answered."""

    def value_of(self, key: str, low: int, high: int) -> tuple[int, int]:
        """Scores as the contract's bounds of a value for the side to move.

        Raises:
            GamecoreError: no game ends with a score between them, as damaged proofs have it.
        """

    def question_of(self, test: int) -> str:
        """A test in words, for people."""

    def engine(self, key: str, table_bytes: int, shared: bool) -> Engine:
        """A new engine for a position and all after it; ``shared``: helpers will join."""
