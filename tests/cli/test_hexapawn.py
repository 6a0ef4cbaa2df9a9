"""``gamecore hexapawn`` as a person or a judge runs it."""

import json
import signal
import subprocess
import sys
import time

import pytest

SOURCE = b"5\n5\n     \npp pp\nPPp  \n   P \n    P\n"


def gamecore(*arguments, stdin=b""):
    return subprocess.run([sys.executable, "-m", "gamecore", *arguments], input=stdin, capture_output=True, check=False)


def test_the_judges_integer(tmp_path):
    result = gamecore("hexapawn", stdin=SOURCE)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"3\n", b"")
    path = tmp_path / "board.txt"
    path.write_bytes(SOURCE.replace(b"\n", b"\r\n"))
    assert gamecore("hexapawn", str(path)).stdout == b"3\n"
    assert gamecore("hexapawn", "--to-move", "black", stdin=b"2\n1\np\nP\n").stdout == b"0\n"


def test_options():
    result = gamecore("hexapawn", "--line", "--analyse", "--draw", "--stats", stdin=SOURCE)
    assert result.stdout.decode().splitlines() == [
        "3",
        "5  . . . . .",
        "4  p p . p p",
        "3  P P p . .",
        "2  . . . P .",
        "1  . . . . P",
        "   a b c d e",
        "white to move",
        "line: b3xa4 b4xa3 a4-a5",
        "a3xb4 +3",
        "b3xa4 +3",
        "d2xc3 +5",
        "e1-e2 -4",
        "d2-d3 -4",
    ]
    assert b"nodes" in result.stderr


def test_json():
    answer = json.loads(gamecore("hexapawn", "--json", "--analyse", stdin=SOURCE).stdout)
    assert (answer["value"], answer["winner"], answer["distance"], answer["exact"]) == (3, "white", [3, 3], True)
    assert answer["line"] == ["b3xa4", "b4xa3", "a4-a5"]
    assert answer["moves"][4] == {"move": "d2-d3", "lower": -4, "upper": -4}
    assert answer["board"][1] == "pp pp"


@pytest.mark.parametrize(("size", "value"), [("3x3", -6), ("5x5", 19), ("3x8", 11), ("64x1", -62), ("2x32", 1)])
def test_starts(size, value):
    assert gamecore("hexapawn", "--start", size).stdout.decode() == f"{value}\n"
    if size == "3x3":
        assert gamecore("hexapawn", "--start", size, "--to-move", "black").stdout.decode() == f"{value}\n"


def test_threads():
    result = gamecore("hexapawn", "--start", "6x6", "--threads", "2", "--table-mb", "16", "--stats")
    assert (result.returncode, result.stdout) == (0, b"-30\n")
    assert gamecore("hexapawn", "--start", "6x6", "--threads", "0").stderr == (
        b"gamecore: threads has to be an integer from 1 to 64, not 0\n"
    )


def test_limits_give_bounds_and_status_3():
    for option in (["--time-limit", "0.05"], ["--node-limit", "1000"]):
        result = gamecore("hexapawn", "--start", "8x8", "--table-mb", "4", "--line", *option)
        assert result.returncode == 3
        assert result.stdout.decode().splitlines() == ["? -96..+97", "line: ?"]
    result = gamecore("hexapawn", "--start", "8x8", "--json", "--node-limit", "100")
    answer = json.loads(result.stdout)
    assert result.returncode == 3
    assert (answer["exact"], answer["value"], answer["winner"]) == (False, None, None)


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        ([], b"", "line 1: missing: the number of rows"),
        ([], b"3\n3\nppp\n x \nPPP\n", "line 4, column 2: 'x' is not a square: P, p or a blank"),
        ([], b"3\n3\nppp\n \xe9 \nPPP\n", "line 4, column 2: byte 0xe9 is not ASCII"),
        ([], b"9\n9\n", "line 2: 9 rows x 9 cols is more than 64 squares"),
        ([], b"1\n3\nPPP\n", "line 1, column 1: rows has to be a number of at least 2, not '1'"),
        ([], b"3\n3\nppp\n", "line 4: missing: row 2 of 3"),
        (["--to-move", "red"], SOURCE, "--to-move has to be white or black, not 'red'"),
        (["--start", "6"], b"", "--start has to be rows x columns, such as 6x6, not '6'"),
        (["--start", "9x9"], b"", "9 rows x 9 cols is more than 64 squares"),
        (["--start", "1x9"], b"", "rows has to be an integer of at least 2, not 1"),
        (["--start", "3x3", "file"], b"", "give a FILE or --start, not both"),
        (["/nonexistent"], b"", "cannot read '/nonexistent'"),
        (["--table-mb", "0"], SOURCE, "table_mb has to be above 0"),
        (["--time-limit", "soon"], SOURCE, "--time-limit"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, text, message):
    result = gamecore("hexapawn", *arguments, stdin=text)
    assert result.returncode == 2
    assert result.stdout == b""
    assert message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


def test_control_c():
    with subprocess.Popen(
        [sys.executable, "-m", "gamecore", "hexapawn", "--start", "8x8", "--table-mb", "16"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err == b"gamecore: interrupted\n"
