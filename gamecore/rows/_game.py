"""Rows as a :class:`gamecore.game.Game`."""

from collections.abc import Sequence
from typing import Any, Final

from gamecore.contract import Bounds, MoveValue
from gamecore.game import Choice, Game, Option, Player, Words, checked, takes
from gamecore.rows._position import Position, greedy_move, parse, random
from gamecore.rows._solve import analyse, solve
from gamecore.rows.opponents import NAMES, OPPONENTS

_OPTIONS: Final = (
    Option("n", "Values", 8, 1, 1000, flag="values"),
    Option("opponent", "Opponent", "optimal", choices=NAMES),
)
_ENDS: Final = {"L": "left", "R": "right"}


class _Words(Words):
    """See :class:`gamecore.game.Words`; people are "me"."""

    def name(self, side: Any, me: Any = None) -> str:
        return "you" if side == me else "me" if (side, me) == ("me", None) else "the opponent"

    def side(self, position: Any) -> str:
        return self.name(position.to_move, "me")

    def turn(self, position: Any, me: Any = None) -> str:
        me = me or "me"
        if not position.is_over:
            who = self.name(position.to_move, me)
            return f"{who} {'are' if who == 'you' else 'is'} to move"
        mine, theirs = position.mine, position.theirs
        if me == "opponent":
            mine, theirs = theirs, mine
        winner = "you win" if mine > theirs else "you lose" if theirs > mine else "a draw"
        return f"{winner}: {mine!r} to {theirs!r}"

    def move(self, position: Any, move: str) -> str:
        return f"take {position.values[0 if move == 'L' else -1]!r} from the {_ENDS[move]}"

    def value(self, bounds: Bounds[Any], position: Any) -> str:
        low, high, s = bounds.lower, bounds.upper, "" if position.to_move == "me" else "s"
        if not bounds.exact:
            return f"end{s} between {low!r} and {high!r}"
        if low == 0:
            return f"draw{s}"
        return f"win{s} by {low!r}" if low > 0 else f"lose{s} by {-low!r}"

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        if not (best.exact and entry.exact):
            return None, "is worse than the other end"
        difference = abs(best.lower - entry.lower)
        if position._is_helping():
            return difference, f"leaves you {difference!r} behind what it could be"
        return difference, f"costs {difference!r}"

    def order(self, bounds: Bounds[Any], position: Any) -> tuple[float, float]:
        low, high = super().order(bounds, position)
        return (-high, -low) if position._is_helping() else (low, high)

    def bounds_from_moves(self, moves: Sequence[MoveValue[Any]], position: Any) -> Bounds[Any]:
        choose = min if position._is_helping() else max
        return Bounds(choose(entry.lower for entry in moves), choose(entry.upper for entry in moves))


class Rows(Game):
    """See :class:`gamecore.game.Game`."""

    name = "rows"
    title = "Rows"
    rules = "\n".join(
        (
            "Two players take turns and take the leftmost or the rightmost value of a row.",
            "When the row is empty, the player with the larger total wins.",
            *(opponent.rule for opponent in OPPONENTS),
        )
    )
    sides = ("me", "opponent")
    example = "greedy:me:0:0:5,7,9,1,4,2"
    Position = Position

    @property
    def words(self) -> _Words:
        return _Words(self)

    @takes(*_OPTIONS)
    def start(self, *, rng: Any = None, **options: Any) -> Any:
        return random(**checked(options, _OPTIONS), plies=0, rng=rng)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Any:
        return random(**checked(options, _OPTIONS), plies=plies, rng=rng)

    parse: Any = staticmethod(parse)
    solve: Any = staticmethod(solve)
    analyse: Any = staticmethod(analyse)

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("takes the larger end", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}

    def picture(
        self, position: Any, moves: Any = (), line: Any = (), *, seat: int | None = None, width: int | None = None
    ) -> Any:
        from gamecore.rows._picture import picture

        return picture(position, moves, line, width)


GAME = Rows()
parse_many = GAME.parse_many  #: positions of a file's lines, see [gamecore.game.Game.parse_many][]
