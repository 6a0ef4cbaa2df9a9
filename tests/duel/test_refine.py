"""An analysis that is gone on with ends where ``analyse`` does, by bounds that hold all the way."""

import itertools

import pytest

from gamecore import duel
from gamecore.batch.workers import Run


def refined(position, first=0.0, table_mb=16):
    """Every analysis on the way, in steps that double."""
    refinement, found, step = duel.GAME.refine(position, table_mb), [], first
    while not found or not found[-1].exact:
        found.append(refinement.step(step))
        step = max(0.001, 2 * step)
    return refinement, found


@pytest.mark.parametrize("n", [1, 3, 8, 13])
@pytest.mark.parametrize("plies", [0, 2])
def test_it_ends_where_analyse_does(n, plies):
    for seed in range(3):
        position = duel.random(n, plies=plies, rng=seed)
        refinement, found = refined(position)
        assert list(found[-1]) == list(duel.analyse(position))
        assert refinement.nodes == found[-1].nodes
        assert found[-1].to_move == position.to_move


def test_bounds_tighten_and_hold():
    position = duel.deal(17, rng=3)
    known = {one.move: one.value for one in duel.analyse(position)}
    _, found = refined(position, 0.001)
    assert len(found) > 2
    for earlier, later in itertools.pairwise(found):
        bounds = {one.move: one for one in earlier}
        for one in later:
            assert bounds[one.move].lower <= one.lower <= known[one.move] <= one.upper <= bounds[one.move].upper


def test_lines_reach_the_values():
    position = duel.deal(9, rng=5)
    refinement, found = refined(position)
    for one in found[-1]:
        state = position
        for move in refinement.line(one.move, 60):
            state = state.play(move)
        assert state.is_over
        assert one.value == (state.points if state.winner == position.to_move else -state.points)


def test_a_table_that_may_not_grow_is_no_hindrance():
    position = duel.deal(13, rng=2)
    refinement, found = refined(position, table_mb=0.01)
    assert refinement.table_bytes <= 0.01 * (1 << 20)
    assert list(found[-1]) == list(duel.analyse(position))


def test_it_can_be_given_up_and_a_finished_game_has_nothing():
    run = Run()
    with run.at_work({}):
        run.give_up()
        refinement = duel.GAME.refine(duel.deal(20, rng=5), 16)
        assert not refinement.step(60).exact
        assert refinement.line(refinement.position.legal_moves()[0], 60) == ()
    run.forget()
    over = duel.GAME.refine(duel.Position.from_text("0:D6S3:B:DQ"), 16)
    assert (len(over.step(1)), over.table_bytes) == (0, 0)
