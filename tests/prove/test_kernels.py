"""What a proof asks of the kernels: tests, what is known of moves, searches done again, threads on one table."""

import random

import pytest
from prove.truth import rules_of, score_of  # pytest's pythonpath has the folder of tests

from gamecore import duel, hexapawn, kernels
from gamecore.duel._solve import kernel_position

LEVELS = kernels.levels_of("duel")  # and of Hexapawn
YES, NO, UNKNOWN = 2, 1, 0
at_every_level = pytest.mark.parametrize("level", LEVELS)


@at_every_level
def test_every_test_of_a_duel(level):
    kernel = kernels.kernel("duel", level)
    for seed in range(25):
        position = duel.deal(random.Random(seed).randint(2, 7), rng=seed)
        value = duel.solve(position, line=False).value
        for needed, attacks in ((needed, attacks) for needed in range(1, 14) for attacks in (True, False)):
            test = *kernel_position(position), attacks, needed
            answer = YES if (value if attacks else -value) >= needed else NO
            solver = kernel.Solver(12, -1.0, 0)
            assert solver.known(*test) in (answer, UNKNOWN)
            assert solver.test(*test, -1.0, 0)[0] == solver.known(*test) == answer
            assert kernel.recheck(*test, 10, -1.0, 0)[0] == answer


@at_every_level
@pytest.mark.parametrize("name", ["hexapawn", "hexapawn_wide"])
def test_every_test_of_hexapawn(level, name):
    kernel = kernels.kernel(name, level)
    for seed in range(25):
        rng = random.Random(seed)
        position = hexapawn.random(rng.randint(3, 5), rng.randint(2, 5), rng=seed)
        size, board = (position.rows, position.columns), (position.white, position.black, position.to_move == "black")
        solver = kernel.Solver(*size, 1 << 14)
        score = score_of(position, solver.mate)
        for least in {1, score, score + 2, score - 2, solver.mate - 9, 9 - solver.mate}:
            asked = 1 if -1 <= least <= 1 else least
            done, low, high, _ = solver.test(*board, asked, -1.0, 0)
            assert done
            assert low <= score <= high
            assert low >= asked if score >= asked else high < asked
        assert solver.test(*board, 1, -1.0, 0)[3] <= 1  # it is in the table
        moves = solver.children(*board)
        names = [hexapawn._position.move_name(source, target, position.columns) for source, target, *_ in moves]
        assert sorted(names) == sorted(position.legal_moves())
        for name, (_, _, low, high, _) in zip(names, moves, strict=True):
            assert low <= score_of(position.play(name), solver.mate) <= high


@pytest.mark.threads
@pytest.mark.parametrize("position", [duel.deal(12, rng=3), hexapawn.Position.start(5, 5)], ids=["duel", "hexapawn"])
def test_threads_on_one_table(position):
    rules = rules_of(position)
    key = rules.canonical(position)
    main = rules.engine(key, 1 << 20, True)
    helper = main.helper()
    if isinstance(position, duel.Position) and not kernels.kernel("duel").can_share():
        pytest.skip("a debug build, whose entries are whole states")
    answer = main.test(key, 1, 0)
    assert answer.nodes > 10
    assert helper.test(key, 1, 0)[:3] == answer[:3]
    assert helper.test(key, 1, 0).nodes <= 1  # it is in the table that they share
