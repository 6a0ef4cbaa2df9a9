"""A user's rules as a :class:`gamecore.game.Game`: every tool works with it."""

import functools
import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakValueDictionary

from gamecore import contract, game, search
from gamecore.apps.kit._build import resolved
from gamecore.apps.kit._coding import KitCoding
from gamecore.apps.kit._prover import KitProver
from gamecore.apps.kit._rules import SIDES, WIN, Child, Rules, State, compiled_rules, python_rules, rules_of
from gamecore.apps.kit._search import Searcher, searcher_of
from gamecore.apps.kit.words import OUTCOMES, OutcomeWords, PointsWords, outcomes_of, plies_of, words_of
from gamecore.batch.columns import SolutionList
from gamecore.batch.spec import Batch
from gamecore.batch.workers import current_run, stoppable
from gamecore.contract import MoveValue
from gamecore.errors import GamecoreError, OptionError
from gamecore.limits import Limits, limits_of
from gamecore.search import MAX_THREADS
from gamecore.text import checked_integer, fields, printable

if TYPE_CHECKING:
    from gamecore.draw import Picture
    from gamecore.rng import Rng

TABLE_MB: Final = 512
_MOST_POINTS: Final = 10**9
_MOMENT: Final = 0.1  # seconds
_FIELDS: Final = ("MOVER", "STATE", "MINE", "THEIRS")

Analysis = contract.Analysis[MoveValue[int], str]
Moves = Iterable[MoveValue[float]]


@dataclass(frozen=True)
class Position(game.Position):
    """A state of a kit game.

    Attributes:
        state: the state.
        to_move: the side to move: ``"A"``, who began, or ``"B"``.
        mine, theirs: points that the side to move and the other have gained before; 0 in games of win, draw and loss.
    """

    state: State
    to_move: str = "A"
    mine: int = 0
    theirs: int = 0

    rules: ClassVar[Rules]

    def __post_init__(self) -> None:
        if self.to_move not in SIDES:
            raise OptionError(f"to_move must be 'A' or 'B', not {printable(self.to_move)}", "to_move")
        most = 0 if self.rules.outcome else _MOST_POINTS
        for points in (self.mine, self.theirs):
            if type(points) is not int or abs(points) > most:
                allowed = f"a whole number from {-most} to {most}"
                raise OptionError(f"points must be {allowed}, not {printable(points)}", "points")
        self.rules.check_state(self.state)

    @property
    def mover(self) -> int:
        """0 for the side that began, 1 for the other."""
        return SIDES.index(self.to_move)

    @property
    def points(self) -> int:
        """What the side to move has gained before, less what the other side has."""
        return self.mine - self.theirs

    @property
    def is_over(self) -> bool:
        return self.rules.end(self.state) is not None

    @functools.cached_property
    def children(self) -> dict[str, Child]:
        """By the texts of the legal moves: their numbers, the states after them, and what they gain."""
        return self.rules.named_children(self.state, self.mover)

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(self.children)

    def after(self, move: str) -> "Position":
        _, state, gain = self.children[move]
        return type(self)(state, SIDES[1 - self.mover], self.theirs, self.mine + gain)

    def without_points(self) -> "Position":
        """Return the position as if nothing was gained before."""
        return type(self)(self.state, self.to_move)

    def to_text(self) -> str:
        points = f":{self.mine}" * bool(self.mine or self.theirs) + f":{self.theirs}" * bool(self.theirs)
        return f"{self.to_move}:{','.join(map(str, self.state))}{points}"

    @classmethod
    def from_text(cls, text: str) -> "Position":
        if text == "start":
            return cls(cls.rules.start())
        most = 0 if cls.rules.outcome or not isinstance(text, str) else max(0, min(2, text.count(":") - 1))
        mover, state, *points = fields(text, _FIELDS[: 2 + most])
        numbers = tuple(part.whole("a number of the state", -(1 << 63), (1 << 64) - 1) for part in state.parts(","))
        side = mover.choice("MOVER", SIDES)
        gained = [field.whole(name, -_MOST_POINTS, _MOST_POINTS) for name, field in zip(_FIELDS[2:], points)]  # noqa: B905
        try:
            return cls(numbers, side, *gained)
        except GamecoreError as error:
            raise state.fail(str(error)) from None

    def to_judge(self) -> str:
        """Return the judge's text: the notation; raise GamecoreError if the game is over."""
        if self.is_over:
            raise GamecoreError(f"the judge's text holds positions with a move, not {self.to_text()}")
        return f"{self.to_text()}\n"

    def __str__(self) -> str:
        return self.rules.draw(self.state, self.mover)

    def picture(self, moves: Moves = (), line: Iterable[str] = (), width: int | None = None) -> "Picture":
        """Return the drawing as a picture: a board to be clicked, if the rules tell the squares of moves."""
        if self.rules.board is None:
            return super().picture(moves, line)
        from gamecore.apps.kit._board import board

        return board(self, moves, line, width)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.rules, self.state, self.to_move, self.mine, self.theirs)


_types: WeakValueDictionary[Hashable, type[Position]] = WeakValueDictionary()


def _type_of(rules: Rules) -> type[Position]:
    """Return the class of a game's positions: one for each source, as long as it is used."""
    kind = _types.get(rules.source)
    if kind is None:
        kind = _types[rules.source] = type("Position", (Position,), {"rules": rules, "__module__": __name__})
    return kind


def _restored(rules: Rules, *values: Any) -> Position:
    return _type_of(rules)(*values)


def position_of(of: "KitGame", item: object) -> Position:
    """Return a position of a game, or of its text; OptionError for one of another game."""
    if isinstance(item, Position) and not isinstance(item, of.Position):
        kind, other = type(of.rules_of.user), type(item.rules.user)
        what = f"another game of the class {other.__name__}" if kind is other else item.rules.name
        raise OptionError(f"{item.to_text()} is a position of {what}, not of {of.name}")
    return game.as_position(of, item)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class OutcomeValue(MoveValue[int]):
    """A move's value in a game of win, draw and loss."""

    def __str__(self) -> str:
        return f"{self.move} {OUTCOMES.short(self)}"


@dataclass(frozen=True)
class Solution(contract.Solution[int, str]):
    """What is proven of a position; ``lower`` and ``upper`` are :data:`WIN` less the plies to win, or points.

    Attributes:
        points: whether the game is one of points.
        question: ``"distance"``: the value; ``"outcome"``: only its sign, and the bounds say no more than that.
    """

    FIELDS = (*contract.Solution.FIELDS, "outcome", "plies", "question")

    points: bool
    question: str = "distance"

    @property
    def answered(self) -> bool:
        """True if the question is answered."""
        return self.exact or (self.question == "outcome" and self.outcome is not None)

    @property
    def outcome(self) -> str | None:
        """``"win"``, ``"draw"`` or ``"loss"`` of the side to move; None while unknown, and for points not asked for."""
        outcomes = outcomes_of(self)
        return None if len(outcomes) > 1 or (self.points and self.question == "distance") else outcomes[0]

    @property
    def plies(self) -> int | None:
        """Plies to the end with best play; None while unknown or not asked for, for draws, and in games of points."""
        return None if self.points or self.question == "outcome" else plies_of(self)

    def __str__(self) -> str:
        """Return ``A wins in 3 plies``, ``B loses 2 points``, or a text with the bounds."""
        return words_of(self.points).solution(self)


class Solutions(SolutionList[Solution]):
    """The sequence of :class:`Solution` that ``solve_many`` returns."""


class _Search(search.Search[Position, Solution, Analysis]):
    """See :class:`gamecore.search.Search`."""

    default_table_mb = TABLE_MB
    questions = "distance", "outcome"
    kernel: Searcher | None
    _rules: Rules
    _threads: int

    def prepare(self, of: "KitGame", threads: int) -> None:
        """Set the game, and the number of threads of each search."""
        checked_integer(threads, "threads", 1, MAX_THREADS)
        self.read, self._rules, self._threads = functools.partial(position_of, of), of.rules_of, threads
        if threads > 1 and (self._rules.cycles or self._rules.solver is None):
            raise OptionError(f"threads must be 1: those of {of.name} cannot share a table", "threads")

    def open(self, position: Position, seconds: float, nodes: int) -> Searcher:
        if self.kernel is None:
            self.kernel = searcher_of(self._rules, self.table_bytes)
        return self.kernel

    def share(self, threads: int, seconds: float, nodes: int) -> list[Searcher]:
        assert self.kernel is not None
        self.kernel.share()
        return [self.kernel.helper() for _ in range(threads - 1)]

    def is_done(self, solution: Solution, position: Position, line: bool) -> bool:
        return solution.answered

    def solve(self, position: Position, seconds: float, nodes: int, line: bool, threads: int = 1) -> Solution:
        """Search in threads; one follows the line."""
        solution = super().solve(position, seconds, nodes, False, self._threads)
        return self._with_line(solution, position, seconds, nodes) if line else solution

    def search(self, position: Position, seconds: float, nodes: int, line: bool) -> Solution:
        begun, points, asked = time.perf_counter(), position.points, self.question
        kernel = self.open(position, seconds, nodes)
        with stoppable(kernel.stop):
            tests = (-points, 1 - points) if asked == "outcome" else ()
            lower, upper, searched = kernel.search(position.state, seconds, nodes, *tests)
        lower, upper = (bound + points for bound in self._rules.checked_bounds(position.state, lower, upper))
        if asked == "outcome":  # nothing else shows
            lower, upper = min(lower, 1) if lower >= 0 else points - WIN, max(upper, -1) if upper <= 0 else points + WIN
        taken = time.perf_counter() - begun
        solution = Solution(
            lower, upper, position.to_move, (), (), searched, taken, kernel.table_bytes, not self._rules.outcome, asked
        )
        return self._with_line(solution, position, seconds, nodes) if line else solution

    def _with_line(self, solution: Solution, position: Position, seconds: float, nodes: int) -> Solution:
        """Add best play to the end, or to a state that comes again, as far as limits allow."""
        begun, searched, seen, moves = time.perf_counter() - solution.seconds, solution.nodes, set(), list[str]()
        first = position
        while solution.exact and not (position.is_over or position.state in seen or 0 < nodes <= searched):
            seen.add(position.state)
            left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
            analysis = self.analyse(position, left, nodes and nodes - searched)
            searched += analysis.nodes
            if not analysis.exact:
                break
            moves.append(analysis[0].move)
            position = position.after(moves[-1])
        if moves and position.is_over:
            self._check_end(first, position, len(moves), solution.lower)
        best, taken = tuple(moves), time.perf_counter() - begun
        return replace(solution, best_moves=best[:1], line=best, nodes=searched, seconds=taken)

    def _check_end(self, first: Position, last: Position, plies: int, value: int) -> None:
        """Raise GamecoreError if the end of a line contradicts the value of its first position."""
        reached = ((self._rules.end(last.state) or 0) + last.points) * (-1) ** plies
        if self._rules.outcome and reached:
            reached -= plies if reached > 0 else -plies
        if reached != value:
            self._rules.checked_bounds(first.state, max(value, reached), min(value, reached))

    def best_so_far(self, solution: Solution, position: Position, in_a_hurry: bool) -> str | None:
        """Return the best move by the bounds in the table, of those that can be looked up in a moment."""
        begun, rules, moves = time.perf_counter(), self._rules, list[tuple[int, int, int, int]]()
        for move, after, gain in rules.children(position.state):
            end = rules.end(after)
            lower, upper = (end, end) if end is not None else self.open(position, 0.0, 0).search(after, 0.0, 0)[:2]
            moves.append((rules.parent_score(upper, gain), rules.parent_score(lower, gain), -len(moves), move))
            if time.perf_counter() > begun + _MOMENT:
                break
        return rules.write(position.state, max(moves)[-1], position.mover)

    def value_of(self, move: str, after: Solution) -> MoveValue[int]:
        score = self._rules.parent_score  # no gain: the position after the move has it
        return MoveValue(score(after.upper, 0), score(after.lower, 0), move)

    def analysis(self, position: Position, values: Iterable[MoveValue[int]], nodes: int, seconds: float) -> Analysis:
        kind = OutcomeValue if self._rules.outcome else MoveValue
        moves = sorted(values, key=lambda move: (move.lower, move.upper), reverse=True)
        return Analysis(
            tuple(kind(move.lower, move.upper, move.move) for move in moves), position.to_move, nodes, seconds
        )


class _Solver(search.Solver[Position, Solution, Analysis]):
    """One table over many positions of a kit game."""

    kind = _Search
    _search: _Search

    def __init__(self, of: "KitGame", table_mb: float | None, threads: int) -> None:
        super().__init__(table_mb)
        self._search.prepare(of, threads)


class KitGame(game.Game):
    """A kit game for every tool.

    Attributes:
        rules_of: its rules.
    """

    sides = SIDES

    def __init__(self, rules: Rules) -> None:
        self.rules_of, self.name, self.title = rules, rules.name, rules.title
        self.rules = rules.text or rules.title
        self.Position = _type_of(rules)
        self.example = self.start().to_text()

    def __reduce__(self) -> tuple[Any, ...]:
        return KitGame, (self.rules_of,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KitGame) and other.rules_of.source == self.rules_of.source

    def __hash__(self) -> int:
        return hash(self.rules_of.source)

    def picture(
        self, position: Any, moves: Moves = (), line: Iterable[str] = (), *, seat: int | None = None,
        width: int | None = None,
    ) -> "Picture":  # fmt: skip
        self._check_page(seat, width)
        return position.picture(moves, line, width)  # type: ignore[no-any-return]

    @property
    def words(self) -> OutcomeWords | PointsWords:
        return words_of(not self.rules_of.outcome)

    @property
    def batch(self) -> Batch[Solutions]:
        return Batch(self.solve, Solutions._of)

    def start(self, *, rng: "Rng" = None, **options: object) -> Position:
        game.checked(options, ())
        game.generator(rng)  # a bad one is refused
        return _type_of(self.rules_of)(self.rules_of.start())

    def solver(self, table_mb: float | None = None, threads: int = 1) -> _Solver:
        """Return a :class:`gamecore.search.Solver`: one table over many positions of this game."""
        return _Solver(self, table_mb, threads)

    def solve(  # type: ignore[override]
        self, position: Any, limits: Limits | None = None, *, line: bool = True, threads: int = 1,
        question: str = "distance",
    ) -> Solution:  # fmt: skip
        """See :meth:`gamecore.game.Game.solve`; ``question="outcome"``: win, draw or loss, without line and plies.

        Without limits, positions of a batch of a game with cycles share a table: it has all positions.
        """
        limits, run = limits_of(limits), current_run()
        solver = self.solver(limits.table_mb, threads)
        if self.rules_of.cycles and run is not None and limits == Limits(table_mb=limits.table_mb):
            solvers: dict[Any, Any] = vars(run.local)
            solver = solvers.setdefault((self, limits.table_mb), solver)
        return solver.solve(position, replace(limits, table_mb=None), line=line, question=question)

    def analyse(self, position: Any, limits: Limits | None = None, **options: object) -> Analysis:
        game.checked(options, ())
        limits = limits_of(limits)
        return self.solver(limits.table_mb).analyse(position, replace(limits, table_mb=None))

    def refine(self, position: Any, table_mb: float | None = None) -> search.Refinement:
        return self.solver(table_mb).refine(position)

    def part(self, app: str) -> Any:
        """See :meth:`gamecore.game.Game.part`; OptionError: a game with cycles cannot be proved."""
        rules = self.rules_of
        if app == "prove" and rules.cycles:
            raise OptionError(f"{self.name} cannot be proved: its play can go round")
        if app == "prove":
            return KitProver(self, rules)
        if app == "solve_file":
            return rules_of(self)
        return {"adapters": lambda start: KitCoding(rules), "cli": self._command, "judge": self._judging}.get(app)

    def _command(self, _: game.Game) -> Any:
        """Return what the command knows of the game."""
        from gamecore.cli.games import AnyCommand

        command, rules = AnyCommand(self), self.rules_of
        notation = "MOVER:STATE" if rules.outcome else "MOVER:STATE or MOVER:STATE:MINE:THEIRS"
        command.accepts, command.table_mb = (f"the notation {notation}", "start"), TABLE_MB
        if rules.solver is None or rules.cycles:
            command.asks.discard("threads")
        return command

    def _judging(self) -> dict[str, Any]:
        return {
            "families": {"random": lambda size, rng: self.random(rng=rng, plies=max(0, 40 - size))},
            "sizes": range(1, 40),
            "smaller": _smaller,
        }


def _smaller(position: Any) -> list[Any]:
    """Return a position, and those after each move, as if nothing was gained before; but not the position itself."""
    later = map(position.play, position.legal_moves())
    return [bare for bare in (one.without_points() for one in (position, *later)) if bare != position]


def checked_game(played: object) -> KitGame:
    """Return a kit game; OptionError for anything else."""
    if not isinstance(played, KitGame):
        raise OptionError(f"a game of gamecore.apps.kit is needed, not {printable(played)}", "game")
    return played


def make(rules: object) -> KitGame:
    """Return the game of a Python class, or of an instance of it.

    The class has methods ``start()``, ``moves(state)``, ``play(state, move)`` and ``result(state)``; it may have
    ``key``, ``valid``, ``write`` and ``draw``. A state is a tuple of whole numbers. See the tutorial.

    Raises:
        OptionError: a method is missing, or it is a game of points with cycles.
    """
    return KitGame(python_rules(rules() if isinstance(rules, type) else rules))


def load(path: str | Path) -> KitGame:
    """Build the game of a ``.pyx`` file, if that was not done before, and return it.

    Raises:
        GamecoreError: see :func:`build`.
    """
    return KitGame(compiled_rules(str(resolved(path))))
