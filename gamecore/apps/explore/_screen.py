"""What the page asks of one game: :class:`Screen`, with defaults that suit every game."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from gamecore.contract import Playable
from gamecore.game import Game, Json, Option

P = TypeVar("P", bound=Playable)


@dataclass(frozen=True)
class Panel(Generic[P]):
    """A panel of the page beside a position, computed on request.

    Attributes:
        title: for people.
        run: ``run(position, seat, **options)`` returns the fields to show by their names: a text (several lines are
            set in a fixed pitch), a :class:`gamecore.draw.Picture`, a dict ``{"text", "position"}`` of a position that
            the page can open, or any other JSON value; ``steps`` is the last step.
        options: options of ``run``, controls of the panel; a function of (position, seat) if they depend on these.
        applies: ``applies(position, seat)`` is True if there is something to show.
        is_open: whether the panel is unfolded at first.
        step: the option that counts steps from 1, 0 for the whole: the page goes through them, forward and back.
    """

    title: str
    run: Callable[..., Json]
    options: tuple[Option, ...] | Callable[[P, int | None], tuple[Option, ...]] = ()
    applies: Callable[[P, int | None], bool] = lambda position, seat: True
    is_open: bool = True
    step: str | None = None

    def options_at(self, position: P, seat: int | None) -> tuple[Option, ...]:
        """Return the options in a position."""
        return self.options(position, seat) if callable(self.options) else self.options


class Screen(Generic[P]):
    """How the page shows a game. A game's ``part("explore")`` is a subclass; without one the defaults hold.

    Attributes:
        plies: moves played in a random position, unless another number is asked for.
        panels: panels of the tab Analyse, by name.

    Args:
        game: what is shown.
    """

    plies: ClassVar[int] = 0
    panels: ClassVar[Mapping[str, Panel[Any]]] = {}

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def seats(self) -> int:
        """The number of seats with hidden hands; 0 if positions have no ``view(seat)``."""
        return len(self.game.sides) if hasattr(self.game.Position, "view") else 0

    @property
    def side_names(self) -> Sequence[str]:
        """The names of the sides, in the order of ``game.sides``."""
        return [f"seat {side}" for side in self.game.sides] if self.seats else self.game.sides

    def told(self, text: str, seat: int | None) -> str:
        """Return a text as a seat is told it: with the names of the sides as that seat knows them."""
        return text

    def first_position(self) -> P:
        """Return the position that is shown first."""
        first: P = self.game.parse(self.game.example)
        return first

    def automatic_side(self, position: P) -> object:
        """Return the side whose moves a rule of the game decides, so that the page makes them; None without one."""
        return None

    def next_round(self, position: P, totals: Sequence[int]) -> Json:
        """Return what follows a finished round of a match; an empty dict in games without rounds.

        Args:
            position: the end of the round.
            totals: points of each side in the rounds before.

        Returns:
            ``totals`` with this round, ``text``: how the match stands, and ``position``: the next round's start, None
            after the last one.
        """
        return {}

    def hides_move(self, position: P, seat: int) -> bool:
        """Return True if a seat must not know the move made in the position."""
        return False

    def label(self, position: P, seat: int | None = None) -> str:
        """Return the whole position in words, for screen readers; ``seat``: only what that seat sees."""
        seen: Any = position
        return f"{seen if seat is None else seen.view(seat)}."

    def draft(self, position: P) -> Json:
        """Return the position as an editor's fields, which :meth:`build` takes."""
        return position.to_dict()

    def build(self, draft: Json) -> P:
        """Return the position of an editor's fields.

        Raises:
            GamecoreError: there is no such position.
        """
        position: P = self.game.Position.from_dict(draft)
        return position

    def _module(self) -> str:
        """Return the name of the module whose ``GAME`` this is; empty if there is none, as for a compiled file."""
        modules = [(name, getattr(module, "__dict__", {})) for name, module in sys.modules.copy().items()]
        return next((name for name, contents in modules if contents.get("GAME") is self.game), "")

    def python(self, position: P, seat: int | None = None) -> str:
        """Return Python that prints the answers; empty if it would tell more than the seat sees or no module has it."""
        home, _, module = self._module().partition("._")[0].rpartition(".")
        if seat is not None or not module:
            return ""
        what = f"from {home} import {module}" if home else f"from {module} import GAME as {module}"
        text = position.to_text()
        return f'{what}\n\nposition = "{text}"\nprint({module}.solve(position))\nprint({module}.analyse(position))\n'

    def command(self, position: P) -> str:
        """Return the command that prints the answers; ``FILE`` where the game's own is not known."""
        module = self._module()
        file = getattr(sys.modules.get(module), "__file__", "FILE")
        own = "" if module.startswith("gamecore.") else f" --game {shlex.quote(file)}"
        return f"gamecore{own} {self.game.name} {position.to_text()} --line --analyse"


def screen_of(game: Game) -> Screen[Playable]:
    """Return how the page shows a game: by its part, or by the defaults."""
    kind: type[Screen[Playable]] = game.part("explore") or Screen[Playable]
    return kind(game)
