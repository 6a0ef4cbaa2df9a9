"""What the command answers (``answers.txt``) and what it refuses in one line (``refusals.txt``).

A command stands without ``gamecore``; behind ``<<<`` stands its input, in Python's escapes, and ``(9)...5000`` is that
often what stands in brackets. Without ``<<<`` the input is a deal. ``files.toml`` has the working directory's files.

``$`` begins a test, ``&`` a further command in the same folder. Behind the output stand lines of stderr, each after
``!``, and the status in brackets if it is not 0; ``…`` is any text.
"""

import os
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from command import repeated, said
from fifth import built_in  # noqa: F401 - fixture

from gamecore import duel, hearts
from gamecore.game import _registry

HERE = Path(__file__).parent
WORDS = {
    "$PYTHON": sys.executable,
    "$NIM": str(HERE.parents[1] / "examples" / "nim.py"),
    "$TICTACTOE": str(HERE.parents[1] / "examples" / "kit" / "tictactoe.py"),
    "$FULL": duel.deal(26, rng=4).to_text(),
    "$LATE": hearts.random("left", plies=40, rng=5).to_text(),
    "$PASSING": hearts.Round.deal(7, passing="left", passer=None).to_text(),
}
REFUSALS = [line.split("  =>  ") for line in (HERE / "refusals.txt").read_text("utf-8").splitlines() if line]
ANSWERS = re.split(r"^(?=\$ )", (HERE / "answers.txt").read_text("utf-8"), flags=re.MULTILINE)[1:]
FILES = tomllib.loads((HERE / "files.toml").read_text("utf-8")) | {"text": "no store\n" * 300}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with files of every kind, which no command changes in their place: those of the tests are links."""
    here = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(text.encode())
    (here / "empty").mkdir()
    (here / "bad.npy").write_bytes(b"nothing of the kind")
    arrays = {"row": [5, 7, 9, 1, 4, 2], "quarters": [1.25, 1.75], "two": [[0]], "letters": ["a"], "nothing": []}
    for name, array in arrays.items():
        np.save(here / f"{name}.npy", np.array(array))
    yield here
    assert texts_of(here) == FILES


@pytest.fixture
def folder(files, tmp_path, monkeypatch, request):
    """A working directory with these files; ``fifth`` is a game where it is named."""
    shutil.copytree(files, tmp_path, copy_function=os.link, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_registry, "_registered", {})  # without games of other tests
    if "fifth" in str(request.node.callspec.params):
        request.getfixturevalue("built_in")
    return tmp_path


def texts_of(folder):
    return {name: (folder / name).read_bytes().decode() for name in FILES}


def escaped(text):
    return re.sub(r"\\(n|x..|u....)", lambda match: match[0].encode().decode("unicode_escape"), text)


def run(command):
    """The status, output and errors of a command of a transcript."""
    words, given, text = command.partition(" <<<")
    words = [WORDS.get(word, escaped(word)) for word in shlex.split(repeated(words))]
    return said(*words, stdin=escaped(repeated(text[1:])) if given else FILES["deal"])


@pytest.mark.parametrize(("command", "message"), REFUSALS)
def test_refusals(folder, command, message):
    before = set(folder.iterdir())
    status, out, err = run(command)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("gamecore")
    assert message in err
    assert err.strip().isprintable()
    assert len(err) < 1600
    new = set(folder.iterdir()) - before - {folder / "__pycache__"}
    assert not new or "position 1" in message or "prove" in command
    assert all(path.stat().st_size for path in new)  # no empty store is left behind
    assert texts_of(folder) == FILES


@pytest.mark.parametrize("answers", ANSWERS)
def test_answers(folder, answers, request):
    if re.search(r"^[$&] .*\bjudge ", answers, re.MULTILINE) and "GAMECORE_SANITIZED" in os.environ:
        pytest.skip("sanitizers reserve more memory than a judged program may have")
    for part in re.split(r"^[$&] ", answers, flags=re.MULTILINE)[1:]:
        command, expected = part.split("\n", 1)
        status, out, err = run(command)
        plain = (out + err).replace("\x1b[1m", "").replace("\x1b[0m", "")  # bold
        assert all(char == "\n" or char.isprintable() for char in plain), "this may steer the terminal"
        ended = [f"[{status}]\n"] if status else []
        printed = "".join([out, *(f"! {line}\n" for line in err.splitlines()), *ended])
        if re.fullmatch(".*?".join(map(re.escape, expected.split("…"))), printed, re.DOTALL):
            continue
        assert request.config.option.update or printed == expected
        path = HERE / "answers.txt"
        path.write_text(path.read_text("utf-8").replace(part, f"{command}\n{printed}", 1), "utf-8")
