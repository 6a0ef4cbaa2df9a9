"""``gamecore rows``: arrays in files, a shuffled deck, who should start, the table."""

# ruff: noqa: D102 (what a method means stands in GameCommand)

import warnings
from typing import TYPE_CHECKING, Any

from gamecore import rows
from gamecore.cli.games import GameCommand
from gamecore.errors import GamecoreError
from gamecore.game import Json
from gamecore.limits import Limits
from gamecore.text import checked_integer

if TYPE_CHECKING:
    from gamecore.draw import Picture


class RowsCommand(GameCommand):
    """``gamecore rows``."""

    accepts = (
        "the notation OPPONENT:MOVER:MINE:THEIRS:VALUES",
        "values alone, such as 5 7 9 1 (an optimal opponent, I go first)",
    )
    help = """\
Values are integers, separated by blanks or commas. A file has one row per
line; a line with its count may come before it. The notation of a position
names both sides, OPPONENT:MOVER:MINE:THEIRS:VALUES:
  gamecore rows greedy:me:0:0:5,7,9

example:
  gamecore rows 3 9 4 1 2 --opponent greedy --first sister --line --draw"""
    text_is_words = True
    draws_line = True
    pictures = {**GameCommand.pictures, "table": "--table"}  # noqa: RUF012

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--plain", action="store_true", help="print the judge's answer alone")
        parser.add_argument("--deck", type=int, metavar="SEED", help="play on a shuffled deck: 2..14, four of each")
        parser.add_argument("--who-starts", action="store_true", help="also print who should take first, and why")
        parser.add_argument("--table", action="store_true", help="also print the table (at most 200 values)")

    def from_options(self, args: Any, chosen: Json) -> rows.Position | None:
        return None if args.deck is None else _started(rows.deck(checked_integer(args.deck, "deck", 0)), **chosen)

    def load(self, path: str, **options: Any) -> rows.Position | None:
        return _started(read_array(path), **options) if path.endswith(".npy") else None

    def extras(self, args: Any, position: Any) -> tuple[list[str], list[str], Json]:
        before = [] if args.deck is None else ["values " + " ".join(map(str, position.values))]
        after: list[str] = []
        fields: Json = {}
        if args.who_starts:
            limits, opponent = Limits(args.time_limit, args.node_limit), position.opponent
            start = rows.who_should_start(position.values, limits, opponent=opponent, ties=position.ties)
            who = "unknown" if start.starter is None else self.game.words.name(start.starter)
            mine, theirs = map(self.game.words.short, (start.me_first, start.opponent_first))
            after.append(f"who starts: {who} (value {mine} for me if I start, {theirs} for the opponent if it does)")
            fields["who_starts"] = start.starter
        if args.table:
            after.append(_table_picture(position).text())
            fields["table"] = rows.table(position.values, opponent=position.opponent, ties=position.ties).tolist()
        return before, after, fields

    def picture(self, args: Any, position: Any, moves: Any, line: Any) -> "Picture":
        return _table_picture(position) if args.table else super().picture(args, position, moves, line)

    def answer(self, position: Any, solution: Any) -> str:
        value = f"value {self.game.words.short(solution)} for {self.game.words.name(solution.to_move)}"
        if not solution.exact:
            return value
        best = " or ".join(solution.best_moves) or "none"
        return f"mine {solution.mine}  theirs {solution.theirs}  {value}  best {best}"

    def judge_answer(self, position: Any, solution: Any) -> str:
        return f"{solution.mine} {solution.theirs}"


def _table_picture(position: Any) -> "Picture":
    return rows.table_picture(position.values, opponent=position.opponent, ties=position.ties)


def _started(values: Any, opponent: Any = "optimal", first: Any = "me", ties: Any = "right") -> rows.Position:
    """Return the first position of a row, which must not be empty."""
    position = rows.Position(values, opponent, first, ties=ties)
    if position.is_over:
        raise GamecoreError("values: the row is empty")
    return position


def read_array(path: str) -> Any:
    """Return the array of a .npy file; GamecoreError if it cannot be read or is no such file."""
    import numpy as np

    reason = "not a .npy file of numbers"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that Python 2 wrote: our messages are one line
            array = np.load(path, allow_pickle=False)
        if isinstance(array, np.ndarray):
            return array
    except OSError as error:
        reason = error.strerror or "not a .npy file"
    except MemoryError:
        reason = "it says that it is larger than the memory there is"
    except Exception:  # a damaged header is parsed as Python, a zip as a zip: many kinds of error
        pass
    raise GamecoreError(f"cannot read {path!a}: {reason}")


PART = RowsCommand
