"""One search in several threads: duel and Hexapawn answer as with one thread, within the same limits."""

import itertools

import pytest
from oracles.positions import deal

from gamecore import Limits, duel, hexapawn, kernels
from gamecore.cards import hand_mask
from gamecore.hexapawn import Position

pytestmark = pytest.mark.threads

BOARDS = [(3, 3), (3, 4), (4, 4), (5, 4), (4, 6), (3, 10), (10, 3), (30, 2)]


def check(game, position, alone, limits, threads):
    """Check the answer of threads against that of one thread."""
    together = game.solve(position, limits, threads=threads)
    assert (together.value, together.to_move, len(together.line)) == (alone.value, alone.to_move, len(alone.line))
    assert game is hexapawn or together.line == alone.line
    for move in together.line:
        position = position.play(move)
    assert position.is_over
    return together


def test_small_positions(monkeypatch):
    """Threads that begin at once collide at every move; usually such positions are solved before."""
    monkeypatch.setattr("gamecore.search._search.ALONE_NODES", 1)
    duels = [deal(6 + seed % 8, ("random", "low")[seed % 2], seed) for seed in range(80)]
    duels += [duel.random(10, plies=seed % 12, rng=seed) for seed in range(30)]
    boards = [Position.start(*size) for size in BOARDS]
    for game, position in [(duel, one) for one in duels] + [(hexapawn, one) for one in boards]:
        alone = game.solve(position)
        for threads, limits in ((2, None), (3, None), (2, Limits(table_mb=0.01 if game is duel else 1))):
            check(game, position, alone, limits, threads)


def test_threads_share_a_table():
    boards = [(hexapawn, Position.start(*size), (2, 3), (16,)) for size in ((5, 5), (6, 6), (7, 5), (4, 9))]
    deals = [deal(17, ("random", "low")[seed % 2], seed) for seed in range(3)]
    for game, position, counts, sizes in [*boards, *((duel, position, (2,), (1, 64)) for position in deals)]:
        alone = game.solve(position)
        for threads, table_mb in itertools.product(counts, sizes):
            together = check(game, position, alone, Limits(table_mb=table_mb), threads)
            assert together.table_bytes <= table_mb << 20


def test_one_thread_solves_where_they_cannot_share(monkeypatch):
    """Without sharing, as in debug builds, one thread searches on beyond the node count at which others would join."""
    position = deal(17, "low", 3)
    if not kernels.kernel("duel").can_share():
        with pytest.raises(ValueError, match="whole states of debug builds"):
            kernels.kernel("duel").Solver(10, -1.0, 0).share(2, -1.0, 0)
    monkeypatch.setattr(kernels.kernel("duel"), "can_share", lambda: False)
    alone = duel.solve(position)
    assert alone.nodes > 100_000
    assert duel.solve(position, threads=2) == alone


def test_a_shared_table_of_duels_grows_in_pauses():
    kernel = kernels.kernel("duel")
    if not kernel.can_share():
        pytest.skip("threads cannot share a table of this debug build")
    (mover, other), hands = (
        [hand_mask(hand) for hand in (position.alice, position.bob)]
        for position in (deal(14, "low", seed) for seed in (5, 6))
    )
    solver = kernel.Solver(16, -1.0, 1)
    first, pauses, bounds = solver.table_bytes, -1, None
    while pauses < 0 or solver.full:
        solver.share(1, -1.0, 0)
        bounds, pauses = solver.value(mover, other, -1), pauses + 1
    expected = kernel.Solver(16, -1.0, 0).value(mover, other, -1)
    assert (bounds, pauses, solver.table_bytes) == (expected, 3, 64 * first)
    solver.begin(-1.0)  # a later search in this table asks tests of its own: no thread has answered them
    for one, two in (hands, hands[::-1]):
        assert kernel.Solver(0, -1.0, 0, solver).value(one, two, -1) == kernel.Solver(16, -1.0, 0).value(one, two, -1)


def test_a_shared_table_of_boards_grows_as_it_fills_and_replaces_as_that_of_one_thread():
    grown, alone, both = (
        hexapawn.solve(Position.start(6, 6), Limits(table_mb=table_mb), threads=threads)
        for table_mb, threads in ((512, 2), (0.25, 1), (0.25, 2))
    )
    assert (grown.value, alone.value, both.value) == (-30, -30, -30)
    assert 1 << 22 <= grown.table_bytes <= 1 << 24  # larger than one thread's first table, smaller than the limit
    assert grown.replacements < grown.nodes // 10
    assert both.replacements / both.nodes > 0.8 * alone.replacements / alone.nodes


def test_a_helper_that_was_stopped_helps_again_when_the_table_has_grown():
    start, kernel = Position.start(6, 6), kernels.kernel("hexapawn")
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
    assert ended[1][:3] == (-1, 30, 30)


@pytest.mark.parametrize(
    ("game", "position", "value"),
    [(duel, duel.deal(26, rng=1), None), (hexapawn, Position.start(6, 6), -30), (hexapawn, Position.start(8, 8), None)],
)
def test_threads_within_limits(game, position, value):
    for nodes in (0, 1, 1000, 99_999, 100_001, 150_000, 250_001):
        threads = 2 + (nodes > 200_000)
        solution = game.solve(position, Limits(nodes=nodes, table_mb=16), threads=threads)
        # Helpers end when the first thread has done its share: the limit is never passed, but may not be reached.
        share = min(nodes, 100_000) + max(0, nodes - 100_000) // threads
        assert share * (value is None and game is hexapawn) <= solution.nodes <= nodes
        low, high = (-1, 1) if value is None else (value, value)
        assert solution.lower <= low <= high <= solution.upper
        assert solution.exact or (solution.line == () and solution.best_so_far in position.legal_moves())
    if value is None:
        for limits in (Limits(seconds=0), Limits(seconds=0.2, table_mb=8)):
            solution = game.solve(position, limits, threads=3)
            assert not solution.exact
            assert limits.table_mb is None or solution.table_bytes <= 8 << 20
