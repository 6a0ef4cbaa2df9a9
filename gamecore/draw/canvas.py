"""SVG, element by element: the only module that escapes text and attributes.

Pictures stand in pages that may be light or dark, several in one page, and as files of their own. So every picture
paints its own background and never relies on the page's colours; nothing has an id or a style sheet, which would reach
into the page around it; suits are drawn as paths, since fonts differ in them; and a picture that is wider than its page
shrinks to it.

Three attributes are for pages: ``data-move`` on parts that can be clicked, ``data-place`` on places that moves name,
``data-value`` on groups that show the value of a move. Such a group takes its colour from its attribute ``color``, and
is hidden while no value is known.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

from gamecore.cards import RED

PALE: Final = "#f4efe4"  #: text on the panel's ground
GOLD: Final = "#ffc83d"  #: best moves, winners
GOOD: Final = "#1b7f3b"
BAD: Final = "#b3261e"
OPEN: Final = "#5b6166"  #: not decided
SHOWN: Final = "currentColor"  #: the colour of the group, see :meth:`Canvas.value`
_RED: Final = "#b8101d"
_BLACK: Final = "#1f2327"
_SHADOW: Final = "#1a2a26"
CARD_WIDTH: Final = 40.0
CARD_HEIGHT: Final = 56.0
_LEAST_STEP: Final = 41.0  #: from a card to one that lies on it
GAP: Final = 3.5  #: between two cards

# Each suit in a box from -1 to 1, y downwards.
_SUIT_PATHS: Final = {
    "D": "M0 -1 L0.72 0 L0 1 L-0.72 0 Z",
    "H": "M0 0.95 C-0.35 0.55 -1 0.15 -1 -0.4 C-1 -0.75 -0.75 -0.95 -0.5 -0.95 C-0.25 -0.95 -0.08 -0.8 0 -0.55 "
    "C0.08 -0.8 0.25 -0.95 0.5 -0.95 C0.75 -0.95 1 -0.75 1 -0.4 C1 0.15 0.35 0.55 0 0.95 Z",
    "S": "M0 -0.98 C0.35 -0.55 0.98 -0.15 0.98 0.28 C0.98 0.6 0.75 0.74 0.52 0.74 C0.3 0.74 0.15 0.64 0.08 0.46 "
    "C0.1 0.7 0.18 0.86 0.32 0.98 L-0.32 0.98 C-0.18 0.86 -0.1 0.7 -0.08 0.46 C-0.15 0.64 -0.3 0.74 -0.52 0.74 "
    "C-0.75 0.74 -0.98 0.6 -0.98 0.28 C-0.98 -0.15 -0.35 -0.55 0 -0.98 Z",
    "C": "M0 -0.98 A0.44 0.44 0 0 1 0.36 -0.28 A0.44 0.44 0 1 1 0.1 0.34 C0.12 0.62 0.2 0.84 0.34 0.98 L-0.34 0.98 "
    "C-0.2 0.84 -0.12 0.62 -0.1 0.34 A0.44 0.44 0 1 1 -0.36 -0.28 A0.44 0.44 0 0 1 0 -0.98 Z",
}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    """Replace control characters and lone surrogates, which XML cannot hold even escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


class Canvas:
    """A picture under construction.

    Args:
        width, height: in pixels.
        title: read by screen readers and shown as a tooltip; any text.
        ground: colour of the panel behind everything.
    """

    def __init__(self, width: float, height: float, title: str, ground: str) -> None:
        self.width, self.height = math.ceil(width), math.ceil(height)
        self.root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": str(self.width),
                "height": str(self.height),
                "viewBox": f"0 0 {self.width} {self.height}",
                "role": "img",
                "style": "max-width: 100%; height: auto",
                "font-family": "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif",
                "font-size": "13",
            },
        )
        ET.SubElement(self.root, "title").text = _clean(title)
        self._at = self.root  # the element that takes new ones
        self.rect(0, 0, self.width, self.height, ground, radius=8)

    def part(self, moves: str | None, label: str) -> AbstractContextManager[None]:
        """While active, group drawn elements as one part that can be clicked.

        Args:
            moves: the moves that begin or end here, separated by blanks; None or empty: nothing can be clicked.
            label: for screen readers and tooltips.
        """
        return self._group({"data-move": _clean(moves)}, label) if moves else nullcontext()

    def value(self, move: str, color: str | None) -> AbstractContextManager[None]:
        """While active, group a move's value, drawn in ``SHOWN``; color None: hidden until it is known."""
        return self._group({"data-value": _clean(move), **({"color": color} if color else {"display": "none"})})

    @contextmanager
    def _group(self, attributes: dict[str, str], label: str = "") -> Iterator[None]:
        around, self._at = self._at, ET.SubElement(self._at, "g", attributes)
        if label:
            ET.SubElement(self._at, "title").text = _clean(label)
        yield
        self._at = around

    def _add(self, tag: str, **attributes: float | str | None) -> ET.Element:
        element = ET.SubElement(self._at, tag)
        for name, value in attributes.items():
            if value is not None:
                text = _clean(value) if isinstance(value, str) else _number(value)
                element.set(name.replace("_", "-"), text)
        return element

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, *,
        radius: float | None = None, stroke: str | None = None, stroke_width: float | None = None,
        dashes: str | None = None, place: str | None = None,
    ) -> None:  # fmt: skip
        """Draw a rectangle; ``radius``: of round corners, ``dashes``: of a broken edge.

        ``place``: its name in moves; a page marks the places of the last move.
        """
        self._add(
            "rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, stroke=stroke,
            stroke_width=stroke_width, stroke_dasharray=dashes, data_place=place,
        )  # fmt: skip

    def circle(self, x: float, y: float, radius: float, fill: str, stroke: str | None = None) -> None:
        """Draw a disc."""
        self._add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=1.5 if stroke else None)

    def text(
        self, x: float, y: float, text: str, *,
        fill: str = PALE, size: float | None = None, anchor: str | None = None, bold: bool = False,
        fixed: bool = False,
    ) -> None:  # fmt: skip
        """Write a line of text on the base line y; anchor ``start``, ``middle`` or ``end``.

        ``fixed``: in a fixed pitch, with all blanks.
        """
        weight = "bold" if bold else None
        element = self._add("text", x=x, y=y, fill=fill, font_size=size, text_anchor=anchor, font_weight=weight)
        element.text = _clean(text)
        if fixed:
            element.set("font-family", "DejaVu Sans Mono, Menlo, Consolas, monospace")
            element.set("xml:space", "preserve")

    def arrow(self, x1: float, y1: float, x2: float, y2: float, color: str, width: float = 3) -> None:
        """Draw a straight arrow with a white edge, which is visible on dark and light ground."""
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        head = 3.2 * width
        bx, by = x2 - head * dx, y2 - head * dy
        half = 0.55 * head
        corners = ((x2, y2), (bx - half * dy, by + half * dx), (bx + half * dy, by - half * dx))
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self._add("line", x1=x1, y1=y1, x2=bx, y2=by, stroke="#ffffff", stroke_width=width + 2)
        self._add("polygon", points=points, fill=color, stroke="#ffffff", stroke_width=1.6)
        self._add("line", x1=x1, y1=y1, x2=bx, y2=by, stroke=color, stroke_width=width)

    def badge(self, x: float, y: float, text: str, *, best: bool = False, size: float = 12) -> None:
        """Write a short text on a pill around the point, in the group's colour; ``best``: with a golden rim."""
        width, height = badge_width(text, size), 1.35 * size
        self.rect(
            x - width / 2, y - height / 2, width, height, SHOWN, radius=height / 2,
            stroke=GOLD if best else "#ffffff", stroke_width=2.2 if best else 0.8,
        )  # fmt: skip
        self.text(x, y + 0.36 * size, text, fill="#ffffff", size=size, anchor="middle", bold=True)

    def shape(self, x: float, y: float, path: str, size: float, fill: str, stroke: str | None = None) -> None:
        """Draw a path, given in a box from -1 to 1, in a box of 2 * size around the point."""
        element = self._add("path", d=path, fill=fill, stroke=stroke, stroke_width=0.06 if stroke else None)
        element.set("transform", f"translate({_number(x)} {_number(y)}) scale({_number(size)})")

    def card(
        self, x: float, y: float, card: str, *, scale: float = 1.0, rim: str | None = None, faded: bool = False
    ) -> None:
        """Draw a card with rank and suit in its upper left corner.

        Args:
            x, y: the upper left corner. card: such as ``DT``. scale: 1 is 40 x 56 pixels.
            rim: colour of the edge. faded: a card that cannot be played now.
        """
        width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
        self.rect(x + 0.6, y + 1.6, width, height, _SHADOW, radius=5 * scale)
        self.rect(
            x, y, width, height, "#dcdbd2" if faded else "#fffdf7", radius=5 * scale,
            stroke=rim or "#6d6f68", stroke_width=2.6 if rim else 1,
        )  # fmt: skip
        suit, rank = card[0], card[1].replace("T", "10")
        color = _RED if suit in RED else _BLACK
        middle, size = (10.5, 15) if len(rank) == 1 else (9.6, 12)
        self.text(x + middle * scale, y + 18 * scale, rank, fill=color, size=size * scale, anchor="middle", bold=True)
        self.shape(x + 10.5 * scale, y + 28.5 * scale, _SUIT_PATHS[suit], 5.6 * scale, color)
        self.shape(x + width - 14 * scale, y + height - 17 * scale, _SUIT_PATHS[suit], 9.5 * scale, color)

    def no_card(self, x: float, y: float, ground: str, text: str, scale: float = 1.0) -> None:
        """Draw an empty place for a card, with a word if ``text`` is not empty."""
        width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
        self.rect(
            x + 0.5, y + 0.5, width - 1, height - 1, ground, radius=5 * scale, stroke=GOLD, stroke_width=1, dashes="3 2"
        )
        if text:
            self.text(x + width / 2, y + height / 2 + 3, text, size=14.5 * scale, anchor="middle", fill=GOLD)

    def back(self, x: float, y: float, scale: float = 1.0) -> None:
        """Draw a card face down."""
        width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
        self.rect(x, y, width, height, "#fffdf7", radius=5 * scale, stroke="#6d6f68", stroke_width=1)
        self.rect(x + 3 * scale, y + 3 * scale, width - 6 * scale, height - 6 * scale, "#49688f", radius=3 * scale)

    def svg(self) -> str:
        """The finished picture."""
        ET.indent(self.root, "")
        return ET.tostring(self.root, encoding="unicode")


def badge_width(text: str, size: float = 12) -> float:
    """Return the width of a badge with this text, its rim included."""
    return (0.7 * len(text) + 0.4) * size


def card_scale(width: float, count: int = 13) -> float:
    """Return the scale of cards that can be clicked: 13 or 6 fit side by side, wide enough for a finger.

    Args:
        width: of the picture. count: of cards in the largest hand; a few are drawn larger.
    """
    least, most = (1.25, 1.8) if width >= 520 else (1.15, 1.5)
    return max(least, min(most, ((width - 24) / count - GAP) / CARD_WIDTH))


def places(count: int, room: float, scale: float) -> list[tuple[float, float, float]]:
    """Return the places of cards, side by side or overlapping, in as few rows as possible, with room for values below.

    Of each card: x, y, and the width that the next card does not cover.
    """
    step = CARD_WIDTH * scale + GAP
    most = max(1, int((room + GAP) // step))
    if count > most:  # overlapping, so far that values below do not overlap
        tight = max(1, 1 + int((room - CARD_WIDTH * scale) // _LEAST_STEP))
        most = -(-count // -(-count // tight))
        step = spread(most, room, CARD_WIDTH * scale)
    shown = min(step, CARD_WIDTH * scale)
    return [
        (column * step, row * row_height(scale), CARD_WIDTH * scale if column + 1 == most else shown)
        for row, column in (divmod(index, most) for index in range(count))
    ]


def row_height(scale: float) -> float:
    """Return the height of a row of cards with room for the values below."""
    return CARD_HEIGHT * scale + 12


def spread(count: int, room: float, width: float = CARD_WIDTH) -> float:
    """Return the distance between cards of a row: side by side if there is room, else overlapping."""
    return width + GAP if count < 2 else min(width + GAP, (room - width) / (count - 1))


def by_suit(cards: "tuple[str, ...] | list[str]", ranks: str) -> list[str]:
    """Sort cards by suit in the order C D S H, whose colours alternate, each from its lowest."""
    return sorted(cards, key=lambda card: ("CDSH".index(card[0]), ranks.index(card[1])))


def tone(lower: float, upper: float) -> str:
    """Return the colour of a value: good above 0, bad below, grey if it is 0 or its bounds allow both."""
    return GOOD if lower > 0 else BAD if upper <= 0 and lower < 0 else OPEN
