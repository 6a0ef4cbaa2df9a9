"""The open-hand card duel: who wins, by how many points, and how.

Two open hands, all cards distinct. A card played must share suit or number with the card before it; a player
passes if and only if no card fits, and after a pass the other may play any card. Play stops when a hand is
empty; the other player pays the points of the cards left (A=1, 2 to 9, T=10, J=11, Q=12, K=13). The winner
maximises, the loser minimises; there are no draws.

    >>> from gamecore import duel
    >>> solution = duel.solve(duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n"))
    >>> solution.winner, solution.points, solution.best_move
    ('Alice', 9, 'HA')
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from gamecore import contract, kernels
from gamecore.cards import card_index, card_text, hand_mask
from gamecore.text import printable
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError, ParseError
from gamecore.limits import Limits

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from gamecore.kernels.baseline import duel as _kernel
    from gamecore.duel._batch import PositionArray, Solutions
    from gamecore.batch import OnError, Progress
    from gamecore.draw import Picture
else:
    _kernel = kernels.kernel("duel")

Player: TypeAlias = Literal["Alice", "Bob"]
Move: TypeAlias = str | None  #: a card, suit first, or None for a pass
MoveValue: TypeAlias = contract.MoveValue[Move]

ALICE: Final = "Alice"
BOB: Final = "Bob"
MAX_CARDS: Final = 26
DEFAULT_TABLE_MB: Final = 256

__all__ = [
    "MoveValue",
    "Position",
    "PositionArray",
    "Solution",
    "Solutions",
    "analyse",
    "parse",
    "parse_many",
    "solve",
    "solve_iter",
    "solve_many",
]


class Position:
    """A position of the duel: two hands, whose turn, and the card to be matched. Immutable.

    Args:
        alice, bob: cards, suit first (``DT``, ``SA``); hands may differ in size. One empty hand is a finished game.
        to_move: ``"Alice"`` or ``"Bob"``.
        last: the card to be matched, in neither hand; None when any card may be played.

    Raises:
        CardError: an unknown card, a card twice in a hand, in both hands, or in a hand and also ``last``.
        OptionError: ``to_move`` is neither player, or both hands are empty.
    """

    __slots__ = ("_alice_mask", "_bob_mask", "alice", "bob", "last", "to_move")

    alice: tuple[str, ...]
    bob: tuple[str, ...]
    to_move: Player
    last: str | None
    _alice_mask: int
    _bob_mask: int

    def __init__(
        self, alice: Iterable[str], bob: Iterable[str], to_move: Player = "Alice", last: str | None = None
    ) -> None:
        """Check and keep the position."""
        alice, bob = tuple(alice), tuple(bob)
        try:
            owner = ALICE
            mine = hand_mask(alice)
            owner = BOB
            theirs = hand_mask(bob)
        except CardError as error:
            raise CardError(f"{owner}'s hand: {error}") from None
        if mine & theirs:
            both = mine & theirs
            raise CardError(f"{card_text((both & -both).bit_length() - 1)} is in both hands")
        if to_move not in (ALICE, BOB):
            raise OptionError(f"to_move has to be 'Alice' or 'Bob', not {printable(to_move)}")
        if not mine and not theirs:
            raise OptionError("both hands are empty")
        if last is not None and (mine | theirs) >> card_index(last) & 1:
            raise CardError(f"last: {last} is still in a hand")
        self._set(alice, bob, to_move, last, mine, theirs)

    def _set(
        self,
        alice: tuple[str, ...],
        bob: tuple[str, ...],
        to_move: Player,
        last: str | None,
        alice_mask: int,
        bob_mask: int,
    ) -> None:
        put = object.__setattr__
        put(self, "alice", alice)
        put(self, "bob", bob)
        put(self, "to_move", to_move)
        put(self, "last", last)
        put(self, "_alice_mask", alice_mask)
        put(self, "_bob_mask", bob_mask)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: positions are immutable."""
        raise AttributeError(f"a Position is immutable; play() returns a new one ({name} was not changed)")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle through the constructor."""
        return Position, (self.alice, self.bob, self.to_move, self.last)

    def _key(self) -> tuple[int, int, str, str | None]:
        return self._alice_mask, self._bob_mask, self.to_move, self.last

    def __eq__(self, other: object) -> bool:
        """Equal hands (in any order), turn and last card."""
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        """Of what equality compares."""
        return hash(self._key())

    def __repr__(self) -> str:
        """As the constructor would be called."""
        return (
            f"duel.Position(alice={list(self.alice)}, bob={list(self.bob)}, "
            f"to_move={self.to_move!r}, last={self.last!r})"
        )

    def __str__(self) -> str:
        """Three lines: both hands, and what may be played."""
        if self.is_over:
            turn = f"over: {self.winner} won {self.points} points"
        elif self.last is None:
            turn = f"{self.to_move} may play any card"
        else:
            turn = f"{self.to_move} has to match {self.last}"
        return f"Alice: {' '.join(self.alice) or '-'}\nBob:   {' '.join(self.bob) or '-'}\n{turn}"

    def picture(self, moves: "Iterable[MoveValue]" = (), line: "Iterable[Move]" = ()) -> "Picture":
        """Both hands as a picture, with values of moves and a line of play: see :func:`gamecore.draw.duel`.

        Raises:
            OptionError: ``moves`` of another position. IllegalMoveError: a line that breaks the rules.
        """
        from gamecore import draw

        return draw.duel(self, moves, line)

    def draw(
        self,
        moves: "Iterable[MoveValue]" = (),
        line: "Iterable[Move]" = (),
        *,
        color: bool | None = None,
        symbols: bool | None = None,
    ) -> str:
        """The same as text; ``color`` and ``symbols`` (of suits) by default as stdout can: on terminals.

        Raises:
            OptionError, IllegalMoveError: as for :meth:`picture`.
        """
        return self.picture(moves, line).text(color=color, symbols=symbols)

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return self.picture().svg

    @property
    def is_over(self) -> bool:
        """Whether a hand is empty."""
        return not self._alice_mask or not self._bob_mask

    @property
    def winner(self) -> Player | None:
        """Who emptied his hand; None while the game goes on. (``solve`` tells who will.)"""
        return None if not self.is_over else ALICE if not self._alice_mask else BOB

    @property
    def points(self) -> int | None:
        """What the loser of a finished game pays; None while it goes on."""
        return _kernel.points(self._alice_mask | self._bob_mask) if self.is_over else None

    def legal_moves(self) -> tuple[Move, ...]:
        """Cards that may be played, in the order of the hand; ``(None,)`` for a pass; ``()`` when it is over."""
        if self.is_over:
            return ()
        hand = self.alice if self.to_move == ALICE else self.bob
        last = self.last
        return tuple(card for card in hand if last is None or _fits(card, last)) or (None,)

    def play(self, move: Move) -> "Position":
        """The position after the mover plays a card, or passes (None).

        Raises:
            IllegalMoveError: the game is over, the card is not in hand or does not fit, or a pass while a card fits.
        """
        legal = self.legal_moves()
        if move not in legal:
            raise IllegalMoveError(self._why_illegal(move, legal))
        alice, bob = self.alice, self.bob
        mine, theirs = self._alice_mask, self._bob_mask
        if move is not None:
            bit = 1 << card_index(move)
            if self.to_move == ALICE:
                alice, mine = tuple(card for card in alice if card != move), mine ^ bit
            else:
                bob, theirs = tuple(card for card in bob if card != move), theirs ^ bit
        after = object.__new__(Position)
        after._set(alice, bob, BOB if self.to_move == ALICE else ALICE, move, mine, theirs)
        return after

    def _why_illegal(self, move: Move, legal: tuple[Move, ...]) -> str:
        if not legal:
            return "the game is over"
        if move is None:
            return f"{self.to_move} may not pass: {legal[0]} fits" + (f" {self.last}" if self.last else "")
        if move not in (self.alice if self.to_move == ALICE else self.bob):
            return f"{self.to_move} does not hold {printable(move)}"
        return f"{move} shares neither suit nor number with {self.last}"


def _fits(card: str, last: str) -> bool:
    return card[0] == last[0] or card[1] == last[1]


@dataclass(frozen=True)
class Solution(contract.Solution[Move]):
    """What is proven of a position. Values are Alice's: +9 when she wins 9 points, -9 when she pays them.

    ``best_move`` and ``line`` take the lowest card (by number, then suit in the order C D H S) of those that keep
    the value; None in ``line`` is a pass.
    """

    @property
    def winner(self) -> Player | None:
        """Who wins, or None when a limit was reached before that was proven."""
        return ALICE if self.lower > 0 else BOB if self.upper < 0 else None

    @property
    def points(self) -> int | None:
        """What the loser pays, or None when only bounds are known."""
        return abs(self.lower) if self.exact else None

    def __str__(self) -> str:
        """``Alice wins 9 points``, with the bounds if there are only bounds."""
        if self.exact:
            return f"{self.winner} wins {self.points} point{'' if self.points == 1 else 's'}"
        if self.winner:
            low, high = sorted((abs(self.lower), abs(self.upper)))
            return f"{self.winner} wins {low} to {high} points"
        return f"not decided: value for Alice from {self.lower:+d} to {self.upper:+d}"


def _table_bits(cards: int, table_bytes: int) -> int:
    """log2 of the table's 8-byte slots: about as many as a hard deal of this many cards stores, within the limit."""
    wanted = max(8, int(0.65 * cards - 2))
    allowed = max(1, (table_bytes // 8).bit_length() - 1)
    return min(wanted, allowed)


def _start(position: Position, limits: Limits | None) -> "tuple[_kernel.Solver, int, int, int]":
    """A solver for the position, and the position as the kernel takes it: mover, other, last."""
    seconds, nodes, table_bytes = (limits or Limits()).for_kernel(DEFAULT_TABLE_MB)
    mover, other = position._alice_mask, position._bob_mask
    if position.to_move == BOB:
        mover, other = other, mover
    bits = _table_bits(mover.bit_count() + other.bit_count(), table_bytes)
    last = -1 if position.last is None else card_index(position.last)
    return _kernel.Solver(bits, seconds, nodes), mover, other, last


def _move(index: int) -> Move:
    return None if index < 0 else card_text(index)


def _for_alice(position: Position, lower: int, upper: int) -> tuple[int, int]:
    """Bounds of the mover's value as bounds of Alice's."""
    return (lower, upper) if position.to_move == ALICE else (-upper, -lower)


def solve(position: Position, limits: Limits | None = None, *, line: bool = True) -> Solution:
    """Solve a position exactly, or bound its value within limits.

    Boolean tests "does X win by at least K points?" over one Zobrist-hashed table; see ``pyx/duel.pyx``.

    Args:
        position: any position of up to 52 cards in all.
        limits: bounds on time, nodes and table (default: no bounds, a table of at most 256 MiB).
        line: whether to find ``best_move`` and ``line`` too, which costs about half as much again.

    Raises:
        OptionError: bad limits. MemoryError: no memory for the table.
    """
    start = time.perf_counter()
    if position.is_over:
        value = (position.points or 0) * (1 if position.winner == ALICE else -1)
        return Solution(value, value, None, (), 0, time.perf_counter() - start, 0)
    solver, mover, other, last = _start(position, limits)
    lower, upper = solver.value(mover, other, last)
    moves: list[int] | None = None
    if line and lower == upper:
        moves = solver.line(mover, other, last, lower)
    played = tuple(_move(index) for index in moves or ())
    return Solution(
        *_for_alice(position, lower, upper),
        best_move=played[0] if played else None,
        line=played,
        nodes=solver.nodes,
        seconds=time.perf_counter() - start,
        table_bytes=solver.table_bytes,
    )


def analyse(position: Position, limits: Limits | None = None) -> tuple[MoveValue, ...]:
    """Every legal move with its value (Alice's), best for the mover first, equals by number and suit.

    One table serves all moves. Under limits, moves not finished have bounds; ``()`` when the game is over.

    Raises:
        OptionError: bad limits. MemoryError: no memory for the table.
    """
    if position.is_over:
        return ()
    solver, mover, other, _ = _start(position, limits)
    found = []
    for move in position.legal_moves():
        if move is None:
            card, bounds = -1, solver.value(other, mover, -1)
        else:
            card = card_index(move)
            rest = mover ^ (1 << card)
            won = _kernel.points(other)
            bounds = solver.value(other, rest, card) if rest else (-won, -won)
        lower, upper = -bounds[1], -bounds[0]
        found.append(((-lower, -upper, card), MoveValue(*_for_alice(position, lower, upper), move)))
    return tuple(entry for _, entry in sorted(found, key=lambda pair: pair[0]))


def solve_many(
    positions: "Iterable[Position | str] | PositionArray",
    limits: Limits | None = None,
    *,
    line: bool = True,
    workers: int | None = 1,
    executor: "Executor | None" = None,
    progress: "Progress" = None,
    on_error: "OnError" = "raise",
) -> "Solutions":
    """Solve each position by itself, in order, over threads or any ``concurrent.futures.Executor``.

    Args:
        positions: any iterable of positions, or of judge's texts of one deal; or a :class:`PositionArray`.
        limits, line: as for :func:`solve`; limits hold for each position by itself.
        workers, executor, progress, on_error: see :class:`gamecore.batch.Plan`. Results do not depend on them.

    Returns:
        A sequence of :class:`Solution` that holds NumPy columns (``lower``, ``upper``, ``nodes``, ``seconds``).

    Raises:
        OptionError: bad limits or options.
        BatchError: a bad position (the message names its index), an executor that died; ``done`` has the answers
            before.
    """
    from gamecore import batch
    from gamecore.duel import _batch as _duel_batch

    return _duel_batch.solve_many(positions, limits, line, batch.Plan(workers, executor, progress, on_error))


def solve_iter(
    positions: "Iterable[Position | str] | PositionArray",
    limits: Limits | None = None,
    *,
    line: bool = True,
    workers: int | None = 1,
    executor: "Executor | None" = None,
    progress: "Progress" = None,
    on_error: "OnError" = "raise",
) -> Iterator[Solution]:
    """The same as :func:`solve_many`, one by one as they come: of endless input, only a few chunks are held.

    Raises:
        OptionError, BatchError: as for :func:`solve_many`.
    """
    from gamecore import batch
    from gamecore.duel import _batch as _duel_batch

    return _duel_batch.solve_iter(positions, limits, line, batch.Plan(workers, executor, progress, on_error))


def __getattr__(name: str) -> Any:
    """What needs NumPy is imported when it is first used."""
    if name in ("PositionArray", "Solutions"):
        from gamecore.duel import _batch as _duel_batch

        return getattr(_duel_batch, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def parse(text: str) -> Position:
    """The one deal of a judge's text: n (1 to 26), a line with Alice's n cards, one with Bob's; Alice moves.

    Blank lines and blanks at the ends of lines don't matter.

    Raises:
        ParseError: anything else; it names the line and the card.
    """
    deals = parse_many(text)
    try:
        position = next(deals)
    except StopIteration:
        raise ParseError("no deal: the text is empty") from None
    for _ in deals:
        raise ParseError("more than one deal; parse_many reads several")
    return position


def parse_many(text: str | Iterable[str]) -> Iterator[Position]:
    """The deals of a judge's text one by one; an error is raised when its deal is reached.

    Args:
        text: all of it, or its lines one by one (an open file, say): no more is held than the deal at hand.

    Raises:
        ParseError: as for :func:`parse`.
    """
    if not isinstance(text, (str, Iterable)) or isinstance(text, (bytes, bytearray)):
        raise ParseError(f"text has to be a str or an iterable of lines, not {type(text).__name__}")
    lines = _filled_lines(text.split("\n") if isinstance(text, str) else text)
    for number, line in lines:
        n = _parse_count(line, number)
        hands = []
        for owner in (ALICE, BOB):
            place, cards = next(lines, (number, ""))
            hands.append(_parse_hand(cards, place, owner, n))
            number = place
        try:
            yield Position(hands[0], hands[1])
        except CardError as error:
            raise ParseError(str(error), number) from None


def _filled_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise ParseError(f"a line has to be a str, not {type(line).__name__}", number)
        if line.strip(" \t\r\n"):
            yield number, line.removesuffix("\n")


def _parse_count(line: str, number: int) -> int:
    word = line.strip(" \t\r")
    if not line.isascii():
        raise ParseError(f"the text has to be ASCII, not {printable(word)}", number)
    if not word.isascii() or not word.isdigit() or len(word) > 9 or not 1 <= int(word) <= MAX_CARDS:
        raise ParseError(f"n, the number of cards in a hand, is 1 to {MAX_CARDS}, not {printable(word)}", number)
    return int(word)


def _parse_hand(line: str, number: int, owner: str, n: int) -> tuple[str, ...]:
    cards = tuple(line.split())
    if not line.isascii():
        raise ParseError(f"{owner}'s hand: the text has to be ASCII, not {printable(line.strip())}", number)
    try:
        hand_mask(cards)
    except GamecoreError as error:
        raise ParseError(f"{owner}'s hand: {error}", number) from None
    if len(cards) != n:
        raise ParseError(f"{owner}'s hand has {len(cards)} cards, but n is {n}", number)
    return cards
