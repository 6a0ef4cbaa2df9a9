"""What every tool asks of a game: :class:`Game`."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from gamecore import contract
from gamecore.contract import Analysis, MoveValue
from gamecore.errors import IllegalMoveError, OptionError
from gamecore.game._judging import Judging
from gamecore.game._option import Json, options_of
from gamecore.game._parts import Choice, Coding, Panel, Player, random_move
from gamecore.game._prover import Prover
from gamecore.game._texts import as_position
from gamecore.game._words import Words
from gamecore.limits import Limits, limits_of
from gamecore.rng import generator
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.batch.spec import Batch
    from gamecore.draw import Picture
    from gamecore.draw.pen import Pen
    from gamecore.rng import Rng
    from gamecore.search import Refinement


_MOST_PLIES: Final = 20  # of a random position


class Game(ABC):
    """What every tool asks of a game.

    Attributes:
        name: the package's name and the command's word.
        title, rules: for people; the rules in about five lines, the first of which says what the game is about.
        sides: who plays, the side that usually begins first.
        example: the notation of a position.
        Position: the class of positions.
        typing: how a person types a move.
        presets: start positions by name: arguments of :meth:`random`, where ``plies`` is 0 unless it is given.
        plies: moves played in a page's random position, unless another number is asked for.
        players: computer players by name; ``solver`` first.
        panels: see :class:`Panel`.
        seats: number of seats with hidden hands; 0 when all is open. Such a game defines ``label``, ``picture`` and
            ``hides`` for a seat.
        prover: what ``gamecore prove`` needs (:class:`gamecore.game.Prover`); None: the game cannot be proved.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules: ClassVar[str]
    sides: ClassVar[tuple[str, ...]]
    example: ClassVar[str]
    typing: ClassVar[str] = "Type a move."
    presets: ClassVar[Mapping[str, Json]] = {}
    plies: ClassVar[int] = 0
    seats: ClassVar[int] = 0
    Position: ClassVar[Any]

    @property
    def words(self) -> Words:
        """Sides, moves and values in words for people."""
        return Words(self)

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
        return contract.random_plies(self.start(**options), plies, generator(rng), _MOST_PLIES)

    def parse(self, text: str, **options: Any) -> Any:
        """Return the position of a text in any accepted form; ``options``: what the text leaves open.

        Raises:
            ParseError: a bad text. OptionError: a bad option.
        """
        return self.Position.from_text(text)

    def draft(self, position: Any) -> Json:
        """Return the position as an editor's fields, which :meth:`build` takes."""
        fields: Json = position.to_dict()
        return fields

    def build(self, draft: Json) -> Any:
        """Return the position of an editor's fields.

        Raises:
            GamecoreError: there is no such position.
        """
        return self.Position.from_dict(draft)

    # --- answers

    @abstractmethod
    def solve(self, position: Any, limits: Limits | None = None, **options: Any) -> contract.Solution[Any, Any]:
        """See the package's ``solve``."""

    def analyse(self, position: Any, limits: Limits | None = None, **options: Any) -> Analysis[Any, Any]:
        """See the package's ``analyse``; ``options``: those of :meth:`solve`.

        The default solves the position after each move. It is right for two sides who move in turn.
        """
        from gamecore.search import search_moves

        position, begun = as_position(self, position), time.perf_counter()
        table_mb, (all_seconds, all_nodes, _) = limits_of(limits).table_mb, limits_of(limits).for_kernel(1)

        def search(after: Any, seconds: float, nodes: int, line: bool) -> Any:
            return self.solve(after, Limits(None if seconds < 0 else seconds, nodes or None, table_mb), **options)

        after = search_moves(position, all_seconds, all_nodes, search)
        entries = [MoveValue(-solution.upper, -solution.lower, move) for move, solution in after.items()]
        entries.sort(key=lambda entry: (entry.lower, entry.upper), reverse=True)
        nodes = sum(solution.nodes for solution in after.values())
        return Analysis(tuple(entries), position.to_move, nodes, time.perf_counter() - begun)

    def refine(self, position: Any, table_mb: float | None = None) -> "Refinement":
        """Return an analysis that continues in steps. The default repeats :meth:`analyse` with more time.

        Raises:
            GamecoreError: this position has no values to search for.
        """
        from gamecore.search import Repeated

        return Repeated(self, position, table_mb)

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
        solution = self.solve(position, limits)
        if solution.best_move is not None:
            return Choice(solution.best_move, True)
        return Choice(solution.best_so_far or position.legal_moves()[0], False)

    def label(self, position: Any, seat: int | None = None) -> str:
        """Return the whole position in words, for screen readers; ``seat``: only what that seat sees."""
        return str(position)

    def shown(self, move: str, pen: "Pen") -> str:
        """Return a move as a terminal shows it."""
        return move

    def typed(self, position: Any, text: str) -> str:
        """Return the legal move that a person typed.

        Raises:
            GamecoreError: no move, or more than one, fits.
        """
        legal = position.legal_moves()
        if text in legal:
            return text
        fitting = [move for move in legal if move.lower() == text.strip().lower()]
        if len(fitting) == 1:
            return str(fitting[0])
        raise IllegalMoveError(f"{printable(text)} is not a legal move; type one such as {legal[0]}")

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

    # --- a person at a terminal

    def add_arguments(self, parser: Any) -> None:
        """Add the options of a new game to an ``argparse`` parser: by default one for each of ``options``."""
        for option in options_of(self.start):
            option.add_to(parser)

    def start_of(self, args: Any, rng: "Rng") -> Any:
        """Return the start position that parsed arguments ask for.

        Raises:
            OptionError: an option out of its range.
        """
        return self.start(rng=rng, **{option.name: getattr(args, option.name) for option in options_of(self.start)})

    def opponents_of(self, args: Any, sides: Sequence[Any]) -> dict[Any, Player]:
        """Return who plays each of the other sides, by the option ``--opponent``: the first player by default.

        Raises:
            OptionError: an unknown player.
        """
        players = self.players
        return dict.fromkeys(sides, players[args.opponent or next(iter(players))])

    def show(self, position: Any, pen: "Pen", me: Any = None) -> str:
        """Return the position as a terminal shows it to the side ``me``."""
        return str(position)

    def prompt(self, position: Any) -> str:
        """Return what stands before a typed move."""
        return "your move: "

    def news(self, before: Any, move: str, after: Any, pen: "Pen", me: Any) -> list[str]:
        """Return lines that tell the side ``me`` of a move."""
        if before.to_move == me:
            return []
        return [f"{self.words.name(before.to_move, me)}: {self.shown(move, pen)}"]

    def advice(self, position: Any, limits: Limits, me: Any) -> tuple[str, list[tuple[str, str, float, float]]]:
        """Return a heading, and (move, value in words, worst case, best case) for each legal move, best first."""
        analysis, words = self.refine(position).run(limits.seconds or 0.0), self.words
        heading = f"What each move is worth to you ({words.unit}), best first{'' if analysis.exact else ' so far'}:"
        return heading, [(entry.move, words.short(entry), *words.order(entry, position)) for entry in analysis]

    def hint(self, position: Any, limits: Limits, me: Any) -> Choice:
        """Return one good move."""
        return next(iter(self.players.values())).choose(position, limits, None)

    def other_side(self, position: Any, me: Any) -> Any:
        """Return the side that a person plays after ``flip``.

        Raises:
            OptionError: the sides of this game cannot be changed.
        """
        return next(side for side in self.sides if side != me)

    def scores(self, position: Any) -> tuple[int, ...]:
        """Return each side's points in a game of several rounds; empty for other games."""
        return ()

    def around(self, items: Sequence[Any], me: Any) -> list[Any]:
        """Return one item a side in the order in which ``me`` sees the sides."""
        return list(items)

    def following(self, position: Any, number: int, totals: tuple[int, ...]) -> Any | None:
        """Return the next round after a finished one; None where the whole game has ended.

        Args:
            position: the finished round.
            number: of that round, from 0.
            totals: each side's points, that round included.
        """
        return None

    # --- the page

    @property
    def shown_first(self) -> str:
        """The notation of the position that a page shows first."""
        return self.example

    @property
    def panels(self) -> Mapping[str, Panel]:
        """Panels of a page, by name."""
        return {}

    def automatic_side(self, position: Any) -> Any:
        """Return the side whose moves a rule of the game decides, so that a page makes them; None if there is none."""
        return None

    def hides(self, position: Any, seat: int) -> bool:
        """Return True if a seat must not know the move made in the position; games with ``seats`` define it."""
        return False

    def to_judge(self, position: Any) -> str | None:
        """Return the position in the judge's format; None if it has none."""
        return None

    @property
    def judging(self) -> Judging | None:
        """What ``gamecore judge`` needs; None if the game has no judge's format."""
        return None

    def python(self, position: Any, seat: int | None = None) -> str:
        """Return Python that prints the answers; empty if it would tell more than the seat sees."""
        if seat is not None:
            return ""
        home, _, module = type(self).__module__.partition("._")[0].rpartition(".")
        what = f"from {home} import {module}" if home else f"from {module} import GAME as {module}"
        text = position.to_text()
        return f'{what}\n\nposition = "{text}"\nprint({module}.solve(position))\nprint({module}.analyse(position))\n'

    def command(self, position: Any) -> str:
        """Return the command that prints the answers."""
        return f"gamecore {self.name} {position.to_text()} --line --analyse"

    # --- other frameworks

    def coding(self, start: Any) -> Coding:
        """Return how this game, from a start position on, is numbered.

        Raises:
            OptionError: the game cannot be numbered.
        """
        raise OptionError(f"{self.name} has no numbering for other frameworks")

    # --- proofs

    @property
    def prover(self) -> Prover | None:
        """What ``gamecore prove`` needs; None where the game cannot be proved."""
        return None
