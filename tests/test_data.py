"""Every JSON object has the keys that ``docs/contract.md`` lists, in that order.

``data/keys.txt`` has commands and the keys of the objects that each prints; a word with a dot is a line of the list.
"""

import itertools
import json
import re
import shlex
import sys
from functools import partial

import pytest
import tictactoe
from command import ROOT, said

from gamecore import games, hearts

KEYS = {
    name: re.findall("`([a-z_]+)`", keys)
    for name, keys in re.findall(
        r"^\| ([a-z-]+\.[a-z]+) \| (.+) \|$", (ROOT / "docs" / "contract.md").read_text(encoding="utf-8"), re.MULTILINE
    )
}
GAMES = games() | {"kit": tictactoe.GAME}
POSITIONS = {name: game.start() for name, game in GAMES.items()} | {"hearts": hearts.random(rng=3, plies=44)}
LATE = POSITIONS["hearts"]


@pytest.mark.parametrize("name", ["duel", "hexapawn", "rows", "hearts", "kit"])
def test_positions_and_results(name):
    game, position = GAMES[name], POSITIONS[name]
    analysis = game.analyse(position)
    objects = {"position": position, "solution": game.solve(position), "analysis": analysis, "move": analysis[0]}
    if name == "hearts":
        evaluation = hearts.evaluate_moves(LATE.view(LATE.to_move), playouts=3, rng=1)[0]
        simulation, match = (play(["greedy"] * 4, rng=7) for play in (partial(hearts.simulate, rounds=3), hearts.match))
        objects |= {"rules": hearts.Rules(), "evaluation": evaluation, "simulation": simulation, "match": match}
    for word, data in ((word, result.to_dict()) for word, result in objects.items()):
        assert list(data) == KEYS[f"{name}.{word}"], word
        json.dumps(data, allow_nan=False)
    assert set(game.batch.solve_many([position, position]).to_dict()) == set(KEYS[f"{name}.solution"])


def keys_of(data):
    """The keys of an object, and those of each move, verdict or program in it."""
    lists = (data.get(name, []) for name in ("moves", "verdicts", "programs"))
    inner = itertools.chain(*lists, filter(None, [data.get("counterexample")]))
    return [list(data), *map(list, inner)]


def test_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, position in POSITIONS.items():
        (tmp_path / f"{name}.txt").write_text(f"{position.to_text()}\n{position.to_text()}x\n", encoding="ascii")
    words = {"$PYTHON": sys.executable, "$HEARTS": LATE.to_text()}
    for line in (ROOT / "tests" / "data" / "keys.txt").read_text(encoding="utf-8").splitlines():
        command, _, wanted = line.partition("  =>  ")
        expected = [[key for word in kind.split() for key in KEYS.get(word, [word])] for kind in wanted.split(" | ")]
        out = said(*(words.get(word, word) for word in shlex.split(command)))[1]
        out = (tmp_path / "out.jsonl").read_text() if command.startswith("solve-file") else out
        printed = [keys for text in out.splitlines() for keys in keys_of(json.loads(text, parse_constant=pytest.fail))]
        assert (command, [keys for keys, _ in itertools.groupby(printed)]) == (command, expected)
