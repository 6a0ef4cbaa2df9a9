"""The one-line notation of rounds: ``RULES:PASSING:DEAL:PASSED:PLAYED:SEED`` (grammar: ``docs/notation.md``).

The parser checks syntax; :class:`Round` checks that passes and plays are legal.
"""

from typing import Any, TypeAlias

from gamecore.cards import ACE_HIGH, card_index
from gamecore.errors import CardError, GamecoreError, ParseError
from gamecore.hearts._cards import EXCHANGED
from gamecore.hearts._rules import DIRECTIONS, FLAGS, MOONS, MOST_DIRECTIONS, MOST_POINTS, SEATS, Rules, round_direction
from gamecore.text import NONE, SEPARATOR, Field, fields, printable, whole_number

NAMES = ("RULES", "PASSING", "DEAL", "PASSED", "PLAYED", "SEED")
STANDARD = "std"  #: the rules with every default
MOST_SEED, MOST_INDEX = (1 << 64) - 1, (1 << 63) - 1
_SWITCH = {"on": True, "off": False}


#: A pass or a play: the seat that passes (None: a play), the cards, their field, and where in it they stand.
Move: TypeAlias = tuple[int | None, list[str], Field, int]


def write(round_: Any) -> str:
    """Write the notation of a round."""
    hands, passed = map("".join, round_.dealt), list(map("".join, round_.passed))
    tricks = ["".join(round_.played[at : at + 4]) for at in range(0, len(round_.played), 4)]
    stream = f"{round_.seed}.{round_.index}" if round_.index else str(round_.seed)
    parts = (
        rules_text(round_.rules),
        round_.passing,
        ".".join(hands),
        ".".join(cards or NONE for cards in passed) if any(passed) else NONE,
        ".".join(tricks) or NONE,
        stream if round_.seed or round_.index else NONE,
    )
    return SEPARATOR.join(parts)


def parse(text: object) -> tuple[list[list[str]], Rules, str, int, int, list[Move]]:
    """Parse a notation: the hands, rules, passing direction, seed and index, and the moves.

    Raises:
        ParseError: a syntax error; the message names the column.
    """
    rules_field, passing, deal, passed, played, seed = fields(text, NAMES)
    rules = read_rules(rules_field)
    direction = passing.choice("PASSING", tuple(DIRECTIONS))
    try:
        round_direction(rules, direction)
    except GamecoreError as error:
        raise passing.fail(f"PASSING: {error}") from None
    return _deal(deal), rules, direction, *_stream(seed), _passes(passed) + _plays(played)


def rules_text(rules: Rules) -> str:
    """``std``, or the rules that differ from the default, such as ``must_break_hearts=off,moon=shooter``."""
    usual, items = Rules(), []
    for name in rules.__slots__:
        value = getattr(rules, name)
        if value != getattr(usual, name):
            shown = ("off", "on")[value] if name in FLAGS else ".".join(value) if name == "cycle" else value
            items.append(f"{name}={shown}")
    return ",".join(items) or STANDARD


def read_rules(field: Field) -> Rules:
    """Parse rules written by :func:`rules_text`.

    Raises:
        ParseError: a syntax error.
    """
    if field.text == STANDARD:
        return Rules()
    rules: dict[str, Any] = {}
    for item in field.parts(","):
        name, _, value = item.text.partition("=")
        if name in rules or name not in Rules.__slots__:
            raise item.fail(f"RULES: {printable(name)} stands twice" if name in rules else _unknown_rule(name))
        rules[name] = _rule_value(name, Field(value, item.column + len(name) + 1))
    return Rules(**rules)


def _unknown_rule(name: str) -> str:
    return f"RULES: {printable(name, 40)} is no rule; {STANDARD}, or NAME=VALUE of {', '.join(Rules.__slots__)}"


def _rule_value(name: str, value: Field) -> Any:
    if name in FLAGS:
        return _SWITCH[value.choice(name, tuple(_SWITCH))]
    if name == "moon":
        return value.choice(name, MOONS)
    if name == "match_points":
        return _number(value, name, 1, MOST_POINTS)
    directions = value.parts(".")
    if len(directions) > MOST_DIRECTIONS:
        raise value.fail(f"cycle has {len(directions)} directions; the most are {MOST_DIRECTIONS}")
    return tuple(direction.choice(name, tuple(DIRECTIONS)) for direction in directions)


def _number(field: Field, name: str, least: int, most: int) -> int:
    try:
        return whole_number(field.text, name, least, most)
    except ParseError as error:
        raise field.fail(str(error)) from None


def _cards(field: Field, name: str, count: int) -> list[str]:
    """Parse this many cards without separators."""
    if len(field.text) != 2 * count:
        raise field.fail(f"{name}: {count} cards of two letters are meant, not {printable(field.text, 40)}")
    return [_card(field, name, at) for at in range(0, 2 * count, 2)]


def _card(field: Field, name: str, at: int) -> str:
    card = field.text[at : at + 2]
    try:
        card_index(card, ACE_HIGH)
    except CardError as error:
        raise field.fail(f"{name}: {error}", at) from None
    return card


def _four(field: Field, name: str) -> list[Field]:
    parts = field.parts(".")
    if len(parts) != len(SEATS):
        raise field.fail(f"{name}: four parts are meant, a seat each, not {len(parts)}")
    return parts


def _deal(field: Field) -> list[list[str]]:
    hands, held = [], set()
    for hand in _four(field, "DEAL"):
        cards = _cards(hand, "DEAL", 13)
        for at, card in enumerate(cards):
            if card in held:
                raise hand.fail(f"DEAL: {card} stands twice", 2 * at)
            held.add(card)
        hands.append(cards)
    return hands


def _passes(field: Field) -> list[Move]:
    if field.text == NONE:
        return []
    parts = enumerate(_four(field, "PASSED"))
    return [(seat, _cards(part, "PASSED", EXCHANGED), part, 0) for seat, part in parts if part.text != NONE]


def _plays(field: Field) -> list[Move]:
    moves: list[Move] = []
    tricks = [] if field.text == NONE else field.parts(".")
    for number, trick in enumerate(tricks):
        count = 4 if number + 1 < len(tricks) else max(1, min(4, len(trick.text) // 2))
        cards = _cards(trick, "PLAYED", count)
        moves += [(None, [card], trick, 2 * at) for at, card in enumerate(cards)]
    return moves


def _stream(field: Field) -> tuple[int, int]:
    if field.text == NONE:
        return 0, 0
    parts = field.parts(".")
    if len(parts) > 2:
        raise field.fail(f"SEED: a number, or two with a point between them, not {printable(field.text, 40)}")
    seed = _number(parts[0], "SEED", 0, MOST_SEED)
    return seed, _number(parts[1], "SEED: the index", 0, MOST_INDEX) if len(parts) == 2 else 0
