"""Limits and deadlines of batches, how positions share the time, and the best move of a search that was cut short."""

import json
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gamecore import Limits, OptionError, batch, cli, duel, hearts, hexapawn, rows
from gamecore.batch.plan import limits_of_chunk
from gamecore.batch.spec import Batch

HARD = {
    duel: [duel.deal(17, rng=seed) for seed in range(4)],
    hexapawn: [hexapawn.random(7, 7, plies=4, rng=seed) for seed in range(4)],
    rows: [rows.Position(np.arange(300) * seed % 97, "greedy") for seed in (3, 5, 7, 11)],
    hearts: [hearts.random("left", plies=9, rng=seed) for seed in range(4)],
}
EASY = {
    duel: [duel.deal(5, rng=seed) for seed in range(10)],
    hexapawn: [hexapawn.random(4, 4, rng=seed) for seed in range(10)],
    rows: [rows.random(9, opponent="greedy", rng=seed) for seed in range(10)],
    hearts: [hearts.random("left", plies=40, rng=seed) for seed in range(10)],
}


@pytest.fixture(params=HARD, ids=lambda game: game.__name__)
def game(request):
    return request.param


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""
    now = [2e9]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "soon", True, 0, 12345.6])
def test_a_deadline_is_a_moment_of_the_wall_clock(value):
    with pytest.raises(OptionError, match="deadline"):
        Limits(deadline=value)


def test_positions_share_the_time_until_a_deadline(clock):
    limits = Limits(deadline=2e9 + 100, nodes=7)
    assert limits.for_kernel(1).seconds == 100
    assert Limits(seconds=3, deadline=2e9 + 100).for_kernel(1).seconds == 3
    assert limits_of_chunk(limits, 4) == Limits(seconds=25, nodes=7, deadline=2e9 + 100)
    assert limits_of_chunk(Limits(seconds=3, deadline=2e9 + 100), 4).seconds == 3
    assert limits_of_chunk(Limits(seconds=3), 4) == Limits(seconds=3)
    clock[0] += 60
    assert limits.for_kernel(1).seconds == 40
    assert limits_of_chunk(limits, 0.5).seconds == 40  # never more than is left
    clock[0] += 60
    assert limits.for_kernel(1).seconds == limits_of_chunk(limits, 4).seconds == 0
    assert pickle.loads(pickle.dumps(limits)) == limits


def test_time_that_easy_positions_save_goes_to_later_ones(clock):
    shares = []

    def solve(item, limits):
        shares.append(limits.seconds)
        clock[0] += 1 if item else 0

    Batch(solve).solve_many([0, 0, 1, 0, 0], Limits(deadline=2e9 + 10))
    assert shares[0] == 2 < shares[-1]
    assert shares == sorted(shares)


def test_a_deadline_that_has_passed_leaves_bounds(game):
    limits = Limits(deadline=time.time() - 5)
    solutions = [*game.solve_many(HARD[game], limits), *game.solve_iter(HARD[game], limits)]
    assert len(solutions) == 8
    for solution in (*solutions, game.solve(HARD[game][0], limits)):
        assert solution.lower < solution.upper
        assert not solution.best_moves
    assert not game.analyse(HARD[game][0], limits).exact


def test_the_time_runs_out_on_the_way(game, clock, monkeypatch):
    """Each look at the clock takes a second: some positions are begun, others are not, all are answered."""

    def tick():
        clock[0] += 1
        return clock[0]

    monkeypatch.setattr(time, "time", tick)
    solutions = game.solve_many(HARD[game], Limits(deadline=2e9 + 6, nodes=500))
    for solution, position in zip(solutions, HARD[game], strict=True):
        assert solution.lower <= solution.upper
        assert not solution.best_moves or solution.best_move in position.legal_moves()
    assert (solutions[0].nodes > 0) == (game is not rows)  # rows count finished intervals


def test_deadlines_over_an_executor_and_bad_items():
    items = [EASY[duel][1], "nonsense", *EASY[duel]]
    with ThreadPoolExecutor(2) as pool:
        solutions = duel.solve_many(items, Limits(deadline=4e9), executor=pool, on_error="return")
    assert list(solutions.errors) == [1]
    assert solutions[0].value == duel.solve(items[0]).value
    with pytest.raises(batch.BatchError) as error:
        hearts.solve_many([*EASY[hearts][:2], "x:y"], Limits(deadline=4e9))
    assert (error.value.index, len(error.value.done)) == (2, 2)


# --- the best move so far --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [0, 1, 30, 200])
def test_a_search_that_is_cut_short_names_a_move(game, nodes):
    for position in HARD[game]:
        solution = game.solve(position, Limits(nodes=nodes))
        assert not solution.exact
        assert solution.best_move is None
        assert solution.best_so_far in position.legal_moves()
        assert solution.to_dict()["best_so_far"] == solution.best_so_far
        assert solution.nodes <= nodes
        assert game is hearts or game.solve_many([position], Limits(nodes=nodes))[0].best_so_far is None
    assert {game.solve(position).best_so_far for position in EASY[game]} == {None}


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


@pytest.mark.parametrize("hard", [hexapawn.Position.start(7, 7), duel.deal(20, rng=1)], ids=["hexapawn", "duel"])
def test_threads_name_a_move_too(hard):
    game = duel if isinstance(hard, duel.Position) else hexapawn
    assert game.solve(hard, Limits(nodes=150_000), threads=2).best_so_far in hard.legal_moves()


def test_solve_file_within_a_whole_time(game, tmp_path, capsys):
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text("".join(f"{position.to_text()}\n" for position in EASY[game]))
    assert cli.main(["solve-file", str(file), "-o", str(out), "--total-time", "500"]) == 0
    assert cli.main(["solve-file", str(file), "-o", str(out), "--total-time", "0", "--overwrite"]) in (0, 3)
    assert len([json.loads(line) for line in out.read_text().splitlines()[1:]]) == 10
    assert cli.main(["solve-file", str(file), "-o", str(out), "--total-time", "-1"]) == 2
    assert "--total-time" in capsys.readouterr().err
