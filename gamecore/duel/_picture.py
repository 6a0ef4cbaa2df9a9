"""Pictures of the duel: both hands, the card to match, what each card is worth, and the line of play."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamecore.cards import ACE_LOW
from gamecore.contract import Bounds
from gamecore.draw.canvas import CARD_WIDTH, GOLD, Canvas, badge_width, by_suit, spread, tone
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.duel import MoveValue, Position

_FELT = "#1f5c47"
_LANE = "#184938"
_MARGIN, _LABEL, _ROOM = 14.0, 62.0, 690.0
_MINI = 0.62
_STEP = CARD_WIDTH * _MINI + 4


def picture(position: "Position", moves: "Iterable[MoveValue]" = (), line: Iterable[str] = ()) -> Picture:
    """Return the picture of a position.

    Args:
        position: both hands are shown by suit, and where not all of the mover's cards fit,
            those that may be played stand higher.
        moves: what ``duel.analyse(position)`` says: each card carries its value for the side to move; ``?``: not exact.
        line: play from here on, such as a solution's: one lane a player, in the order of play, a pass an empty place.

    Raises:
        OptionError: a move that is not legal here. IllegalMoveError: a line that breaks the rules.
    """
    known = tuple(moves)
    legal = position.legal_moves()
    for entry in known:
        if entry.move not in legal:
            raise OptionError(f"moves: {printable(entry.move)} is not a legal move of this position")
    played = tuple(line)
    after = position
    for move in played:
        after = after.play(move)
    return Picture(lambda: _svg(position, known, played), lambda pen: _text(position, known, played, pen))


def _turn(position: "Position") -> str:
    return str(position).splitlines()[2] + _passes(position)


def _passes(position: "Position") -> str:
    return " and passes" if position.legal_moves() == ("pass",) else ""


def _text(position: "Position", moves: "tuple[MoveValue, ...]", line: tuple[str, ...], pen: Pen) -> str:
    lines = [text_of(position, pen)]
    if moves:
        texts = []
        for entry in moves:
            value = pen.value(Bounds.__str__(entry), entry.lower, entry.upper)
            texts.append(f"{_move(entry.move, pen)} {value}")
        lines.append("moves  " + "   ".join(texts) + f"   (for {position.to_move})")
    if line:
        lines.append("line   " + " ".join(_move(move, pen) for move in line))
    return "\n".join(lines)


def text_of(position: "Position", pen: Pen, me: str | None = None) -> str:
    """Return both hands by suit, and what may be played, as text; ``me``: the side of the reader."""
    legal = position.legal_moves()
    lines = []
    for name, hand in (("Alice", position.alice), ("Bob", position.bob)):
        to_move = name == position.to_move and not position.is_over
        suits = [[card for card in by_suit(hand, ACE_LOW) if card[0] == suit] for suit in "CDSH"]
        groups = [
            " ".join(pen.card(card, *(("bold",) if to_move and card in legal else ())) for card in suit)
            for suit in suits
            if suit
        ]
        title = f"{name} (you)" if name == me else f"{name:<5}" if me is None else name
        lines.append(pen.row(pen.paint(title, "bold"), groups or ["-"], "  ", 13 if me else 7))
    if position.last is not None and not position.is_over:
        lines.append(f"{position.to_move} has to match {pen.card(position.last)}{_passes(position)}")
    else:
        lines.append(_turn(position))
    return "\n".join(lines)


def _move(move: str, pen: Pen) -> str:
    return move if move == "pass" else pen.card(move)


def _svg(position: "Position", moves: "tuple[MoveValue, ...]", line: tuple[str, ...]) -> str:
    widest = max(_step(position, name, moves) * (len(_held(position, name)) - 1) for name in ("Alice", "Bob"))
    width = max(2 * _MARGIN + _LABEL + CARD_WIDTH + widest, 480)
    columns = int((width - 2 * _MARGIN - _LABEL) // _STEP)
    lanes = -(-len(line) // columns)
    height = 252 + lanes * 92
    turn = _turn(position)
    canvas = Canvas(width, height, f"Duel: {turn}", _FELT)
    _hand(canvas, position, "Alice", 28, moves)
    _hand(canvas, position, "Bob", 176, moves)
    left = _MARGIN + _LABEL
    if position.last is not None and not position.is_over:
        canvas.card(left, 92, position.last, rim=GOLD)
        left += CARD_WIDTH + 14
    canvas.text(left, 126, turn, size=14)
    if moves:
        canvas.text(left, 143, f"values for {position.to_move}", size=11)
    for entry in moves:
        if entry.move == "pass":
            canvas.badge(width - 60, 122, _short(entry), tone(entry.lower, entry.upper), best=True)
    for lane in range(lanes):
        _lane(canvas, position, line, columns, lane, 246 + lane * 92)
    return canvas.svg()


def _held(position: "Position", name: str) -> tuple[str, ...]:
    return position.alice if name == "Alice" else position.bob


def _step(position: "Position", name: str, moves: "tuple[MoveValue, ...]") -> float:
    """From one card of a hand to the next: where the cards have values, these stand side by side."""
    step = spread(len(_held(position, name)), _ROOM)
    if name != position.to_move:
        return step
    return max([step, *(badge_width(_short(entry)) + 3 for entry in moves if entry.move != "pass")])


def _short(entry: "MoveValue") -> str:
    return f"{entry.lower:+d}" if entry.exact else "?"


def _hand(canvas: Canvas, position: "Position", name: str, y: float, moves: "tuple[MoveValue, ...]") -> None:
    mover = name == position.to_move and not position.is_over
    hand = by_suit(_held(position, name), ACE_LOW)
    canvas.text(_MARGIN, y + 26, name, size=15, bold=True, fill=GOLD if mover else "#f4efe4")
    canvas.text(_MARGIN, y + 43, f"{len(hand)} card{'' if len(hand) == 1 else 's'}", size=11)
    legal = position.legal_moves() if mover else ()
    values = {entry.move: entry for entry in moves} if mover else {}
    best = max((entry.lower for entry in moves), default=0)
    step = _step(position, name, moves)
    places = []
    for k, card in enumerate(hand):
        x = _MARGIN + _LABEL + k * step
        playable = card in legal
        top = y - 9 if playable and len(legal) < len(hand) else y
        canvas.card(x, top, card, faded=mover and not playable)
        places.append((x, top, card))
    for x, top, card in places:  # after all cards: a badge may reach over the next card
        if card in values:
            entry = values[card]
            color = tone(entry.lower, entry.upper)
            canvas.badge(x + min(step, CARD_WIDTH) / 2, top - 4, _short(entry), color, best=entry.lower == best)


def _lane(canvas: Canvas, position: "Position", line: tuple[str, ...], columns: int, lane: int, y: float) -> None:
    """One stretch of the line of play: Alice's cards above, Bob's below."""
    canvas.rect(_MARGIN + _LABEL - 6, y, canvas.width - 2 * _MARGIN - _LABEL + 6, 84, _LANE, radius=5)
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
