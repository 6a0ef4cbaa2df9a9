"""What a proof needs of a game: canonical positions, tests, a search that answers them, plain rules.

A *score* orders all results for the side to move; larger is better. A *test* is a number: it asks whether a position's
score is at least that; test 1 asks whether the mover wins. The mover of a position passes a test if and only if some
move leads to a position whose mover fails the test :meth:`Prover.test_after`. So a test of the first position becomes
one of every position after it.

A game's ``part("prove")`` is an object with the members of :class:`Prover`.
"""

from collections.abc import Iterable
from importlib.util import find_spec
from typing import NamedTuple, Protocol

from gamecore.errors import OptionError
from gamecore.game import BUILT_IN, game, names
from gamecore.text import printable


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
    """A search that keeps its table between jobs. It answers one caller at a time."""

    def test(self, key: str, test: int, nodes: int) -> tuple[int, int, int]:
        """Search for the answer to a test; return bounds of the score, and nodes searched. ``nodes`` 0: no limit."""

    def children(self, key: str, test: int) -> Iterable[tuple[str, str, int, int, int]]:
        """Return the fields of a :class:`Child` for every legal move of a position that is to be split."""

    def helper(self) -> "Engine | None":
        """Return another engine on the same table, for another thread; None if threads cannot share it."""

    def stop(self) -> None:
        """End the current search, and all later ones; from any thread."""


class PlainRules(Protocol):
    """A game for those who check proofs: nothing of it may come from a kernel or a :class:`Prover`.

    Keys are canonical notations.
    """

    def canonical(self, text: str) -> str:
        """Return one notation for a position and all that differ from it in names, colours or mirrors only.

        Raises:
            GamecoreError: the text is no position.
        """

    def after(self, key: str) -> dict[str, str]:
        """Return the key after each legal move, by the move's name; empty when the game is over."""

    def plies_left(self, key: str) -> int:
        """Return a number that every move makes smaller, so that no position comes after itself."""

    def before(self, score: int) -> int:
        """Return the score of a move from the score after it, which is within :meth:`most`."""

    def most(self, key: str) -> tuple[int, int]:
        """Return the least and greatest score that the rules allow here; equal when the game is over."""

    def value(self, key: str, low: int, high: int) -> tuple[int, int]:
        """Return bounds of a score as the contract's bounds of a value, for the side to move.

        Raises:
            GamecoreError: no result has a score between them.
        """


class Prover(Protocol):
    """A game as ``gamecore prove`` needs it.

    Attributes:
        plain: the rules once more, which checks of proofs use. Canonical positions, moves, first bounds, values and
            scores before moves come from them. No score after a position is further from 0 than the greatest that they
            allow there, and one.
    """

    plain: PlainRules

    def test_after(self, test: int) -> int:
        """Return the test that must fail after some move for ``test`` to be passed before it."""

    def next_test(self, key: str, low: int, high: int, question: str) -> int | None:
        """Return what to ask next of a position with these bounds; None when the question is answered.

        Args:
            question: ``value``, or ``wins``: only who wins.
        """

    def engine(self, key: str, table_bytes: int, shared: bool) -> Engine:
        """Return a new engine for a position and all after it; ``shared``: helpers will join."""

    def recheck(self, key: str, test: int, table_bytes: int) -> tuple[bool, int]:
        """Search for a test again, from an empty table; return whether it is passed, and nodes.

        The default suits engines whose entries hold whole positions.
        """
        low, _, nodes = self.engine(key, table_bytes, False).test(key, test, 0)
        return low >= test, nodes

    def fingerprint(self, root: str) -> str:
        """Return a text that changes with the rules of this position and all after it.

        A store or a certificate with another one is refused.
        """


def prover_of(name: str) -> Prover:
    """Return the prover of a game.

    Raises:
        OptionError: no such game, or it cannot be proved.
    """
    try:
        played = game(name)
    except OptionError:
        message = f"the game {printable(name)} is not known here: name its file by --game, or register it"
        raise OptionError(message) from None
    prover: Prover | None = played.part("prove")
    if prover is None:
        raise OptionError(f"{name} cannot be proved: it has no prover")
    return prover


def provable() -> list[str]:
    """Return the names of the built-in games that can be proved, and of all others; no game is loaded."""
    return [name for name in names() if name not in BUILT_IN or find_spec(f"{__package__}.{name}")]
