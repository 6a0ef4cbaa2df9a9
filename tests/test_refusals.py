"""What calls in Python are refused with: transcripts in ``tests/refusals``, which ``pytest --update`` writes anew.

A statement stands behind ``>>>``; the error that it raises follows in one line, with its place if it has one, or
a value behind ``=``. Statements of a file are run one after another, among the names of the package. Errors are
copied and pickled, too.
"""

import ast
import copy
import pickle
import re
from pathlib import Path

import pytest

import gamecore
from gamecore import GamecoreError, errors, hearts

FILES = sorted((Path(__file__).parent / "refusals").glob("*.txt"))
STATEMENT = re.compile(r"^>>> (.+(?:\n\.\.\. .+)*)\n(?:(?:\w+Error|= ).*\n)?", re.MULTILINE)


def answer_to(source, names):
    """Run a statement, and return the error that it raises, or an expression's value, as a line."""
    if not isinstance(ast.parse(source).body[0], ast.Expr):
        exec(source, names)
        return ""
    try:
        return f"= {eval(source, names)!r}\n"
    except GamecoreError as caught:
        error = caught.with_traceback(None)
    error.__cause__ = error.__context__ = None  # Dask, where it is imported, has pickles hold these
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    words = str(error).replace("lstat: embedded null character in path", "embedded null byte")  # of Python 3.14
    line = f"{type(error).__name__}: {words}"
    assert line.isprintable()
    assert len(line) < 1000
    return f"{line}\n"


def kinds_of_errors(kind=GamecoreError):
    """Names of all kinds of errors."""
    return {kind.__name__}.union(*map(kinds_of_errors, kind.__subclasses__()))


def test_every_kind_of_error_is_raised_somewhere():
    raised = {name for path in FILES for name in re.findall(r"^(\w+Error)\b", path.read_text("utf-8"), re.MULTILINE)}
    assert raised == {name for name in kinds_of_errors() if hasattr(errors, name) or hasattr(hearts, name)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_refusals(path, request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {name: getattr(gamecore, name) for name in gamecore.__all__}

    def again(match):
        source = match[1]
        return f">>> {source}\n" + answer_to(source.replace("\n... ", "\n"), names)

    text = path.read_text("utf-8")
    printed = STATEMENT.sub(again, text)
    if request.config.option.update:
        path.write_text(printed, "utf-8")
    else:
        assert printed == text, "pytest tests/test_refusals.py --update writes it anew"
