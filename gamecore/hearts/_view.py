"""The view of one seat (:class:`View`), finished tricks, and the kernel's round without the other hands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from gamecore import contract
from gamecore.cards import ACE_HIGH, hand_mask
from gamecore.errors import GamecoreError, OptionError
from gamecore.hearts._cards import cards_of, exchanges, index_of, mask_of
from gamecore.hearts._rules import SEATS, Rules, check_seat, round_direction
from gamecore.kernels import hearts as kernel
from gamecore.text import checked_integer, printable

if TYPE_CHECKING:
    from gamecore.draw import Picture
    from gamecore.hearts import Evaluation


class Drawn(contract.Drawn):
    """A base class for what prints as its picture."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.draw(color=False, symbols=False)


@dataclass(frozen=True, slots=True)
class Trick(Drawn):
    """A finished trick.

    Attributes:
        leader: seat that led.
        cards: the four cards in the order of play.
        winner: seat that took the trick.
    """

    leader: int
    cards: tuple[str, str, str, str]
    winner: int

    def picture(self, moves: Iterable[Any] = (), line: Iterable[str] = ()) -> "Picture":
        """The four cards around the table; moves and a line are not shown."""
        from gamecore.hearts._picture import trick

        return trick(_checked_trick(self))


@dataclass(frozen=True, slots=True)
class View(Drawn):
    """What one seat may see of a round, as plain values without a reference to the round.

    It protects against accidents, not against cheating: a player in Python runs in the arbiter's process and could find
    the round in memory.

    Attributes:
        seat: of the view.
        rules: in force.
        passing: direction of the pass.
        hand: its cards, by suit in the order C D S H.
        to_move: seat to move, as in the round.
        trick: (seat, card) pairs of the current trick.
        tricks: the finished tricks.
        points: points taken so far by each seat (26 in all at the end: without moon and bonuses).
        barred: for each seat, the unplayed cards that its play has shown it not to hold.
        passed: cards that this seat passed.
        received: cards that it received; empty until all seats have passed.
    """

    _GAME: ClassVar[str] = "hearts"
    seat: int
    rules: Rules
    passing: str
    hand: tuple[str, ...]
    to_move: int
    trick: tuple[tuple[int, str], ...]
    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    barred: tuple[tuple[str, ...], ...]
    passed: tuple[str, ...]
    received: tuple[str, ...]
    _legal: tuple[str, ...] | None = field(init=False, repr=False, compare=False, default=None)  # None: not checked

    @property
    def is_passing(self) -> bool:
        """Whether some seat must still pass cards."""
        return self.passing != "hold" and not self.received

    def legal_moves(self) -> tuple[str, ...]:
        """The legal cards, in the order of the hand; during the pass, sets of three, such as ``C2-D3-HA``.

        Empty if the seat is not to move or the round is over.

        Raises:
            GamecoreError: an inconsistent view.
        """
        checked(self)
        if self.to_move != self.seat or not self.hand:
            return ()
        if self.is_passing:
            if self.played or len(self.hand) + len(self.passed) != 13:
                raise GamecoreError(
                    "the view contradicts itself: cards are passed from hands of 13, before any is played"
                )
            return () if self.passed else exchanges(self.hand)
        return cards_of(core_of(self).legal()) if self._legal is None else self._legal

    @property
    def voids(self) -> tuple[str, ...]:
        """For each seat, the suits (of ``CDSH``) that it has shown to lack and of which cards are unseen."""
        return tuple("".join(dict.fromkeys(card[0] for card in cards if card != "SQ")) for cards in self.barred)

    @property
    def played(self) -> tuple[str, ...]:
        """Every card played, in order."""
        cards = [card for trick in self.tricks for card in trick.cards]
        return (*cards, *(card for _, card in self.trick))

    def picture(self, moves: "Iterable[Evaluation]" = (), line: Iterable[str] = ()) -> "Picture":
        """The table as the seat sees it, with results of :func:`evaluate_moves` on its cards; the text adds the line.

        Raises:
            GamecoreError: ``moves`` of another view, a ``line`` that is no cards, or an inconsistent view.
        """
        from gamecore.hearts._picture import picture

        return picture(checked(self), moves, line)


# --- checks: users can construct any View -----------------------------------------------------------------------------


def checked(view: object) -> View:
    """Return a view; GamecoreError if the type or range of a field is wrong. One of :func:`trusted` has no checks."""
    if not isinstance(view, View):
        raise OptionError(f"a View is meant (round_.view(seat)), not {printable(view)}")
    if view._legal is not None:
        return view
    if not isinstance(view.rules, Rules):
        raise OptionError(f"rules of a view must be a hearts.Rules, not {printable(view.rules)}")
    round_direction(view.rules, view.passing)
    check_seat(view.seat)
    check_seat(view.to_move)
    for name, most in (("hand", 13), ("passed", 3), ("received", 3)):
        _check_cards(name, getattr(view, name), 0, most)
    for entry in _check_tuple("trick", view.trick, 0, 3):
        seat, card = _check_tuple("trick", entry, 2, 2)
        check_seat(seat)
        _check_cards("trick", (card,), 1, 1)
    for trick in _check_tuple("tricks", view.tricks, 0, 13):
        _checked_trick(trick)
    for points in _check_tuple("points", view.points, 4, 4):
        checked_integer(points, "points of a view", 0, 26)
    for cards in _check_tuple("barred", view.barred, 4, 4):
        _check_cards("barred", cards, 0, 52)
    return view


def trusted(view: View, legal: tuple[str, ...]) -> View:
    """Return a view made by a round, with the legal cards of its seat: it needs no checks."""
    object.__setattr__(view, "_legal", legal)
    return view


def _checked_trick(trick: object) -> Trick:
    if not isinstance(trick, Trick):
        raise OptionError(f"a hearts.Trick is meant, not {printable(trick)}")
    check_seat(trick.leader)
    check_seat(trick.winner)
    _check_cards("trick", trick.cards, 4, 4)
    return trick


def _check_tuple(name: str, value: object, least: int, most: int) -> Sequence[Any]:
    if not isinstance(value, (tuple, list)) or not least <= len(value) <= most:
        raise OptionError(f"{name} of a view must be a tuple of {least} to {most} items, not {printable(value)}")
    return value


def _check_cards(name: str, value: object, least: int, most: int) -> None:
    hand_mask(_check_tuple(name, value, least, most), ACE_HIGH)  # suit first: pictures need it


def core_of(view: View) -> "kernel.Core":
    """The kernel's round with the seat's own hand alone.

    Raises:
        GamecoreError: the view's seat is not to move, cards are still being passed, or the view is inconsistent.
    """
    checked(view)
    seat, played = view.seat, view.played
    if view.to_move != seat:
        raise GamecoreError(f"seat {seat} is not to move")
    if view.is_passing:
        raise GamecoreError(f"seat {seat} has no card to play: cards are still being passed")
    leader = view.tricks[0].leader if view.tricks else view.trick[0][0] if view.trick else seat
    mine = sum((trick.leader + place) % 4 == seat for trick in view.tricks for place in SEATS)
    hand, passed = mask_of(view.hand), mask_of(view.passed)
    direction = round_direction(view.rules, view.passing)
    if (mask_of(played) & hand) or len(view.hand) + mine != 13 or len(view.tricks) > 12:
        raise GamecoreError("the view contradicts itself: its cards do not add up")
    if [player for player, _ in view.trick] != [(seat - k) % 4 for k in range(len(view.trick), 0, -1)]:
        raise GamecoreError("the view contradicts itself: seats play in turn")
    if {len(view.passed), len(view.received)} != {3 if direction else 0} or passed & hand:
        raise GamecoreError("the view contradicts itself: three cards are passed on, or none")
    order, received = bytes(index_of(card) for card in played), mask_of(view.received)
    core = kernel.Core.from_view(view.rules.flags, seat, hand, leader, order, direction, passed, received)
    if core.to_move() != seat or not core.legal():
        raise GamecoreError("the view contradicts itself: another seat would be to move")
    if not core.possible(seat):
        raise GamecoreError("the view contradicts itself: no deal agrees with it")
    return core
