"""Numbers of options are ASCII digits: ``int`` and ``float`` would take digits of any script, and underscores."""

from itertools import product

import pytest
from command import said

WHOLE = (
    "duel --threads", "duel --node-limit", "rows --deck", "solve-file duel deals.txt --workers", "explore --port",
    "play duel --seed", "play duel --n", "kit test mine.py --seed", "prove duel HA:H2:A:- --store store --threads",
    "prove verify store --recheck", "hearts simulate --rounds", "hearts deal --seed", "judge duel --count",
    "judge duel --sizes",
)  # fmt: skip
REAL = (
    "duel --time-limit", "duel --table-mb", "kit test mine.py --seconds", "judge duel --time",
)  # fmt: skip
NOT_WHOLE, NOT_REAL = ["²", "５", "1_0", "--5", "-", "", "9" * 5000], ["²", "５.5", "1_0.5", "--5", "-", ""]


@pytest.mark.parametrize(("words", "word"), [*product(WHOLE, NOT_WHOLE), *product(REAL, NOT_REAL)])
def test_what_is_no_number(words, word):
    *first, name = words.split()
    status, out, errors = said(*first, f"{name}={word}")
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert name in errors
    assert len(errors) < 2000
    assert f"argument {name}: invalid float value: {word!r}" in errors or words not in REAL
