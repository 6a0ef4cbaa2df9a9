"""The rules of hearts as flags, and checks of arguments."""

import contextlib
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gamecore.contract import from_fields, plain
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.text import printable

SEATS: Final = range(4)
DIRECTIONS: Final = {"hold": 0, "left": 1, "across": 2, "right": 3}  # seat + direction receives, as in OpenSpiel
CYCLE: Final = ("left", "right", "across", "hold")
MOST_DIRECTIONS: Final = 64  #: in ``cycle``
MOST_POINTS: Final = 100_000  #: of ``match_points``

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
_MOON_BITS: Final = {"others": 0, "shooter": 128, "none": 256}
MOONS: Final = tuple(_MOON_BITS)
FLAGS: Final = ("pass_cards", *_FLAG_BITS)  #: names of the rules that are on or off


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules in force: flags and defaults of OpenSpiel's ``hearts``, and ``moon``, ``cycle``, ``match_points``.

    Attributes:
        pass_cards: each seat passes three cards before play, unless the direction is ``hold``.
        no_pts_on_first_trick: no heart and no queen of spades on the first trick, unless nothing else is held.
        can_lead_any_club: the holder of the two of clubs may lead any club first.
        must_break_hearts: hearts may be led only after one was played, or if nothing else is held.
        qs_breaks_hearts: the queen of spades breaks hearts, too.
        can_lead_hearts_instead_of_qs: a seat that could lead only the queen of spades may lead a heart.
        jack_of_diamonds: its taker gets -10 (OpenSpiel: ``jd_bonus``).
        avoid_all_tricks_bonus: -5 for taking no trick, unless the moon is shot.
        moon: ``others``: when one seat takes all 26 points, it gets 0 and the others 26 each; ``shooter``: it gets -26
            and they 0; ``none``: it gets 26.
        cycle: passing directions of successive rounds of a match, 1 to 64.
        match_points: a match ends after the round in which a seat reaches these points, 1 to 100,000.

    Raises:
        OptionError: a flag that is not a bool, an unknown moon or direction, or match_points out of range.
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
        for name in FLAGS:
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"rule {name} must be True or False, not {printable(getattr(self, name))}")
        if self.moon not in MOONS:
            raise OptionError(f"rule moon must be one of {', '.join(MOONS)}, not {printable(self.moon)}")
        if not isinstance(self.cycle, tuple) or not 1 <= len(self.cycle) <= MOST_DIRECTIONS:
            raise OptionError(f"rule cycle must be a tuple of 1 to 64 directions, not {printable(self.cycle)}")
        for name in self.cycle:
            direction_number(name)
        if type(self.match_points) is not int or not 1 <= self.match_points <= MOST_POINTS:
            raise OptionError(
                f"rule match_points must be a whole number from 1 to 100000, not {printable(self.match_points)}"
            )

    @property
    def flags(self) -> int:
        """The rules of play and scoring as the kernel's bits."""
        bits = sum(bit for name, bit in _FLAG_BITS.items() if getattr(self, name))
        return bits | _MOON_BITS[self.moon]

    def directions(self, passing: str) -> bytes:
        """``passing`` (a direction or ``cycle``) as the kernel's numbers, one per round, repeated.

        Raises:
            OptionError: not a direction, or not ``hold`` if ``pass_cards`` is off.
        """
        if isinstance(passing, str) and passing == "cycle":
            return bytes(DIRECTIONS[name] for name in self.cycle) if self.pass_cards else b"\0"
        number = direction_number(passing, "cycle")
        if number and not self.pass_cards:
            raise OptionError(f"passing={passing!r} needs the rule pass_cards")
        return bytes([number])

    def to_dict(self) -> dict[str, Any]:
        """All rules by name, as plain values."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Rules":
        """The rules of a dict made by ``to_dict``.

        Raises:
            ParseError: a missing or unknown rule, or an invalid value.
        """
        kinds: dict[str, type | tuple[type, ...]] = dict.fromkeys(FLAGS, bool)
        fields = from_fields(
            data, kinds | {"moon": str, "cycle": (list, tuple), "match_points": int}, "rules of hearts"
        )
        try:
            return cls(**fields | {"cycle": tuple(fields["cycle"])})
        except GamecoreError as error:
            raise ParseError(f"rules of hearts: {error}") from None


def check_rules(rules: object) -> Rules:
    """Return the given rules, or the default rules for None.

    Raises:
        OptionError: not rules.
    """
    if rules is None:
        return _DEFAULT
    if not isinstance(rules, Rules):
        raise OptionError(f"rules must be a hearts.Rules, not {printable(rules)}")
    return rules


def direction_number(name: object, *more: str) -> int:
    """0 to 3 for ``hold``, ``left``, ``across``, ``right``.

    Raises:
        OptionError: not a direction.
    """
    if not isinstance(name, str) or name not in DIRECTIONS:
        raise OptionError(f"passing must be one of {', '.join((*DIRECTIONS, *more))}, not {printable(name)}")
    return DIRECTIONS[name]


def round_direction(rules: Rules, passing: str) -> int:
    """The direction of one round as a number.

    Raises:
        OptionError: not a direction, or not ``hold`` if ``pass_cards`` is off.
    """
    direction_number(passing)
    return rules.directions(passing)[0]


def check_seat(seat: object) -> int:
    """A seat from 0 to 3.

    Raises:
        OptionError: anything else.
    """
    return check_count("seat", seat, 0, 3)


def check_count(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within its range; NumPy integers are accepted, bools are not.

    Raises:
        OptionError: anything else.
    """
    number = None
    if type(value) is int:
        number = value
    elif not isinstance(value, bool) and hasattr(value, "__index__"):
        with contextlib.suppress(Exception):  # of a foreign __index__
            number = operator.index(value)
    if number is None or not least <= number <= most:
        raise OptionError(f"{name} must be a whole number from {least} to {most}, not {printable(value)}")
    return number


def check_number(name: str, value: object, least: float, most: float) -> None:
    """Check a number's range; bools are refused.

    Raises:
        OptionError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise OptionError(f"{name} must be a number from {least:g} to {most:g}, not {printable(value)}")


_DEFAULT: Final = Rules()
