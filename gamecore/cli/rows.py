"""``gamecore rows``: arrays in files, a shuffled deck, who should start, the table."""

# ruff: noqa: D102 (what a method means stands in GameCommand)

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gamecore import rows
from gamecore.cli.common import is_file
from gamecore.cli.games import GameCommand
from gamecore.contract import MoveValue
from gamecore.errors import GamecoreError
from gamecore.game import Json
from gamecore.limits import Limits
from gamecore.rows._position import read as read_row
from gamecore.text import checked_integer

if TYPE_CHECKING:
    import numpy.typing as npt

    from gamecore.draw import Picture


class RowsCommand(GameCommand[rows.Position, rows.Solution]):
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
    pictures = (*GameCommand.pictures, "table")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--plain", action="store_true", help="print the judge's answer alone")
        parser.add_argument("--deck", type=int, metavar="SEED", help="play on a shuffled deck: 2..14, four of each")
        parser.add_argument("--who-starts", action="store_true", help="also print who should take first, and why")
        parser.add_argument("--table", action="store_true", help="also print the table (at most 200 values)")

    def from_options(self, args: Namespace, chosen: Json) -> rows.Position | None:
        return None if args.deck is None else read_row(rows.deck(checked_integer(args.deck, "deck", 0)), **chosen)

    def read(self, word: str, chosen: Json) -> Iterator[rows.Position]:
        if is_file(word) and word.endswith(".npy"):
            return iter([read_row(read_array(word), **chosen)])
        return super().read(word, chosen)

    def extras(self, args: Namespace, position: rows.Position) -> tuple[list[str], Json]:
        lines = [] if args.deck is None else ["values " + " ".join(map(str, position.values))]
        fields: Json = {}
        if args.who_starts:
            limits = Limits(args.time_limit, args.node_limit)
            start = rows.who_should_start(position.values, limits, **_opponent(position))
            who = "unknown" if start.starter is None else self.game.words.name(start.starter)
            mine, theirs = map(self.game.words.short, (start.me_first, start.opponent_first))
            lines.append(f"who starts: {who} (value {mine} for me if I start, {theirs} for the opponent if it does)")
            fields["who_starts"] = start.starter
        if args.table:
            lines.append(_table_picture(position).text())
            fields["table"] = rows.table(position.values, **_opponent(position)).tolist()
        return lines, fields

    def picture(
        self, args: Namespace, position: rows.Position, moves: Iterable[MoveValue[float]], line: Sequence[str]
    ) -> "Picture":
        return _table_picture(position) if args.table else super().picture(args, position, moves, line)

    def answer(self, position: rows.Position, solution: rows.Solution) -> str:
        value = f"value {self.game.words.short(solution)} for {self.game.words.name(solution.to_move)}"
        if not solution.exact:
            return value
        best = " or ".join(solution.best_moves) or "none"
        return f"mine {solution.mine}  theirs {solution.theirs}  {value}  best {best}"

    def judge_answer(self, position: rows.Position, solution: rows.Solution) -> str:
        return f"{solution.mine} {solution.theirs}"


def _opponent(position: rows.Position) -> Json:
    return {"opponent": position.opponent, "ties": position.ties}


def _table_picture(position: rows.Position) -> "Picture":
    return rows.table_picture(position.values, **_opponent(position))


def read_array(path: str) -> "npt.ArrayLike":
    """Return the array of a .npy file; GamecoreError if it cannot be read or is no such file."""
    import numpy as np

    try:
        with open(path, "rb") as file, warnings.catch_warnings(action="ignore"):  # of headers that Python 2 wrote
            return np.lib.format.read_array(file, allow_pickle=False)
    except Exception as error:  # a damaged header is parsed as Python: many kinds of error
        reason = getattr(error, "strerror", None) or "not a .npy file of numbers that fits the memory"
        raise GamecoreError(f"cannot read {path!a}: {reason}") from None


PART = RowsCommand
