"""Text of a store cannot steer the terminal; of games' files and judged programs, transcripts show the same."""

import sqlite3
from contextlib import closing

import pytest
from command import said


@pytest.mark.parametrize("field", ["gamecore", "question", "position", "game", "root"])
def test_a_store(field, tmp_path):
    store = tmp_path / "store"
    solves = ["prove", "duel", "HA:H2:A:-", "--store", store]
    said(*solves)
    with closing(sqlite3.connect(store)) as connection, connection:
        change = "UPDATE about SET value = value || ? WHERE name = ?"
        connection.execute(change, ("\x1b[2J\nanswered\x1b]0;owned\x07", field))
    for words in (["prove", "status", store], ["prove", "verify", store], solves):
        text = "".join(said(*words)[1:])
        assert all(char == "\n" or char.isprintable() for char in text)
        assert "\nanswered" not in text
        assert r"\x1b[2J\nanswered\x1b]0;owned\x07" in text or field != "gamecore" or "status" not in words
