"""The rules of hearts as flags, checks of arguments, and the one-line notation of rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gamecore.cards import ACE_HIGH, card_index
from gamecore.contract import Result, from_fields
from gamecore.errors import CardError, OptionError
from gamecore.hearts._cards import EXCHANGED
from gamecore.text import NONE, SEPARATOR, Field, checked_integer, checked_word, counted, fields, is_word, printable

SEATS: Final = range(4)
DIRECTIONS: Final = {"hold": 0, "left": 1, "across": 2, "right": 3}  # seat + direction receives, as in OpenSpiel
CYCLE: Final = ("left", "right", "across", "hold")
MOST_DIRECTIONS: Final = 64  #: in ``cycle``
MOST_POINTS: Final = 100_000  #: of ``match_points``
_MOST_SEED, _MOST_INDEX = (1 << 64) - 1, (1 << 63) - 1

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
class Rules(Result):
    """The rules in force: flags and defaults of OpenSpiel's ``hearts``, and ``moon``, ``cycle``, ``match_points``.

    Attributes:
        pass_cards: each seat passes three cards before play, unless the direction is hold.
        no_pts_on_first_trick: no heart and no queen of spades on the first trick, unless nothing else is held.
        can_lead_any_club: the holder of the two of clubs may lead any club first.
        must_break_hearts: hearts may be led only after one was played, or if nothing else is held.
        qs_breaks_hearts: the queen of spades breaks hearts, too.
        can_lead_hearts_instead_of_qs: a seat that could lead only the queen of spades may lead a heart.
        jack_of_diamonds: the jack of diamonds counts -10 points (OpenSpiel: jd_bonus).
        avoid_all_tricks_bonus: a seat without tricks gets -5 points, unless the moon is shot; with the
            moon ``none`` it never is.
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
                raise OptionError(f"rule {name} must be True or False, not {printable(getattr(self, name))}", name)
        if not is_word(self.moon, MOONS):
            raise OptionError(f"rule moon must be one of {', '.join(MOONS)}, not {printable(self.moon)}", "moon")
        if not isinstance(self.cycle, tuple) or not 1 <= len(self.cycle) <= MOST_DIRECTIONS:
            raise OptionError(f"rule cycle must be a tuple of 1 to 64 directions, not {printable(self.cycle)}", "cycle")
        for name in self.cycle:
            checked_word(name, "passing", DIRECTIONS)
        checked_integer(self.match_points, "rule match_points", 1, MOST_POINTS)

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
        number = round_direction(self, passing, "cycle")
        return bytes(DIRECTIONS[name] for name in self.cycle) if passing == "cycle" else bytes([number])

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Rules":
        """The rules of a dict made by ``to_dict``.

        Raises:
            ParseError: a missing or unknown rule, or an invalid value.
        """
        kinds: dict[str, type | tuple[type, ...]] = dict.fromkeys(FLAGS, bool)
        kinds |= {"moon": str, "cycle": (list, tuple), "match_points": int}
        return from_fields(lambda cycle, **fields: cls(cycle=tuple(cycle), **fields), data, kinds, "rules of hearts")


def rules_of(rules: object) -> Rules:
    """Return the given rules, the default rules for None, or raise OptionError."""
    if rules is None:
        return _DEFAULT
    if not isinstance(rules, Rules):
        raise OptionError(f"rules must be a hearts.Rules, not {printable(rules)}", "rules")
    return rules


def round_direction(rules: Rules, passing: object, *more: str) -> int:
    """The direction of one round as a number, or OptionError; ``more``: other words for its message."""
    if checked_word(passing, "passing", (*DIRECTIONS, *more)) != "hold" and not rules.pass_cards:
        raise OptionError(f"passing={passing!r} needs the rule pass_cards")
    return DIRECTIONS.get(str(passing), 0)


def check_seat(seat: object) -> int:
    """Return a seat from 0 to 3, or raise OptionError."""
    return checked_integer(seat, "seat", 0, 3)


def check_stream(seed: object, index: object) -> tuple[int, int]:
    """Return the seed and the index of a random stream, or raise OptionError."""
    return checked_integer(seed, "seed", 0, _MOST_SEED), checked_integer(index, "index", 0, _MOST_INDEX)


def check_number(name: str, value: object, least: float, most: float) -> None:
    """Raise OptionError for anything but a number within this range; bools are refused."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise OptionError(f"{name} must be a number from {least:g} to {most:g}, not {printable(value)}", name)


_DEFAULT: Final = Rules()


# --- the notation RULES:PASSING:DEAL:PASSED:PLAYED:SEED (grammar: docs/notation.md) -----------------------------------

_STANDARD: Final = "std"  # the rules with every default
_SWITCH: Final = {"off": False, "on": True}

#: A pass or a play: the seat that passes (None: a play), the cards, their field, and where in it they stand.
Move: TypeAlias = tuple[int | None, list[str], Field, int]


def write(round_: Any) -> str:
    """Write the notation of a round."""
    hands, passed = map("".join, round_.dealt), list(map("".join, round_.passed))
    tricks = ["".join(round_.played[at : at + 4]) for at in range(0, len(round_.played), 4)]
    stream = f"{round_.seed}.{round_.index}" if round_.index else str(round_.seed)
    parts = (
        _write_rules(round_.rules),
        round_.passing,
        ".".join(hands),
        ".".join(cards or NONE for cards in passed) if any(passed) else NONE,
        ".".join(tricks) or NONE,
        stream if round_.seed or round_.index else NONE,
    )
    return SEPARATOR.join(parts)


def parse(text: object) -> tuple[list[list[str]], Rules, str, int, int, list[Move]]:
    """Parse a notation: the hands, rules, passing direction, seed and index, and the moves.

    It checks syntax; :class:`Round` checks that passes and plays are legal.

    Raises:
        ParseError: a syntax error; the message names the column.
    """
    first, passing, deal, passed, played, seed = fields(text, ("RULES", "PASSING", "DEAL", "PASSED", "PLAYED", "SEED"))
    rules = _parse_rules(first)
    try:
        round_direction(rules, passing.text)
    except OptionError as error:
        raise passing.fail(f"PASSING: {error}") from None
    return _parse_deal(deal), rules, passing.text, *_parse_seed(seed), [*_parse_passes(passed), *_parse_plays(played)]


def _write_rules(rules: Rules) -> str:
    """``std``, or the rules that differ from the default, such as ``must_break_hearts=off,moon=shooter``."""
    items = []
    for name in rules.__slots__:
        value = getattr(rules, name)
        if value != getattr(_DEFAULT, name):
            shown = tuple(_SWITCH)[value] if name in FLAGS else ".".join(value) if name == "cycle" else value
            items.append(f"{name}={shown}")
    return ",".join(items) or _STANDARD


def _parse_rules(field: Field) -> Rules:
    rules: dict[str, Any] = {}
    for item in [] if field.text == _STANDARD else field.parts(","):
        name, _, value = item.text.partition("=")
        if name in rules:
            raise item.fail(f"RULES: {printable(name)} stands twice")
        if name not in Rules.__slots__:
            names = f"{_STANDARD}, or NAME=VALUE of {', '.join(Rules.__slots__)}"
            raise item.fail(f"RULES: {printable(name, 40)} is no rule; {names}")
        rules[name] = _parse_rule(name, Field(value, item.column + len(name) + 1))
    return Rules(**rules)


def _parse_rule(name: str, value: Field) -> Any:
    if name in FLAGS:
        return _SWITCH[value.choice(name, tuple(_SWITCH))]
    if name == "moon":
        return value.choice(name, MOONS)
    if name == "match_points":
        return value.whole(name, 1, MOST_POINTS)
    directions = value.parts(".")
    if len(directions) > MOST_DIRECTIONS:
        raise value.fail(f"cycle has {len(directions)} directions; the most are {MOST_DIRECTIONS}")
    return tuple(direction.choice(name, tuple(DIRECTIONS)) for direction in directions)


def _parse_cards(field: Field, name: str, count: int) -> list[str]:
    """Parse this many cards without separators."""
    if len(field.text) != 2 * count:
        raise field.fail(f"{name} must be {counted(count, 'card')} of two letters, not {printable(field.text, 40)}")
    cards = [field.text[at : at + 2] for at in range(0, 2 * count, 2)]
    for place, card in enumerate(cards):
        try:
            card_index(card, ACE_HIGH)
        except CardError as error:
            raise field.fail(f"{name}: {error}", 2 * place) from None
    return cards


def _parse_seats(field: Field, name: str) -> list[Field]:
    parts = field.parts(".")
    if len(parts) != len(SEATS):
        raise field.fail(f"{name}: four parts are meant, a seat each, not {len(parts)}")
    return parts


def _parse_deal(field: Field) -> list[list[str]]:
    hands: list[list[str]] = []
    for part in _parse_seats(field, "DEAL"):
        cards = _parse_cards(part, "DEAL", 13)
        for place, card in enumerate(cards):
            if card in cards[:place] or any(card in hand for hand in hands):
                raise part.fail(f"DEAL: {card} stands twice", 2 * place)
        hands.append(cards)
    return hands


def _parse_passes(field: Field) -> list[Move]:
    parts = [] if field.text == NONE else enumerate(_parse_seats(field, "PASSED"))
    return [(seat, _parse_cards(part, "PASSED", EXCHANGED), part, 0) for seat, part in parts if part.text != NONE]


def _parse_plays(field: Field) -> list[Move]:
    moves: list[Move] = []
    tricks = [] if field.text == NONE else field.parts(".")
    for number, trick in enumerate(tricks):
        count = 4 if number + 1 < len(tricks) else max(1, min(4, len(trick.text) // 2))
        cards = _parse_cards(trick, "PLAYED", count)
        moves += [(None, [card], trick, 2 * place) for place, card in enumerate(cards)]
    return moves


def _parse_seed(field: Field) -> tuple[int, int]:
    if field.text == NONE:
        return 0, 0
    seed, *index = field.parts(".")
    if len(index) > 1:
        raise field.fail(f"SEED: a number, or two with a point between them, not {printable(field.text, 40)}")
    number = seed.whole("SEED", 0, _MOST_SEED)
    return number, index[0].whole("SEED: the index", 0, _MOST_INDEX) if index else 0
