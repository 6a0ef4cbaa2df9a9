"""Pictures of positions and plots of results.

``position.picture(...)`` returns a :class:`Picture`, which is SVG and text at once; ``position.draw(...)`` returns the
text. Notebooks show positions as pictures::

    from gamecore import hexapawn
    position = hexapawn.Position.start(3, 3)
    picture = position.picture(hexapawn.analyse(position))
    picture.save("board.svg")
    print(picture)

Pictures need nothing but Python.
"""

from gamecore.draw._trace import Call, How, Trace, trace
from gamecore.draw.pen import Pen, pen_for
from gamecore.draw.picture import Picture, text_picture

__all__ = ["Call", "How", "Pen", "Picture", "Trace", "pen_for", "text_picture", "trace"]
