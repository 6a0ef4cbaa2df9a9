"""``gamecore hexapawn`` as a person or a judge runs it."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest
from command import gamecore

from gamecore import Limits, hexapawn

SOURCE = b"5\n5\n     \npp pp\nPPp  \n   P \n    P\n"


def test_the_judges_integer(tmp_path):
    result = gamecore("hexapawn", stdin=SOURCE)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"3\n", b"")
    path = tmp_path / "board.txt"
    path.write_bytes(SOURCE.replace(b"\n", b"\r\n"))
    assert gamecore("hexapawn", str(path)).stdout == b"3\n"
    assert gamecore("hexapawn", "--to-move", "black", stdin=b"2\n1\np\nP\n").stdout == b"0\n"


def test_line_and_moves():
    result = gamecore("hexapawn", "--line", "--analyse", "--stats", stdin=SOURCE)
    assert result.stdout.decode().splitlines() == [
        "3",
        "line: b3xa4 b4xa3 a4-a5",
        "a3xb4 +3 for white",
        "b3xa4 +3 for white",
        "d2xc3 +5 for white",
        "e1-e2 -4 for white",
        "d2-d3 -4 for white",
    ]
    assert b"nodes" in result.stderr
    over = gamecore("hexapawn", "p/P:b", "--line", "--analyse")
    assert (over.returncode, over.stdout) == (0, b"0\nline: -\n")


def test_drawing():
    result = gamecore("hexapawn", "--line", "--analyse", "--draw", stdin=SOURCE)
    assert result.stdout.decode().splitlines() == [
        "3",
        "5  . . . . .",
        "4  p p . p p",
        "3  P P p . .",
        "2  . . . P .",
        "1  . . . . P",
        "   a b c d e",
        "white to move",
        "moves  a3xb4 +3   b3xa4 +3   d2xc3 +5   e1-e2 -4   d2-d3 -4   (for white)",
        "line   b3xa4 b4xa3 a4-a5",
    ]


def test_notation(tmp_path):
    """As an argument, as a file of one line, and on stdin; an existing file comes first."""
    text = "5/pp1pp/PPp2/3P1/4P:w"
    assert gamecore("hexapawn", text).stdout == b"3\n"
    assert gamecore("hexapawn", "-", stdin=text.encode()).stdout == b"3\n"
    (tmp_path / "board.txt").write_text(text + "\n")
    assert gamecore("hexapawn", str(tmp_path / "board.txt")).stdout == b"3\n"
    flipped = hexapawn.Position.from_text(text).flip().to_text()
    result = gamecore("hexapawn", flipped, "--analyse")
    assert result.stdout.decode().splitlines()[:2] == ["3", "a3xb2 +3 for black"]
    (tmp_path / "a:w").write_bytes(SOURCE)
    command = [sys.executable, "-m", "gamecore", "hexapawn", "a:w"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout == b"3\n"


def test_json():
    result = gamecore("hexapawn", "--json", "--analyse", stdin=SOURCE)
    answer = json.loads(result.stdout)
    position = hexapawn.Position.from_text(answer["position"])
    assert position == hexapawn.parse(SOURCE.decode())
    assert (answer["value"], answer["winner"], answer["exact"], answer["to_move"]) == (3, "white", True, "white")
    assert answer["line"] == ["b3xa4", "b4xa3", "a4-a5"]
    assert answer["moves"] == [entry.to_dict() for entry in hexapawn.analyse(position)]
    without = json.loads(gamecore("hexapawn", "--json", "--node-limit", "1", "--start", "6x6").stdout)
    assert "moves" not in without


@pytest.mark.parametrize(("size", "value"), [("3x3", -6), ("5x5", 19), ("3x8", 11), ("64x1", -62), ("2x32", 1)])
def test_starts(size, value):
    for arguments in (["--start", size], [size]):
        assert gamecore("hexapawn", *arguments).stdout.decode() == f"{value}\n"
    if size == "3x3":
        assert gamecore("hexapawn", "--start", size, "--to-move", "black").stdout.decode() == f"{value}\n"


def test_threads():
    result = gamecore("hexapawn", "--start", "6x6", "--threads", "2", "--table-mb", "16", "--stats")
    assert (result.returncode, result.stdout) == (0, b"-30\n")
    assert gamecore("hexapawn", "--start", "6x6", "--threads", "0").stderr == (
        b"gamecore: --threads must be an integer from 1 to 64, not 0\n"
    )


def test_limits_give_bounds_and_status_3():
    for option in (["--time-limit", "0.05"], ["--node-limit", "1000"]):
        result = gamecore("hexapawn", "--start", "8x8", "--table-mb", "4", "--line", *option)
        assert result.returncode == 3
        move = rb"[a-h]1-[a-h]2"  # by what the search has learnt
        assert re.fullmatch(
            rb"\? -96\.\.\+97 for white\nline: \? \(best so far %s, not proven\)\n" % move, result.stdout
        )
    result = gamecore("hexapawn", "--start", "8x8", "--json", "--node-limit", "100")
    answer = json.loads(result.stdout)
    assert result.returncode == 3
    assert (answer["exact"], answer["value"], answer["winner"]) == (False, None, None)


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 3),
        (["--json"], 3),
        (["--draw"], 3),
        (["--line", "--threads", "2"], 3),
        (["--analyse"], 3),
        (["--analyse", "--json"], 3),
        (["--analyse", "--draw"], 3),
    ],
)
def test_bounds_end_with_status_3_in_every_mode(options, status):
    assert gamecore("hexapawn", "--start", "5x5", "--node-limit", "500", *options).returncode == status
    # The value is exact and the moves are not: they need more nodes.
    position = hexapawn.Position.start(3, 4)
    enough = hexapawn.solve(position).nodes
    assert not hexapawn.analyse(position, Limits(nodes=enough)).exact
    result = gamecore("hexapawn", position.to_text(), "--node-limit", str(enough), *options)
    assert result.returncode == (3 if "--analyse" in options else 0)


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        ([], b"", "no position: the input is empty"),
        ([], b"3\n3\nppp\n x \nPPP\n", "line 4, column 2: 'x' is not a square: P, p or a blank"),
        ([], b"3\n3\nppp\n \xe9 \nPPP\n", "line 4, column 2: '\\udce9' is not a square"),
        ([], b"9\n9\n", "line 2: 9 rows x 9 columns is more than 64 squares"),
        ([], b"1\n3\nPPP\n", "line 1: rows must be a whole number from 2 to 64, not '1'"),
        ([], b"3\n3\nppp\n", "line 4: missing: row 2 of 3"),
        (["--to-move", "red"], SOURCE, "--to-move: invalid choice: 'red'"),
        (["--start", "6"], b"", "--start must be rows x columns, such as 6x6, not '6'"),
        (["--start", "9x9"], b"", "9 rows x 9 columns is more than 64 squares"),
        (["--start", "1x9"], b"", "rows must be an integer of at least 2, not 1"),
        (["--start", "3x3", "file"], b"", "give a FILE or a start position by options, not both"),
        (["/nonexistent"], b"", "'/nonexistent' is neither a file nor a position's notation"),
        (["ppp/4/PPP:w"], b"", "line 1, column 5: BOARD: 4 squares where the first row has 3"),
        (["ppp/3/PPP:w", "--to-move", "black"], b"", "the notation names the side to move"),
        (["-"], b"ppp/3/PPP:x\n", "line 1, column 11: MOVER must be one of w, b, not 'x'"),
        (["--table-mb", "0"], SOURCE, "--table-mb must be above 0"),
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
        [sys.executable, "-m", "gamecore", "hexapawn", "3x3", "8x8", "--table-mb", "16"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"3x3: -6\n"
        time.sleep(0.5)  # the second search has begun
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b"8x8: ? -96..+97 for white\n"  # the bounds reached
    assert err == b"gamecore: interrupted\n"
