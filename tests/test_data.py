"""The keys of everything that is written as JSON are those that ``docs/contract.md`` lists, in that order."""

import json
import re
import sys
from pathlib import Path

import pytest
from command import said

from gamecore import hearts
from gamecore.game import game as game_of

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples" / "kit"))
import tictactoe  # noqa: E402

KEYS = {
    name: re.findall("`([a-z_]+)`", keys)
    for name, keys in re.findall(
        r"^\| ([a-z-]+\.[a-z]+) \| (.+) \|$", (ROOT / "docs" / "contract.md").read_text(encoding="utf-8"), re.MULTILINE
    )
}
GAMES = {name: game_of(name) for name in ("duel", "hexapawn", "rows", "hearts")} | {"kit": tictactoe.GAME}
PYTHON_ECHO = [sys.executable, "-c", "print(input())"]


def position_of(name):
    """Return a position with several moves that is solved at once."""
    if name == "hearts":
        return hearts.random(rng=3, plies=44)
    return GAMES[name].start()


@pytest.mark.parametrize("name", GAMES)
def test_positions_and_results(name):
    game, position = GAMES[name], position_of(name)
    analysis = game.analyse(position)
    many = game.batch.solve_many([position, position])
    objects = {"position": position, "solution": game.solve(position), "analysis": analysis, "move": analysis[0]}
    for word, data in ((word, result.to_dict()) for word, result in objects.items()):
        assert list(data) == KEYS[f"{name}.{word}"], word
        json.dumps(data, allow_nan=False)
    assert set(many.to_dict() if hasattr(many, "to_dict") else many[0].to_dict()) == set(KEYS[f"{name}.solution"])


@pytest.mark.parametrize(("command", "more"), [
    ("duel", ["moves"]), ("hexapawn", ["moves"]), ("rows", ["moves"]), ("hearts solve", ["moves"]),
    ("rows --table --who-starts", ["moves", "who_starts", "table"]),
])  # fmt: skip
def test_the_command(command, more):
    name = command.split()[0]
    for limits in ([], ["--node-limit", "1"]):
        out = said(*command.split(), position_of(name).to_text(), "--json", "--analyse", *limits)[1]
        assert list(json.loads(out, parse_constant=pytest.fail)) == ["position", *KEYS[f"{name}.solution"], *more]


@pytest.mark.parametrize("name", ["duel", "hexapawn", "rows", "hearts"])
def test_lines_of_solve_file(name, tmp_path):
    text = position_of(name).to_text()
    (tmp_path / "in.txt").write_text(f"{text}\n{text}x\n", encoding="ascii")
    answers = tmp_path / "out.jsonl"
    assert said("solve-file", tmp_path / "in.txt", "-o", answers, "--on-error", "return", "--game", name)[0] == 2
    header, answer, error = map(json.loads, answers.read_text(encoding="utf-8").splitlines())
    assert (list(header), header["game"]) == (KEYS["solve-file.header"], name)
    assert list(answer) == ["index", "input_line", "key", "position", *KEYS[f"{name}.solution"]]
    assert list(error) == KEYS["solve-file.error"]


def test_objects_of_hearts():
    seats, view = ["greedy"] * 4, position_of("hearts").view(position_of("hearts").to_move)
    assert list(hearts.Rules().to_dict()) == KEYS["hearts.rules"]
    assert list(hearts.evaluate_moves(view, playouts=3, rng=1)[0].to_dict()) == KEYS["hearts.evaluation"]
    assert list(hearts.simulate(seats, 3, 7).to_dict()) == KEYS["hearts.simulation"]
    assert list(hearts.match(seats, 7).to_dict()) == KEYS["hearts.match"]


@pytest.mark.skipif(sys.platform == "win32", reason="judge runs programs by POSIX means")
def test_judge():
    status, out, _ = said("judge", "rows", "--json", "--count", "2", "--", *PYTHON_ECHO)
    report = json.loads(out)
    assert (status, list(report)) == (1, KEYS["judge.report"])
    assert list(report["counterexample"]) == list(report["verdicts"][0]) == KEYS["judge.verdict"]
    growth = json.loads(
        said("judge", "rows", "--growth", "--sizes", "2-3", "--count", "2", "--json", "--", *PYTHON_ECHO)[1]
    )
    assert list(growth) == KEYS["judge.growth"]
    assert list(growth["programs"][0]) == KEYS["judge.program"]


def test_prove(tmp_path):
    store = tmp_path / "proof"
    lines = said("prove", "hexapawn", "5x5", "--store", store, "--job-nodes", 500, "--table-mb", "0.1", "--json")[1]
    *progress, result = map(json.loads, lines.splitlines())
    assert list(result) == KEYS["prove.result"]
    assert progress
    assert all(list(line) == KEYS["prove.progress"] for line in progress)
    assert list(json.loads(said("prove", "status", store, "--json")[1])) == KEYS["prove.status"]
    assert list(json.loads(said("prove", "verify", store, "--json")[1])) == KEYS["prove.verification"]
