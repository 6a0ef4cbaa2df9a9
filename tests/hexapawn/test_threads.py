"""The Hexapawn solver in several threads: searches of their own, and one search that shares a table."""

import threading

import pytest

from gamecore import Limits, kernels
from gamecore.hexapawn import Position, solve

pytestmark = pytest.mark.threads


def test_no_room_for_one_more_thread(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    solution = solve(Position.start(6, 6), Limits(table_mb=16), threads=3)
    assert (solution.value, len(solution.line)) == (-30, 30)


@pytest.mark.parametrize(("size", "value"), [((5, 5), 19), ((6, 6), -30), ((5, 7), 29), ((7, 5), 29), ((4, 9), 25)])
def test_threads_share_a_table(size, value):
    for threads in (2, 3):
        start = Position.start(*size)
        solution = solve(start, Limits(table_mb=16), threads=threads)
        assert (solution.value, len(solution.line)) == (value, abs(value))
        assert solution.table_bytes <= 1 << 24
        for move in solution.line:
            start = start.play(move)
        assert start.is_over


def test_a_shared_table_grows_as_it_fills():
    solution = solve(Position.start(6, 6), Limits(table_mb=512), threads=2)
    assert solution.value == -30
    assert 1 << 22 <= solution.table_bytes <= 1 << 24  # larger than one thread's first table, smaller than the limit
    assert solution.replacements < solution.nodes // 10


def test_a_helper_that_was_stopped_helps_again_when_the_table_has_grown():
    kernel = kernels.kernel("hexapawn")
    start = Position.start(6, 6)
    main = kernel.Solver(6, 6, 1 << 24)
    helper = kernel.Solver(6, 6, 0, main)
    main.share_growing_table(1 << 24, [helper])
    helper.stop()
    assert helper.solve(start.white, start.black, False, -1.0, 1000, False)[4] == 0
    main.share_growing_table(1 << 24, [helper])
    assert helper.solve(start.white, start.black, False, -1.0, 1000, False)[4] > 0
    for _ in range(40):  # each fills its part, and both go on
        ended = [solver.solve(start.white, start.black, False, -1.0, 0, False) for solver in (helper, main)]
        if not main.full:
            break
        assert ended[0][4] > 0
        main.share_growing_table(1 << 24, [helper])
    won, least, most, _, _ = ended[1]
    assert (won, least, most) == (-1, 30, 30)


@pytest.mark.parametrize("size", [(3, 3), (3, 4), (4, 4), (5, 4), (4, 6), (3, 10), (10, 3), (30, 2)])
def test_threads_on_small_boards(size, monkeypatch):
    # The values are right even if threads collide at every move; usually such small boards are solved before.
    value = solve(Position.start(*size)).value
    monkeypatch.setattr("gamecore.search.threads.ALONE_NODES", 1)
    for threads in (2, 4):
        solution = solve(Position.start(*size), Limits(table_mb=1), threads=threads)
        assert (solution.value, len(solution.line)) == (value, abs(value))


def test_threads_within_limits():
    start = Position.start(6, 6)
    for nodes in (0, 1, 99_999, 100_001, 150_000, 250_000):
        solution = solve(start, Limits(nodes=nodes, table_mb=16), threads=2)
        assert solution.lower <= -30 <= solution.upper
        assert solution.nodes <= nodes
    assert not solve(Position.start(8, 8), Limits(seconds=0.2, table_mb=16), threads=2).exact
    tiny = solve(Position.start(5, 6), Limits(table_mb=0.25), threads=2)
    assert tiny.value == -22
    assert tiny.replacements > 0
