"""``gamecore solve-file``: answers line by line, and runs that are killed and continued."""

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamecore import cli, duel, hearts, hexapawn, rows
from gamecore.game import games


def deals(n, count, seed=5):
    rng = np.random.default_rng(seed)
    return [duel.deal(n, rng=rng).to_judge() for _ in range(count)]


def answers_of(path):
    header, *answers = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert (header["gamecore"], header["format"]) == ("solve-file", 2)
    return answers


def without_time(answers):
    return [{name: value for name, value in answer.items() if name != "seconds"} for answer in answers]


@pytest.fixture
def solve(tmp_path, capsys):
    """Write a file, run the command, give (status, answers, stdout, stderr)."""

    def solve(text, *options):
        file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
        if text is not None:
            file.write_text(text, encoding="ascii")
        try:
            status = cli.main(["solve-file", str(file), "-o", str(out), *options])
        except SystemExit as stopped:
            status = stopped.code
        told = capsys.readouterr()
        return status, answers_of(out) if out.exists() else None, told.out, told.err

    solve.folder = tmp_path
    return solve


def test_duels(solve):
    texts = deals(5, 50)
    status, answers, out, err = solve("\n".join(texts))
    assert (status, err) == (0, "")
    assert out.startswith("50 answers in ")
    for index, (text, answer) in enumerate(zip(texts, answers, strict=True)):
        position = duel.parse(text)
        solution = duel.solve(position)
        assert (answer["index"], answer["input_line"], answer["position"]) == (index, 4 * index + 1, position.to_text())
        assert (answer["value"], answer["line"]) == (solution.value, list(solution.line))


def test_boards(solve):
    status, answers, _, _ = solve("3\n3\nppp\n\nPPP\n\n2\n2\n p\nP \n4\n4\npppp\n\n  \nPPPP\n")
    assert (status, [answer["value"] for answer in answers]) == (0, [-6, 1, 11])
    status, answers, _, _ = solve("3\n3\nppp\n\nPPP\n", "--to-move", "black", "--overwrite")
    assert (status, answers[0]["to_move"]) == (0, "black")


def test_rows(solve):
    status, answers, _, _ = solve("5 7 9 1 4 2\n\n1.5 2\n1\n-3\n", "--opponent", "greedy")
    assert status == 0
    solution = rows.solve([5, 7, 9, 1, 4, 2], opponent="greedy")
    assert (answers[0]["value"], "".join(answers[0]["line"])) == (solution.value, "".join(solution.line))
    assert [answer["input_line"] for answer in answers] == [1, 3, 4]


NOTATIONS = {
    "duel": duel.parse("3\nDQ H2 HA\nH3 D6 S3\n").play("DQ"),
    "hexapawn": hexapawn.parse("3\n3\nppp\n P\nP P\n", "black"),
    "rows": rows.Position([5, 7, 9, 1], "greedy", mine=4),
    "hearts": hearts.random(rng=3, plies=56),
}


@pytest.mark.parametrize("game", NOTATIONS)
def test_notations_a_line_each(solve, game):
    position = NOTATIONS[game]
    status, answers, _, _ = solve(f"{position.to_text()}\n\n  {position.to_text()}\r\n")
    assert status == 0
    module = {"duel": duel, "hexapawn": hexapawn, "rows": rows, "hearts": hearts}[game]
    for answer, line in zip(answers, (1, 3), strict=True):
        assert (answer["input_line"], answer["position"]) == (line, position.to_text())
        assert answer["value"] == module.solve(position).value
    header = json.loads((solve.folder / "out.jsonl").read_text().splitlines()[0])
    assert header["game"] == game
    status, _, _, err = solve(f"{position.to_text()}\n{position.to_text()}:x\n", "--overwrite")
    assert status == 2
    assert err.startswith("gamecore: position 1: line 2, column 1: ")


@pytest.mark.parametrize("piped", [False, True])
def test_a_pipe_and_no_line(tmp_path, piped):
    pipe, out, text = tmp_path / "pipe", tmp_path / "out.jsonl", ("\ufeff" + "".join(deals(4, 9))).encode()
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "gamecore", "solve-file", pipe if piped else "-", "-o", out, "--no-line"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if piped:
            pipe.write_bytes(text)
        errors = process.communicate(b"" if piped else text)[1]
    assert (process.returncode, errors, [answer["best_move"] for answer in answers_of(out)]) == (0, b"", [None] * 9)


BAD = "1\nC2\nC3\n\n2\nDQ H2\nH3 XX\n1\nC4\nC5\n"


def test_bad_positions(solve):
    status, answers, out, err = solve(BAD)
    assert (status, out, len(answers)) == (2, "", 1)
    assert err.startswith("gamecore: position 1: line 7: Bob's hand: 'XX' is not a card")
    assert err.endswith("(1 answers are kept)\n")
    status, resumed, _, again = solve(BAD, "--resume")
    assert (status, resumed, again) == (2, answers, err)
    status, answers, _, err = solve(BAD, "--on-error", "return", "--overwrite")
    assert status == 2
    assert "1 of 3 positions are bad" in err
    assert (answers[1]["index"], answers[1]["error"].partition(":")[0]) == (1, "line 7")
    assert [answer.get("value") for answer in answers] == [3, None, 5]
    assert solve(BAD, "--on-error", "return", "--resume")[0] == 2


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
    for options, message in (
        (("--no-line",), "written with line true, not false"),
        (("--node-limit", "9"), "written with nodes null, not 9"),
        (("--game", "hexapawn"), 'written with game "duel", not "hexapawn"'),
    ):
        assert message in solve("".join(texts), "--resume", *options)[3]
    assert "written with game" in solve("1 2\n", "--resume")[3]
    assert "is not the answer to position 0" in solve("".join(deals(3, 20, 6)), "--resume")[3]
    assert "no more than 5 positions" in solve("".join(texts[:5]), "--resume")[3]
    whole = out.read_bytes()
    for cut in (1, 30, 200):
        out.write_bytes(whole[:-cut])
        assert without_time(solve("".join(texts), "--resume")[1]) == without_time(answers)
    out.write_bytes(whole[:-40] + bytes(700) + b"\n" + bytes(5))  # pages that never came to the disk
    assert without_time(solve("".join(texts), "--resume")[1]) == without_time(answers)
    lines = whole.splitlines(keepends=True)
    for damaged, message in (
        ([*lines[:5], lines[5][:20] + b"\n", *lines[6:]], "line 6 is damaged"),
        ([*lines, b"a note of mine\n"], "line 22 is damaged"),
        ([*lines, b"a note of mine"], "line 22 is damaged"),
        ([*lines, b'{"index": no answer}\n'], "line 22 is damaged"),
        ([*lines[:5], *lines[6:]], "is not the answer to position 4"),
    ):
        out.write_bytes(b"".join(damaged))
        assert message in refused(tmp_path, "".join(texts), "--resume", capsys=capsys)
        assert out.read_bytes() == b"".join(damaged)
    out.write_bytes(whole)
    assert len(solve("".join(texts), "--overwrite")[1]) == 20


@pytest.mark.parametrize("length", [1, 10, 40, 100])
def test_a_header_that_was_torn(solve, length):
    text = deals(3, 1)[0]
    solve(text)
    out = solve.folder / "out.jsonl"
    out.write_bytes(out.read_bytes()[:length])
    status, answers, _, _ = solve(text, "--resume")
    assert (status, len(answers)) == (0, 1)


def refused(folder, text, *options, capsys):
    """The message with which in.txt into out.jsonl is refused; None for ``text``: the file stays as it is."""
    if text is not None:
        (folder / "in.txt").write_text(text, encoding="ascii")
    assert cli.main(["solve-file", str(folder / "in.txt"), "-o", str(folder / "out.jsonl"), *options]) == 2
    return capsys.readouterr().err


# --- files that are somebody's ---------------------------------------------------------------------------------------

MINE = {
    "notes": "dear diary,\nnothing is lost today\n",
    "deals": "".join(deals(3, 5)),
    "JSON": '{"gamecore": "something else"}\n',
    "JSON lines": '{"a": 1}\n{"b": 2}\n',
    "no newline": "x",
    "of 0.1": '{"index": 0, "input_line": 1, "key": "00", "value": 3}\n',
    "zeros": "\0" * 100,
}


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("option", ["--resume", "--overwrite", None])
def test_a_file_that_is_not_one_of_answers_is_not_touched(tmp_path, capsys, name, option):
    out = tmp_path / "out.jsonl"
    out.write_text(MINE[name])
    err = refused(tmp_path, deals(3, 1)[0], *filter(None, [option]), capsys=capsys)
    assert "not touched" in err
    assert (out.read_text(), sorted(path.name for path in tmp_path.iterdir())) == (MINE[name], ["in.txt", "out.jsonl"])


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
@pytest.mark.parametrize("option", ["--resume", "--overwrite"])
@pytest.mark.parametrize("stdin", [False, True])
def test_the_input_is_not_the_output(tmp_path, capsys, monkeypatch, link, option, stdin):
    file = out = tmp_path / "in.txt"
    file.write_text(deals(3, 1)[0])
    if link:
        link(file, out := tmp_path / "link")
    with file.open(encoding="ascii") as opened:
        monkeypatch.setattr("sys.stdin", opened)
        assert cli.main(["solve-file", "-" if stdin else str(file), "-o", str(out), option]) == 2
    assert "is the input: the answers need a file of their own" in capsys.readouterr().err
    assert file.read_text() == deals(3, 1)[0]


@pytest.mark.parametrize("wrong", ["missing", "empty", "unknown", "bad first position"])
def test_a_wrong_input_leaves_old_answers(solve, capsys, wrong):
    solve("".join(deals(3, 3)))
    out = solve.folder / "out.jsonl"
    before = out.read_bytes()
    text = {"empty": "\n", "unknown": "what is this\n", "bad first position": "1\nC2\nXX\n"}.get(wrong)
    if text is None:
        (solve.folder / "in.txt").unlink()
    refused(solve.folder, text, "--overwrite", capsys=capsys)
    assert out.read_bytes() == before
    assert [path.name for path in solve.folder.iterdir() if path.name != "in.txt"] == ["out.jsonl"]


def test_overwriting_goes_through_links_and_keeps_the_mode(solve):
    solve("".join(deals(3, 3)))
    out, real = solve.folder / "out.jsonl", solve.folder / "real.jsonl"
    out.rename(real)
    real.chmod(0o640)
    out.symlink_to(real)
    status, answers, _, _ = solve("".join(deals(3, 2)), "--overwrite")
    assert (status, len(answers)) == (0, 2)
    assert out.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640


# --- any text --------------------------------------------------------------------------------------------------------

NUMBERS = [
    "000000002999999999999",
    "0" * 6000 + "2",
    "000000002" + "0" * 6000,
    "+2",
    "2_0",
    "\u0662",
    "-2",
    "2.0",
    " 2 ",
]
WORDS = [*NUMBERS, "2", "3", "64", "99", "DQ H2", "H3 D6", "C2", "ppp", "PPP", " p ", "1 2 -3", "A:B:C", ""]
LINES = st.lists(
    st.one_of(st.text(max_size=20).map(lambda text: text.replace("\n", "")), st.sampled_from(WORDS)), max_size=12
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.sampled_from([(), *(("--game", name) for name in games())]), st.booleans())
def test_any_text_is_answered_or_refused_in_one_line(solve, lines, options, keep):
    out = solve.folder / "out.jsonl"
    out.unlink(missing_ok=True)
    (solve.folder / "in.txt").write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    status, answers, _, err = solve(None, *options, *(("--on-error", "return") if keep else ()), "--node-limit", "50")
    assert status in (0, 2, 3)
    assert err.count("\n") == (status == 2)
    numbers = [answer["input_line"] for answer in answers or ()]
    assert numbers == sorted(set(numbers))
    for answer in answers or ():
        assert lines[answer["input_line"] - 1].strip()
        assert answer["error"].startswith("line ") if "error" in answer else answer["position"]


def test_two_runs_do_not_write_one_file(tmp_path, capsys):
    fcntl = pytest.importorskip("fcntl", reason="no such locks here")
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text(deals(2, 1)[0])
    with open(out, "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert cli.main(["solve-file", str(file), "-o", str(out), "--resume"]) == 2
    assert "is being written by another process" in capsys.readouterr().err


def test_answers_are_synced_to_the_disk(solve, monkeypatch):
    sizes, out = [], solve.folder / "out.jsonl"

    def noted(number):
        if stat.S_ISREG(os.fstat(number).st_mode):
            sizes.append(os.fstat(number).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    assert solve("".join(deals(3, 40)), "--workers", "1")[0] == 0
    assert 0 < sizes[0] < sizes[-1] == out.stat().st_size  # the first answer, and all of them


def test_each_answer_is_written_at_once(solve, monkeypatch):
    """A run that is killed between two answers loses neither: every answer reaches the system by itself."""
    sizes, out, to_dict = [], solve.folder / "out.jsonl", duel.Solution.to_dict

    def noted(solution):
        sizes.append(out.stat().st_size if out.exists() else 0)
        return to_dict(solution)

    monkeypatch.setattr(duel.Solution, "to_dict", noted)
    assert (solve("".join(deals(3, 40)), "--workers", "1")[0], sizes) == (0, sorted(set(sizes)))


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
