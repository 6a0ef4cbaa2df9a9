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
    """The answers of a file: None if it is not one of answers, or damaged."""
    try:
        header, *answers = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (FileNotFoundError, ValueError):
        return None
    return answers if (header.get("gamecore"), header.get("format")) == ("solve-file", 2) else None


def without_time(answers):
    return [{name: value for name, value in answer.items() if name != "seconds"} for answer in answers]


@pytest.fixture
def solve(tmp_path, capsys):
    """Write a file (None: it is there), run the command; give (status, answers, stdout, stderr)."""

    def solve(text, *options):
        file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
        if text is not None:
            file.write_text(text, encoding="ascii")
        status = cli.main(["solve-file", str(file), "-o", str(out), *options])
        printed = capsys.readouterr()
        return status, answers_of(out), printed.out, printed.err

    solve.folder, solve.out = tmp_path, tmp_path / "out.jsonl"
    return solve


DUEL, BOARD, BLACK = deals(5, 1)[0], "3\n3\nppp\n\nPPP\n", "3\n3\nppp\n P\nP P\n"
#: Name: the input, options, and the positions with their first lines.
INPUTS = {
    "duel": ("\n".join(deals(5, 50)), [], [(4 * k + 1, duel.parse(text)) for k, text in enumerate(deals(5, 50))]),
    "hexapawn": (f"{BOARD}\n2\n2\n p\nP \n{BOARD}", [],
                 [(1, hexapawn.parse(BOARD)), (7, hexapawn.parse("2\n2\n p\nP \n")), (11, hexapawn.parse(BOARD))]),
    "hexapawn, black": (BLACK, ["--to-move", "black"], [(1, hexapawn.parse(BLACK, "black"))]),
    "rows": ("5 7 9 1 4 2\n\n1.5 2\n1\n-3\n", ["--opponent", "greedy"],
             [(1, rows.Position([5, 7, 9, 1, 4, 2], "greedy")), (3, rows.Position([1.5, 2.0], "greedy")),
              (4, rows.Position([-3], "greedy"))]),
}  # fmt: skip
NOTATIONS = [
    duel.parse("3\nDQ H2 HA\nH3 D6 S3\n").play("DQ"), hexapawn.parse(BLACK, "black"),
    rows.Position([5, 7, 9, 1], "greedy", mine=4), hearts.random(rng=3, plies=56),
]  # fmt: skip
for game, notation in zip(games(), NOTATIONS, strict=True):
    lines = f"{notation.to_text()}\n\n  {notation.to_text()}\r\n"
    INPUTS[f"{game}, notation"] = (lines, [], [(1, notation), (3, notation)])


@pytest.mark.parametrize("name", INPUTS)
def test_inputs(solve, name):
    text, options, positions = INPUTS[name]
    status, answers, out, err = solve(text, *options)
    assert (status, err, out.partition(" in ")[0]) == (0, "", f"{len(positions)} answers")
    game = games()[name.partition(",")[0]]
    assert json.loads(solve.out.read_text().splitlines()[0])["game"] == game.name
    for index, (answer, (line, position)) in enumerate(zip(answers, positions, strict=True)):
        solution = game.solve(position)
        assert (answer["index"], answer["input_line"], answer["position"]) == (index, line, position.to_text())
        assert (answer["value"], list(answer["line"])) == (solution.value, list(solution.line))


@pytest.mark.parametrize("position", NOTATIONS)
def test_a_bad_notation_is_named_with_its_line(solve, position):
    status, _, _, err = solve(f"{position.to_text()}\n{position.to_text()}:x\n")
    assert (status, err.partition(" 1: ")[0]) == (2, "gamecore: position")
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


def test_what_may_be_continued(solve):
    texts = deals(3, 20)
    assert solve("".join(texts[:12]))[0] == 0
    assert "exists" in solve("".join(texts))[3]
    status, answers, out, _ = solve("".join(texts), "--resume")
    assert (status, len(answers), "8 of them new" in out) == (0, 20, True)
    whole, end = solve.out.read_bytes(), b"a note of mine"
    lines = whole.splitlines(keepends=True)
    for text, options, message in (
        (None, ["--no-line"], "written with line true, not false"),
        (None, ["--node-limit", "9"], "written with nodes null, not 9"),
        (None, ["--game", "hexapawn"], 'written with game "duel", not "hexapawn"'),
        ("1 2\n", [], "written with game"),
        ("".join(deals(3, 20, 6)), [], "is not the answer to position 0"),
        ("".join(texts[:5]), [], "no more than 5 positions"),
    ):
        assert message in solve(text or "".join(texts), "--resume", *options)[3]
    solve("".join(texts), "--resume")
    torn = [whole[:-cut] for cut in (1, 30, 200, len(whole) - 1, len(whole) - 10, len(whole) - 40, len(whole) - 100)]
    for there in (*torn, whole[:-40] + bytes(700) + b"\n" + bytes(5)):  # the last: pages that never came to the disk
        solve.out.write_bytes(there)
        assert without_time(solve(None, "--resume")[1]) == without_time(answers)
    for damaged, message in (
        ([*lines[:5], lines[5][:20] + b"\n", *lines[6:]], "line 6 is damaged"),
        ([*lines, end + b"\n"], "line 22 is damaged"),
        ([*lines, end], "line 22 is damaged"),
        ([*lines, b'{"index": no answer}\n'], "line 22 is damaged"),
        ([*lines[:5], *lines[6:]], "is not the answer to position 4"),
    ):
        solve.out.write_bytes(b"".join(damaged))
        status, _, _, err = solve(None, "--resume")
        assert (status, message in err, solve.out.read_bytes()) == (2, True, b"".join(damaged))
    solve.out.write_bytes(whole)
    assert len(solve(None, "--overwrite")[1]) == 20


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
def test_a_file_that_is_not_one_of_answers_is_not_touched(solve, name, option):
    solve.out.write_text(MINE[name])
    status, _, _, err = solve(deals(3, 1)[0], *filter(None, [option]))
    assert (status, "not touched" in err, solve.out.read_text()) == (2, True, MINE[name])
    assert sorted(path.name for path in solve.folder.iterdir()) == ["in.txt", "out.jsonl"]


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
    assert "not touched" in capsys.readouterr().err
    assert file.read_text() == deals(3, 1)[0]


@pytest.mark.parametrize("text", [None, "\n", "what is this\n", "1\nC2\nXX\n"])
def test_a_wrong_input_leaves_old_answers(solve, text):
    solve("".join(deals(3, 3)))
    before = solve.out.read_bytes()
    if text is None:
        (solve.folder / "in.txt").unlink()
    assert solve(text, "--overwrite")[0] == 2
    assert solve.out.read_bytes() == before
    assert [path.name for path in solve.folder.iterdir() if path.name != "in.txt"] == ["out.jsonl"]


def test_overwriting_goes_through_links_and_keeps_the_mode(solve):
    solve("".join(deals(3, 3)))
    real = solve.folder / "real.jsonl"
    solve.out.rename(real)
    real.chmod(0o640)
    solve.out.symlink_to(real)
    status, answers, _, _ = solve("".join(deals(3, 2)), "--overwrite")
    assert (status, len(answers), solve.out.is_symlink(), real.stat().st_mode & 0o777) == (0, 2, True, 0o640)


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
    solve.out.unlink(missing_ok=True)
    (solve.folder / "in.txt").write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    status, answers, _, err = solve(None, *options, *(("--on-error", "return") if keep else ()), "--node-limit", "50")
    assert status in (0, 2, 3)
    assert err.count("\n") == (status == 2)
    numbers = [answer["input_line"] for answer in answers or ()]
    assert numbers == sorted(set(numbers))
    for answer in answers or ():
        assert lines[answer["input_line"] - 1].strip()
        assert answer["error"].startswith("line ") if "error" in answer else answer["position"]


def test_two_runs_do_not_write_one_file(solve):
    fcntl = pytest.importorskip("fcntl", reason="no such locks here")
    with solve.out.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "is being written by another process" in solve(deals(2, 1)[0], "--resume")[3]


def test_answers_are_synced_to_the_disk(solve, monkeypatch):
    sizes = []

    def noted(number):
        if stat.S_ISREG(os.fstat(number).st_mode):
            sizes.append(os.fstat(number).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    assert solve("".join(deals(3, 40)), "--workers", "1")[0] == 0
    assert 0 < sizes[0] < sizes[-1] == solve.out.stat().st_size  # the first answer, and all of them


def test_each_answer_is_written_at_once(solve, monkeypatch):
    """A run that is killed between two answers loses neither: every answer reaches the system by itself."""
    sizes, to_dict = [], duel.Solution.to_dict

    def noted(solution):
        sizes.append(solve.out.stat().st_size if solve.out.exists() else 0)
        return to_dict(solution)

    monkeypatch.setattr(duel.Solution, "to_dict", noted)
    assert (solve("".join(deals(3, 40)), "--workers", "1")[0], sizes) == (0, sorted(set(sizes)))


# --- runs that end otherwise -----------------------------------------------------------------------------------------


@pytest.fixture
def command(solve):
    """Write a file; give the command as words, whose output can be another file."""

    def command(texts, out=solve.out, python=("-m", "gamecore")):
        (solve.folder / "in.txt").write_text("".join(texts))
        return [sys.executable, *python, "solve-file", solve.folder / "in.txt", "--resume", "-o", out]

    return command


def test_runs_that_are_killed(solve, command):
    """Kill it again and again, each time when it has written more: in the end every answer is there, once."""
    words, whole, out = command(deals(11, 4000)), solve.folder / "whole.jsonl", solve.out
    kills, rng, status = 0, random.Random(3), None
    while status != 0:
        size = out.stat().st_size if out.exists() else 0
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            while kills < 6 and process.poll() is None and (not out.exists() or out.stat().st_size <= size):
                time.sleep(0.001)
            if kills < 6 and process.poll() is None:
                time.sleep(rng.random() * 0.1)
                process.send_signal(signal.SIGKILL)
                kills += 1
            _, err = process.communicate()
        status = process.returncode
        assert status in (0, -signal.SIGKILL), err
    assert kills >= 2
    subprocess.run([*words[:-1], whole], stdout=subprocess.DEVNULL, check=True)
    assert without_time(answers_of(out)) == without_time(answers_of(whole))
    assert [answer["index"] for answer in answers_of(out)] == list(range(4000))


def test_interrupted(solve, command):
    words = command([*deals(6, 30), *deals(21, 400)])
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not solve.out.exists() or not solve.out.stat().st_size:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        printed, err = process.communicate(timeout=60)
    assert (process.returncode, printed, err) == (130, "", "gamecore: interrupted\n")
    assert [answer["index"] for answer in answers_of(solve.out)] == list(range(len(answers_of(solve.out))))


def test_a_full_disk(solve, command):
    pytest.importorskip("resource", reason="no such limits here")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)); "
    limited = command(
        deals(3, 50), python=("-c", f"{limit}import sys; from gamecore.cli import main; sys.exit(main())")
    )
    run = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert run.stderr.startswith("gamecore: cannot write ")
    assert solve.out.stat().st_size == 5000  # the last line is torn
    assert [answer["index"] for answer in solve(None, "--resume")[1]] == list(range(50))
