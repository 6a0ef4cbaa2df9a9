"""Hexapawn as the page shows it."""

from collections.abc import Iterable
from typing import Any, ClassVar

from gamecore import hexapawn
from gamecore.contract import Bounds
from gamecore.errors import ParseError
from gamecore.explore._explorer import Explorer, Json, count_of, read_options, whole_option
from gamecore.hexapawn import Solver
from gamecore.hexapawn._position import greedy_move
from gamecore.hexapawn._solve import best_case, worst_case
from gamecore.hexapawn._squares import column_name
from gamecore.text import printable


class Hexapawn(Explorer):
    """See :class:`Explorer`."""

    library: ClassVar[Any] = hexapawn
    game = "hexapawn"
    title = "Hexapawn"
    summary = "Pawns that race, block and capture. Reach the far row, or leave the other side without a move."
    start = "pppp/4/4/PPPP:w"
    sides = ("white", "black")
    players = (
        ("solver", "Solver: wins soonest, loses latest"),
        ("greedy", "Greedy: captures, or else runs"),
        ("random", "Random: any legal move"),
    )
    options = (
        whole_option("rows", "Rows", 2, 16, 5),
        whole_option("columns", "Columns", 1, 16, 5),
        whole_option("plies", "Moves played", 0, 64, 4),
    )
    accepts = ("the notation BOARD:MOVER, such as ppp/3/PPP:w", "the judge's text: rows, columns, then the board")
    unit = "plies"

    def read(self, text: str) -> hexapawn.Position:
        """See :class:`Explorer`."""
        return hexapawn.Position.from_text(text)

    def read_many(self, text: str) -> Iterable[hexapawn.Position]:
        """See :class:`Explorer`."""
        return [hexapawn.Position.from_text(text) if ":" in text else hexapawn.parse(text)]

    def build(self, draft: Json) -> hexapawn.Position:
        """See :class:`Explorer`."""
        for name in draft:
            if name not in ("rows", "to_move"):
                raise ParseError(f"a draft of Hexapawn has no field {printable(name)}; it has rows and to_move")
        rows = draft.get("rows")
        if not isinstance(rows, list):
            raise ParseError("rows has to be a list of texts, the top row first")
        return hexapawn.Position.from_rows(rows, draft.get("to_move"))  # type: ignore[arg-type]

    def draft(self, position: hexapawn.Position) -> Json:
        """See :class:`Explorer`."""
        return {"rows": list(position.to_rows()), "to_move": position.to_move}

    def random(self, options: Json, seed: int) -> hexapawn.Position:
        """See :class:`Explorer`."""
        return hexapawn.random(**read_options(options, self.options), rng=seed)

    def state(self, position: hexapawn.Position) -> Json:
        """See :class:`Explorer`."""
        return {
            "rows": position.rows,
            "columns": position.columns,
            "board": list(position.to_rows()),
            "files": [column_name(column) for column in range(position.columns)],
            "to_move": position.to_move,
            "winner": position.winner,
        }

    def move(self, position: hexapawn.Position, move: str) -> Json:
        """See :class:`Explorer`."""
        capture = "x" in move
        source, target = move.split("x" if capture else "-")
        return {
            "move": move,
            "text": f"{source} takes {target}" if capture else f"{source} to {target}",
            "from": self._square(source, position),
            "to": self._square(target, position),
            "capture": capture,
        }

    def _square(self, name: str, position: hexapawn.Position) -> Json:
        letters = name.rstrip("0123456789")
        names = [column_name(column) for column in range(position.columns)]
        return {"square": name, "column": names.index(letters), "row": int(name[len(letters) :]) - 1}

    def turn(self, position: hexapawn.Position) -> str:
        """See :class:`Explorer`."""
        return "the game is over" if position.is_over else f"{position.to_move} to move"

    def result(self, position: hexapawn.Position) -> str:
        """See :class:`Explorer`."""
        why = "stands on the far row" if position._opponent_arrived() else f"{position.to_move} has no move"
        return f"{position.winner} has won: {why}"

    def label(self, position: hexapawn.Position) -> str:
        """See :class:`Explorer`."""
        names = [column_name(column) for column in range(position.columns)]
        pawns = {
            side: ", ".join(
                f"{names[column]}{position.rows - row}"
                for row, squares in enumerate(position.to_rows())
                for column, square in enumerate(squares)
                if square == char
            )
            for side, char in (("white", "P"), ("black", "p"))
        }
        board = f"A board of {position.rows} rows and {position.columns} columns."
        hands = " ".join(f"{side} pawns: {squares or 'none'}." for side, squares in pawns.items())
        return f"{board} {hands} {self.result(position) if position.is_over else self.turn(position)}."

    def refinement(self, position: hexapawn.Position, table_mb: float) -> Any:
        """See :class:`Explorer`."""
        return Solver(table_mb).refine(position)

    def worst(self, entry: Bounds[Any], position: Any) -> float:
        """See :class:`Explorer`."""
        return worst_case(entry)

    def best(self, entry: Bounds[Any], position: Any) -> float:
        """See :class:`Explorer`."""
        return best_case(entry)

    def joined(self, least: Bounds[Any], most: Bounds[Any]) -> tuple[Any, Any]:
        """See :class:`Explorer`."""
        if least.lower > 0:  # a win is proven: in so many plies at most, and not sooner than the quickest may be
            return max(1, most.lower if most.lower > 0 else 1), least.upper
        if most.upper <= 0:
            return most.lower, least.upper
        return min(least.lower, most.lower), max(least.upper, most.upper)

    def words(self, bounds: Bounds[Any], position: Any) -> str:
        """See :class:`Explorer`."""
        low, high = bounds.lower, bounds.upper
        if low <= 0 < high:
            return "may win or lose"
        if low == high == 0:
            return "has lost"
        fewest, most = sorted((abs(low), abs(high)))
        plies = _plies(fewest) if bounds.exact else f"{fewest} to {most} plies"
        return f"{'wins' if low > 0 else 'loses'} in {plies}"

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        """See :class:`Explorer`."""
        if best.lower > 0 >= entry.upper:
            old, new = (f"in {_plies(abs(one.lower))}" if one.exact else "" for one in (best, entry))
            return None, " ".join(f"turns a win {old} into a loss {new}".split())
        if not (best.exact and entry.exact):
            return None, "is worse than another move"
        plies = abs(entry.lower - best.lower)
        return plies, f"wins {_plies(plies)} later" if best.lower > 0 else f"loses {_plies(plies)} sooner"

    def greedy(self, position: hexapawn.Position) -> str:
        """See :class:`Explorer`."""
        return greedy_move(position)


def _plies(count: int) -> str:
    return count_of(count, "ply", "plies")
