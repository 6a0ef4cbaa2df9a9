"""Several threads on one duel give the same answers within the same limits."""

import random
import signal
import threading
import time

import pytest

from gamecore import Limits, duel, kernels
from gamecore.cards import hand_mask
from gamecore.errors import OptionError

FAMILIES = ["random", "low", "high", "three", "parity", "checker", "skew", "paired"]


@pytest.fixture
def at_once(monkeypatch):
    """Let helpers start at once; otherwise small positions are solved before they start."""
    monkeypatch.setattr("gamecore.search.threads.ALONE_NODES", 1)


def test_threads_agree_with_one_thread(deal, at_once):
    for seed in range(160):
        position = duel.Position(*deal(6 + seed % 8, FAMILIES[seed % 8], seed))
        alone = duel.solve(position)
        for threads in (2, 3):
            together = duel.solve(position, threads=threads)
            assert (together.value, together.line) == (alone.value, alone.line)


def test_threads_agree_on_long_deals(deal, at_once):
    for seed in range(6):
        position = duel.Position(*deal(17, ("random", "low")[seed % 2], seed))
        alone = duel.solve(position, line=False)
        for table_mb in (1, 64):
            assert duel.solve(position, Limits(table_mb=table_mb), line=False, threads=2).value == alone.value


def test_unfinished_games_in_threads(at_once):
    for seed in range(60):
        position = duel.random(10, plies=seed % 12, rng=seed)
        alone, together = duel.solve(position), duel.solve(position, Limits(table_mb=0.01), threads=2)
        assert (together.value, together.line, together.to_move) == (alone.value, alone.line, alone.to_move)


def test_one_thread_solves_where_they_cannot_share(deal, monkeypatch):
    """Without sharing, as in debug builds, one thread searches on beyond the node count at which others would join."""
    position = duel.Position(*deal(17, "low", 3))
    if not kernels.kernel("duel").can_share():
        with pytest.raises(ValueError, match="whole states of debug builds"):
            kernels.kernel("duel").Solver(10, -1.0, 0).share(2, -1.0, 0)
    monkeypatch.setattr(kernels.kernel("duel"), "can_share", lambda: False)
    alone = duel.solve(position)
    assert alone.nodes > 100_000
    assert duel.solve(position, threads=2) == alone


@pytest.fixture
def sharing():
    if not kernels.kernel("duel").can_share():
        pytest.skip("threads cannot share a table of this debug build")


@pytest.mark.usefixtures("sharing")
def test_a_shared_table_grows_in_pauses(deal):
    mover, other = (hand_mask(hand) for hand in deal(14, "low", 5))
    kernel = kernels.kernel("duel")
    expected = kernel.Solver(16, -1.0, 0).value(mover, other, -1)
    solver = kernel.Solver(16, -1.0, 1)
    first = solver.table_bytes
    pauses = 0
    while True:
        solver.share(1, -1.0, 0)
        found = solver.value(mover, other, -1)
        if not solver.full:
            break
        pauses += 1
    assert found == expected
    assert pauses == 3
    assert solver.table_bytes == 64 * first


@pytest.mark.usefixtures("sharing")
def test_a_helper_takes_what_was_found(deal):
    # The main solver has published all results, so that helpers search nothing.
    mover, other = (hand_mask(hand) for hand in deal(13, "low", 2))
    kernel = kernels.kernel("duel")
    solver = kernel.Solver(18, -1.0, 1)
    solver.share(2, -1.0, 0)
    helper = kernel.Solver(0, -1.0, 0, solver)
    found = solver.value(mover, other, -1)
    assert helper.value(mover, other, -1) == found
    assert helper.nodes <= 10 < 500 < solver.nodes


def test_threads_within_limits(deal):
    position = duel.Position(*deal(26, "random", 1))
    for nodes in (1, 1000, 300_000):
        solution = duel.solve(position, Limits(nodes=nodes, table_mb=8), threads=2)
        assert not solution.exact
        assert solution.nodes <= nodes
        assert solution.line == ()
        assert solution.lower <= -1
        assert solution.upper >= 1
    solution = duel.solve(position, Limits(seconds=0.3, table_mb=8), threads=3)
    assert not solution.exact
    assert solution.table_bytes <= 8 << 20
    assert not duel.solve(position, Limits(seconds=0), threads=2).exact


@pytest.mark.parametrize("threads", [0, 65, True, 1.5, "2", None])
def test_bad_threads(threads):
    with pytest.raises(OptionError, match="threads must be an integer from 1 to 64"):
        duel.solve("DQH2HA:H3D6S3:A:-", threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_interrupts(deal, threads):
    before = threading.active_count()
    position = duel.Position(*deal(26, "random", 1))

    def interrupt():
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        duel.solve(position, Limits(seconds=60, table_mb=16), threads=threads)
    thread.join()
    deadline = time.monotonic() + 10  # finished threads are counted a moment longer
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.001)
    assert threading.active_count() == before


def test_names_of_suits_and_the_order_of_ranks(deal):
    """Rename suits, and exchange ranks if only the winner is compared."""
    for seed in range(60):
        alice, bob = deal(9 + seed % 6, FAMILIES[seed % 8], seed)
        rng = random.Random(seed)
        suits = dict(zip("CDHS", rng.sample("CDHS", 4), strict=True))
        ranks = dict(zip("A23456789TJQK", rng.sample("A23456789TJQK", 13), strict=True))
        value = duel.solve(duel.Position(alice, bob), line=False).value
        renamed = [[suits[card[0]] + card[1] for card in hand] for hand in (alice, bob)]
        assert duel.solve(duel.Position(*renamed), line=False).value == value
        moved = [[card[0] + ranks[card[1]] for card in hand] for hand in (alice, bob)]
        assert (duel.solve(duel.Position(*moved), line=False).value > 0) == (value > 0)
