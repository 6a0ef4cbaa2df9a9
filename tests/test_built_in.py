"""A fifth built-in game without a file in any app: each tool works by its defaults, or refuses in one line."""

import importlib
import json
import sys

import pytest
from command import said
from explore.answers import api, ask, refused  # noqa: F401 - fixtures
from fifth import built_in, fifth  # noqa: F401 - fixture

from gamecore import games
from gamecore.apps import judge
from gamecore.apps.adapters import coding_of
from gamecore.errors import OptionError
from gamecore.game import guess
from gamecore.reference import versions_of

TEXT = "A:1.2"
pytestmark = pytest.mark.usefixtures("built_in")

COMMANDS = {
    f"fifth {TEXT} --line --analyse": "A wins 1 point\nline: 2x1 1x1 2x1\n2x1 +1 for A\n1x1 -1 for A\n2x2 -1 for A\n",
    f"fifth {TEXT} --draw": "A wins 1 point\n1: |\n2: ||\n",
    f"fifth {TEXT} --trace full": "unrecognized arguments: --trace full",
    f"fifth {TEXT} --threads 2": "unrecognized arguments: --threads 2",
    "fifth A:x": "a pile must be a whole number from 0 to 999",
    f"play fifth {TEXT}": "Take one",
    f"judge fifth -- {sys.executable} -c 0": "fifth has no judge's format",
    f"judge --growth fifth -- {sys.executable} -c 0": "fifth has no judge's format",
    f"prove fifth {TEXT} --store none.proof": "gamecore: fifth cannot be proved: it has no prover",
    "fifth --help": "Solve positions of fifth exactly. Take one or more objects",
}


@pytest.mark.parametrize("words", COMMANDS)
def test_commands(words):
    status, out, err = said(*words.split(), stdin="rules\nquit\n")
    assert (status, err.count("\n")) == ((0, 0) if out else (2, 1)), err
    assert COMMANDS[words] in out + err


def test_files(tmp_path):
    (tmp_path / "in.txt").write_text(f"{TEXT}\nB:1\n")
    assert said("fifth", tmp_path / "in.txt")[1] == "A wins 1 point\nB wins 1 point\n"
    assert said("solve-file", tmp_path / "in.txt", "-o", tmp_path / "out.jsonl")[0] == 0
    _, *answers = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert [answer["value"] for answer in answers] == [1, 1]
    assert guess(enumerate([TEXT], 1))[0] is fifth.GAME is games()["fifth"]


DRAFT = {"piles": [1, 2], "to_move": "A"}
#: For each path: the fields, and what the answer or the refusal has.
REQUESTS = {
    "hello": ({}, '"game": "fifth", "title": "Nim"'),
    "position": ({"position": TEXT, "moves": ["2x1"]}, '"position": "B:1.1"'),
    "picture": ({"position": TEXT, "width": 320}, "2: ||"),
    "parse": ({"text": TEXT}, '"positions": ["A:1.2"]'),
    "build": ({"draft": DRAFT}, '"position": "A:1.2"'),
    "random": ({"seed": 1}, '"seed": 1'),
    "next": ({"position": "A:0.0"}, '"text": null'),
    "panel": ({"position": TEXT, "panel": "how"}, "panel must be one of , not 'how'"),
    "move": ({"position": TEXT, "player": "solver"}, '"move": "2x1"'),
    "refute": ({"position": TEXT, "move": "1x1"}, '"line": ["1x1", "2x2"]'),
    "solution": ({"position": TEXT}, '"lower": '),
    "copy": ({"position": TEXT, "moves": True}, '"command": "gamecore fifth A:1.2 --line --analyse"'),
    "puzzle": ({}, '"position": "'),
    "analyse": ({"position": TEXT, "seconds": 1}, '"verdict": "best"'),
    "analyses": ({}, '"running": []'),
    "stop": ({}, '"stopped": '),
}


@pytest.mark.parametrize("path", REQUESTS)
def test_the_page(api, ask, path):  # noqa: F811 - fixtures
    fields, expected = REQUESTS[path]
    fields = fields if path in ("hello", "analyses", "stop") else {"game": "fifth", **fields}
    if path == "panel":
        assert expected in refused(ask, path, **fields).message
    else:
        assert expected in json.dumps(ask(path, **fields))
    assert {f"/api/{path}" for path in REQUESTS} == api.paths().keys()


def test_a_line_of_python_and_frameworks(ask, capsys):  # noqa: F811 - fixture
    exec(ask("copy", game="fifth", position=TEXT)["python"], {})
    assert capsys.readouterr().out == f"{fifth.solve(TEXT)}\n{fifth.analyse(TEXT)}\n"
    with pytest.raises(OptionError, match="fifth has no numbering"):
        coding_of(fifth.GAME, fifth.GAME.start())
    assert versions_of(fifth.GAME.start()) == {}


def test_a_part_that_fails_is_no_part_that_is_missing(tmp_path, monkeypatch):
    """An app's file for the game is found; an import that fails there is an error."""
    monkeypatch.setattr("gamecore.apps.judge.__path__", [*judge.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "gamecore.apps.judge.fifth", raising=False)
    path = tmp_path / "fifth.py"
    path.write_text("import nowhere\n")
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        fifth.GAME.part("judge")
    path.write_text("PART = 5\n")
    importlib.invalidate_caches()
    assert fifth.GAME.part("judge") == 5
    own = type("Own", (type(fifth.GAME),), {"name": "pytest_fixture"})()
    assert own.part("judge") is None  # a user's game named as a file of an app
