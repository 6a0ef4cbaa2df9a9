"""What every tool asks of a game: :class:`Game`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from gamecore import contract
from gamecore.contract import Analysis, Bounds
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.game._option import Json, Option
from gamecore.game._parts import Choice, Command, Player, random_move
from gamecore.limits import Limits
from gamecore.text import SEPARATOR, printable

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.draw import Picture
    from gamecore.rng import Rng
    from gamecore.search import Refinement

Lines = Iterator[tuple[int, str]]  #: numbered lines of a file; the first has number 1


class Game(ABC):
    """What every tool asks of a game.

    Attributes:
        name: the package's name and the command's word.
        title, summary: for people; the summary is one or two sentences.
        rules: the rules in about five lines.
        sides: who plays, the side that usually begins first.
        unit: of values, such as ``points``.
        notation: field names of :meth:`Position.to_text`, such as ``ALICE:BOB:MOVER:LAST``.
        accepts: the forms of text that are read, for people.
        example: the notation of the position that is shown first.
        help: more about the command, for the end of ``--help``: formats and examples.
        text_is_words: whether several words of a command line are one text, and a line of a file may be long.
        draws_line: whether a drawing always shows the line of play.
        options: options of :meth:`start` and :meth:`random`.
        text_options: options that a judge's text leaves open, such as the side to move.
        players: computer players by name; ``solver`` first.
        commands: see :class:`Command`; a game with commands is solved by one more, ``gamecore NAME solve``.
        table_mb: default table memory for single searches in MiB; None without a table.
        threads: whether :meth:`solve` takes ``threads``.
        position_type: the class of positions.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    rules: ClassVar[str]
    sides: ClassVar[tuple[str, ...]]
    unit: ClassVar[str] = "points"
    notation: ClassVar[str]
    accepts: ClassVar[tuple[str, ...]]
    example: ClassVar[str]
    help: ClassVar[str] = ""
    text_is_words: ClassVar[bool] = False
    draws_line: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = ()
    text_options: ClassVar[tuple[Option, ...]] = ()
    commands: ClassVar[tuple[Command, ...]] = ()
    table_mb: ClassVar[int | None] = None
    threads: ClassVar[bool] = False
    position_type: ClassVar[Any]

    # --- positions in and out

    @abstractmethod
    def start(self, *, rng: "Rng" = None, **options: Any) -> Any:
        """Return the start position of a new game; ``rng``: of random deals.

        Raises:
            OptionError: a bad option.
        """

    @abstractmethod
    def random(self, *, rng: "Rng" = None, plies: int | None = None, **options: Any) -> Any:
        """Return a random position; see the package's ``random``."""

    def read(self, position: Any) -> Any:
        """Return a position, or that of a text in any accepted form.

        Raises:
            ParseError: a bad text. OptionError: neither a position nor a text.
        """
        if isinstance(position, str):
            return self.parse(position)
        if not isinstance(position, self.position_type):
            raise OptionError(f"a {self.name} position or its text is needed, not {printable(position)}")
        return position

    def parse(self, text: str, **options: Any) -> Any:
        """Return the position of a text in any accepted form; ``options``: those of ``text_options``.

        Raises:
            ParseError: a bad text. OptionError: a bad option.
        """
        return self.position_type.from_text(text)

    def split(self, lines: Lines) -> Lines:
        """Split a file's lines into texts for :meth:`parse`: pairs (number of the first line, text).

        Raises:
            ParseError: it cannot tell where a text ends.
        """
        return ((number, text.strip()) for number, text in lines if text.strip())

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return True if the first lines of a file that are not blank look like this game's texts.

        The default recognises the notation.
        """
        if not lines or SEPARATOR not in lines[0]:
            return False
        try:
            self.position_type.from_text(lines[0].strip())
        except GamecoreError:
            return False
        return True

    def read_many(self, lines: Iterable[str], **options: Any) -> Iterator[Any]:
        """Return the positions of a file's lines, one after another.

        Raises:
            ParseError: a bad text; it names the line of the file.
        """
        for number, text in self.split(enumerate(lines, start=1)):
            try:
                yield self.parse(text, **options)
            except ParseError as error:
                raise error.moved(number) from None

    # --- answers

    @abstractmethod
    def solve(self, position: Any, limits: Limits | None = None, **options: Any) -> contract.Solution[Any, Any]:
        """See the package's ``solve``."""

    @abstractmethod
    def analyse(self, position: Any, limits: Limits | None = None, **options: Any) -> Analysis[Any, Any]:
        """See the package's ``analyse``; ``options``: those of :meth:`solve_options`."""

    def refine(self, position: Any, table_mb: float | None = None) -> "Refinement":
        """Return an analysis that continues in steps. The default repeats :meth:`analyse` with more time.

        Raises:
            GamecoreError: this position has no values to search for.
        """
        from gamecore.search import Repeated

        return Repeated(position, self.analyse, self.solve, self.order, table_mb)

    @property
    def batch(self) -> "Batch[Any]":
        """How many positions of this game are solved; the default calls :meth:`solve` for each."""
        from gamecore.batch.spec import Batch

        return Batch(self.solve)

    # --- players

    @property
    def players(self) -> Mapping[str, Player]:
        """Computer players by name, strongest first."""
        return {
            "solver": Player("plays a proven best move, or the best found in time", self._solver_move),
            "random": Player("plays any legal move", random_move),
        }

    def _solver_move(self, position: Any, limits: Limits, rng: "Rng") -> Choice:
        found = self.solve(position, limits)
        if found.best_move is not None:
            return Choice(found.best_move, True)
        return Choice(found.best_so_far or position.legal_moves()[0], False)

    # --- values: their order and their words

    def order(self, bounds: Bounds[Any], position: Any) -> tuple[float, float]:
        """Return (worst case, best case) of a value for the side to move, as numbers where larger is better."""
        return float(bounds.lower), float(bounds.upper)

    def joined(self, moves: Sequence[contract.MoveValue[Any]], position: Any) -> Bounds[Any]:
        """Return the bounds of a position from those of all its moves."""
        return Bounds(max(entry.lower for entry in moves), max(entry.upper for entry in moves))

    def short(self, bounds: Bounds[Any]) -> str:
        """Return a value as it stands on a move: ``+9``, ``-3..+9``."""
        return Bounds.__str__(bounds)

    def describe(self, bounds: Bounds[Any], position: Any) -> str:
        """Return a value in words, without subject: ``wins 9 points``, ``from losing 3 to winning 5 points``."""
        low, high = bounds.lower, bounds.upper
        if bounds.exact:
            return "draws" if low == 0 else f"{'wins' if low > 0 else 'loses'} {self.amount(abs(low))}"
        if low > 0:
            return f"wins {low} to {self.amount(high)}"
        if high < 0:
            return f"loses {-high} to {self.amount(-low)}"
        return f"from losing {-low} to winning {self.amount(high)}"

    def cost(self, best: Bounds[Any], entry: Bounds[Any], position: Any) -> tuple[float | None, str]:
        """Return what a move costs that is proven not best: a number, or None if unknown, and words."""
        least = best.lower - entry.upper
        if not (best.exact and entry.exact):
            return None, f"costs at least {self.amount(least)}"
        old, new = (f"{'winning' if one > 0 else 'losing'} {abs(one)}" for one in (best.lower, entry.lower))
        return least, f"costs {self.amount(least)}: from {old} to {new}"

    def amount(self, number: float) -> str:
        """Return ``1 point``, ``3 points``."""
        return f"{number} {self.unit.removesuffix('s') if number == 1 else self.unit}"

    def is_complete(self, solution: contract.Solution[Any, Any], line: bool) -> bool:
        """Return True if no limit left a solution open; ``line``: its line was asked for, and the game is not over."""
        return solution.exact and bool(solution.line or not line)

    def answer(self, solution: contract.Solution[Any, Any]) -> str:
        """Return a solution as the command prints it: the judge's lines where the game has a judge."""
        return str(solution)

    def judge_answer(self, position: Any, solution: contract.Solution[Any, Any]) -> str:
        """Return an exact solution in the judge's output format; without a judge, :meth:`answer`."""
        return self.answer(solution)

    # --- positions and moves in words

    def side(self, position: Any) -> str:
        """Return the side to move as the subject of a sentence."""
        return str(position.to_move)

    def turn(self, position: Any) -> str:
        """Return whose turn it is, in words."""
        return "the game is over" if position.is_over else f"{self.side(position)} to move"

    def result(self, position: Any, me: Any = None) -> str:
        """Return how a finished game ended, in words; ``me``: the side that is addressed as "you"."""
        who = self.called(position.to_move, me)
        words = self.describe(self.solve(position), position)
        if who == "you":
            words = words.replace("wins", "win").replace("loses", "lose").replace("draws", "draw")
        return f"{who} {words}"

    def called(self, side: Any, me: Any = None) -> str:
        """Return a side as a sentence names it; ``me`` is "you"."""
        return "you" if side == me else str(side)

    def move_text(self, position: Any, move: str) -> str:
        """Return a legal move in words."""
        return move

    # --- pictures

    def picture(
        self,
        position: Any,
        moves: Iterable[contract.MoveValue[Any]] = (),
        line: Iterable[str] = (),
        *,
        seat: int | None = None,
        width: int | None = None,
    ) -> "Picture":
        """Return the position as a picture.

        Parts of the SVG that can be clicked carry ``data-move``: the moves that begin or end there, separated by
        blanks. A click on a part with one move plays it; else a second click chooses among the moves of both parts.

        Args:
            position: what is drawn.
            moves: values, shown on the moves.
            line: moves from here on, drawn as a path or below the board.
            seat: only what that seat sees; None: everything.
            width: of a page's column in pixels, for pictures that adapt to it; such a page says by itself whose turn
                it is, shows values and needs no line. None: a picture that stands alone.
        """
        picture: Picture = position.picture(moves, line)
        return picture

    # --- the command

    def add_solve_arguments(self, parser: Any) -> None:
        """Add the game's own options to the parser of ``gamecore NAME``."""
        return

    def solve_options(self, args: Any) -> Json:
        """Return keyword arguments of :meth:`solve` and :meth:`analyse` from parsed arguments."""
        return {}

    def from_options(self, args: Any, chosen: Json) -> Any | None:
        """Return the position of options such as ``--start 6x6``; None without such an option.

        Args:
            args: parsed arguments.
            chosen: those of ``text_options`` that were given.

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

    def whose(self, side: Any) -> str:
        """Return a side behind "for", as in ``HA +9 for Alice``."""
        return str(side)
