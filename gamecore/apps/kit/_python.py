"""The rules of a Python class, and a search in plain Python for every game without cycles."""

import hashlib
import importlib.util
import inspect
import pickle
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from gamecore import game
from gamecore.apps.kit._build import is_outcome
from gamecore.apps.kit._rules import WIN, Rules, Searcher
from gamecore.batch.workers import is_cancelled
from gamecore.errors import GamecoreError, OptionError

DEEPEST: Final = 400  #: plies that the search in Python follows
_UNKNOWN: Final = 1 << 30  # more points than a game of so many plies can have
_ENTRY_BYTES: Final = 200  # about: a dict's slot while it grows, a tuple, two numbers


class PythonRules(Rules):
    """The rules of a Python class with methods ``start``, ``moves``, ``play``, ``result``; see the tutorial.

    Args:
        user: an instance of the class.
        contents: what tells the instance from others of its class; None: see :func:`_contents`.
    """

    def __init__(self, user: Any, contents: str | None = None) -> None:
        for needed in ("start", "moves", "play", "result"):
            if not callable(getattr(user, needed, None)):
                raise OptionError(f"the class {type(user).__name__} has no method {needed}")
        self._user = user
        self._contents = _contents(user) if contents is None else contents
        self.source, self._fingerprint = (type(user), self._contents), _texts(type(user))
        self.name = getattr(user, "name", type(user).__name__.lower())
        self.title = getattr(user, "NAME", type(user).__name__)
        self.text = getattr(user, "RULES", "") or inspect.getdoc(user) or ""
        self.outcome = is_outcome(getattr(user, "KIND", "outcome"))
        self.cycles = bool(getattr(user, "CYCLES", False))
        self.actions = getattr(user, "ACTIONS", self.actions)
        for name in ("key", "valid", "write", "draw"):
            if callable(getattr(user, name, None)):
                setattr(self, name, getattr(user, name))

    def __reduce__(self) -> Any:
        module = type(self._user).__module__
        file = getattr(sys.modules.get(module), "__file__", None)
        return _unpickled, (module, file, pickle.dumps(self._user), self._contents)

    def start(self) -> Any:
        return self._user.start()

    def moves(self, state: Any) -> Sequence[int]:
        moves: Sequence[int] = self._user.moves(state)
        return moves

    def play(self, state: Any, move: int) -> tuple[Any, int]:
        played = self._user.play(state, move)
        if self.outcome:
            return played, 0
        after, gain = played
        return after, gain

    def result(self, state: Any) -> int | None:
        end: int | None = self._user.result(state)
        return end

    def searcher(self, table_bytes: int, shared: bool = False) -> Searcher:
        return PythonSearcher(self, table_bytes)

    def fingerprint(self) -> str:
        """Return a hash of the modules of the class and its bases, and of the contents of the instance."""
        return self._fingerprint + ("" if self._contents.startswith(_ADDRESS) else self._contents)


_ADDRESS: Final = "at "


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

    def is_over(self) -> bool:
        """Return True if the time is over or the search was stopped."""
        return self.asked or is_cancelled() or 0 <= self._deadline <= time.perf_counter()

    def tick(self) -> bool:
        """Count a position; return True if it must not be searched."""
        if (self._limit and self.nodes >= self._limit) or self.is_over():
            return True
        self.nodes += 1
        return False


def memory_of(key: Any) -> int:
    """Return about how many bytes a key or a state takes."""
    parts = key if isinstance(key, tuple) else ()
    return sys.getsizeof(key) + 16 + sum(sys.getsizeof(part) for part in parts)


class PythonSearcher:
    """The search of ``search.pxi`` in plain Python, over a dict.

    Args:
        rules: the rules of any game without cycles.
        table_bytes: most memory for the table, about. The older half of a full table is dropped.
        keyed: False: every state is its own key.
    """

    def __init__(self, rules: Rules, table_bytes: int, keyed: bool = True) -> None:
        self._rules, self._key = rules, rules.key if keyed else tuple
        self._entry_bytes = memory_of(self._key(rules.start())) + _ENTRY_BYTES
        self._most_entries = table_bytes // self._entry_bytes
        self._unknown = (-WIN, WIN) if rules.outcome else (-_UNKNOWN, _UNKNOWN)
        self._table: dict[Any, tuple[int, int]] = {}
        self._watch = Watch()

    @property
    def table_bytes(self) -> int:
        return self._entry_bytes * len(self._table)

    def stop(self) -> None:
        self._watch.asked = True

    def helper(self) -> None:
        return None

    def search(
        self, state: Any, seconds: float, nodes: int, threads: int = 1, test: int | None = None
    ) -> tuple[int, int, int]:
        end = self._rules.end(state)
        if end is not None:
            return end, end, 0
        self._watch.start(seconds, nodes)
        lower, upper = self._table.get(self._key(state), self._unknown)
        try:
            while lower < upper and (test is None or lower < test <= upper):
                guess = max(lower, min(upper, 0))
                beta = test if test is not None else guess + 1 if guess == lower else guess
                value = self._value(state, beta - 1, beta, 0)
                lower, upper = (lower, min(upper, value)) if value < beta else (max(lower, value), upper)
        except _Stopped:
            pass
        self._keep(self._key(state), lower, upper)
        return lower, upper, self._watch.nodes

    def _keep(self, key: Any, lower: int, upper: int) -> None:
        if len(self._table) >= self._most_entries:
            self._table = dict(islice(self._table.items(), len(self._table) // 2 + 1, None))
        if self._most_entries:
            self._table[key] = lower, upper

    def _value(self, state: Any, alpha: int, beta: int, depth: int) -> int:
        rules, best = self._rules, self._unknown[0]
        open_moves: list[tuple[int, int, Any, int]] = []
        if depth > DEEPEST:
            raise GamecoreError(f"a game of more than {DEEPEST} plies: is there a cycle? Then say CYCLES = True")
        if self._watch.tick():
            raise _Stopped
        for _, after, gain in rules.children(state):
            end = rules.end(after)
            low, high = (end, end) if end is not None else self._table.get(self._key(after), self._unknown)
            best = max(best, rules.parent_score(high, gain))
            if best >= beta:
                return best
            if rules.parent_score(low, gain) > best:
                open_moves.append((-rules.parent_score(low, gain), len(open_moves), after, gain))
        for _, _, after, gain in sorted(open_moves, key=lambda move: move[:2]):
            low, high = rules.child_score(beta, gain), rules.child_score(max(alpha, best), gain)
            value = self._value(after, low, high, depth + 1)
            key = self._key(after)
            lower, upper = self._table.get(key, self._unknown)
            self._keep(key, max(lower, value) if value > low else lower, min(upper, value) if value < high else upper)
            best = max(best, rules.parent_score(value, gain))
            if best >= beta:
                return best
        return best
