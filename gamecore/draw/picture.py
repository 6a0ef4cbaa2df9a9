"""Pictures as SVG, as text, and in notebooks: :class:`Picture`."""

from collections.abc import Callable
from pathlib import Path

from gamecore.draw.pen import Pen, pen_for
from gamecore.errors import OptionError
from gamecore.files import checked_path, file_errors, write_whole
from gamecore.text import printable


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
        """Write the SVG to a file.

        Raises:
            OptionError: the name does not end in ``.svg``. GamecoreError: the file cannot be written.
        """
        if Path(checked_path(path)).suffix != ".svg":
            raise OptionError(f"path {printable(str(path), 80)} has to end in .svg")
        with file_errors("write", path):
            write_whole(path, [self.svg.encode()])

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self._text(Pen())

    def __repr__(self) -> str:
        return f"<gamecore.draw.Picture: {self._text(Pen()).splitlines()[0]!r} ...>"
