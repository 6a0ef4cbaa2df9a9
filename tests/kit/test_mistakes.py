"""Games whose rules have mistakes: solving refuses them, ``kit.check`` finds them."""

import re

import pytest
from command import said
from kit.games import RULES, Passing, Ring, Takeaway, Walk, source_of, variant  # pytest's pythonpath

import gamecore
from gamecore import kit
from gamecore.apps.kit._search import PythonSearcher
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import _registry
from gamecore.text import outside


@pytest.fixture(autouse=True)
def unregistered(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})


def changed(name, when, then):
    """A function of the rules that returns something else for some arguments."""
    usual = getattr(Takeaway, name)
    return {name: lambda self, state, *move: then(state, *move) if when(state, *move) else usual(self, state, *move)}


# The wrong functions, what `kit.check` says, the states that it shows, and what a solution of six objects says.
MISTAKES = {
    "no move": (changed("moves", lambda s: s[0] == 3, lambda s: []), "there is no move, but result says", ["3"],
                "there is no move"),
    "raises": (changed("play", lambda s, m: s[0] == 4, lambda s, m: 1 // 0), "the rules raise ZeroDivisionError",
               ["4"], ""),
    "alike": ({"write": lambda self, state, move: "take"}, "two moves are written 'take'", ["6"], ""),
    "cycle": (changed("play", lambda s, m: s[0] == 2 and m == 1, lambda s, m: (3,)), "comes again after", None, ""),
    "still": (changed("play", lambda s, m: s[0] == 5, lambda s, m: s), "changes nothing", ["5"], "CYCLES = True"),
    "key": ({"key": lambda self, state: state[0] % 4},
            r"two states have one key, and the values (win|loss) in \d and (win|loss) in \d$", None, ""),
    "no result": (changed("result", lambda s: s[0] == 4, lambda s: 1 // 0), r"\(4,\) is no state of variant", [], ""),
    "odd": ({"result": lambda self, state: None if state[0] else -1},
            "result must be LOSS, DRAW, WIN or None, not -1", None, "result must be LOSS, DRAW, WIN or None, not -1"),
    "endless": (changed("play", lambda s, m: True, lambda s, m: (s[0] + m,)), "a game of more than 400 plies", None,
                "more than 400 plies: is there a cycle"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_with_an_example(mistake):
    members, words, states, solving = MISTAKES[mistake]
    checked = kit.check(variant(Takeaway, **members), seconds=0.5)
    assert re.search(words, checked.problem)
    assert states is None or [position.to_text()[2:] for position in checked.positions] == states
    assert checked.problem in str(checked)
    cyclic = mistake in ("no move", "odd")  # all positions are solved from the ends
    for more in [{}, {"CYCLES": True}][: 1 + cyclic] if solving else []:
        with pytest.raises(GamecoreError, match=solving):
            variant(Takeaway, **members, **more).solve("A:6")


def test_what_is_no_game_is_refused():
    with pytest.raises(OptionError, match="no method start"):
        kit.make(type("Half", (), {"start": 1, "moves": print, "play": print}))
    for members, words in (
        ({"KIND": "points"}, "KIND must be 'outcome' or 'score', not 'points'"),
        ({"KIND": "score", "CYCLES": True}, "KIND = 'score' does not go with CYCLES = True"),
    ):
        with pytest.raises(OptionError, match=words):
            variant(Takeaway, **members)


def test_a_right_game_passes_and_wrong_bounds_are_found(monkeypatch):
    for rules in (Takeaway, Ring, Passing, Walk):  # with cycles and passes, too
        checked = kit.check(kit.make(rules), seconds=2.0)
        assert (checked.problem, checked.solved) == ("", checked.states)
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: (1, 1, 1))
    assert "key or bounds are wrong" in kit.check(kit.make(Takeaway), seconds=1.0).problem


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("[1, 2]", "'ab'", "unsupported operand type(s) for -: 'int' and 'str' ({}, line 8, in play)"),
        ("(state[0] - move,)", "state[0] - move", "TypeError: 'int' object is not subscriptable ({}, line 10, in "),
        ("moves(self, state)", "moves(self)", "the rules raise TypeError: Game2.moves() takes 1 positional argument"),
        ("[1, 2]", "self.no()\n    def no(self):\n        raise ValueError('a\\nb')", "ValueError: a b ({}, line "),
        ("(5,)", "[5]", "a state of game2 must be a tuple of 1 whole number, not [5]"),
        ("state[0] > 0", "state[7]", "game2: IndexError: tuple index out of range ({}, line 10, in result)"),
        ("kit.make", "make", "NameError: name 'make' is not defined ({}, line 11, in <module>)"),
        ("kit.LOSS", "kit.LOSS)", "SyntaxError: unmatched ')' ({}, line 10)"),
    ],
)
def test_the_command_says_where_rules_go_wrong(right, wrong, words, tmp_path):
    (tmp_path / "mine.py").write_text(RULES.replace(right, wrong))
    status, _, errors = said("--game", tmp_path / "mine.py", "game2", "start")
    assert (status, errors.count("\n"), words.format("mine.py") in errors) == (2, 1, True)


def test_errors_of_other_code_are_not_the_rules(monkeypatch, tmp_path):
    (tmp_path / "mine.py").write_text(RULES)
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        said("--game", tmp_path / "mine.py", "game2", "start")


def test_a_folder_may_begin_with_the_name_of_the_package():
    names = {}
    exec(compile(RULES.replace("[1, 2]", "1 // 0"), f"{gamecore.__path__[0]}_mine/mine.py", "exec"), names)
    with pytest.raises(ZeroDivisionError) as error:
        names["GAME"].solve("A:5")
    place = outside(error.value)
    assert (place.filename[-13:], place.lineno, place.name) == ("_mine/mine.py", 6, "moves")


def test_a_wrong_index_in_a_compiled_game_is_an_error(tmp_path):
    file, source = tmp_path / "wrong.pyx", source_of("nim")
    for name, words in (("write", "state, move"), ("draw", "state, mover")):
        source = source.replace(f"def {name}(", f"def {name}({words}):\n    return [][0]\n\n\ndef unused_{name}(")
    file.write_text(source)
    status, _, errors = said("--game", file, "wrong", "start", "--draw")
    words = "IndexError: list index out of range (wrong.pyx, line "
    assert (status, f"the rules raise {words}" in errors, errors.endswith(".draw)\n")) == (2, True, True)
    with pytest.raises(GamecoreError, match=re.escape(words)):
        kit.load(file).start().legal_moves()
    assert f"the rules raise {words}" in kit.check(kit.load(file)).problem
