"""The results that all games return, and what their positions share. ``docs/contract.md`` lists what a game offers.

A *move* is always a str, written as in ``legal_moves``, including passes and exchanged cards.

Values have one sign convention: a value is for the side to move, a move's value for the side that makes it, and larger
is better for that side. Results name the side in ``to_move``. Words such as ``winner`` and ``points`` are absolute.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar, overload

from gamecore.errors import GamecoreError, InternalError, ParseError
from gamecore.text import checked_integer, checked_word, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Value_co = TypeVar("Value_co", bound=float, covariant=True)
#: A player as the game names it: ``"Alice"``, ``"white"``, ``"me"``, a seat from 0 to 3.
Side_co = TypeVar("Side_co", covariant=True)


class Playable(Protocol):
    """A position of any game: the type of positions in code for all games, here and in apps.

    ``docs/contract.md`` says what each member promises.
    """

    @property
    def to_move(self) -> object:
        """The side to move."""

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""

    def legal_moves(self) -> Sequence[str]:
        """Return the legal moves; empty if and only if the game is over."""

    def play(self, move: str) -> Self:
        """Return the position after a move."""

    def to_text(self) -> str:
        """Return the position as one line."""

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain values."""

    def draw(self, moves: "Iterable[MoveValue[float]]" = (), line: Iterable[str] = ()) -> str:
        """Return the picture as text."""

    def picture(self, moves: "Iterable[MoveValue[float]]" = (), line: Iterable[str] = ()) -> Any:
        """Return the picture, with values of moves and a line of play."""


P = TypeVar("P", bound=Playable)


class Result:
    """What can be written as JSON: the base of everything that a search returns, and of positions."""

    __slots__ = ()

    #: Names of the attributes that :meth:`to_dict` writes, in order; empty: the dataclass's fields.
    FIELDS: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        """Return the names of the attributes that :meth:`to_dict` writes."""
        return cls.FIELDS or tuple(entry.name for entry in fields(cls))  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as plain values for ``json.dumps``; ``docs/contract.md`` lists the keys."""
        return {name: plain(getattr(self, name)) for name in self._names()}


def plain(value: Any) -> Any:
    """Convert a value for JSON: tuples, arrays to lists; results, positions to dicts; NumPy scalars; nan to None."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return None if isinstance(value, float) and math.isnan(value) else value
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # NumPy's arrays and scalars
        return plain(value.tolist())
    return [plain(item) for item in value]


def dataframe(columns: Mapping[str, object], library: Literal["pandas", "polars"] | None = None) -> Any:
    """Return a ``pandas.DataFrame`` or ``polars.DataFrame`` with these columns, sequences of equal length.

    Args:
        columns: by name.
        library: None: pandas if it is installed, else polars.

    Raises:
        OptionError: another library. GamecoreError: the library, or with None both, are not installed.
    """
    names = ("pandas", "polars") if library is None else (checked_word(library, "library", ("pandas", "polars")),)
    for name in names:
        try:
            module = import_module(name)
        except ImportError:
            continue
        return module.DataFrame(dict(columns))
    raise GamecoreError(f"a data frame needs {' or '.join(names)}: pip install 'gamecore[frames]'")


def check_bounds(lower: float, upper: float, position: Playable | str | None = None) -> None:
    """Raise InternalError if ``lower`` is above ``upper``; it names the position, given as one or as its text."""
    if lower > upper:
        name = position if isinstance(position, str) or position is None else position.to_text()
        of = "" if name is None else f" of {printable(name, 200)}"
        raise InternalError(f"the bounds{of} contradict each other: {lower} to {upper}")


def check_columns(lower: "NDArray[Any]", upper: "NDArray[Any]", position_at: Callable[[int], Playable]) -> None:
    """Raise InternalError if bounds contradict each other; it names the first such position, ``position_at(index)``."""
    for index in (lower > upper).nonzero()[0][:1].tolist():
        check_bounds(lower[index], upper[index], position_at(index))


@dataclass(frozen=True)
class Bounds(Result, Generic[Value_co]):
    """What is proven of a value: ``lower <= value <= upper``, both inclusive.

    Attributes:
        lower, upper: proven bounds of the value; equal when ``exact``.

    Raises:
        InternalError: ``lower`` is above ``upper``.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("value", "lower", "upper", "exact")

    lower: Value_co
    upper: Value_co

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            check_bounds(self.lower, self.upper)

    @property
    def exact(self) -> bool:
        """True if the bounds meet: the value is known."""
        return self.lower == self.upper

    @property
    def value(self) -> Value_co | None:
        """The exact value, or None while only bounds are known."""
        return self.lower if self.exact else None

    def __str__(self) -> str:
        """``+9`` when exact, ``-3..+9`` otherwise."""
        return f"{self.lower:+}" if self.exact else f"{self.lower:+}..{self.upper:+}"


@dataclass(frozen=True)
class MoveValue(Bounds[Value_co]):
    """A legal move and the proven bounds of its value.

    Attributes:
        lower, upper: proven bounds of the value, for the side that makes the move.
        move: the move, written as the game's ``legal_moves`` writes it.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("move", *Bounds.FIELDS)

    move: str

    def __str__(self) -> str:
        """``HA +9``."""
        return f"{self.move} {Bounds.__str__(self)}"


@dataclass(frozen=True)
class Solution(Bounds[Value_co], Generic[Value_co, Side_co]):
    """What a search proved of a position, and what that cost. Equality ignores ``seconds``.

    Attributes:
        lower, upper: proven bounds of the value, for the side to move; equal when ``exact``.
        to_move: the side to move, whose value it is.
        best_moves: moves that are proven to keep the value, best first; a game says how many of them ``solve`` finds,
            ``analyse`` finds all. Empty when none is proven and when the game is over.
        line: the principal variation: best play of both sides from here to the end, a sequence of moves; empty when
            it is not known.
        nodes: positions searched.
        seconds: wall-clock time of the search.
        table_bytes: memory of the transposition table; 0 where there is none.
        best_so_far: under a limit, before a best move is proven: the best move according to the proven bounds. It is
            *not* proven best. None where a best move is proven or was not asked for, and when the game is over.
            Batches have none. Equality ignores it.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        *Bounds.FIELDS, "to_move", "best_move", "best_moves", "best_so_far", "line", "nodes", "seconds", "table_bytes",
    )  # fmt: skip

    to_move: Side_co
    best_moves: tuple[str, ...]
    line: Sequence[str]
    nodes: int
    seconds: float = field(compare=False)
    table_bytes: int
    best_so_far: str | None = field(default=None, compare=False, kw_only=True)

    @property
    def answered(self) -> bool:
        """True if the question is answered: the value is known, or the outcome where that alone was asked."""
        return self.exact

    @property
    def best_move(self) -> str | None:
        """The first of ``best_moves``; None when none is proven."""
        return self.best_moves[0] if self.best_moves else None

    @classmethod
    def _made(cls, **fields: Any) -> Self:
        """Fast constructor; needs every field but ``best_so_far``."""
        solution = object.__new__(cls)
        vars(solution).update(fields)
        if fields["lower"] > fields["upper"]:
            check_bounds(fields["lower"], fields["upper"])
        return solution


M_co = TypeVar("M_co", bound=MoveValue[float], covariant=True)


@dataclass(frozen=True)
class Analysis(Result, Sequence[M_co], Generic[M_co, Side_co]):
    """Every legal move with proven bounds, best first: a sequence of :class:`MoveValue`.

    Attributes:
        moves: the moves; a move with an unknown value is ranked by its lower bound.
        to_move: the side that makes them, whose values they are.
        nodes: positions searched for all of them together.
        seconds: wall-clock time. Equality ignores it.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("to_move", "exact", "best_moves", "moves", "nodes", "seconds")

    moves: tuple[M_co, ...]
    to_move: Side_co
    nodes: int
    seconds: float = field(compare=False)

    @property
    def exact(self) -> bool:
        """True if every move's value is known."""
        return all(entry.exact for entry in self.moves)

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves that are proven best: no other move can be better than the worst case of these."""
        cases = [self._cases(entry) for entry in self.moves]
        best = max((worst for worst, _ in cases), default=0)
        if any(best_case > best for _, best_case in cases):
            return ()
        return tuple(entry.move for entry, (worst, _) in zip(self.moves, cases, strict=True) if worst == best)

    def _cases(self, entry: MoveValue[float]) -> tuple[float, float]:
        """Return (worst case, best case) of a value, as numbers where larger is better."""
        return entry.lower, entry.upper

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, index: int) -> M_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[M_co, ...]: ...
    def __getitem__(self, index: int | slice) -> M_co | tuple[M_co, ...]:
        return self.moves[index]

    def __str__(self) -> str:
        """One line per move: ``HA +9``."""
        return "\n".join(map(str, self.moves))

    def to_dataframe(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """Return a :func:`dataframe` with a row per move and the columns of :meth:`MoveValue.to_dict`."""
        names = type(self.moves[0]).FIELDS if self.moves else MoveValue.FIELDS
        return dataframe({name: [plain(getattr(entry, name)) for entry in self.moves] for name in names}, library)


class Drawn:
    """A base class that shows the picture of its subclasses' ``picture(moves, line)`` as text and in notebooks."""

    __slots__ = ()
    picture: Callable[..., Any]

    def draw(
        self,
        moves: Iterable[MoveValue[float]] = (),
        line: Iterable[str] = (),
        *,
        color: bool | None = None,
        symbols: bool | None = None,
    ) -> str:
        """Return the picture as text.

        Args:
            moves, line: as for ``picture``.
            color, symbols: of suits; default: if stdout is a terminal that shows them.

        Raises:
            OptionError, IllegalMoveError: as for ``picture``.
        """
        return str(self.picture(moves, line).text(color=color, symbols=symbols))

    def _repr_svg_(self) -> str:
        return str(self.picture().svg)


def from_fields(make: Callable[..., T], data: object, kinds: Mapping[str, type | tuple[type, ...]], name: str) -> T:
    """Return the object of a dict made by ``to_dict``: the core of every ``from_dict``.

    Args:
        make: the constructor, called with the fields by name.
        data: the dict, of any origin.
        kinds: the types of each field; a bool never counts as an int.
        name: what the dict describes, for messages.

    Raises:
        ParseError: not a mapping, a field is missing or unknown, a value is of another type or refused by ``make``.
    """
    if not isinstance(data, Mapping):
        raise ParseError(f"{name} must be a dict, not {printable(data)}")
    for key in data:
        if key not in kinds:
            raise ParseError(f"{name} has no field {printable(key)}; its fields are {', '.join(kinds)}")
    for key, kind in kinds.items():
        if key not in data:
            raise ParseError(f"{name}: the field {key} is missing")
        value = data[key]
        allowed = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            names = " or ".join(sorted(entry.__name__ for entry in allowed))
            raise ParseError(f"{name}: {key} must be {names}, not {printable(value)}")
    try:
        return make(**{key: data[key] for key in kinds})
    except ParseError:
        raise
    except (TypeError, ValueError) as error:
        raise ParseError(f"{name}: {error}") from None
    except RecursionError:
        raise ParseError(f"{name}: its fields are nested too deeply") from None


def random_plies(start: P, plies: int | None, rng: "np.random.Generator", most: int) -> P:
    """Play random legal moves from ``start``: the last step of every game's ``random``.

    Args:
        start: a position.
        plies: number of moves; None: drawn uniformly from 0 to ``most``. Fewer if the game ends.
        rng: a NumPy generator.
        most: plies that a game can have.

    Raises:
        OptionError: ``plies`` is not None or a whole number of at least 0.
    """
    position: P = start
    for _ in range(int(rng.integers(most + 1)) if plies is None else checked_integer(plies, "plies", 0)):
        if position.is_over:
            break
        legal = position.legal_moves()
        position = position.play(legal[int(rng.integers(len(legal)))])
    return position
