"""Kit games on the command line: building, tests, tables of all positions, ends of games of points."""

import csv
import importlib.util
import shutil

import pytest
from command import said
from kit.games import EXAMPLES, Points, Takeaway, Track, source_of  # pytest's pythonpath has the folder of tests

import gamecore
from gamecore import Limits, cli, kit
from gamecore.errors import GamecoreError
from gamecore.game import _registry

COINS = """
from gamecore import kit
class Coins:
    KIND = "score"
    def start(self):
        return (0,)
    def moves(self, state):
        return [1]
    def play(self, state, move):
        return (state[0] + 1,), (5, {second}, 7, 2)[state[0]]
    def result(self, state):
        return {end} if state[0] == 4 else None
GAME = kit.make(Coins)
"""


@pytest.fixture(autouse=True)
def unregistered(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})


@pytest.mark.parametrize(
    ("second", "end", "as_first", "as_second"),
    [
        (9, 0, "you win 12 to 11", "A wins 12 to 11"),
        (10, 0, "you draw 12 to 12", "A draws 12 to 12"),
        (12, 0, "you lose 12 to 14", "A loses 12 to 14"),
        (9, 3, "you win 15 to 11", "A wins 15 to 11"),
    ],
)
def test_the_end_of_a_game_of_points_tells_both_totals(second, end, as_first, as_second, tmp_path):
    path = tmp_path / f"coins{second}{end}.py"
    path.write_text(COINS.format(second=second, end=end))
    for words, options in ((as_first, []), (as_second, ["--second"])):
        status, out, _ = said("--game", str(path), "play", "coins", *options, stdin="1\n1\n")
        assert status == 0
        assert f"The game is over: {words}.\n" in out


def test_a_saved_game_keeps_its_points(tmp_path):
    path = tmp_path / "saved.py"
    path.write_text(COINS.format(second=9, end=0).replace("Coins", "Saved"))
    status, out, _ = said("--game", str(path), "play", "saved", stdin="1\nsave\n")
    assert (status, "A:2:5:9" in out) == (0, True)
    assert "you win 12 to 11" in said("--game", str(path), "play", "saved", "A:2:5:9", stdin="1\n")[1]
    assert said("--game", str(path), "saved", "A:4:12:11")[1] == "A wins 12 to 11\n"


def test_a_compiled_table_of_all_positions(built, tmp_path):
    """161,029 positions of connect four on 4x4, of which 26,740 are over (Tromp's table), read by both readers."""
    game = built("connect4", (("W", 4), ("H", 4)))
    header = kit.solve_all(game, tmp_path / "table")
    assert (header["positions"], header["value"]) == (161_029 - 26_740, 0)
    spec = importlib.util.spec_from_file_location("probe", EXAMPLES / "probe.py")
    probe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(probe)
    table, plain = kit.Table(game, tmp_path / "table"), probe.Table(tmp_path / "table")
    assert plain.verify()
    for seed in range(20):
        position = game.random(rng=seed, plies=6)
        value = game.solve(position).value
        assert table.value(position) == table.value(position.to_text()) == value
        assert plain.value(*game.rules_of.key(position.state)) == (None if position.is_over else value)
    assert plain.value(1, 1) is None
    damaged = bytearray((tmp_path / "table").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    assert not probe.Table(tmp_path / "damaged").verify()
    with pytest.raises(GamecoreError, match="is no table of kit solve-all, or is damaged"):
        kit.Table(game, tmp_path / "damaged")
    with pytest.raises(GamecoreError, match="was made by other rules of connect4"):
        kit.Table(kit.make(Takeaway), tmp_path / "table")
    with pytest.raises(GamecoreError, match="table_mb"):
        kit.solve_all(game, tmp_path / "small", Limits(table_mb=0.5))
    assert not (tmp_path / "small").exists()


@pytest.mark.parametrize("rules", [Takeaway, Points, type("Short", (Track,), {"length": 9})])
def test_a_table_of_a_game_in_python(rules, tmp_path, monkeypatch):
    game = kit.make(rules)
    kit.solve_all(game, tmp_path / "table", csv=tmp_path / "values.csv")
    table = kit.Table(game, tmp_path / "table")
    with (tmp_path / "values.csv").open() as file:
        head, *lines = csv.reader(file)
    assert (head, len(lines)) == (["position", "value", "words"], table.header["positions"])
    for text, value, words in lines:
        solution = game.solve(text)
        assert (table.value(text), int(value), words) == (solution.value, solution.value, str(solution))
    other = rules()
    other.handicap = 1
    with pytest.raises(GamecoreError, match=f"was made by other rules of {game.name}"):
        kit.Table(kit.make(other), tmp_path / "table")
    with pytest.raises(GamecoreError, match="A:-1 is not in the table: play cannot reach it"):
        table.value("A:-1")
    monkeypatch.setattr(game.rules_of, "table_key", lambda state: (0, 0))
    with pytest.raises(GamecoreError, match="two states have one key, and the values"):
        kit.solve_all(game, tmp_path / "wrong")


def test_the_command_builds_tests_solves_and_looks_up(tmp_path):
    nim, mistaken = shutil.copy(EXAMPLES / "nim.pyx", tmp_path), tmp_path / "wrong.pyx"
    tictactoe, table, other = shutil.copy(EXAMPLES / "tictactoe.py", tmp_path), tmp_path / "table", tmp_path / "other"
    assert said("kit", "build", nim)[0] == 0
    mistaken.write_text(source_of("nim").replace("k.b = a + b + c", "k.b = 0"))
    status, out, _ = said("kit", "test", str(mistaken), "--seconds", "1")
    assert (status, "two states have one key" in out) == (1, True)
    assert "no mistake found" in said("kit", "test", tictactoe, "--seconds", "0.3")[1]
    assert "4520 positions in" in said("kit", "solve-all", tictactoe, "-o", str(table), "--csv", f"{table}.csv")[1]
    assert (
        said("kit", "look-up", tictactoe, str(table), "start", "A:3,48")[1] == "A:0,0 A draws\nA:3,48 A wins in 1 ply\n"
    )
    other.write_text("mine\n")
    source = (tmp_path / "nim.pyx").read_bytes()
    for path, more in ((nim, []), (nim, ["--overwrite"]), (other, ["--overwrite"]), (table, [])):
        status, _, errors = said("kit", "solve-all", nim, "-o", str(path), *more)
        assert (status, errors.count("\n"), f"'{path}' is there" in errors) == (2, 1, True)
        assert said("kit", "solve-all", nim, "-o", str(tmp_path / "new"), "--csv", str(path), *more)[0] == 2
    assert ((tmp_path / "nim.pyx").read_bytes(), other.read_text()) == (source, "mine\n")
    assert said("kit", "solve-all", nim, "-o", str(table), "--csv", f"{table}.csv", "--overwrite")[0] == 0
    for words, message in (
        (("build", "no_such.py"), "No such file"),
        (("test", "no_such.py"), "no such file"),
        (("build", tictactoe), "must be a small .pyx file"),
        (("test", str(EXAMPLES.parent / "nim.py")), "nim is no game of gamecore.apps.kit"),
        (("look-up", tictactoe, str(other), "start"), "is no table of kit solve-all"),
    ):
        status, _, errors = said("kit", *words)
        assert (status, errors.count("\n"), message in errors) == (2, 1, True)


def test_every_tool_takes_it():
    game = kit.make(Takeaway)
    gamecore.register(game)
    assert said("takeaway", "A:5", "--line", "--analyse")[1].startswith("A wins in 3 plies\n")
    assert '"outcome": "win", "plies": 1' in said("takeaway", "A:2", "--json")[1]
    report = gamecore.judge("takeaway", lambda text: "A draws", count=6, sizes=range(33, 37))
    smallest = report.counterexample.case  # a move before the end: as small as can be
    assert smallest.expected.endswith(" in 1 ply")
    assert cli.main(["judge", "takeaway", "--opponent", "greedy", "--", "true"]) == 2


HEARTS = ["hearts", "simulate", "--players", "random", "random", "random", "random", "--rounds", "3", "--seed", "1"]


@pytest.mark.parametrize(
    ("command", "option", "name"),
    [
        (HEARTS, "--csv", "points.csv"),
        (HEARTS, "--plot", "plot"),
        (HEARTS, "--plot", "plot.svg"),
        (["hearts", "compare", "random", "--field", "duck", "--rounds", "4"], "--plot", "plot.png"),
    ],
)
def test_other_commands_overwrite_files_of_their_kind_only(command, option, name, tmp_path, capsys):
    if option == "--plot":
        pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    path = tmp_path / name
    path.write_text("class Mine:\n    pass\n")
    assert cli.main([*command, option, str(path)]) == 2
    assert "is there and is another kind of file" in capsys.readouterr().err
    assert path.read_text() == "class Mine:\n    pass\n"
    path.unlink()
    for _ in range(2):  # the second time over its own file
        assert cli.main([*command, option, str(path)]) == 0
    path.write_bytes(b"")
    assert cli.main([*command, option, str(path)]) == 0
    assert path.stat().st_size > 0
