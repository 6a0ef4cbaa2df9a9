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

MOST: Final = 512  #: values of the longest row that is drawn; see plot_table for longer ones
_SLATE, _DARK = "#33414b", "#28343d"
_MINE, _THEIRS, _FREE, _BAR = "#2468b4", "#a85510", "#4c5a64", "#9fc4bd"
_MARGIN, _TOP, _TILE = 8.0, 50.0, 60.0
_OPPONENTS = {"greedy": "greedy opponent", "cooperative": "cooperative opponent", "optimal": "opponent"}


class _Seen(NamedTuple):
    """The contents of a picture."""

    position: "Position"
    taken: list[tuple[int, bool]]  #: for each value, the ply at which the line takes it (0: never), and True if I do
    after: "Position"  #: the position after the line
    moves: "tuple[MoveValue[Any], ...]"


def picture(
    start: "Position", moves: "Iterable[MoveValue[Any]]" = (), line: Iterable[str] = (), width: int | None = None
) -> Picture:
    """See ``rows.Position.picture``; ``width``: in pixels, for a page that names the side to move itself."""
    if len(start.values) > MOST:
        raise OptionError(f"values: a picture takes at most {MOST} values, not {len(start.values)}")
    entries = tuple(moves)
    for entry in entries:
        if entry.move not in start.legal_moves():
            raise OptionError(f"moves: {printable(entry.move)} is not a legal move of this position")
    taken = [(0, False)] * len(start.values)
    low, high, after = 0, len(start.values) - 1, start
    for ply, move in enumerate(line, start=1):
        mine = after.to_move == "me"
        after = after.play(move)
        taken[low if move == "L" else high] = (ply, mine)
        low, high = (low + 1, high) if move == "L" else (low, high - 1)
    seen = _Seen(start, taken if after is not start else [], after, entries)
    return Picture(lambda: _svg(seen, width), lambda pen: "\n".join([*_row(seen, pen), *_captions(seen, pen)]))


def _captions(seen: _Seen, pen: Pen) -> list[str]:
    """Return captions: the turn and the totals, or the result of the line, and the values of the moves."""
    start, after = seen.position, seen.after
    other = _OPPONENTS[start.opponent]
    captions = []
    if seen.taken:
        begins = "I start" if start.to_move == "me" else "the opponent starts"
        then = "" if after.is_over else f"; then {len(after.values)} are left"
        captions.append(f"{begins}: I take {_shown(after.mine)}, the {other} {_shown(after.theirs)}{then}")
    elif start.is_over:
        captions.append(f"over: I took {_shown(start.mine)}, the {other} {_shown(start.theirs)}")
    else:
        turn = "I am" if start.to_move == "me" else f"the {other} is"
        having = f"; I have {_shown(start.mine)}, the {other} {_shown(start.theirs)}"
        having = having if start.mine or start.theirs else ""
        against = f" against a {other}" if start.to_move == "me" and start.opponent != "optimal" else ""
        captions.append(f"{turn} to move{against}{having}")
    if seen.moves:
        whose = "me" if start.to_move == "me" else "the opponent"
        texts = []
        for entry in seen.moves:
            move, value = str(entry).split(" ", 1)
            texts.append(f"{move} {pen.value(value, entry.lower, entry.upper)}")
        captions.append("moves  " + "   ".join(texts) + f"   (for {whose})")
    return captions


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _row(seen: _Seen, pen: Pen) -> list[str]:
    texts = [_shown(value) for value in seen.position.values]
    if not texts:
        return ["row    -"]
    width = max(len(text) for text in [*texts, str(len(texts))])
    per_line = max(1, 100 // (width + 1))
    lines = []
    for start in range(0, len(texts), per_line):
        places = range(start, min(start + per_line, len(texts)))
        if not seen.taken:
            lines.append("row    " + " ".join(texts[k].rjust(width) for k in places))
            continue
        plies = [seen.taken[k][0] for k in places]
        takers = ["." if not seen.taken[k][0] else "I" if seen.taken[k][1] else "o" for k in places]
        styles = {"I": ("bold", "cyan"), "o": ("yellow",), ".": ()}
        values = (pen.paint(texts[k].rjust(width), *styles[who]) for k, who in zip(places, takers, strict=True))
        lines.append("row    " + " ".join(values))
        lines.append("taker  " + " ".join(who.rjust(width) for who in takers))
        lines.append("as no. " + " ".join(str(ply or ".").rjust(width) for ply in plies))
    return lines


def _svg(seen: _Seen, page_width: int | None) -> str:
    start = seen.position
    texts = [_shown(value) for value in start.values]
    captions = [] if page_width else _captions(seen, Pen())
    ends = {} if seen.taken else {0 if move == "L" else len(texts) - 1: move for move in start.legal_moves()}
    longest = max((len(text) for text in texts), default=1)
    box = max(46.0 if ends else 38.0, 10.0 * longest + 10)
    needed = len(texts) * (box + GAP) + 24
    width = max(page_width, needed) if page_width else max(340, min(needed, 720), 9.3 * max(map(len, captions)) + 24)
    room = width - 2 * _MARGIN
    per_line = max(1, min(len(texts), int((room + GAP) // (box + GAP))))
    box = max(box, min(64.0, (room + GAP) / per_line - GAP))
    left = _MARGIN + (room + GAP - per_line * (box + GAP)) / 2
    lines = -(-len(texts) // per_line)
    pitch = _TILE + (24 if seen.taken else 16 if ends else GAP)
    bottom = _TOP + lines * pitch
    height = bottom + (26 if seen.taken else 0) + 8 + 20 * len(captions)
    canvas = Canvas(width, height, f"Row: {_captions(seen, Pen())[0]}", _SLATE)
    _scores(canvas, start, page_width)
    most = max(map(abs, start.values), default=0) or 1
    for k, (text, value) in enumerate(zip(texts, start.values, strict=True)):
        x, y = left + k % per_line * (box + GAP), _TOP + k // per_line * pitch
        taken = seen.taken[k] if seen.taken else (0, False)
        move = ends.get(k)
        with canvas.part(move, f"take {text} from the {'left' if move == 'L' else 'right'}"):
            _tile(canvas, x, y, box, text, abs(value / most), taken, GOLD if move else None)
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
    other = _OPPONENTS[position.opponent] if half > 180 else "opponent"
    sides = (("me", "you" if page_width else "I", position.mine), ("opponent", other, position.theirs))
    for k, (side, name, points) in enumerate(sides):
        x = _MARGIN + k * (half + GAP)
        color = GOLD if position.to_move == side and not position.is_over else PALE
        canvas.rect(x, _MARGIN, half, 32, _DARK, radius=6, stroke=GOLD if color == GOLD else None)
        canvas.text(x + 9, _MARGIN + 21, name, size=12, fill=color)
        text = _shown(points)
        size = min(16.0, (half - 0.66 * 12 * len(name) - 24) / (0.75 * len(text)))
        canvas.text(x + half - 9, _MARGIN + 21, text, size=size, fill=color, anchor="end", bold=True)


def _tile(
    canvas: Canvas, x: float, y: float, box: float, text: str, share: float, taken: tuple[int, bool], edge: str | None,
) -> None:  # fmt: skip
    """Draw a value, a bar for its share of the largest value, and the ply that takes it."""
    ply, mine = taken
    canvas.rect(x, y, box, _TILE, _FREE if not ply else _MINE if mine else _THEIRS, radius=5, stroke=edge)
    bar = 3 + 31 * share
    canvas.rect(x + box * 0.22, y + 38 - bar, box * 0.56, bar, _BAR, radius=2)
    size = min(15.0, (box - 4) / (0.72 * len(text)))
    canvas.text(
        x + box / 2, y + _TILE - (9 if edge else 6), text, fill="#ffffff", size=size, anchor="middle", bold=True
    )
    if ply:
        canvas.text(x + box / 2, y + _TILE + 15, str(ply), size=11, anchor="middle")


def _value(canvas: Canvas, seen: _Seen, move: str, x: float, y: float, box: float) -> None:
    """Draw the value of the move that takes this end of the row."""
    entry = next((entry for entry in seen.moves if entry.move == move), None)
    with canvas.value(move, tone(entry.lower, entry.upper) if entry else None):
        best = entry is not None and entry.value is not None and entry.value == seen.moves[0].value
        value = _short(entry)
        canvas.badge(x, y, value, best=best, size=min(12.0, 12 * box / badge_width(value)))


def _short(entry: "MoveValue[Any] | None") -> str:
    if entry is None or not entry.exact:
        return "?" if entry else ""
    text = f"{entry.lower:+}"
    return text if len(text) <= 7 else f"{float(entry.lower):+.3g}"
