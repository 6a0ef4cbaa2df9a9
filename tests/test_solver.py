"""A solver that keeps its table: answers as from an empty one, limits, and who may use it."""

import threading

import numpy as np
import pytest

from gamecore import GamecoreError, Limits, OptionError, duel, hexapawn
from gamecore.batch.workers import Run

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
            threading.Timer(0.05, run.give_up).start()
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
