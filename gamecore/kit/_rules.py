"""The rules of a game as the tools need them, from a compiled module or from a Python class."""

import inspect
import time
from collections.abc import Hashable, Sequence
from typing import Any, Final, Protocol

from gamecore.batch.workers import is_cancelled
from gamecore.errors import GamecoreError, OptionError
from gamecore.kit._build import build, imported

WIN: Final = 10_000  #: also the bound of scores
LOSS: Final = -WIN
DRAW: Final = 0
DEEPEST: Final = 400  #: plies that the search in Python follows
State = Hashable


class Searcher(Protocol):
    """A table, and searches that share it."""

    @property
    def table_bytes(self) -> int:
        """Memory of the table."""

    def search(self, state: Any, seconds: float, nodes: int) -> tuple[int, int, int]:
        """Return (lower, upper, nodes); ``seconds`` below 0 and ``nodes`` 0 are no limits."""

    def stop(self) -> None:
        """End the search that runs in another thread."""


class Rules:
    """A game of :mod:`gamecore.kit`.

    A state is a tuple; a move is a number. Scores are of the side to move: of wins and losses :data:`WIN` less the
    plies, or points.

    Attributes:
        name: an identifier. title, text: for people.
        outcome: True for win, draw and loss; False for points.
        source: the file, or the class, that they are from: equal for equal rules.
    """

    name: str
    title: str
    text: str
    outcome: bool = True
    source: str = ""

    def start(self) -> Any:
        """Return the state at the beginning."""
        raise NotImplementedError

    def moves(self, state: Any) -> Sequence[int]:
        """Return the legal moves of a state that is not final."""
        raise NotImplementedError

    def play(self, state: Any, move: int) -> tuple[Any, int]:
        """Return the state after a move, seen by the other side, and the points that the move gained."""
        raise NotImplementedError

    def result(self, state: Any) -> int | None:
        """Return the score of a final state; None if the game goes on."""
        raise NotImplementedError

    def key(self, state: Any) -> Any:
        """Return the table's key; states of one key have one value."""
        return state

    def write(self, state: Any, move: int) -> str:
        """Return a move as text."""
        return str(move)

    def draw(self, state: Any, mover: int) -> str:
        """Return a state as text; ``mover``: 0 for the side that began."""
        return " ".join(map(str, state))

    def searcher(self, table_bytes: int) -> Searcher:
        """Return a new table."""
        return PythonSearcher(self, table_bytes)

    def lifted(self, value: int, gain: int) -> int:
        """Return the score of a move from that of the position after it."""
        if self.outcome:
            return 1 - value if value > 0 else -1 - value if value < 0 else 0
        return gain - value

    def lowered(self, value: int, gain: int) -> int:
        """Return the inverse of :meth:`lifted`."""
        if self.outcome:
            return -1 - value if value > 0 else 1 - value if value < 0 else 0
        return gain - value


class CompiledRules(Rules):
    """The rules of a ``.pyx`` file. A state is the tuple of the fields of ``State``."""

    def __init__(self, path: str) -> None:
        compiled = build(path)
        self._path, self.source = path, str(compiled)
        self._module = module = imported(compiled)
        self.name = module.__name__
        self.title, self.text = getattr(module, "NAME", self.name), getattr(module, "RULES", "")
        self.outcome = getattr(module, "KIND", "outcome") == "outcome"
        self._fields = {name: len(one) if isinstance(one, list) else 0 for name, one in module.kit_start().items()}

    def __reduce__(self) -> Any:
        return CompiledRules, (self._path,)

    def _dict(self, state: Any) -> dict[str, Any]:
        """Return the struct's fields; an array takes as many numbers as it has."""
        found: dict[str, Any] = {}
        numbers = iter(state)
        for name, count in self._fields.items():
            found[name] = [next(numbers) for _ in range(count)] if count else next(numbers)
        return found

    def _tuple(self, made: dict[str, Any]) -> tuple[int, ...]:
        found: list[int] = []
        for one in made.values():
            found += one if isinstance(one, list) else [one]
        return tuple(found)

    def start(self) -> Any:
        return self._tuple(self._module.kit_start())

    def moves(self, state: Any) -> Sequence[int]:
        found: list[int] = self._module.kit_moves(self._dict(state))
        return found

    def play(self, state: Any, move: int) -> tuple[Any, int]:
        after, gain = self._module.kit_play(self._dict(state), move)
        return self._tuple(after), gain

    def result(self, state: Any) -> int | None:
        try:
            found: int | None = self._module.kit_result(self._dict(state))
        except (OverflowError, TypeError, ValueError) as error:
            raise GamecoreError(f"no state of {self.name}: {error}") from None
        return found

    def key(self, state: Any) -> Any:
        return self._module.kit_key(self._dict(state))

    def write(self, state: Any, move: int) -> str:
        write = getattr(self._module, "write", None)
        return str(move) if write is None else str(write(self._dict(state), move))

    def draw(self, state: Any, mover: int) -> str:
        draw = getattr(self._module, "draw", None)
        return super().draw(state, mover) if draw is None else str(draw(self._dict(state), mover))

    def searcher(self, table_bytes: int) -> "CompiledSearcher":
        return CompiledSearcher(self, self._module.Solver(table_bytes))


class CompiledSearcher:
    """A compiled game's table."""

    def __init__(self, rules: CompiledRules, solver: Any) -> None:
        self._rules, self._solver = rules, solver

    def stop(self) -> None:
        self._solver.stop()

    @property
    def table_bytes(self) -> int:
        found: int = self._solver.table_bytes
        return found

    def search(self, state: Any, seconds: float, nodes: int) -> tuple[int, int, int]:
        try:
            found: tuple[int, int, int] = self._solver.search(self._rules._dict(state), seconds, nodes)
        except RecursionError as error:
            raise GamecoreError(str(error)) from None
        return found

    def solve_all(self, state: Any, seconds: float) -> tuple[int, int] | None:
        """Return (value, positions) with every position in the table, or None at the time limit."""
        found: tuple[int, int] | None = self._solver.solve_all(self._rules._dict(state), seconds)
        return found

    def entries(self) -> tuple[bytes, bytes]:
        """Return keys and values of the whole table."""
        keys, values = self._solver.entries()
        return bytes(keys), bytes(values)


class PythonRules(Rules):
    """The rules of a Python class with methods ``start``, ``moves``, ``play``, ``result``; see the tutorial.

    Args:
        made: an instance of the class.
    """

    def __init__(self, made: Any) -> None:
        for needed in ("start", "moves", "play", "result"):
            if not callable(getattr(made, needed, None)):
                raise OptionError(f"the class {type(made).__name__} has no method {needed}")
        self._made = made
        self.source = f"{type(made).__module__}.{type(made).__qualname__}"
        self.name = getattr(made, "name", type(made).__name__.lower())
        self.title = getattr(made, "NAME", type(made).__name__)
        self.text = getattr(made, "RULES", "") or inspect.getdoc(made) or ""
        self.outcome = getattr(made, "KIND", "outcome") == "outcome"
        for one in ("key", "write", "draw"):
            if callable(getattr(made, one, None)):
                setattr(self, one, getattr(made, one))

    def __reduce__(self) -> Any:
        return PythonRules, (self._made,)

    def start(self) -> Any:
        return self._made.start()

    def moves(self, state: Any) -> Sequence[int]:
        found: Sequence[int] = self._made.moves(state)
        return found

    def play(self, state: Any, move: int) -> tuple[Any, int]:
        found = self._made.play(state, move)
        return (found, 0) if self.outcome else found

    def result(self, state: Any) -> int | None:
        found: int | None = self._made.result(state)
        return found


class _Stopped(Exception):
    """A limit was reached."""


class PythonSearcher:
    """The search of ``after.pxi`` in plain Python, over a dict."""

    def __init__(self, rules: Rules, table_bytes: int = 0) -> None:
        self._rules = rules
        self._known: dict[Any, tuple[int, int]] = {}
        self._nodes = self._limit = 0
        self._deadline = -1.0
        self._asked = False

    @property
    def table_bytes(self) -> int:
        return 200 * len(self._known)  # about: a dict's slot, a key, two numbers

    def stop(self) -> None:
        self._asked = True

    def search(self, state: Any, seconds: float, nodes: int) -> tuple[int, int, int]:
        end = self._rules.result(state)
        if end is not None:
            return end, end, 0
        self._begin(seconds, nodes)
        lower, upper = self._known.get(self._rules.key(state), (LOSS, WIN))
        try:
            while lower < upper:
                guess = max(lower, min(upper, 0))
                beta = guess + 1 if guess == lower else guess
                value = self._value(state, beta - 1, beta, 0)
                lower, upper = (lower, min(upper, value)) if value < beta else (max(lower, value), upper)
        except _Stopped:
            pass
        self._known[self._rules.key(state)] = lower, upper
        return lower, upper, self._nodes

    def exact(self, state: Any, nodes: int) -> int | None:
        """Return the value, or None if it takes more than this many nodes."""
        end = self._rules.result(state)
        if end is not None:
            return end
        self._begin(-1.0, nodes)
        try:
            return self._exact(state, 0)
        except _Stopped:
            return None

    def _begin(self, seconds: float, nodes: int) -> None:
        self._nodes, self._limit, self._asked = 0, nodes, False
        self._deadline = time.perf_counter() + seconds if seconds >= 0 else -1.0

    def _count(self, depth: int) -> None:
        if self._limit and self._nodes >= self._limit:
            raise _Stopped
        if self._nodes % 256 == 0 and (self._asked or is_cancelled() or 0 <= self._deadline <= time.perf_counter()):
            raise _Stopped
        if depth > DEEPEST:
            raise GamecoreError(f"a game of more than {DEEPEST} plies: is there a cycle?")
        self._nodes += 1

    def _value(self, state: Any, alpha: int, beta: int, depth: int) -> int:
        rules, best = self._rules, LOSS
        open_moves: list[tuple[int, int, Any, int]] = []
        self._count(depth)
        for move in rules.moves(state):
            after, gain = rules.play(state, move)
            end = rules.result(after)
            low, high = (end, end) if end is not None else self._known.get(rules.key(after), (LOSS, WIN))
            best = max(best, rules.lifted(high, gain))
            if best >= beta:
                return best
            if rules.lifted(low, gain) > best:
                open_moves.append((-rules.lifted(low, gain), len(open_moves), after, gain))
        for _, _, after, gain in sorted(open_moves, key=lambda one: one[:2]):
            low, high = rules.lowered(beta, gain), rules.lowered(max(alpha, best), gain)
            value = self._value(after, low, high, depth + 1)
            key = rules.key(after)
            lower, upper = self._known.get(key, (LOSS, WIN))
            self._known[key] = (
                max(lower, value) if value > low else lower,
                min(upper, value) if value < high else upper,
            )
            best = max(best, rules.lifted(value, gain))
            if best >= beta:
                return best
        return best

    def _exact(self, state: Any, depth: int) -> int:
        rules, key, best = self._rules, self._rules.key(state), LOSS
        if key in self._known:
            return self._known[key][0]
        self._count(depth)
        for move in rules.moves(state):
            after, gain = rules.play(state, move)
            end = rules.result(after)
            best = max(best, rules.lifted(self._exact(after, depth + 1) if end is None else end, gain))
        self._known[key] = best, best
        return best
