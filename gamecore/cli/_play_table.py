"""A game at the terminal as the session sees it: :class:`Table`, and what games of two sides have in common."""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

from gamecore.cli._play_screen import Screen
from gamecore.errors import GamecoreError, IllegalMoveError
from gamecore.limits import Limits
from gamecore.rng import generator

S = TypeVar("S")  #: what a table needs to go on from a moment: a position, of hearts the score of the match besides
Opponent: TypeAlias = Literal["solver", "greedy", "random"]
_TABLE_MB: Final = 256.0  # of advice


class Table(ABC, Generic[S]):
    """A game that a person plays against the computer.

    Args:
        screen: where it is shown.

    Attributes:
        how: how a move is typed, for ``help``.
    """

    how: ClassVar[str]

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    @abstractmethod
    def first(self) -> S:
        """The beginning of a new game."""

    @abstractmethod
    def loaded(self, text: str) -> S:
        """The moment that a position's notation says.

        Raises:
            GamecoreError: it is none, or of a game that cannot be played here.
        """

    @abstractmethod
    def notation(self, state: S) -> str:
        """The position as one line."""

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Whether nothing is left to be played."""

    @abstractmethod
    def is_mine(self, state: S) -> bool:
        """Whether the person is to move."""

    @abstractmethod
    def show(self, state: S) -> None:
        """Show what the person may see."""

    @abstractmethod
    def moves(self, state: S) -> Sequence[str]:
        """The legal moves of the person, for completion; a long list may be left out."""

    @abstractmethod
    def play(self, state: S, typed: str) -> S:
        """The moment after what the person typed.

        Raises:
            GamecoreError: it is not a legal move.
        """

    @abstractmethod
    def answer(self, state: S) -> S:
        """The moment after a move of the computer, which is shown."""

    @abstractmethod
    def advise(self, state: S) -> None:
        """Show what each legal move is worth."""

    @abstractmethod
    def hint(self, state: S) -> str:
        """One good move."""

    @abstractmethod
    def flip(self, state: S) -> None:
        """Change sides.

        Raises:
            GamecoreError: the sides of this game cannot be changed.
        """

    @abstractmethod
    def result(self, state: S) -> None:
        """Show how a game has ended."""

    def ranks(self, state: S) -> str:
        """In card games, the ranks of cards that may be played now: what a rank alone may mean."""
        return ""

    def prompt(self, state: S) -> str:
        """What stands before the line that is typed."""
        return "your move: "


class TwoSided(Table[Any]):
    """A game of two sides who see everything; a state is a position.

    Args:
        screen: where it is shown.
        opponent: who plays the other side: ``solver`` (perfectly, as far as the limits allow), ``greedy``, ``random``.
        limits: of each decision of the solver, and of advice.
        rng: of random positions and moves.
        sides: the two sides, the person's first.
    """

    module: ClassVar[str]  #: the game's package
    refines: ClassVar[bool] = True  #: whether the game has analyses that can be gone on with
    unit: ClassVar[str] = ""  #: what values are, for advice

    def __init__(self, screen: Screen, opponent: Opponent, limits: Limits, rng: Any, sides: tuple[str, str]) -> None:
        super().__init__(screen)
        self.game = import_module(self.module)
        self.opponent, self.limits = opponent, limits
        self.rng = generator(rng)
        self.mine, self.other = sides

    def loaded(self, text: str) -> Any:
        """The position of a notation."""
        return self.game.Position.from_text(text)

    def notation(self, state: Any) -> str:
        """The position as one line."""
        return str(state.to_text())

    def is_over(self, state: Any) -> bool:
        """Whether the game has ended."""
        return bool(state.is_over)

    def is_mine(self, state: Any) -> bool:
        """Whether it is the person's turn."""
        return bool(state.to_move == self.mine)

    def moves(self, state: Any) -> Sequence[str]:
        """The legal moves."""
        found: Sequence[str] = state.legal_moves()
        return found

    def name(self, side: str) -> str:
        """A side in a sentence."""
        return "you" if side == self.mine else side

    def flip(self, state: Any) -> None:
        """Change sides."""
        self.mine, self.other = self.other, self.mine
        self.screen.say(f"You play {self.mine} now, against {self.other}.")

    def play(self, state: Any, typed: str) -> Any:
        """The position after what was typed."""
        return state.play(self.read(state, typed))

    @abstractmethod
    def read(self, state: Any, typed: str) -> str:
        """The move that was typed.

        Raises:
            GamecoreError: no move.
        """

    def answer(self, state: Any) -> Any:
        """The position after the opponent's move, which is shown."""
        move = self._choice(state)
        self.screen.draw(f"{self.other}: {self.shown(move)}")
        return state.play(move)

    def shown(self, move: str) -> str:
        """A move as the terminal can write it."""
        return move

    def _choice(self, position: Any) -> str:
        legal = position.legal_moves()
        if len(legal) == 1:
            return str(legal[0])
        if self.opponent == "random":
            return str(legal[int(self.rng.integers(len(legal)))])
        if self.opponent == "greedy":
            return str(self._part("_position").greedy_move(position))
        return self._best(position)[0]

    def _part(self, name: str) -> Any:
        """A module of the game's package."""
        return import_module(f"{self.module}.{name}")

    def _best(self, position: Any) -> tuple[str, bool]:
        """The best move that is found within the limits, and whether it is proven best."""
        solution = self.game.solve(position, self.limits)
        if solution.best_move is not None:
            return solution.best_move, True
        return solution.best_so_far or position.legal_moves()[0], False

    def hint(self, state: Any) -> str:
        """The best move, or the best one found so far."""
        move, proven = self._best(state)
        return self.shown(move) + ("" if proven else " (not proven)")

    def _analysis(self, position: Any) -> Any:
        """What is proven of every move when time is up: where it can be gone on with, all moves get their share."""
        if not self.refines:
            return self.game.analyse(position, self.limits)
        refinement = self._part("_refine").Refinement(position, _TABLE_MB)
        seconds = self.limits.seconds or 0.0
        end, part = time.monotonic() + seconds, seconds / 8
        while True:
            analysis = refinement.step(part)
            left = end - time.monotonic()
            if analysis.exact or left <= 0:
                return analysis
            part = min(2 * part, left)

    def advise(self, state: Any) -> None:
        """Every move with its value, best first."""
        analysis = self._analysis(state)
        pen = self.screen.pen
        width = max(len(entry.move) for entry in analysis)
        items = []
        for entry in analysis:
            value = str(entry).removeprefix(entry.move).strip()
            move = self.shown(entry.move) + " " * (width - len(entry.move))
            items.append(f"{move} {pen.value(value, entry.lower, entry.upper)}")
        self.screen.say(f"What each move is worth to you{self.unit}, best first:")
        longest = max(map(len, map(str, analysis))) + 1
        self.screen.row("", [item + " " * (longest - len(str(one))) for item, one in zip(items, analysis, strict=True)],
                        "  ", 2)  # fmt: skip
        if not analysis.exact:
            self.screen.say("LOW..HIGH are proven bounds: time was up.")


def one_move(typed: str, found: Sequence[str]) -> str:
    """The one move that was meant.

    Raises:
        IllegalMoveError: several were found.
        GamecoreError: none.
    """
    if len(found) == 1:
        return found[0]
    if found:
        raise IllegalMoveError(f"{typed} may be " + " or ".join(found))
    raise GamecoreError(f"{typed} is no move here")
