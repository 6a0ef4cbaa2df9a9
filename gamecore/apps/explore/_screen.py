"""What the page asks of one game: :class:`Screen`, with defaults that suit every game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Final

from gamecore.game import Game, Json, Option

#: The screens of the built-in games, imported on first use.
SCREENS: Final = {
    "duel": "gamecore.apps.explore.duel:DuelScreen",
    "hexapawn": "gamecore.apps.explore.hexapawn:HexapawnScreen",
    "rows": "gamecore.apps.explore.rows:RowsScreen",
    "hearts": "gamecore.apps.explore.hearts:HeartsScreen",
}


@dataclass(frozen=True)
class Panel:
    """A panel of the page beside a position, computed on request.

    Attributes:
        title: for people; empty: the panel is only asked for by other panels.
        run: ``run(position, seat, **options)`` returns the data as a dict of JSON values. The page shows each field
            with its name; text of several lines is set in a fixed pitch.
        options: options of ``run``.
        applies: ``applies(position, seat)`` is True if there is something to show.
        element: a custom element of the game's script that shows the panel instead.
        is_open: whether the panel is unfolded at first.
    """

    title: str
    run: Callable[..., Json]
    options: tuple[Option, ...] = ()
    applies: Callable[[Any, int | None], bool] = lambda position, seat: True
    element: str = ""
    is_open: bool = True


class Screen:
    """How the page shows a game. A game of your own may hand over a subclass as its attribute ``screen``.

    Attributes:
        plies: moves played in a random position, unless another number is asked for.
        panels: panels of the tab Analyse, by name.
        is_strip: whether wide pictures scroll rather than shrink.
        script: the file of ``static/`` that defines the panels' elements; empty without one.

    Args:
        game: what is shown.
    """

    plies: ClassVar[int] = 0
    panels: ClassVar[Mapping[str, Panel]] = {}
    is_strip: ClassVar[bool] = False
    script: ClassVar[str] = ""

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

    @property
    def presets(self) -> Mapping[str, Json]:
        """Start positions by name: arguments of ``game.random``, where ``plies`` is 0 unless it is given."""
        return {"new": {}}

    def first_position(self) -> Any:
        """Return the position that is shown first."""
        return self.game.parse(self.game.example)

    def automatic_side(self, position: Any) -> Any:
        """Return the side whose moves a rule of the game decides, so that the page makes them; None without one."""
        return None

    def hides_move(self, position: Any, seat: int) -> bool:
        """Return True if a seat must not know the move made in the position."""
        return False

    def label(self, position: Any, seat: int | None = None) -> str:
        """Return the whole position in words, for screen readers; ``seat``: only what that seat sees."""
        return str(position if seat is None else position.view(seat))

    def draft(self, position: Any) -> Json:
        """Return the position as an editor's fields, which :meth:`build` takes."""
        fields: Json = position.to_dict()
        return fields

    def build(self, draft: Json) -> Any:
        """Return the position of an editor's fields.

        Raises:
            GamecoreError: there is no such position.
        """
        return self.game.Position.from_dict(draft)

    # --- copies

    def python(self, position: Any, seat: int | None = None) -> str:
        """Return Python that prints the answers; empty if it would tell more than the seat sees."""
        if seat is not None:
            return ""
        home, _, module = type(self.game).__module__.partition("._")[0].rpartition(".")
        what = f"from {home} import {module}" if home else f"from {module} import GAME as {module}"
        text = position.to_text()
        return f'{what}\n\nposition = "{text}"\nprint({module}.solve(position))\nprint({module}.analyse(position))\n'

    def command(self, position: Any) -> str:
        """Return the command that prints the answers."""
        return f"gamecore {self.game.name} {position.to_text()} --line --analyse"


def screen_of(game: Game) -> Screen:
    """Return how the page shows a game: its own ``screen``, that of a built-in game, or the defaults."""
    kind = getattr(game, "screen", None)
    if kind is None and game.name in SCREENS:
        module, _, name = SCREENS[game.name].partition(":")
        kind = getattr(import_module(module), name)
    screen: Screen = (kind or Screen)(game)
    return screen
