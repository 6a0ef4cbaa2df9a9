"""A solver that keeps its table: answers as from an empty one, limits, and analyses in steps."""

import itertools
import threading
import time

import numpy as np
import pytest

from gamecore import Limits, duel, games, hexapawn
from gamecore.batch.workers import Run

SIZES = {duel: ({"n": 7}, {"n": 20}), hexapawn: ({"rows": 5, "columns": 5}, {"rows": 8, "columns": 8})}


@pytest.fixture(params=SIZES, ids=["duel", "hexapawn"])
def game(request):
    return request.param


@pytest.fixture
def small(game):
    """Positions along random games."""
    return [game.random(**SIZES[game][0], plies=plies, rng=seed) for seed in range(6) for plies in range(16)]


@pytest.fixture
def hard(game):
    return game.random(**SIZES[game][1], plies=0, rng=3)


def check(solver, game, position):
    solution, expected = solver.solve(position), game.solve(position)
    assert (solution.value, solution.to_move) == (expected.value, expected.to_move)
    assert (solution.best_so_far, len(solution.line)) == (None, len(expected.line))
    assert game is hexapawn or solution.line == expected.line
    for move in solution.line:
        position = position.play(move)
    assert position.is_over


@pytest.mark.parametrize("table_mb", [None, 0.01])
def test_answers_are_those_of_an_empty_table(game, small, table_mb):
    with game.Solver(table_mb) as solver:
        for position in small[:: 1 if table_mb is None else 4]:
            check(solver, game, position)
            assert list(solver.analyse(position)) == list(game.analyse(position))
            refinement = solver.refine(position)
            assert list(refinement.run(60)) == list(refinement.step(0)) == list(game.analyse(position))
        assert 0 < solver.table_bytes <= (table_mb or 512) * (1 << 20)


def test_a_warm_table_saves_nodes(game):
    position = game.random(**({"n": 10} if game is duel else {"rows": 6, "columns": 5}), plies=0, rng=2)
    warm = cold = 0
    with game.Solver() as solver:
        while not position.is_over:
            solution = solver.solve(position)
            warm, cold = warm + solution.nodes, cold + game.solve(position).nodes
            position = position.play(solution.best_move)
    assert warm < 0.9 * cold


@pytest.mark.parametrize("limits", [Limits(nodes=0), Limits(nodes=500), Limits(seconds=0), Limits(seconds=0.02)])
def test_limits_leave_bounds_and_the_table_stays_good(game, hard, small, limits):
    with game.Solver(table_mb=16) as solver:
        solution, analysis = solver.solve(hard, limits), solver.analyse(hard, limits)
        assert not solution.exact
        assert not analysis.exact
        assert solution.best_so_far in hard.legal_moves()
        assert limits.nodes is None or max(solution.nodes, analysis.nodes) <= limits.nodes
        check(solver, game, small[0])


def test_a_cancelled_search_leaves_the_solver_usable(game, hard, small):
    run = Run()
    with game.Solver(table_mb=16) as solver:
        with run.at_work():
            threading.Timer(0.05, run.cancel).start()
            assert not solver.solve(hard).exact
            refinement = solver.refine(hard)
            assert not refinement.step(60).exact
            assert refinement.line(hard.legal_moves()[0], 60) == ()
        check(solver, game, small[0])


@pytest.mark.parametrize(
    ("game", "position", "first"),
    [
        *[(duel, duel.random(n, plies=plies, rng=n), 0.0) for n in (1, 3, 8, 13) for plies in (0, 2)],
        *[(hexapawn, hexapawn.random(*size, plies=0), 0.0) for size in ((2, 2), (3, 3), (4, 5), (5, 5), (3, 9))],
        (duel, duel.deal(17, rng=3), 0.001),
        (hexapawn, hexapawn.Position.start(6, 6), 0.002),
    ],
)
def test_an_analysis_in_steps_tightens_to_the_values(game, position, first):
    """Bounds hold at each step, and lines reach the values."""

    def order(bounds):
        return game.GAME.words.order(bounds, position)

    expected = game.analyse(position)
    values = {entry.move: order(entry)[0] for entry in expected}
    refinement, steps, seconds = game.GAME.refine(position, 16), [], first
    while not steps or not (steps[-1].exact or len(steps) == 40):
        steps.append(refinement.step(seconds))
        seconds = max(0.001, 2 * seconds)
    assert len(steps) > 2 or not first
    for earlier, later in itertools.pairwise(steps):
        before = {entry.move: order(entry) for entry in earlier}
        for entry in later:
            low, high = order(entry)
            assert before[entry.move][0] <= low <= values[entry.move] <= high <= before[entry.move][1]
    assert (list(steps[-1]), steps[-1].best_moves) == (list(expected), expected.best_moves)
    assert (refinement.nodes, position.to_move) == (steps[-1].nodes, steps[-1].to_move)
    for entry in steps[-1]:
        state, line = position, refinement.line(entry.move, 60)
        for move in line:
            state = state.play(move)
        assert state.is_over
        assert abs(entry.value) == (state.points if game is duel else len(line))
        assert (entry.value > 0) == (state.winner == position.to_move)


def test_the_best_move_so_far_is_the_best_that_is_known():
    """As soon as the duel's winner is known, the move that wins is named, though nobody knows yet by how much."""
    named = 0
    for seed in range(12):
        position = duel.deal(13, rng=seed)
        values = {entry.move: entry.value for entry in duel.analyse(position)}
        whole = duel.solve(position, line=False).nodes
        for nodes in np.linspace(1, whole, 12, dtype=int).tolist():
            solution = duel.solve(position, Limits(nodes=nodes))
            if solution.lower > 0 and solution.best_so_far:
                assert values[solution.best_so_far] > 0
                named += 1
    assert named > 5


@pytest.mark.parametrize(
    ("name", "options"),
    [("duel", {"n": n}) for n in (20, 26)] + [("hexapawn", {"rows": n, "columns": n, "plies": 4}) for n in (6, 7, 8)],
)
def test_the_best_move_so_far_beats_a_greedy_player(name, options):
    game, won = games()[name], 0
    greedy = game.players["greedy"].choose
    for number, mine in itertools.product(range(4), game.sides):
        position = game.random(**{"plies": 0, **options}, rng=[number, *options.values()])
        while not position.is_over:
            solution = game.solve(position, Limits(nodes=1000)) if position.to_move == mine else None
            move = greedy(position, None, None).move if solution is None else solution.best_move or solution.best_so_far
            position = position.play(move)
        won += position.winner == mine
    assert won >= 7


def test_moves_share_a_step_and_hand_on_what_they_do_not_need(game, monkeypatch):
    now, shares, position = [5.0], [], game.random(**SIZES[game][0], plies=0, rng=1)
    done, moves = game.solve(game.random(**SIZES[game][0], plies=99)), position.legal_moves()
    assert len(moves) > 3

    def search(position, seconds, nodes, line):
        shares.append(seconds)
        now[0] += 5 if len(shares) == 2 else 0
        return done

    solver = game.Solver()
    monkeypatch.setattr(solver._search, "search", search)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    solver.refine(position).step(12)
    rest = range(len(moves), 0, -1)
    assert shares == pytest.approx([(12 if place < 2 else 7) / count for place, count in enumerate(rest)])
    solver.refine(position).step(0)
    assert shares[-1] == 0.001


def test_a_new_board_takes_a_new_table():
    with hexapawn.Solver(table_mb=16) as solver:
        for size in ((5, 5), (4, 4), (3, 12), (3, 3), (5, 5)):
            start = hexapawn.Position.start(*size)
            assert solver.solve(start).value == hexapawn.solve(start).value
