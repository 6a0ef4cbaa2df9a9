"""The rules of a game as the tools need them, from a compiled module or from a Python class."""

import inspect
import time
from collections.abc import Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from gamecore.batch.workers import beside, is_cancelled, stoppable
from gamecore.errors import GamecoreError, OptionError
from gamecore.kit._build import build, imported, is_outcome
from gamecore.search.threads import nodes_alone
from gamecore.text import in_words, printable

WIN: Final = 10_000  #: also the bound of scores
LOSS: Final = -WIN
DRAW: Final = 0
DEEPEST: Final = 400  #: plies that the search in Python follows


class Searcher(Protocol):
    """A table, and searches that share it."""

    @property
    def table_bytes(self) -> int:
        """Memory of the table."""

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        """Return (lower, upper, nodes).

        Args:
            state: a state.
            seconds: limit; below 0: none.
            nodes: limit; 0: none.
            threads: that search together.
            test: end as soon as the value is known to be at least this, or below it; None: search for the value.
        """

    def helper(self) -> "Searcher | None":
        """Return another one on the same table, for another thread; None if threads cannot share it."""

    def stop(self) -> None:
        """End the current search, and all later ones; from any thread."""


class Rules:
    """A game of :mod:`gamecore.kit`.

    A state is a tuple; a move is a number. Scores are of the side to move: of wins and losses :data:`WIN` less the
    plies, or points.

    Attributes:
        name: an identifier. title, text: for people.
        outcome: True for win, draw and loss; False for points.
        cycles: whether a state can come again. Games without end are draws.
        threads: whether threads can share a table.
        source: what they are made of: equal for equal rules.
    """

    name: str
    title: str
    text: str
    outcome: bool = True
    cycles: bool = False
    threads: bool = False
    source: Hashable = ""

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

    def valid(self, state: Any) -> bool:
        """Return False for a tuple of numbers that is no state: the other functions may then fail."""
        return True

    def check_state(self, state: Any) -> None:
        """Refuse what is no state.

        Raises:
            OptionError: it has another shape, or the rules refuse it.
        """
        count = len(self.start())
        if type(state) is not tuple or len(state) != count or any(type(one) is not int for one in state):
            numbers = f"{count} whole number{'s'[: count - 1]}"
            raise OptionError(f"a state of {self.name} must be a tuple of {numbers}, not {printable(state)}")
        why = ""
        try:
            fine = self.valid(state)
            if fine:
                self.result(state)
        except Exception as error:  # the rules may do anything with numbers that are no state
            fine, why = False, f": {in_words(error)}"
        if not fine:
            raise OptionError(f"{printable(state)} is no state of {self.name}{why}")

    def key(self, state: Any) -> Any:
        """Return the table's key; states of one key have one value."""
        return state

    def write(self, state: Any, move: int) -> str:
        """Return a move as text."""
        return str(move)

    def draw(self, state: Any, mover: int) -> str:
        """Return a state as text; ``mover``: 0 for the side that began."""
        return " ".join(map(str, state))

    def searcher(self, table_bytes: int, shared: bool = False) -> Searcher:
        """Return a new table; for games without cycles. ``shared``: others will join by :meth:`Searcher.helper`."""
        return PythonSearcher(self)

    def lifted(self, value: int, gain: int) -> int:
        """Return the score of a move from that of the position after it."""
        if self.outcome:
            return 1 - value if value > 0 else -1 - value if value < 0 else 0
        return gain - value

    def check_score(self, value: int, gain: int) -> None:
        """Refuse a result, or a value, and the gain of the move before it.

        Raises:
            GamecoreError: it is out of range.
        """
        if self.outcome:
            if value not in (LOSS, DRAW, WIN):
                raise GamecoreError(f"{self.name}: result must be LOSS, DRAW, WIN or None, not {printable(value)}")
        elif not (LOSS <= gain <= WIN and LOSS <= value <= WIN and LOSS <= gain - value <= WIN):
            raise GamecoreError(f"{self.name}: points must be from {LOSS} to {WIN}")

    def lowered(self, value: int, gain: int) -> int:
        """Return the inverse of :meth:`lifted`."""
        if self.outcome:
            return -1 - value if value > 0 else 1 - value if value < 0 else 0
        return gain - value


def some_moves(rules: Rules, state: Any) -> Sequence[int]:
    """Return the legal moves of a state in which the game goes on.

    Raises:
        GamecoreError: there is none.
    """
    moves = rules.moves(state)
    if not moves:
        raise GamecoreError(f"{rules.name}: there is no move, but result says that the game goes on")
    return moves


class CompiledRules(Rules):
    """The rules of a ``.pyx`` file. A state is the tuple of the fields of ``State``."""

    def __init__(self, path: str) -> None:
        compiled = build(path)
        self._path, self.source = path, str(compiled)
        self._module = module = imported(compiled)
        self.name = Path(path).stem
        self.title, self.text = getattr(module, "NAME", self.name), getattr(module, "RULES", "")
        self.outcome = is_outcome(getattr(module, "KIND", "outcome"))
        self.cycles = bool(getattr(module, "CYCLES", False))
        self.threads = not self.cycles
        fields = module.kit_start()
        for name, one in fields.items():
            if not isinstance(one, (int, list)):
                raise GamecoreError(f"{self.name}: {name} must be a whole number, or an array of 16 bits or more")
        self._fields = {name: len(one) if isinstance(one, list) else 0 for name, one in fields.items()}

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
        found: int | None = self._module.kit_result(self._dict(state))
        return found

    def valid(self, state: Any) -> bool:
        return bool(self._module.kit_valid(self._dict(state)))

    def key(self, state: Any) -> Any:
        return self._module.kit_key(self._dict(state))

    def write(self, state: Any, move: int) -> str:
        write = getattr(self._module, "write", None)
        return str(move) if write is None else str(write(self._dict(state), move))

    def draw(self, state: Any, mover: int) -> str:
        draw = getattr(self._module, "draw", None)
        return super().draw(state, mover) if draw is None else str(draw(self._dict(state), mover))

    def searcher(self, table_bytes: int, shared: bool = False) -> Searcher:
        solver = self._module.Solver(table_bytes)
        if shared:
            solver.share(True, False)
        return CompiledSearcher(self, solver)


class CompiledSearcher:
    """A compiled game's table."""

    def __init__(self, rules: CompiledRules, solver: Any) -> None:
        self._rules, self._solver = rules, solver

    def helper(self) -> "CompiledSearcher | None":
        return CompiledSearcher(self._rules, type(self._solver)(0, self._solver)) if self._solver.is_shared else None

    def stop(self) -> None:
        self._solver.stop()

    @property
    def table_bytes(self) -> int:
        found: int = self._solver.table_bytes
        return found

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        begun, given, solver = time.perf_counter(), self._rules._dict(state), self._solver
        lower, upper, searched = solver.search(given, seconds, nodes_alone(nodes, threads), test)
        left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
        if threads == 1 or lower == upper or left == 0 or (nodes and nodes - searched < threads):
            return lower, upper, searched
        found, share = [(lower, upper, 0)], (nodes - searched) // threads if nodes else 0

        def search(one: Any) -> None:
            with stoppable(one.stop):
                found.append(one.search(given, left, share))

        solver.share(True)
        try:
            with beside([partial(search, type(solver)(0, solver)) for _ in range(threads - 1)]):
                found.append(solver.search(given, left, share))
        finally:
            solver.share(False)
        lowers, uppers, counts = zip(*found, strict=True)
        return max(lowers), min(uppers), searched + sum(counts)

    def solve_all(self, state: Any, seconds: float) -> tuple[int, bytes, bytes] | None:
        """Return the value, and the keys and values of all positions; None at the time limit."""
        value: int | None = self._solver.solve_all(self._rules._dict(state), seconds)
        keys, values = self._solver.entries()
        return None if value is None else (value, bytes(keys), bytes(values))


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
        self.source = (type(made), repr(sorted(vars(made).items())))
        self.name = getattr(made, "name", type(made).__name__.lower())
        self.title = getattr(made, "NAME", type(made).__name__)
        self.text = getattr(made, "RULES", "") or inspect.getdoc(made) or ""
        self.outcome = is_outcome(getattr(made, "KIND", "outcome"))
        self.cycles = bool(getattr(made, "CYCLES", False))
        for one in ("key", "valid", "write", "draw"):
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


class Watch:
    """Limits of a search in Python.

    Attributes:
        nodes: positions searched.
        asked: set it to end the current search and all later ones.
    """

    asked = False

    def start(self, seconds: float, nodes: int) -> None:
        """Begin a search; ``seconds`` below 0 and ``nodes`` 0 are no limits."""
        self.nodes, self._limit = 0, nodes
        self._deadline = time.perf_counter() + seconds if seconds >= 0 else -1.0

    def tick(self) -> bool:
        """Count a position; return True if it must not be searched."""
        if self._limit and self.nodes >= self._limit:
            return True
        if self.nodes % 256 == 0 and (self.asked or is_cancelled() or 0 <= self._deadline <= time.perf_counter()):
            return True
        self.nodes += 1
        return False


class PythonSearcher:
    """The search of ``search.pxi`` in plain Python, over a dict. ``keyed``: False: every state is its own key."""

    def __init__(self, rules: Rules, keyed: bool = True) -> None:
        self._rules, self._key = rules, rules.key if keyed else tuple
        self._known: dict[Any, tuple[int, int]] = {}
        self._watch = Watch()

    @property
    def table_bytes(self) -> int:
        return 200 * len(self._known)  # about: a dict's slot, a key, two numbers

    def stop(self) -> None:
        self._watch.asked = True

    def helper(self) -> None:
        return None

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        end = self._rules.result(state)
        if end is not None:
            self._rules.check_score(end, 0)
            return end, end, 0
        self._watch.start(seconds, nodes)
        lower, upper = self._known.get(self._key(state), (LOSS, WIN))
        try:
            while lower < upper and (test is None or lower < test <= upper):
                guess = max(lower, min(upper, 0))
                beta = test if test is not None else guess + 1 if guess == lower else guess
                value = self._value(state, beta - 1, beta, 0)
                lower, upper = (lower, min(upper, value)) if value < beta else (max(lower, value), upper)
        except _Stopped:
            pass
        self._known[self._key(state)] = lower, upper
        return lower, upper, self._watch.nodes

    def _value(self, state: Any, alpha: int, beta: int, depth: int) -> int:
        rules, best = self._rules, LOSS
        open_moves: list[tuple[int, int, Any, int]] = []
        if depth > DEEPEST:
            raise GamecoreError(f"a game of more than {DEEPEST} plies: is there a cycle? Then say CYCLES = True")
        if self._watch.tick():
            raise _Stopped
        for move in some_moves(rules, state):
            after, gain = rules.play(state, move)
            end = rules.result(after)
            low, high = (end, end) if end is not None else self._known.get(self._key(after), (LOSS, WIN))
            if end is not None:
                rules.check_score(end, gain)
            best = max(best, rules.lifted(high, gain))
            if best >= beta:
                return best
            if rules.lifted(low, gain) > best:
                open_moves.append((-rules.lifted(low, gain), len(open_moves), after, gain))
        for _, _, after, gain in sorted(open_moves, key=lambda one: one[:2]):
            low, high = rules.lowered(beta, gain), rules.lowered(max(alpha, best), gain)
            value = self._value(after, low, high, depth + 1)
            if not rules.outcome:
                rules.check_score(value, gain)
            key = self._key(after)
            lower, upper = self._known.get(key, (LOSS, WIN))
            self._known[key] = (
                max(lower, value) if value > low else lower,
                min(upper, value) if value < high else upper,
            )
            best = max(best, rules.lifted(value, gain))
            if best >= beta:
                return best
        return best
