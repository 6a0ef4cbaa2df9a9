"""What the command answers, ``answers.txt``, and what it refuses in one line, ``refusals.txt``.

A command stands without ``gamecore``; behind ``<<<`` stands its input, in Python's escapes, and ``(9)...5000`` is that
often what stands in brackets. Without ``<<<`` the input is a deal. Files stand in the working directory, see `folder`.
"""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from command import said

from gamecore import hearts
from gamecore.game import _registry

HERE = Path(__file__).parent
DEAL, BOARD = "3\nDQ H2 HA\nH3 D6 S3\n", "5\n5\n     \npp pp\nPPp  \n   P \n    P\n"
WORDS = {
    "$NIM": str(HERE.parents[1] / "examples" / "nim.py"),
    "$TICTACTOE": str(HERE.parents[1] / "examples" / "kit" / "tictactoe.py"),
    "$LATE": hearts.random("left", plies=40, rng=5).to_text(),
    "$PASSING": hearts.Round.deal(7, passing="left", passer=None).to_text(),
}
REFUSALS = [line.split("  =>  ") for line in (HERE / "refusals.txt").read_text("utf-8").splitlines() if line]
TRANSCRIPT = "\n" + (HERE / "answers.txt").read_text("utf-8").rstrip()
ANSWERS = [part.split("\n", 1) for part in TRANSCRIPT.split("\n$ ")[1:]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with files of every kind."""
    texts = {"deals": f"{DEAL}\n1\nHA\nH2\n{DEAL}", "board": BOARD.replace("\n", "\r\n"), "text": "no store\n" * 300}
    texts |= {"row": "6\n5 7 9 1 4 2\n", "notation": "\n5/pp1pp/PPp2/3P1/4P:w\n", "DQ:H3:A:-": DEAL, "a:w": BOARD}
    texts["sister"], texts["floats"] = "\ngreedy-left:opponent:5:0:7,9,1,4,2\n", "\n0.5 1 3 9007199254740993\n"
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "bad.npy").write_bytes(b"nothing of the kind")
    arrays = {"row": [5, 7, 9, 1, 4, 2], "quarters": [1.25, 1.75], "two": [[0.0]], "letters": ["a"], "empty": []}
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", np.array(array))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_registry, "_registered", {})  # without games of other tests
    return tmp_path


def repeated(text):
    return re.sub(r"\((.+?)\)\.\.\.(\d+)", lambda match: match[1] * int(match[2]), text)


def escaped(text):
    return re.sub(r"\\(n|x..|u....)", lambda match: match[0].encode().decode("unicode_escape"), text)


def run(command):
    """The status, output and errors of a command of a transcript."""
    words, given, text = command.partition(" <<<")
    words = [WORDS.get(word, escaped(word)) for word in shlex.split(repeated(words))]
    return said(*words, stdin=escaped(repeated(text[1:])) if given else DEAL)


@pytest.mark.parametrize(("command", "message"), REFUSALS)
def test_refusals(folder, command, message):
    before = set(folder.iterdir())
    status, out, err = run(command)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("gamecore")
    assert message in err
    assert err.strip().isprintable()
    assert len(err) < 400
    new = set(folder.iterdir()) - before
    assert not new or "position 1" in message or "prove" in command
    assert all(path.stat().st_size for path in new)  # no empty store is left behind


@pytest.mark.parametrize(("command", "answer"), ANSWERS)
def test_answers(folder, command, answer):
    status, out, err = run(command)
    assert (status, out) == (0, f"{answer}\n")
    assert ("nodes" in err) if "--stats" in command else not err
