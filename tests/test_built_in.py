"""A fifth built-in game without a file in any app: each tool works by its defaults, or refuses in one line.

Transcripts have it, too: in ``cli``, ``explore/requests.txt`` and ``solve_file/inputs.txt``.
"""

import importlib
import sys

import pytest
from fifth import built_in, fifth  # noqa: F401 - fixture

from gamecore.apps import judge
from gamecore.apps.adapters import coding_of
from gamecore.errors import OptionError
from gamecore.reference import versions_of

pytestmark = pytest.mark.usefixtures("built_in")


def test_frameworks_and_versions():
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
