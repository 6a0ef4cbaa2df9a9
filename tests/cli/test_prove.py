"""``gamecore prove``: the run, its status, its check, its certificate; forged proofs are in ``tests/prove``."""

import functools
import io
import json
import lzma
import re
import sqlite3

import pytest
from command import said

from gamecore import cli, hexapawn, prove
from gamecore.apps.prove._command import _duration, bar, verified_text

DUEL = "DQH2HA:H3D6S3:A:-"
PROVED = "the value is proved: every step and every claim was checked"

run = functools.partial(said, "prove")


@pytest.fixture
def store(tmp_path):
    """A store with a proof that has many steps."""
    path = tmp_path / "proof"
    assert run("hexapawn", "5x5", "--store", path, "--job-nodes", 100, "--table-mb", "0.1")[0] == 0
    return path


@pytest.mark.parametrize(("words", "status", "text"), [
    (["hexapawn", "4x4"], 0, "11\nwhite wins in 11 plies; "),
    (["hexapawn", "board"], 0, "11\nwhite wins in 11 plies; "),
    (["duel", DUEL], 0, "9\nAlice wins 9 points; "),
    (["duel", "deal"], 0, "9\nAlice wins 9 points; "),
    (["hexapawn", "6x6", "--node-limit", 1000], 3,
     "? -48..+49 for white\nwhite may win or lose; 1000 nodes in 1 job, "),
    (["hexapawn", "4x4", "--question", "wins", "--threads", 2], 0, "white wins in "),
])  # fmt: skip
def test_answers(tmp_path, monkeypatch, words, status, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board").write_text(hexapawn.Position.start(4, 4).to_judge())
    (tmp_path / "deal").write_text("3\nDQ H2 HA\nH3 D6 S3\n")
    answer = run(*words, "--store", "store")
    assert (answer[0], answer[2]) == (status, "")
    assert text in answer[1]


def test_status(store, tmp_path):
    status, out, _ = run("status", store)
    assert status == 0
    assert "question   value: answered, value 19 for the side to move" in out
    run("hexapawn", "7x7", "--store", tmp_path / "open", "--node-limit", 30000, "--job-nodes", 500)
    status, out, _ = run("status", tmp_path / "open")
    assert status == 3
    assert "asked now  the mover wins: " in out
    assert "left       perhaps " in out
    assert json.loads(run("status", tmp_path / "open", "--json")[1])["estimate"]["nodes"] > 0


def test_verify_and_export(store, tmp_path):
    checked = "checked by plain rules: 20 steps following from moves, 0 bounds from the rules alone"
    claims = "the proof rests on 35 claims of searches; {} of 35 searched again ("
    for recheck, count, verdict in (
        ("all", 35, PROVED),
        ("sample=34", 34, "what was checked is right; the value is proved if the claim that was not searched again"),
    ):
        status, out, _ = run("verify", store, "--recheck", recheck)
        lines = out.splitlines()
        assert (status, lines[:2]) == (0, ["ppppp/5/5/5/PPPPP:w: value 19 for the side to move", checked])
        assert lines[2].startswith(claims.format(count))
        assert lines[3].startswith(verdict)
    certificate = tmp_path / "proof.xz"
    assert run("export", store, certificate)[1].endswith(f"positions in '{certificate}'\n")
    result = prove.verify(certificate, recheck=5)
    assert (result.steps, result.claims, result.rechecked, result.faults) == (20, 35, 5, ())
    assert run("export", store, certificate)[2].endswith("is there already\n")
    assert run("export", store, certificate, "--overwrite")[0] == 0
    assert run("export", store, store, "--overwrite")[0] == 2
    assert prove.status(store).answered
    text = lzma.decompress(certificate.read_bytes()).replace(b'"lower": 19', b'"lower": 17')
    certificate.write_bytes(lzma.compress(text))
    status, out, err = run("verify", certificate)
    assert (status, err.count("\n")) == (2, 1)
    assert "FAULT" in out
    assert "the proof says 17 to 19" in out
    certificate.write_bytes(certificate.read_bytes()[:-20])
    assert "is no certificate, or damaged" in run("verify", certificate)[2]


def test_bounds_are_not_taken_for_a_value(tmp_path):
    store = tmp_path / "open"
    assert run("hexapawn", "7x7", "--store", store, "--node-limit", 3000)[0] == 3
    lines = run("verify", store)[1].splitlines()
    assert lines[0].endswith(":w: value only bounded, -70..+71 for the side to move; who wins is open")
    assert lines[3].startswith("no step and no claim was checked; these bounds are proved if the 2 claims ")
    assert run("verify", store, "--recheck", "all")[1].splitlines()[3] == (
        "these bounds are proved: every step and every claim was checked"
    )


@pytest.mark.parametrize(("lower", "upper", "text"), [
    (1, 23, "value only bounded, +1..+23 for the side to move; that side wins"),
    (-14, 0, "value only bounded, -14..+0 for the side to move; that side loses"),
    (-14, 1, "value only bounded, -14..+1 for the side to move; who wins is open"),
    (0, 3, "value only bounded, +0..+3 for the side to move; who wins is open"),
    (0, 0, "value 0 for the side to move"),
])  # fmt: skip
def test_what_bounds_say_of_who_wins(lower, upper, text):
    result = prove.Verification("position", "wins", lower, upper, 3, 0, 4, 4, 99, ())
    assert verified_text(result).startswith(f"position: {text}\n")


@pytest.mark.parametrize(("counts", "faults", "verdict"), [
    # steps, bounds by the rules, claims, claims searched again, nodes
    ((0, 0, 2, 0, 0), (), "no step and no claim was checked; the value is proved if the 2 claims"),
    ((0, 0, 2, 1, 9), (), "what was checked is right; "),
    ((0, 1, 1, 0, 0), (), "what was checked is right; the value is proved if the "),
    ((0, 2, 0, 0, 0), (), PROVED),
    ((1, 0, 1, 1, 1), ("wrong",), "1 FAULT: nothing is proved\nfault: wrong"),
])  # fmt: skip
def test_the_verdict(counts, faults, verdict):
    text = verified_text(prove.Verification("position", "value", 9, 9, *counts, faults))
    assert text.split("\n", 3)[3].startswith(verdict)


def test_a_forged_certificate_is_a_fault_in_one_line(store, tmp_path):
    """``tests/prove/test_verify.py`` forges in every way."""
    certificate = tmp_path / "proof.xz"
    run("export", store, certificate)
    text = lzma.decompress(certificate.read_bytes()).decode()
    certificate.write_bytes(lzma.compress(text.replace('"lower": 19', '"lower": 17').encode()))
    status, out, err = run("verify", certificate)
    assert (status, err) == (2, "gamecore: 1 fault; the first: the proof says 17 to 19, its steps say 19 to 19\n")
    assert "1 FAULT: nothing is proved\nfault: the proof says" in out
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE places SET lower = lower + 4 WHERE lower_by = 1 AND id = 1")
    assert run("verify", store)[0] == 2


def test_nobody_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("gamecore.apps.prove._command.ANSWERS_WITHIN", 0.5)
    pytest.importorskip("distributed", reason="distributed is not installed")
    status, _, err = run("duel", DUEL, "--store", tmp_path / "S", "--dask", "tcp://127.0.0.1:9")
    assert status == 2
    assert err.startswith("gamecore: no Dask scheduler answers at 'tcp://127.0.0.1:9'")


def test_the_bar_stands_on_a_line_of_the_terminal(tmp_path, monkeypatch):
    reports = []
    prove.run(hexapawn.Position.start(4, 4), tmp_path / "p", job_nodes=20, progress=reports.append)
    last = reports[-1]
    assert len(bar(last).partition("]")[0]) == 25
    assert f"] {last.proved} proved {last.open} open {last.disproved} disproved" in bar(last)
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", stream)
    argv = ["prove", "hexapawn", "4x4", "--store", str(tmp_path / "q"), "--job-nodes", "20"]
    assert cli.main(argv) == 0
    printed = stream.getvalue()
    assert printed.startswith("\r[")
    assert max(map(len, printed.split("\r"))) <= 79
    assert not printed.split("\r")[-2].strip()  # it is wiped off
    assert (cli.main([*argv, "--quiet"]), stream.getvalue()) == (0, printed)


@pytest.mark.parametrize(("seconds", "text"), [
    (0.4, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (7199, "120 minutes"),
    (7200, "2 hours"), (200_000, "2 days"),
])  # fmt: skip
def test_how_long_it_takes_is_said_in_a_fitting_unit(seconds, text):
    assert _duration(seconds) == text


def test_the_state_says_one_of_a_kind_without_an_s(tmp_path):
    store = tmp_path / "store"
    assert " in 1 job, " in run("hexapawn", "4x4", "--store", store, "--quiet", "--question", "wins")[1]
    out = run("status", store)[1]
    assert re.search(r"; 1 position\n", out)
    assert re.search(r"work +1 job .* in 1 session\n", out)
    assert run("export", store, tmp_path / "x")[1].startswith("1 position in ")
