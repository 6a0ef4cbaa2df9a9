"""Pictures of hearts: one trick, or the whole table with the hands that may be seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gamecore.cards import ACE_HIGH
from gamecore.contract import MoveValue
from gamecore.draw.canvas import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GOLD,
    GOOD,
    OPEN,
    PALE,
    Canvas,
    badge_width,
    by_suit,
    spread,
)
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.hearts import Evaluation, Round, Trick, View

_FELT = "#27496b"
_SCALE = 0.85
_ROOM = 236.0
_SPOTS = ((0, 44), (-58, 0), (0, -44), (58, 0))  # of a trick's cards around its middle: below, left, above, right


def trick(finished: "Trick") -> Picture:
    """A finished trick: four cards around the table, seat 0 below, play going to the left.

    The first card has a white dot, the winner's a golden rim.

    Args:
        finished: one of ``round_.tricks`` or ``view.tricks``.

    """
    cards = [((finished.leader + k) % 4, card) for k, card in enumerate(finished.cards)]
    points = _points(finished.cards)
    caption = f"seat {finished.winner} takes {points} point{'' if points == 1 else 's'}"

    def svg() -> str:
        canvas = Canvas(270, 250, f"Trick: {caption}", _FELT)
        _middle(canvas, 135, 110, cards, winner=finished.winner, names=True)
        canvas.text(135, 236, caption, size=13, anchor="middle", bold=True)
        return canvas.svg()

    def text(pen: Pen) -> str:
        shown = [
            f"seat {seat}: {pen.card(card, *(('bold',) if seat == finished.winner else ()))}" for seat, card in cards
        ]
        return "  ".join(shown) + f"  -> {caption}"

    return Picture(svg, text)


def picture(table: "Round | View", moves: "Iterable[Evaluation | MoveValue[int]]" = ()) -> Picture:
    """A round in play: from a Round all four hands, from a View what its seat may see.

    Seat 0 (a View's own seat) sits below, the others follow to the left; who is to move stands in gold. Where there are
    moves the seat to move sits below, its hand spread out. While cards are passed, those that a seat has chosen are
    raised.

    Args:
        table: a :class:`gamecore.hearts.Round` or a :class:`gamecore.hearts.View`.
        moves: what ``hearts.evaluate_moves(view)`` says: each card carries the points to expect, the best one in green;
            or, for a Round, what ``hearts.analyse(round_)`` says: each card carries its value for the seat to move,
            which is minus its points, ``?`` where that is not exact.

    Raises:
        OptionError: neither a Round nor a View, or an evaluation of a card that is not in the hand to move.
        GamecoreError: a view that no round could show.
    """
    seen = _look(table)
    marks = tuple(_mark(entry) for entry in moves)
    for mark in marks:
        if seen.nobody or mark.move not in (seen.hands[seen.to_move] or ()):
            raise OptionError(f"moves: {printable(mark.move)} is not in the hand to move")
    return Picture(lambda: _svg(seen, marks), lambda pen: _text(seen, marks, pen))


@dataclass(frozen=True, slots=True)
class _Mark:
    """What is said of a card: in full, on its badge, and whose value it is if it is one."""

    move: str
    text: str
    badge: str
    is_value: bool


def _mark(entry: "Evaluation | MoveValue[int]") -> _Mark:
    if isinstance(entry, MoveValue):
        value = f"{entry.lower:+d}"
        text = value if entry.exact else f"{value}..{entry.upper:+d}"
        return _Mark(entry.move, text, value if entry.exact else "?", True)
    if hasattr(entry, "mean"):
        return _Mark(entry.move, f"{entry.mean:.2f} +- {entry.stderr:.2f}", f"{entry.mean:.1f}", False)
    raise OptionError(f"moves: what evaluate_moves or analyse says is meant, not {printable(entry)}")


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the picture shows, of a Round or of a View."""

    bottom: int
    hands: tuple[tuple[str, ...] | None, ...]
    counts: tuple[int, ...]
    points: tuple[int, ...]
    voids: tuple[str, ...]
    chosen: tuple[tuple[str, ...], ...]  # to be passed on, as long as cards are passed
    trick: tuple[tuple[int, str], ...]
    to_move: int
    nobody: bool  # is to play a card: cards are passed, or the round is over
    status: str


def _look(table: "Round | View") -> _Seen:
    hands: tuple[tuple[str, ...] | None, ...]
    voids: tuple[str, ...]
    passed: tuple[tuple[str, ...], ...]
    seen: Any = table
    if hasattr(table, "seat"):
        bottom, voids, is_passing = seen.seat, seen.voids, seen.is_passing
        hands = tuple(seen.hand if seat == seen.seat else None for seat in range(4))
        passed = tuple(seen.passed if seat == seen.seat else () for seat in range(4))
    else:
        bottom, hands, voids, is_passing = 0, seen.hands, ("",) * 4, bool(seen.passing_seats)
        passed = seen.passed
    chosen = passed if is_passing else ((),) * 4
    done, trick = len(seen.tricks), seen.trick
    counts = tuple(13 - done - any(seat == player for player, _ in trick) for seat in range(4))
    if done == 13:
        last = seen.tricks[-1]
        trick = tuple(((last.leader + k) % 4, card) for k, card in enumerate(last.cards))
        status = "the round is over; the last trick"
    elif is_passing:
        ready = [str(seat) for seat in range(4) if chosen[seat]]
        who = f"; seat{'' if len(ready) == 1 else 's'} {', '.join(ready)} chose" if ready else ""
        status = f"passing {seen.passing}{who}"
    else:
        status = f"trick {done + 1}: seat {seen.to_move} to move"
    nobody = is_passing or done == 13
    return _Seen(bottom, hands, counts, seen.points, voids, chosen, trick, seen.to_move, nobody, status)


def _points(cards: Sequence[str]) -> int:
    return sum(13 if card == "SQ" else card[0] == "H" for card in cards)


def _out_of(suits: str) -> str:
    return f", out of {' '.join(suits)}" if suits else ""


def _text(seen: _Seen, moves: tuple[_Mark, ...], pen: Pen) -> str:
    lines = []
    for seat in range(4):
        hand = seen.hands[seat]
        if hand is None:
            shown = f"{seen.counts[seat]} cards{_out_of(seen.voids[seat])}"
        else:
            suits = [[card for card in by_suit(hand, ACE_HIGH) if card[0] == suit] for suit in "CDSH"]
            shown = "  ".join(" ".join(pen.card(card) for card in suit) for suit in suits if suit) or "-"
        name = f"seat {seat}"
        if seat == seen.to_move and not seen.nobody and pen.color:
            name = pen.paint(name, "bold")
        lines.append(f"{name} {seen.points[seat]:>3}  {shown}")
    if any(seen.chosen):
        given = (f"seat {seat}: {' '.join(map(pen.card, seen.chosen[seat]))}" for seat in range(4) if seen.chosen[seat])
        lines.append("chosen      " + "  ".join(given))
    if seen.trick:
        lines.append("table       " + "  ".join(f"seat {seat}: {pen.card(card)}" for seat, card in seen.trick))
    lines.append(seen.status)
    whose = f" for seat {seen.to_move}"
    for k, mark in enumerate(moves):
        text = pen.paint(mark.text, "green") if k == 0 else mark.text
        lines.append(f"{pen.card(mark.move)} {text}{whose if mark.is_value else ''}")
    return "\n".join(lines)


def _svg(seen: _Seen, moves: tuple[_Mark, ...]) -> str:
    bottom = seen.to_move if moves else seen.bottom
    below = 24 if moves else 0  # the values of the hand below stand under its cards
    canvas = Canvas(730, 372 + below, f"Hearts: {seen.status}", _FELT)
    corners = ((247, 294), (14, 152), (247, 30), (480, 152))  # of the hands: below, left, above, right
    for place, (x, y) in enumerate(corners):
        seat = (bottom + place) % 4
        if place == 0 and moves:
            _hand_with_values(canvas, seen, y, moves)
        else:
            _hand(canvas, seen, seat, x, y)
    around = [((seat - bottom) % 4, card) for seat, card in seen.trick]
    _middle(canvas, 365, 178, around)
    what = "values" if any(mark.is_value for mark in moves) else "points to expect"
    said = f"; {what} for seat {seen.to_move}" if moves else ""
    canvas.text(16, 360 + below, seen.status + said, size=13, fill=GOLD)
    return canvas.svg()


def _label(canvas: Canvas, seen: _Seen, seat: int, x: float, y: float) -> None:
    """Above a hand: whose it is, and what is known of the seat."""
    to_move = seat == seen.to_move and not seen.nobody
    points = seen.points[seat]
    label = f"seat {seat}: {points} point{'' if points == 1 else 's'}{_out_of(seen.voids[seat])}"
    canvas.text(x, y, label, size=12, bold=to_move, fill=GOLD if to_move else PALE)


def _hand(canvas: Canvas, seen: _Seen, seat: int, x: float, y: float) -> None:
    """A hand as it is held: each card shows its corner."""
    hand, chosen = seen.hands[seat], seen.chosen[seat]
    _label(canvas, seen, seat, x, y - (16 if chosen else 8))
    count = seen.counts[seat] if hand is None else len(hand)
    step = spread(count, _ROOM, CARD_WIDTH * _SCALE)
    if hand is None:
        for k in range(count):
            canvas.back(x + k * step, y, _SCALE)
        return
    for k, card in enumerate(by_suit(hand, "".join(ACE_HIGH))):
        raised = card in chosen
        canvas.card(x + k * step, y - 9 * raised, card, scale=_SCALE, rim=GOLD if raised else None)


def _hand_with_values(canvas: Canvas, seen: _Seen, y: float, moves: tuple[_Mark, ...]) -> None:
    """The hand to move below, so wide that the values stand side by side under its cards."""
    shown = by_suit(seen.hands[seen.to_move] or (), "".join(ACE_HIGH))
    width, height = CARD_WIDTH * _SCALE, CARD_HEIGHT * _SCALE
    step = max([width + 4, *(badge_width(mark.badge) + 3 for mark in moves)])
    x = (canvas.width - (len(shown) - 1) * step - width) / 2
    _label(canvas, seen, seen.to_move, x, y - 8)
    legal = {mark.move for mark in moves}
    for k, card in enumerate(shown):
        canvas.card(x + k * step, y, card, scale=_SCALE, faded=card not in legal)
    for k, mark in enumerate(moves):
        place = x + shown.index(mark.move) * step + width / 2
        canvas.badge(place, y + height + 12, mark.badge, GOOD if k == 0 else OPEN, best=k == 0)


def _middle(
    canvas: Canvas, x: float, y: float, cards: Sequence[tuple[int, str]], *,
    winner: int | None = None, names: bool = False,
) -> None:  # fmt: skip
    """The cards of a trick around its middle, in the order of play; the first has a dot."""
    width, height = CARD_WIDTH * _SCALE, CARD_HEIGHT * _SCALE
    for k, (place, card) in enumerate(cards):
        dx, dy = _SPOTS[place]
        canvas.card(x + dx - width / 2, y + dy - height / 2, card, scale=_SCALE, rim=GOLD if place == winner else None)
        if k == 0:
            canvas.circle(x + dx + width / 2, y + dy - height / 2, 4.5, "#ffffff", "#333333")
        if names:
            away = (0, 42) if dy > 0 else (0, -32) if dy < 0 else (44 if dx > 0 else -44, 4)
            canvas.text(x + dx + away[0], y + dy + away[1], f"seat {place}", size=11, anchor="middle")
