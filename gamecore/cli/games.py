"""What the command knows of a game: :class:`GameCommand`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar

from gamecore.cli.common import OneLineParser
from gamecore.contract import Playable, Solution
from gamecore.game import Game, Json

if TYPE_CHECKING:
    from gamecore.draw import Picture


class GameCommand:
    """``gamecore GAME``. A game's ``part("cli")`` is a subclass; without one the defaults hold.

    Attributes:
        game: the game.
        accepts: the forms of text that are read, for people; the notation first.
        help: the end of ``--help``: formats and examples.
        text_is_words: whether several words of a command line are one text, and a line of a file may be long.
        draws_line: whether a drawing always shows the line of play.
        subcommands: such as ``gamecore hearts simulate``: of each the name, the help and a function that adds its
            arguments, and its ``run``, to a parser. A game that has some is solved by ``gamecore GAME solve``.
        table_mb: default table memory of a search in MiB; None without a table.
        pictures: the options that draw a picture, by argument; ``--output`` needs one of them.
        asks: what ``solve`` alone takes of ``threads`` and ``question``; options of the command are called so, too.
    """

    help: ClassVar[str] = ""
    text_is_words: ClassVar[bool] = False
    draws_line: ClassVar[bool] = False
    subcommands: ClassVar[tuple[tuple[str, str, Callable[[OneLineParser], None]], ...]] = ()
    accepts: tuple[str, ...] = ()
    table_mb: float | None = None
    pictures: ClassVar[dict[str, str]] = {"draw": "--draw", "trace": "--trace VERSION"}

    def __init__(self, game: Game) -> None:
        self.game = game
        self.accepts = self.accepts or (f"a notation such as {game.example}",)
        self.asks = {"threads", "question"} & {*signature(game.solve).parameters}

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the game's own options to the parser."""

    def solve_options(self, args: Namespace) -> Json:
        """Return keyword arguments of ``solve`` and ``analyse`` from parsed arguments."""
        return {}

    def search_options(self, args: Namespace) -> Json:
        """Return further keyword arguments of ``solve`` alone."""
        return {name: getattr(args, name) for name in self.asks}

    def from_options(self, args: Namespace, chosen: Json) -> Playable | None:
        """Return the position of options such as ``--start 6x6``; None without such an option.

        ``chosen`` are the options of :meth:`Game.parse` that were given.
        """
        return None

    def load(self, path: str, **options: Any) -> Playable | None:
        """Return the position of a binary file, recognised by its name; None for a text."""
        return None

    def extras(self, args: Namespace, position: Playable) -> tuple[list[str], list[str], Json]:
        """Return output of the game's own options: lines before and after the answer, and fields for ``--json``."""
        return [], [], {}

    def picture(self, args: Namespace, position: Playable, moves: Iterable[Any], line: Sequence[str]) -> "Picture":
        """Return the picture that ``--output`` writes without ``--trace``."""
        return self.game.picture(position, moves, line)

    def answer(self, position: Playable, solution: Solution[float, object]) -> str:
        """Return a solution as the command prints it."""
        words = self.game.words
        return f"{words.side(position)} {words.value(solution, position)}"

    def judge_answer(self, position: Playable, solution: Solution[float, object]) -> str:
        """Return an exact solution in the judge's output format; without a judge, :meth:`answer`."""
        return self.answer(position, solution)

    def is_complete(self, solution: Solution[float, object], line: bool) -> bool:
        """Return True if no limit left a solution open; ``line``: its line was asked for, and the game is not over."""
        return solution.answered and bool(solution.line or not line)


def command_of(game: Game) -> GameCommand:
    """Return what the command knows of a game: its part, or the defaults."""
    kind: type[GameCommand] = game.part("cli") or GameCommand
    return kind(game)
