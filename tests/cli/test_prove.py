"""``gamecore prove``: the run, its status, its check, its certificate; what is bad input is one line and exit 2."""

import functools
import io
import json
import lzma
import re
import sqlite3

import pytest
from command import said

from gamecore import cli, hexapawn, prove
from gamecore.apps.prove._command import _duration, verified_text

DUEL = "DQH2HA:H3D6S3:A:-"


run = functools.partial(said, "prove")


@pytest.fixture
def store(tmp_path):
    """A store with a proof that has many steps."""
    path = tmp_path / "proof"
    assert run("hexapawn", "5x5", "--store", path, "--job-nodes", 100, "--table-mb", "0.1")[0] == 0
    return path


def test_values(tmp_path):
    status, out, err = run("hexapawn", "4x4", "--store", tmp_path / "a")
    assert (status, err) == (0, "")
    assert out.startswith("11\nwhite wins in 11 plies; ")
    assert run("duel", DUEL, "--store", tmp_path / "b")[1].startswith("9\nAlice wins 9 points; ")
    board = tmp_path / "board.txt"
    board.write_text(hexapawn.Position.start(4, 4).to_judge())
    assert run("hexapawn", board, "--store", tmp_path / "c")[1].startswith("11\n")
    deal = tmp_path / "deal.txt"
    deal.write_text("3\nDQ H2 HA\nH3 D6 S3\n")
    assert run("duel", deal, "--store", tmp_path / "b")[1].startswith("9\n")  # the same position
    status, out, _ = run("hexapawn", "6x6", "--store", tmp_path / "d", "--node-limit", 1000)
    assert status == 3
    assert out.startswith("? -48..+49 for white\nwhite may win or lose; 1000 nodes in 1 job, ")
    status, out, _ = run("hexapawn", "4x4", "--store", tmp_path / "e", "--question", "wins", "--threads", 2)
    assert status == 0
    assert "white wins in " in out


def test_json(store, tmp_path):
    status, out, _ = run(
        "hexapawn", "5x5", "--store", tmp_path / "new", "--job-nodes", 500, "--json", "--table-mb", "0.1"
    )
    assert status == 0
    lines = out.splitlines()
    assert len(lines) >= 2
    for line in lines[:-1]:
        assert json.loads(line)["event"] == "progress"
    assert json.loads(lines[-1])["value"] == 19
    assert json.loads(run("status", store, "--json")[1])["answered"]
    assert json.loads(run("verify", store, "--json")[1])["faults"] == []


def test_status(store, tmp_path):
    status, out, _ = run("status", store)
    assert status == 0
    assert "question   value: answered, value 19 for the side to move" in out
    run("hexapawn", "7x7", "--store", tmp_path / "open", "--node-limit", 30000, "--job-nodes", 500)
    status, out, _ = run("status", tmp_path / "open")
    assert status == 3
    assert "asked now  the mover wins: " in out
    assert "left       perhaps " in out
    status, out, _ = run("status", tmp_path / "open", "--json")
    assert status == 3
    assert json.loads(out)["estimate"]["nodes"] > 0


def test_verify_and_export(store, tmp_path):
    status, out, _ = run("verify", store, "--recheck", "all")
    assert status == 0
    first, steps, claims, verdict = out.splitlines()
    assert first == "ppppp/5/5/5/PPPPP:w: value 19 for the side to move"
    assert steps == "checked by plain rules: 20 steps following from moves, 0 bounds from the rules alone"
    assert claims.startswith("the proof rests on 35 claims of searches; 35 of 35 searched again (")
    assert verdict == "the value is proved: every step and every claim was checked"
    found = prove.verify(store)
    assert (found.steps, found.claims) == (20, 35)  # one thread searches one job at a time: always the same proof
    _, _, claims, verdict = run("verify", store, "--recheck", "sample=34")[1].splitlines()
    assert claims.startswith("the proof rests on 35 claims of searches; 34 of 35 searched again (")
    assert verdict == (
        "what was checked is right; the value is proved if the claim that was not searched again is true (--recheck)"
    )
    certificate = tmp_path / "proof.xz"
    status, out, _ = run("export", store, certificate)
    assert status == 0
    assert out.endswith(f"positions in '{certificate}'\n")
    again = prove.verify(certificate, recheck=5)
    assert (again.steps, again.claims, again.rechecked, again.faults) == (found.steps, found.claims, 5, ())
    assert run("export", store, certificate)[2].endswith("is there already\n")
    assert run("export", store, certificate, "--overwrite")[0] == 0
    assert run("export", store, store, "--overwrite")[0] == 2
    assert prove.status(store).answered


def test_a_proof_of_which_nothing_was_checked_says_so(tmp_path):
    store = tmp_path / "claims"
    run("hexapawn", "4x4", "--store", store)
    status, out, _ = run("verify", store)
    assert status == 0
    assert out.splitlines() == [
        "pppp/4/4/PPPP:w: value 11 for the side to move",
        "checked by plain rules: 0 steps following from moves, 0 bounds from the rules alone",
        "the proof rests on 2 claims of searches; 0 of 2 searched again (0 nodes)",
        "no step and no claim was checked; "
        "the value is proved if the 2 claims that were not searched again are true (--recheck)",
    ]
    assert run("verify", store, "--recheck", "1")[1].splitlines()[3].startswith("what was checked is right; ")
    verdict = run("verify", store, "--recheck", "all")[1].splitlines()[3]
    assert verdict == "the value is proved: every step and every claim was checked"


def test_bounds_are_not_taken_for_a_value(tmp_path):
    store = tmp_path / "open"
    assert run("hexapawn", "7x7", "--store", store, "--node-limit", 3000)[0] == 3
    status, out, _ = run("verify", store)
    assert status == 0
    lines = out.splitlines()
    assert lines[0].endswith(":w: value only bounded, -70..+71 for the side to move; who wins is open")
    assert lines[3].startswith("no step and no claim was checked; these bounds are proved if the 2 claims ")
    verdict = run("verify", store, "--recheck", "all")[1].splitlines()[3]
    assert verdict == "these bounds are proved: every step and every claim was checked"


@pytest.mark.parametrize(
    ("lower", "upper", "says"),
    [
        (1, 23, "value only bounded, +1..+23 for the side to move; that side wins"),
        (-14, 0, "value only bounded, -14..+0 for the side to move; that side loses"),
        (0, 3, "value only bounded, +0..+3 for the side to move; who wins is open"),
        (0, 0, "value 0 for the side to move"),
    ],
)
def test_what_bounds_say_of_who_wins(lower, upper, says):
    verification = prove.Verification("position", "wins", lower, upper, 3, 0, 4, 4, 99, ())
    assert verified_text(verification).startswith(f"position: {says}\n")


def test_what_the_rules_alone_give_is_checked_and_faults_prove_nothing(tmp_path):
    run("hexapawn", "p/P:w", "--store", tmp_path / "over")
    assert run("verify", tmp_path / "over")[1].splitlines()[1:] == [
        "checked by plain rules: 0 steps following from moves, 2 bounds from the rules alone",
        "the proof rests on 0 claims of searches; 0 of 0 searched again (0 nodes)",
        "the value is proved: every step and every claim was checked",
    ]
    found = prove.Verification("position", "value", 9, 9, 0, 1, 1, 0, 0, ())  # a bound by the rules, and a claim
    assert verified_text(found).splitlines()[3].startswith("what was checked is right; the value is proved if the ")
    found = prove.Verification("position", "value", 9, 9, 1, 0, 1, 1, 1, ("wrong",))
    assert verified_text(found).splitlines()[1:] == [
        "checked by plain rules: 1 step following from moves, 0 bounds from the rules alone",
        "the proof rests on 1 claim of searches; 1 of 1 searched again (1 node)",
        "1 FAULT: nothing is proved",
        "fault: wrong",
    ]


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
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", stream)
    argv = ["prove", "hexapawn", "4x4", "--store", str(tmp_path / "p"), "--job-nodes", "20"]
    assert cli.main(argv) == 0
    shown = stream.getvalue()
    assert shown.startswith("\r[")
    assert " proved " in shown
    assert max(map(len, shown.split("\r"))) <= 79
    assert not shown.split("\r")[-2].strip()  # it is wiped off
    assert (cli.main([*argv, "--quiet"]), stream.getvalue()) == (0, shown)


def test_how_long_it_takes_is_said_in_a_fitting_unit():
    seconds = (0.4, 1, 119, 120, 7199, 7200, 200_000)
    texts = ["0 seconds", "1 second", "119 seconds", "2 minutes", "120 minutes", "2 hours", "2 days"]
    assert [_duration(number) for number in seconds] == texts


def test_the_state_says_one_of_a_kind_without_an_s(tmp_path):
    store = tmp_path / "store"
    assert " in 1 job, " in run("hexapawn", "4x4", "--store", store, "--quiet", "--question", "wins")[1]
    out = run("status", store)[1]
    assert re.search(r"; 1 position\n", out)
    assert re.search(r"work +1 job .* in 1 session\n", out)
    assert run("export", store, tmp_path / "x")[1].startswith("1 position in ")
