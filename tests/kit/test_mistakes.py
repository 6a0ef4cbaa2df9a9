"""Games whose rules have mistakes: solving refuses them, ``kit.check`` finds them."""

import re

import pytest
from kit.games import RULES, Takeaway, source_of  # pytest's pythonpath has the folder of tests

import gamecore
from gamecore import kit
from gamecore.apps.kit._search import PythonSearcher
from gamecore.cli import main
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import _registry
from gamecore.text import outside


class NoMove(Takeaway):
    def moves(self, state):
        return super().moves(state) if state[0] != 3 else []


class Raises(Takeaway):
    def play(self, state, move):
        return (state[0] - 10 // (state[0] - 2 * move or 0),) if state[0] == 4 else super().play(state, move)


class Alike(Takeaway):
    def write(self, state, move):
        return "take"


class Cycle(Takeaway):
    def play(self, state, move):
        return (state[0] + 1,) if state[0] == 2 and move == 1 else super().play(state, move)


class Still(Takeaway):
    def play(self, state, move):
        return state if state[0] == 5 else super().play(state, move)


class SharedKey(Takeaway):
    def key(self, state):
        return state[0] % 4


class NoResult(Takeaway):
    def result(self, state):
        return super().result(state) if state[0] != 4 else 1 // 0


class Odd(Takeaway):
    def result(self, state):
        return None if state[0] else -1


class Endless(Takeaway):
    def play(self, state, move):
        return (state[0] + move,)


# What `kit.check` says, the states that it shows, and what a solution of six objects says.
MISTAKES = {
    NoMove: ("there is no move, but result says", ["3"], "there is no move"),
    Raises: ("the rules raise ZeroDivisionError", ["4"], ""),
    Alike: ("two moves are written 'take'", ["6"], ""),
    Cycle: ("comes again after", None, ""),
    Still: ("changes nothing", ["5"], "CYCLES = True"),
    SharedKey: ("two states have one key, and the values", None, ""),
    NoResult: ("(4,) is no state of noresult", [], ""),
    Odd: ("result must be LOSS, DRAW, WIN or None, not -1", None, "result must be LOSS, DRAW, WIN or None, not -1"),
    Endless: ("a game of more than 400 plies", None, "more than 400 plies: is there a cycle"),
}


@pytest.mark.parametrize("mistaken", MISTAKES)
def test_a_mistake_is_found_with_an_example(mistaken):
    words, states, solving = MISTAKES[mistaken]
    checked = kit.check(kit.make(mistaken), seconds=0.5)
    assert words in checked.problem
    assert states is None or [position.to_text()[2:] for position in checked.positions] == states
    assert checked.problem in str(checked)
    if mistaken is SharedKey:  # in words, not as 9993
        assert re.search(r"the values (win|loss) in \d and (win|loss) in \d", checked.problem)
    refused = [mistaken, type("Cyclic", (mistaken,), {"CYCLES": True})]  # all positions are solved from the ends
    for rules in refused[: 2 if mistaken in (NoMove, Odd) else len(solving[:1])]:
        with pytest.raises(GamecoreError, match=solving):
            kit.make(rules).solve("A:6")


def test_what_is_no_game_is_refused():
    with pytest.raises(OptionError, match="no method start"):
        kit.make(type("Half", (), {"start": 1, "moves": print, "play": print}))
    with pytest.raises(OptionError, match="KIND must be 'outcome' or 'score', not 'points'"):
        kit.make(type("Kind", (Takeaway,), {"KIND": "points"}))
    with pytest.raises(OptionError, match="KIND = 'score' does not go with CYCLES = True"):
        kit.make(type("Both", (Takeaway,), {"KIND": "score", "CYCLES": True}))


def test_a_right_game_passes_and_wrong_bounds_are_found(monkeypatch):
    game = kit.make(Takeaway)
    checked = kit.check(game, seconds=1.0)
    assert (checked.problem, checked.states, checked.solved) == ("", 7, 7)
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: (1, 1, 1))
    assert "key or bounds are wrong" in kit.check(game, seconds=1.0).problem


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
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
)  # fmt: skip
def test_the_command_says_where_rules_go_wrong(right, wrong, said, tmp_path, monkeypatch, capsys):
    file = tmp_path / "mine.py"
    file.write_text(RULES.replace(right, wrong))
    monkeypatch.setattr(_registry, "_registered", {})
    assert main(["--game", str(file), "game2", "start"]) == 2
    told = capsys.readouterr().err
    assert said.format("mine.py") in told
    assert told.count("\n") == 1


def test_errors_of_other_code_are_not_the_rules(monkeypatch, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(RULES)
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: 1 // 0)
    monkeypatch.setattr(_registry, "_registered", {})
    with pytest.raises(ZeroDivisionError):
        main(["--game", str(file), "game2", "start"])


def test_a_folder_may_begin_with_the_name_of_the_package():
    made = {}
    exec(compile(RULES.replace("[1, 2]", "1 // 0"), f"{gamecore.__path__[0]}_mine/mine.py", "exec"), made)
    with pytest.raises(ZeroDivisionError) as error:
        made["GAME"].solve("A:5")
    place = outside(error.value)
    assert (place.filename[-13:], place.lineno, place.name) == ("_mine/mine.py", 6, "moves")


def test_a_wrong_index_in_a_compiled_game_is_an_error(tmp_path, monkeypatch, capsys):
    file, source = tmp_path / "wrong.pyx", source_of("nim")
    for name, words in (("write", "state, move"), ("draw", "state, mover")):
        source = source.replace(f"def {name}(", f"def {name}({words}):\n    return [][0]\n\n\ndef unused_{name}(")
    file.write_text(source)
    monkeypatch.setattr(_registry, "_registered", {})
    assert main(["--game", str(file), "wrong", "start", "--draw"]) == 2
    told = capsys.readouterr().err
    assert "the rules raise IndexError: list index out of range (wrong.pyx, line " in told
    assert told.endswith(".draw)\n")
    game = kit.load(file)
    with pytest.raises(GamecoreError, match=r"IndexError: list index out of range .wrong\.pyx, line"):
        game.start().legal_moves()
    assert "the rules raise IndexError: list index out of range (wrong.pyx, line " in kit.check(game).problem
