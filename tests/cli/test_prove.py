"""``gamecore prove``: faults, the bar and words; transcripts have the rest, ``tests/prove`` forges in every way."""

import io
import sqlite3
from contextlib import closing

import pytest
from command import said

from gamecore import Limits, cli, hexapawn, prove
from gamecore.apps.prove._command import progress_text


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
