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
from gamecore.text import printable, without_controls

NO_TOTALS: Final = (0, 0, 0, 0)  #: totals before a match's first round, and outside matches


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
    """Play one round and return its points; built-in players draw as in the kernel.

    Args:
        table: seat by seat. seed, rules, passing, index: of the round. totals: points of the match before it.
        decisions: (4,) int64: each seat's decisions with more than one legal card are added.
        seconds: (4,) float64: the time of Players for them is added.

    Raises:
        PlayerError: a Player raised, or its answer was not a legal card.
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
            card = legal.bit_length() - 1  # forced
        round_ = round_._after(card, isinstance(who, BuiltIn) and who.name == "random")
    points = round_.points
    for seat in SEATS:
        who = table[seat]
        if isinstance(who, Player) and type(who).end_round is not Player.end_round:
            with _blamed(f"seat {seat}: {name_of(who)}.end_round", seat, 13):
                who.end_round(round_.view(seat), points)
    return points


def seed_of_player(seed: int, index: int, seat: int) -> int:
    """A seed below 2**64 for a Player in a round; it does not reveal the deal."""
    return int.from_bytes(hashlib.blake2b(f"hearts {seed} {index} {seat}".encode(), digest_size=8).digest())


def _passed(round_: Round, table: "tuple[BuiltIn | Player, ...]") -> Round:
    """Let all seats pass cards."""
    drawn = 0  # passes drawn from the round's stream
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
        raise PlayerError(f"{place} answered {printable(cards)}: {_reason(error)}", seat, 0, cards) from error


def _card_of(round_: Round, who: Player) -> int:
    """Ask a Player for a card; return its index."""
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
    """Convert exceptions of a player's method to PlayerError."""
    try:
        yield
    except Exception as error:
        raise PlayerError(f"{place} raised {_reason(error)}", seat, trick) from error


def name_of(who: Player) -> str:
    """A player's name (its class's if that is not text), without control characters."""
    name: object = who.name
    return without_controls(name if isinstance(name, str) else type(who).__name__)


def _reason(error: Exception) -> str:
    try:
        text = str(error)
    except Exception:
        text = "?"
    shown = without_controls(text) if isinstance(error, GamecoreError) else printable(text, 80)
    return f"{without_controls(type(error).__name__)}: {shown}"
