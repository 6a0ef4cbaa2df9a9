"""What calls in Python are refused with: transcripts in ``tests/refusals``, which ``pytest --update`` writes anew.

A statement stands behind ``>>>``; the error that it raises follows in one line, with its place if it has one. A file's
statements are run one after another, among the names of the package.
"""

import ast
import re
from pathlib import Path

import pytest

import gamecore
from gamecore import GamecoreError

FILES = sorted((Path(__file__).parent / "refusals").glob("*.txt"))
STATEMENT = re.compile(r"^>>> (.+(?:\n\.\.\. .+)*)\n(?:\w+Error.*\n)?", re.MULTILINE)


def error_of(source, names):
    """Run a statement, and return the error that it raises as a line."""
    must_raise = isinstance(ast.parse(source).body[0], ast.Expr)
    try:
        exec(source, names)
    except GamecoreError as error:
        line = f"{type(error).__name__}: {error}"
        assert must_raise, line
    else:
        assert not must_raise, f"nothing is raised by {source}"
        return ""
    assert line.isprintable()
    assert len(line) < 1000
    return f"{line}\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_refusals(path, request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {name: getattr(gamecore, name) for name in gamecore.__all__}

    def again(match):
        source = match[1]
        return f">>> {source}\n" + error_of(source.replace("\n... ", "\n"), names)

    text = path.read_text("utf-8")
    printed = STATEMENT.sub(again, text)
    if request.config.option.update:
        path.write_text(printed, "utf-8")
    else:
        assert printed == text, "pytest tests/test_refusals.py --update writes it anew"
