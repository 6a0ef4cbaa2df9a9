"""Pictures of hearts: one trick, or the whole table with the hands that may be seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from gamecore.cards import ACE_HIGH, hand_mask, name_of
from gamecore.contract import Bounds, MoveValue
from gamecore.draw.canvas import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GOLD,
    GOOD,
    OPEN,
    PALE,
    Canvas,
    by_suit,
    card_scale,
    places,
    row_height,
    spread,
)
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture, checked_marks, short_value
from gamecore.errors import OptionError
from gamecore.hearts._cards import points_of
from gamecore.hearts.words import WORDS
from gamecore.text import counted, printable

if TYPE_CHECKING:
    from gamecore.hearts import Evaluation, Round, Trick, View

AROUND: Final = ("you", "left", "across", "right")  #: the seats as a page of one seat names them
_FELT, _LANE = "#27496b", "#1d3a57"
_MARGIN = 6.0
_SCALE = 0.8  # of the cards of a finished trick and of other hands
_HIGH, _LOW = 82.0, 66.0  # of the panel of another seat; of open hands in a narrow picture
_SPOTS = ((0, 38), (-58, 0), (0, -38), (58, 0))  # of a trick's cards around its middle: below, left, above, right


def trick(finished: "Trick") -> Picture:
    """A finished trick, seat 0 below, play going to the left: the first card has a dot, the winner's a golden rim."""
    cards = [((finished.leader + k) % 4, card) for k, card in enumerate(finished.cards)]
    caption = f"seat {finished.winner} takes {WORDS.amount(points_of(finished.cards))}"

    def svg() -> str:
        canvas = Canvas(270, 250, f"Trick: {caption}", _FELT)
        _middle(canvas, 135, 110, cards, winner=finished.winner, names=True)
        canvas.text(135, 236, caption, size=13, anchor="middle", bold=True)
        return canvas.svg()

    def text(pen: Pen) -> str:
        style = {finished.winner: ("bold",)}
        shown = "  ".join(f"seat {seat}: {pen.card(card, *style.get(seat, ()))}" for seat, card in cards)
        return f"{shown}  -> {caption}"

    return Picture(svg, text)


def picture(
    table: "Round | View", moves: "Iterable[Evaluation | MoveValue[int]]" = (), line: Iterable[str] = (),
    width: int | None = None,
) -> Picture:  # fmt: skip
    """A round in play: from a Round all four hands, from a View what its seat may see.

    The seat to move (a View's own seat) is at the bottom; the others follow to the left. Moves are results of
    ``analyse`` or ``evaluate_moves``. See :meth:`gamecore.game.Game.picture`.
    """
    seen, marks, played = _Seen(table), tuple(map(_mark, moves)), tuple(line)
    if seen.viewer is None:
        checked_marks(cast("Round", table), (), played)
    else:  # other seats' cards are unknown
        hand_mask(played, ACE_HIGH)
    for mark in marks:
        if seen.nobody or mark.move not in (seen.hands[seen.to_move] or ()):
            raise OptionError(f"moves: {printable(mark.move)} is not in the hand to move")
    shown = f"\nline: {' '.join(played)}" if played else ""
    return Picture(lambda: _svg(seen, marks, width), lambda pen: _text(seen, marks, pen) + shown)


@dataclass(frozen=True, slots=True)
class _Mark:
    """The label of a card: full text, text of its badge, and whether it is a value of a solver."""

    move: str
    text: str
    badge: str
    is_value: bool


def _mark(entry: "Evaluation | MoveValue[int]") -> _Mark:
    if isinstance(entry, MoveValue):
        return _Mark(entry.move, Bounds.__str__(entry), short_value(entry), True)
    if hasattr(entry, "mean"):
        return _Mark(entry.move, f"{entry.mean:.2f} +- {entry.stderr:.2f}", f"{entry.mean:.1f}", False)
    raise OptionError(f"moves must be a result of evaluate_moves or analyse, not {printable(entry)}", "moves")


class _Seen:
    """The contents of a picture: a Round with all hands open, or a View with one."""

    def __init__(self, table: Any) -> None:
        seat = getattr(table, "seat", None)  # None: a Round
        is_passing = bool(table.passing_seats) if seat is None else table.is_passing
        passed = table.passed if seat is None else _only(seat, table.passed, ())
        self.bottom: int = table.to_move if seat is None else seat
        self.viewer: int | None = seat
        self.names = [f"seat {k}" for k in range(4)]
        self.hands: tuple[Any, ...] = table.hands if seat is None else _only(seat, table.hand, None)
        self.voids: tuple[str, ...] = ("",) * 4 if seat is None else table.voids
        self.chosen: tuple[tuple[str, ...], ...] = passed if is_passing else ((),) * 4  # to pass, during the pass
        self.points, self.to_move, self.trick = table.points, table.to_move, table.trick
        done = len(table.tricks)
        self.counts = [13 - done - any(seat == player for player, _ in self.trick) for seat in range(4)]
        self.over = done == 13
        self.nobody = is_passing or self.over  # no seat is to play a card
        self.legal = () if self.over else table.legal_moves()
        self.last: Trick | None = table.tricks[-1] if 0 < done < 13 else None
        self.status = f"trick {done + 1}: seat {self.to_move} to move"
        if self.over:
            last = table.tricks[-1]
            self.trick = tuple(((last.leader + k) % 4, card) for k, card in enumerate(last.cards))
            self.status = "the round is over; the last trick"
        elif is_passing:
            ready = [str(seat) for seat in range(4) if self.chosen[seat]]
            who = f"; seat{'' if len(ready) == 1 else 's'} {', '.join(ready)} chose" if ready else ""
            self.status = f"passing {table.passing}{who}"


def _only(seat: int, value: Any, other: Any) -> tuple[Any, ...]:
    return tuple(value if place == seat else other for place in range(4))


def _out_of(suits: str) -> str:
    return f", out of {' '.join(suits)}" if suits else ""


def _text(seen: _Seen, moves: tuple[_Mark, ...], pen: Pen) -> str:
    lines = []
    for seat in range(4):
        hand = seen.hands[seat]
        if hand is None:
            shown = f"{counted(seen.counts[seat], 'card')}{_out_of(seen.voids[seat])}"
        else:
            suits = [[card for card in by_suit(hand, ACE_HIGH) if card[0] == suit] for suit in "CDSH"]
            shown = "  ".join(" ".join(pen.card(card) for card in suit) for suit in suits if suit) or "-"
        name = f"seat {seat}"
        if seat == seen.to_move and not seen.nobody and pen.color:
            name = pen.paint(name, "bold")
        lines.append(f"{name} {seen.points[seat]:>3}  {shown}")
    if any(seen.chosen):
        passes = [f"seat {seat}: {' '.join(map(pen.card, cards))}" for seat, cards in enumerate(seen.chosen) if cards]
        lines.append("chosen      " + "  ".join(passes))
    if seen.trick:
        lines.append("table       " + "  ".join(f"seat {seat}: {pen.card(card)}" for seat, card in seen.trick))
    lines.append(seen.status)
    whose = f" for seat {seen.to_move}"
    for k, mark in enumerate(moves):
        text = pen.paint(mark.text, "green") if k == 0 else mark.text
        lines.append(f"{pen.card(mark.move)} {text}{whose if mark.is_value else ''}")
    return "\n".join(lines)


def _svg(seen: _Seen, moves: tuple[_Mark, ...], page_width: int | None) -> str:
    width = page_width or 720
    wide, scale = width >= 520, card_scale(width)
    around = [(seen.bottom + place) % 4 for place in (1, 2, 3)]  # left, above, right
    third = (width - 4 * _MARGIN) / 3
    full, high = width - 2 * _MARGIN, _HIGH
    if wide:
        corners = [((k + 1) * _MARGIN + k * third, _MARGIN if k == 1 else 110.0, third) for k in range(3)]
        middle = 166.0
    elif all(seen.hands[seat] is None for seat in around):
        corners = [(_MARGIN + k * (third + _MARGIN), _MARGIN, third) for k in range(3)]
        middle = _MARGIN + _HIGH + 76
    else:
        high = _LOW
        corners = [(_MARGIN, _MARGIN + k * (high + 3), full) for k in range(3)]
        middle = _MARGIN + 3 * (high + 3) + 72
    own = by_suit(seen.hands[seen.bottom] or (), ACE_HIGH)
    spots = places(max(len(own), 1), full - 2 * _MARGIN, scale)
    top = middle + 78
    tall = 32 + spots[-1][1] + row_height(scale)
    if page_width and seen.viewer is not None:
        seen.names = [AROUND[(seat - seen.viewer) % 4] for seat in range(4)]
    canvas = Canvas(width, top + tall + (_MARGIN if page_width else 30), f"Hearts: {seen.status}", _FELT)
    for seat, (x, y, room) in zip(around, corners, strict=True):
        _hand(canvas, seen, seat, x, y, room, high)
    _middle(canvas, width / 2, middle, [((seat - seen.bottom) % 4, card) for seat, card in seen.trick], scale=scale)
    _last(canvas, seen, _MARGIN + 3, _MARGIN if wide else middle - 60)
    _panel(canvas, seen, seen.bottom, _MARGIN, top, full, tall)
    for card, (across, down, shown) in zip(own, spots, strict=False):
        _own_card(canvas, seen, card, 2 * _MARGIN + across, top + 28 + down, scale, moves, shown)
    if page_width is None:
        what = "values" if any(mark.is_value for mark in moves) else "points to expect"
        said = f"; {what} for seat {seen.to_move}" if moves else ""
        canvas.text(16, canvas.height - 10, seen.status + said, size=13, fill=GOLD)
    return canvas.svg()


def _panel(canvas: Canvas, seen: _Seen, seat: int, x: float, y: float, width: float, height: float) -> None:
    """The panel of a seat: its name (golden if it is to move), points and shown voids."""
    to_move = seat == seen.to_move and not seen.over
    points, voids = seen.points[seat], seen.voids[seat]
    facts = WORDS.amount(points) + _out_of(voids) if width > 150 else f"{points}"
    canvas.rect(x, y, width, height, _LANE, radius=8, stroke=GOLD if to_move else None)
    canvas.text(x + 8, y + 18, seen.names[seat], size=13, bold=True, fill=GOLD if to_move else PALE)
    canvas.text(x + width - 8, y + 18, facts, size=11, anchor="end")
    if voids and width <= 150:
        canvas.text(x + 8, y + height - 5, _out_of(voids).removeprefix(", "), size=10)


def _hand(canvas: Canvas, seen: _Seen, seat: int, x: float, y: float, width: float, height: float) -> None:
    """A hand in which each card shows its corner."""
    hand, chosen = seen.hands[seat], seen.chosen[seat]
    _panel(canvas, seen, seat, x, y, width, height)
    scale = _SCALE if width > 150 and height == _HIGH else 0.6
    count = seen.counts[seat] if hand is None else len(hand)
    step = spread(count, width - 8, CARD_WIDTH * scale)
    if hand is None:
        for k in range(count):
            canvas.back(x + 4 + k * min(step, 12 * scale), y + 27, scale)
        return
    for k, card in enumerate(by_suit(hand, ACE_HIGH)):
        canvas.card(x + 4 + k * step, y + 27, card, scale=scale, rim=GOLD if card in chosen else None)


def _own_card(
    canvas: Canvas, seen: _Seen, card: str, x: float, y: float, scale: float, moves: tuple[_Mark, ...], shown: float
) -> None:
    """Draw a card of the hand at the bottom; in the pass it belongs to many moves; ``shown``: width not covered."""
    playable = [move for move in seen.legal if card in move.split("-")]
    place = next((k for k, mark in enumerate(moves) if mark.move == card), None)
    with canvas.part(" ".join(playable), name_of(card)):
        faded = not playable and bool(seen.legal)
        canvas.card(x, y, card, scale=scale, faded=faded, rim=GOLD if card in seen.chosen[seen.bottom] else None)
        if card in playable:
            with canvas.value(card, None if place is None else OPEN if place else GOOD):
                text = "" if place is None else moves[place].badge
                canvas.badge(x + shown / 2, y + CARD_HEIGHT * scale, text, best=place == 0)


def _last(canvas: Canvas, seen: _Seen, x: float, y: float) -> None:
    """The trick before this one, in small."""
    if seen.last is None:
        return
    canvas.text(x, y + 12, f"last: {seen.names[seen.last.winner]}", size=10)
    canvas.text(x, y + 25, WORDS.amount(points_of(seen.last.cards)), size=10)
    for k, card in enumerate(seen.last.cards):
        canvas.card(x + 15 * k, y + 32, card, scale=0.5)


def _middle(
    canvas: Canvas, x: float, y: float, cards: Sequence[tuple[int, str]], *,
    scale: float = _SCALE, winner: int | None = None, names: bool = False,
) -> None:  # fmt: skip
    """The cards of a trick around its middle, in the order of play; the first has a dot."""
    width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
    for place in set(range(4)).difference(place for place, _ in cards):
        dx, dy = _SPOTS[place]
        canvas.rect(x + dx - width / 2, y + dy - height / 2, width, height, _FELT, radius=5 * scale, stroke=_LANE)
    for k, (place, card) in enumerate(cards):
        dx, dy = _SPOTS[place]
        canvas.card(x + dx - width / 2, y + dy - height / 2, card, scale=scale, rim=GOLD if place == winner else None)
        if k == 0:
            canvas.circle(x + dx + width / 2, y + dy - height / 2, 4.5, "#ffffff", "#333333")
        if names:
            away = (0, 42) if dy > 0 else (0, -32) if dy < 0 else (44 if dx > 0 else -44, 4)
            canvas.text(x + dx + away[0], y + dy + away[1], f"seat {place}", size=11, anchor="middle")
