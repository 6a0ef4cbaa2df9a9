"""``gamecore hexapawn``: the judge's number, and ``--start``."""

# ruff: noqa: D102 (what a method means stands in GameCommand)

from argparse import ArgumentParser, Namespace

from gamecore.cli.common import complain, output_file
from gamecore.cli.games import GameCommand
from gamecore.game import Json
from gamecore.hexapawn import Position, Solution
from gamecore.hexapawn._position import start_of
from gamecore.hexapawn._solve import DEFAULT_TABLE_MB


class HexapawnCommand(GameCommand[Position, Solution]):
    """``gamecore hexapawn``: the judge's number, and ``--start``."""

    table_mb = DEFAULT_TABLE_MB
    accepts = (
        "the notation BOARD:MOVER, such as ppp/3/PPP:w",
        "the judge's text: rows, columns, then the board",
        "W or B (to move), then the board, with . for an empty square",
        "a start position, such as 6x6",
    )
    help = """\
input:      output, the value for the side to move:
  3           3
  3
  ppp       0: it has lost; n: it wins in n plies; -n: it loses in n plies.
    P       After a limit: LOW..HIGH and the side to move, with ? in
  PP        front if the winner is unknown.

Rows, columns, then the rows, top row first: P white (moves up), p black,
blank: empty. At most 64 squares.

A file may hold many boards. Or one position, as an argument or as a line of a
file: rows joined by /, runs of empty squares as numbers, and the side to move
(w or b):
  gamecore hexapawn ppp/2P/PP1:w

A search of hours: --question outcome --progress --table-file FILE. Stopped or
killed, it goes on with the same command.

example:  gamecore hexapawn --start 5x5 --line"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--start", metavar="RxC", help="solve the start position of R rows and C columns instead of a file")
        add(
            "--table-file",
            type=output_file,
            metavar="FILE",
            help="keep a copy of the table there, every ten minutes: go on after a stop",
        )
        text = "on stderr, each minute, how far the search is"
        add("--progress", action="store_const", const=lambda progress: complain(str(progress)), help=text)

    def from_options(self, args: Namespace, chosen: Json) -> Position | None:
        return None if args.start is None else start_of(args.start, "--start", **chosen)

    def answer(self, position: Position, solution: Solution) -> str:
        if solution.question == "outcome":
            return str(solution)
        if solution.exact:
            return str(solution.lower)
        return f"{'' if solution.winner else '? '}{self.game.words.short(solution)} for {solution.to_move}"


PART = HexapawnCommand
