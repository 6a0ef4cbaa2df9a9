"""Pictures as SVG, as text, and in notebooks: :class:`Picture`, and what the pictures of several games share."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gamecore.contract import Bounds, MoveValue, Playable
from gamecore.draw.canvas import OPEN, Canvas, tone
from gamecore.draw.pen import Pen, pen_for
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import checked_path, file_errors, write_whole
from gamecore.text import printable

_GROUND, _BUTTON = "#2c3e50", "#1f2d3a"
_LINE, _CHARACTER, _MARGIN, _ROOM, _HIGH = 19, 8.5, 14, 480, 44


class Picture:
    """A picture of a position. A notebook shows it; ``print`` writes it as plain text.

    It is drawn again at each access.

    Args:
        svg: returns the SVG.
        text: returns the text, written with a pen.
    """

    __slots__ = ("_svg", "_text")

    def __init__(self, svg: Callable[[], str], text: Callable[[Pen], str]) -> None:
        self._svg = svg
        self._text = text

    @property
    def svg(self) -> str:
        """The picture as one SVG element with its own background, without style sheet or ids."""
        return self._svg()

    def text(self, *, color: bool | None = None, symbols: bool | None = None) -> str:
        """Return the picture as text, without a newline at its end.

        Args:
            color: ANSI colours; None: if stdout has them (a terminal, and ``NO_COLOR`` is not set).
            symbols: suit symbols instead of letters; None: if stdout has them.
        """
        return self._text(pen_for(color=color, symbols=symbols))

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: SVG, PNG (at twice its size) or PDF, by the name's end.

        Raises:
            OptionError: another end. GamecoreError: PNG and PDF need a library that is not installed, or the file
                cannot be written.
        """
        drawn = converter(path)(self.svg)
        with file_errors("write", path):
            write_whole(path, [drawn])

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self._text(Pen())

    def __repr__(self) -> str:
        first, *_ = str(self).split("\n")
        return f"<gamecore.draw.Picture: {first!r} ...>"


def converter(path: str | Path) -> Callable[[str], bytes]:
    """Return the function that makes a file's bytes from an SVG.

    PNG and PDF are made by vl-convert: one wheel for every system, without libraries of the system.

    Raises:
        OptionError, GamecoreError: see :meth:`Picture.save`.
    """
    suffix = Path(checked_path(path)).suffix
    if suffix == ".svg":
        return str.encode
    if suffix not in (".png", ".pdf"):
        raise OptionError(f"path {printable(str(path), 80)} must end in .svg, .png or .pdf")
    try:
        import vl_convert
    except ImportError:
        raise GamecoreError(f"a {suffix} picture needs vl-convert: pip install 'gamecore[slides]'") from None
    if suffix == ".png":
        return lambda svg: bytes(vl_convert.svg_to_png(svg, scale=2))
    return lambda svg: bytes(vl_convert.svg_to_pdf(svg))


def text_picture(
    text: str, moves: Iterable[MoveValue[float]] = (), line: Iterable[str] = (), legal: Iterable[str] = ()
) -> Picture:  # fmt: skip
    """Return a picture of a text, with a line of play below and a button for each move.

    Args:
        text: the position, in lines.
        moves: ``MoveValue`` objects. line: moves.
        legal: moves that can be clicked; those of ``moves`` by default.
    """
    values, played = {entry.move: entry for entry in moves}, " ".join(line)
    lines = [*(text.splitlines() or [""]), *([f"line: {played}"] if played else [])]
    buttons = tuple(legal) or tuple(values)

    def shown(move: str) -> str:
        return str(values[move]).removeprefix(move).strip() if move in values else ""

    def written(pen: Pen) -> str:
        entries = [f"{move} {pen.value(shown(move), entry.lower, entry.upper)}" for move, entry in values.items()]
        return "\n".join([*lines, *entries])

    def svg() -> str:
        widest = max((len(move) for move in buttons), default=0) * _CHARACTER + 112
        per_row = max(1, int(_ROOM // widest))
        width = max(
            160, *(len(row) * _CHARACTER + 2 * _MARGIN for row in lines), min(len(buttons), per_row) * widest + 22
        )
        top = len(lines) * _LINE + 2 * _MARGIN
        canvas = Canvas(width, top + -(-len(buttons) // per_row) * (_HIGH + 6), lines[-1], _GROUND)
        for index, row in enumerate(lines):
            canvas.text(_MARGIN, _MARGIN + _LINE * index + 14, row, fixed=True)
        for index, move in enumerate(buttons):
            x, y = _MARGIN + index % per_row * widest, top + index // per_row * (_HIGH + 6)
            entry = values.get(move)
            with canvas.part(move, move):
                canvas.rect(x, y, widest - 6, _HIGH, _BUTTON, radius=7, stroke=OPEN)
                canvas.text(x + 10, y + 27, move, bold=True)
                with canvas.value(move, tone(entry.lower, entry.upper) if entry else None):
                    canvas.badge(x + widest - 52, y + _HIGH / 2, shown(move))
        return canvas.svg()

    return Picture(svg, written)


def checked_marks(
    position: Playable, moves: Iterable[MoveValue[float]], line: Iterable[str]
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return the values of moves and the line of play that a picture shows.

    Raises:
        OptionError: no value of a move, or of one that is not legal here. IllegalMoveError: a line that breaks the
            rules.
    """
    entries, played = tuple(moves), tuple(line)
    legal, after = position.legal_moves(), position
    for entry in entries:
        if not isinstance(entry, MoveValue):
            raise OptionError(f"moves must be a result of analyse, not {printable(entry)}", "moves")
        if entry.move not in legal:
            raise OptionError(f"moves: {printable(entry.move)} is not a legal move of this position")
    for move in played:
        after = after.play(move)
    return entries, played


def picture_with_values(
    position: Playable,
    moves: Iterable[MoveValue[float]],
    line: Iterable[str],
    text: Callable[[Pen], str],
    svg: Callable[[tuple[Any, ...], tuple[str, ...]], str],
    write: Callable[[Pen, str], str] = lambda pen, move: move,
) -> Picture:
    """Return a game's picture, whose text has the values of moves and the line of play below the position.

    Args:
        position, moves, line: see the game's ``picture``.
        text: the position as text.
        svg: called with the moves and the line.
        write: a move as text.

    Raises:
        OptionError, IllegalMoveError: see :func:`checked_marks`.
    """
    entries, played = checked_marks(position, moves, line)

    def written(pen: Pen) -> str:
        lines = [text(pen)]
        if entries:
            values = [
                f"{write(pen, entry.move)} {pen.value(Bounds.__str__(entry), entry.lower, entry.upper)}"
                for entry in entries
            ]
            lines.append(f"moves  {'   '.join(values)}   (for {position.to_move})")
        if played:
            lines.append("line   " + " ".join(write(pen, move) for move in played))
        return "\n".join(lines)

    return Picture(lambda: svg(entries, played), written)


def short_value(entry: Bounds[float] | None) -> str:
    """Return the value of a move on its badge, ``?`` if it is not exact; nothing without an entry."""
    return "" if entry is None else f"{entry.lower:+d}" if entry.exact else "?"
