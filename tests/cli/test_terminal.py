"""Text from elsewhere, such as a store, a game's file or a judged program, cannot steer the terminal."""

import sqlite3
import sys
from contextlib import closing

import pytest
from command import said

CLEAR, TITLE = "\x1b[2J", "\x1b]0;owned\x07"  # clears the screen; sets the window's title
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


def printed(*words, stdin=""):
    """Return what a command printed, which has no control characters except line feeds and bold letters."""
    _, out, errors = said(*words, stdin=stdin)
    plain = (out + errors).replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert all(char == "\n" or char.isprintable() for char in plain)
    return plain


@pytest.mark.parametrize("field", ["gamecore", "question", "position", "game", "root"])
def test_a_store(field, tmp_path):
    store = tmp_path / "store"
    solves = ["prove", "duel", "HA:H2:A:-", "--store", store]
    printed(*solves)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE about SET value = value || ? WHERE name = ?", (f"{CLEAR}\nanswered{TITLE}", field))
    texts = [printed("prove", "status", store), printed("prove", "verify", store), printed(*solves)]
    assert not any("\nanswered" in text for text in texts)
    assert r"\x1b[2J\nanswered\x1b]0;owned\x07" in texts[0] or field != "gamecore"


def test_a_games_file(tmp_path):
    file = tmp_path / "take.py"
    file.write_text(GAME)
    play = ["--game", file, "play", "take"]
    for words, stdin in (
        (["--game", file, "take", "A:3", "--line", "--draw", "--analyse"], ""),
        (["kit", "test", file], ""),
        (play, "1\n\nh\n?\nq\n"),
    ):
        assert r"\x1b" in printed(*words, stdin=stdin)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_judged_program(stream):
    program = f"import sys; print({CLEAR + TITLE!r}, file=sys.{stream}); sys.exit({int(stream == 'stderr')})"
    assert r"\x1b[2J" in printed("judge", "duel", "--count", "1", "--", sys.executable, "-c", program)
