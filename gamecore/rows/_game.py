"""Rows as a :class:`gamecore.game.Game`."""

import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from gamecore import contract
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.game import Choice, Json, Lines, Option, PackageGame, Player, checked
from gamecore.limits import Limits
from gamecore.rows._numbers import numbers
from gamecore.rows._position import Position, greedy_move, random
from gamecore.rows._results import whose
from gamecore.rows._solve import who_should_start
from gamecore.rows._text import parse_row, read_row, split_rows
from gamecore.text import SEPARATOR

OPPONENTS = ("optimal", "greedy", "cooperative")
_PRINTED = 200  # values of a row whose table is printed
_ENDS = {"L": "left", "R": "right"}


class Rows(PackageGame):
    """See :class:`gamecore.game.Game`."""

    name = "rows"
    title = "Rows"
    summary = "Take the leftmost or the rightmost value, in turn, against one of three opponents."
    rules = """\
Two players take turns and take the leftmost or the rightmost value of a row.
When the row is empty, the player with the larger total wins.
The optimal opponent plays as well as possible.
The greedy opponent always takes the larger end.
The cooperative opponent helps me."""
    sides = ("me", "opponent")
    notation = "OPPONENT:MOVER:MINE:THEIRS:VALUES"
    accepts = (
        "the notation OPPONENT:MOVER:MINE:THEIRS:VALUES",
        "values alone, such as 5 7 9 1 (an optimal opponent, I go first)",
    )
    example = "greedy:me:0:0:5,7,9,1,4,2"
    help = """\
Values are integers, or floats if one of them has a point or an exponent,
separated by blanks or commas. A file has one row per line; a line with its
count may come before it. The notation of a position names both sides,
OPPONENT:MOVER:MINE:THEIRS:VALUES:
  gamecore rows greedy:me:0:0:5,7,9

example:
  gamecore rows 5 7 9 1 4 2 --opponent greedy --first sister --line --draw"""
    text_is_words = True
    draws_line = True
    options = (
        Option("n", "Values", 8, 1, 1000, flag="values"),
        Option("opponent", "Opponent", "optimal", choices=OPPONENTS),
    )
    text_options = (
        Option("opponent", "Opponent", "optimal", choices=(*OPPONENTS, "smart", "dumb")),
        Option("first", "Who takes first", "me", choices=("me", "opponent", "sister")),
        Option("ties", "The greedy opponent's end on a tie", "right", choices=("right", "left")),
    )
    position_type = Position

    def start(self, *, rng: Any = None, **options: Any) -> Position:
        return random(**checked(options, self.options), plies=0, rng=rng)

    def random(self, *, rng: Any = None, plies: int | None = None, **options: Any) -> Position:
        return random(**checked(options, self.options), plies=plies, rng=rng)

    def parse(self, text: str, **options: Any) -> Position:
        if SEPARATOR in text:
            if options:
                raise OptionError("--opponent, --first and --ties are for bare values: the notation names them")
            return Position.from_text(text)
        return self._started(parse_row(text), options)

    def split(self, lines: Lines) -> Lines:
        return split_rows(lines)

    def _started(self, values: Any, options: Json) -> Position:
        chosen: Any = checked(options, self.text_options)
        chosen["to_move"] = chosen.pop("first")
        return Position(numbers(values), **chosen)  # an empty row is not played

    def add_solve_arguments(self, parser: Any) -> None:
        parser.add_argument("--plain", action="store_true", help="print the judge's answer alone")
        parser.add_argument("--deck", type=int, metavar="SEED", help="play on a shuffled deck: 2..14, four of each")
        parser.add_argument("--who-starts", action="store_true", help="also print who should take first, and why")
        parser.add_argument("--table", action="store_true", help=f"also print the table (at most {_PRINTED} values)")

    def from_options(self, args: Any, chosen: Json) -> Position | None:
        if args.deck is None:
            return None
        from gamecore.rows._play import deck

        return self._started(deck(args.deck), chosen)

    def load(self, path: str, **options: Any) -> Position | None:
        return self._started(load(path), options) if path.endswith(".npy") else None

    def extras(self, args: Any, position: Any) -> tuple[list[str], list[str], Json]:
        before = [] if args.deck is None or args.json else ["values " + " ".join(map(str, position.values))]
        after: list[str] = []
        fields: Json = {}
        if args.who_starts:
            limits, opponent = Limits(args.time_limit, args.node_limit), position.opponent
            start = who_should_start(position.values, limits, opponent=opponent, ties=position.ties)
            after.append(f"who starts: {_starts(start)}")
            fields["who_starts"] = start.starter
        if not args.table:
            return before, after, fields
        if len(position.values) > _PRINTED:
            raise GamecoreError(f"--table prints at most {_PRINTED} values, not {len(position.values)}")
        from gamecore.rows._table import table

        cells = table(position.values, opponent=position.opponent, ties=position.ties).tolist()
        return before, [*after, *_printed(cells)], fields | {"table": cells}

    def whose(self, side: Any) -> str:
        return whose(side)

    def looks_like(self, lines: Sequence[str]) -> bool:
        if super().looks_like(lines):
            return True
        count = bool(lines) and lines[0].strip().isdigit()  # other games' texts begin with a count, too
        with suppress(ParseError):
            return bool(lines) and bool(read_row(lines[: 2 if count else 1])) and not _two_counts(lines)
        return False

    @property
    def players(self) -> dict[str, Player]:
        greedy = Player("takes the larger end", lambda position, *_: Choice(greedy_move(position), False))
        return {**super().players, "greedy": greedy}

    def order(self, bounds: Bounds[Any], position: Any) -> tuple[float, float]:
        if _helps(position):  # a cooperative opponent wants the least for itself
            return float(-bounds.upper), float(-bounds.lower)
        return super().order(bounds, position)

    def joined(self, moves: Sequence[contract.MoveValue[Any]], position: Any) -> Bounds[Any]:
        choose = min if _helps(position) else max
        return Bounds(choose(entry.lower for entry in moves), choose(entry.upper for entry in moves))

    def side(self, position: Any) -> str:
        return "you" if position.to_move == "me" else "the opponent"

    def describe(self, bounds: Bounds[Any], position: Any) -> str:
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
        if _helps(position):
            return difference, f"leaves you {difference!r} behind what it could be"
        return difference, f"costs {difference!r}"

    def answer(self, solution: contract.Solution[Any, Any]) -> str:
        row: Any = solution
        value = f"value {Bounds.__str__(row)} for {self.whose(row.to_move)}"
        if not row.exact:
            return value
        return f"mine {row.mine}  theirs {row.theirs}  {value}  best {' or '.join(row.best_moves) or 'none'}"

    def judge_answer(self, position: Any, solution: contract.Solution[Any, Any]) -> str:
        row: Any = solution
        return f"{row.mine} {row.theirs}"

    def turn(self, position: Any) -> str:
        if position.is_over:
            return "the game is over"
        return "you are to move" if position.to_move == "me" else "the opponent is to move"

    def result(self, position: Any, me: Any = None) -> str:
        mine, theirs = _totals(position, me)
        winner = "you win" if mine > theirs else "the opponent wins" if theirs > mine else "a draw"
        return f"{winner}: {mine!r} to {theirs!r}"

    def called(self, side: Any, me: Any = None) -> str:
        return "you" if side == me else "the opponent" if me is not None else str(side)

    def move_text(self, position: Any, move: str) -> str:
        return f"take {_end(position, move)!r} from the {_ENDS[move]}"


def _starts(start: Any) -> str:
    """Return who should take first, with both differences of totals."""
    mine, theirs = (Bounds.__str__(solution) for solution in (start.me_first, start.opponent_first))
    who = "unknown" if start.starter is None else whose(start.starter)
    return f"{who} (value {mine} for me if I start, {theirs} for the opponent if it does)"


def _printed(cells: list[list[Any]]) -> list[str]:
    """Return the upper triangle of a table in columns."""
    shown = [[str(cell) if j >= i else "" for j, cell in enumerate(line)] for i, line in enumerate(cells)]
    width = max((len(text) for line in shown for text in line), default=0)
    return [" ".join(text.rjust(width) for text in line) for line in shown]


def load(path: str) -> Any:
    """Return the array of a .npy file; raise GamecoreError if it cannot be read, or is not one."""
    import numpy as np

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that Python 2 wrote: our messages are one line
            array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise GamecoreError(f"cannot read {path!a}: {error.strerror or 'not a .npy file'}") from None
    except MemoryError:
        raise GamecoreError(f"cannot read {path!a}: it says that it is larger than the memory there is") from None
    except Exception:  # a damaged header is parsed as Python, a zip as a zip: many kinds of error say the same
        raise GamecoreError(f"cannot read {path!a}: not a .npy file of numbers") from None
    if not isinstance(array, np.ndarray):
        raise GamecoreError(f"cannot read {path!a}: not a .npy file of numbers")
    return array


def _end(position: Any, move: str) -> Any:
    """Return the value that a move takes."""
    return position.values[0 if move == "L" else -1]


def _totals(position: Any, me: Any) -> tuple[Any, Any]:
    """Return the totals of the side that a person plays, and of the other."""
    return (position.theirs, position.mine) if me == "opponent" else (position.mine, position.theirs)


def _helps(position: Any) -> bool:
    return bool(position.opponent == "cooperative" and position.to_move == "opponent")


def _two_counts(lines: Sequence[str]) -> bool:
    """Return True if the first two lines are one whole number each, as in a Hexapawn board."""
    return len(lines) > 1 and all(len(line.split()) == 1 and line.strip().isdigit() for line in lines[:2])


GAME = Rows()
