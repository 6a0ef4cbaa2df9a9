"""Numbers of options are ASCII digits: ``int`` and ``float`` would take digits of any script, and underscores."""

import pytest
from command import said

NO_NUMBERS = ["²", "５", "1_0", "--5", "-", "", "9" * 5000]


@pytest.mark.parametrize("word", NO_NUMBERS)
@pytest.mark.parametrize(
    "words",
    [
        ["duel", "--threads"],
        ["duel", "--node-limit"],
        ["rows", "--deck"],
        ["solve-file", "duel", "deals.txt", "--workers"],
        ["explore", "--port"],
        ["play", "duel", "--seed"],
        ["play", "duel", "--n"],
        ["kit", "test", "mine.py", "--seed"],
        ["prove", "duel", "HA:H2:A:-", "--store", "store", "--threads"],
        ["prove", "verify", "store", "--recheck"],
        ["hearts", "simulate", "--rounds"],
        ["hearts", "deal", "--seed"],
        ["judge", "duel", "--count"],
        ["judge", "duel", "--sizes"],
    ],
    ids=" ".join,
)
def test_what_is_no_whole_number(words, word):
    name = words[-1]
    status, out, errors = said(*words[:-1], f"{name}={word}")
    assert (status, out) == (2, "")
    assert name in errors
    assert errors.count("\n") == 1
    assert len(errors) < 2000


@pytest.mark.parametrize("word", ["²", "５.5", "1_0.5", "--5", "-", ""])
@pytest.mark.parametrize(
    "words",
    [
        ["duel", "--time-limit"],
        ["duel", "--table-mb"],
        ["kit", "test", "mine.py", "--seconds"],
        ["judge", "duel", "--time"],
    ],
    ids=" ".join,
)
def test_what_is_no_number(words, word):
    status, out, errors = said(*words[:-1], f"{words[-1]}={word}")
    assert (status, out) == (2, "")
    assert f"argument {words[-1]}: invalid float value: {word!r}" in errors
