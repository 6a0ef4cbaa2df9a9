"""Who wins as a question of its own; searches of hours: progress, and a table that survives their end."""

import random
import re
import signal
import subprocess
import sys
import time

import pytest

from gamecore import Limits, hexapawn, kernels
from gamecore.hexapawn import Position, Progress, Solver, solve

START = Position.start(7, 6)  # white wins: 2 M nodes
CHILD = (
    "import sys\nfrom gamecore import Limits, hexapawn\nfrom gamecore.hexapawn import _long\n"
    "_long.SAVE_SECONDS = 0.05\nstart = hexapawn.Position.start(7, 6)\nprint('begun', flush=True)\n"
    "print(hexapawn.solve(start, Limits(table_mb=20), question=sys.argv[2], table_file=sys.argv[1]).winner)\n"
)


def test_who_wins_is_what_the_distance_says(data):
    for entry in data("hexapawn"):
        if entry["rows"] * entry["cols"] > 36:
            continue
        position = Position.from_rows(entry["board"], entry["to_move"])
        other = "black" if position.to_move == "white" else "white"
        answer = solve(position, question="outcome")
        assert answer.winner == (position.to_move if entry["value"] > 0 else other)
        assert (answer.answered, answer.question) == (True, "outcome")
        assert (answer.lower > 0) == (entry["value"] > 0)
        assert answer.lower <= entry["value"] <= answer.upper
        assert (answer.line, answer.best_moves, answer.best_so_far) == ((), (), None)
        assert position.is_over or (answer.value is None and not answer.exact)


@pytest.mark.parametrize("size", [(6, 6), (4, 9)])
def test_the_same_answer_by_limits_threads_and_solvers(size):
    start = Position.start(*size)
    whole = solve(start, line=False)
    answer = solve(start, question="outcome")
    assert answer.nodes < whole.nodes
    assert (answer.winner, str(answer)) == (whole.winner, f"{whole.winner} wins")
    with Solver() as solver:
        asked = [(solver.solve(start, question=what), what) for what in ("outcome", "distance", "outcome")]
    assert [item.question for item, _ in asked] == [what for _, what in asked]
    assert asked.pop(1)[0].value == whole.value
    answers = [item for item, _ in asked]
    answers += [solve(start, question="outcome", threads=2), solve(start, Limits(table_mb=0.1), question="outcome")]
    assert {(item.lower, item.upper, item.winner, item.distance_lower) for item in answers} == {
        (answer.lower, answer.upper, answer.winner, 1)
    }
    for limits in (Limits(nodes=10), Limits(seconds=0)):
        limited = solve(start, limits, question="outcome")
        assert (limited.answered, limited.winner, str(limited)) == (False, None, "not decided")
        assert -limited.distance_upper <= limited.lower < 0 < limited.upper <= limited.distance_upper
        assert limited.best_so_far is None


@pytest.mark.parametrize(("size", "wide"), [((6, 5), False), ((8, 8), False), ((21, 3), True)])
def test_a_reserved_table(size, wide):
    """It has all its memory at once, and each entry is found."""
    start, module = Position.start(*size), "hexapawn_wide" if wide else "hexapawn"
    solver = kernels.kernel(module).Solver(*size, 3 << 20)
    assert solver.table_bytes < 1 << 20
    solver.reserve()
    assert solver.table_bytes == len(solver.memory()) == 1 << 21
    solver.solve(start.white, start.black, False, -1.0, 100_000, False)
    stored = solver.stored()
    assert len(stored) == solver.entries > 10_000
    assert all(solver.knows(*entry[:2]) for entry in stored)
    solver.recount()
    assert (solver.entries, solver.table_bytes) == (len(stored), 1 << 21)


def test_progress_is_told_and_its_error_ends_the_search():
    told: list[Progress] = []
    answer = solve(Position.start(5, 6), Limits(table_mb=1), progress=told.append)
    assert answer == solve(Position.start(5, 6), Limits(table_mb=1), progress=told.append)
    last = told[-1]
    assert answer.value == -22
    assert set(last.refuted) == set(Position.start(5, 6).legal_moves())
    assert (last.winning, last.replies, last.slots) == ((), (), 1 << 16)
    assert 0 < last.entries <= answer.nodes == last.nodes
    assert re.fullmatch(r"0\.1 M nodes in 0 s, .* M a second; table .*% full, 0\.0 M replaced; refuted: .*", str(last))
    numbers = iter([0])
    with pytest.raises(ZeroDivisionError):  # of the first report alone
        solve(Position.start(8, 8), Limits(table_mb=1), question="outcome", progress=lambda _: 1 / next(numbers, 1))


def test_a_table_in_a_file_goes_on(tmp_path):
    path, few = tmp_path / "table", Limits(nodes=400_000, table_mb=20)
    parts = [solve(START, few, question="outcome", table_file=path)]
    while not parts[-1].answered and len(parts) < 12:
        parts.append(solve(START, few, question="outcome", table_file=path, threads=len(parts) % 2 + 1))
    assert 1 < len(parts) < 12
    assert parts[-1].winner == "white"
    after = START.play("b1-b2")  # any position of the board, and either question
    assert solve(after, few, question="outcome", table_file=path).nodes == 1
    assert solve(START, Limits(table_mb=20), table_file=path).value == 39


def test_damaged_entries_are_no_entries(tmp_path):
    """A power cut may leave any mixture of old and new blocks; flipped bits are more than that."""
    path, start, limits, rng = tmp_path / "table", Position.start(4, 5), Limits(table_mb=0.0625), random.Random(1)
    solve(start, limits, table_file=path)
    data = path.read_bytes()
    for _ in range(20):
        damaged = bytearray(data)
        for at in rng.choices(range(4096, len(data)), k=400):
            damaged[at] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        answer = solve(start, limits, table_file=path)
        assert (answer.value, answer.winner) == (-14, "black")


@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.nightly)])
def test_a_search_that_is_killed_goes_on(tmp_path, kills):
    rng, path = random.Random(kills), str(tmp_path / "table")
    command = [sys.executable, "-c", CHILD, path]
    for number in range(kills):
        with subprocess.Popen([*command, "outcome"], stdout=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            time.sleep(rng.random() / 2)
            process.kill()
        if number % 10 == 9:
            (tmp_path / "table").unlink()
    done = subprocess.run([*command, "outcome"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["begun", "white"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT of another process on Windows")
def test_control_c_saves_the_table(tmp_path):
    path, words = tmp_path / "table", "hexapawn 8x8 --question outcome --table-mb 16 --progress --table-file table"
    command = [sys.executable, "-m", "gamecore", *words.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert "M nodes" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "not decided\n")
    assert err.endswith("gamecore: interrupted\n")
    assert any(path.read_bytes()[4096:])
    told: list[Progress] = []
    hexapawn.solve(Position.start(8, 8), Limits(nodes=1, table_mb=16), table_file=path, progress=told.append)
    assert told[-1].entries > 1000
