"""What the command knows of a game: :class:`GameCommand`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import signature
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from gamecore.cli.common import MAX_INPUT_BYTES, MAX_LINE_BYTES, await_input, positions_of
from gamecore.contract import MoveValue, Playable, Solution
from gamecore.errors import ParseError
from gamecore.game import Game, Json

if TYPE_CHECKING:
    from gamecore.draw import Picture

Position = TypeVar("Position", bound=Playable)
Answer = TypeVar("Answer", bound=Solution[float, object])
_ASKS: Final = ("threads", "question", "method", "table_file", "progress")  # arguments of solve: options, where there


class GameCommand(Generic[Position, Answer]):
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
        pictures: the options that draw a picture; ``--output`` needs one of them.
        asks: arguments of ``solve`` that are options of the command.
    """

    help: ClassVar[str] = ""
    text_is_words: ClassVar[bool] = False
    draws_line: ClassVar[bool] = False
    subcommands: ClassVar[tuple[tuple[str, str, Callable[[ArgumentParser], None]], ...]] = ()
    accepts: tuple[str, ...] = ()
    table_mb: float | None = None
    pictures: ClassVar[tuple[str, ...]] = ("draw", "trace")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.accepts = self.accepts or (f"a notation such as {game.example}",)
        self.asks = {*_ASKS} & {*signature(game.solve).parameters}

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the game's own options to the parser."""

    def from_options(self, args: Namespace, chosen: Json) -> Position | None:
        """Return the position of options such as ``--start 6x6``; None without such an option.

        ``chosen`` are the options of :meth:`Game.parse` that were given.
        """
        return None

    def read(self, word: str, chosen: Json) -> Iterator[Position]:
        """Yield the positions of a file, of stdin or of a notation."""
        if word == "-":
            await_input(self.game.name, " or ".join(self.accepts))
        position = None
        longest = MAX_INPUT_BYTES if self.text_is_words else MAX_LINE_BYTES
        for position in positions_of(self.game, word, chosen, longest):
            yield position
        if position is None:
            raise ParseError("no position: the input is empty")

    def extras(self, args: Namespace, position: Position) -> tuple[list[str], Json]:
        """Return what the game's own options print: lines behind the answer, and fields for ``--json``."""
        return [], {}

    def picture(
        self, args: Namespace, position: Position, moves: Iterable[MoveValue[float]], line: Sequence[str]
    ) -> "Picture":
        """Return the picture that ``--output`` writes without ``--trace``."""
        return self.game.picture(position, moves, line)

    def answer(self, position: Position, solution: Answer) -> str:
        """Return a solution as the command prints it."""
        words = self.game.words
        return f"{words.side(position)} {words.value(solution, position)}"

    def judge_answer(self, position: Position, solution: Answer) -> str:
        """Return an exact solution in the judge's output format; without a judge, :meth:`answer`."""
        return self.answer(position, solution)

    def is_complete(self, solution: Answer, line: bool) -> bool:
        """Return True if no limit left a solution open; ``line``: its line was asked for, and the game is not over."""
        return solution.answered and bool(solution.line or not line)


AnyCommand = GameCommand[Playable, Solution[float, object]]


def command_of(game: Game) -> AnyCommand:
    """Return what the command knows of a game: its part, or the defaults."""
    kind: type[AnyCommand] = game.part("cli") or AnyCommand
    return kind(game)
