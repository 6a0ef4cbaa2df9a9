"""What transcripts do not say: results as data and files, players of a user's, Ctrl-C, and words at a terminal."""

import io
import json
import multiprocessing
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from command import said

from gamecore import Limits, cli, duel, hearts, hexapawn, prove
from gamecore.apps.prove._command import progress_text

# --- hearts: what it prints stands in ``answers.txt`` -----------------------------------------------------------------

END = hearts.random("left", plies=40, rng=5).to_text()
UNDER = "from gamecore import hearts\nclass Under(hearts.Player):\n    def choose(self, view):\n"
JACK = hearts.Rules(jack_of_diamonds=True)


def test_results_as_data(tmp_path):
    table, path, players = tmp_path / "points.csv", tmp_path / "rounds.npz", ["duck", "greedy", "pimc:2", "random"]
    simulation = hearts.simulate(players, 50, 7, passing="cycle", rules=JACK, first=3)
    comparison = hearts.compare(["duck", "pimc:3"], ["greedy", "duck", "random"], 40, 7, rules=JACK)
    match = hearts.match(players, 7, rules=hearts.Rules(jack_of_diamonds=True, match_points=30))
    deal = hearts.Round.deal(7, hearts.Rules(moon="shooter"), "left", None)
    view = (round_ := hearts.Round.from_text(END)).view(round_.to_move)
    moves = [entry.to_dict() for entry in hearts.evaluate_moves(view, playouts=30, rng=7)]
    four = "--players " + " ".join(players)
    for command, expected in (
        (f"simulate {four} --rounds 50 --workers 2 --passing cycle --first 3 --csv {table} --jack-of-diamonds "
         f"--record {path}", simulation.to_dict()),
        ("compare duck pimc:3 --field greedy duck random --rounds 40 --jack-of-diamonds", comparison.to_dict()),
        (f"match {four} --to 30 --jack-of-diamonds", match.to_dict()),
        ("deal --passing left --moon shooter", deal.to_dict()),
        (f"evaluate --playouts 30 {END}", {"position": END, "seat": view.seat, "moves": moves}),
    ):  # fmt: skip
        status, out, err = said("hearts", *command.split(), "--seed", "7", "--json")
        data, times = json.loads(out), {"seconds", "decision_seconds"}
        assert (status, err, tuple(data)) == (0, "", tuple(expected))
        assert all(data[name] == expected[name] for name in data.keys() - times)
    lines = table.read_text().splitlines()
    assert lines[0] == "round,0:duck,1:greedy,2:pimc:2:greedy,3:random"
    assert [[*map(int, line.split(","))] for line in lines[1:]] == [
        [number, *points] for number, points in enumerate(simulation.points.tolist(), 3)
    ]
    assert hearts.Record.load(path) == hearts.record(players, 50, 7, passing="cycle", rules=JACK, first=3)


@pytest.mark.parametrize("method", ["spawn", multiprocessing.get_start_method()])
def test_classes_of_the_users(tmp_path, method):
    (path := tmp_path / f"own_under_{method}.py").write_text(f"{UNDER}        return view.legal_moves()[0]\n")
    literal, before = hearts.compare(["literal", "duck"], "greedy", 12, 7), multiprocessing.get_start_method()
    multiprocessing.set_start_method(method, force=True)  # of worker processes
    try:
        for workers in ("1", "2"):
            words = ["--rounds", "12", "--seed", "7", "--workers", workers, "--json"]
            status, out, err = said("hearts", "compare", f"{path}:Under", "duck", *words)
            assert (status, err, json.loads(out)["mean"]) == (0, "", literal.mean.tolist())
        assert said("hearts", "simulate", "--players", f"{path}:Under", *["duck"] * 3, "--rounds", "5")[0] == 0
    finally:
        multiprocessing.set_start_method(before, force=True)


# --- Ctrl-C leaves the bounds that a search has reached ---------------------------------------------------------------

TWO_DEALS = "3\nDQ H2 HA\nH3 D6 S3\n" + duel.deal(26, rng=4).to_judge()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT of another process on Windows")
@pytest.mark.parametrize(("words", "text", "first", "last"), [
    (["duel", "--table-mb", "64"], TWO_DEALS, "9", r".*\n.*\.\..*\n"),
    (["hexapawn", "3x3", "8x8", "--table-mb", "16"], "", "3x3: -6", r"8x8: \? -96\.\.\+97 for white\n"),
    (["hexapawn", "3x3", "8x8", "--threads", "2", "--analyse", "--json"], "", '"exact": true', '.*"exact": false.*\n'),
    (["prove", "hexapawn", "8x8", "--store", "proof", "--job-nodes", "3000", "--json"], "", '"jobs": ', "(?s).*"),
])  # fmt: skip
def test_control_c_gives_the_bounds_reached(words, text, first, last, tmp_path):
    """The half second itself is measured in the benchmarks."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-m", "gamecore", *words], **pipes, text=True, cwd=tmp_path) as process:
        process.stdin.write(text)
        process.stdin.close()
        assert any(first in line for line in iter(process.stdout.readline, ""))
        time.sleep(0.2)  # the second search has begun
        process.stdin = None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "gamecore: interrupted\n")
    assert re.fullmatch(last, out)


@pytest.mark.parametrize("module", ["errors", "contract", "game", "cli"])
def test_control_c_while_importing(module):
    """An exception from ``__del__`` would be printed with its stack, and the command would go on."""
    code = (
        "import signal, sys\nclass Interrupted:\n    def __del__(self):\n        signal.raise_signal(signal.SIGINT)\n"
        f"    def find_spec(name, *rest):\n        if name == 'gamecore.{module}':\n            Interrupted()\n"
        "sys.meta_path.insert(0, Interrupted)\nfrom gamecore.__main__ import main\nsys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gamecore: interrupted\n")


# --- prove: ``tests/prove`` forges in every way -----------------------------------------------------------------------


def test_nobody_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("gamecore.apps.prove._command.ANSWERS_WITHIN", 0.5)
    pytest.importorskip("distributed", reason="distributed is not installed")
    status, _, err = said("prove", "duel", "HA:H2:A:-", "--store", tmp_path / "S", "--dask", "tcp://127.0.0.1:9")
    assert status == 2
    assert err.startswith("gamecore: no Dask scheduler answers at 'tcp://127.0.0.1:9'")


def test_progress_stands_on_a_line_of_the_terminal(tmp_path, monkeypatch):
    reports = []
    prove.run(hexapawn.Position.start(5, 5), tmp_path / "p", limits=Limits(nodes=900), progress=reports.append)
    last = reports[-1]
    leaves = f"{last.proof} leaves to prove it, {last.disproof} to disprove it"
    says = f"7 s | {last.positions} positions, 0.00 M nodes in 1 job | white wins: {leaves}"
    assert progress_text(last, 7.2) == says
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", stream)
    argv = ["prove", "hexapawn", "4x4", "--store", str(tmp_path / "q"), "--job-nodes", "20"]
    assert cli.main(argv) == 0
    printed = stream.getvalue()
    assert printed.startswith("\r0 s | ")
    assert max(map(len, printed.split("\r"))) <= 79
    assert not printed.split("\r")[-2].strip()  # it is wiped off
    assert (cli.main([*argv, "--quiet"]), stream.getvalue()) == (0, printed)


@pytest.mark.parametrize("field", ["gamecore", "question", "position", "game", "root"])
def test_text_of_a_store_cannot_steer_the_terminal(field, tmp_path):
    store = tmp_path / "store"
    solves = ["prove", "duel", "HA:H2:A:-", "--store", store]
    said(*solves)
    with closing(sqlite3.connect(store)) as connection, connection:
        change = "UPDATE about SET value = value || ? WHERE name = ?"
        connection.execute(change, ("\x1b[2J\nanswered\x1b]0;owned\x07", field))
    for words in (["prove", "status", store], ["prove", "verify", store], solves):
        text = "".join(said(*words)[1:])
        assert all(char == "\n" or char.isprintable() for char in text)
        assert "\nanswered" not in text
        assert r"\x1b[2J\nanswered\x1b]0;owned\x07" in text or field != "gamecore" or "status" not in words
