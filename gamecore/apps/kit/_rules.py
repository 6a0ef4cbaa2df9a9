"""The rules of a game as the tools need them: :class:`Rules`, from a Python class or a compiled file."""

import hashlib
import importlib.util
import inspect
import operator
import pickle
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from gamecore import game
from gamecore.apps.kit._build import built, imported, is_outcome
from gamecore.errors import GamecoreError, OptionError
from gamecore.text import in_words, printable

WIN: Final = 10_000  #: also the bound of points: of a gain, of an end, and of a position's value
LOSS: Final = -WIN
DRAW: Final = 0
SIDES: Final = ("A", "B")
_SHOWN: Final = 80  # characters of a state in messages
_ADDRESS: Final = "at "
_FUNCTIONS: Final = ("start", "moves", "play", "result")


@contextmanager
def errors_of_rules(words: Callable[[], str]) -> Iterator[None]:
    """Raise what the rules raise in the block as a GamecoreError; ``words`` returns the beginning of the message."""
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
        fingerprint: a hash of the texts that they are made of; the same in every process.
        actions: moves are numbers from 0 to one less than this, for frameworks that need numbers.
        start: returns the state at the beginning.
        moves: returns the legal moves of a state that is not final.
        play: returns the state after a move, seen by the other side, and the points that the move gained.
        result: returns the score of a final state; None if the game goes on.
        valid: returns False for a tuple of numbers that is no state: the other functions may then fail.
        key: returns the table's key; states of one key have one value.
        write: returns a move as text.
        draw: returns a state as text; its second argument is 0 for the side that began.
    """

    name: str
    title: str
    text: str
    source: Hashable
    fingerprint: str
    outcome: bool
    cycles: bool
    threads = False
    start: Callable[[], Any]
    moves: Callable[[Any], Sequence[int]]
    play: Callable[[Any, int], tuple[Any, int]]
    result: Callable[[Any], int | None]

    def __init__(self) -> None:
        self.actions = 1 << 16
        self.valid: Callable[[Any], bool] = lambda state: True
        self.key: Callable[[Any], Any] = lambda state: state
        self.write: Callable[[Any, int], str] = lambda state, move: str(move)
        self.draw: Callable[[Any, int], str] = lambda state, mover: " ".join(map(str, state))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    # --- what the rules say, checked

    def check_state(self, state: Any) -> None:
        """Raise OptionError unless this is a tuple of the right length that the rules take for a state."""
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
        """Return the score of a final state, None if the game goes on; raise GamecoreError if it is out of range."""
        end = self.result(state)
        if end is None:
            return None
        if not self.outcome:
            return self._points(end, state, "as the result of")
        if end in (LOSS, DRAW, WIN):
            return int(end)
        where = f"{printable(end)} in {printable(state, _SHOWN)}"
        raise GamecoreError(f"{self.name}: result must be LOSS, DRAW, WIN or None, not {where}")

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
            where = printable(state, _SHOWN)
            raise GamecoreError(f"{self.name}: there is no move, but result says that the game goes on, in {where}")

    def checked_gain(self, gain: Any, state: Any) -> int:
        """Return what a move of a state gained; raise GamecoreError if it is out of range."""
        return 0 if self.outcome else self._points(gain, state, "for a move of")

    def checked_bounds(self, state: Any, lower: int, upper: int) -> tuple[int, int]:
        """Return bounds of a state's value within the range of values.

        Raises:
            GamecoreError: the bounds contradict each other, or the value is out of range.
        """
        if lower > upper:
            worth = f"is worth at least {lower} and at most {upper}: key or bounds are wrong"
            raise GamecoreError(f"{self.name}: {printable(state, _SHOWN)} {worth}")
        if lower > WIN or upper < LOSS:
            self._points(lower if lower > WIN else upper, state, "as the value of")
        return max(lower, LOSS), min(upper, WIN)

    def _points(self, points: Any, state: Any, words: str) -> int:
        number = operator.index(points) if hasattr(points, "__index__") else WIN + 1
        if LOSS <= number <= WIN:
            return number
        where = f"{printable(points)} {words} {printable(state, _SHOWN)}"
        raise GamecoreError(f"{self.name}: points must be from {LOSS} to {WIN} and whole numbers, not {where}")

    def table_key(self, state: Any) -> tuple[int, int]:
        """Return two words of 64 bits that stand for a state in a file of all positions."""
        digest = hashlib.blake2b(",".join(str(int(number)) for number in state).encode(), digest_size=16).digest()
        return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")

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


class PythonRules(Rules):
    """The rules of a Python class with methods ``start``, ``moves``, ``play``, ``result``; see the tutorial.

    Args:
        user: an instance of the class.
        contents: what tells the instance from others of its class; None: see :func:`_contents`.
    """

    def __init__(self, user: Any, contents: str | None = None) -> None:
        super().__init__()
        kind = type(user)
        for needed in _FUNCTIONS:
            if not callable(getattr(user, needed, None)):
                raise OptionError(f"the class {kind.__name__} has no method {needed}")
        self._user, self._contents = user, _contents(user) if contents is None else contents
        self.source = kind, self._contents
        self.fingerprint = _texts(kind) + ("" if self._contents.startswith(_ADDRESS) else self._contents)
        self.name = getattr(user, "name", kind.__name__.lower())
        self.title = getattr(user, "NAME", kind.__name__)
        self.text = getattr(user, "RULES", "") or inspect.getdoc(user) or ""
        self.outcome = is_outcome(getattr(user, "KIND", "outcome"))
        self.cycles = bool(getattr(user, "CYCLES", False))
        self.actions = getattr(user, "ACTIONS", self.actions)
        for name in (*_FUNCTIONS, "key", "valid", "write", "draw"):
            if callable(getattr(user, name, None)):
                setattr(self, name, getattr(user, name))
        if self.outcome:
            self.play = lambda state, move: (user.play(state, move), 0)

    def __reduce__(self) -> Any:
        module = type(self._user).__module__
        file = getattr(sys.modules.get(module), "__file__", None)
        return _unpickled, (module, file, pickle.dumps(self._user), self._contents)


def _contents(user: Any) -> str:
    """Return a hash of what pickle takes of an instance, but for its class; the address if it cannot be pickled."""
    try:
        _, arguments, *state = user.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        own = [part for part in arguments if part is not type(user)]
        return hashlib.sha256(pickle.dumps((own, state))).hexdigest()
    except Exception:  # the attributes may be of any class
        return f"{_ADDRESS}{id(user)}"


def _texts(kind: type) -> str:
    """Return a hash of the texts of the modules where a class and its bases are defined."""
    texts = hashlib.sha256(kind.__qualname__.encode())
    for name in dict.fromkeys(base.__module__ for base in kind.__mro__[:-1]):
        file = getattr(sys.modules.get(name), "__file__", None)
        texts.update(Path(file).read_bytes() if file and Path(file).is_file() else name.encode())
    return texts.hexdigest()


def _unpickled(module: str, file: str | None, pickled: bytes, contents: str) -> PythonRules:
    """Return pickled rules; the module of a game's file is loaded from there if it cannot be imported."""
    if module not in sys.modules and file is not None and importlib.util.find_spec(module) is None:
        game.load(file)
    return PythonRules(pickle.loads(pickled), contents)


class CompiledRules(Rules):
    """The rules of a ``.pyx`` file. A state is the tuple of the fields of ``State``.

    Attributes:
        module: the compiled module; its functions take a state as a dict of the fields.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        compiled, self.fingerprint = built(path)
        self._path, self.source = path, str(compiled)
        self.module = module = imported(compiled)
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
        of = self.dict_of
        self.start = lambda: _tuple_of(module.gc_start())
        self.moves = lambda state: module.gc_moves(of(state))
        self.result = lambda state: module.gc_result(of(state))
        self.valid = lambda state: bool(module.gc_valid(of(state)))
        self.key = self.table_key = lambda state: module.gc_key_of(of(state))  # type: ignore[method-assign]
        if hasattr(module, "write"):
            self.write = lambda state, move: str(module.write(of(state), move))
        if hasattr(module, "draw"):
            self.draw = lambda state, mover: str(module.draw(of(state), mover))
        self.play = self._play

    def __reduce__(self) -> Any:
        return CompiledRules, (self._path,)

    def _play(self, state: Any, move: int) -> tuple[Any, int]:
        after, gain = self.module.gc_play(self.dict_of(state), move)
        return _tuple_of(after), gain

    def dict_of(self, state: Any) -> dict[str, Any]:
        """Return the struct's fields; an array takes as many numbers as it has."""
        numbers = iter(state)
        return {
            name: [next(numbers) for _ in range(count)] if count else next(numbers)
            for name, count in self._fields.items()
        }


def _tuple_of(fields: dict[str, Any]) -> tuple[int, ...]:
    numbers: list[int] = []
    for value in fields.values():
        numbers += map(int, value if isinstance(value, list) else [value])
    return tuple(numbers)
