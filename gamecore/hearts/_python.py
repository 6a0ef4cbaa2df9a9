"""One round at a table with players written in Python."""

import contextlib
import hashlib
import time
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gamecore.errors import GamecoreError
from gamecore.hearts._cards import index_of
from gamecore.hearts._players import BuiltIn, Player, PlayerError
from gamecore.hearts._position import Round
from gamecore.hearts._rules import SEATS, Rules
from gamecore.signals import raised_by_handler
from gamecore.text import printable, without_controls

NO_TOTALS: Final = (0, 0, 0, 0)  #: what the seats have before a match's first round, and always outside a match


def round_in_python(
    table: "tuple[BuiltIn | Player, ...]",
    seed: int,
    rules: Rules,
    passing: str,
    index: int,
    totals: tuple[int, ...],
    decisions: NDArray[np.int64],
    seconds: NDArray[np.float64],
) -> tuple[int, ...]:
    """The points of one round; built-in players draw as they do in the kernel.

    Args:
        table: seat by seat. seed, rules, passing, index: of the round. totals: points of the match before it.
        decisions: (4,) int64: times that a seat had more than one legal card are added.
        seconds: (4,) float64: the time that Players took for them is added.

    Raises:
        PlayerError: a Player raised, or answered with what is no legal card.
    """
    round_ = Round.deal(seed, rules, passing, None, index)
    for seat in SEATS:
        who = table[seat]
        if isinstance(who, Player) and type(who).begin_round is not Player.begin_round:
            with _blamed(f"seat {seat}: {name_of(who)}.begin_round", seat, 0):
                who.begin_round(round_.view(seat), seed_of_player(seed, index, seat), totals)
    round_ = _passed(round_, table)
    while not round_.is_over:
        seat = round_.to_move
        who = table[seat]
        legal = round_._core.legal()
        if legal & (legal - 1):
            decisions[seat] += 1
            if isinstance(who, Player):
                start = time.perf_counter()
                card = _card_of(round_, who)
                seconds[seat] += time.perf_counter() - start
            else:
                card = index_of(round_.ask(who))
        else:
            card = legal.bit_length() - 1  # nobody is asked for a forced card
        round_ = round_._after(card, isinstance(who, BuiltIn) and who.name == "random")
    points = round_.points
    for seat in SEATS:
        who = table[seat]
        if isinstance(who, Player) and type(who).end_round is not Player.end_round:
            with _blamed(f"seat {seat}: {name_of(who)}.end_round", seat, 13):
                who.end_round(round_.view(seat), points)
    return points


def seed_of_player(seed: int, index: int, seat: int) -> int:
    """A seed below 2**64 for a Player's own luck in a round, from which the deal cannot be read."""
    return int.from_bytes(hashlib.blake2b(f"hearts {seed} {index} {seat}".encode(), digest_size=8).digest())


def _passed(round_: Round, table: "tuple[BuiltIn | Player, ...]") -> Round:
    """The round after all seats have passed cards."""
    drawn = 0  # seats that drew the cards that they passed from the round's stream
    for seat in round_.passing_seats:
        who = table[seat]
        if isinstance(who, BuiltIn):
            cards = round_._choose_pass(seat, who, drawn)
            drawn += who.name in ("random", "intelligent")
            round_ = round_._pass(seat, cards, drawn)
        else:
            round_ = _pass_of(round_, seat, who, drawn)
    return round_


def _pass_of(round_: Round, seat: int, who: Player, drawn: int) -> Round:
    place = f"seat {seat}, passing: {name_of(who)}.pass_cards"
    with _blamed(place, seat, 0):
        cards: object = who.pass_cards(round_.view(seat))
    try:
        return round_._pass(seat, tuple(cards), drawn)  # type: ignore[arg-type]
    except Exception as error:
        if raised_by_handler(error):
            raise
        raise PlayerError(f"{place} answered {printable(cards)}: {_reason(error)}", seat, 0, cards) from error


def _card_of(round_: Round, who: Player) -> int:
    """The index of a legal card."""
    seat, trick = round_.to_move, len(round_.tricks) + 1
    place = f"seat {seat}, trick {trick}: {name_of(who)}.choose"
    with _blamed(place, seat, trick):
        card = who.choose(round_.view(seat))
    try:
        return round_._legal_index(card)
    except GamecoreError as error:
        raise PlayerError(f"{place} answered {printable(card)}: {error}", seat, trick, card) from error


@contextlib.contextmanager
def _blamed(place: str, seat: int, trick: int) -> Iterator[None]:
    """Raise what a player's method raises as a PlayerError."""
    try:
        yield
    except Exception as error:
        if raised_by_handler(error):
            raise
        raise PlayerError(f"{place} raised {_reason(error)}", seat, trick) from error


def name_of(who: Player) -> str:
    """A player's name, or its class's if it has no text as name; without control characters."""
    name: object = who.name
    return without_controls(name if isinstance(name, str) else type(who).__name__)


def _reason(error: Exception) -> str:
    try:
        text = str(error)
    except Exception:
        text = "?"
    return f"{without_controls(type(error).__name__)}: {printable(text, 80)}"
