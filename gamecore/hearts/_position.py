"""A round of hearts with all hands: :class:`Round`, the game's position."""

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gamecore import contract
from gamecore.cards import name_of
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError
from gamecore.game import Position as Base
from gamecore.game import reader
from gamecore.hearts._cards import EXCHANGED, JOINT, TEXTS, cards_of, controlled, exchanges, index_of, mask_of
from gamecore.hearts._players import AnyPlayer, BuiltIn, Player, any_player
from gamecore.hearts._rules import DIRECTIONS, Rules, check_seat, check_stream, parse, round_direction, rules_of, write
from gamecore.hearts._view import Trick, View, trusted
from gamecore.kernels import hearts as kernel
from gamecore.rng import generator, seed_of
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.rng import Rng

_CARDS: Final = (list, tuple)
_NOBODY: Final = (0, 0, 0, 0)  # no seat has passed cards


@dataclasses.dataclass(frozen=True, init=False, repr=False)
class Round(Base):
    """A round: deal, rules, passed and played cards, and a random stream for built-in players.

    It has all hands: give players its :meth:`view`. Rules as OpenSpiel's ``hearts``. It is immutable: :meth:`play` and
    :meth:`pass_cards` return the next round.

    Args:
        dealt: the four hands of 13 cards before the pass, seat by seat.
        rules: default ``Rules()``.
        passing: direction of the pass: ``hold`` (none), ``left``, ``across``, ``right``.
        passed: for each seat the three cards that it has passed, or none; () if no seat has.
        played: the cards played, in order.
        seed, index: of the stream from which built-in players draw (see :meth:`ask`); :meth:`deal` uses its own.

    Raises:
        GamecoreError: an argument out of its range, an unknown or repeated card, an illegal pass or play; the message
            says which.
    """

    _GAME = "hearts"
    _KINDS = {  # noqa: RUF012
        "dealt": _CARDS, "rules": Mapping, "passing": str, "passed": _CARDS, "played": _CARDS,
        "seed": int, "index": int,
    }  # fmt: skip
    rules: Rules  #: the rules in force
    passing: str  #: direction of the pass: ``hold``, ``left``, ``across`` or ``right``
    seed: int  #: of the random stream
    index: int  #: number of the round in the streams of the seed
    #: (seat, card) of the current trick, in the order of play
    trick: tuple[tuple[int, str], ...] = dataclasses.field(compare=False)
    tricks: tuple[Trick, ...] = dataclasses.field(compare=False)  #: the finished tricks
    _core: "kernel.Core" = dataclasses.field(compare=False)  # immutable: the next round has a copy
    _dealt: tuple[int, ...]
    _passed: tuple[int, ...]
    _plays: bytes

    def __init__(
        self,
        dealt: Sequence[Iterable[str]],
        rules: Rules | None = None,
        passing: str = "hold",
        passed: Sequence[Sequence[str]] = (),
        played: Iterable[str] = (),
        seed: int = 0,
        index: int = 0,
    ) -> None:
        rules = rules_of(rules)
        round_direction(rules, passing)
        seed, index = check_stream(seed, index)
        masks = _masks_of(dealt)
        core = kernel.Core(rules.flags, masks, seed, index)
        self._begin(core, masks, rules, passing, seed, index)
        if isinstance(passed, str) or not isinstance(passed, Sequence) or len(passed) not in (0, 4):
            raise OptionError(f"passed must be () or the cards of four seats, not {printable(passed)}", "passed")
        if isinstance(played, str) or not isinstance(played, Iterable):
            raise OptionError(f"played must be a list of cards, not {printable(played)}", "played")
        state = self
        for seat, cards in enumerate(passed):
            if not isinstance(cards, Sequence) or len(cards):
                state = state.pass_cards(seat, cards)
        for card in played:
            state = state.play(card)
        vars(self).update(vars(state))

    def _begin(
        self, core: "kernel.Core", dealt: tuple[int, ...], rules: Rules, passing: str, seed: int, index: int
    ) -> None:
        """Set the state before the first move."""
        if passing == "hold":
            core.start(_NOBODY, 0)
        vars(self).update(
            _core=core, _dealt=dealt, rules=rules, passing=passing, seed=seed, index=index,
            _passed=_NOBODY, _plays=b"", trick=(), tricks=(),
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self._KINDS)

    def _changed(self, **changes: Any) -> "Round":
        """A copy with some attributes changed."""
        after = object.__new__(Round)
        vars(after).update(vars(self), **changes)
        return after

    @classmethod
    def deal(
        cls,
        rng: "Rng" = None,
        rules: Rules | None = None,
        passing: str = "hold",
        passer: AnyPlayer | None = "greedy",
        index: int = 0,
    ) -> "Round":
        """Deal a round.

        Args:
            rng: None, an integer (the seed), a sequence of integers, or a NumPy SeedSequence, BitGenerator or
                Generator. ``simulate`` plays the same deals for the same seed and index.
            rules: default ``Rules()``.
            passing: ``hold``, ``left``, ``across`` or ``right``.
            passer: passes for all seats; None: pass later, by :meth:`play` or :meth:`pass_cards`.
            index: number of the round in the streams of the seed, from 0.

        Raises:
            OptionError: an argument out of its range.
        """
        rules = rules_of(rules)
        round_direction(rules, passing)
        seed, index = check_stream(seed_of(rng), index)
        core = kernel.Core(rules.flags, None, seed, index)
        round_ = object.__new__(cls)
        round_._begin(core, tuple(core.hands()), rules, passing, seed, index)
        if passer is not None:
            passer = any_player(passer)  # refused also where no cards are passed
            for seat in round_.passing_seats:
                round_ = round_.pass_cards(seat, round_.ask_pass(seat, passer))
        return round_

    # --- the state ---------------------------------------------------------------------------------------------------

    @property
    def dealt(self) -> tuple[tuple[str, ...], ...]:
        """The four hands before the pass."""
        return tuple(map(cards_of, self._dealt))

    @property
    def passed(self) -> tuple[tuple[str, ...], ...]:
        """The cards that each seat has passed; () for none."""
        return tuple(map(cards_of, self._passed))

    @property
    def played(self) -> tuple[str, ...]:
        """Every card played, in order."""
        return tuple(TEXTS[card] for card in self._plays)

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """All four current hands (for arbiters; players get a :meth:`view`)."""
        return tuple(map(cards_of, self._core.hands()))

    @property
    def _started(self) -> bool:
        return self.passing == "hold" or all(self._passed)

    @property
    def passing_seats(self) -> tuple[int, ...]:
        """Seats that must still pass cards; empty once play has begun."""
        return () if self.passing == "hold" else tuple(seat for seat in range(4) if not self._passed[seat])

    @property
    def is_over(self) -> bool:
        """Whether all cards are played."""
        return len(self._plays) == len(TEXTS)

    @property
    def to_move(self) -> int:
        """Seat to move: during the pass the lowest that must still pass; at the end, the winner of the last trick."""
        return self._core.to_move() if self._started else self.passing_seats[0]

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each seat: of the cards taken so far; at the end the score with moon and bonuses."""
        return self._core.score() if self.is_over else self.taken

    @property
    def taken(self) -> tuple[int, ...]:
        """Points of the cards that each seat has taken: a heart 1, the queen of spades 13."""
        tally = self._core.tally()
        return tuple(tally >> (8 * seat) & 255 for seat in range(4))

    # --- moves -------------------------------------------------------------------------------------------------------

    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves of the seat to move; none when the round is over.

        Cards, by suit in the order C D S H and by rank. During the pass, every set of three cards of the hand, such as
        ``C2-D3-HA``.
        """
        if not self._started:
            return exchanges(cards_of(self._core.hand(self.to_move)))
        return cards_of(self._core.legal())

    def play(self, move: str) -> "Round":
        """The round after a move of the seat to move: a card, or three cards to pass, such as ``C2-D3-HA``.

        Raises:
            CardError: not a card.
            IllegalMoveError: not in hand, forbidden by a rule (the message says which), a card during the pass or a
                pass during play, or the round is over.
        """
        if isinstance(move, str) and JOINT in move:
            return self.pass_cards(self.to_move, move.split(JOINT)[: EXCHANGED + 1])
        return self._after(self._legal_index(move))

    def _legal_index(self, move: object) -> int:
        """The index of a legal card; errors as for :meth:`play`."""
        index = index_of(move)
        if not self._started or self.is_over:
            why = "the round is over" if self.is_over else passing_first(self.passing_seats)
            raise IllegalMoveError(f"{TEXTS[index]} cannot be played: {why}")
        if not self._core.legal() >> index & 1:
            raise IllegalMoveError(f"seat {self.to_move} cannot play {TEXTS[index]}: {self._why_not(index)}")
        return index

    def _after(self, index: int, at_random: bool = True) -> "Round":
        """The round after a legal card; ``at_random``: see the kernel's ``Core.play``."""
        core = self._core.copy()
        trick, tricks = (*self.trick, (core.to_move(), TEXTS[index])), self.tricks
        core.play(index, at_random)
        if len(trick) == 4:
            (leader, a), (_, b), (_, c), (_, d) = trick
            trick, tricks = (), (*tricks, Trick(leader, (a, b, c, d), core.to_move()))  # the winner leads next
        return self._changed(_core=core, _plays=self._plays + bytes([index]), trick=trick, tricks=tricks)

    def _why_not(self, index: int) -> str:
        """The rule that forbids an illegal card."""
        hand, text = self._core.hand(self._core.to_move()), TEXTS[index]
        if not hand >> index & 1:
            return "it is not in its hand"
        if self.trick:
            led = self.trick[0][1]
            if any(card[0] == led[0] for card in cards_of(hand)):
                return f"{name_of(led).split()[-1]} were led and must be followed"
            return "no hearts and no queen of spades on the first trick (no_pts_on_first_trick)"
        if not self.tricks:
            clubs = self.rules.can_lead_any_club
            return "a club must be led first" if clubs else "the two of clubs must be led first"
        if text[0] == "H":
            return "hearts are not broken yet (must_break_hearts)"
        return "it is not legal here"

    def pass_cards(self, seat: int, cards: Sequence[str]) -> "Round":
        """The round after a seat has chosen its three cards to pass; seats choose in any order.

        After the fourth choice the cards change hands and play begins.

        Raises:
            IllegalMoveError: no pass now, passed already, not three cards, a card that the seat does not hold.
            CardError: not a card, or a repeated one.
            OptionError: not a seat.
        """
        return self._pass(seat, 4, cards)

    def _pass(self, seat: int, random_passes: int, cards: object) -> "Round":
        """``random_passes``: see the kernel's ``Core.start``."""
        seat = check_seat(seat)
        if self._started or self._passed[seat]:
            over = "the round is over" if self.is_over else "play has begun"
            why = over if self._started else f"seat {seat} has passed already"
            raise IllegalMoveError(f"seat {seat} cannot pass cards: {why}")
        if isinstance(cards, str) or not isinstance(cards, Sequence) or len(cards) != EXCHANGED:
            raise IllegalMoveError(f"seat {seat} has to pass 3 cards, not {printable(cards)}")
        mask = mask_of(cards)
        missing = cards_of(mask & ~self._core.hand(seat))
        if missing:
            raise IllegalMoveError(f"seat {seat} cannot pass {missing[0]}: it is not in its hand")
        passed = (*self._passed[:seat], mask, *self._passed[seat + 1 :])
        core = self._core
        if all(passed):
            core = core.copy()
            core.start(passed, DIRECTIONS[self.passing], random_passes)
        return self._changed(_core=core, _passed=passed)

    # --- players -----------------------------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """The view of a seat: what it may see.

        Raises:
            OptionError: not a seat.
        """
        seat = check_seat(seat)
        started, to_move = self._started, self.to_move
        giver = (seat - DIRECTIONS[self.passing]) & 3
        view = View(
            seat=seat,
            rules=self.rules,
            passing=self.passing,
            hand=cards_of(self._core.hand(seat)),
            to_move=to_move,
            trick=self.trick,
            tricks=self.tricks,
            points=self.taken,
            barred=tuple(map(cards_of, self._core.barred())),
            passed=cards_of(self._passed[seat]),
            received=cards_of(self._passed[giver]) if started else (),
        )
        return trusted(view, cards_of(self._core.legal()) if started and to_move == seat else ())

    def ask(self, who: AnyPlayer) -> str:
        """The move that a player (a built-in one by name, or a Player) chooses for the seat to move.

        Built-in players draw from the round's stream, which depends only on the seed, the index and the number of
        cards passed and played: asking twice gives the same answer. If ``random`` makes all moves, the round is the
        one that ``simulate`` plays with four random players.

        Raises:
            IllegalMoveError: the round is over.
            OptionError: unknown player.
        """
        if self.is_over:
            raise IllegalMoveError("no seat is to move: the round is over")
        if not self._started:
            return JOINT.join(self.ask_pass(self.to_move, who))
        asked = any_player(who)
        if isinstance(asked, Player):
            return asked.choose(self.view(self.to_move))
        with controlled() as control:
            return TEXTS[self._core.choose(asked.numbers, control)]

    def ask_pass(self, seat: int, who: AnyPlayer) -> tuple[str, ...]:
        """The three cards that a player chooses to pass from a seat.

        Raises:
            IllegalMoveError: play has begun.
            OptionError: unknown player, not a seat.
        """
        seat = check_seat(seat)
        if self._started:
            raise IllegalMoveError("no cards are passed: play has begun")
        asked = any_player(who)
        if isinstance(asked, Player):
            return tuple(asked.pass_cards(self.view(seat)))
        return self._choose_pass(seat, asked, seat)

    def _choose_pass(self, seat: int, who: BuiltIn, random_passes: int) -> tuple[str, ...]:
        """``random_passes``: see the kernel's ``Core.choose_pass``."""
        with controlled() as control:
            mask = self._core.choose_pass(seat, who.numbers, DIRECTIONS[self.passing], control, random_passes)
        return cards_of(mask)

    # --- text and data -----------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The round as one line, ``RULES:PASSING:DEAL:PASSED:PLAYED:SEED``; see ``docs/notation.md``."""
        return write(self)

    @classmethod
    def from_text(cls, text: str) -> "Round":
        """The round of a text written by ``to_text``.

        Raises:
            ParseError: a malformed text, or an illegal pass or play; it names the column.
        """
        hands, rules, passing, seed, index, moves = parse(text)
        state = cls(hands, rules, passing, seed=seed, index=index)
        for seat, cards, field, place in moves:
            try:
                state = state.play(cards[0]) if seat is None else state.pass_cards(seat, cards)
            except GamecoreError as error:
                raise field.fail(f"{'PLAYED' if seat is None else 'PASSED'}: {error}", place) from None
        return state

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Round":
        """The round of a dict made by ``to_dict``.

        Raises:
            ParseError: a missing or unknown field, a wrong type, or an impossible round.
        """

        def make(rules: Mapping[str, Any], **fields: Any) -> Round:
            return cls(rules=Rules.from_dict(rules), **fields)

        return contract.from_fields(make, data, cls._KINDS, "a round of hearts")

    def next_round(self) -> "Round":
        """Return the start of a match's next round: the same seed and rules, and the next direction of their cycle."""
        cycle, at = self.rules.cycle if self.rules.pass_cards else ("hold",), self.index
        if cycle[at % len(cycle)] != self.passing:  # the match began with another direction
            at = cycle.index(self.passing) if self.passing in cycle else -1
        return Round.deal(self.seed, self.rules, cycle[(at + 1) % len(cycle)], None, self.index + 1)


def passing_first(seats: tuple[int, ...]) -> str:
    """Say that these seats have to pass cards before anything else: ``seats 1, 2 have to pass cards first``."""
    who = f"seats {', '.join(map(str, seats))} have" if len(seats) > 1 else f"seat {seats[0]} has"
    return f"{who} to pass cards first"


def _masks_of(hands: object) -> tuple[int, ...]:
    """The four hands of a deal, 52-bit."""
    if isinstance(hands, str) or not isinstance(hands, Sequence) or not all(isinstance(h, Iterable) for h in hands):
        raise OptionError(f"dealt must be 4 lists of 13 cards, not {printable(hands)}", "dealt")
    masks = tuple(map(mask_of, hands))
    counts = [mask.bit_count() for mask in masks]
    if counts != [13] * 4:
        raise OptionError(f"dealt must be 4 hands of 13 cards, not {', '.join(map(str, counts)) or 'none'}", "dealt")
    for one, other in itertools.combinations(masks, 2):
        if one & other:
            raise CardError(f"{cards_of(one & other)[0]} stands in two hands")
    return masks


read = reader(Round, Round.from_text)


def random(
    passing: str | None = None, rules: Rules | None = None, *, plies: int | None = None, rng: "Rng" = None
) -> Round:
    """A random round: a deal, then random legal moves.

    Args:
        passing: ``hold``, ``left``, ``across`` or ``right``; None: a random one.
        rules: default ``Rules()``.
        plies: number of moves, passes included; None: a random number.
        rng: None, an integer, a sequence of integers, or a NumPy SeedSequence, BitGenerator or Generator.

    Raises:
        OptionError: an argument out of its range.
    """
    source, rules = generator(rng), rules_of(rules)
    if passing is None:
        passing = tuple(DIRECTIONS)[int(source.integers(4))] if rules.pass_cards else "hold"
    start = Round.deal(source, rules, passing, None)
    return contract.random_plies(start, plies, source, 52 if passing == "hold" else 56)
