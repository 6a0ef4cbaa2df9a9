"""The rules of hearts as flags, and the small things every part shares: cards, seats, seeds."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from gamecore import kernels
from gamecore.cards import ACE_HIGH, card_index, card_text, hand_cards, hand_mask
from gamecore.text import printable
from gamecore.errors import CardError, OptionError

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hearts as _kernel
else:
    _kernel = kernels.kernel("hearts")

kernel = _kernel

Rng: TypeAlias = int | np.random.Generator | None

SEATS: Final = range(4)
DIRECTIONS: Final = {"hold": 0, "left": 1, "across": 2, "right": 3}  # seat + direction receives, as in OpenSpiel
MOONS: Final = ("others", "shooter")
FULL_DECK: Final = (1 << 52) - 1
CYCLE: Final = ("left", "right", "across", "hold")

# The bits of the kernel (pyx/simd/hearts_cards.h).
_FLAG_BITS: Final = {
    "no_pts_on_first_trick": 1,
    "can_lead_any_club": 2,
    "must_break_hearts": 4,
    "qs_breaks_hearts": 8,
    "can_lead_hearts_instead_of_qs": 16,
    "jack_of_diamonds": 32,
    "avoid_all_tricks_bonus": 64,
}
_MOON_SHOOTER: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules in force; flags and defaults are those of OpenSpiel's ``hearts``, then three of our own.

    Attributes:
        pass_cards: three cards are passed before play, unless the direction is ``hold``.
        no_pts_on_first_trick: no heart and no queen of spades on the first trick, while another card is held.
        can_lead_any_club: the holder of the two of clubs may lead any club first.
        must_break_hearts: hearts may not be led before one was played, while another card is held.
        qs_breaks_hearts: the queen of spades breaks hearts as well.
        can_lead_hearts_instead_of_qs: who could lead nothing but the queen of spades may lead a heart.
        jack_of_diamonds: its taker gets -10 (OpenSpiel: ``jd_bonus``).
        avoid_all_tricks_bonus: -5 for taking no trick, unless the moon is shot.
        moon: ``others``: when one seat takes all 26 points, it gets 0 and the others 26 each; ``shooter``: it gets -26.
        cycle: passing directions of successive rounds of a match.
        match_points: a match ends after the round in which a seat reaches so many points.

    Raises:
        OptionError: a flag that is not a bool, an unknown moon or direction, match_points below 1.
    """

    pass_cards: bool = True
    no_pts_on_first_trick: bool = True
    can_lead_any_club: bool = False
    must_break_hearts: bool = True
    qs_breaks_hearts: bool = True
    can_lead_hearts_instead_of_qs: bool = False
    jack_of_diamonds: bool = False
    avoid_all_tricks_bonus: bool = False
    moon: str = "others"
    cycle: tuple[str, ...] = CYCLE
    match_points: int = 100

    def __post_init__(self) -> None:
        """Check every field once, here."""
        for name in ("pass_cards", *_FLAG_BITS):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"rule {name} has to be True or False, not {printable(getattr(self, name))}")
        if self.moon not in MOONS:
            raise OptionError(f"rule moon has to be one of {', '.join(MOONS)}, not {printable(self.moon)}")
        if not isinstance(self.cycle, tuple) or not 1 <= len(self.cycle) <= 64:
            raise OptionError(f"rule cycle has to be a tuple of 1 to 64 directions, not {printable(self.cycle)}")
        for name in self.cycle:
            direction_number(name)
        if type(self.match_points) is not int or not 1 <= self.match_points <= 100_000:
            raise OptionError(
                f"rule match_points has to be a whole number from 1 to 100000, not {printable(self.match_points)}"
            )

    @property
    def flags(self) -> int:
        """The rules of play and scoring as the kernel's bits."""
        bits = sum(bit for name, bit in _FLAG_BITS.items() if getattr(self, name))
        return bits | (_MOON_SHOOTER if self.moon == "shooter" else 0)

    def directions(self, passing: str) -> bytes:
        """``passing`` (a direction or ``cycle``) as the kernel's numbers, one a round in turn.

        Raises:
            OptionError: not a direction; one other than ``hold`` where ``pass_cards`` is off.
        """
        if passing == "cycle":
            return bytes(DIRECTIONS[name] for name in self.cycle) if self.pass_cards else b"\0"
        number = direction_number(passing, "cycle")
        if number and not self.pass_cards:
            raise OptionError(f"passing={passing!r} needs the rule pass_cards")
        return bytes([number])


FLAGS: Final = ("pass_cards", *_FLAG_BITS)


def direction_number(name: str, *more: str) -> int:
    """0 to 3 for ``hold``, ``left``, ``across``, ``right``.

    Raises:
        OptionError: none of them.
    """
    if not isinstance(name, str) or name not in DIRECTIONS:
        raise OptionError(f"passing has to be one of {', '.join((*DIRECTIONS, *more))}, not {printable(name)}")
    return DIRECTIONS[name]


def index_of(card: object) -> int:
    """Index of a card in text, either order of suit and rank.

    Raises:
        CardError: not a card.
    """
    if not isinstance(card, str):
        raise CardError(f"{printable(card)} is not a card: text such as 'C2' is expected")
    return card_index(card, ACE_HIGH, either_order=True)


def text_of(index: int) -> str:
    """The card of an index, suit first."""
    return card_text(index, ACE_HIGH)


def mask_of(cards: Iterable[str]) -> int:
    """The 52-bit hand of cards in text."""
    return hand_mask(cards, ACE_HIGH, either_order=True)


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a 52-bit hand: clubs, diamonds, spades, hearts, each from its lowest."""
    cards = hand_cards(mask, ACE_HIGH)
    return tuple(sorted(cards, key=lambda card: ("CDSH".index(card[0]), ACE_HIGH.index(card[1]))))


def check_seat(seat: object) -> int:
    """A seat from 0 to 3.

    Raises:
        OptionError: anything else.
    """
    if isinstance(seat, (bool, np.bool_)) or not isinstance(seat, (int, np.integer)) or not 0 <= seat <= 3:
        raise OptionError(f"seat has to be 0, 1, 2 or 3, not {printable(seat)}")
    return int(seat)


def check_count(name: str, value: object, least: int, most: int) -> int:
    """A whole number within its range.

    Raises:
        OptionError: anything else.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise OptionError(f"{name} has to be a whole number from {least} to {most}, not {printable(value)}")
    return int(value)


def seed_of(rng: Rng) -> int:
    """A 64-bit seed: from the system for None, the number itself for an int, one draw from a Generator.

    Raises:
        OptionError: something else, or an int below 0 or above 2**64 - 1.
    """
    if rng is None:
        return secrets.randbits(64)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 1 << 64, dtype=np.uint64))
    if isinstance(rng, (bool, np.bool_)) or not isinstance(rng, (int, np.integer)) or not 0 <= rng < 1 << 64:
        raise OptionError(f"rng has to be None, an int from 0 to 2**64 - 1 or a numpy Generator, not {printable(rng)}")
    return int(rng)
