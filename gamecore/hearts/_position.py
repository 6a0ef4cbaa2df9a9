"""One round of hearts: :class:`Round` for the arbiter, :class:`View` for a seat."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gamecore.text import printable
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, player
from gamecore.hearts._rules import (
    DIRECTIONS,
    FULL_DECK,
    SEATS,
    Rng,
    Rules,
    cards_of,
    check_count,
    check_seat,
    index_of,
    kernel,
    mask_of,
    seed_of,
    text_of,
)

if TYPE_CHECKING:
    from gamecore.draw import Picture
    from gamecore.hearts._evaluate import Evaluation

_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick.

    Attributes:
        leader: seat that led. cards: the four cards in the order of play. winner: seat that took them.
    """

    leader: int
    cards: tuple[str, str, str, str]
    winner: int

    def picture(self) -> "Picture":
        """The four cards around the table: see :func:`gamecore.draw.trick`."""
        from gamecore import draw

        return draw.trick(self)

    def draw(self, *, color: bool | None = None, symbols: bool | None = None) -> str:
        """The same as text; ``color`` and ``symbols`` (of suits) by default as stdout can: on terminals."""
        return self.picture().text(color=color, symbols=symbols)

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return self.picture().svg


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may see of a round: plain values, no way back to the round and its other hands.

    Attributes:
        seat: whose view. rules: in force. direction: in which cards were passed.
        hand: its cards, by suit C D S H. legal_moves: its legal cards; empty when it is not to move (while cards
            are to be passed: its hand).
        to_move: seat to move, None while cards are passed and at the end.
        trick: (seat, card) pairs of the current trick. tricks: the finished ones.
        points: points taken so far, seat by seat (26 at the end, before moon and bonuses).
        barred: seat by seat, the unplayed cards that its play has shown it not to hold.
        passed: cards this seat passed on. received: cards it got.
    """

    seat: int
    rules: Rules
    direction: str
    hand: tuple[str, ...]
    legal_moves: tuple[str, ...]
    to_move: int | None
    trick: tuple[tuple[int, str], ...]
    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    barred: tuple[tuple[str, ...], ...]
    passed: tuple[str, ...]
    received: tuple[str, ...]

    @property
    def voids(self) -> tuple[str, ...]:
        """Seat by seat, the suits (of ``CDSH``) that it has shown to be out of while cards of them are unseen."""
        return tuple("".join(dict.fromkeys(card[0] for card in cards if card != "SQ")) for cards in self.barred)

    @property
    def played(self) -> tuple[str, ...]:
        """Every card played, in order."""
        cards = [card for trick in self.tricks for card in trick.cards]
        return (*cards, *(card for _, card in self.trick))

    def picture(self, moves: "Iterable[Evaluation]" = ()) -> "Picture":
        """What the seat sees, with what :func:`evaluate_moves` says of its cards: see :func:`gamecore.draw.hearts`.

        Raises:
            OptionError: ``moves`` of another view.
        """
        from gamecore import draw

        return draw.hearts(self, moves)

    def draw(
        self, moves: "Iterable[Evaluation]" = (), *, color: bool | None = None, symbols: bool | None = None
    ) -> str:
        """The same as text; ``color`` and ``symbols`` (of suits) by default as stdout can: on terminals.

        Raises:
            OptionError: ``moves`` of another view.
        """
        return self.picture(moves).text(color=color, symbols=symbols)

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return self.picture().svg


class Round:
    """A round, driven card by card; made by :meth:`deal` or :meth:`from_hands`.

    It sees everything: give players its :meth:`view`. Rules as OpenSpiel's ``hearts``.
    """

    __slots__ = ("_core", "_direction", "_passed", "_received", "_rules", "_started", "_trick", "_tricks")

    def __init__(self, core: Any, rules: Rules, direction: str) -> None:
        """For :meth:`deal` and :meth:`from_hands`."""
        self._core = core
        self._rules = rules
        self._direction = direction
        self._passed: list[tuple[str, ...]] = [()] * 4
        self._received: list[tuple[str, ...]] = [()] * 4
        self._trick: list[tuple[int, str]] = []
        self._tricks: list[Trick] = []
        self._started = direction == "hold"
        if self._started:
            core.start()

    @classmethod
    def deal(
        cls,
        rng: Rng = None,
        rules: Rules | None = None,
        passing: str = "hold",
        passer: AnyPlayer | None = "greedy",
        index: int = 0,
    ) -> "Round":
        """Deal a round.

        Args:
            rng: None, a seed, or a numpy Generator. The same seed and index give the deal that ``simulate``
                plays there.
            rules: default: ``Rules()``.
            passing: ``hold``, ``left``, ``across`` or ``right``.
            passer: all seats pass as this player does, at once; None leaves it to :meth:`pass_cards`.
            index: number of the round in the stream of the seed, from 0.

        Raises:
            OptionError: an argument out of its range.
        """
        rules = check_rules(rules)
        _single_direction(rules, passing)
        core = kernel.Core.deal(rules.flags, seed_of(rng), check_count("index", index, 0, (1 << 63) - 1))
        round_ = cls(core, rules, passing)
        if not round_._started and passer is not None:
            for seat in SEATS:
                round_.pass_cards(seat, round_.ask_pass(seat, passer))
        return round_

    @classmethod
    def from_hands(cls, hands: Sequence[Iterable[str]], rules: Rules | None = None, passing: str = "hold") -> "Round":
        """A round with the four hands given, 13 cards each; with passing, the seats have yet to pass.

        Raises:
            CardError: not a card, or a card twice.
            OptionError: not four hands of 13 cards.
        """
        rules = check_rules(rules)
        _single_direction(rules, passing)
        if isinstance(hands, str) or not isinstance(hands, Sequence) or not all(isinstance(h, Iterable) for h in hands):
            raise OptionError(f"hands have to be 4 lists of 13 cards, not {printable(hands)}")
        masks = [mask_of(hand) for hand in hands]
        if len(masks) != 4 or any(mask.bit_count() != 13 for mask in masks):
            counts = ", ".join(str(mask.bit_count()) for mask in masks)
            raise OptionError(f"hands have to be 4 of 13 cards, not {counts or 'none'}")
        twice = [card for card in cards_of(FULL_DECK) if sum(mask >> index_of(card) & 1 for mask in masks) > 1]
        if twice:
            raise CardError(f"{twice[0]} stands in two hands")
        return cls(kernel.Core(rules.flags, masks, 0), rules, passing)

    @property
    def core(self) -> Any:
        """The kernel's round (for the package itself; whoever holds it sees everything and can break the round)."""
        return self._core

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._rules

    @property
    def direction(self) -> str:
        """In which cards are passed: ``hold``, ``left``, ``across`` or ``right``."""
        return self._direction

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """All four hands (for arbiters; players get a :meth:`view`)."""
        return tuple(cards_of(mask) for mask in self._core.hands())

    @property
    def passing_seats(self) -> tuple[int, ...]:
        """Seats that have still to pass cards; empty once play has begun."""
        return () if self._started else tuple(seat for seat in SEATS if not self._passed[seat])

    @property
    def is_over(self) -> bool:
        """Whether all cards are played."""
        return len(self._tricks) == 13

    @property
    def to_move(self) -> int | None:
        """Seat to move; None while cards are passed and at the end."""
        return self._core.to_move() if self._started and not self.is_over else None

    @property
    def trick(self) -> tuple[tuple[int, str], ...]:
        """(seat, card) of the current trick, in the order of play."""
        return tuple(self._trick)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        return tuple(self._tricks)

    @property
    def points(self) -> tuple[int, ...]:
        """Seat by seat: points of the cards taken so far; once the round is over, its score with moon and bonuses."""
        return self._core.score() if self.is_over else self.taken

    @property
    def taken(self) -> tuple[int, ...]:
        """Points of the cards taken, seat by seat: a heart 1, the queen of spades 13, nothing else."""
        tally = self._core.tally()
        return tuple(tally >> (8 * seat) & 255 for seat in SEATS)

    def legal_moves(self) -> tuple[str, ...]:
        """The legal cards of the seat to move; none while cards are passed and at the end."""
        return () if self.to_move is None else cards_of(self._core.legal())

    def pass_cards(self, seat: int, cards: Sequence[str]) -> None:
        """Choose the three cards that a seat passes on; when all four have, they change hands and play begins.

        Raises:
            IllegalMoveError: no passing now, passed already, not three cards, a card that the seat does not hold.
            CardError: not a card, or a card twice. OptionError: not a seat.
        """
        seat = check_seat(seat)
        if self._started or self._passed[seat]:
            why = "play has begun" if self._started else f"seat {seat} has passed already"
            raise IllegalMoveError(f"seat {seat} cannot pass cards: {why}")
        if isinstance(cards, str) or not isinstance(cards, Sequence) or len(cards) != 3:
            raise IllegalMoveError(f"seat {seat} has to pass 3 cards, not {printable(cards)}")
        mask = mask_of(cards)
        missing = cards_of(mask & ~self._core.hand(seat))
        if missing:
            raise IllegalMoveError(f"seat {seat} cannot pass {missing[0]}: it is not in its hand")
        self._passed[seat] = cards_of(mask)
        if all(self._passed):
            step = DIRECTIONS[self._direction]
            self._core.pass_on([mask_of(passed) for passed in self._passed], step)
            self._received = [self._passed[(seat - step) & 3] for seat in SEATS]
            self._started = True
            self._core.start()

    def play(self, card: str) -> None:
        """Play a card of the seat to move.

        Raises:
            CardError: not a card. IllegalMoveError: not in hand or not legal (the message says which rule forbids it),
                cards are still to be passed, or the round is over.
        """
        index = index_of(card)
        if self.to_move is None:
            why = "the round is over" if self.is_over else f"seats {self.passing_seats} have to pass cards first"
            raise IllegalMoveError(f"{text_of(index)} cannot be played: {why}")
        if not self._core.legal() >> index & 1:
            raise IllegalMoveError(f"seat {self.to_move} cannot play {text_of(index)}: {self._why_not(index)}")
        self._play_index(index)

    def _play_index(self, index: int) -> None:
        core = self._core
        self._trick.append((core.to_move(), text_of(index)))
        core.play(index)
        if len(self._trick) == 4:
            (leader, a), (_, b), (_, c), (_, d) = self._trick
            # The winner leads next; after the last trick the kernel's seat to move is its winner, too.
            self._tricks.append(Trick(leader, (a, b, c, d), core.to_move()))
            self._trick.clear()

    def _why_not(self, index: int) -> str:
        """The rule that forbids a card which is not legal."""
        hand, text = self._core.hand(self._core.to_move()), text_of(index)
        if not hand >> index & 1:
            return "it is not in its hand"
        if self._trick:
            led = self._trick[0][1][0]
            if any(card[0] == led for card in cards_of(hand)):
                return f"{_SUIT_NAMES[led]} were led and have to be followed"
            return "no hearts and no queen of spades on the first trick (no_pts_on_first_trick)"
        if not self._tricks:
            clubs = self._rules.can_lead_any_club
            return "a club has to be led first" if clubs else "the two of clubs has to be led first"
        if text[0] == "H":
            return "hearts are not broken yet (must_break_hearts)"
        return "it is not legal here"

    def view(self, seat: int) -> View:
        """What a seat may see.

        Raises:
            OptionError: not a seat.
        """
        seat = check_seat(seat)
        hand = cards_of(self._core.hand(seat))
        to_move = self.to_move
        legal = self.legal_moves() if to_move == seat else () if self._started else hand
        return View(
            seat=seat,
            rules=self._rules,
            direction=self._direction,
            hand=hand,
            legal_moves=legal,
            to_move=to_move,
            trick=self.trick,
            tricks=self.tricks,
            points=self.taken,
            barred=tuple(cards_of(mask) for mask in self._core.barred()),
            passed=self._passed[seat],
            received=self._received[seat],
        )

    def ask(self, who: AnyPlayer) -> str:
        """The card that a player (a built-in one by name, or a Player) would play for the seat to move.

        Raises:
            IllegalMoveError: nobody is to move. OptionError: unknown player.
        """
        seat = self.to_move
        if seat is None:
            raise IllegalMoveError("no seat is to move")
        if isinstance(who, Player):
            return who.choose(self.view(seat))
        spec = who if isinstance(who, BuiltIn) else player(who)
        return text_of(self._core.choose(spec.numbers))

    def ask_pass(self, seat: int, who: AnyPlayer) -> tuple[str, ...]:
        """The three cards that a player would pass on from a seat.

        Raises:
            IllegalMoveError: play has begun. OptionError: unknown player, not a seat.
        """
        seat = check_seat(seat)
        if self._started:
            raise IllegalMoveError("no cards are passed: play has begun")
        if isinstance(who, Player):
            return tuple(who.pass_cards(self.view(seat)))
        spec = who if isinstance(who, BuiltIn) else player(who)
        return cards_of(self._core.pass_choice(seat, spec.numbers, DIRECTIONS[self._direction]))

    def copy(self) -> "Round":
        """An independent round in the same state."""
        other = object.__new__(Round)
        other._core = self._core.copy()
        other._rules, other._direction, other._started = self._rules, self._direction, self._started
        other._passed, other._received = list(self._passed), list(self._received)
        other._trick, other._tricks = list(self._trick), list(self._tricks)
        return other

    def picture(self) -> "Picture":
        """The table with all four hands open (for arbiters): see :func:`gamecore.draw.hearts`."""
        from gamecore import draw

        return draw.hearts(self)

    def draw(self, *, color: bool | None = None, symbols: bool | None = None) -> str:
        """The same as text; ``color`` and ``symbols`` (of suits) by default as stdout can: on terminals."""
        return self.picture().text(color=color, symbols=symbols)

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return self.picture().svg

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the deal and what was done with it: unpickling plays that again, by the rules."""
        dealt = [set(hand) for hand in self.hands]
        for trick in self._tricks:
            for place, card in enumerate(trick.cards):
                dealt[(trick.leader + place) & 3].add(card)
        for seat, card in self._trick:
            dealt[seat].add(card)
        if self._started:
            for seat in SEATS:
                dealt[seat] = dealt[seat] - set(self._received[seat]) | set(self._passed[seat])
        hands = tuple(cards_of(mask_of(hand)) for hand in dealt)
        played = [card for trick in self._tricks for card in trick.cards] + [card for _, card in self._trick]
        state = hands, self._rules, self._direction, tuple(self._passed), tuple(played), self._core.luck()
        return _again, state

    def __repr__(self) -> str:
        """Where the round stands."""
        where = "over" if self.is_over else f"trick {len(self._tricks) + 1}" if self._started else "passing"
        return f"<hearts.Round {where}, seat {self.to_move} to move, points {self.points}>"


def _again(
    hands: Sequence[Iterable[str]],
    rules: Rules,
    direction: str,
    passed: Sequence[tuple[str, ...]],
    played: Iterable[str],
    luck: tuple[int, ...],
) -> Round:
    """A pickled round."""
    round_ = Round.from_hands(hands, rules, direction)
    for seat, cards in enumerate(passed):
        if cards:
            round_.pass_cards(seat, cards)
    for card in played:
        round_.play(card)
    round_.core.set_luck(luck)
    return round_


def check_rules(rules: object) -> Rules:
    """The rules given, or the default ones for None.

    Raises:
        OptionError: something else.
    """
    if rules is None:
        return Rules()
    if not isinstance(rules, Rules):
        raise OptionError(f"rules has to be a hearts.Rules, not {printable(rules)}")
    return rules


def _single_direction(rules: Rules, passing: str) -> None:
    if passing == "cycle":
        raise OptionError("passing of one round is hold, left, across or right, not 'cycle'")
    rules.directions(passing)


def core_of(view: View) -> Any:
    """The kernel's round as this view knows it: no hand but the seat's own is in it.

    Raises:
        GamecoreError: the view's seat is not to move.
    """
    seat = check_seat(view.seat)
    if view.to_move != seat:
        raise GamecoreError(f"seat {seat} is not to move")
    # Anybody can make a View; the kernel is given none that it would have to doubt.
    _check_places(view)
    if view.tricks:
        leader = view.tricks[0].leader
    else:
        leader = view.trick[0][0] if view.trick else view.seat
    played = view.played
    mine = sum((trick.leader + place) % 4 == view.seat for trick in view.tricks for place in range(4))
    if (mask_of(played) & mask_of(view.hand)) or len(view.hand) + mine != 13 or len(view.trick) > 3:
        raise GamecoreError("the view contradicts itself: its cards do not add up")
    core = kernel.Core.from_view(
        view.rules.flags,
        view.seat,
        mask_of(view.hand),
        leader,
        bytes(index_of(card) for card in played),
        DIRECTIONS[view.direction],
        mask_of(view.passed),
    )
    if core.to_move() != seat or not core.legal():
        raise GamecoreError("the view contradicts itself: another seat would be to move")
    if not core.possible(seat):
        raise GamecoreError("the view contradicts itself: no deal agrees with it")
    return core


def _check_places(view: View) -> None:
    """Whether seats are seats, tricks have four cards, and what was passed on has left the hand."""
    if not isinstance(view.rules, Rules):
        raise OptionError(f"rules of a view have to be a hearts.Rules, not {printable(view.rules)}")
    _single_direction(view.rules, view.direction)
    for leader in [trick.leader for trick in view.tricks] + [seat for seat, _ in view.trick]:
        check_seat(leader)
    if any(len(trick.cards) != 4 for trick in view.tricks) or len(view.tricks) > 12:
        raise GamecoreError("the view contradicts itself: a trick has four cards, a round 13 tricks")
    if len(view.passed) not in ((0,) if view.direction == "hold" else (0, 3)):
        raise GamecoreError("the view contradicts itself: three cards are passed, or none")
    if mask_of(view.passed) & mask_of(view.hand):
        raise GamecoreError("the view contradicts itself: a card that was passed on is still in hand")
