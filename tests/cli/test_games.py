"""``gamecore duel``, ``hexapawn`` and ``rows``: JSON, limits and threads; what they print stands in ``answers.txt``."""

import json
import re

import pytest
from command import said

from gamecore import duel, hexapawn, rows
from gamecore.reference import rows as reference

ROW = [5, 7, 9, 1, 4, 2]
MODULES = {"duel": duel, "hexapawn": hexapawn, "rows": rows}
BOARD, DEAL, FULL = "5/pp1pp/PPp2/3P1/4P:w", "DQH2HA:H3D6S3:A:-", duel.deal(26, rng=4).to_text()
GREEDY = "rows 5 7 9 1 4 2 --opponent greedy"
UNKNOWN = {"exact": False, "value": None}
FIELDS = {
    f"duel {DEAL} --analyse": {
        "winner": "Alice", "points": 9, "value": 9, "exact": True, "position": DEAL, "to_move": "Alice",
        "line": ["HA", "H3", "H2", "pass", "DQ"], "best_moves": ["HA"],
    },
    "duel DQ:H3D6:B:DK": {"winner": "Alice", "points": 3, "value": -3, "to_move": "Bob"},
    "duel 0:H3D6:B:DQ": {"best_move": None},
    f"duel {FULL} --analyse --node-limit 100": {**UNKNOWN, "best_move": None, "line": []},
    f"hexapawn {BOARD} --analyse": {
        "value": 3, "winner": "white", "exact": True, "to_move": "white", "line": ["b3xa4", "b4xa3", "a4-a5"],
        "position": BOARD,
    },
    "hexapawn --start 6x6 --node-limit 1": UNKNOWN,
    "hexapawn --start 8x8 --node-limit 100": {**UNKNOWN, "winner": None},
    f"{GREEDY} --table": {"mine": 18, "theirs": 10, "best_moves": ["L"], "table": reference.bottom_up(ROW)[0]},
    "rows 5 7 9 1 4 2 --opponent cooperative --first opponent --analyse": {
        "position": rows.Position(ROW, "cooperative", "opponent").to_text(),
    },
    f"{GREEDY} --node-limit 1 --analyse": {**UNKNOWN, "position": rows.Position(ROW, "greedy").to_text()},
    "rows 5 7 9 1 4 2": {"position": rows.Position(ROW).to_text()},
    "rows --deck 7": {"position": rows.Position(rows.deck(7)).to_text()},
}  # fmt: skip


@pytest.mark.parametrize("words", FIELDS)
def test_json(words):
    status, out, _ = said(*words.split(), "--json")
    answer, module = json.loads(out), MODULES[words.split()[0]]
    assert {name: answer[name] for name in FIELDS[words]} == FIELDS[words]
    assert status == (0 if answer["exact"] else 3)
    assert ("moves" in answer) == ("--analyse" in words)
    if "moves" in answer and answer["exact"]:
        assert answer["moves"] == [entry.to_dict() for entry in module.analyse(answer["position"])]


MODES = ("", "--json", "--draw", "--line")
LIMITS = (
    f"duel {FULL} --time-limit 0.05", f"duel {FULL} --node-limit 20000", "hexapawn --start 8x8 --time-limit 0.05",
    "hexapawn --start 8x8 --node-limit 1000", "rows --deck 7 --opponent greedy --time-limit 0",
    "rows --deck 7 --opponent greedy --node-limit 5",
)  # fmt: skip


@pytest.mark.parametrize("mode", [*MODES, *(f"--analyse {mode}" for mode in MODES[:3])])
@pytest.mark.parametrize("words", LIMITS)
def test_a_limit_gives_bounds_and_status_3(words, mode):
    game = words.split()[0]
    more = [] if game == "rows" else ["--table-mb", "4", "--threads", "2" if mode == "--line" else "1"]
    status, out, err = said(*words.split(), *mode.split(), *more)
    assert (status, err) == (3, "")
    if "--json" in mode:
        answer = json.loads(out)
        assert (answer["exact"], answer["value"]) == (False, None)
        lower, upper = answer["lower"], answer["upper"]
    else:
        lower, upper = map(int, re.search(r"([+-]?\d+)\.\.([+-]?\d+)", out).groups())
        assert "? -96..+97 for white\n" in out or game != "hexapawn"
        assert re.search(r"\nline: \? \(best so far \S+, not proven\)\n", out) or mode != "--line" or game == "rows"
        who, bounds = out.splitlines()[:2] if game == "duel" else ("", "")
        assert who in ("", "Alice", "Bob", "?")
        assert (" for Alice" in bounds) == (who == "?")
    assert lower < (rows.solve(rows.deck(7), opponent="greedy").value if game == "rows" else lower + 1) <= upper


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", ["duel", "hexapawn"])
def test_bounds_of_moves_alone_are_status_3_too(deal, game, mode):
    """The value is found within the limit, the values of all moves are not."""
    position = duel.Position(*deal(8, "random", 1)) if game == "duel" else hexapawn.Position.start(3, 4)
    words = [game, position.to_text(), *mode.split(), "--node-limit"]
    enough = MODULES[game].solve(position).nodes
    assert said(*words, enough)[0] == 0
    assert said(*words, enough, "--analyse")[0] == said(*words, 5, "--analyse")[0] == 3


def test_threads_find_the_same_line(deal):
    position = duel.Position(*deal(17, "low", 3)).to_text()
    alone, together = (said("duel", position, "--line", "--threads", n) for n in (1, 2))
    assert together == alone
    assert alone[0] == 0
