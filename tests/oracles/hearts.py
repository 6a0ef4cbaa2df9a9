"""The independent solver of Hearts (``hearts.c``) with rounds as arguments."""

import ctypes
from typing import Any

from gamecore import hearts
from gamecore.hearts._rules import DIRECTIONS, FLAGS

SWITCHES = FLAGS[1:]  #: in the order of the oracle's; whether cards are passed is the deal's business
ORDER = [suit + rank for suit in "CDSH" for rank in "23456789TJQKA"]  #: cards by their number


class Oracle:
    """The compiled library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        """Take the library that ``build.load`` returned."""
        self.library = library

    def arguments(self, round_: hearts.Round) -> tuple[Any, ...]:
        """Return the rules, the deal, the pass and the play as the library reads them."""
        rules = [getattr(round_.rules, name) for name in SWITCHES]
        rules += [round_.rules.moon == name for name in ("shooter", "none")]
        texts = ["".join(map("".join, cards)).encode() for cards in (round_.dealt, round_.passed, (round_.played,))]
        return (ctypes.c_int * len(rules))(*rules), texts[0], DIRECTIONS[round_.passing], texts[1], texts[2]

    def moves(self, round_: hearts.Round, values: bool = False) -> tuple[int, dict[str, Any]]:
        """Return the seat to move, and by legal card its max^n points and paranoid points if ``values`` are wanted."""
        seat, cards = ctypes.c_int(), (ctypes.c_int * 13)()
        max_n, paranoid = (ctypes.c_int * 52)(), (ctypes.c_int * 13)()
        wanted = (max_n, paranoid) if values else (None, None)
        count = self.library.hearts_moves(*self.arguments(round_), ctypes.byref(seat), cards, *wanted)
        names = [ORDER[card] for card in cards[:count]]
        return seat.value, {name: (tuple(max_n[4 * k : 4 * k + 4]), paranoid[k]) for k, name in enumerate(names)}

    def score(self, round_: hearts.Round) -> tuple[int, ...]:
        """Return the points of a finished round."""
        points = (ctypes.c_int * 4)()
        self.library.hearts_score(*self.arguments(round_), points)
        return tuple(points)
