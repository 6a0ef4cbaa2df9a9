"""Short calls stay short: how many of the package's functions one call of its API enters."""

import os
import sys

import pytest

import gamecore
from gamecore import duel, hearts, hexapawn, rows

PACKAGE = os.path.dirname(gamecore.__file__)
CARDS = "DQH2HA:H3D6:A:-"
BOARD = "ppp/3/PPP:w"


# The most calls of the package's functions that a call may make.
CALLS = {
    "duel": (16, duel.solve, duel.Position.from_text(CARDS)),
    "duel from text": (30, duel.solve, CARDS),
    "hexapawn": (16, hexapawn.solve, hexapawn.Position.from_text(BOARD)),
    "hexapawn from text": (30, hexapawn.solve, BOARD),
    "a row's value": (4, rows.value, [5, 7, 9, 1, 4, 2]),
    "rows": (30, rows.solve, rows.Position.from_text("greedy:me:0:0:5,7,9,1,4,2")),
    "100 rounds of hearts": (110, hearts.simulate, ["greedy"] * 4, 100, 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_short_call_makes_few_calls(name):
    """When the package's modules and caches are warm."""
    most, function, *arguments = CALLS[name]
    count = 0

    def on_event(frame, event, argument):
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(PACKAGE)

    function(*arguments)
    sys.setprofile(on_event)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    assert 1 < count <= most
