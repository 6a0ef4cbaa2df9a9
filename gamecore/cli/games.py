"""What the command knows of a game: :class:`GameCommand`; ``rows`` and ``hearts`` have files of their own."""

# ruff: noqa: D102 (what a method means stands in GameCommand)

from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar

from gamecore.contract import Bounds, Solution
from gamecore.game import Game, Json


class GameCommand:
    """``gamecore GAME``: defaults, which suit a user's game. It may have ``accepts``, ``table_mb`` and ``threads``.

    Attributes:
        game: the game.
        accepts: the forms of text that are read, for people; the notation first.
        help: the end of ``--help``: formats and examples.
        text_is_words: whether several words of a command line are one text, and a line of a file may be long.
        draws_line: whether a drawing always shows the line of play.
        subcommands: such as ``gamecore hearts simulate``: of each the name, the help and a function that adds its
            arguments, and its ``run``, to a parser. A game that has some is solved by ``gamecore GAME solve``.
        table_mb: default table memory of a search in MiB; None without a table.
        threads: whether ``solve`` takes ``threads``.
    """

    help: ClassVar[str] = ""
    text_is_words: ClassVar[bool] = False
    draws_line: ClassVar[bool] = False
    subcommands: ClassVar[tuple[tuple[str, str, Callable[[Any], None]], ...]] = ()
    accepts: tuple[str, ...] = ()
    table_mb: float | None = None

    def __init__(self, game: Game) -> None:
        self.game = game
        self.accepts = self.accepts or getattr(game, "accepts", (f"a notation such as {game.example}",))
        self.table_mb = self.table_mb or getattr(game, "table_mb", None)
        self.threads: bool = getattr(game, "threads", False)

    def add_arguments(self, parser: Any) -> None:
        """Add the game's own options to the parser."""

    def solve_options(self, args: Any) -> Json:
        """Return keyword arguments of ``solve`` and ``analyse`` from parsed arguments."""
        return {}

    def from_options(self, args: Any, chosen: Json) -> Any | None:
        """Return the position of options such as ``--start 6x6``; None without such an option.

        ``chosen`` are the options of :meth:`Game.parse` that were given.
        """
        return None

    def load(self, path: str, **options: Any) -> Any | None:
        """Return the position of a binary file, recognised by its name; None for a text."""
        return None

    def extras(self, args: Any, position: Any) -> tuple[list[str], list[str], Json]:
        """Return output of the game's own options: lines before and after the answer, and fields for ``--json``."""
        return [], [], {}

    def answer(self, position: Any, solution: Any) -> str:
        """Return a solution as the command prints it."""
        words = self.game.words
        return f"{words.side(position)} {words.value(solution, position)}"

    def judge_answer(self, position: Any, solution: Any) -> str:
        """Return an exact solution in the judge's output format; without a judge, :meth:`answer`."""
        return self.answer(position, solution)

    def is_complete(self, solution: Solution[Any, Any], line: bool) -> bool:
        """Return True if no limit left a solution open; ``line``: its line was asked for, and the game is not over."""
        return solution.exact and bool(solution.line or not line)


class SolverCommand(GameCommand):
    """The command of a game whose package has a ``Solver``: a table, which threads may share."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table_mb = import_module(f"gamecore.{game.name}").Solver.default_table_mb
        self.threads = True


class DuelCommand(SolverCommand):
    """``gamecore duel``: the judge's two lines."""

    accepts = ("the notation ALICE:BOB:MOVER:LAST", "the judge's text: n, then a line with each hand")
    help = """\
input, as many deals as you like:      output for each, the judge's two lines:
  3                                      Alice
  DQ H2 HA                               9
  H3 D6 S3

or one position as an argument: hands, side to move (A or B) and the card to
match (- for none):
  gamecore duel DQH2:D6S3:A:H3

A card is its suit (C D H S) and its number (A 2-9 T J Q K). The two lines are
the winner and the points that the loser pays. Values belong to the side to
move, which is named beside them. After a limit the two lines are the winner
and LOW..HIGH points, or ? and bounds of the value if the winner is unknown.

example:  printf '3\\nDQ H2 HA\\nH3 D6 S3\\n' | gamecore duel --line --analyse"""

    def answer(self, position: Any, solution: Any) -> str:
        if solution.exact:
            return f"{solution.winner}\n{solution.points}"
        if solution.winner:
            low, high = sorted((abs(solution.lower), abs(solution.upper)))
            return f"{solution.winner}\n{low}..{high}"
        return f"?\n{Bounds.__str__(solution)} for {solution.to_move}"


class HexapawnCommand(SolverCommand):
    """``gamecore hexapawn``: the judge's number, and ``--start``."""

    accepts = (
        "the notation BOARD:MOVER, such as ppp/3/PPP:w",
        "the judge's text: rows, columns, then the board",
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

example:  gamecore hexapawn --start 5x5 --line"""

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--start", metavar="RxC", help="solve the start position of R rows and C columns instead of a file"
        )

    def from_options(self, args: Any, chosen: Json) -> Any | None:
        from gamecore.hexapawn._game import start_of

        return None if args.start is None else start_of(args.start, "--start", **chosen)

    def answer(self, position: Any, solution: Any) -> str:
        if solution.exact:
            return str(solution.lower)
        return f"{'' if solution.winner else '? '}{Bounds.__str__(solution)} for {solution.to_move}"


def command_of(game: Game) -> GameCommand:
    """Return what the command knows of a game."""
    if game.name in ("rows", "hearts"):
        module = import_module(f"gamecore.cli.{game.name}")
        command: GameCommand = getattr(module, f"{game.name.capitalize()}Command")(game)
        return command
    return {"duel": DuelCommand, "hexapawn": HexapawnCommand}.get(game.name, GameCommand)(game)
