"""What every tool asks of a game: :class:`Game`, and its players."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from gamecore import contract
from gamecore.contract import Analysis, MoveValue, Playable, Solution
from gamecore.errors import ParseError
from gamecore.game._option import checked
from gamecore.game._position import reader
from gamecore.game._words import Words
from gamecore.limits import Limits, limits_of
from gamecore.rng import generator
from gamecore.text import checked_integer, numbered

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.draw import Picture
    from gamecore.rng import Rng
    from gamecore.search import Refinement, Solver

_MOST_PLIES: Final = 20  # of a random position
_ENGINE: Final = ("cli", "reference")  # rooms that ask for parts as the apps do


class Choice(NamedTuple):
    """A player's move; ``proven``: it is proven best."""

    move: str
    proven: bool


class Player(NamedTuple):
    """A computer player.

    Attributes:
        title: what it does, in one line, as it stands after "Against you: ".
        choose: ``choose(position, limits, rng)`` returns its :class:`Choice`; the position is not over.
    """

    title: str
    choose: Callable[[Any, Limits, "Rng"], Choice]


def random_move(position: Playable, limits: Limits, rng: "Rng") -> Choice:
    """Return a legal move, all equally likely."""
    legal = position.legal_moves()
    return Choice(str(legal[int(generator(rng).integers(len(legal)))]), False)


class Game(ABC):
    """What every tool asks of a game.

    Attributes:
        name: the package's name and the command's word.
        title, rules: for people; the rules in about five lines, the first of which says what the game is about.
        sides: who plays, the side that usually begins first.
        example: the notation of a position.
        Position: the class of positions.
        words: sides, moves and values in words.
        players: computer players by name; ``solver`` first.
    """

    name: str
    title: str
    rules: str
    sides: tuple[str, ...]
    example: str
    Position: Any
    _solver: "type[Solver[Any, Any, Any]] | None" = None  # keeps a table; None: the game has none

    def __repr__(self) -> str:
        return f"<game {getattr(self, 'name', type(self).__name__)}>"

    def __copy__(self, *_: object) -> Self:
        return self

    __deepcopy__ = __copy__

    def __reduce__(self) -> str | tuple[object, ...]:
        """Pickle ``GAME`` of a module as what it is called there, so that it is read back as the same object."""
        is_named = getattr(sys.modules[type(self).__module__], "GAME", None) is self
        return "GAME" if is_named else super().__reduce__()

    @property
    def words(self) -> Words[Any, Any]:
        """Sides, moves and values in words for people."""
        return Words(solve=self.solve)

    # --- positions in and out

    @abstractmethod
    def start(self, *args: Any, **options: Any) -> Any:
        """Return the start position of a new game.

        Args:
            args: none; so that a subclass may name its keyword parameters.
            options: ``rng``, of random deals, and the game's own options: see :func:`gamecore.game.options_of`.

        Raises:
            OptionError: a bad option.
        """

    def random(self, *, rng: "Rng" = None, plies: int | None = None, **options: Any) -> Any:
        """Return a random position; see the package's ``random``.

        The default makes random moves from :meth:`start`, whose options it takes.
        """
        source = generator(rng)
        return contract.random_plies(self.start(rng=source, **options), plies, source, _MOST_PLIES)

    def parse(self, text: str, **options: Any) -> Any:
        """Return the position of a text in any accepted form; ``options``: what the text leaves open.

        Raises:
            ParseError: a bad text. OptionError: a bad option.
        """
        checked(options, ())
        return self.Position.from_text(text)

    def parse_many(self, lines: Iterable[str], **options: Any) -> Iterator[Any]:
        """Yield the positions of a file's lines, or of a whole text; ``options``: those of :meth:`parse`.

        Raises:
            ParseError: a bad text, or no text; it names the line of the file.
        """
        for number, text in self.Position.split_lines(numbered(lines)):
            try:
                yield self.parse(text, **options)
            except ParseError as error:
                raise error.moved(number) from None

    # --- answers

    @abstractmethod
    def solve(self, position: Playable | str, limits: Limits | None = None, **options: Any) -> Solution[float, object]:
        """See the package's ``solve``.

        Raises:
            KeyboardInterrupt: Ctrl-C, within milliseconds and without bounds; ``Limits(seconds=...)`` returns them.
        """

    def analyse(
        self, position: Playable | str, limits: Limits | None = None, **options: Any
    ) -> Analysis[MoveValue[float], object]:
        """See the package's ``analyse``; ``options``: those of :meth:`solve`.

        The default solves the position after each move. It is right for two sides who move in turn.
        """
        from gamecore.search import search_moves

        start, limits, begun = as_position(self, position), limits_of(limits), time.perf_counter()

        def search(after: Playable, seconds: float, nodes: int, line: bool) -> Solution[float, object]:
            within = Limits(None if seconds < 0 else seconds, nodes or None, limits.table_mb)
            return self.solve(after, within, **options)

        solutions = search_moves(start, *limits.for_kernel(1)[:2], search)
        entries = [MoveValue(-solution.upper, -solution.lower, move) for move, solution in solutions.items()]
        entries.sort(key=lambda entry: (entry.lower, entry.upper), reverse=True)
        nodes = sum(solution.nodes for solution in solutions.values())
        return Analysis(tuple(entries), start.to_move, nodes, time.perf_counter() - begun)

    def refine(self, position: Playable | str, table_mb: float | None = None) -> "Refinement":
        """Return an analysis that continues in steps. Without a table, :meth:`analyse` is repeated with more time.

        Raises:
            GamecoreError: this position has no values to search for.
        """
        from gamecore.search import Repeated

        if self._solver is not None:
            return self._solver(table_mb).refine(position)
        return Repeated(self, as_position(self, position), table_mb)

    @property
    def batch(self) -> "Batch[Any]":
        """How many positions are solved: by ``BATCH`` of a package's ``_batch``, or else by :meth:`solve`."""
        from gamecore.batch.spec import Batch

        return self._own(f"{self.name}._batch", "BATCH") or Batch(self.solve)

    # --- players

    @property
    def players(self) -> Mapping[str, Player]:
        """Computer players by name, strongest first."""
        return {
            "solver": Player("plays a proven best move, or the best found in time", self._solver_move),
            "random": Player("plays any legal move", random_move),
        }

    def _solver_move(self, position: Playable, limits: Limits, rng: "Rng") -> Choice:
        solution = self.solve(position, limits)
        if solution.best_move is not None:
            return Choice(solution.best_move, True)
        return Choice(solution.best_so_far or position.legal_moves()[0], False)

    # --- pictures

    def picture(
        self,
        position: Playable,
        moves: Iterable[contract.MoveValue[float]] = (),
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
        picture: Picture
        self._check_page(seat, width)
        if seat is not None and (view := getattr(position, "view", None)):
            position = view(seat)
        if room := getattr(position, "_GAME", ""):  # of a game of this package
            picture = import_module(f"gamecore.{room}._picture").picture(position, moves, line, width)
        else:
            picture = position.picture(moves, line)
        return picture

    def _check_page(self, seat: int | None, width: int | None) -> None:
        """Raise OptionError if :meth:`picture` cannot have this seat or width."""
        if seat is not None:
            checked_integer(seat, "seat", 0, len(self.sides) - 1)
        if width is not None:
            checked_integer(width, "width", 1)

    # --- apps

    def part(self, app: str) -> Any:
        """Return what an app needs to know of this game in particular; None: the app's defaults, or its refusal.

        Each app says what its part is: ``explore`` a class derived from ``Screen``, ``play`` one from ``Session``,
        ``cli`` one from ``GameCommand``; ``adapters`` a function of a start position that returns a ``Coding``,
        ``judge`` one of options that returns a ``Judging``; ``prove`` a ``Prover``; ``reference`` ``Versions``;
        ``solve_file`` a text that changes with the game's rules.

        The default is ``PART`` of the module ``gamecore.apps.APP.NAME`` if there is one, for games of this package.
        """
        return self._own(f"{app if app in _ENGINE else f'apps.{app}'}.{self.name}", "PART")

    def _own(self, module: str, name: str) -> Any:
        """Return what a module of this package has under a name; None if there is no such module, or another's game."""
        if not type(self).__module__.startswith(f"gamecore.{self.name}."):
            return None
        module = f"gamecore.{module}"
        try:
            return getattr(import_module(module), name)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            return None


def as_position(game: Game, item: object) -> Any:
    """Return a position of a game, or parse its text.

    Raises:
        ParseError: a bad text. OptionError: neither a position nor a text.
    """
    return reader(game.Position, game.parse, game.name)(item)
