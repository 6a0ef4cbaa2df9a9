"""A solver that keeps its table: answers as from an empty one, limits, who may use it, and analyses in steps."""

import itertools
import threading
import time

import numpy as np
import pytest

from gamecore import GamecoreError, Limits, OptionError, duel, hexapawn
from gamecore.batch.workers import Run
from gamecore.search.threads import nodes_alone, portions

GAMES = {
    "duel": (duel, {"n": 7}, {"n": 20}),
    "hexapawn": (hexapawn, {"rows": 5, "columns": 5}, {"rows": 8, "columns": 8}),
}


@pytest.fixture(params=GAMES)
def game(request):
    return GAMES[request.param][0]


@pytest.fixture
def small(game):
    """Positions along random games."""
    size = GAMES[game.GAME.name][1]
    found = []
    for seed in range(6):
        position, rng = game.random(**size, plies=0, rng=seed), np.random.default_rng(seed)
        while not position.is_over:
            found.append(position)
            position = position.play(str(rng.choice(position.legal_moves())))
        found.append(position)
    return found


@pytest.fixture
def hard(game):
    return game.random(**GAMES[game.GAME.name][2], plies=0, rng=3)


def check(solver, game, position):
    found, expected = solver.solve(position), game.solve(position)
    assert (found.value, found.to_move) == (expected.value, expected.to_move)
    assert (found.best_so_far, len(found.line)) == (None, len(expected.line))
    assert game is hexapawn or found.line == expected.line
    for move in found.line:
        position = position.play(move)
    assert position.is_over


def test_answers_are_those_of_an_empty_table(game, small):
    with game.Solver() as solver:
        for position in small:
            check(solver, game, position)
            assert list(solver.analyse(position)) == list(game.analyse(position))
            refined = solver.refine(position)
            assert refined.run(60) == refined.step(0)
            assert list(refined.step(0)) == list(game.analyse(position))
        assert solver.solve(small[0].to_text()).value == game.solve(small[0]).value
        assert solver.table_bytes > 0
    with game.Solver(table_mb=0.01) as solver:
        for position in small[:20]:
            check(solver, game, position)
        assert solver.table_bytes <= 0.01 * (1 << 20)


def test_a_warm_table_saves_nodes(game):
    position = game.random(**({"n": 10} if game is duel else {"rows": 6, "columns": 5}), plies=0, rng=2)
    warm = cold = 0
    with game.Solver() as solver:
        while not position.is_over:
            found = solver.solve(position)
            warm, cold = warm + found.nodes, cold + game.solve(position).nodes
            position = position.play(found.best_move)
    assert warm < 0.9 * cold


@pytest.mark.parametrize("limits", [Limits(nodes=0), Limits(nodes=500), Limits(seconds=0), Limits(seconds=0.02)])
def test_limits_leave_bounds_and_the_table_stays_good(game, hard, small, limits):
    with game.Solver(table_mb=16) as solver:
        found = solver.solve(hard, limits)
        assert not found.exact
        assert found.best_so_far in hard.legal_moves()
        assert limits.nodes is None or found.nodes <= limits.nodes
        analysis = solver.analyse(hard, limits)
        assert not analysis.exact
        assert limits.nodes is None or analysis.nodes <= limits.nodes
        check(solver, game, small[0])


def test_a_cancelled_search_leaves_the_solver_usable(game, hard, small):
    with game.Solver(table_mb=16) as solver:
        run = Run()
        with run.at_work({}):
            threading.Timer(0.05, run.cancel).start()
            assert not solver.solve(hard).exact
        run.forget()
        check(solver, game, small[0])


def test_refusals(game, small):
    with pytest.raises(OptionError, match="table_mb"):
        game.Solver(table_mb=0)
    with game.Solver(table_mb=16) as solver:
        with pytest.raises(OptionError, match="table_mb is an option of the Solver"):
            solver.solve(small[0], Limits(table_mb=4))
        with pytest.raises(OptionError):
            solver.solve(5)
        with solver._searching(), pytest.raises(GamecoreError, match="one caller at a time"):
            solver.solve(small[0])
        assert solver.solve(small[0]).exact
    for call in (solver.solve, solver.analyse, lambda position: solver.refine(position).step(1)):
        with pytest.raises(GamecoreError, match="closed"):
            call(small[0])


# --- analyses in steps -----------------------------------------------------------------------------------------------


def refined(game, position, first=0.0, table_mb=16):
    """Every analysis on the way, in steps that double."""
    refinement, found, step = game.GAME.refine(position, table_mb), [], first
    while not found or not found[-1].exact:
        found.append(refinement.step(step))
        step = max(0.001, 2 * step)
    return refinement, found


SIZES = [(duel, (1,)), (duel, (3,)), (duel, (8,)), (duel, (13,))]
SIZES += [(hexapawn, size) for size in ((2, 2), (3, 3), (4, 5), (5, 5), (3, 9))]


@pytest.mark.parametrize(("game", "size"), SIZES)
def test_it_ends_where_analyse_does_and_lines_reach_the_values(game, size):
    for seed in range(6):
        position = game.random(*size, plies=2 * (seed % 2), rng=seed)
        refinement, found = refined(game, position)
        assert list(found[-1]) == list(game.analyse(position))
        assert found[-1].best_moves == game.analyse(position).best_moves
        assert refinement.nodes == found[-1].nodes
        assert found[-1].to_move == position.to_move
        for one in found[-1]:
            state, line = position, refinement.line(one.move, 60)
            for move in line:
                state = state.play(move)
            assert state.is_over
            assert abs(one.value) == (state.points if game is duel else len(line))
            assert (one.value > 0) == (state.winner == position.to_move)


@pytest.mark.parametrize(
    ("game", "position", "first"),
    [(duel, duel.deal(17, rng=3), 0.001), (hexapawn, hexapawn.Position.start(6, 6), 0.002)],
)
def test_bounds_tighten_and_hold(game, position, first):
    def order(bounds):
        return game.GAME.words.order(bounds, position)

    known = {one.move: order(one)[0] for one in game.analyse(position)}
    _, found = refined(game, position, first)
    assert len(found) > 2
    for earlier, later in itertools.pairwise(found):
        bounds = {one.move: order(one) for one in earlier}
        for one in later:
            low, high = order(one)
            assert bounds[one.move][0] <= low <= known[one.move] <= high <= bounds[one.move][1]


def test_a_table_that_may_not_grow_is_no_hindrance():
    position = duel.deal(13, rng=2)
    refinement, found = refined(duel, position, table_mb=0.01)
    assert refinement.table_bytes <= 0.01 * (1 << 20)
    assert list(found[-1]) == list(duel.analyse(position))


def test_it_can_be_cancelled_and_a_finished_game_has_nothing(game, hard):
    run = Run()
    with run.at_work({}):
        run.cancel()
        refinement = game.GAME.refine(hard, 16)
        assert not refinement.step(60).exact
        assert refinement.line(hard.legal_moves()[0], 60) == ()
    run.forget()
    over = game.GAME.refine({duel: "0:D6S3:B:DQ", hexapawn: "P2/1p1/3:b"}[game], 16)
    assert len(over.step(1)) == 0


# --- threads on one table ---------------------------------------------------------------------------------------------


def test_one_thread_begins_a_search_that_others_join():
    expected = {(0, 1): 0, (0, 2): 100_000, (7, 2): 7, (100_000, 2): 100_000, (100_001, 2): 100_000, (10**6, 1): 10**6}
    assert {given: nodes_alone(*given) for given in expected} == expected


def test_portions_hand_on_what_is_not_needed(monkeypatch):
    now = [5.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    found = []
    for share, taken in zip(portions(8, 4), (0, 5, 1, 3), strict=True):
        found.append(share)
        now[0] += taken
    assert found == [2, 8 / 3, 1.5, 2]
    now[0] += 100
    assert list(portions(0, 2)) == [0.001, 0.001]
    assert list(portions(1, 0)) == []
