"""``gamecore duel`` as a person or a judge runs it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from command import gamecore

SOURCE = "3\nDQ H2 HA\nH3 D6 S3\n"


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
    expected = b"Alice\n9\nline: HA H3 H2 pass DQ\nHA +9 for Alice\nH2 +9 for Alice\nDQ -3 for Alice\n"
    assert (result.returncode, result.stdout) == (0, expected)
    assert b"nodes" in result.stderr


def test_threads(deal):
    alice, bob = deal(17, "low", 3)
    source = f"17\n{' '.join(alice)}\n{' '.join(bob)}\n"
    alone, together = (gamecore("duel", "--line", "--threads", n, stdin=source) for n in ("1", "2"))
    assert (together.returncode, together.stdout) == (0, alone.stdout)
    assert gamecore("duel", "--threads", "0", stdin=SOURCE).stderr == (
        b"gamecore: --threads must be an integer from 1 to 64, not 0\n"
    )


def test_a_notation_as_the_argument(tmp_path):
    result = gamecore("duel", "DQ:H3D6:B:DK", "--line", "--analyse")
    assert (result.returncode, result.stdout) == (0, b"Alice\n3\nline: D6 DQ\nD6 -3 for Bob\n")
    drawn = gamecore("duel", "DQ:H3D6:B:DK", "--draw", "--analyse").stdout.decode().splitlines()
    assert drawn[:2] == ["Alice", "3"]
    assert drawn[-1] == "moves  D6 -3   (for Bob)"
    over = gamecore("duel", "0:H3D6:B:DQ", "--line", "--analyse")
    assert (over.returncode, over.stdout) == (0, b"Alice\n9\nline: -\n")
    (tmp_path / "DQ:H3D6:B:DK").write_text(SOURCE, encoding="ascii")  # an existing file wins
    command = [sys.executable, "-m", "gamecore", "duel", "DQ:H3D6:B:DK"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout == b"Alice\n9\n"
    for bad, message in (
        ("DQ:H3D6:B:DX", "line 1, column 11: LAST: 'DX' is not a card"),
        ("DQ:H3D6:B", "3 fields"),
        ("no-such-file", "no-such-file"),
        ("DQ:H3\x1b:A:-", "does not belong"),
    ):
        result = gamecore("duel", bad)
        assert (result.returncode, result.stdout) == (2, b"")
        assert message in result.stderr.decode()
        assert result.stderr.count(b"\n") == 1
        assert b"\x1b" not in result.stderr


def test_json(deal):
    def answer_of(*arguments, **options):
        return json.loads(gamecore("duel", "--json", *arguments, **options).stdout)

    answer = answer_of("--analyse", stdin=SOURCE)
    assert (answer["winner"], answer["points"], answer["value"], answer["exact"]) == ("Alice", 9, 9, True)
    assert (answer["position"], answer["to_move"]) == ("DQH2HA:H3D6S3:A:-", "Alice")
    assert answer["line"] == ["HA", "H3", "H2", "pass", "DQ"]
    assert answer["best_moves"] == ["HA"]
    assert answer["moves"][2] == {"move": "DQ", "value": -3, "lower": -3, "upper": -3, "exact": True}
    answer = answer_of("DQ:H3D6:B:DK")
    assert (answer["winner"], answer["points"], answer["value"], answer["to_move"]) == ("Alice", 3, -3, "Bob")
    assert "moves" not in answer
    assert answer_of("0:H3D6:B:DQ")["best_move"] is None
    answer = answer_of("--analyse", "--node-limit", "100", stdin=full_deck(deal))
    assert (answer["exact"], answer["value"], answer["best_move"], answer["line"]) == (False, None, None, [])


def test_limits_give_bounds_and_status_3(deal):
    for option in (["--time-limit", "0.05"], ["--node-limit", "20000"]):
        result = gamecore("duel", *option, "--table-mb", "4", stdin=full_deck(deal))
        assert result.returncode == 3
        who, bounds = result.stdout.decode().splitlines()
        assert who in ("Alice", "Bob", "?")
        assert ".." in bounds
        assert (" for Alice" in bounds) == (who == "?")


@pytest.mark.parametrize("mode", [[], ["--json"], ["--draw"], ["--line"]])
def test_bounds_of_moves_alone_are_status_3_too(deal, mode):
    """The value is found within the limit, the values of all moves are not."""
    alice, bob = deal(8, "random", 1)
    text = f"8\n{' '.join(alice)}\n{' '.join(bob)}\n"
    nodes = json.loads(gamecore("duel", "--json", stdin=text).stdout)["nodes"]
    solved = gamecore("duel", "--node-limit", str(nodes), *mode, stdin=text)
    assert solved.returncode == 0
    analysed = gamecore("duel", "--node-limit", str(nodes), "--analyse", *mode, stdin=text)
    assert analysed.returncode == 3
    assert gamecore("duel", "--analyse", "--node-limit", "5", stdin=text).returncode == 3


def test_a_line_that_is_not_found_is_status_3(deal):
    alice, bob = deal(12, "random", 2)
    text = f"12\n{' '.join(alice)}\n{' '.join(bob)}\n"
    lines = gamecore("duel", "--stats", stdin=text)
    nodes = lines.stderr.split()[0].decode()
    result = gamecore("duel", "--line", "--node-limit", nodes, stdin=text)
    assert result.returncode == 3
    assert result.stdout.startswith(lines.stdout + b"line: ? (best so far ")
    assert result.stdout.endswith(b", not proven)\n")


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        ("", "no position: the input is empty"),
        ("27\n", "line 1: n, the number of cards in a hand, must be a whole number from 1 to 26, not '27'"),
        ("0\n", "not '0'"),
        ("1\nHA\nHA\n", "line 3: HA is in both hands"),
        ("2\nHA HA\nH2 H3\n", "line 2: Alice's hand: HA stands twice"),
        ("2\nHA HX\nH2 H3\n", "line 2: Alice's hand: 'HX' is not a card"),
        ("2\nHA\nH2 H3\n", "line 2: Alice's hand has 1 cards, but n is 2"),
        ("1\nH\udcc3\nH2\n", "line 2: Alice's hand: the text must be ASCII"),
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
    process.stdin.write((SOURCE + full_deck(deal)).encode())
    process.stdin.close()
    assert process.stdout.readline() + process.stdout.readline() == b"Alice\n9\n"
    time.sleep(0.5)  # the second search has begun
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130  # the half second itself is measured in the benchmarks
    assert b".." in process.stdout.read()  # the bounds reached
    assert process.stderr.read() == b"gamecore: interrupted\n"
