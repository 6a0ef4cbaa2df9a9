"""Kit games on the command line: building, tests, tables of all positions, ends of games of points."""

import csv
import shutil

import pytest
from command import said
from kit.games import EXAMPLES, Points, Takeaway, Track, variant

import gamecore
from gamecore import Limits, kit
from gamecore.errors import GamecoreError
from gamecore.game._registry import module_of


@pytest.mark.parametrize(
    ("second", "end", "as_first", "as_second"),
    [
        (9, 0, "you win 12 to 11", "A wins 12 to 11"),
        (10, 0, "you draw 12 to 12", "A draws 12 to 12"),
        (12, 0, "you lose 12 to 14", "A loses 12 to 14"),
        (9, 3, "you win 15 to 11", "A wins 15 to 11"),
    ],
)
def test_the_end_of_a_game_of_points_tells_both_totals(second, end, as_first, as_second):
    ending = {"result": lambda self, state: end if state[0] == 4 else None}
    gamecore.register(variant(Points, "Coins", coins=(5, second, 7, 2), most=1, **ending))
    status, out, _ = said("play", "coins", stdin="1\nsave\n1\n")
    saved = f"A:2:5:{second}"
    assert (status, saved in out, f"The game is over: {as_first}.\n" in out) == (0, True, True)
    assert f"The game is over: {as_second}.\n" in said("play", "coins", "--second", stdin="1\n1\n")[1]
    assert as_first in said("play", "coins", saved, stdin="1\n")[1]
    mine, theirs = as_second.split()[2::2]
    assert said("coins", f"A:4:{int(mine) - end}:{theirs}")[1] == f"{as_second}\n"


def test_a_compiled_table_of_all_positions(built, tmp_path):
    """161,029 positions of connect four on 4x4, of which 26,740 are over (Tromp's table), read by both readers."""
    game = built("connect4", (("W", 4), ("H", 4)))
    header = kit.solve_all(game, tmp_path / "table")
    assert (header["positions"], header["value"]) == (161_029 - 26_740, 0)
    probe = module_of(str(EXAMPLES / "probe.py"))
    table, plain = kit.Table(game, tmp_path / "table"), probe.Table(tmp_path / "table")
    for seed in range(20):
        position = game.random(rng=seed, plies=6)
        value = game.solve(position).value
        assert table.value(position) == table.value(position.to_text()) == value
        assert plain.value(*game.rules_of.key(position.state)) == (None if position.is_over else value)
    assert (plain.value(1, 1), plain.verify()) == (None, True)
    damaged = bytearray((tmp_path / "table").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    assert not probe.Table(tmp_path / "damaged").verify()
    for reader, name, words in (
        (game, "damaged", "is no table of kit solve-all, or is damaged"),
        (kit.make(Takeaway), "table", "was made by other rules of connect4"),
    ):
        with pytest.raises(GamecoreError, match=words):
            kit.Table(reader, tmp_path / name)
    with pytest.raises(GamecoreError, match="table_mb"):
        kit.solve_all(game, tmp_path / "small", Limits(table_mb=0.5))
    assert not (tmp_path / "small").exists()


@pytest.mark.parametrize("rules", [Takeaway, Points, type("Short", (Track,), {"goal": 9})])
def test_a_table_of_a_game_in_python(rules, tmp_path, monkeypatch):
    game = kit.make(rules)
    kit.solve_all(game, tmp_path / "table", csv=tmp_path / "values.csv")
    table = kit.Table(game, tmp_path / "table")
    with (tmp_path / "values.csv").open() as file:
        head, *lines = csv.reader(file)
    assert (head, len(lines)) == (["position", "value", "words"], table.header["positions"])
    assert {text.count(":") for text, _, _ in lines} == {1}  # without points gained before
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
    nim, tictactoe = (shutil.copy(EXAMPLES / name, tmp_path) for name in ("nim.pyx", "tictactoe.py"))
    table, other = tmp_path / "table", tmp_path / "other"
    for status, words, out in (
        (0, ("build", nim), ".so ("),
        (0, ("test", tictactoe, "--seconds", "0.3"), "no mistake found"),
        (0, ("solve-all", tictactoe, "-o", table, "--csv", f"{table}.csv"), "4520 positions in"),
        (0, ("look-up", tictactoe, table, "start", "A:3,48"), "A:0,0 A draws\nA:3,48 A wins in 1 ply\n"),
    ):
        done = said("kit", *words)
        assert (done[0], out in done[1]) == (status, True)
    other.write_text("mine\n")
    source = (tmp_path / "nim.pyx").read_bytes()
    for path, more in ((nim, []), (nim, ["--overwrite"]), (other, ["--overwrite"]), (table, [])):
        status, _, errors = said("kit", "solve-all", nim, "-o", path, *more)
        assert (status, errors.count("\n"), f"'{path}' is there" in errors) == (2, 1, True)
        assert said("kit", "solve-all", nim, "-o", tmp_path / "new", "--csv", path, *more)[0] == 2
    assert ((tmp_path / "nim.pyx").read_bytes(), other.read_text()) == (source, "mine\n")
    assert said("kit", "solve-all", nim, "-o", table, "--csv", f"{table}.csv", "--overwrite")[0] == 0


def test_every_tool_takes_it():
    gamecore.register(kit.make(Takeaway))
    assert said("takeaway", "A:5", "--line", "--analyse")[1].startswith("A wins in 3 plies\n")
    assert '"outcome": "win", "plies": 1' in said("takeaway", "A:2", "--json")[1]
    report = gamecore.judge("takeaway", lambda text: "A draws", count=6, sizes=range(33, 37))
    assert report.counterexample.case.expected.endswith(" in 1 ply")  # a move before the end: as small as can be
    assert said("judge", "takeaway", "--opponent", "greedy", "--", "true")[0] == 2


HEARTS = ["hearts", "simulate", "--players", *["random"] * 4, "--rounds", "3", "--seed", "1"]


@pytest.mark.parametrize(
    ("command", "option", "name"),
    [
        (HEARTS, "--csv", "points.csv"),
        (HEARTS, "--plot", "plot.svg"),
        (["hearts", "compare", "random", "--field", "duck", "--rounds", "4"], "--plot", "plot.png"),
    ],
)
def test_other_commands_overwrite_files_of_their_kind_only(command, option, name, tmp_path):
    if option == "--plot":
        pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    path = tmp_path / name
    path.write_bytes(b"mine")
    assert "is there and is another kind of file" in said(*command, option, path)[2]
    assert path.read_bytes() == b"mine"
    path.write_bytes(b"")
    for _ in range(2):  # the second time over its own file
        assert said(*command, option, path)[0] == 0
        assert path.stat().st_size > 4
