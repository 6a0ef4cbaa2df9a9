"""What the command knows of a game: :class:`GameCommand`, with a file of this package for each special game."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from gamecore.contract import Solution
from gamecore.game import BUILT_IN, Game, Json


@dataclass(frozen=True)
class Subcommand:
    """A subcommand of a game, such as ``gamecore hearts simulate``.

    Attributes:
        name, help: as ``--help`` lists it.
        add: ``add(parser)`` adds its arguments.
        run: ``run(args)`` returns the exit status.
        reads: whether it takes positions and limits as ``solve`` does: ``args.positions`` yields the positions,
            ``args.limits`` are the limits.
    """

    name: str
    help: str
    add: Callable[[Any], None]
    run: Callable[[Any], int]
    reads: bool = False


class GameCommand:
    """``gamecore GAME``: defaults, which suit a user's game.

    Attributes:
        game: the game.
        accepts: the forms of text that are read, for people; the notation first.
        help: the end of ``--help``: formats and examples.
        text_is_words: whether several words of a command line are one text, and a line of a file may be long.
        draws_line: whether a drawing always shows the line of play.
        subcommands: a game with subcommands is solved by one more, ``gamecore GAME solve``.
        table_mb: default table memory of a search in MiB; None without a table.
        threads: whether ``solve`` takes ``threads``.
    """

    help: ClassVar[str] = ""
    text_is_words: ClassVar[bool] = False
    draws_line: ClassVar[bool] = False
    subcommands: ClassVar[tuple[Subcommand, ...]] = ()
    accepts: tuple[str, ...] = ()
    table_mb: float | None = None
    threads: bool = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self.accepts = self.accepts or getattr(game, "accepts", (f"a notation such as {game.example}",))
        self.table_mb = self.table_mb or getattr(game, "table_mb", None)
        self.threads = self.threads or getattr(game, "threads", False)

    def add_arguments(self, parser: Any) -> None:
        """Add the game's own options to the parser."""

    def solve_options(self, args: Any) -> Json:
        """Return keyword arguments of ``solve`` and ``analyse`` from parsed arguments."""
        return {}

    def from_options(self, args: Any, chosen: Json) -> Any | None:
        """Return the position of options such as ``--start 6x6``; None without such an option.

        Args:
            args: parsed arguments.
            chosen: options of :meth:`Game.parse` that were given.

        Raises:
            OptionError: a bad option.
        """
        return None

    def load(self, path: str, **options: Any) -> Any | None:
        """Return the position of a binary file, recognised by its name; None for a text.

        Raises:
            GamecoreError: the file cannot be read.
        """
        return None

    def extras(self, args: Any, position: Any) -> tuple[list[str], list[str], Json]:
        """Return output of the game's own options: lines before and after the answer, and fields for ``--json``."""
        return [], [], {}

    def answer(self, position: Any, solution: Any) -> str:
        """Return a solution as the command prints it."""
        words = self.game.words
        return f"{words.name(solution.to_move)} {words.value(solution, position)}"

    def judge_answer(self, position: Any, solution: Any) -> str:
        """Return an exact solution in the judge's output format; without a judge, :meth:`answer`."""
        return self.answer(position, solution)

    def is_complete(self, solution: Solution[Any, Any], line: bool) -> bool:
        """Return True if no limit left a solution open; ``line``: its line was asked for, and the game is not over."""
        return solution.exact and bool(solution.line or not line)


def command_of(game: Game) -> GameCommand:
    """Return what the command knows of a game."""
    if game.name not in BUILT_IN:
        return GameCommand(game)
    module = import_module(f"gamecore.cli.{game.name}")
    command: GameCommand = getattr(module, f"{game.name.capitalize()}Command")(game)
    return command
