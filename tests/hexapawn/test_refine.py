"""An analysis that is gone on with ends where ``analyse`` does, by bounds that hold all the way."""

import itertools

import pytest

from gamecore import hexapawn
from gamecore.batch.workers import Run
from gamecore.hexapawn._solve import best_case, worst_case


def refined(position, first=0.0):
    """Every analysis on the way, in steps that double."""
    refinement, found, step = hexapawn.GAME.refine(position, 16), [], first
    while not found or not found[-1].exact:
        found.append(refinement.step(step))
        step = max(0.001, 2 * step)
    return refinement, found


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 5), (5, 5), (3, 9)])
def test_it_ends_where_analyse_does(size):
    for seed in range(3):
        position = hexapawn.random(*size, rng=seed)
        refinement, found = refined(position)
        assert list(found[-1]) == list(hexapawn.analyse(position))
        assert found[-1].best_moves == hexapawn.analyse(position).best_moves
        assert refinement.nodes == found[-1].nodes


def test_bounds_tighten_and_hold():
    position = hexapawn.Position.start(6, 6)
    known = {one.move: one for one in hexapawn.analyse(position)}
    _, found = refined(position, 0.002)
    assert len(found) > 2
    for earlier, later in itertools.pairwise(found):
        bounds = {one.move: one for one in earlier}
        for one in later:
            value = worst_case(known[one.move])
            assert worst_case(bounds[one.move]) <= worst_case(one) <= value
            assert value <= best_case(one) <= best_case(bounds[one.move])


def test_lines_reach_the_values():
    position = hexapawn.random(5, 5, plies=3, rng=5)
    refinement, found = refined(position)
    for one in found[-1]:
        state = position
        for move in refinement.line(one.move, 60):
            state = state.play(move)
        assert state.is_over
        assert abs(one.value) == len(refinement.line(one.move, 60))
        assert (one.value > 0) == (state.winner == position.to_move)


def test_it_can_be_given_up_and_a_finished_game_has_nothing():
    run = Run()
    with run.at_work({}):
        run.give_up()
        refinement = hexapawn.GAME.refine(hexapawn.Position.start(8, 8), 16)
        analysis = refinement.step(60)
        assert len(analysis) == 8
        assert not analysis.exact
        assert refinement.line("a1-a2", 60) == ()
    run.forget()
    assert len(hexapawn.GAME.refine(hexapawn.Position.from_text("P2/1p1/3:b"), 16).step(1)) == 0
