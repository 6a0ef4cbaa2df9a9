"""``gamecore solve-file``: answers line by line, and runs that are killed and continued."""

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import said  # pytest's pythonpath has the folder of tests
from fifth import built_in  # noqa: F401 - fixture

from gamecore import duel
from gamecore.game import games


def deals(n, count, seed=5):
    return [duel.deal(n, rng=[seed, number]).to_judge() for number in range(count)]


def answers_of(path):
    """The answers of a file, without their times; None if it is not one of answers, or damaged."""
    try:
        header, *answers = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (FileNotFoundError, ValueError):
        return None
    is_whole = [answer.pop("index", None) for answer in answers] == [*range(len(answers))]
    times = [answer.pop("seconds", None) for answer in answers]
    return answers if is_whole and times and header["gamecore"] == "solve-file" and header["format"] == 2 else None


@pytest.fixture
def solve(tmp_path):
    """Write a file (None: it is there), run the command; give (status, answers, stdout, stderr)."""

    def solve(text, *options):
        if text is not None:
            (tmp_path / "in.txt").write_text(text, encoding="ascii")
        status, out, err = said("solve-file", tmp_path / "in.txt", "-o", solve.out, *options)
        return status, answers_of(solve.out), out, err

    solve.folder, solve.out = tmp_path, tmp_path / "out.jsonl"
    return solve


BLOCKS = Path(__file__).with_name("inputs.txt").read_text(encoding="ascii").split("=== ")[1:]


@pytest.mark.usefixtures("built_in")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.partition("\n")[0])
def test_inputs(solve, block, newline):
    head, *lines = block.splitlines()
    name, *options = head.split()
    text = newline.join(line for line in lines if not line.startswith("---"))
    status, answers, out, err = solve(text, *options)
    expected = [line.split()[1:] for line in lines if line.startswith("---")]
    assert (status, err, out.partition(" answer")[0]) == (0, "", f"{len(expected)}")
    assert json.loads(solve.out.read_text().splitlines()[0])["game"] == name
    for answer, (number, position) in zip(answers, expected, strict=True):
        solution = games()[name].solve(position)
        assert (answer["input_line"], answer["position"]) == (int(number), position)
        assert (answer["value"], list(answer["line"])) == (solution.value, list(solution.line))
    status, _, _, err = solve(f"{position}\n{position}:x\n", "--overwrite")
    assert (status, err.partition(", column 1: ")[0]) == (2, "gamecore: position 1: line 2")


def size_of(path):
    return path.stat().st_size if path.exists() else 0


def start(file, out, *words, **how):
    command = [sys.executable, "-m", "gamecore", "solve-file", file, "-o", out, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def test_a_pipe_and_no_line(solve):
    os.mkfifo(solve.folder / "in.txt")
    with start(solve.folder / "in.txt", solve.out, "--no-line") as process:
        (solve.folder / "in.txt").write_text("\ufeff" + "".join(deals(4, 9)), encoding="utf-8")
        errors = process.communicate()[1]
    assert (process.returncode, errors) == (0, "")
    assert [answer["best_move"] for answer in answers_of(solve.out)] == [None] * 9


def test_torn_ends_are_continued_and_damage_is_refused(solve):
    """What else may not be continued stands among the transcripts."""
    answers, whole, end = solve("".join(deals(3, 20)))[1], solve.out.read_bytes(), b"a note of mine"
    lines = whole.splitlines(keepends=True)
    torn = [whole[:-cut] for cut in (1, 30, 200, len(whole) - 1, len(whole) - 10, len(whole) - 40, len(whole) - 100)]
    for there in (*torn, whole[:-40] + bytes(700) + b"\n" + bytes(5)):  # the last: pages that never came to the disk
        solve.out.write_bytes(there)
        assert solve(None, "--resume")[1] == answers
    for damaged, message in (
        ([*lines[:5], lines[5][:20] + b"\n", *lines[6:]], "line 6 is damaged"),
        ([*lines[:5], lines[5][:20] + b"\n", *lines[6:-1], lines[-1][:30]], "line 6 is damaged"),
        ([*lines, end + b"\n"], "line 22 is damaged"),
        ([*lines, end], "line 22 is damaged"),
        ([*lines, b'{"index": no answer}\n'], "line 22 is damaged"),
        ([*lines[:5], *lines[6:]], "is not the answer to position 4"),
    ):
        solve.out.write_bytes(b"".join(damaged))
        status, _, _, err = solve(None, "--resume")
        assert (status, message in err, solve.out.read_bytes()) == (2, True, b"".join(damaged))


@pytest.mark.parametrize("option", ["--resume", "--overwrite", None])
@pytest.mark.parametrize("text", [
    "dear diary,\nnothing is lost today\n", "".join(deals(3, 5)), '{"gamecore": "something else"}\n',
    '{"a": 1}\n{"b": 2}\n', "x", '{"index": 0, "input_line": 1, "key": "00", "value": 3}\n', "\0" * 100,
])  # fmt: skip
def test_a_file_that_is_not_one_of_answers_is_not_touched(solve, text, option):
    solve.out.write_text(text)
    status, _, _, err = solve(deals(3, 1)[0], *filter(None, [option]))
    assert (status, "not touched" in err, solve.out.read_text()) == (2, True, text)
    assert {path.name for path in solve.folder.iterdir()} == {"in.txt", "out.jsonl"}
    solve.out = solve.folder / "in.txt"
    assert "not touched" in solve(deals(3, 1)[0], *filter(None, [option]))[3]
    assert solve.out.read_text() == deals(3, 1)[0]


def test_answers_are_overwritten_by_answers_alone_through_links(solve):
    solve("".join(deals(3, 3)))
    real = solve.out.rename(solve.folder / "real.jsonl")
    real.chmod(0o640)
    solve.out.symlink_to(real)
    before = real.read_bytes()
    for text in ("\n", "what is this\n", "1\nC2\nXX\n", None):
        if text is None:
            (solve.folder / "in.txt").unlink()
        assert (solve(text, "--overwrite")[0], real.read_bytes()) == (2, before)
        assert {path.name for path in solve.folder.iterdir()} - {"in.txt"} == {"out.jsonl", "real.jsonl"}
    status, answers, _, _ = solve("".join(deals(3, 2)), "--overwrite")
    assert (status, len(answers), solve.out.is_symlink(), real.stat().st_mode & 0o777) == (0, 2, True, 0o640)
    fcntl = pytest.importorskip("fcntl", reason="no such locks here")
    with real.open("r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "is being written by another process" in solve(None, "--resume")[3]


def test_each_answer_is_written_at_once_and_synced(solve, monkeypatch):
    """A run that is killed between two answers loses neither."""
    written, synced, to_dict = [], [], duel.Solution.to_dict

    def noted(solution):
        written.append(size_of(solve.out))
        return to_dict(solution)

    def sync(number):
        if stat.S_ISREG(os.fstat(number).st_mode):
            synced.append(os.fstat(number).st_size)

    monkeypatch.setattr(duel.Solution, "to_dict", noted)
    monkeypatch.setattr(os, "fsync", sync)
    assert (solve("".join(deals(3, 40)), "--workers", "1")[0], written) == (0, sorted(set(written)))
    assert 0 < synced[0] < synced[-1] == solve.out.stat().st_size  # the first answer, and all of them


def test_runs_that_are_killed_and_interrupted(solve):
    """Stop it again and again, each time when it has written more: in the end every answer is there, once."""
    file, whole, ends, rng, status = solve.folder / "in.txt", solve.folder / "whole.jsonl", [], random.Random(3), None
    file.write_text("".join(deals(11, 1000)))
    while status != 0:
        size = size_of(solve.out)
        with start(file, solve.out, "--resume") as process:
            while len(ends) < 4 and process.poll() is None and size_of(solve.out) <= size:
                time.sleep(0.001)
            if len(ends) < 4 and process.poll() is None:
                time.sleep(rng.random() * 0.05)
                process.send_signal((signal.SIGKILL, signal.SIGINT)[len(ends) % 2])
            ends.append((*process.communicate(), process.returncode))
        status = process.returncode
    assert set(ends[:-1]) == {("", "", -signal.SIGKILL), ("", "gamecore: interrupted\n", 130)}
    start(file, whole).communicate()
    assert answers_of(solve.out) == answers_of(whole)
    assert len(answers_of(whole)) == 1000
