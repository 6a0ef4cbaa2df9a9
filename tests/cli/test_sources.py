"""Several files and folders, expected outputs, rows of a file, and what Ctrl-C leaves."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from command import said

from gamecore import duel, hexapawn, rows
from gamecore.batch import workers
from gamecore.cli.games import command_of
from gamecore.rows._text import split_rows

DEAL, BOARD = "3\nDQ H2 HA\nH3 D6 S3\n", "3\n3\nppp\n\nPPP\n"


def test_files_have_a_verdict_each(tmp_path):
    for name, text in (("a", DEAL), ("b", "junk\n"), ("c", DEAL + DEAL)):
        (tmp_path / name).write_text(text)
    a, b, c = (str(tmp_path / name) for name in "abc")
    status, out, err = said("duel", a, b, c, "DQ:H3D6:B:DK", "--line")
    lines = [f"{a}: Alice 9", f"{c}: Alice 9", f"{c} (2): Alice 9", "DQ:H3D6:B:DK: Alice 3"]
    assert (status, out.splitlines()[::2]) == (2, lines)
    assert (err.count("\n"), err.startswith(f"gamecore: {b}: line 1: n, the number")) == (1, True)
    assert said("duel", str(tmp_path))[1].splitlines() == lines[:3]  # a folder without input*.txt: all its files
    assert said("duel", a, c)[0] == 0
    (tmp_path / "empty").mkdir()
    assert "there is no file in it" in said("duel", str(tmp_path / "empty"))[2]


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows"])
def test_a_folder_is_checked_against_its_outputs(game, tmp_path):
    folder = str(tmp_path / "cases")
    assert said("judge", game, "--cases", folder, "--count", "12", "--sizes", "1-6")[0] == 0
    inputs = sorted(name for name in os.listdir(folder) if name.startswith("input"))
    status, out, err = said(game, folder)
    assert (status, err, out.splitlines()[-1]) == (0, "", f"{len(inputs)} of {len(inputs)} as expected")
    (tmp_path / "cases" / inputs[2].replace("input", "output")).write_text("Nobody\n77\n")  # a wrong answer is found
    status, out, err = said(game, folder)
    assert (status, err, out.splitlines()[-1]) == (1, "", f"{len(inputs) - 1} of {len(inputs)} as expected")
    assert f"{folder}{os.sep}{inputs[2]}: expected 'Nobody 77'" in out.splitlines()


@pytest.mark.parametrize(("text", "expected"), [
    ("5 7 9\n1, 4,2\n", [(1, [5, 7, 9]), (2, [1, 4, 2])]),
    ("3\n5 7 9\n\n2\n1 4\n", [(1, [5, 7, 9]), (4, [1, 4])]),
    ("1\n5\n1\n7\n", [(1, [5]), (3, [7])]),
    ("1\n1\n\n2\n0.5 -3", [(1, [1]), (4, [0.5, -3.0])]),
    ("1\n7\n", [(1, [7])]),
    ("2\n7\n9\n", [(1, [7, 9])]),
    ("8\n\n", [(1, [8])]),
    ("\n1\n8\ngreedy:me:0:0:5,7\n1\n6", [(2, [8]), (4, [5, 7]), (5, [6])]),
])  # fmt: skip
def test_rows_of_a_file(text, expected):
    rows_read = [
        (number, rows.GAME.parse(text_read)) for number, text_read in split_rows(enumerate(text.splitlines(), 1))
    ]
    assert [(number, list(position.values)) for number, position in rows_read] == expected


@pytest.mark.parametrize(("text", "error"), [
    ("1\n5\n\n2\n7\n", "line 4: the count is 2, but 1 values follow"),
    ("1 2\n8\n", "line 2: the count is 8, but 0 values follow"),
    ("1 2\n5, ,6\n", "line 2: value 2 is missing between two commas"),
    ("1 2\n3\n\n5 6 x\n", "line 4: value 3: 'x' is not a finite number"),
])  # fmt: skip
def test_errors_of_a_second_row_name_its_line(text, error):
    assert said("rows", stdin=text)[::2] == (2, f"gamecore: {error}\n")


@pytest.mark.parametrize("module", [duel, hexapawn, rows])
def test_the_plain_answer_is_the_expected_output(module):
    game = module.GAME
    plain = command_of(game).judge_answer(game.parse(game.example), module.solve(game.example))
    words = ["--plain"] if module is rows else []
    assert said(game.name, game.example, *words) == (0, plain + "\n", "")


TWO_DEALS = DEAL + duel.deal(26, rng=4).to_judge()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT of another process on Windows")
@pytest.mark.parametrize(("words", "text", "first", "last"), [
    (["duel", "--table-mb", "64"], TWO_DEALS, "9", r".*\n.*\.\..*\n"),
    (["hexapawn", "3x3", "8x8", "--table-mb", "16"], "", "3x3: -6", r"8x8: \? -96\.\.\+97 for white\n"),
    (["hexapawn", "3x3", "8x8", "--threads", "2", "--analyse", "--json"], "", '"exact": true', '.*"exact": false.*\n'),
])  # fmt: skip
def test_control_c_gives_the_bounds_reached(words, text, first, last):
    """The half second itself is measured in the benchmarks."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-m", "gamecore", *words], **pipes, text=True) as process:
        process.stdin.write(text)
        process.stdin.close()
        assert any(first in line for line in iter(process.stdout.readline, ""))
        time.sleep(0.5)  # the second search has begun
        process.stdin = None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "gamecore: interrupted\n")
    assert re.fullmatch(last, out)


def test_a_cancelled_search_in_threads_ends():
    run = workers.Run()
    with run.at_work():
        run.cancel()
        solution = duel.solve(duel.deal(26, rng=1), threads=2)
    assert not solution.exact
    assert solution.nodes < 100
