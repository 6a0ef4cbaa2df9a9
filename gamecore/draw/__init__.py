"""Pictures of positions and plots of results.

The games' own methods use what is here: ``position.picture(...)``, ``position.draw(...)`` for text, and notebooks show
positions by themselves. A :class:`Picture` is SVG and text at once::

    from gamecore import hexapawn
    position = hexapawn.Position.start(3, 3)
    picture = position.picture(hexapawn.analyse(position))
    picture.save("board.svg")
    print(picture)

Pictures need nothing but Python.
"""

from gamecore.draw._plain import text_picture
from gamecore.draw.pen import Pen, pen_for
from gamecore.draw.picture import Picture

__all__ = [
    "Pen",
    "Picture",
    "pen_for",
    "text_picture",
]


def __dir__() -> list[str]:
    return __all__
