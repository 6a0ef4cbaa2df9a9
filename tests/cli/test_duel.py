"""``gamecore duel`` as a person or a judge runs it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

SOURCE = "3\nDQ H2 HA\nH3 D6 S3\n"


def gamecore(*arguments, stdin="", **options):
    return subprocess.run(
        [sys.executable, "-m", "gamecore", *arguments],
        input=stdin.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
        **options,
    )


def full_deck(deal):
    alice, bob = deal(26, "random", 5)
    return f"26\n{' '.join(alice)}\n{' '.join(bob)}\n"


def test_the_judges_two_lines():
    result = gamecore("duel", stdin=SOURCE)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"Alice\n9\n", b"")


def test_a_file_and_several_deals(tmp_path):
    path = tmp_path / "deals.txt"
    path.write_text(SOURCE + "\n1\nHA\nH2\n" + SOURCE, encoding="ascii")
    result = gamecore("duel", str(path))
    assert result.stdout == b"Alice\n9\nAlice\n2\nAlice\n9\n"


def test_options():
    result = gamecore("duel", "--line", "--analyse", "--stats", stdin=SOURCE)
    assert result.stdout == b"Alice\n9\nline: HA H3 H2 - DQ\nHA +9\nH2 +9\nDQ -3\n"
    assert b"nodes" in result.stderr
    answer = json.loads(gamecore("duel", "--json", "--analyse", stdin=SOURCE).stdout)
    assert (answer["winner"], answer["points"], answer["value"], answer["exact"]) == ("Alice", 9, 9, True)
    assert answer["line"] == ["HA", "H3", "H2", None, "DQ"]
    assert answer["moves"][2] == {"move": "DQ", "value": -3, "lower": -3, "upper": -3}


def test_limits_give_bounds_and_status_3(deal):
    for option in (["--time-limit", "0.05"], ["--node-limit", "20000"]):
        result = gamecore("duel", *option, "--table-mb", "4", stdin=full_deck(deal))
        assert result.returncode == 3
        who, bounds = result.stdout.decode().split()
        assert who in ("Alice", "Bob", "?")
        assert ".." in bounds
    result = gamecore("duel", "--json", "--node-limit", "100", stdin=full_deck(deal))
    answer = json.loads(result.stdout)
    assert (answer["exact"], answer["value"], answer["best_move"], answer["line"]) == (False, None, None, [])


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        ("", "no deal"),
        ("27\n", "line 1: n, the number of cards in a hand, is 1 to 26, not '27'"),
        ("0\n", "not '0'"),
        ("1\nHA\nHA\n", "line 3: HA is in both hands"),
        ("2\nHA HA\nH2 H3\n", "line 2: Alice's hand: HA stands twice"),
        ("2\nHA HX\nH2 H3\n", "line 2: Alice's hand: 'HX' is not a card"),
        ("2\nHA\nH2 H3\n", "line 2: Alice's hand has 1 cards, but n is 2"),
        ("1\nH\udcc3\nH2\n", "line 2: Alice's hand: the text has to be ASCII"),
        ("1\nH\x00\nH2\n", "'H\\x00' is not a card"),
    ],
)
def test_bad_input_is_one_line_and_status_2(stdin, message):
    result = gamecore("duel", stdin=stdin)
    assert (result.returncode, result.stdout) == (2, b"")
    assert message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


def test_earlier_answers_stand_before_an_error():
    result = gamecore("duel", stdin=SOURCE + "1\nHA\nH\udcff\n")
    assert (result.returncode, result.stdout) == (2, b"Alice\n9\n")
    assert b"line 6" in result.stderr


def test_bad_files_and_options(tmp_path):
    for arguments in (
        ["duel", str(tmp_path)],
        ["duel", str(tmp_path / "missing")],
        ["duel", "--time-limit", "-1"],
        ["duel", "--time-limit", "soon"],
        ["duel", "--nonsense"],
        ["chess"],
    ):
        result = gamecore(*arguments, stdin=SOURCE)
        assert (result.returncode, result.stdout) == (2, b""), arguments
        assert result.stderr.count(b"\n") == 1, result.stderr


def test_help_teaches():
    for arguments in (["--help"], ["duel", "--help"], []):
        result = gamecore(*arguments)
        assert result.returncode == 0
        assert b"example:" in result.stdout
    assert gamecore("--version").stdout.startswith(b"gamecore ")
    assert b"compiler" in gamecore("--build-info").stdout


def test_closed_output_ends_quietly():
    command = f"yes '1\nHA\nH2' | head -c 2000000 | {sys.executable} -m gamecore duel | head -n 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (result.stdout, result.stderr) == (b"Alice\n", b"")


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_interrupt_answers_at_once(deal):
    process = subprocess.Popen(
        [sys.executable, "-m", "gamecore", "duel", "--table-mb", "64"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(full_deck(deal).encode())
    process.stdin.close()
    time.sleep(1.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130  # the half second itself is measured in the benchmarks
    assert process.stdout.read() == b""
    assert process.stderr.read() == b"gamecore: interrupted\n"
