"""Rows as the page shows them."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from gamecore import rows
from gamecore.contract import Bounds, MoveValue
from gamecore.errors import ParseError
from gamecore.explore import _bounds
from gamecore.explore._explorer import Explorer, Json, choice_option, read_options, too_large, whole_option
from gamecore.limits import Limits
from gamecore.rows._position import greedy_move
from gamecore.rows._text import read_row
from gamecore.text import printable

OPPONENTS = ("optimal", "greedy", "cooperative")
_FIELDS = ("values", "opponent", "to_move", "mine", "theirs", "ties")


class Refinement:
    """All moves of a row are solved at once: there is nothing to be gone on with."""

    def __init__(self, position: rows.Position) -> None:
        self.nodes = 0
        self.table_bytes = 0
        self._position = position
        self._analysis: rows.Analysis | None = None

    def step(self, seconds: float) -> rows.Analysis:
        """What is proven."""
        if self._analysis is None or not self._analysis.exact:
            self._analysis = rows.analyse(self._position, Limits(seconds=max(seconds, 0.05)))
            self.nodes += self._analysis.nodes
        return self._analysis

    def line(self, move: str, seconds: float) -> Sequence[str]:
        """The move and best play after it."""
        found = rows.solve(self._position.play(move), Limits(seconds=seconds))
        self.nodes += found.nodes
        return (move, *found.line) if found.exact else ()


class Rows(Explorer):
    """See :class:`Explorer`."""

    library: ClassVar[Any] = rows
    game = "rows"
    title = "Rows"
    summary = "Take the leftmost or the rightmost value, in turn, against one of three opponents."
    start = "greedy:me:0:0:5,7,9,1,4,2"
    sides = ("me", "opponent")
    players = (
        ("solver", "Solver: takes a best end"),
        ("greedy", "Greedy: takes the larger end"),
        ("random", "Random: takes either end"),
    )
    options = (
        whole_option("n", "Values", 1, _bounds.ROW_VALUES, 8),
        choice_option("opponent", "Opponent", OPPONENTS, "optimal"),
        whole_option("plies", "Moves played", 0, _bounds.ROW_VALUES, 0),
    )
    accepts = (
        "the notation OPPONENT:MOVER:MINE:THEIRS:VALUES",
        "values alone, such as 5 7 9 1 (an optimal opponent, I go first)",
    )
    unit = "points"

    def read(self, text: str) -> rows.Position:
        """See :class:`Explorer`."""
        return _bounded(rows.Position.from_text(text))

    def read_many(self, text: str) -> Iterable[rows.Position]:
        """See :class:`Explorer`."""
        if ":" in text:
            return [self.read(text)]
        values = read_row(text.splitlines())
        if not values:
            raise ParseError("the text is empty; a row is written as its values")
        return [_bounded(rows.Position(values))]

    def build(self, draft: Json) -> rows.Position:
        """See :class:`Explorer`."""
        for name in draft:
            if name not in _FIELDS:
                raise ParseError(f"a draft of rows has no field {printable(name)}; it has {', '.join(_FIELDS)}")
        values = draft.get("values", [])
        if not isinstance(values, list):
            raise ParseError("values has to be a list of numbers, or of numbers as texts")
        numbers = read_row([" ".join(repr(_number(value, f"value {k}")) for k, value in enumerate(values, 1))])
        totals = [_number(draft.get(name, 0), name) for name in ("mine", "theirs")]
        given: Any = {"opponent": "optimal", "to_move": "me", "ties": "right"}
        given = {name: draft.get(name, default) for name, default in given.items()}
        return _bounded(rows.Position(numbers, mine=totals[0], theirs=totals[1], **given))

    def draft(self, position: rows.Position) -> Json:
        """See :class:`Explorer`."""
        texts = {name: repr(getattr(position, name)) for name in ("mine", "theirs")}
        return position.to_dict() | texts | {"values": list(map(repr, position.values))}

    def random(self, options: Json, seed: int) -> rows.Position:
        """See :class:`Explorer`."""
        return rows.random(**read_options(options, self.options), rng=seed)

    def state(self, position: rows.Position) -> Json:
        """See :class:`Explorer`."""
        return {
            "values": list(position.values),
            "labels": list(map(repr, position.values)),
            "mine": repr(position.mine),
            "theirs": repr(position.theirs),
            "opponent": position.opponent,
            "ties": position.ties,
            "to_move": position.to_move,
            "kind": "float" if isinstance(position.mine, float) else "int",
        }

    def move(self, position: rows.Position, move: str) -> Json:
        """See :class:`Explorer`."""
        index = 0 if move == "L" else len(position.values) - 1
        label = repr(position.values[index])
        end = "left" if move == "L" else "right"
        return {"move": move, "text": f"take {label} from the {end}", "index": index, "label": label}

    def turn(self, position: rows.Position) -> str:
        """See :class:`Explorer`."""
        if position.is_over:
            return "the game is over"
        return "I am to move" if position.to_move == "me" else "the opponent is to move"

    def result(self, position: rows.Position) -> str:
        """See :class:`Explorer`."""
        difference = position.mine - position.theirs
        who = "I win" if difference > 0 else "the opponent wins" if difference < 0 else "nobody wins"
        return f"{who}: {position.mine!r} to {position.theirs!r}"

    def label(self, position: rows.Position) -> str:
        """See :class:`Explorer`."""
        left = ", ".join(map(repr, position.values)) or "nothing"
        taken = f"I have {position.mine!r}, the {position.opponent} opponent has {position.theirs!r}"
        end = self.result(position) if position.is_over else self.turn(position)
        return f"A row with {left} left. {taken}; {end}."

    def refinement(self, position: rows.Position, table_mb: float) -> Refinement:
        """See :class:`Explorer`."""
        return Refinement(position)

    def _helps(self, position: rows.Position) -> bool:
        return position.opponent == "cooperative" and position.to_move == "opponent"

    def worst(self, entry: Bounds[Any], position: rows.Position) -> float:
        """Of a cooperative opponent, the best move is the one of least value to itself."""
        return float(-entry.upper if self._helps(position) else entry.lower)

    def best(self, entry: Bounds[Any], position: rows.Position) -> float:
        """See :meth:`worst`."""
        return float(-entry.lower if self._helps(position) else entry.upper)

    def whole(self, position: rows.Position, analysis: Any) -> Bounds[Any] | None:
        """See :class:`Explorer`."""
        if not analysis:
            return super().whole(position, analysis)
        choose = min if self._helps(position) else max
        return Bounds(choose(one.lower for one in analysis), choose(one.upper for one in analysis))

    def side(self, position: rows.Position) -> str:
        """See :class:`Explorer`."""
        return "I" if position.to_move == "me" else "the opponent"

    def words(self, bounds: Bounds[Any], position: rows.Position) -> str:
        """See :class:`Explorer`."""
        low, high, s = bounds.lower, bounds.upper, "" if position.to_move == "me" else "s"
        if not bounds.exact:
            return f"end{s} between {low!r} and {high!r}"
        if low == 0:
            return f"draw{s}"
        return f"win{s} by {low!r}" if low > 0 else f"lose{s} by {-low!r}"

    def more(self, entry: MoveValue[Any]) -> Json:
        """What both take in all, as texts: integers may be larger than a page's numbers."""
        totals = {name: getattr(entry, name) for name in ("mine", "theirs")}
        return {name: None if total is None else repr(total) for name, total in totals.items()}

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: rows.Position) -> tuple[float | None, str]:
        """See :class:`Explorer`."""
        if not (best.exact and entry.exact):
            return None, "is worse than the other end"
        difference = abs(best.lower - entry.lower)
        if self._helps(position):
            return difference, f"leaves me {difference!r} behind what it could be"
        return difference, f"costs {difference!r}"

    def greedy(self, position: rows.Position) -> str:
        """See :class:`Explorer`."""
        return greedy_move(position)

    def judge(self, position: rows.Position) -> str | None:
        """The values alone, where nothing is taken yet."""
        fresh = not position.mine and not position.theirs and position.values
        return " ".join(map(repr, position.values)) + "\n" if fresh else None


def _bounded(position: rows.Position) -> rows.Position:
    if len(position.values) > _bounds.ROW_VALUES:
        raise too_large(f"a row of {len(position.values)} values; the page shows at most {_bounds.ROW_VALUES}")
    return position


def _number(value: object, name: str) -> Any:
    """A number of a draft, or of its text."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        with suppress(ParseError):
            found = read_row([value], numbered=False)
            if len(found) == 1:
                return found[0]
    raise ParseError(f"{name} has to be a number, not {printable(value)}")
