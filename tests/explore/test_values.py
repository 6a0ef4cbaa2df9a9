"""What the page is told of moves is what the library says."""

import contextlib
import functools
import io

import pytest

from gamecore import Limits, duel, hearts, hexapawn, rows
from gamecore.game import BUILT_IN, games
from gamecore.search import Refinement, Repeated


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
LIBRARY = {"duel": duel, "hexapawn": hexapawn, "rows": rows, "hearts": hearts}


def last_of(events, name):
    return [data for kind, data in events if kind == name][-1]


def library_analysis(game, position):
    return hearts.analyse(position, method="max_n") if game == "hearts" else LIBRARY[game].analyse(position)


def reached(game, before, after, plies):
    """The value for the side to move of a game that ended after so many plies."""
    if game == "rows":
        return (after.mine - after.theirs) * (1 if before.to_move == "me" else -1)
    if game == "hearts":
        return -after.points[before.to_move]
    return (after.points if game == "duel" else plies) * (1 if after.winner == before.to_move else -1)


@pytest.mark.parametrize(("game", "position"), CASES, ids=lambda one: one if isinstance(one, str) else one.to_text())
def test_values_are_those_of_the_library_and_lines_reach_them(ask, game, position):
    events = ask("/api/analyse", game=game, position=position.to_text())
    assert (events[0][0], events[-1][0], events[-1][1]["reason"]) == ("start", "end", "exact")
    told, known = last_of(events, "values"), library_analysis(game, position)
    names = ("move", "lower", "upper", "exact", "value")
    assert [[one[name] for name in names] for one in told["moves"]] == [
        [getattr(one, name) for name in names] for one in known
    ]
    assert told["best_moves"] == list(known.best_moves)
    assert told["exact"] is True
    solution = hearts.solve(position, method="max_n") if game == "hearts" else LIBRARY[game].solve(position)
    assert told["position_value"]["value"] == solution.value
    for one in told["moves"]:
        assert one["verdict"] == ("best" if one["move"] in known.best_moves else "wrong")
        assert (one["cost"] == 0) == (one["verdict"] == "best")
    lines = {data["move"]: data["line"] for kind, data in events if kind == "line"}
    assert set(lines) == set(position.legal_moves())
    for entry in known:
        line = lines[entry.move]
        assert line[0] == entry.move
        state = functools.reduce(lambda state, move: state.play(move), line, position)
        assert state.is_over
        assert entry.value == pytest.approx(reached(game, position, state, len(line)))


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_finished_game_has_its_value_and_no_moves(ask, game):
    position = POSITIONS[game][-1]
    while not position.is_over:
        position = position.play(position.legal_moves()[0])
    events = ask("/api/analyse", game=game, position=position.to_text())
    told = last_of(events, "values")
    assert told["moves"] == told["best_moves"] == []
    assert told["position_value"]["value"] == LIBRARY[game].solve(position).value


HARD = {
    "duel": duel.deal(22, rng=1).to_text(),
    "hexapawn": hexapawn.Position.start(7, 8).to_text(),
    "hearts": hearts.Round.deal(rng=1).to_text(),
}


@pytest.mark.parametrize("game", HARD)
def test_bounds_only_tighten_and_hold(ask, game):
    events = ask("/api/analyse", game=game, position=HARD[game], seconds=0.4)
    assert events[-1][1]["reason"] == "limit"
    known = {}
    for name, data in events:
        for one in data["moves"] if name == "values" else ():
            low, high = known.get(one["move"], (one["lower"], one["upper"]))
            if not (game == "hexapawn" and low <= 0 < high):  # distances: a winner is known, and the bounds are others
                assert low <= one["lower"] <= one["upper"] <= high
            known[one["move"]] = one["lower"], one["upper"]
    assert set(known) == set(LIBRARY[game].Position.from_text(HARD[game]).legal_moves())
    progress = last_of(events, "progress")
    assert progress["nodes"] > 0
    assert progress["nodes"] == events[-1][1]["nodes"]


@pytest.mark.parametrize(
    ("game", "position", "tones"),
    [
        ("duel", "DQH2HA:H3D6S3:A:-", {"DQ": "bad", "H2": "good", "HA": "good"}),
        ("rows", "optimal:me:0:0:2,2", {"L": "level", "R": "level"}),
        ("hearts", late_round(1).to_text(), dict.fromkeys(late_round(1).legal_moves())),  # points of four sides
    ],
)
def test_a_tone_is_the_sign_where_two_sides_fight(ask, game, position, tones):
    told = last_of(ask("/api/analyse", game=game, position=position), "values")
    assert {one["move"]: one["tone"] for one in told["moves"]} == tones


def test_limits_are_cut_to_those_of_the_server(ask):
    events = ask("/api/analyse", game="duel", position="DQH2HA:H3D6S3:A:-", seconds=1e9, table_mb=1e9)
    assert events[0][1]["limits"] == {"seconds": 60.0, "table_mb": 256.0}


# --- wrong moves -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "position", "move", "cost", "text"), [
    ("duel", "DQH2HA:H3D6S3:A:-", "DQ", 12, "costs 12 points: from winning 9 to losing 3"),
    ("hexapawn", "5/pp1pp/PPp2/3P1/4P:w", "e1-e2", None, "turns a win in 3 plies into a loss in 4 plies"),
    ("hexapawn", "5/pp1pp/PPp2/3P1/4P:w", "d2xc3", 2, "wins 2 plies later"),
    ("rows", "greedy:me:0:0:5,7,9,1,4,2", "L", 0, ""),
])  # fmt: skip
def test_a_move_says_what_it_costs_and_its_line_shows_it(ask, game, position, move, cost, text):
    found, start = (
        ask("/api/refute", game=game, position=position, move=move),
        LIBRARY[game].Position.from_text(position),
    )
    best = LIBRARY[game].analyse(start)[0]
    assert (found["cost"], found["verdict"]) == (cost, "best" if cost == 0 else "wrong")
    assert found["cost_text"] == text or not text
    assert (found["best"]["move"], found["best"]["value"]["value"]) == (best.move, best.value)
    assert found["line"][: 1 if cost == 0 else 2] == [move, found["reply"]][: 1 if cost == 0 else 2]
    end = functools.reduce(lambda state, move: state.play(move), found["line"], start)
    assert end.is_over
    assert found["value"]["value"] == reached(game, start, end, len(found["line"]))


# --- players ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_player_makes_a_legal_move_and_the_same_for_a_seed(ask, game):
    position = POSITIONS[game][4 if game != "hearts" else 0]
    for player in games()[game].players:
        found = [ask("/api/move", game=game, position=position.to_text(), player=player, seed=5) for _ in range(2)]
        assert found[0]["move"] == found[1]["move"]
        assert found[0]["view"]["position"] == position.play(found[0]["move"]).to_text()


@pytest.mark.parametrize(("game", "position"), [case for case in CASES if case[0] != "hearts" and not case[1].is_over])
def test_the_solver_plays_a_best_move(ask, game, position):
    found = ask("/api/move", game=game, position=position.to_text(), player="solver")
    assert found["exact"]
    assert found["move"] in LIBRARY[game].analyse(position).best_moves


def test_the_greedy_players_are_greedy(ask):
    def move(game, text):
        return ask("/api/move", game=game, position=text, player="greedy")["move"]

    assert (move("duel", "DQH2HA:H3D6S3:A:-"), move("duel", "H2HA:H3D6S3:A:DQ")) == ("DQ", "pass")
    assert (move("rows", "optimal:me:0:0:3,9,5"), move("rows", "greedy-left:me:0:0:5,9,5")) == ("R", "L")
    assert (move("hexapawn", "p1p/1p1/P1P:w"), move("hexapawn", "2p/p2/2P/2P/PP1:w")) == ("a1xb2", "c3-c4")


# --- copies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", BUILT_IN)
def test_copied_lines_of_python_give_the_same_answer(ask, game):
    position = POSITIONS[game][0]
    found = ask("/api/copy", game=game, position=position.to_text())
    assert found["notation"] == position.to_text()
    assert found["text"] == position.picture().text(color=False, symbols=False)
    assert found["svg"] == position.picture().svg
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(found["python"], {})
    assert str(library_analysis(game, position)) in printed.getvalue() or game == "hearts"
    assert position.to_text() in found["command"]


def test_copies_with_values_carry_them(ask):
    position = duel.parse("3\nDQ H2 HA\nH3 D6 S3\n")
    found = ask("/api/copy", game="duel", position=position.to_text(), moves=True)
    assert found["svg"] == position.picture(duel.analyse(position)).svg
    assert "HA +9" in found["text"]
    assert duel.parse(found["judge"]) == position


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
