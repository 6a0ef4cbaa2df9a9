"""Pictures of the duel: both hands, the card to match, the value of each card, and the line of play."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamecore.cards import ACE_LOW, name_of
from gamecore.draw.canvas import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GAP,
    GOLD,
    PALE,
    Canvas,
    by_suit,
    card_scale,
    places,
    row_height,
    tone,
)
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture, picture_with_values, short_value
from gamecore.duel._position import points_of
from gamecore.duel.words import WORDS
from gamecore.text import counted

if TYPE_CHECKING:
    from gamecore.duel import MoveValue, Position

_FELT = "#1f5c47"
_LANE = "#184938"
_PLAIN = Pen()
_MARGIN, _LABEL = 6.0, 52.0
_MINI = 0.62
_STEP = CARD_WIDTH * _MINI + 4


def picture(
    position: "Position", moves: "Iterable[MoveValue]" = (), line: Iterable[str] = (), width: int | None = None
) -> Picture:
    """See :meth:`gamecore.game.Game.picture`. Cards that do not fit are grey; the line has a lane a player."""
    return picture_with_values(
        position,
        moves,
        line,
        lambda pen: _text(position, pen),
        lambda entries, played: _svg(position, entries, played, width),
        lambda pen, move: move if move == "pass" else pen.card(move),
    )


def _text(position: "Position", pen: Pen) -> str:
    """Return both hands by suit and the turn as text."""
    legal = position.legal_moves()
    lines = []
    for name, hand in (("Alice", position.alice), ("Bob", position.bob)):
        styles = {card: ("bold",) if card in legal else () for card in by_suit(hand, ACE_LOW)}
        suits = [" ".join(pen.card(card, *styles[card]) for card in styles if card[0] == suit) for suit in "CDSH"]
        lines.append(f"{pen.paint(f'{name:<5}', 'bold')}  {'  '.join(filter(None, suits)) or '-'}")
    lines.append(WORDS.turn(position))
    return "\n".join(lines)


def _svg(position: "Position", moves: "tuple[MoveValue, ...]", line: tuple[str, ...], page_width: int | None) -> str:
    most = max(len(position.alice), len(position.bob), 1)
    width = page_width or min(720.0, max(440.0, 2 * _MARGIN + 20 + most * (CARD_WIDTH * 1.25 + GAP)))
    scale, room = card_scale(width, most), width - 2 * _MARGIN
    heights = [_hand_height(len(hand), room, scale) for hand in (position.alice, position.bob)]
    columns = int((room - _LABEL) // _STEP)
    lanes = -(-len(line) // columns)
    middle = 10 + heights[0]
    bottom = middle + CARD_HEIGHT * scale + 24
    turn = WORDS.turn(position)
    canvas = Canvas(width, bottom + heights[1] + 10 + lanes * 90, f"Duel: {turn}", _FELT)
    _hand(canvas, position, "Alice", 8, heights[0], scale, moves)
    _middle(canvas, position, middle + 10, scale, moves, page_width is None)
    _hand(canvas, position, "Bob", bottom, heights[1], scale, moves)
    for lane in range(lanes):
        _lane(canvas, position, line, columns, lane, bottom + heights[1] + 8 + lane * 90)
    return canvas.svg()


def _hand_height(count: int, room: float, scale: float) -> float:
    places_ = places(max(count, 1), room - 2 * _MARGIN, scale)
    return 32 + places_[-1][1] + row_height(scale)


def _value(canvas: Canvas, x: float, y: float, move: str, moves: "tuple[MoveValue, ...]") -> None:
    """Draw the value of a move: golden if no other is better, hidden while unknown."""
    entry = next((move_value for move_value in moves if move_value.move == move), None)
    best = entry is not None and entry.lower == max(move_value.lower for move_value in moves)
    with canvas.value(move, tone(entry.lower, entry.upper) if entry else None):
        canvas.badge(x, y, short_value(entry), best=best)


def _hand(
    canvas: Canvas, position: "Position", name: str, y: float, height: float, scale: float,
    moves: "tuple[MoveValue, ...]",
) -> None:  # fmt: skip
    mover = name == position.to_move and not position.is_over
    hand = by_suit(position.alice if name == "Alice" else position.bob, ACE_LOW)
    room = canvas.width - 2 * _MARGIN
    canvas.rect(_MARGIN, y, room, height, _LANE, radius=8, stroke=GOLD if mover else None)
    canvas.text(_MARGIN + 9, y + 20, name, size=15, bold=True, fill=GOLD if mover else PALE)
    held = f"{counted(len(hand), 'card')}, {counted(points_of(hand), 'point')}"
    canvas.text(canvas.width - _MARGIN - 9, y + 20, held, size=12, anchor="end")
    legal = position.legal_moves() if mover else ()
    for card, (across, down, shown) in zip(hand, places(len(hand), room - 2 * _MARGIN, scale), strict=True):
        left, top = 2 * _MARGIN + across, y + 28 + down
        with canvas.part(card if card in legal else None, name_of(card)):
            canvas.card(left, top, card, scale=scale, faded=mover and card not in legal)
            if card in legal:
                _value(canvas, left + shown / 2, top + CARD_HEIGHT * scale, card, moves)


def _middle(
    canvas: Canvas, position: "Position", y: float, scale: float, moves: "tuple[MoveValue, ...]", alone: bool
) -> None:
    """Draw the card to match (or "any"), and the pass if it is the only move."""
    left = 2 * _MARGIN + CARD_WIDTH * scale + 12
    if position.last is not None and not position.is_over:
        canvas.card(2 * _MARGIN, y, position.last, scale=scale, rim=GOLD)
    else:
        canvas.no_card(2 * _MARGIN, y, _FELT, "" if position.is_over else "any", scale)
    if alone:
        turn = WORDS.turn(position)
        canvas.text(left, y + 12, turn, size=14 if len(turn) < 36 else 11)
    if alone and moves:
        canvas.text(left, y + 27, f"values for {position.to_move}", size=11)
    if position.legal_moves() == ("pass",):
        top, height = y + (32 if alone else 12), 38 if alone else 46
        with canvas.part("pass", "pass: no card fits"):
            canvas.rect(left, top, 200, height, _LANE, radius=8, stroke=GOLD)
            canvas.text(left + 14, top + height / 2 + 5, "Pass: none fits", size=13, bold=True, fill=GOLD)
            _value(canvas, left + 168, top + height / 2, "pass", moves)


def _lane(canvas: Canvas, position: "Position", line: tuple[str, ...], columns: int, lane: int, y: float) -> None:
    """Draw one row of the line of play: Alice's cards above, Bob's below."""
    canvas.rect(_MARGIN + _LABEL - 4, y, canvas.width - 2 * _MARGIN - _LABEL + 4, 84, _LANE, radius=5)
    for k, name in enumerate(("Alice", "Bob")):
        canvas.text(_MARGIN, y + 26 + 40 * k, name, size=12)
    first = position.to_move == "Bob"
    for k, move in enumerate(line[lane * columns : (lane + 1) * columns]):
        below = (lane * columns + k) % 2 ^ first
        x, top = _MARGIN + _LABEL + k * _STEP, y + 4 + 40 * below
        if move == "pass":
            canvas.no_card(x, top, _LANE, "pass", _MINI)
        else:
            canvas.card(x, top, move, scale=_MINI)
