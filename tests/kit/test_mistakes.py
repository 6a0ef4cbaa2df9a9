"""Games whose rules have mistakes: the errors that name them."""

import os
import re
from pathlib import Path

import pytest
from command import said
from kit.games import HEAP, HERE, Takeaway, source_of  # pytest's pythonpath has the folder of tests

import gamecore
from gamecore import kit
from gamecore.apps.kit import _check
from gamecore.apps.kit._search import PythonSearcher
from gamecore.cli import game_in
from gamecore.errors import GamecoreError
from gamecore.game import _registry
from gamecore.text import outside

TEXT = (HERE / "mistakes.txt").read_text("utf-8")
PYTHON_3_14 = {  # words of its errors, and those of versions before
    "cannot use 'list' as a dict key (unhashable type: 'list')": "unhashable type: 'list'",
    "Error: division by zero": "Error: integer division or modulo by zero",
}
CASE = re.compile(r"^((\w+\.pyx?)(, nightly)?: (.+)\n)((?:    .+\n)*)", re.MULTILINE)


def changed(source, changes):
    """Replace texts: ``old -> new | old -> new``, with the escapes of Python."""
    for change in changes.split(" | "):
        old, new = (words.encode("ascii").decode("unicode_escape") for words in change.split(" -> "))
        assert old in source
        source = source.replace(old, new)
    return source


def answers(path):
    """Say what the commands say, as far as the game can be loaded; of drawings of positions, their notation alone."""
    try:
        game_in(str(path))
    except GamecoreError as error:
        refusal = str(error)
        if "cannot load" in refusal and path.suffix == ".pyx":
            refusal = said("kit", "build", path)[2].strip().removeprefix("gamecore: ")
        return f"    load: {refusal}\n"
    said_by = {}
    for name, *command in (
        ("start", path.stem, "start", "--draw"),
        ("test", "kit", "test", path, "--seconds", "5"),
        ("solve-all", "kit", "solve-all", path, "-o", path.with_name("table"), "--table-mb", 1),
    ):
        _registry._registered.clear()
        _, out, errors = said(*command) if command[0] == "kit" else said("--game", path, *command)
        first, *more = re.sub(
            r"^gamecore: | in \d+\.\d s\b|: \d+ positions need .+? more(?=;|$)", "", errors or out
        ).splitlines()
        words = " ".join([first, *(line for line in more if re.match("[AB]:", line))])
        said_by.setdefault(words, []).append(name)
    return "".join(f"    {', '.join(names)}: {words}\n" for words, names in said_by.items())


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.nightly] * bool(case[3]), id=case[1][:-1]) for case in CASE.finditer(TEXT)],
)
def test_mistakes(case, request, tmp_path, monkeypatch):
    head, name, _, changes, expected = case.groups()
    source = HEAP if name == "heap.py" else source_of(name)
    (tmp_path / name).write_text(changed(source, changes), "utf-8", "surrogateescape")
    monkeypatch.chdir(tmp_path)  # the folder stands in no message
    answer = answers(Path(name))
    for words, others in PYTHON_3_14.items():
        answer = answer.replace(words, others)
    if request.config.option.update:
        path = HERE / "mistakes.txt"
        path.write_text(path.read_text("utf-8").replace(head + expected, head + answer), "utf-8")
    else:
        assert answer == expected


def test_wrong_bounds_are_found(monkeypatch):
    takeaway = kit.make(Takeaway)
    for lower, upper, most in ((3, 3, -9994), (5, -5, -5)):
        monkeypatch.setattr(PythonSearcher, "search", lambda *_, bounds=(lower, upper, 1): bounds)
        assert "the rules depend on more than the state" in kit.check(takeaway, seconds=1.0).problem
        with pytest.raises(GamecoreError, match=rf"at least {lower} and at most {most} of \(6,\)"):
            takeaway.solve("A:6")
    for use in (takeaway.analyse, lambda text: takeaway.batch.solve_many([text])):
        with pytest.raises(
            GamecoreError, match=r"more than the state: a value of at least 5 and at most -5 of \(\d,\)"
        ):
            use("A:6")


@pytest.mark.nightly
def test_rules_that_crash_or_do_not_end(tmp_path, monkeypatch):
    monkeypatch.setattr(_check, "_MARGIN", 3.0)
    crash = "crash (exit status 1)" if "GAMECORE_SANITIZED" in os.environ else "crash (signal 11)"
    for name, body, end in (("crash", "(<int*>NULL)[0] = 1", crash), ("loop", "pass", "do not end")):
        path, wrong = tmp_path / f"{name}.pyx", f"while s.piles[0] == 2:\\n        {body}\\n    s.piles"
        path.write_text(changed(source_of("nim.pyx"), f"s.piles[move // -> {wrong}[move //"))
        status, out, errors = said("kit", "test", path, "--seconds", "0.5")
        assert (status, errors, out.partition(", in or after ")[0]) == (1, "", f"{name}: the rules {end}")
        assert ":2," in out


def test_errors_of_other_code_are_not_the_rules(monkeypatch, tmp_path):
    (tmp_path / "heap.py").write_text(HEAP)
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        said("--game", tmp_path / "heap.py", "heap", "start")


def test_a_folder_may_begin_with_the_name_of_the_package():
    names = {}
    exec(
        compile(HEAP.replace("[1, 2][: state[0]]", "1 // 0"), f"{gamecore.__path__[0]}_mine/mi\x1bne.py", "exec"), names
    )
    with pytest.raises(GamecoreError) as error:
        names["GAME"].solve("A:5")
    place = outside(error.value.__cause__)
    assert (place.filename[-14:], place.lineno, place.name) == ("_mine/mi\x1bne.py", 7, "moves")
    assert str(error.value).endswith(r"(mi\x1bne.py, line 7, in moves)")
