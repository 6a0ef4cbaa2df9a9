"""Positions and values as the page receives them, the same for all games: :class:`Shown`."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from gamecore.apps.explore import _bounds
from gamecore.apps.explore._hidden import PREFIX, STORE
from gamecore.apps.explore._how import panels_of
from gamecore.apps.explore._screen import Screen, screen_of
from gamecore.cli.games import command_of
from gamecore.contract import Analysis, Bounds, MoveValue, Playable
from gamecore.errors import GamecoreError
from gamecore.game import Game, Json, Option, options_of

_QUARTER: Final = 10.0  # points that move a bar from its middle by a quarter


def about(game: Game) -> Json:
    """Return a game as ``/api/hello`` lists it; the start of a game with hidden hands is an id."""
    screen = screen_of(game)
    start = Shown(game, screen.first_position(), 0 if screen.seats else None)
    summary, _, rules = game.rules.partition("\n")
    plies = Option("plies", "Moves played", screen.plies, 0, _bounds.MOVES)
    return {
        "game": game.name,
        "title": game.title,
        "summary": summary,
        "rules": rules or summary,
        "start": start.text,
        "sides": list(game.sides),
        "side_names": list(screen.side_names),
        "seat_names": [[screen.told(name, seat) for name in screen.side_names] for seat in range(screen.seats)],
        "seats": screen.seats,
        "players": [
            {"player": name, "title": f"{name.capitalize()}: {player.title}"} for name, player in game.players.items()
        ],
        "panels": [
            {"panel": name, "title": panel.title, "open": panel.is_open, "step": panel.step}
            for name, panel in panels_of(screen).items()
        ],
        "random": [_option(option) for option in (*options_of(game.start), plies)],
        "accepts": list(command_of(game).accepts),
        "unit": game.words.unit,
    }


def _option(option: Option) -> Json:
    kind: Json = {"type": "integer", "least": option.least, "most": option.most}
    if isinstance(option.default, str):
        kind = {"type": "text"}
    if option.choices:
        kind = {"type": "choice", "choices": list(option.choices)}
    return {"name": option.name, "title": option.title, "default": option.default, **kind}


def is_hidden(text: str) -> bool:
    """Return True if a text is the id of a position that one seat sees."""
    return text.startswith(PREFIX)


@dataclass(frozen=True)
class Shown:
    """A position as a page shows it.

    Attributes:
        game, position: what is shown.
        seat: who looks at a game with hidden hands; None: all hands are open.
    """

    game: Game
    position: Playable
    seat: int | None = None

    @classmethod
    def read(cls, game: Game, text: str, seat: int | None = None) -> "Shown":
        """Return the position of a notation or of an id."""
        return cls(game, game.Position.from_text(STORE.reveal(text)), seat)

    def at(self, position: Playable) -> "Shown":
        """Return another position of the game, seen by the same seat."""
        return replace(self, position=position)

    @property
    def screen(self) -> Screen[Playable]:
        """How the page shows the game."""
        return screen_of(self.game)

    @property
    def text(self) -> str:
        """The notation; an id for one seat, because a notation has all hands and passes."""
        text = self.position.to_text()
        return text if self.seat is None else STORE.hide(text)

    def move_text(self, move: str) -> str:
        """Return the name of a move made here; an id if the seat must not know the move."""
        if self.seat is None or not self.screen.hides_move(self.position, self.seat):
            return move
        return STORE.hide(move, self.position.to_text())

    def read_move(self, text: str) -> str:
        """Return the move that :meth:`move_text` wrote, or that a page makes."""
        return STORE.reveal(text, self.position.to_text()) if is_hidden(text) else text

    def view(self) -> Json:
        """Return the position as a page draws it; of one seat: nothing to edit, and no moves of the others."""
        game, screen, position, seat = self.game, self.screen, self.position, self.seat
        legal = position.legal_moves() if seat in (None, position.to_move) else ()
        turn = screen.told(game.words.turn(position, seat), seat)
        game.picture(position, seat=seat)  # draws nothing yet, but refuses what is too large
        return {
            "game": game.name,
            "position": self.text,
            "to_move": position.to_move,
            "to_move_text": turn,
            "automatic": screen.automatic_side(position),
            "is_over": position.is_over,
            "result": turn if position.is_over else None,
            "legal_moves": list(legal),
            "moves": [{"move": move, "text": game.words.move(position, move)} for move in legal],
            "label": screen.label(position, seat),
            "draft": screen.draft(position) if seat is None else None,
            "panels": [
                {"panel": name, "options": list(map(_option, panel.options_at(position, seat)))}
                for name, panel in panels_of(screen).items()
                if panel.applies(position, seat)
            ],
        }

    # --- values

    def value(self, bounds: Bounds[float]) -> Json:
        """Return a value as the protocol has it."""
        return {
            "lower": bounds.lower,
            "upper": bounds.upper,
            "exact": bounds.exact,
            "value": bounds.value,
            "text": self.game.words.short(bounds),
            "words": self.game.words.value(bounds, self.position),
            "tone": self._tone(bounds),
        }

    def _tone(self, bounds: Bounds[float]) -> str | None:
        """Return a value's sign in a word; None in games of more than two sides, whose values have one sign."""
        if len(self.game.sides) > 2:
            return None
        if bounds.lower > 0:
            return "good"
        return "bad" if bounds.upper < 0 else "level" if bounds.exact else "open"

    def values(self, analysis: Analysis[MoveValue[float], object]) -> Json:
        """Return every move with what is proven of it: the data of an event ``values``."""
        game, position, whole, value = self.game, self.position, None, None
        if analysis:
            whole = game.words.bounds_from_moves(analysis, position)
        elif position.is_over:
            whole = game.solve(position)
        if whole is not None:
            words = f"{game.words.side(position)} {game.words.value(whole, position)}"
            value = {**self.value(whole), "share": self._share(whole), "words": words}
        return {
            "moves": [self._entry(analysis, entry) for entry in analysis],
            "exact": analysis.exact,
            "best_moves": list(analysis.best_moves),
            "position_value": value,
        }

    def _share(self, bounds: Bounds[float]) -> list[float] | None:
        """Return the least and the most share of a bar that the first of two sides has; None for more sides."""
        game, position = self.game, self.position
        if len(game.sides) != 2:
            return None
        low, high = (0.5 + 0.5 * number / (abs(number) + _QUARTER) for number in game.words.order(bounds, position))
        if str(position.to_move) != game.sides[0]:
            low, high = 1 - high, 1 - low
        return [round(low, 4), round(high, 4)]

    def _entry(self, analysis: Analysis[MoveValue[float], object], entry: MoveValue[float]) -> Json:
        """Return one move with what is proven of it, and what it costs."""
        words, position = self.game.words, self.position
        sure = max(analysis, key=lambda other: words.order(other, position)[0])
        verdict, text = "open", "not known yet"
        cost: float | None = None
        if entry.move in analysis.best_moves:
            verdict, cost, text = "best", 0, "best"
        elif words.order(entry, position)[1] < words.order(sure, position)[0]:
            verdict, (cost, text) = "wrong", words.cost(sure, entry, position)
        return {"move": entry.move, **self.value(entry), "verdict": verdict, "cost": cost, "cost_text": text}

    # --- copies

    def copies(self, seconds: float) -> Json:
        """Return the position in every form that can be taken elsewhere; None where it would tell the other hands.

        ``seconds``: for the values in the picture; 0: it has none.
        """
        position, is_open = self.position, self.seat is None
        analysis: Sequence[MoveValue[float]] = ()
        judges_text = None
        if seconds and is_open:
            with suppress(GamecoreError):  # nothing to search for: cards are still to be passed
                analysis = self.game.refine(position, _bounds.DEFAULT_TABLE_MB).run(seconds)
        with suppress(GamecoreError):  # the judge's format cannot write every position
            judges_text = position.to_judge() if is_open and hasattr(position, "to_judge") else None
        return {
            "notation": position.to_text() if is_open else None,
            "svg": self.game.picture(position, analysis, seat=self.seat).svg,
            "python": self.screen.python(position, self.seat),
            "judge": judges_text,
            "command": self.screen.command(position) if is_open else None,
        }
