"""``gamecore solve-file``: answers line by line, and runs that are killed and continued."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from gamecore import cli, duel, hexapawn, rows

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]


def deals(n, count, seed=5):
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        cards = rng.sample(DECK, 2 * n)
        found.append(f"{n}\n{' '.join(cards[:n])}\n{' '.join(cards[n:])}\n")
    return found


def answers_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_time(answers):
    return [{name: value for name, value in answer.items() if name != "seconds"} for answer in answers]


@pytest.fixture
def solve(tmp_path, capsys):
    """Write a file, run the command, give (status, answers, stdout, stderr)."""

    def solve(text, *options):
        file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
        if text is not None:
            file.write_text(text, encoding="ascii")
        status = cli.main(["solve-file", str(file), "-o", str(out), *options])
        told = capsys.readouterr()
        return status, answers_of(out) if out.exists() else None, told.out, told.err

    return solve


def test_duels(solve):
    texts = deals(5, 50)
    status, answers, out, err = solve("\n".join(texts))
    assert (status, err) == (0, "")
    assert out.startswith("50 answers in ")
    for index, (text, answer) in enumerate(zip(texts, answers, strict=True)):
        position = duel.parse(text)
        solution = duel.solve(position)
        assert (answer["index"], answer["input_line"]) == (index, 4 * index + 1)
        assert (answer["alice"], answer["bob"]) == (list(position.alice), list(position.bob))
        assert (answer["value"], answer["line"]) == (solution.value, list(solution.line))


def test_boards(solve):
    status, answers, _, _ = solve("3\n3\nppp\n\nPPP\n\n2\n2\n p\nP \n4\n4\npppp\n\n  \nPPPP\n")
    assert status == 0
    assert [answer["value"] for answer in answers] == [-6, hexapawn.parse("2\n2\n p\nP \n") and 1, 11]
    status, answers, _, _ = solve("3\n3\nppp\n\nPPP\n", "--to-move", "black", "--overwrite")
    assert (status, answers[0]["to_move"]) == (0, "black")


def test_rows(solve):
    status, answers, _, _ = solve("5 7 9 1 4 2\n\n1.5 2\n-3\n", "--opponent", "greedy")
    assert status == 0
    one = rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy")
    assert (answers[0]["mine"], answers[0]["line"], answers[0]["best_moves"]) == (one.mine, one.line, ["left"])
    assert [answer["input_line"] for answer in answers] == [1, 3, 4]


def test_stdin_and_no_line(tmp_path):
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "gamecore", "solve-file", "-", "-o", str(out), "--no-line"]
    told = subprocess.run(command, input="".join(deals(4, 9)).encode(), capture_output=True, check=False)
    assert (told.returncode, told.stderr) == (0, b"")
    assert [answer["best_move"] for answer in answers_of(out)] == [None] * 9


BAD = "1\nC2\nC3\n\n2\nDQ H2\nH3 XX\n1\nC4\nC5\n"


def test_a_bad_position_stops_and_keeps_what_is_done(solve):
    status, answers, out, err = solve(BAD)
    assert (status, out, len(answers)) == (2, "", 1)
    assert err.startswith("gamecore: position 1: line 7: Bob's hand: 'XX' is not a card")
    assert err.endswith("(1 answers are kept)\n")
    assert err.count("\n") == 1
    status, again, _, _ = solve(BAD, "--resume")
    assert (status, again) == (2, answers)


def test_a_bad_position_may_be_an_answer(solve):
    status, answers, _, err = solve(BAD, "--on-error", "return")
    assert status == 2
    assert "1 of 3 positions are bad" in err
    assert answers[1] == answers[1] | {"index": 1, "error": answers[1]["error"]}
    assert answers[1]["error"].startswith("line 7: Bob's hand")
    assert [answer.get("value") for answer in answers] == [3, None, 5]
    assert solve(BAD, "--on-error", "return", "--resume")[0] == 2


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", (), "cannot tell which game this is"),
        ("1\n2\n", (), "rows has to be 2 to 64"),
        ("x\n", (), "cannot tell which game this is"),
        ("1\nC2\nC3\nx\nC2\nC3\n", (), "position 1: line 4: n, the number of cards"),
        ("3\n3\nppp\n\nPPP\n99\n", (), "position 1: line 6: rows has to be 2 to 64"),
        ("3\n3\nppp\n", (), "missing: row"),
        ("1 2\n3 x\n", (), "position 1: line 2: value 2: 'x' is not a finite number"),
        ("1 2\n", ("--opponent", "nobody"), "opponent has to be one of"),
        ("1\nC2\nC3\n", ("--resume", "--overwrite"), "not both"),
        ("1\nC2\nC3\n", ("--workers", "0"), "workers"),
        ("1\nC2\nC3\n", ("--time-limit", "-1"), "seconds"),
        ("3\n3\nppp\n\nPPP\n", ("--to-move", "red"), "--to-move"),
    ],
)
def test_bad_input(solve, text, options, message):
    status, _, out, err = solve(text, *options)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("gamecore")
    assert err.count("\n") == 1


def test_files_that_cannot_be_used(tmp_path, capsys):
    deal = tmp_path / "deal.txt"
    deal.write_text(deals(2, 1)[0])
    for file, out in ((tmp_path / "none", tmp_path / "out"), (deal, tmp_path / "no" / "out"), (deal, tmp_path)):
        assert cli.main(["solve-file", str(file), "-o", str(out)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_limits(solve):
    status, answers, _, _ = solve("".join(deals(9, 6)), "--node-limit", "5")
    assert status == 3
    assert not all(answer["exact"] for answer in answers)
    assert solve(None, "--node-limit", "5", "--resume")[0] == 3


def test_what_may_be_continued(solve, tmp_path, capsys):
    texts = deals(3, 20)
    out = tmp_path / "out.jsonl"
    assert solve("".join(texts[:12]))[0] == 0
    assert "exists" in solve("".join(texts))[3]
    status, answers, said, _ = solve("".join(texts), "--resume")
    assert (status, len(answers)) == (0, 20)
    assert "8 of them new" in said
    assert "with these options" in solve("".join(texts), "--resume", "--no-line")[3]
    assert "with these options" in solve("".join(deals(3, 20, 6)), "--resume")[3]
    assert "no more than 5 positions" in solve("".join(texts[:5]), "--resume")[3]
    whole = out.read_bytes()
    for cut in (1, 30, 200):
        out.write_bytes(whole[:-cut])
        assert without_time(solve("".join(texts), "--resume")[1]) == without_time(answers)
    out.write_bytes(whole[:-40] + bytes(700) + b"\n" + bytes(5))  # pages that never came to the disk
    assert without_time(solve("".join(texts), "--resume")[1]) == without_time(answers)
    lines = whole.splitlines(keepends=True)
    out.write_bytes(b"".join([*lines[:4], lines[4][:20] + b"\n", *lines[5:]]))
    assert cli.main(["solve-file", str(tmp_path / "in.txt"), "-o", str(out), "--resume"]) == 2
    assert "line 5 is damaged" in capsys.readouterr().err
    out.write_bytes(b"".join([*lines[:4], *lines[5:]]))
    assert "is not the answer to position 4" in solve("".join(texts), "--resume")[3]
    assert len(solve("".join(texts), "--overwrite")[1]) == 20


def test_two_runs_do_not_write_one_file(tmp_path, capsys):
    fcntl = pytest.importorskip("fcntl", reason="no such locks here")
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text(deals(2, 1)[0])
    with open(out, "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert cli.main(["solve-file", str(file), "-o", str(out), "--resume"]) == 2
    assert "is being written by another process" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed like that here")
def test_runs_that_are_killed(tmp_path):
    """Kill it again and again, each time when it has written more: in the end every answer is there, once."""
    file, out, whole = tmp_path / "in.txt", tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    file.write_text("".join(deals(11, 4000)))
    command = [sys.executable, "-m", "gamecore", "solve-file", str(file), "--resume", "-o"]
    kills = 0
    rng = random.Random(3)
    while True:
        size = out.stat().st_size if out.exists() else 0
        with subprocess.Popen([*command, str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            while kills < 6 and process.poll() is None and (not out.exists() or out.stat().st_size <= size):
                time.sleep(0.001)
            if kills < 6 and process.poll() is None:
                time.sleep(rng.random() * 0.1)
                process.send_signal(signal.SIGKILL)
            _, err = process.communicate()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, err
        kills += 1
    assert kills >= 2
    subprocess.run([*command, str(whole)], stdout=subprocess.DEVNULL, check=True)
    assert without_time(answers_of(out)) == without_time(answers_of(whole))
    assert [answer["index"] for answer in answers_of(out)] == list(range(4000))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_interrupted(tmp_path):
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text("".join([*deals(6, 30), *deals(21, 400)]))
    command = [sys.executable, "-m", "gamecore", "solve-file", str(file), "-o", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not out.exists() or not out.stat().st_size:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        told, err = process.communicate(timeout=60)
    assert (process.returncode, told, err) == (130, "", "gamecore: interrupted\n")
    assert [answer["index"] for answer in answers_of(out)] == list(range(len(answers_of(out))))


def test_a_full_disk(tmp_path):
    pytest.importorskip("resource", reason="no such limits here")
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text("".join(deals(3, 50)))
    command = [sys.executable, "-m", "gamecore", "solve-file", str(file), "-o", str(out), "--resume"]
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)); "
    limited = [sys.executable, "-c", f"{limit}import sys; from gamecore.cli import main; sys.exit(main(sys.argv[1:]))"]
    told = subprocess.run([*limited, *command[3:]], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr.startswith("gamecore: cannot write ")
    assert told.stderr.count("\n") == 1
    assert out.stat().st_size == 5000  # the last line is torn
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert [answer["index"] for answer in answers_of(out)] == list(range(50))


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no devices here")
def test_devices_are_refused(tmp_path, capsys):
    file = tmp_path / "in.txt"
    file.write_text(deals(2, 1)[0])
    assert cli.main(["solve-file", str(file), "-o", "/dev/null"]) == 2
    assert "has to be a file" in capsys.readouterr().err
