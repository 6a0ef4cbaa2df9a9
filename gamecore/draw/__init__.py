"""Pictures of positions and plots of results.

The games' own methods use what is here: ``position.picture(...)``, ``position.draw(...)`` for text, and notebooks show
positions by themselves. A :class:`Picture` is SVG and text at once::

    from gamecore import draw, hexapawn
    position = hexapawn.Position.start(3, 3)
    picture = draw.hexapawn(position, moves=hexapawn.analyse(position))
    picture.save("board.svg")
    print(picture)

Pictures need nothing but Python. Plots (``plot_table``, ``plot_duels``, ``plot_strength``) need matplotlib (extra
``plot``), which is imported when one is called.
"""

from gamecore.draw._duel import duel
from gamecore.draw._hearts import hearts, trick
from gamecore.draw._hexapawn import hexapawn
from gamecore.draw._pen import Pen, pen_for
from gamecore.draw._picture import Picture
from gamecore.draw._plots import plot_duels, plot_strength, plot_table
from gamecore.draw._rows import rows

__all__ = [
    "Pen",
    "Picture",
    "duel",
    "hearts",
    "hexapawn",
    "pen_for",
    "plot_duels",
    "plot_strength",
    "plot_table",
    "rows",
    "trick",
]


def __dir__() -> list[str]:
    return __all__
