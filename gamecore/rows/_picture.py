"""Pictures of rows: every value, with the player who takes it and the ply."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from gamecore.draw.canvas import GAP, GOLD, PALE, Canvas, badge_width, tone
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture, checked_marks
from gamecore.errors import OptionError
from gamecore.rows._solve import analyse
from gamecore.rows.words import WORDS

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
    values: tuple[int, ...]
    taken: dict[int, tuple[int, bool]]  #: of each value that the line takes, the ply, and True if I do
    moves: "tuple[MoveValue[int], ...]"
    caption: str


def picture(
    start: "Position", moves: "Iterable[MoveValue[int]]" = (), line: Iterable[str] = (), width: int | None = None
) -> Picture:
    """See ``rows.Position.picture``; ``width``: in pixels, for a page that names the side to move itself."""
    values = start.values
    if len(values) > MOST:
        raise OptionError(f"values: a picture takes at most {MOST} values, not {len(values)}")
    entries, played = checked_marks(start, moves, line)
    values_of = {entry.move: entry.lower for entry in analyse(start)} if entries else {}  # takes 0.1 ms
    for entry in entries:
        if not entry.lower <= values_of[entry.move] <= entry.upper:
            raise OptionError(f"moves: {entry} is not the value in this row", "moves")
    taken: dict[int, tuple[int, bool]] = {}
    left, after = list(range(len(values))), start
    for ply, move in enumerate(played, start=1):
        is_mine, after = after.to_move == "me", after.play(move)
        taken[left.pop(0 if move == "L" else -1)] = ply, is_mine
    seen = _Seen(start, values, taken, entries, WORDS.caption(start, after))
    return Picture(lambda: _svg(seen, width), lambda pen: "\n".join([*_row(seen, pen), *_captions(seen, pen)]))


def _captions(seen: _Seen, pen: Pen) -> list[str]:
    """Return captions: the position in words, and the values of the moves."""
    values = [f"{entry.move} {pen.value(WORDS.short(entry), entry.lower, entry.upper)}" for entry in seen.moves]
    whose = f"(for {WORDS.name(seen.position.to_move)})"
    return [seen.caption, *([f"moves  {'   '.join(values)}   {whose}"] if values else [])]


def _row(seen: _Seen, pen: Pen) -> list[str]:
    """Return the lines of the picture as text: values, who takes them, and when."""
    texts = list(map(str, seen.values))
    width = max((len(text) for text in [*texts, str(len(texts))]), default=1)
    per_line = max(1, 100 // (width + 1))
    lines = [] if texts else ["row    -"]
    for start in range(0, len(texts), per_line):
        columns = []
        for k, text in enumerate(texts[start : start + per_line], start):
            ply, is_mine = seen.taken.get(k, (0, False))
            styles = () if not ply else ("bold", "cyan") if is_mine else ("yellow",)
            taker = "." if not ply else "I" if is_mine else "o"
            columns.append((pen.paint(text.rjust(width), *styles), taker.rjust(width), str(ply or ".").rjust(width)))
        named = zip(("row    ", "taker  ", "as no. "), zip(*columns, strict=True), strict=True)
        lines += [name + " ".join(words) for name, words in named][: 3 if seen.taken else 1]
    return lines


def _svg(seen: _Seen, page_width: int | None) -> str:
    start, count = seen.position, len(seen.values)
    captions = [] if page_width else _captions(seen, Pen())
    ends = {} if seen.taken else {0 if move == "L" else count - 1: move for move in start.legal_moves()}
    box = max(46.0 if ends else 38.0, 10.0 * max((len(str(value)) for value in seen.values), default=1) + 10)
    needed = count * (box + GAP) + 24
    width = page_width or max(340, min(needed, 720), 9.3 * max(map(len, captions)) + 24)
    room = width - 2 * _MARGIN
    per_line = max(1, min(count, int((room + GAP) // (box + GAP))))
    box = max(box, min(64.0, (room + GAP) / per_line - GAP))
    left = _MARGIN + (room + GAP - per_line * (box + GAP)) / 2
    pitch = _TILE + (24 if seen.taken else 16 if ends else GAP)
    slots = list(range(count))
    if page_width and (folded := count - _PAGE_LINES * per_line) > 0:
        slots[_PAGE_LINES * per_line // 2 : _PAGE_LINES * per_line // 2 + folded + 1] = [-1]
    bottom = _TOP + -(-len(slots) // per_line) * pitch
    height = bottom + (26 if seen.taken else 0) + 8 + 20 * len(captions)
    canvas = Canvas(width, height, f"Row: {seen.caption}", _SLATE)
    _scores(canvas, start, page_width)
    for slot, k in enumerate(slots):
        x, y = left + slot % per_line * (box + GAP), _TOP + slot // per_line * pitch
        if k < 0:
            for down, words in ((28, str(folded + 1)), (43, "more")):
                canvas.text(x + box / 2, y + down, words, size=13, fill=PALE, anchor="middle")
            continue
        move = ends.get(k)
        with canvas.part(move, WORDS.move(start, move) if move else ""):
            _tile(canvas, seen, k, x, y, box, move)
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
        color, text = GOLD if is_next else PALE, str(points)
        canvas.rect(x, _MARGIN, half, 32, _DARK, radius=6, stroke=GOLD if is_next else None)
        canvas.text(x + 9, _MARGIN + 21, name, size=12, fill=color)
        size = min(16.0, (half - 0.66 * 12 * len(name) - 24) / (0.75 * len(text)))
        canvas.text(x + half - 9, _MARGIN + 21, text, size=size, fill=color, anchor="end", bold=True)


def _tile(canvas: Canvas, seen: _Seen, k: int, x: float, y: float, box: float, move: str | None) -> None:
    """Draw value ``k``, a bar for its share of the largest value, and the ply that takes it."""
    text, (ply, is_mine) = str(seen.values[k]), seen.taken.get(k, (0, False))
    fill = _FREE if not ply else _MINE if is_mine else _THEIRS
    canvas.rect(x, y, box, _TILE, fill, radius=5, stroke=GOLD if move else None)
    share = abs(seen.values[k]) / (max(map(abs, seen.values)) or 1)
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
