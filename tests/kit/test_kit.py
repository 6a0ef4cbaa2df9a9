"""Games of one's own: values, both forms, mistakes that are found, strong solutions."""

import importlib.util
import itertools
import shutil
from functools import cache
from pathlib import Path

import pytest

import gamecore
from gamecore import Limits, kit, rows
from gamecore.cli import main
from gamecore.errors import GamecoreError, OptionError
from gamecore.kit._rules import PythonSearcher

EXAMPLES = Path(__file__).parents[2] / "examples" / "kit"
nightly = pytest.mark.nightly


def source_of(name, **sizes):
    """Return an example's source with other numbers, such as ``W=4``."""
    text = (EXAMPLES / f"{name}.pyx").read_text()
    for constant, number in sizes.items():
        before = next(line for line in text.splitlines() if line.startswith(f"    {constant} = "))
        text = text.replace(before, f"    {constant} = {number}", 1)
    return text


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds an example with other numbers."""

    @cache
    def build(name, sizes=()):
        folder = tmp_path_factory.mktemp(name)
        (folder / f"{name}.pyx").write_text(source_of(name, **dict(sizes)))
        return kit.load(folder / f"{name}.pyx")

    return build


def python_game(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GAME


# --- compiled games against published values and independent programs


def test_connect_four_4x4(built, tmp_path):
    """A draw; 161,029 positions of which 26,740 are over (Tromp's table)."""
    game = built("connect4", (("W", 4), ("H", 4)))
    found = game.solve(game.start())
    assert (found.value, found.outcome, found.plies) == (0, "draw", None)
    assert len(found.line) == 16
    header = kit.solve_all(game, tmp_path / "table")
    assert header["positions"] == 161_029 - 26_740
    assert header["value"] == 0

    spec = importlib.util.spec_from_file_location("probe", EXAMPLES / "probe.py")
    probe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(probe)
    table = probe.Table(tmp_path / "table")
    assert table.verify()
    for seed in range(20):
        position = game.random(rng=seed, plies=6)
        expected = None if position.is_over else game.solve(position).value
        assert table.value(*game.rules_of.key(position.state)) == expected
    assert table.value(1, 1) is None
    damaged = bytearray((tmp_path / "table").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    assert not probe.Table(tmp_path / "damaged").verify()
    with pytest.raises(GamecoreError, match="table_mb"):
        kit.solve_all(game, tmp_path / "small", Limits(table_mb=0.5))
    assert not (tmp_path / "small").exists()


def test_limits_give_bounds_and_a_move(built):
    game = built("connect4", (("W", 4), ("H", 4)))
    for limits in (Limits(nodes=50), Limits(seconds=0.0), Limits(nodes=50, table_mb=1)):
        found = game.solve(game.start(), limits)
        assert found.lower < found.upper
        assert found.best_so_far in game.start().legal_moves()
        assert limits.nodes is None or found.nodes <= limits.nodes
    whole = game.analyse(game.start())
    assert whole.exact
    assert {entry.move: entry.value for entry in whole} == {
        move: -value + (value > 0) - (value < 0)
        for move in game.start().legal_moves()
        for value in [game.solve(game.start().play(move)).value]
    }
    with game.solver() as solver:
        first = solver.solve(game.start())
        assert solver.solve(game.start().play(first.best_move)).nodes < first.nodes / 10
    assert game.refine(game.start()).run(10.0).exact


@nightly
@pytest.mark.parametrize(
    ("name", "sizes", "value"),
    [
        ("connect4", (("W", 5), ("H", 4)), 0),  # Tromp's table
        ("connect4", (("W", 5), ("H", 5)), 0),
        ("tictactoe", (), 0),
        ("nim", (), kit.WIN - 15),
        ("hexapawn", (), kit.WIN - 11),
        ("hexapawn", (("R", 5), ("C", 5)), kit.WIN - 19),
    ],
)
def test_known_values(built, name, sizes, value):
    game = built(name, sizes)
    assert game.solve(game.start()).value == value


@nightly
def test_the_coin_row_is_that_of_rows(built):
    game = built("coinrow")
    found = game.solve(game.start())
    own = rows.solve(rows.Position([5, 7, 9, 1, 4, 2, 8, 3, 6, 10, 12, 11]))
    assert found.value == own.value
    assert {(one.move, one.value) for one in game.analyse(game.start())} == {
        (one.move, one.value) for one in rows.analyse(rows.Position([5, 7, 9, 1, 4, 2, 8, 3, 6, 10, 12, 11]))
    }


@nightly
def test_dots_and_boxes_against_plain_python(built):
    boxes = [
        {r * 2 + c, (r + 1) * 2 + c, 6 + r * 3 + c, 6 + r * 3 + c + 1} for r, c in itertools.product((0, 1), (0, 1))
    ]

    @cache
    def value(drawn):
        best = None
        for line in set(range(12)) - drawn:
            after = drawn | {line}
            closed = sum(box <= after for box in boxes) - sum(box <= drawn for box in boxes)
            score = closed + value(after) if closed else -value(after)
            best = score if best is None else max(best, score)
        return best or 0

    game = built("dotsandboxes")
    assert game.solve(game.start()).value == value(frozenset())


# --- both forms


def test_the_python_form_agrees_with_the_compiled_one(built):
    python, compiled = python_game("tictactoe"), built("tictactoe")
    for seed in range(40):
        position = compiled.random(rng=seed, plies=4)
        same = python.read(position.to_text())
        assert same.legal_moves() == position.legal_moves()
        assert str(same) == str(position)
        one, two = python.solve(same), compiled.solve(position)
        assert (one.value, one.outcome, one.plies) == (two.value, two.outcome, two.plies)
        assert len(one.line) == len(two.line)


def test_every_tool_takes_it(built, capsys, tmp_path):
    shutil.copy(EXAMPLES / "tictactoe.py", tmp_path)
    name = str(tmp_path / "tictactoe.py")
    try:
        assert main(["--game", name, "tictactoe", "A:0,0", "--line", "--analyse", "--draw"]) == 0
        assert "A draws" in capsys.readouterr().out
        assert main(["tictactoe", "A:3,48", "--json"]) == 0
        assert '"outcome": "win", "plies": 1' in capsys.readouterr().out
        for bad in ("A:3", "A:1,x", "C:0,0", "A:0,0,0"):
            assert main(["tictactoe", bad]) == 2
            assert capsys.readouterr().err.count("\n") == 1
        answers = gamecore.judge("tictactoe", lambda text: "A draws", count=6, sizes=range(38, 40), shrink=False)
        assert answers.verdicts
    finally:
        gamecore.game._registry._registered.pop("tictactoe", None)


# --- mistakes in the rules


class Takeaway:
    """Take one or two objects from six; whoever takes the last one wins."""

    def start(self):
        return (6,)

    def moves(self, state):
        return [number for number in (1, 2) if number <= state[0]]

    def play(self, state, move):
        return (state[0] - move,)

    def result(self, state):
        return None if state[0] else kit.LOSS


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
    NoMove: ("there is no move, but result says", ["3"]),
    Raises: ("the rules raise ZeroDivisionError", ["4"]),
    Alike: ("two moves are written 'take'", ["6"]),
    Cycle: ("comes again after", None),
    Still: ("changes nothing", ["5"]),
    SharedKey: ("two states have one key, and the values", None),
}


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


def test_errors_of_the_file(tmp_path, monkeypatch):
    path = tmp_path / "mine.pyx"
    with pytest.raises(GamecoreError, match="No such file"):
        kit.load(path)
    path.write_text("cdef enum:\n    MOST_MOVES = 2\n")
    with pytest.raises(GamecoreError, match="does not define State, start, moves, play, result"):
        kit.load(path)
    path.write_text(source_of("nim").replace("return count", "return heaps"))
    line = next(k for k, text in enumerate(path.read_text().splitlines(), 1) if "heaps" in text)
    with pytest.raises(GamecoreError, match=f"mine.pyx, line {line}: .*heaps"):
        kit.load(path)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: "no-such-cc")
    with pytest.raises(GamecoreError, match="a C compiler is needed"):
        kit.load(path)


@nightly
def test_the_command(tmp_path, capsys):
    name = str(shutil.copy(EXAMPLES / "nim.pyx", tmp_path))
    assert main(["kit", "build", name]) == 0
    assert main(["kit", "test", name, "--seconds", "1"]) == 0
    assert main(["kit", "solve-all", name, "-o", str(tmp_path / "table")]) == 0
    assert "positions in" in capsys.readouterr().out
    path = tmp_path / "wrong.pyx"
    path.write_text(source_of("nim").replace("k.b = a + b + c", "k.b = 0"))
    assert main(["kit", "test", str(path), "--seconds", "1"]) == 1
    assert "one key" in capsys.readouterr().out


@nightly
def test_an_interrupted_search_raises(built):
    import signal
    import threading

    game = built("connect4", (("W", 6), ("H", 5)))
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        game.solve(game.start())
