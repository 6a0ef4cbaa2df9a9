"""What the page is told of moves is what the library says; panels show the sources' algorithms and their states."""

import functools
import json
import random
import re
import sys
from pathlib import Path

import pytest
from explore.answers import GAMES
from kit.games import Track

from gamecore import duel, hearts, hexapawn, kit, rows, trace
from gamecore.apps.explore import _analyse
from gamecore.apps.explore._shown import Shown
from gamecore.contract import Analysis, MoveValue
from gamecore.game._registry import BUILT_IN
from gamecore.reference import rows as reference
from gamecore.reference import versions_of
from gamecore.rng import generator
from gamecore.rows.opponents import NAMES

DOCS = (Path(__file__).parents[2] / "docs" / "explore.md").read_text(encoding="utf-8")
KEYS = {
    name.strip("`"): set(re.findall("`([a-z_]+)`", keys))
    for name, keys in re.findall(
        r"^\| (`?[a-z]+`?)[^|]* \| (.+) \|$", DOCS.partition("| object | keys |")[2].partition("\n\n")[0], re.MULTILINE
    )
}
POSITIONS = {
    "duel": [duel.random(n, rng=seed) for n in (1, 4, 9) for seed in range(3)],
    "hexapawn": [hexapawn.random(r, c, rng=seed) for r, c in ((3, 3), (4, 5), (5, 4)) for seed in range(3)],
    "rows": [rows.random(n, kind, rng=n) for n in (1, 6, 15) for kind in ("optimal", "greedy", "cooperative")]
    + [rows.Position([3, 1, 2], "cooperative", "opponent")],
    "hearts": [hearts.random("hold", plies=32, rng=seed) for seed in range(3)],
}
CASES = [(game, position) for game, positions in POSITIONS.items() for position in positions]
START = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}


def exact(game):
    """Arguments of the library for the values that the page shows."""
    return {"method": "max_n"} if game == "hearts" else {}


def reached(game, before, line):
    """The value for the side to move of a game that ends with this line; it fails if the game does not end."""
    after = functools.reduce(lambda state, move: state.play(move), line, before)
    assert after.is_over
    if game == "rows":
        return (after.mine - after.theirs) * (1 if before.to_move == "me" else -1)
    if game == "hearts":
        return -after.points[before.to_move]
    return (after.points if game == "duel" else len(line)) * (1 if after.winner == before.to_move else -1)


@pytest.mark.parametrize(
    ("game", "position"), CASES, ids=lambda case: case if isinstance(case, str) else case.to_text()
)
def test_values_are_those_of_the_library_and_lines_reach_them(ask, game, position):
    body = {"game": game, "position": position.to_text()}
    events = ask("analyse", **body)
    assert (events[0][0], events[-1][0], events[-1][1]["reason"]) == ("start", "end", "exact")
    told, analysis = dict(events)["values"], GAMES[game].analyse(position, **exact(game))
    names = ("move", "lower", "upper", "exact", "value")
    assert [[entry[name] for name in names] for entry in told["moves"]] == [
        [getattr(entry, name) for name in names] for entry in analysis
    ]
    assert (told["best_moves"], told["exact"]) == (list(analysis.best_moves), True)
    assert told["position_value"]["value"] == GAMES[game].solve(position, **exact(game)).value
    for entry in told["moves"]:
        assert entry["verdict"] == ("best" if entry["move"] in analysis.best_moves else "wrong")
        assert (entry["cost"] == 0) == (entry["verdict"] == "best")
    lines = {data["move"]: data["line"] for kind, data in events if kind == "line"}
    assert set(lines) == set(position.legal_moves())
    for entry in analysis:
        assert lines[entry.move][0] == entry.move
        assert entry.value == pytest.approx(reached(game, position, lines[entry.move]))
    for entry in told["moves"][-1:]:
        answer = ask("refute", **body, move=entry["move"])
        assert all(answer[name] == entry[name] for name in ("cost", "cost_text", "verdict"))
        assert (answer["best"]["move"], answer["best"]["value"]["value"]) == (analysis[0].move, analysis[0].value)
        assert (answer["line"][0], answer["reply"]) == (entry["move"], (answer["line"][1:] or [None])[0])
        assert answer["value"]["value"] == pytest.approx(reached(game, position, answer["line"]))


@pytest.mark.parametrize("name", [*GAMES, "tictactoe", "points"])
def test_every_field_of_a_solution_reaches_the_page(ask, known, name, monkeypatch):
    game = known(name)
    position = POSITIONS[name][0] if name in POSITIONS else game.start()
    fields = ask("solution", game=name, position=position.to_text())["fields"]
    solution = game.solve(position)
    wanted = json.loads(json.dumps(solution.to_dict()))
    assert list(fields) == list(type(solution).FIELDS)
    assert fields | {"seconds": 0} == wanted | {"seconds": 0}
    monkeypatch.setattr(type(solution), "FIELDS", (*type(solution).FIELDS, "news"))
    monkeypatch.setattr(type(solution), "news", ("good", 1), raising=False)
    assert ask("solution", game=name, position=position.to_text())["fields"]["news"] == ["good", 1]


HARD = {
    "duel": duel.deal(22, rng=1).to_text(),
    "hexapawn": hexapawn.Position.start(9, 6).to_text(),
    "hearts": hearts.Round.deal(rng=1).to_text(),
}


@pytest.mark.parametrize("game", HARD)
def test_bounds_only_tighten_and_hold(ask, game):
    events = ask("analyse", game=game, position=HARD[game], seconds=0.4)
    assert events[-1][1]["reason"] == "limit"
    bounds = {}
    for entry in [entry for name, data in events if name == "values" for entry in data["moves"]]:
        low, high = bounds.get(entry["move"], (entry["lower"], entry["upper"]))
        if not (game == "hexapawn" and low <= 0 < high):  # distances: a winner is known, and the bounds are others
            assert low <= entry["lower"] <= entry["upper"] <= high
        bounds[entry["move"]] = entry["lower"], entry["upper"]
    assert set(bounds) == set(GAMES[game].parse(HARD[game]).legal_moves())
    assert 0 < dict(events)["progress"]["nodes"] == events[-1][1]["nodes"]
    shares = [share for name, data in events if name == "estimates" for share in data["shares"].values()]
    assert bool(shares) == (game != "hearts")
    assert all(0 <= share <= 1 for share in shares)
    check_keys(events)


def check_keys(events):
    for name, data in events:
        json.dumps(data, allow_nan=False)
        assert set(data) == KEYS[name], name
        if name == "values":
            assert all(set(entry) == KEYS["move"] for entry in data["moves"])


@pytest.mark.parametrize("game", BUILT_IN)
def test_views_values_and_events_have_the_keys_that_the_docs_list(ask, game):
    body = {"game": game, "position": POSITIONS[game][-1].to_text()}
    (view,), drawn = ask("position", **body)["views"], ask("random", game=game)
    assert drawn == ask("random", game=game, seed=drawn["seed"])
    assert drawn["seed"] < 1 << 31
    views = [view, drawn["view"], ask("parse", game=game, text=body["position"])["view"]]
    views += [ask("build", game=game, draft=view["draft"])["view"], ask("move", **body, player="solver")["view"]]
    assert all(set(view) == KEYS["view"] for view in views)
    assert set(ask("refute", **body, move=view["legal_moves"][0])["value"]) == KEYS["value"]
    passing = hearts.Round.deal(rng=2, passing="left", passer=None).to_text()
    noted = ask("analyse", game="hearts", position=passing)  # nothing to search for
    assert "note" in dict(noted)
    check_keys(ask("analyse", **body) + noted)


def test_an_open_move_is_not_called_wrong():
    entries = (MoveValue(2, 9, "H2"), MoveValue(-3, 9, "DQ"), MoveValue(-5, 1, "HA"))
    shown = Shown(duel.GAME, duel.Position.from_text(START["position"]))
    moves = shown.values(Analysis(entries, "Alice", 1, 0.0))["moves"]
    assert {entry["move"]: entry["verdict"] for entry in moves} == {"H2": "open", "DQ": "open", "HA": "wrong"}


def test_playouts_count_wins_of_the_side_to_move_and_a_long_one_as_a_draw():
    track = kit.make(Track)
    for game, text, move, share in ((hexapawn.GAME, "4/P2p/4/3P:w", "a3-a4", 1.0), (track, "A:10000", "1", 0.5)):
        assert _analyse._playout(Shown(game, game.parse(text)), move, generator(1)) == share


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_player_makes_a_legal_move_and_the_same_for_a_seed(ask, game):
    position = POSITIONS[game][0]
    for player in GAMES[game].players if not position.is_over else ():
        first, again = (ask("move", game=game, position=position.to_text(), player=player, seed=5) for _ in range(2))
        assert first["move"] == again["move"]
        assert first["view"]["position"] == position.play(first["move"]).to_text()
        if player == "solver" and game != "hearts":
            assert first["exact"]
            assert first["move"] in GAMES[game].analyse(position).best_moves


def test_an_opponent_that_slips_plays_a_random_move_or_one_that_gives_nothing_away_at_once(ask):
    moves = {}
    for slips, careful in ((0, False), (1, False), (1, True)):
        body = START | {"player": "solver", "slips": slips, "careful": careful}
        moves[slips, careful] = {ask("move", **body, seed=seed)["move"] for seed in range(20)}
    assert moves == {(0, False): {"HA"}, (1, False): {"DQ", "H2", "HA"}, (1, True): {"DQ"}}
    # after a1-a2 black wins at once, after b1-b2 later; where every other move loses at once, the best is played
    for text, move in (("3p/pppP/2P1/PP2:w", "b1-b2"), ("p2/1P1/1Pp/P2:w", "b3xa4")):
        body = {"game": "hexapawn", "position": text, "player": "solver", "slips": 1, "careful": True}
        assert ask("move", **body, seed=1)["move"] in (move, "b3-b4")


@pytest.mark.parametrize("name", [*BUILT_IN, "fifth", "nim", "tictactoe"])
def test_copies_and_copied_lines_of_python_say_what_the_library_says(ask, known, capsys, name):
    game = known(name)
    position = POSITIONS[name][0] if name in POSITIONS else game.start()
    asked = {"game": name, "position": position.to_text()}
    answer = ask("copy", **asked, moves=True)
    assert ask("picture", **asked, width=320)["svg"] == game.picture(position, width=320).svg
    assert ask("copy", **asked)["svg"] == position.picture().svg
    assert (answer["notation"], answer["svg"]) == (position.to_text(), position.picture(game.analyse(position)).svg)
    assert not answer["judge"] or game.parse(answer["judge"]) == position
    assert position.to_text() in answer["command"]
    exec(answer["python"], {})
    assert capsys.readouterr().out == f"{game.solve(position)}\n{game.analyse(position)}\n" or name == "hearts"


def test_copies_are_made_while_another_thread_imports(ask, monkeypatch):
    class Importing:
        @property
        def __dict__(self):
            monkeypatch.setitem(sys.modules, f"imported{len(sys.modules)}", None)
            return {}

    monkeypatch.setitem(sys.modules, "importing", Importing())
    assert ask("copy", **START)["python"].startswith("from gamecore import duel")


# --- panels -----------------------------------------------------------------------------------------------------------

SMALL = {
    "duel": duel.deal(4, rng=1),
    "hexapawn": hexapawn.Position.start(3, 3),
    "rows": rows.Position([5, 1, 1, 3, 2, 9], "greedy"),
    "hearts": hearts.random("hold", plies=46, rng=1),
}


@pytest.fixture
def panel(ask):
    """Ask for a panel of a position, by default of rows."""
    return lambda name, position, game="rows", **options: ask(
        "panel", game=game, panel=name, position=position.to_text(), options=options
    )


@pytest.mark.parametrize("game", SMALL)
def test_every_version_has_its_counts_and_its_tree(panel, game):
    position = SMALL[game]
    versions = versions_of(position)
    for name, version in versions.items():
        traced = version.trace()
        answer = panel("how", position, game, version=name)
        assert list(answer) == ["all_versions", "marks", f"calls_of_{name}", "steps"]
        assert answer["steps"] == min(traced.total, 200)
        heading, *lines = answer["all_versions"].split("\n")
        assert heading.split() == ["version", "calls", "different", "states", "remembered", "cut", "off"]
        assert [line.rsplit(None, 4)[0] for line in lines] == list(versions)
        counts = lines[list(versions).index(name)].replace(",", "").split()[-4:]
        assert counts == [str(n) for n in (traced.total, traced.distinct, traced.remembered, traced.cutoffs)]
        assert answer[f"calls_of_{name}"]["svg"] == traced.picture().svg
        step = panel("how", position, game, version=name, calls=3)
        assert step == answer | {f"calls_of_{name}": {"svg": traced.picture(calls=3).svg}}


@pytest.mark.parametrize("opponent", NAMES)
def test_the_table_is_the_librarys_and_states_are_those_that_the_sources_recursion_visits(panel, opponent):
    position = rows.random(9, opponent, plies=0, rng=3)
    drawn = rows.table_picture(position.values, opponent=opponent, ties=position.ties)
    assert panel("table", position) == {"table": {"svg": drawn.svg}, "steps": 9}
    for filled in (1, 4, 9):
        drawn = rows.table_picture(position.values, opponent=opponent, ties=position.ties, diagonals=filled)
        assert panel("table", position, diagonals=filled)["table"] == {"svg": drawn.svg}
        first = str(drawn).split("\n")[2]  # of the table: as many totals as diagonals
        assert len(re.findall(r"\d+", first.partition("|")[2])) == filled
    for seed in range(3):
        row = random.Random(seed).choices(range(9), k=11)
        lines = panel("counts", rows.Position(row, opponent))["states"].split("\n")
        assert lines[0].split() == ["n", "naive", "memoised", "table", "native"]
        for n, line in enumerate(lines[1:], 1):
            visited = trace(reference.full_exploration, row[:n], opponent).states
            calls = [count for state, count in visited.items() if re.match(r"\[\d+,\d+\] ", state)]  # of no empty row
            native = rows.solve(row[:n], opponent=opponent, line=False).nodes
            assert [int(word) for word in line.split()] == [n, sum(calls), len(calls), n * (n + 1) // 2, native]
        assert n == len(row)
