"""What a page is told of a position, the same for all games: :class:`Explorer`; a game's own file says what differs."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final, Protocol

from gamecore.batch.workers import given_up
from gamecore.contract import Analysis, Bounds, MoveValue
from gamecore.errors import GamecoreError, OptionError
from gamecore.explore import _bounds
from gamecore.explore._errors import ApiError
from gamecore.rng import generator
from gamecore.text import printable

Json = dict[str, Any]
_FIRST: Final = 0.025  # seconds of the first step of a search


class Refinement(Protocol):
    """An analysis that can be gone on with, as the games' ``_refine`` have it."""

    nodes: int

    @property
    def table_bytes(self) -> int:
        """Memory of the table in use."""

    def step(self, seconds: float) -> Analysis[Any, Any]:
        """Search for about so long and say what is proven by now."""

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """The move and best play after it; empty where it is not known."""


class Explorer(ABC):
    """A game as the page shows it.

    Attributes:
        library: its package.
        game, title, summary: its name in the library, and for people.
        start: the notation of the position that is shown at first.
        sides: who plays.
        players: (name, what it does) of those that the computer can be.
        options: of a random position, as the protocol has them.
        accepts: what texts are read.
        unit: of values.
        longest: seconds of a step of a search; one that begins anew with each step needs ever longer ones.
    """

    library: ClassVar[Any]
    game: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    start: ClassVar[str]
    sides: ClassVar[tuple[str, ...]]
    players: ClassVar[tuple[tuple[str, str], ...]]
    options: ClassVar[tuple[Json, ...]]
    accepts: ClassVar[tuple[str, ...]]
    unit: ClassVar[str]
    longest: ClassVar[float] = 1.0

    def about(self) -> Json:
        """The game as ``/api/hello`` lists it."""
        return {
            "game": self.game,
            "title": self.title,
            "summary": self.summary,
            "start": self.start,
            "sides": list(self.sides),
            "players": [{"player": name, "title": title} for name, title in self.players],
            "random": list(self.options),
            "accepts": list(self.accepts),
            "unit": self.unit,
        }

    # --- positions in and out

    @abstractmethod
    def read(self, text: str) -> Any:
        """The position of a notation.

        Raises:
            GamecoreError: it is none. ApiError: it is larger than the page shows.
        """

    @abstractmethod
    def read_many(self, text: str) -> Iterable[Any]:
        """The positions of any text that the library accepts.

        Raises:
            GamecoreError: it is none.
        """

    @abstractmethod
    def build(self, draft: Json) -> Any:
        """The position of an editor's draft.

        Raises:
            GamecoreError: there is no such position.
        """

    @abstractmethod
    def draft(self, position: Any) -> Json:
        """What :meth:`build` takes to make this position."""

    @abstractmethod
    def random(self, options: Json, seed: int) -> Any:
        """A random position; the same for a seed.

        Raises:
            GamecoreError: an option out of its range.
        """

    # --- what is seen

    def text(self, position: Any, seat: int | None) -> str:
        """What a page names the position by. ``seat``, here and below: who looks at hearts; None: all hands open."""
        return str(position.to_text())

    def move_text(self, position: Any, move: str, seat: int | None) -> str:
        """What a page names a move by that was made in the position."""
        return move

    def read_move(self, position: Any, text: str) -> str:
        """The move that :meth:`move_text` wrote, or that a page makes."""
        return text

    def is_sealed(self, text: str) -> bool:
        """Whether a text hides what all but one seat hold."""
        return False

    def view(self, position: Any, seat: int | None = None) -> Json:
        """The position as a page draws it."""
        moves = [self.move(position, move) for move in position.legal_moves()]
        return {
            "game": self.game,
            "position": self.text(position, seat),
            "to_move": position.to_move,
            "to_move_text": self.turn(position),
            "is_over": position.is_over,
            "result": self.result(position) if position.is_over else None,
            "legal_moves": [entry["move"] for entry in moves],
            "moves": moves,
            "text": position.picture().text(color=False, symbols=True),
            "label": self.label(position),
            "draft": self.draft(position),
            "state": self.state(position),
        }

    @abstractmethod
    def state(self, position: Any) -> Json:
        """What is needed to draw the position."""

    @abstractmethod
    def move(self, position: Any, move: str) -> Json:
        """What is needed to draw a legal move: ``move``, ``text`` and a game's own fields."""

    @abstractmethod
    def turn(self, position: Any) -> str:
        """Whose turn it is, in words."""

    @abstractmethod
    def result(self, position: Any) -> str:
        """How a finished game ended, in words."""

    @abstractmethod
    def label(self, position: Any) -> str:
        """The whole position in words, for those who hear it."""

    # --- values

    @abstractmethod
    def refinement(self, position: Any, table_mb: float) -> Refinement:
        """The search of every legal move's value.

        Raises:
            GamecoreError: this position cannot be solved. MemoryError: no memory for the table.
        """

    def steps(self, refinement: Refinement, seconds: float) -> Iterable[Analysis[Any, Any]]:
        """What is proven, in growing steps, until all of it is, the time is over, or nobody waits for it."""
        deadline, step = time.perf_counter() + seconds, _FIRST
        while True:
            analysis = refinement.step(max(0.0, min(step, deadline - time.perf_counter())))
            yield analysis
            if analysis.exact or time.perf_counter() >= deadline or given_up():
                return
            step = min(2 * step, self.longest)

    def analysed(self, refinement: Refinement, seconds: float) -> Analysis[Any, Any]:
        """What is proven in so many seconds."""
        *_, analysis = self.steps(refinement, seconds)
        return analysis

    @abstractmethod
    def words(self, bounds: Bounds[Any], position: Any) -> str:
        """A value in words, without its subject: ``wins 9 points``, ``from losing 3 to winning 5 points``."""

    @abstractmethod
    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        """What a move costs that is proven not to be best: a number if it is one, and in words."""

    def worst(self, entry: Bounds[Any], position: Any) -> float:
        """A number that is larger the better the worst is that the bounds allow."""
        return float(entry.lower)

    def best(self, entry: Bounds[Any], position: Any) -> float:
        """The same of the best that the bounds allow."""
        return float(entry.upper)

    def shown(self, bounds: Bounds[Any]) -> str:
        """A value as it stands on a move."""
        return Bounds.__str__(bounds)

    def side(self, position: Any) -> str:
        """The side to move, as the subject of a sentence."""
        return str(position.to_move)

    def more(self, entry: MoveValue[Any]) -> Json:
        """A game's own fields of a move's value."""
        return {}

    def value(self, bounds: Bounds[Any], position: Any) -> Json:
        """A value as the protocol has it."""
        return {
            "lower": bounds.lower,
            "upper": bounds.upper,
            "exact": bounds.exact,
            "value": bounds.value,
            "text": self.shown(bounds),
            "words": self.words(bounds, position),
        }

    def values(self, position: Any, analysis: Analysis[Any, Any]) -> Json:
        """Every move with what is proven of it: the data of an event ``values``."""
        whole = self.whole(position, analysis)
        return {
            "moves": [self.entry(position, analysis, entry) for entry in analysis],
            "exact": analysis.exact,
            "best_moves": list(analysis.best_moves),
            "position_value": whole
            and {**self.value(whole, position), "words": f"{self.side(position)} {self.words(whole, position)}"},
        }

    def entry(self, position: Any, analysis: Analysis[Any, Any], entry: MoveValue[Any]) -> Json:
        """One move with what is proven of it, and what it costs."""
        found = {"move": entry.move, **self.value(entry, position), **self.more(entry)}
        sure = max(analysis, key=lambda other: self.worst(other, position))
        if entry.move in analysis.best_moves:
            return {**found, "verdict": "best", "cost": 0, "cost_text": "best"}
        if self.best(entry, position) < self.worst(sure, position):
            cost, text = self.cost(sure, entry, position)
            return {**found, "verdict": "wrong", "cost": cost, "cost_text": text}
        return {**found, "verdict": "open", "cost": None, "cost_text": "not known yet"}

    def whole(self, position: Any, analysis: Analysis[Any, Any]) -> Bounds[Any] | None:
        """What the moves' values say of the position's; that of a finished game; None where nothing is to be said."""
        if position.is_over:
            final: Bounds[Any] = self.library.solve(position)
            return final
        if not analysis:
            return None
        least = max(analysis, key=lambda entry: self.worst(entry, position))
        most = max(analysis, key=lambda entry: self.best(entry, position))
        return Bounds(*self.joined(least, most))

    def joined(self, least: Bounds[Any], most: Bounds[Any]) -> tuple[Any, Any]:
        """Bounds of the position, from the move whose worst case is best, and the one whose best case is."""
        return least.lower, most.upper

    # --- players

    def choose(self, position: Any, player: str, seconds: float, seed: int) -> tuple[str, bool]:
        """The move of a player of the computer, and whether that is certain (of a solver: proven best).

        Raises:
            GamecoreError: the game is over, or there is no such player.
        """
        legal = position.legal_moves()
        if not legal:
            raise OptionError("the game is over: there is no move to choose")
        if player == "random":
            return str(legal[int(generator(seed).integers(len(legal)))]), True
        if player == "greedy":
            return self.greedy(position), True
        if player != "solver":
            known = ", ".join(name for name, _ in self.players)
            raise OptionError(f"player has to be one of {known}, not {printable(player)}")
        analysis = self.analysed(self.refinement(position, _bounds.DEFAULT_TABLE_MB), seconds)
        best = analysis.best_moves
        return (best[0], True) if best else (analysis[0].move, False)

    @abstractmethod
    def greedy(self, position: Any) -> str:
        """The move of the simplest player that is not blind."""

    # --- copies

    def copies(self, position: Any, analysis: Analysis[Any, Any] | None, seat: int | None = None) -> Json:
        """The position in every form that can be taken elsewhere, None where it would tell more than the seat sees."""
        picture = self.picture(position, analysis, seat)
        return {
            "notation": position.to_text() if seat is None else None,
            "text": picture.text(color=False, symbols=False),
            "svg": picture.svg,
            "python": self.python(position, seat),
            "judge": self.judge(position),
            "command": self.command(position, seat),
        }

    def picture(self, position: Any, analysis: Analysis[Any, Any] | None, seat: int | None) -> Any:
        """The library's drawing."""
        return position.picture(analysis or ())

    def python(self, position: Any, seat: int | None) -> str:
        """Lines of Python that give the same answer."""
        return (
            f"from gamecore import {self.game}\n\n"
            f'position = {self.game}.Position.from_text("{position.to_text()}")\n'
            f"print({self.game}.solve(position))\n"
            f"print({self.game}.analyse(position))\n"
        )

    def judge(self, position: Any) -> str | None:
        """The judge's text, where there is one."""
        try:
            return str(position.to_judge())
        except GamecoreError:
            return None

    def command(self, position: Any, seat: int | None) -> str | None:
        """The command that gives the same answer."""
        return f"gamecore {self.game} {position.to_text()} --line --analyse"


def too_large(what: str) -> ApiError:
    """The error of a position that is larger than a page shows."""
    return ApiError(413, "size", what, "position")


def whole_option(name: str, title: str, least: int, most: int, default: int) -> Json:
    """An option of a random position that is a number."""
    return {"name": name, "title": title, "type": "integer", "least": least, "most": most, "default": default}


def choice_option(name: str, title: str, choices: Sequence[str], default: str) -> Json:
    """An option of a random position that is one of some words."""
    return {"name": name, "title": title, "type": "choice", "choices": list(choices), "default": default}


def read_options(given: Json, options: Iterable[Json]) -> Json:
    """The options of a random position, with their defaults.

    Raises:
        OptionError: an unknown one, or a value out of range.
    """
    known = {option["name"]: option for option in options}
    for name in given:
        if name not in known:
            raise OptionError(f"there is no option {printable(name)}; the options are {', '.join(known)}")
    found = {}
    for name, option in known.items():
        value = given.get(name, option["default"])
        if option["type"] == "choice":
            if value not in option["choices"]:
                choices = ", ".join(option["choices"])
                raise OptionError(f"{name} has to be one of {choices}, not {printable(value)}")
        elif type(value) is not int or not option["least"] <= value <= option["most"]:
            low, high = option["least"], option["most"]
            raise OptionError(f"{name} has to be a whole number from {low} to {high}, not {printable(value)}")
        found[name] = value
    return found


def count_of(number: float, unit: str, plural: str | None = None) -> str:
    """``1 point``, ``3 points``."""
    return f"{number} {unit if number == 1 else plural or unit + 's'}"
