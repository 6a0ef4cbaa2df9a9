"""Pictures of the duel: both hands, the card to match, what each card is worth, and the line of play."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamecore.cards import ACE_LOW
from gamecore.text import printable
from gamecore.draw._canvas import CARD_WIDTH, GOLD, Canvas, by_suit, spread, tone
from gamecore.draw._pen import Pen
from gamecore.draw._picture import Picture
from gamecore.errors import OptionError

if TYPE_CHECKING:
    from gamecore.duel import Move, MoveValue, Position

_FELT = "#1f5c47"
_LANE = "#184938"
_MARGIN, _LABEL, _ROOM = 14.0, 62.0, 690.0
_MINI = 0.62
_STEP = CARD_WIDTH * _MINI + 4


def duel(position: "Position", moves: "Iterable[MoveValue]" = (), line: "Iterable[Move]" = ()) -> Picture:
    """A position of the duel.

    Args:
        position: both hands are shown by suit; the mover's cards that may be played stand higher.
        moves: what ``duel.analyse(position)`` says: each card carries its value for *the mover*; ``?``: not exact.
        line: play from here on, such as a solution's: one lane a player, in the order of play; a dash is a pass.

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


def _for_mover(position: "Position", entry: "MoveValue") -> tuple[int, int]:
    return (entry.lower, entry.upper) if position.to_move == "Alice" else (-entry.upper, -entry.lower)


def _turn(position: "Position") -> str:
    return str(position).splitlines()[2] + _passes(position)


def _passes(position: "Position") -> str:
    return " and passes" if position.legal_moves() == (None,) else ""


def _text(position: "Position", moves: "tuple[MoveValue, ...]", line: "tuple[Move, ...]", pen: Pen) -> str:
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
        lines.append(f"{pen.paint(f'{name:<5}', 'bold')}  {'  '.join(groups) or '-'}")
    if position.last is not None and not position.is_over:
        lines.append(f"{position.to_move} has to match {pen.card(position.last)}{_passes(position)}")
    else:
        lines.append(_turn(position))
    if moves:
        texts = []
        for entry in moves:
            low, high = _for_mover(position, entry)
            shown = "pass" if entry.move is None else pen.card(entry.move)
            value = f"{low:+d}" if low == high else f"{low:+d}..{high:+d}"
            texts.append(f"{shown} {pen.value(value, low, high)}")
        lines.append("moves  " + "   ".join(texts) + f"   (for {position.to_move})")
    if line:
        lines.append("line   " + " ".join("-" if move is None else pen.card(move) for move in line))
    return "\n".join(lines)


def _svg(position: "Position", moves: "tuple[MoveValue, ...]", line: "tuple[Move, ...]") -> str:
    longest = max(len(position.alice), len(position.bob), 5)
    hands_width = CARD_WIDTH + (longest - 1) * spread(longest, _ROOM)
    width = max(2 * _MARGIN + _LABEL + hands_width, 480)
    columns = int((width - 2 * _MARGIN - _LABEL) // _STEP)
    lanes = -(-len(line) // columns)
    height = 252 + lanes * 92
    turn = _turn(position)
    canvas = Canvas(width, height, f"Duel: {turn}", _FELT)
    _hand(canvas, position, "Alice", 28, moves)
    _hand(canvas, position, "Bob", 176, moves)
    if position.last is not None and not position.is_over:
        canvas.card(_MARGIN + _LABEL, 102, position.last, rim=GOLD)
        canvas.text(_MARGIN + _LABEL + CARD_WIDTH + 14, 136, turn, size=14)
    else:
        canvas.text(_MARGIN + _LABEL, 136, turn, size=14)
    passed = [entry for entry in moves if entry.move is None]
    if passed:
        low, high = _for_mover(position, passed[0])
        canvas.badge(width - 60, 132, _short(low, high), tone(low, high), best=True)
    for lane in range(lanes):
        _lane(canvas, position, line, columns, lane, 246 + lane * 92)
    return canvas.svg()


def _short(low: int, high: int) -> str:
    return f"{low:+d}" if low == high else "?"


def _hand(canvas: Canvas, position: "Position", name: str, y: float, moves: "tuple[MoveValue, ...]") -> None:
    mover = name == position.to_move and not position.is_over
    hand = by_suit(position.alice if name == "Alice" else position.bob, ACE_LOW)
    canvas.text(_MARGIN, y + 26, name, size=15, bold=True, fill=GOLD if mover else "#f4efe4")
    canvas.text(_MARGIN, y + 43, f"{len(hand)} card{'' if len(hand) == 1 else 's'}", size=11)
    legal = position.legal_moves() if mover else ()
    values = {entry.move: _for_mover(position, entry) for entry in moves} if mover else {}
    best = max((low for low, _ in values.values()), default=0)
    step = spread(len(hand), _ROOM)
    places = []
    for k, card in enumerate(hand):
        x = _MARGIN + _LABEL + k * step
        playable = card in legal
        top = y - 9 if playable and len(legal) < len(hand) else y
        canvas.card(x, top, card, faded=mover and not playable)
        places.append((x, top, card))
    for x, top, card in places:  # after all cards: a badge may reach over the next card
        if card in values:
            low, high = values[card]
            canvas.badge(x + min(step, CARD_WIDTH) / 2, top - 4, _short(low, high), tone(low, high), best=low == best)


def _lane(
    canvas: Canvas, position: "Position", line: "tuple[Move, ...]", columns: int, lane: int, y: float
) -> None:
    """One stretch of the line of play: Alice's cards above, Bob's below."""
    canvas.rect(_MARGIN + _LABEL - 6, y, canvas.width - 2 * _MARGIN - _LABEL + 6, 84, _LANE, radius=5)
    for k, name in enumerate(("Alice", "Bob")):
        canvas.text(_MARGIN, y + 26 + 40 * k, name, size=12)
    first = position.to_move == "Bob"
    for k, move in enumerate(line[lane * columns : (lane + 1) * columns]):
        below = (lane * columns + k) % 2 ^ first
        x, top = _MARGIN + _LABEL + k * _STEP, y + 4 + 40 * below
        if move is None:
            canvas.text(x + CARD_WIDTH * _MINI / 2, top + 22, "-", size=18, anchor="middle", fill=GOLD)
        else:
            canvas.card(x, top, move, scale=_MINI)


