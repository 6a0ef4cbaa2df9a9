"""The rules of a game as the tools need them, and those of a compiled module."""

import operator
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, Self

from gamecore.apps.kit._build import built, imported, is_outcome
from gamecore.batch.workers import beside, stoppable
from gamecore.errors import GamecoreError, OptionError
from gamecore.search.threads import nodes_alone
from gamecore.text import in_words, printable

WIN: Final = 10_000  #: also the bound of points: of a gain, of an end, and of a position's value
LOSS: Final = -WIN
DRAW: Final = 0
SIDES: Final = ("A", "B")
_SHOWN: Final = 80  # characters of a state in messages


class Searcher(Protocol):
    """A table, and searches that share it."""

    @property
    def table_bytes(self) -> int:
        """Memory of the table."""

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        """Return (lower, upper, nodes). Bounds that nothing is known of may lie outside the range of points.

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


@contextmanager
def errors_of_rules(words: Callable[[], str]) -> Iterator[None]:
    """Raise what the rules raise in the block as a GamecoreError.

    Args:
        words: returns the beginning of the message.
    """
    try:
        yield
    except GamecoreError:
        raise
    except Exception as error:
        raise GamecoreError(words() + in_words(error)) from error


class Rules:
    """A game of :mod:`gamecore.apps.kit`.

    A state is a tuple of whole numbers; a move is a number. Scores are of the side to move: of wins and losses
    :data:`WIN` less the plies, or points.

    Attributes:
        name: an identifier. title, text: for people.
        outcome: True for win, draw and loss; False for points.
        cycles: whether a state can come again. Games without end are draws.
        threads: whether threads can share a table.
        source: what they are made of: equal for equal rules.
        actions: moves are numbers from 0 to one less than this, for frameworks that need numbers.
    """

    name: str
    title: str
    text: str
    outcome: bool = True
    cycles: bool = False
    threads: bool = False
    source: Hashable = ""
    actions: int = 1 << 16

    def __deepcopy__(self, memo: object) -> Self:
        return self

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
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Return a hash of the texts that the rules are made of; the same in every process."""
        return ""

    # --- what the rules say, checked

    def check_state(self, state: Any) -> None:
        """Refuse what is no state.

        Raises:
            OptionError: it has another shape, or the rules refuse it.
        """
        count = len(self.start())
        if type(state) is not tuple or len(state) != count or any(type(number) is not int for number in state):
            numbers = f"{count} whole number{'s'[: count - 1]}"
            raise OptionError(f"a state of {self.name} must be a tuple of {numbers}, not {printable(state, _SHOWN)}")
        words = f"{printable(state, _SHOWN)} is no state of {self.name}"
        try:
            with errors_of_rules(lambda: f"{words}: "):  # the rules may do anything with numbers that are no state
                if self.valid(state):
                    self.result(state)
                    return
        except GamecoreError as error:
            raise OptionError(str(error)) from error
        raise OptionError(words)

    def end(self, state: Any) -> int | None:
        """Return the score of a final state; None if the game goes on.

        Raises:
            GamecoreError: it is out of range.
        """
        end = self.result(state)
        if end is None:
            return None
        if self.outcome and end in (LOSS, DRAW, WIN):
            return int(end)
        if self.outcome:
            where = f"{printable(end)} in {printable(state, _SHOWN)}"
            raise GamecoreError(f"{self.name}: result must be LOSS, DRAW, WIN or None, not {where}")
        return self._points(end, state, "as the result of")

    def children(self, state: Any) -> Iterator[tuple[int, Any, int]]:
        """Yield every move of a state in which the game goes on, the state after it, and what the move gained.

        Raises:
            GamecoreError: there is none, or its points are out of range.
        """
        move = None
        for move in self.moves(state):
            after, gain = self.play(state, move)
            yield move, after, 0 if self.outcome else self.checked_gain(gain, state)
        if move is None:
            raise GamecoreError(
                f"{self.name}: there is no move, but result says that the game goes on, in {printable(state, _SHOWN)}"
            )

    def checked_gain(self, gain: Any, state: Any) -> int:
        """Return what a move of a state gained.

        Raises:
            GamecoreError: it is out of range.
        """
        return 0 if self.outcome else self._points(gain, state, "for a move of")

    def checked_bounds(self, state: Any, lower: int, upper: int) -> tuple[int, int]:
        """Return bounds of a state's value within the range of values.

        Raises:
            GamecoreError: the bounds contradict each other, or the value is out of range.
        """
        if lower > upper:
            raise GamecoreError(
                f"{self.name}: {printable(state, _SHOWN)} is worth at least {lower} and at most {upper}: "
                "key or bounds are wrong"
            )
        if lower > WIN or upper < LOSS:
            self._points(lower if lower > WIN else upper, state, "as the value of")
        return max(lower, LOSS), min(upper, WIN)

    def _points(self, points: object, state: Any, words: str) -> int:
        number = operator.index(points) if hasattr(points, "__index__") else WIN + 1
        if not LOSS <= number <= WIN:
            where = f"{words} {printable(state, _SHOWN)}"
            raise GamecoreError(
                f"{self.name}: points must be from {LOSS} to {WIN} and whole numbers, not {printable(points)} {where}"
            )
        return number

    # --- scores along a move

    def parent_score(self, value: int, gain: int) -> int:
        """Return the score of a move from that of the position after it."""
        if self.outcome:
            return 1 - value if value > 0 else -1 - value if value < 0 else 0
        return gain - value

    def child_score(self, value: int, gain: int) -> int:
        """Return the score of the position after a move from that of the move."""
        if self.outcome:
            return -1 - value if value > 0 else 1 - value if value < 0 else 0
        return gain - value


class CompiledRules(Rules):
    """The rules of a ``.pyx`` file. A state is the tuple of the fields of ``State``."""

    def __init__(self, path: str) -> None:
        compiled, self._files_hash = built(path)
        self._path, self.source = path, str(compiled)
        self._module = module = imported(compiled)
        facts = module.gc_facts()
        self.name = Path(path).stem
        self.title, self.text = facts["title"] or self.name, facts["text"]
        self.outcome, self.cycles = is_outcome(facts["kind"]), bool(facts["cycles"])
        self.threads = not self.cycles
        self.actions = getattr(module, "ACTIONS", self.actions)
        fields = module.gc_start()
        for name, value in fields.items():
            if not all(isinstance(number, int) for number in (value if isinstance(value, list) else [value])):
                raise GamecoreError(f"{self.name}: {name} must be a whole number, or an array of 16 bits or more")
        self._fields = {name: len(value) if isinstance(value, list) else 0 for name, value in fields.items()}
        try:
            module.gc_valid(fields)
        except Exception as error:
            raise GamecoreError(f"{self.name}: State must be a plain struct: {in_words(error)}") from error

    def fingerprint(self) -> str:
        """Return a hash of the file and of all files that it includes."""
        return self._files_hash

    def __reduce__(self) -> Any:
        return CompiledRules, (self._path,)

    def _dict(self, state: Any) -> dict[str, Any]:
        """Return the struct's fields; an array takes as many numbers as it has."""
        fields: dict[str, Any] = {}
        numbers = iter(state)
        for name, count in self._fields.items():
            fields[name] = [next(numbers) for _ in range(count)] if count else next(numbers)
        return fields

    def _tuple(self, fields: dict[str, Any]) -> tuple[int, ...]:
        numbers: list[int] = []
        for value in fields.values():
            numbers += map(int, value if isinstance(value, list) else [value])
        return tuple(numbers)

    def start(self) -> Any:
        return self._tuple(self._module.gc_start())

    def moves(self, state: Any) -> Sequence[int]:
        moves: list[int] = self._module.gc_moves(self._dict(state))
        return moves

    def play(self, state: Any, move: int) -> tuple[Any, int]:
        after, gain = self._module.gc_play(self._dict(state), move)
        return self._tuple(after), gain

    def result(self, state: Any) -> int | None:
        end: int | None = self._module.gc_result(self._dict(state))
        return end

    def valid(self, state: Any) -> bool:
        return bool(self._module.gc_valid(self._dict(state)))

    def key(self, state: Any) -> Any:
        return self._module.gc_key_of(self._dict(state))

    def write(self, state: Any, move: int) -> str:
        write = getattr(self._module, "write", None)
        return str(move) if write is None else str(write(self._dict(state), move))

    def draw(self, state: Any, mover: int) -> str:
        draw = getattr(self._module, "draw", None)
        return super().draw(state, mover) if draw is None else str(draw(self._dict(state), mover))

    def searcher(self, table_bytes: int, shared: bool = False) -> Searcher:
        solver = self._module.gc_Solver(table_bytes)
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
        table_bytes: int = self._solver.table_bytes
        return table_bytes

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        begun, fields, solver = time.perf_counter(), self._rules._dict(state), self._solver
        lower, upper, searched = solver.search(fields, seconds, nodes_alone(nodes, threads), test)
        left = seconds if seconds < 0 else max(0.0, seconds - (time.perf_counter() - begun))
        if threads == 1 or lower == upper or left == 0 or (nodes and nodes - searched < threads):
            return lower, upper, searched
        results, share = [(lower, upper, 0)], (nodes - searched) // threads if nodes else 0

        def search(helper: Any) -> None:
            with stoppable(helper.stop):
                results.append(helper.search(fields, left, share))

        solver.share(True)
        try:
            with beside([partial(search, type(solver)(0, solver)) for _ in range(threads - 1)]):
                results.append(solver.search(fields, left, share))
        finally:
            solver.share(False)
        lowers, uppers, counts = zip(*results, strict=True)
        return max(lowers), min(uppers), searched + sum(counts)

    def solve_all(self, state: Any, seconds: float) -> tuple[int, bytes, bytes] | None:
        """Return the value, and the keys and values of all positions; None at the time limit."""
        value: int | None = self._solver.solve_all(self._rules._dict(state), seconds)
        keys, values = self._solver.entries()
        return None if value is None else (value, bytes(keys), bytes(values))
