"""Positions in and out of the page: views, links, texts, editors, panels, and errors for those that do not exist."""

import json
import random
import re
from itertools import product

import pytest
from explore.answers import OWN_GAMES, REQUESTS, hidden, leaks, refused

from gamecore import duel, hearts, hexapawn, rows
from gamecore.apps.explore import _bounds
from gamecore.apps.explore._shown import Shown
from gamecore.apps.explore.rows import COUNT_VALUES, TABLE_VALUES
from gamecore.game import games
from gamecore.hearts import Rules
from gamecore.reference import rows as reference

GAMES = games()
LIBRARY = {"duel": duel, "hexapawn": hexapawn, "rows": rows, "hearts": hearts}
CASES = [(game, library.random(rng=seed)) for game, library in LIBRARY.items() for seed in range(6)]
TOTALS = {"0": 80, "1": 3, "2": 5, "3": 8}
OPPONENTS = ("optimal", "greedy", "cooperative")


def test_hello_names_what_a_page_needs(ask):
    answer = json.loads(json.dumps(ask("hello"), allow_nan=False))
    assert [game["game"] for game in answer["games"]] == list(LIBRARY)
    for game in answer["games"]:
        assert Shown.read(GAMES[game["game"]], game["start"]).position.legal_moves()
        assert [player["player"] for player in game["players"]] == list(GAMES[game["game"]].players)
        assert game["rules"]
    assert (len(answer["cards"]), answer["cards"]["DQ"], answer["cards"]["HT"]) == (52, "♦Q", "♥10")


@pytest.mark.parametrize(
    ("game", "position"), CASES, ids=lambda case: case if isinstance(case, str) else case.to_text()
)
def test_a_view_its_draft_and_its_history_say_what_the_position_says(ask, game, position):
    source, moves, states = random.Random(5), [], [position]
    while not states[-1].is_over and len(moves) < 6:
        moves.append(source.choice(states[-1].legal_moves()))
        states.append(states[-1].play(moves[-1]))
    views = ask("position", game=game, position=position.to_text(), moves=moves)["views"]
    for view, state in zip(views, states, strict=True):
        assert view["position"] == state.to_text()
        assert view["legal_moves"] == list(state.legal_moves()) == [entry["move"] for entry in view["moves"]]
        assert view["is_over"] == state.is_over == (view["result"] is not None)
        assert view["to_move"] == state.to_move
        assert view["label"].endswith(".")
    draft = json.loads(json.dumps(views[0]["draft"], allow_nan=False))
    assert ask("build", game=game, draft=draft)["view"] == views[0]


def part_of(expected, answer):
    """Whether an answer has all that is expected of it; of texts and lists, the whole is."""
    if isinstance(expected, dict):
        return all(name in answer and part_of(value, answer[name]) for name, value in expected.items())
    if isinstance(expected, list) and expected and isinstance(expected[0], dict):
        return len(expected) == len(answer) and all(map(part_of, expected, answer))
    return expected == answer


@pytest.mark.parametrize("line", [line for line in REQUESTS if line[0].islower()])
def test_requests(ask, own_games, line):
    for name in [name for name in OWN_GAMES if f'"{name}"' in line]:
        own_games(name)
    question, _, expected = line.replace("HEARTS", GAMES["hearts"].example).partition("  =>  ")
    path, _, fields = question.partition(" ")
    if expected.startswith("{"):
        answer = ask(path, **json.loads(fields))
        answer = dict(answer) if isinstance(answer, list) else answer  # of events, the last of each name
        assert part_of(json.loads(expected), answer), answer
        return
    status, code, field, said = expected.split(" ", 3)
    error = refused(ask, path, **json.loads(fields))
    assert (error.status, error.code, error.field or "-") == (int(status), code, field)
    assert said in f"line {error.line} column {error.column} {error.message}"


@pytest.mark.parametrize("game", GAMES)
def test_a_random_position_is_that_of_its_seed(ask, game):
    drawn = ask("random", game=game)
    assert drawn == ask("random", game=game, seed=drawn["seed"])
    assert drawn["seed"] < 1 << 31
    assert len({ask("random", game=game, seed=seed)["view"]["position"] for seed in range(8)}) > 1


def test_more_than_a_page_shows_is_refused_or_left_out(ask):
    assert len(ask("parse", game="duel", text="1\nDQ\nH3\n" * 100)["positions"]) == _bounds.TEXT_POSITIONS
    assert refused(ask, "build", game="rows", draft={"values": [1] * 513}).code == "option"
    table = {"panel": "table", "position": rows.random(TABLE_VALUES + 1, plies=0, rng=1).to_text()}
    assert "nothing to show" in refused(ask, "panel", game="rows", **table).message


def test_a_match_goes_on_until_its_limit(ask):
    round_ = hearts.Round.deal(rng=3, rules=Rules(match_points=120, cycle=("left", "hold")), passing="left")
    while not round_.is_over:
        round_ = round_.play(round_.ask("greedy"))
    sums = [before + points for before, points in zip(TOTALS.values(), round_.points, strict=True)]
    answer = ask("next", game="hearts", position=round_.to_text(), totals=TOTALS)
    following = hearts.Round.from_text(answer["view"]["position"])
    assert (answer["totals"], following.passing, following.index) == (sums, "hold", 1)
    assert following.rules == round_.rules
    assert following.dealt == hearts.Round.deal(round_.seed, round_.rules, "hold", index=1).dealt
    answer = ask("next", game="hearts", position=round_.to_text(), totals=TOTALS | {"2": 200})
    assert answer["view"] is None
    assert re.search(r"the match is over; it goes to seat 1$", answer["text"])
    seen = ask("position", game="hearts", position=round_.to_text(), seat=2)["views"][0]["position"]
    answer = ask("next", game="hearts", position=seen, seat=2)
    assert not leaks(answer, hidden(following, 2))
    assert ask("next", game="rows", position="optimal:me:1:2:-")["totals"] is None
    assert refused(ask, "next", game="rows", position="optimal:me:1:2:5").code == "option"
    for totals in ({"0": "1"}, {"0": 1.5}, {"7": 1}, {"0": 10**9}):
        assert refused(ask, "next", game="hearts", position=round_.to_text(), totals=totals).code == "field"


@pytest.mark.parametrize("game", ["duel", "hexapawn", "rows"])
def test_puzzles_ask_for_a_real_choice(ask, game):
    for seed in range(4):
        position = LIBRARY[game].Position.from_text(ask("puzzle", game=game, seed=seed)["view"]["position"])
        assert len(position.legal_moves()) >= (2 if game == "rows" else 4)
        assert len(LIBRARY[game].analyse(position).best_moves) == 1


# --- panels of rows --------------------------------------------------------------------------------------------------


def panel(ask, name, position, **options):
    return ask("panel", game="rows", panel=name, position=position.to_text(), options=options)


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_the_table_is_the_librarys(ask, opponent):
    position = rows.random(9, opponent, plies=0, rng=3)
    drawn = rows.table_picture(position.values, opponent=opponent, ties=position.ties)
    assert panel(ask, "table", position) == {"table": {"svg": drawn.svg}}


def counted(row, opponent):
    """Calls of the sources' recursions, counted while they run: every one, and those that differ."""
    calls, seen = 0, set()

    def explore(i, j, mine):
        nonlocal calls
        if i > j:
            return 0
        calls += 1
        seen.add((i, j))
        if mine:
            return max(row[i] + explore(i + 1, j, False), row[j] + explore(i, j - 1, False))
        if opponent == "greedy":
            left = reference.sister_takes_left(row, i, j) or i == j
            return explore(i + 1, j, True) if left else explore(i, j - 1, True)
        ends = explore(i + 1, j, True), explore(i, j - 1, True)
        return min(ends) if opponent == "optimal" else max(ends)

    return explore(0, len(row) - 1, True), calls, len(seen)


@pytest.mark.parametrize(("opponent", "seed"), [*product(OPPONENTS, range(3))])
def test_states_are_counted_as_the_sources_recursions_visit_them(ask, opponent, seed):
    row = random.Random(seed).choices(range(9), k=11)
    lines = panel(ask, "counts", rows.Position(row, opponent))["states"].split("\n")
    assert lines[0].split() == ["n", "naive", "memoised", "table", "native"]
    for n, line in enumerate(lines[1:], 1):
        value, calls, states = counted(row[:n], opponent)
        assert value == reference.full_exploration(row[:n], opponent)[0]
        native = rows.solve(row[:n], opponent=opponent, line=False).nodes
        assert [int(word) for word in line.split()] == [n, calls, states, n * (n + 1) // 2, native]
    long_row = panel(ask, "counts", rows.random(COUNT_VALUES + 9, plies=0, rng=1))["states"].split("\n")
    assert long_row[-1].split()[:2] == [str(COUNT_VALUES), str(2**COUNT_VALUES - 1)]
