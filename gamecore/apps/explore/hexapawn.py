"""How the page shows Hexapawn."""

from string import ascii_lowercase
from typing import Final

from gamecore.apps.explore._screen import Screen
from gamecore.errors import ParseError
from gamecore.game import Json
from gamecore.hexapawn import Position
from gamecore.text import printable

_COLUMNS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase))


class HexapawnScreen(Screen[Position]):
    """See :class:`Screen`."""

    plies = 4

    def label(self, position: Position, seat: int | None = None) -> str:
        squares = [
            (pawn, f"{_COLUMNS[column]}{position.rows - row}")
            for row, pawns in enumerate(position.to_rows())
            for column, pawn in enumerate(pawns)
        ]
        white, black = (", ".join(square for pawn, square in squares if pawn == side) or "none" for side in "Pp")
        end = self.game.words.turn(position)
        size = f"A board of {position.rows} rows and {position.columns} columns."
        return f"{size} White pawns: {white}. Black pawns: {black}. {end}."

    def draft(self, position: Position) -> Json:
        return {"rows": list(position.to_rows()), "to_move": position.to_move}

    def build(self, draft: Json) -> Position:
        for name in draft:
            if name not in ("rows", "to_move"):
                raise ParseError(f"a draft of Hexapawn has no field {printable(name)}; it has rows and to_move")
        rows = draft.get("rows")
        if not isinstance(rows, list):
            raise ParseError("rows must be a list of texts, the top row first")
        return Position.from_rows(rows, draft.get("to_move"))  # type: ignore[arg-type]


PART = HexapawnScreen
