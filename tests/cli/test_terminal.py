"""Text from elsewhere, such as a store, a game's file or a judged program, cannot steer the terminal."""

import sqlite3
import sys
from contextlib import closing

import pytest
from command import said

CLEAR = "\x1b[2J"  # clears the screen
TITLE = "\x1b]0;owned\x07"  # sets the window's title
GAME = f'''
from gamecore import kit

class Take:
    name = "take"
    title = "Take {CLEAR}"
    def start(self): return (3,)
    def moves(self, state): return range(1, state[0] + 1)
    def play(self, state, move): return (state[0] - move,)
    def result(self, state): return None if state[0] else kit.LOSS
    def write(self, move, state): return f"{TITLE}{{move}}"
    def draw(self, state, mover): return "{CLEAR}" + str(state[0])

GAME = kit.make(Take)
'''


def controls(text):
    """Return the control characters of a text except line feeds and colours' sequences."""
    plain = text.replace("\x1b[1m", "").replace("\x1b[0m", "")
    return [char for char in plain if char != "\n" and not char.isprintable()]


@pytest.mark.parametrize("field", ["gamecore", "question", "position", "game", "root"])
def test_status_of_a_store(field, tmp_path):
    store = tmp_path / "store"
    assert said("prove", "duel", "HA:H2:A:-", "--store", store)[0] == 0
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE about SET value = value || ? WHERE name = ?", (f"{CLEAR}\nanswered{TITLE}", field))
    for words in (
        ["prove", "status", store],
        ["prove", "verify", store],
        ["prove", "duel", "HA:H2:A:-", "--store", store],
    ):
        status, out, errors = said(*words)
        assert not controls(out + errors)
        assert not any(line.startswith("answered") for line in out.splitlines())
        if (field, words[1]) == ("gamecore", "status"):
            assert (status, errors) == (0, "")
            assert r"\x1b[2J\nanswered\x1b]0;owned\x07" in out


def test_a_games_file(tmp_path):
    file = tmp_path / "take.py"
    file.write_text(GAME)
    words = ["--game", file, "take", "A:3", "--line", "--draw", "--analyse"]
    play = ["--game", file, "play", "take"]
    for arguments, stdin in ((words, ""), (["kit", "test", file], ""), (play, "1\n\nh\n?\nq\n")):
        _, out, errors = said(*arguments, stdin=stdin)
        assert r"\x1b" in out + errors
        assert not controls(out + errors)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_judged_program(stream):
    program = f"import sys; print({CLEAR + TITLE!r}, file=sys.{stream}); sys.exit({int(stream == 'stderr')})"
    status, out, errors = said("judge", "duel", "--count", "1", "--", sys.executable, "-c", program)
    assert (status, errors) == (1, "")
    assert r"\x1b[2J" in out
    assert not controls(out)
