"""Short calls stay short: how many of the package's functions one call of its API enters."""

import os
import sys

import pytest

import gamecore
from gamecore import duel, hearts, hexapawn, rows

PACKAGE = os.path.dirname(gamecore.__file__)
CARDS = "DQH2HA:H3D6:A:-"
BOARD = "ppp/3/PPP:w"
ROW = "greedy:me:0:0:5,7,9,1,4,2"


def calls_of(function, *arguments):
    """Count the calls within the package when its modules and caches are warm."""
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
    return count


@pytest.mark.parametrize(
    ("most", "function", "arguments"),
    [
        pytest.param(16, duel.solve, (duel.Position.from_text(CARDS),), id="duel"),
        pytest.param(30, duel.solve, (CARDS,), id="duel from text"),
        pytest.param(16, hexapawn.solve, (hexapawn.Position.from_text(BOARD),), id="hexapawn"),
        pytest.param(30, hexapawn.solve, (BOARD,), id="hexapawn from text"),
        pytest.param(4, rows.value, ([5, 7, 9, 1, 4, 2],), id="a row's value"),
        pytest.param(30, rows.solve, (rows.Position.from_text(ROW),), id="rows"),
        pytest.param(110, hearts.simulate, (["greedy"] * 4, 100, 1), id="100 rounds of hearts"),
    ],
)
def test_a_short_call_makes_few_calls(most, function, arguments):
    assert 1 < calls_of(function, *arguments) <= most
