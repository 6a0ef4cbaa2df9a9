"""``gamecore rows``: rows from arguments, files, stdin and notation; limits, bad input, JSON."""

import functools
import json
import subprocess
import sys

import numpy as np
import pytest
from command import said

from gamecore import rows
from gamecore.reference import rows as reference

EXAMPLE = [5, 7, 9, 1, 4, 2]
WORDS = [*map(str, EXAMPLE)]


run = functools.partial(said, "rows")


def test_values():
    status, out, err = run(*WORDS, "--opponent", "greedy", "--first", "sister", "--line")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "mine 12  theirs 16  value +4 for the opponent  best L"
    assert reference.replay(EXAMPLE, out.splitlines()[1].removeprefix("line: ")) == (16, 12)
    _, out, _ = run("-3", "2", "-1", "--table")
    assert out.splitlines() == ["mine -4  theirs 2  value -6 for me  best L or R", "-3  2 -4", "    2  2", "      -1"]
    _, out, _ = run("1", "2.5")
    assert out == "mine 2.5  theirs 1.0  value +1.5 for me  best R\n"
    _, out, _ = run("7")
    assert out == "mine 7  theirs 0  value +7 for me  best L or R\n"


def test_analyse_and_draw():
    _, out, _ = run(*WORDS, "--opponent", "greedy", "--analyse", "--draw")
    assert out.splitlines() == [
        "mine 18  theirs 10  value +8 for me  best L",
        "L +8 for me",
        "R +2 for me",
        "row    5 7 9 1 4 2",
        "taker  I o I o I o",
        "as no. 1 2 3 6 5 4",
        "I start: I take 18, the greedy opponent 10",
    ]


def test_notation(tmp_path):
    text = "greedy-left:opponent:5:0:7,9,1,4,2"
    position = rows.Position.from_text(text)
    status, out, _ = run(text)
    solution = rows.solve(position)
    assert (status, out.split()[1]) == (0, str(solution.mine))
    (tmp_path / "position.txt").write_text(f"\n{text}\n")
    assert run(str(tmp_path / "position.txt")) == (0, out, "")
    status, out, err = run(text, "--first", "me")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert run("optimal:me:3:4:-")[:2] == (0, "mine 3  theirs 4  value -1 for me  best none\n")


def test_files(tmp_path):
    (tmp_path / "row.txt").write_text("6\n5 7 9 1 4 2\n")
    np.save(tmp_path / "row.npy", np.array(EXAMPLE))
    np.save(tmp_path / "floats.npy", np.array(EXAMPLE) / 4)
    expected = run(*WORDS)
    assert run(str(tmp_path / "row.txt")) == run(str(tmp_path / "row.npy")) == expected
    assert run(str(tmp_path / "floats.npy"))[1].startswith("mine 4.5  theirs 2.5  ")


def test_json():
    for words in (
        ["--opponent", "greedy", "--table"],
        ["--opponent", "cooperative", "--first", "opponent", "--analyse"],
        ["--opponent", "greedy", "--node-limit", "1", "--analyse"],
        [],
    ):
        _, out, _ = run(*WORDS, *words, "--json")
        found = json.loads(out)
        assert rows.Position.from_text(found["position"]).values == tuple(EXAMPLE)
        if words[-1:] == ["--table"]:
            assert found["table"] == reference.bottom_up(EXAMPLE)[0]
            assert (found["mine"], found["theirs"], found["best_moves"]) == (18, 10, ["L"])


def test_deck():
    _, out, _ = run("--deck", "7", "--json")
    assert list(rows.Position.from_text(json.loads(out)["position"]).values) == rows.deck(7).tolist()
    _, out, _ = run("--deck", "7")
    assert out.startswith("values ")


def test_a_limit_that_is_reached_ends_with_3():
    value = rows.solve(rows.deck(7), opponent="greedy").value
    for words in ([], ["--line"], ["--analyse"], ["--json"], ["--draw"]):
        for limit in (["--node-limit", "5"], ["--time-limit", "0"]):
            status, out, err = run("--deck", "7", "--opponent", "greedy", *limit, *words)
            assert (status, err) == (3, "")
            if words == ["--json"]:
                found = json.loads(out)
                assert (found["value"], found["mine"], found["exact"]) == (None, None, False)
                assert found["lower"] < value < found["upper"]
            else:
                lower, upper = out.split("value ")[-1].split(" for me")[0].split("..")
                assert int(lower) < value < int(upper)
    assert run("--deck", "7", "--opponent", "greedy", "--node-limit", "100000")[0] == 0


def test_stdin():
    command = [sys.executable, "-m", "gamecore", "rows", "--opponent", "dumb"]
    done = subprocess.run(command, input="5 7 9\n1 4 2\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "mine 16  theirs 5  value +11 for me  best R\nmine 6  theirs 1  value +5 for me  best R\n"


@pytest.mark.parametrize(
    "words",
    [
        ["1", "x"],
        ["1", "nan"],
        ["1,2,,3"],
        ["1, ", ",", "3"],
        ["inf"],
        ["1", "2", "--opponent", "who"],
        ["1", "2", "--first", "who"],
        ["1", "2", "--ties", "who"],
        ["1", "--deck", "3"],
        ["--deck", "-3"],
        ["missing.npy"],
        ["missing.txt"],
        ["9223372036854775807", "1"],
        ["99999999999999999999999"],
        ["9007199254740993", "0.5"],
        ["--table", *["1"] * 201],
        ["--draw", *["1"] * 513],
        ["9" * 5000],
        ["greedy:me:0:0:5,,7"],
        ["greedy:me:0:0:5,7.5"],
        ["1", "--node-limit", "-1"],
    ],
)
def test_bad_input(words):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("gamecore")
    assert err.count("\n") == 1
    assert len(err) < 300


def test_an_integer_that_would_be_rounded_beside_floats(tmp_path):
    (tmp_path / "row.txt").write_text("7 7\n0.5 1 3 9007199254740993\n")
    status, _, err = run(str(tmp_path / "row.txt"))
    assert status == 2
    assert err == "gamecore: line 2: value 4: the integer 9007199254740993 would be rounded beside the float 0.5\n"


def test_bad_npy(tmp_path):
    (tmp_path / "bad.npy").write_bytes(b"nothing of the kind")
    np.save(tmp_path / "two.npy", np.zeros((2, 2)))
    np.save(tmp_path / "text.npy", np.array(["a"]))
    np.save(tmp_path / "empty.npy", np.array([], np.int64))
    for name in ("bad.npy", "two.npy", "text.npy", "empty.npy"):
        status, out, err = run(str(tmp_path / name))
        assert (status, out, err.count("\n")) == (2, "", 1)
