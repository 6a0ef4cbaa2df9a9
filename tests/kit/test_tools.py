"""Kit games in ``play`` and in files: ends of games of points, and what is never overwritten."""

import shutil
from pathlib import Path

import pytest
from command import said
from kit.examples import EXAMPLES  # pytest's pythonpath has the folder of tests

from gamecore import cli, kit
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
        (9, 0, "you win 1 point", "A wins 1 point"),  # 12 against 11
        (10, 0, "you draw", "A draws"),
        (12, 0, "you lose 2 points", "A loses 2 points"),
        (9, 3, "you win 4 points", "A wins 4 points"),
    ],
)
def test_play_counts_what_moves_gained(second, end, as_first, as_second, tmp_path):
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
    assert status == 0
    assert "A:2:-4" in out
    assert "you win 1 point" in said("--game", str(path), "play", "saved", "A:2:-4", stdin="1\n")[1]


@pytest.fixture
def nim(tmp_path):
    return Path(shutil.copy(EXAMPLES / "nim.pyx", tmp_path))


def test_solve_all_overwrites_its_own_tables_only(nim, tmp_path, capsys):
    source, table, other = nim.read_bytes(), tmp_path / "table", tmp_path / "other"
    other.write_text("mine\n")
    for path in (nim, other):
        for more in ([], ["--overwrite"]):
            assert cli.main(["kit", "solve-all", str(nim), "-o", str(path), *more]) == 2
            error = capsys.readouterr().err
            assert f"'{path}' is there" in error
            assert error.count("\n") == 1
    assert (nim.read_bytes(), other.read_text()) == (source, "mine\n")
    assert cli.main(["kit", "solve-all", str(nim), "-o", str(table)]) == 0
    first = table.read_bytes()
    assert (cli.main(["kit", "solve-all", str(nim), "-o", str(table)]), table.read_bytes()) == (2, first)
    assert cli.main(["kit", "solve-all", str(nim), "-o", str(table), "--overwrite"]) == 0
    made = kit.load(nim)
    with pytest.raises(GamecoreError, match="is there"):
        kit.solve_all(made, table)


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
