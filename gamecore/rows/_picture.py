"""Pictures of rows: every value, who takes it, and when."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gamecore.draw.canvas import PALE, Canvas
from gamecore.draw.pen import Pen
from gamecore.draw.picture import Picture
from gamecore.errors import OptionError
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.contract import MoveValue
    from gamecore.rows import Position

MOST: Final = 512  #: longer rows are nothing to look at value by value; see plot_table
_SLATE = "#33414b"
_MINE, _THEIRS, _FREE = "#2468b4", "#b05a12", "#5d6b75"
_PER_LINE = 26
_OPPONENTS = {"greedy": "greedy opponent", "cooperative": "cooperative opponent", "optimal": "opponent"}


class _Seen(NamedTuple):
    """What a picture shows.

    Attributes:
        position: what is drawn.
        taken: for each place of the row, when the line takes it (from 1, 0 where it does not) and whether I do.
        after: the position after the line.
        moves: moves with their values.
    """

    position: "Position"
    taken: list[tuple[int, bool]]
    after: "Position"
    moves: "tuple[MoveValue[Any], ...]"


def picture(start: "Position", moves: "Iterable[MoveValue[Any]]" = (), line: Iterable[str] = ()) -> Picture:
    """Return the picture of a row, with the values of moves, or with a line of play.

    Args:
        start: a position with at most 512 values.
        moves: what ``rows.analyse(position)`` says: they are written below the row, for the side to move.
        line: play from here on, such as a solution's: each value shows who takes it, and as which one from here.

    Raises:
        OptionError: more than 512 values; a move that is not legal here. IllegalMoveError: a line that breaks the
        rules.
    """
    if len(start.values) > MOST:
        raise OptionError(f"values: a picture takes at most {MOST} values, not {len(start.values)}")
    known = tuple(moves)
    for entry in known:
        if entry.move not in start.legal_moves():
            raise OptionError(f"moves: {printable(entry.move)} is not a legal move of this position")
    taken = [(0, False)] * len(start.values)
    low, high, after = 0, len(start.values) - 1, start
    for ply, move in enumerate(line, start=1):
        mine = after.to_move == "me"
        after = after.play(move)
        taken[low if move == "L" else high] = (ply, mine)
        low, high = (low + 1, high) if move == "L" else (low, high - 1)
    seen = _Seen(start, taken if after is not start else [], after, known)
    return Picture(lambda: _svg(seen), lambda pen: "\n".join([*_row(seen, pen), *_captions(seen, pen)]))


def _captions(seen: _Seen, pen: Pen) -> list[str]:
    """Whose turn it is and what both have, and what the line or the moves lead to."""
    start, after = seen.position, seen.after
    other = _OPPONENTS[start.opponent]
    found = []
    if seen.taken:
        begins = "I start" if start.to_move == "me" else "the opponent starts"
        then = "" if after.is_over else f"; then {len(after.values)} are left"
        found.append(f"{begins}: I take {_shown(after.mine)}, the {other} {_shown(after.theirs)}{then}")
    elif start.is_over:
        found.append(f"over: I took {_shown(start.mine)}, the {other} {_shown(start.theirs)}")
    else:
        turn = "I am" if start.to_move == "me" else f"the {other} is"
        having = f"; I have {_shown(start.mine)}, the {other} {_shown(start.theirs)}"
        having = having if start.mine or start.theirs else ""
        against = f" against a {other}" if start.to_move == "me" and start.opponent != "optimal" else ""
        found.append(f"{turn} to move{against}{having}")
    if seen.moves:
        whose = "me" if start.to_move == "me" else "the opponent"
        texts = []
        for entry in seen.moves:
            move, value = str(entry).split(" ", 1)
            texts.append(f"{move} {pen.value(value, entry.lower, entry.upper)}")
        found.append("moves  " + "   ".join(texts) + f"   (for {whose})")
    return found


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


def _svg(seen: _Seen) -> str:
    texts = [_shown(value) for value in seen.position.values]
    box = max(34.0, 10.0 * max((len(text) for text in texts), default=0) + 10)
    per_line = max(1, min(len(texts), int(_PER_LINE * 36 // (box + 3))))
    step, pitch = box + 3, 68.0 if seen.taken else 46.0
    lines = -(-len(texts) // per_line)
    captions = _captions(seen, Pen())
    width = max(24 + per_line * step, 9.3 * max(map(len, captions)) + 24, 372 if seen.taken else 0)
    bottom = 22 + lines * pitch
    height = bottom + (26 if seen.taken else 0) + 8 + 20 * len(captions)
    canvas = Canvas(width, height, f"Row: {captions[0]}", _SLATE)
    for k, text in enumerate(texts):
        x, y = 12 + (k % per_line) * step, 14 + (k // per_line) * pitch
        ply, mine = seen.taken[k] if seen.taken else (0, False)
        canvas.rect(x, y, box, 36, _FREE if not ply else _MINE if mine else _THEIRS, radius=4)
        canvas.text(x + box / 2, y + 24, text, fill="#ffffff", size=15, anchor="middle", bold=True)
        if ply:
            canvas.text(x + box / 2, y + 51, str(ply), size=11, anchor="middle")
    if seen.taken:
        for x, fill, who in ((12, _MINE, "mine"), (82, _THEIRS, "the opponent's")):
            canvas.rect(x, bottom + 2, 12, 12, fill, radius=2)
            canvas.text(x + 18, bottom + 13, who, size=12)
        canvas.text(206, bottom + 13, "below: taken as no.", size=12)
    for k, caption in enumerate(captions):
        canvas.text(12, bottom + (40 if seen.taken else 14) + 20 * k, caption, size=14, fill=PALE, bold=k == 0)
    return canvas.svg()
