"""What the page is told of moves is what the library says."""

import functools
import json
import re
from pathlib import Path

import pytest
from explore.answers import printed_by

from gamecore import Limits, duel, hearts, hexapawn, rows
from gamecore.apps.explore import _analyse
from gamecore.apps.explore._shown import Shown
from gamecore.contract import Analysis, MoveValue
from gamecore.game import BUILT_IN, games
from gamecore.rng import generator
from gamecore.search import Refinement, Repeated

DOCS = (Path(__file__).parents[2] / "docs" / "explore.md").read_text(encoding="utf-8")
KEYS = {
    name.strip("`"): set(re.findall("`([a-z_]+)`", keys))
    for name, keys in re.findall(
        r"^\| (`?[a-z]+`?)[^|]* \| (.+) \|$", DOCS.partition("| object | keys |")[2].partition("\n\n")[0], re.MULTILINE
    )
}


def late_round(seed, left=5):
    """A round with so many tricks left."""
    state = hearts.Round.deal(rng=seed)
    while len(state.tricks) < 13 - left:
        state = state.play(state.ask("greedy"))
    return state


POSITIONS = {
    "duel": [duel.random(n, rng=seed) for n in (1, 4, 9) for seed in range(3)],
    "hexapawn": [hexapawn.random(r, c, rng=seed) for r, c in ((3, 3), (4, 5), (5, 4)) for seed in range(3)],
    "rows": [rows.random(n, kind, rng=n) for n in (1, 6, 15) for kind in ("optimal", "greedy", "cooperative")]
    + [rows.Position([0.5, 2.25, 1.0], "optimal"), rows.Position([3, 1, 2], "cooperative", "opponent")],
    "hearts": [late_round(seed) for seed in range(3)],
}
CASES = [(game, position) for game, positions in POSITIONS.items() for position in positions]
GAMES = games()
START = {"game": "duel", "position": "DQH2HA:H3D6S3:A:-"}


def last_of(events, name):
    return [data for kind, data in events if kind == name][-1]


def exact(game):
    """Arguments of the library for the values that the page shows."""
    return {"method": "max_n"} if game == "hearts" else {}


def reached(game, before, after, plies):
    """The value for the side to move of a game that ended after so many plies."""
    if game == "rows":
        return (after.mine - after.theirs) * (1 if before.to_move == "me" else -1)
    if game == "hearts":
        return -after.points[before.to_move]
    return (after.points if game == "duel" else plies) * (1 if after.winner == before.to_move else -1)


@pytest.mark.parametrize(
    ("game", "position"), CASES, ids=lambda case: case if isinstance(case, str) else case.to_text()
)
def test_values_are_those_of_the_library_and_lines_reach_them(ask, game, position):
    events = ask("analyse", game=game, position=position.to_text())
    assert (events[0][0], events[-1][0], events[-1][1]["reason"]) == ("start", "end", "exact")
    told, analysis = last_of(events, "values"), GAMES[game].analyse(position, **exact(game))
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
        state = functools.reduce(lambda state, move: state.play(move), lines[entry.move], position)
        assert state.is_over
        assert entry.value == pytest.approx(reached(game, position, state, len(lines[entry.move])))


HARD = {
    "duel": duel.deal(22, rng=1).to_text(),
    "hexapawn": hexapawn.Position.start(9, 6).to_text(),
    "hearts": hearts.Round.deal(rng=1).to_text(),
}
NO_SEARCH = hearts.Round.deal(rng=2, passing="left", passer=None).to_text()


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
    assert set(bounds) == set(GAMES[game].Position.from_text(HARD[game]).legal_moves())
    assert 0 < last_of(events, "progress")["nodes"] == events[-1][1]["nodes"]
    shares = [share for name, data in events if name == "estimates" for share in data["shares"].values()]
    assert bool(shares) == (game != "hearts")
    assert all(0 <= share <= 1 for share in shares)


def test_an_open_move_is_not_called_wrong():
    entries = (MoveValue(2, 9, "H2"), MoveValue(-3, 9, "DQ"), MoveValue(-5, 1, "HA"))
    shown = Shown(duel.GAME, duel.Position.from_text(START["position"]))
    moves = shown.values(Analysis(entries, "Alice", 1, 0.0))["moves"]
    assert {entry["move"]: entry["verdict"] for entry in moves} == {"H2": "open", "DQ": "open", "HA": "wrong"}


def test_playouts_count_wins_of_the_side_to_move():
    shown = Shown(hexapawn.GAME, hexapawn.Position.from_text("4/P2p/4/3P:w"))
    assert _analyse._playout(shown, "a3-a4", generator(1)) == 1.0


@pytest.mark.parametrize("game", BUILT_IN)
def test_views_values_and_events_have_the_keys_that_the_docs_list(ask, game):
    position = POSITIONS[game][-1]
    body = {"game": game, "position": position.to_text()}
    (view,) = ask("position", **body)["views"]
    views = [view, ask("random", game=game)["view"], ask("parse", game=game, text=body["position"])["view"]]
    views += [ask("build", game=game, draft=view["draft"])["view"], ask("move", **body, player="solver")["view"]]
    assert all(set(view) == KEYS["view"] for view in views)
    assert set(ask("refute", **body, move=view["legal_moves"][0])["value"]) == KEYS["value"]
    hard = {"position": HARD.get(game, body["position"]), "seconds": 0.4}
    events = ask("analyse", **body) + ask("analyse", **body | hard)
    events += ask("analyse", game="hearts", position=NO_SEARCH)  # cards are still to be passed
    for name, data in events:
        json.dumps(data, allow_nan=False)
        assert set(data) == KEYS[name], name
        if name == "values":
            assert all(set(entry) == KEYS["move"] for entry in data["moves"])
    assert "note" in dict(events)


@pytest.mark.parametrize(("game", "position", "move"), [
    ("duel", START["position"], "DQ"), ("hexapawn", "5/pp1pp/PPp2/3P1/4P:w", "e1-e2"),
    ("rows", "greedy:me:0:0:5,7,9,1,4,2", "L"),
])  # fmt: skip
def test_the_line_of_a_move_shows_what_it_costs(ask, game, position, move):
    start, answer = GAMES[game].Position.from_text(position), ask("refute", game=game, position=position, move=move)
    best = GAMES[game].analyse(start)[0]
    assert (answer["best"]["move"], answer["best"]["value"]["value"]) == (best.move, best.value)
    assert answer["line"][:2] == [move, answer["reply"]]
    end = functools.reduce(lambda state, move: state.play(move), answer["line"], start)
    assert end.is_over
    assert answer["value"]["value"] == reached(game, start, end, len(answer["line"]))


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


def test_an_opponent_that_slips_plays_a_random_move(ask):
    moves = {}
    for slips in (0, 1):
        moves[slips] = {ask("move", **START, player="solver", slips=slips, seed=seed)["move"] for seed in range(20)}
    assert moves == {0: {"HA"}, 1: {"DQ", "H2", "HA"}}


@pytest.mark.parametrize("game", BUILT_IN)
def test_copied_lines_of_python_give_the_same_answer(ask, game):
    position = POSITIONS[game][0]
    answer = ask("copy", game=game, position=position.to_text())
    assert (answer["notation"], answer["svg"]) == (position.to_text(), position.picture().svg)
    printed = printed_by(answer["python"])
    assert str(GAMES[game].analyse(position, **exact(game))) in printed or game == "hearts"
    assert position.to_text() in answer["command"]


def test_copies_with_values_carry_them(ask):
    answer, position = ask("copy", **START, moves=True), duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
    assert answer["svg"] == position.picture(duel.analyse(position)).svg
    assert duel.parse(answer["judge"]) == position


class Slow(Repeated):
    """A search that takes all the time that a step gives it, on a clock of its own, and proves nothing."""

    def __init__(self, clock):
        self.clock, self.given = clock, []

    def step(self, seconds):
        self.given.append(round(seconds, 3))
        self.clock[0] += seconds
        return duel.analyse(duel.deal(20, rng=1), Limits(nodes=0))


@pytest.mark.parametrize(
    ("longest", "steps"),
    [
        (1.0, [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 0.425]),
        (float("inf"), [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 0.825]),  # each restarts: none may be the last that helps
    ],
)
def test_steps_grow_and_end_with_the_limit(monkeypatch, longest, steps):
    clock = [0.0]
    monkeypatch.setattr("gamecore.search._refine.time.perf_counter", lambda: clock[0])
    monkeypatch.setattr(Slow, "longest_step", longest)
    slow = Slow(clock)
    assert (len(list(slow.steps(4.0))), slow.given) == (len(steps), steps)
    assert (Refinement.longest_step, Repeated.longest_step) == (1.0, float("inf"))
