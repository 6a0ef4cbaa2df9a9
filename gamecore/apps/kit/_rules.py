"""The rules of a game as the tools need them: :class:`Rules`, from a Python class or a compiled file."""

import hashlib
import importlib.util
import inspect
import operator
import pickle
import random
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from typing import Any, Final, Self, SupportsIndex, TypeGuard, TypeVar

from gamecore import game
from gamecore._version import __version__
from gamecore.apps.kit._build import IN_PYTHON, NEEDED, built, imported, misspelt, name_of
from gamecore.apps.kit._digest import digest_of, hashed
from gamecore.errors import GamecoreError, OptionError
from gamecore.text import checked_flag, checked_integer, explain, printable

WIN: Final = 10_000  #: also the bound of points: of a gain, of an end, and of a position's value
LOSS: Final = -WIN
DRAW: Final = 0
LONGEST: Final = WIN - 2  #: plies to a win or a loss: one more ply after the next would be a draw
SIDES: Final = ("A", "B")
_NATIVE: Final = ("order", "mirrored", "bounds")  # functions for the native search
_SHOWN: Final = 80  # characters of a state in messages
_MOST_MOVES: Final = 1 << 20  # of a state
_PLIES: Final = 2000  # of the sample
_SAMPLED_MOVES: Final = 10_000  # of a state in it
_HEX: Final = 16  # digits of each hash that tells rules apart

State = tuple[int, ...]
Child = tuple[int, State, int]  #: a move, the state after it, and what the move gained
T = TypeVar("T")


def _guarded(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function of the rules whose errors are GamecoreErrors that name them, with theirs as the cause."""

    def call(*arguments: object) -> T:
        try:
            return function(*arguments)
        except (GamecoreError, MemoryError):
            raise
        except Exception as error:
            raise GamecoreError(f"the rules raise {explain(error)}") from error

    return call


def _of_move(function: Callable[..., T], fields: Callable[[State], object]) -> Callable[[State, int, int], T]:
    """Return ``write`` or ``squares``, which may take the mover, as a function of a state that takes it."""
    parameters = inspect.signature(function).parameters.values()
    needed = [each for each in parameters if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD]
    takes_mover = len(needed) > 2 or any(each.name == "mover" for each in parameters)
    return _guarded(lambda state, *move: function(fields(state), *(move if takes_mover else move[:1])))


class Rules:
    """A game of :mod:`gamecore.apps.kit`.

    A state is a tuple of whole numbers; a move is a number. Scores are of the side to move: of wins and losses
    :data:`WIN` less the plies, or points.

    Args:
        user: an object with the functions of the rules: a user's own, or that of a compiled file.
        name: an identifier.
        source: what they are made of: equal for equal rules.
        digest: hashes of the texts and values that they are made of, see :mod:`gamecore.apps.kit._digest`.
        restored: returns what pickle takes: a function, and the arguments with which it returns these rules.

    Attributes:
        solver: the class of a compiled game's searches; None: the rules are in Python.
        title, text: for people.
        outcome: True for win, draw and loss; False for points.
        cycles: whether a state can come again. Games without end are draws.
        actions: moves are numbers from 0 to one less than this, for frameworks that need numbers; None: unknown.
        most_moves: of a state; 0: unknown.
        doubt: what may be wrong if answers contradict each other.
        board, squares: rows and columns of a board, and the squares of a move; or None.
        length: how many numbers a state has.
        start, moves, play, result, valid, key, write, draw: the functions, see ``docs/adding-a-game.md``; their errors
            are GamecoreErrors.
    """

    def __init__(
        self, user: Any, name: str, source: Hashable, digest: tuple[str, str], restored: Callable[[], tuple[Any, ...]]
    ) -> None:
        for needed in NEEDED:
            if not callable(getattr(user, needed, None)):
                raise OptionError(f"the class {type(user).__name__} has no method {needed}")
        self.user, self.name, self.source, self.digest, self._restored = user, name, source, digest, restored
        self.solver: Callable[[int], Any] | None = getattr(user, "gc_Solver", None)
        if not (isinstance(name, str) and name.isidentifier()):
            raise OptionError(f"name must be a letter, then letters, digits and underscores, not {printable(name)}")
        kind = getattr(user, "KIND", "outcome")
        if kind not in ("outcome", "score"):
            raise OptionError(f"KIND must be 'outcome' or 'score', not {printable(kind)}")
        self.outcome, self.cycles = kind == "outcome", checked_flag(getattr(user, "CYCLES", False), "CYCLES")
        if self.cycles and not self.outcome:
            raise OptionError(f"{name}: KIND = 'score' does not go with CYCLES = True: points need an end")
        self.title: str = getattr(user, "NAME", None) or name
        self.text: str = getattr(user, "RULES", None) or inspect.getdoc(user) or ""
        own = "key, mirrored or bounds are wrong, or " if self.solver else "key is wrong, or " * hasattr(user, "key")
        self.doubt = f"{own}the rules depend on more than the state"
        actions = getattr(user, "ACTIONS", None)
        self.actions = None if actions is None else checked_integer(actions, "ACTIONS", 1, _MOST_MOVES)
        self.most_moves: int = getattr(user, "most_moves", 0)
        self.start: Callable[[], State] = _guarded(user.start)
        self.play: Callable[[State, int], object] = _guarded(user.play)
        self.result: Callable[[State], int | None] = _guarded(user.result)
        self.valid: Callable[[State], bool] = _guarded(getattr(user, "valid", lambda state: True))
        self.key: Callable[..., Any] = _guarded(getattr(user, "key", lambda state: state))
        fields = getattr(user, "fields", lambda state: state)  # what these functions of a compiled file take
        draw = getattr(user, "draw", None)
        self.draw: Callable[[State, int], str] = _guarded(
            lambda state, mover: str(draw(fields(state), mover)) if draw else " ".join(map(str, state))
        )
        write = getattr(user, "write", lambda state, move: str(move))
        self.write: Callable[[State, int, int], str] = _of_move(write, fields)
        self.board: tuple[int, int] | None = getattr(user, "SQUARES", None)
        squares = getattr(user, "squares", None)
        if (self.board is None) != (squares is None):
            raise OptionError(f"{name}: SQUARES = (rows, columns) and squares(state, move) go together")
        if squares is not None:
            self.squares: Callable[[State, int, int], Iterable[int]] = _of_move(squares, fields)
            sizes = self.board if type(self.board) is tuple else ()
            if len(sizes) != 2 or not all(type(size) is int and 0 < size < 27 for size in sizes):
                raise OptionError(
                    f"{name}: SQUARES must be two whole numbers from 1 to 26, not {printable(self.board)}"
                )
        start = self.start()
        self.length = len(start) if type(start) is tuple else 0
        self._numbers = f"a tuple of {self.length} whole number{'s'[: self.length - 1]}"
        if not self._is_state(start):
            raise OptionError(f"{name}: start must return a tuple of whole numbers, not {printable(start)}")
        if not isinstance(key := self.key(start), Hashable):
            raise OptionError(f"{name}: key must return a tuple, or what else has a hash, not {printable(key)}")

    def __reduce__(self) -> Any:
        return self._restored()

    def __deepcopy__(self, memo: object) -> Self:
        return self

    # --- what the rules say, checked

    def _error(self, words: str, state: object) -> GamecoreError:
        return GamecoreError(f"{self.name}: {words} {printable(state, _SHOWN)}")

    def _is_state(self, state: object) -> TypeGuard[State]:
        return type(state) is tuple and len(state) == self.length and {*map(type, state)} == {int}

    def check_state(self, state: object) -> None:
        """Raise OptionError unless this is a tuple of the right length that the rules take for a state."""
        shown = printable(state, _SHOWN)
        if not self._is_state(state):
            raise OptionError(f"a state of {self.name} must be {self._numbers}, not {shown}")
        try:
            if self.valid(state):
                self.result(state)
                return
        except Exception as error:  # rules may do anything with other numbers
            raise OptionError(f"{shown} is no state of {self.name}: {explain(error)}") from error
        raise OptionError(f"{shown} is no state of {self.name}")

    def end(self, state: State) -> int | None:
        """Return the score of a final state, None if the game goes on; raise GamecoreError if it is out of range."""
        end = self.result(state)
        if end is None:
            return None
        if type(end).__name__ not in ("bool", "bool_"):  # `not state[0] and LOSS` would be a draw
            if not self.outcome and end not in (LOSS, WIN):
                return self._points(end, "as the result of", state)
            if self.outcome and end in (LOSS, DRAW, WIN):
                return int(end)
        allowed = "LOSS, DRAW, WIN" if self.outcome else f"points below {WIN}"
        raise self._error(f"result must be {allowed} or None, not {printable(end)} in", state)

    def moves(self, state: State) -> Iterator[int]:
        """Yield the legal moves one by one; a list may be long, and a limit may end it."""
        try:
            listed = self.user.moves(state)
            if not isinstance(listed, Iterable):
                raise self._error(f"moves must return a list of numbers, not {printable(listed)}, in", state)
            for index, move in enumerate(listed):
                if index == _MOST_MOVES:
                    raise self._error(f"there are more than {_MOST_MOVES} moves in", state)
                if type(move) is not int and not hasattr(move, "__index__"):
                    raise self._error(f"a move must be a whole number, not {printable(move)}, in", state)
                yield move
        except (GamecoreError, MemoryError):
            raise
        except Exception as error:
            raise GamecoreError(f"the rules raise {explain(error)}") from error

    def children(self, state: State) -> Iterator[Child]:
        """Yield every move of a state in which the game goes on, the state after it, and what the move gained.

        Raises:
            GamecoreError: there is none, or its points are out of range.
        """
        move = None
        for move in self.moves(state):
            yield move, *self.after(state, move)
        if move is None:
            raise self._error("there is no move, but result says that the game goes on, in", state)

    def after(self, state: State, move: int) -> tuple[State, int]:
        """Return the state after a move, and what the move gained; raise GamecoreError if they are none."""
        after, gain = self.play(state, move), 0
        if not self.outcome:
            if not (type(after) is tuple and len(after) == 2):
                what = "with KIND = 'score', play must return a pair (state, points)"
                raise self._error(f"{what}, not {printable(after)}, in", state)
            after, gain = after[0], self._points(after[1], "for a move of", state)
        if self._is_state(after):
            return after, gain
        hint = " (a pair with points: KIND = 'score')" * (type(after) is tuple and tuple in map(type, after))
        raise self._error(f"play must return {self._numbers}{hint}, not {printable(after)}, in", state)

    def named_children(self, state: State, mover: int) -> dict[str, Child]:
        """Return what :meth:`children` yields by the names of the moves; nothing of a final state.

        Raises:
            GamecoreError: the rules raise an error, or write two moves alike.
        """
        named: dict[str, Child] = {}
        for child in self.children(state) if self.end(state) is None else ():
            name = str(self.write(state, child[0], mover))
            if name in named:
                raise self._error(f"two moves are written {name!a}, in", state)
            named[name] = child
        return named

    def checked_bounds(self, state: State, lower: int, upper: int) -> tuple[int, int]:
        """Return bounds of a state's value within the range of values.

        Raises:
            GamecoreError: the bounds contradict each other, or the value is out of range.
        """
        if lower > upper:
            raise self._error(f"{self.doubt}: a value of at least {lower} and at most {upper} of", state)
        if self.outcome and (lower == -1 or upper == 1):
            raise self._error(f"a game of more than {LONGEST} plies has no value:", state)
        if lower > WIN or upper < LOSS:
            self._points(lower if lower > WIN else upper, "as the value of", state)
        return max(lower, LOSS), min(upper, WIN)

    def _points(self, points: object, words: str, state: State) -> int:
        number = operator.index(points) if isinstance(points, SupportsIndex) else WIN + 1
        if LOSS <= number <= WIN:
            return number
        allowed = f"from {LOSS} to {WIN} and whole numbers"
        raise self._error(f"points must be {allowed}, not {printable(points)} {words}", state)

    def table_key(self, state: State) -> tuple[int, int]:
        """Return two words of 64 bits that stand for a state in a file of all positions."""
        if self.solver is not None:
            words: tuple[int, int] = self.key(state)
            return words
        digest = hashlib.blake2b(",".join(map(str, state)).encode(), digest_size=16).digest()
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

    # --- a sample of play

    def sample(self) -> Iterator[tuple[State, list[int], str]]:
        """Yield states of 2,000 seeded random plies, their moves, and in words what one of them does."""
        rng, keys = random.Random(0), dict[Hashable, int]()
        first = state = self.start()
        mover = 0
        for _ in range(_PLIES):
            before, moves, state, mover = state, list[int](), first, 1 - mover
            try:
                end, words = self.end(before), ""
                moves = list(islice(self.moves(before), _SAMPLED_MOVES)) if end is None else moves
                if moves:
                    move = rng.choice(moves)
                    after, gain = self.after(before, move)
                    words = f"{move} {gain} {self.write(before, move, 1 - mover)}"
                    state = after
                words += f" {end} {keys.setdefault(self.key(before), len(keys))}"
            except Exception as error:
                words = type(error.__cause__ or error).__name__
            yield before, moves, words


def rules_of(played: "game.Game") -> str:
    """Return a text that tells the rules of a game from all others: ``text:HASH,values:HASH,play:HASH``.

    Rules of a kit game are the same as long as their files, the modules that they import, their attributes, and what
    they do in 2,000 random plies are the same. Another game is told by its name and gamecore's version.
    :func:`gamecore.text.difference` says in what two such texts differ.

    Raises:
        OptionError: not a game.
    """
    if not isinstance(played, game.Game):
        raise OptionError(f"rules_of takes a gamecore.game.Game, not {printable(played)}")
    rules: Rules | None = getattr(played, "rules_of", None)
    if rules is None:
        return f"game:{played.name},gamecore:{__version__}"
    plies = (f"{','.join(map(str, state))} {','.join(map(str, moves))} {what}" for state, moves, what in rules.sample())
    hashes = (*rules.digest, hashed(plies))
    return ",".join(f"{name}:{part[:_HEX]}" for name, part in zip(("text", "values", "play"), hashes, strict=True))


def python_rules(user: Any, digest: tuple[str, str] | None = None) -> Rules:
    """Return the rules of an instance of a user's class: of a copy, where pickle can copy it.

    Args:
        user: the instance.
        digest: its hashes, if it was unpickled.
    """
    kind = type(user)
    for name in _NATIVE:
        if callable(getattr(user, name, None)):
            raise OptionError(f"the class {kind.__name__} has a method {name}, which only compiled games can have")
    if problem := misspelt(dir(user), (*IN_PYTHON, *NEEDED, "key", "valid")):
        raise OptionError(f"the class {kind.__name__}: {problem}")
    digest = digest or digest_of(user)
    place = kind.__module__, getattr(sys.modules.get(kind.__module__), "__file__", None)
    name = getattr(user, "name", kind.__name__.lower())
    source: Hashable = kind, digest
    try:
        user = pickle.loads(pickle.dumps(user))
    except Exception:  # the attributes may be of any class
        source = kind, id(user)
    return Rules(user, name, source, digest, lambda: (_unpickled, (*place, pickle.dumps(user), digest)))


def _unpickled(module: str, file: str | None, pickled: bytes, digest: tuple[str, str]) -> Rules:
    """Return pickled rules; the module of a game's file is loaded from there if it cannot be imported."""
    if module not in sys.modules and file is not None and importlib.util.find_spec(module) is None:
        game.load(file)
    return python_rules(pickle.loads(pickled), digest)


def compiled_rules(path: str) -> Rules:
    """Return the rules of a ``.pyx`` file, which is compiled if necessary."""
    file, own_files = built(path)
    module = imported(file)
    user = module.gc_Rules()
    texts = ("write", "draw", "squares")
    own = {name: value for name, value in vars(module).items() if name.isupper() or name in texts}
    vars(user).update(own, gc_Solver=module.gc_Cycles if own["CYCLES"] else module.gc_Solver)
    digest = digest_of(module, own_files)
    return Rules(user, name_of(path), (file, digest), digest, lambda: (compiled_rules, (path,)))
