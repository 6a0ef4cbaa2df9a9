"""The opponents of rows: one record each, which the options, rules, pictures, traces and panels of all tools read.

Another opponent is a record here, its recurrence in ``pyx/rows/`` (``reply`` and its vector twin) and its search in
``gamecore/rows/_solve.py``. What does not know it refuses it.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gamecore.errors import InternalError

#: Whether the left one of two ends that differ is the one of this name.
ENDS: Final[dict[str, Callable[[Any, Any], Any]]] = {"larger": operator.gt}


@dataclass(frozen=True)
class Opponent:
    """An opponent.

    Attributes:
        name: in options, texts and results. alias: the sources' word.
        mode: the kernels' number.
        rule: what it does, in a sentence of the rules.
        title: its name in captions. against: what a caption says behind "I am to move".
        cell: what a cell of the game's table is.
        versions: names in ``gamecore.reference.rows.VERSIONS`` of the sources' tables for it.
        folds: whether the game is solved by folding, in linear time.
        forced_end: which of :data:`ENDS` it always takes; empty if it may take either.
        helps: whether it wants the least for itself.
    """

    name: str
    alias: str
    mode: int
    rule: str
    title: str
    against: str
    cell: str
    versions: tuple[str, ...] = ()
    folds: bool = False
    forced_end: str = ""
    helps: bool = False

    def takes_left(self, left: Any, right: Any, ties: str = "right") -> bool:
        """Return True if the forced end is the left one of these; ``ties`` decides between equal ends."""
        return bool(ENDS[self.forced_end](left, right) or (left == right and ties == "left"))

    def unknown(self, place: str) -> InternalError:
        """Return the error of a part of the package that does not know this opponent."""
        return InternalError(f"{place}: the {self.name} opponent is not known there")


OPPONENTS: Final = (
    Opponent(
        "optimal", "smart", 0, "The optimal opponent plays as well as possible.", "opponent", "",
        "A cell is what the side to move takes of these values.", ("smart",), folds=True,
    ),
    Opponent(
        "greedy", "sister", 2, "The greedy opponent always takes the larger end.",
        "greedy opponent", " against a greedy opponent",
        "A cell is what I take of these values when I am to move.", ("top_down", "bottom_up"), forced_end="larger",
    ),
    Opponent(
        "cooperative", "dumb", 1, "The cooperative opponent helps me.",
        "cooperative opponent", " against a cooperative opponent",
        "A cell is what the side to move takes; both help the first player.", ("dumb",), helps=True,
    ),
)  # fmt: skip
NAMES: Final = tuple(opponent.name for opponent in OPPONENTS)
ALIASES: Final = tuple(opponent.alias for opponent in OPPONENTS)
#: By name and by alias.
BY_NAME: Final[Mapping[object, Opponent]] = dict(zip((*NAMES, *ALIASES), OPPONENTS * 2, strict=True))
