"""Games whose rules have mistakes: solving refuses them, ``kit.check`` finds them."""

import pytest
from kit.examples import RULES, Takeaway, source_of  # pytest's pythonpath has the folder of tests

import gamecore
from gamecore import Limits, kit
from gamecore.apps.kit._python import PythonSearcher
from gamecore.cli import as_typed, main
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


MISTAKES = {
    NoMove: ("there is no move, but result says", ["3"]), Raises: ("the rules raise ZeroDivisionError", ["4"]),
    Alike: ("two moves are written 'take'", ["6"]), Cycle: ("comes again after", None),
    Still: ("changes nothing", ["5"]), SharedKey: ("two states have one key, and the values", None),
}  # fmt: skip


def test_a_game_without_mistakes_passes():
    found = kit.check(kit.make(Takeaway), seconds=1.0)
    assert not found.problem
    assert (found.states, found.solved) == (7, 7)
    game = kit.make(Takeaway)
    assert game.solve(game.start()).outcome == "loss"


@pytest.mark.parametrize("mistaken", MISTAKES)
def test_a_mistake_is_found_with_an_example(mistaken, capsys):
    words, states = MISTAKES[mistaken]
    found = kit.check(kit.make(mistaken), seconds=1.0)
    assert words in found.problem
    assert states is None or [one.to_text()[2:] for one in found.positions] == states
    assert found.positions
    assert found.problem in str(found)


class NoResult(Takeaway):
    def result(self, state):
        return super().result(state) if state[0] != 4 else 1 // 0


def test_a_state_that_cannot_be_shown_is_told():
    found = kit.check(kit.make(NoResult), seconds=1.0)
    assert "the rules raise ZeroDivisionError" in found.problem
    assert "(4,) is no state of noresult" in found.problem


def test_wrong_bounds_are_found(monkeypatch):
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: (1, 1, 1))
    assert "key or bounds are wrong" in kit.check(kit.make(Takeaway), seconds=1.0).problem


def test_a_game_without_end_is_refused():
    class Endless(Takeaway):
        def play(self, state, move):
            return (state[0] + move,)

    game = kit.make(Endless)
    with pytest.raises(GamecoreError, match="cycle"):
        game.solve(game.start())
    with pytest.raises(OptionError, match="no method start"):
        kit.make(type("Half", (), {"start": 1, "moves": print, "play": print}))


class Points(Takeaway):
    """Points for each object: far too many."""

    KIND = "score"
    gain = 6000

    def play(self, state, move):
        return (state[0] - move,), self.gain * move

    def result(self, state):
        return None if state[0] else 0


def test_what_does_not_fit_is_refused():
    class Deep(Takeaway):
        """As it is, from a larger heap."""

    class Odd(Takeaway):
        def result(self, state):
            return None if state[0] else -1

    class Few(Points):
        gain = 3

    for rules, words in (
        (Points, "points must be from -10000 to 10000"),
        (Odd, "result must be LOSS, DRAW, WIN or None, not -1"),
        (Deep, "more than 400 plies"),
        (NoMove, "there is no move"),
        (type("Kind", (Takeaway,), {"KIND": "points"}), "KIND must be 'outcome' or 'score', not 'points'"),
    ):
        with pytest.raises(GamecoreError, match=words):
            kit.make(rules).solve("A:900" if rules is Deep else "A:6")
        if rules not in (Deep, Points):  # with cycles, all positions are solved from the ends
            with pytest.raises(GamecoreError, match=words):
                kit.make(type("Cyclic", (rules,), {"CYCLES": True})).solve("A:6")
    assert kit.check(kit.make(Odd), seconds=1.0).problem.startswith("result must be LOSS")  # its name is told once
    few = kit.make(Few)
    assert few.solve(few.start()).value == 6


def test_two_games_of_one_name():
    def made(size):
        class Heap(Takeaway):
            def start(self):
                return (size,)

            def valid(self, state):
                return 0 <= state[0] <= size

        return kit.make(Heap)

    small, large = made(6), made(9)
    assert (small.start().to_text(), large.start().to_text()) == ("A:6", "A:9")
    assert large.solve("A:8").outcome == "win"
    with pytest.raises(GamecoreError, match="no state of heap"):
        small.parse("A:8")
    assert small.Position is not large.Position


class Corridor:
    """A piece on squares 0 to 5 moves one square; whoever moves it to square 0 wins."""

    CYCLES = True

    def start(self):
        return (4,)

    def moves(self, state):
        return [-1, 1] if state[0] < 5 else [-1]

    def play(self, state, move):
        return (state[0] + move,)

    def result(self, state):
        return None if state[0] else kit.LOSS


def test_a_game_with_cycles():
    game = kit.make(Corridor)
    found = {square: str(game.solve(f"A:{square}")) for square in range(1, 6)}
    assert found == {1: "win in 1", 2: "draw", 3: "draw", 4: "draw", 5: "draw"}
    assert len(game.solve(game.start()).line) >= 2  # until a state comes again
    assert not kit.check(game, seconds=1.0).problem
    assert not game.solve(game.start(), Limits(nodes=2)).exact
    no_cycles = kit.make(type("NoCycles", (Corridor,), {"CYCLES": False}))
    assert "comes again" in kit.check(no_cycles, seconds=1.0).problem
    with pytest.raises(GamecoreError, match="CYCLES = True"):
        no_cycles.solve("A:4")
    with pytest.raises(OptionError, match="threads must be 1"):
        game.solve(game.start(), threads=2)


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


def test_a_game_is_not_taken_for_an_option():
    assert as_typed("game2 has no moves", ["--game", "mine.py", "play", "game2"]) == "game2 has no moves"


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


@pytest.mark.nightly  # each is compiled
@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("piles[3]", "piles[3]\n    uint64_t more[3]", "load mine.pyx: a State of more than 16 bytes needs a key"),
        ("NAME =", "1 // [][0]\nNAME =", "load mine.pyx: IndexError: list index out of range (mine.pyx, line 2, "),
        ("NAME =", "cdef extern from 'missing.h':\n    pass\nNAME =", "mine.pyx: missing.h: No such file"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_built_or_loaded(right, wrong, said, tmp_path):
    file = tmp_path / "mine.pyx"
    file.write_text(source_of("nim").replace("key(", "other_key(").replace(right, wrong, 1))
    with pytest.raises(GamecoreError) as error:
        kit.load(file)
    assert said in str(error.value)


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
