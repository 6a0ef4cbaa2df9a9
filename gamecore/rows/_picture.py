"""Pictures of rows: every value, with the player who takes it and the ply."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gamecore.draw.canvas import GAP, GOLD, PALE, Canvas, badge_width, tone
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.contract import MoveValue
    from gamecore.rows import Position

MOST: Final = 512  #: values of the longest row that is drawn
_SLATE, _DARK = "#33414b", "#28343d"
_MINE, _THEIRS, _FREE, _BAR = "#2468b4", "#a85510", "#4c5a64", "#9fc4bd"
_MARGIN, _TOP, _TILE = 8.0, 50.0, 60.0
_PAGE_LINES: Final = 3  # of a page's picture; what does not fit is folded in the middle


class _Seen(NamedTuple):
    """The contents of a picture."""

    position: "Position"
    taken: list[tuple[int, bool]]  #: for each value, the ply at which the line takes it (0: never), and True if I do
    after: "Position"  #: the position after the line
    moves: "tuple[MoveValue[float], ...]"


def picture(
    start: "Position", moves: "Iterable[MoveValue[float]]" = (), line: Iterable[str] = (), width: int | None = None
) -> Picture:
    """See ``rows.Position.picture``; ``width``: in pixels, for a page that names the side to move itself."""
    if len(start.values) > MOST:
        raise OptionError(f"values: a picture takes at most {MOST} values, not {len(start.values)}")
    entries = tuple(moves)
    for entry in entries:
        if entry.move not in start.legal_moves():
            raise OptionError(f"moves: {printable(entry.move)} is not a legal move of this position")
    taken = [(0, False)] * len(start.values)
    left, after = list(range(len(start.values))), start
    for ply, move in enumerate(line, start=1):
        mine, after = after.to_move == "me", after.play(move)
        taken[left.pop(0 if move == "L" else -1)] = (ply, mine)
    seen = _Seen(start, taken if after is not start else [], after, entries)
    return Picture(lambda: _svg(seen, width), lambda pen: "\n".join([*_row(seen, pen), *_captions(seen, pen)]))


def _captions(seen: _Seen, pen: Pen) -> list[str]:
    """Return captions: the turn and the totals, or the result of the line, and the values of the moves."""
    start, after = seen.position, seen.after
    other, mine = start.rule.title, start.to_move == "me"
    if seen.taken:
        then = "" if after.is_over else f"; then {len(after.values)} are left"
        totals = f"I take {shown(after.mine)}, the {other} {shown(after.theirs)}"
        captions = [f"{'I start' if mine else 'the opponent starts'}: {totals}{then}"]
    elif start.is_over:
        captions = [f"over: I took {shown(start.mine)}, the {other} {shown(start.theirs)}"]
    else:
        turn = "I am to move" if mine else f"the {other} is to move"
        against = f" against a {other}" if mine and other != "opponent" else ""
        totals = f"; I have {shown(start.mine)}, the {other} {shown(start.theirs)}"
        captions = [turn + against + (totals if start.mine or start.theirs else "")]
    if seen.moves:
        texts = []
        for entry in seen.moves:
            move, value = str(entry).split(" ", 1)
            texts.append(f"{move} {pen.value(value, entry.lower, entry.upper)}")
        captions.append(f"moves  {'   '.join(texts)}   (for {'me' if mine else 'the opponent'})")
    return captions


def shown(value: Any) -> str:
    """Return a number as pictures show it."""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _row(seen: _Seen, pen: Pen) -> list[str]:
    texts = [shown(value) for value in seen.position.values]
    width = max((len(text) for text in [*texts, str(len(texts))]), default=1)
    per_line = max(1, 100 // (width + 1))
    lines = [] if texts else ["row    -"]
    for start in range(0, len(texts), per_line):
        values, takers, plies = [], [], []
        for k in range(start, min(start + per_line, len(texts))):
            ply, mine = seen.taken[k] if seen.taken else (0, False)
            styles = () if not ply else ("bold", "cyan") if mine else ("yellow",)
            values.append(pen.paint(texts[k].rjust(width), *styles))
            takers.append(("." if not ply else "I" if mine else "o").rjust(width))
            plies.append(str(ply or ".").rjust(width))
        lines.append("row    " + " ".join(values))
        if seen.taken:
            lines += ["taker  " + " ".join(takers), "as no. " + " ".join(plies)]
    return lines


def _svg(seen: _Seen, page_width: int | None) -> str:
    start = seen.position
    texts = [shown(value) for value in start.values]
    captions = [] if page_width else _captions(seen, Pen())
    ends = {} if seen.taken else {0 if move == "L" else len(texts) - 1: move for move in start.legal_moves()}
    longest = max((len(text) for text in texts), default=1)
    box = max(46.0 if ends else 38.0, 10.0 * longest + 10)
    needed = len(texts) * (box + GAP) + 24
    width = page_width or max(340, min(needed, 720), 9.3 * max(map(len, captions)) + 24)
    room = width - 2 * _MARGIN
    per_line = max(1, min(len(texts), int((room + GAP) // (box + GAP))))
    box = max(box, min(64.0, (room + GAP) / per_line - GAP))
    left = _MARGIN + (room + GAP - per_line * (box + GAP)) / 2
    pitch = _TILE + (24 if seen.taken else 16 if ends else GAP)
    slots = list(range(len(texts)))
    if page_width and (folded := len(texts) - _PAGE_LINES * per_line) > 0:
        slots[_PAGE_LINES * per_line // 2 : _PAGE_LINES * per_line // 2 + folded + 1] = [-1]
    bottom = _TOP + -(-len(slots) // per_line) * pitch
    height = bottom + (26 if seen.taken else 0) + 8 + 20 * len(captions)
    canvas = Canvas(width, height, f"Row: {_captions(seen, Pen())[0]}", _SLATE)
    _scores(canvas, start, page_width)
    most = max(map(abs, start.values), default=0) or 1
    for slot, k in enumerate(slots):
        x, y = left + slot % per_line * (box + GAP), _TOP + slot // per_line * pitch
        if k < 0:
            for down, words in ((28, str(folded + 1)), (43, "more")):
                canvas.text(x + box / 2, y + down, words, size=13, fill=PALE, anchor="middle")
            continue
        text, value = texts[k], start.values[k]
        taken = seen.taken[k] if seen.taken else (0, False)
        move = ends.get(k)
        with canvas.part(move, f"take {text} from the {'left' if move == 'L' else 'right'}"):
            _tile(canvas, x, y, box, text, abs(value / most), taken, move)
            if move:
                _value(canvas, seen, move, x + box / 2, y + _TILE + 4, box)
    if seen.taken:
        for x, fill, who in ((12, _MINE, "mine"), (82, _THEIRS, "the opponent's")):
            canvas.rect(x, bottom + 2, 12, 12, fill, radius=2)
            canvas.text(x + 18, bottom + 13, who, size=12)
        canvas.text(206, bottom + 13, "below: taken as no.", size=12)
    for k, caption in enumerate(captions):
        canvas.text(12, bottom + (40 if seen.taken else 14) + 20 * k, caption, size=14, fill=PALE, bold=k == 0)
    return canvas.svg()


def _scores(canvas: Canvas, position: "Position", page_width: int | None) -> None:
    """Draw both totals, the side to move in gold."""
    half = ((page_width or canvas.width) - 2 * _MARGIN - GAP) / 2
    other = position.rule.title if half > 180 else "opponent"
    sides = (("me", "you" if page_width else "I", position.mine), ("opponent", other, position.theirs))
    for k, (side, name, points) in enumerate(sides):
        x = _MARGIN + k * (half + GAP)
        is_next = position.to_move == side and not position.is_over
        color, text = GOLD if is_next else PALE, shown(points)
        canvas.rect(x, _MARGIN, half, 32, _DARK, radius=6, stroke=GOLD if is_next else None)
        canvas.text(x + 9, _MARGIN + 21, name, size=12, fill=color)
        size = min(16.0, (half - 0.66 * 12 * len(name) - 24) / (0.75 * len(text)))
        canvas.text(x + half - 9, _MARGIN + 21, text, size=size, fill=color, anchor="end", bold=True)


def _tile(
    canvas: Canvas, x: float, y: float, box: float, text: str, share: float, taken: tuple[int, bool], move: str | None
) -> None:
    """Draw a value, a bar for its share of the largest value, and the ply that takes it."""
    ply, mine = taken
    fill = _FREE if not ply else _MINE if mine else _THEIRS
    canvas.rect(x, y, box, _TILE, fill, radius=5, stroke=GOLD if move else None)
    bar, base = 3 + 31 * share, y + _TILE - (9 if move else 6)
    canvas.rect(x + box * 0.22, y + 38 - bar, box * 0.56, bar, _BAR, radius=2)
    size = min(15.0, (box - 4) / (0.72 * len(text)))
    canvas.text(x + box / 2, base, text, fill="#ffffff", size=size, anchor="middle", bold=True)
    if ply:
        canvas.text(x + box / 2, y + _TILE + 15, str(ply), size=11, anchor="middle")


def _value(canvas: Canvas, seen: _Seen, move: str, x: float, y: float, box: float) -> None:
    """Draw the value of the move that takes this end of the row: empty without one, "?" if only bounds are known."""
    entry = next((entry for entry in seen.moves if entry.move == move), None)
    text, is_best = "" if entry is None else "?", False
    if entry is not None and entry.exact:
        text, is_best = f"{entry.lower:+}", entry.value == seen.moves[0].value
        text = text if len(text) <= 7 else f"{float(entry.lower):+.3g}"
    with canvas.value(move, tone(entry.lower, entry.upper) if entry else None):
        canvas.badge(x, y, text, best=is_best, size=min(12.0, 12 * box / badge_width(text)))
