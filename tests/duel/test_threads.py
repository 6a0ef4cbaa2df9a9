"""Several threads on one duel, and threads with small stacks, give the same answers within the same limits."""

import os
import platform
import random
import subprocess
import sys

import pytest

from gamecore import Limits, duel, hexapawn, kernels
from gamecore.cards import hand_mask
from gamecore.errors import OptionError

pytestmark = pytest.mark.threads

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
    for seed in range(60):
        position = duel.random(10, plies=seed % 12, rng=seed)
        alone, together = duel.solve(position), duel.solve(position, Limits(table_mb=0.01), threads=2)
        assert (together.value, together.line, together.to_move) == (alone.value, alone.line, alone.to_move)
    for seed in range(6):
        position = duel.Position(*deal(17, ("random", "low")[seed % 2], seed))
        alone = duel.solve(position, line=False)
        for table_mb in (1, 64):
            assert duel.solve(position, Limits(table_mb=table_mb), line=False, threads=2).value == alone.value


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
    assert (found, pauses, solver.table_bytes) == (expected, 3, 64 * first)


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
@pytest.mark.parametrize(("solve", "position"), [(duel.solve, "DQH2HA:H3D6S3:A:-"), (hexapawn.solve, "ppp/3/PPP:w")])
def test_bad_threads(solve, position, threads):
    with pytest.raises(OptionError, match="threads must be an integer from 1 to 64"):
        solve(position, threads=threads)


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


# Threads with small stacks, as in servers with thousands of threads, give the same answers.
SOLVE = """
import sys, threading
from gamecore import Limits, duel

deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
positions = [duel.deal(n, rng=seed) for seed in range(6) for n in (26, 20, 13)]
positions += [duel.Position(deck[k::4] + deck[k + 1 :: 4] + deck[k + 2 :: 4], deck[(k + 3) % 4 :: 4]) for k in (0, 1)]
positions += [duel.Position(deck[:2], deck[2:], "Bob"), duel.Position(deck[2:], deck[:2])]
found = {}


def work(name):
    answers = [duel.solve(position, Limits(nodes=20_000, table_mb=1)) for position in positions]
    answers += [duel.analyse(position, Limits(nodes=2_000, table_mb=1)) for position in positions]
    found[name] = [*answers, *duel.solve_many(positions, Limits(nodes=3_000, table_mb=1), workers=2)]


work("main")
threading.stack_size(int(sys.argv[1]) << 10)
threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert found[0] == found[1] == found["main"]
print(len(found[0]))
"""


# Other processors' C libraries need stacks of at least 128 KiB; sanitized code needs ten times as much.
SIZES = [64, 128] if platform.machine() in ("x86_64", "AMD64") else [128]
if "GAMECORE_SANITIZED" in os.environ:
    SIZES = [1280]


@pytest.mark.parametrize("kilobytes", SIZES)
def test_deep_positions_on_small_stacks(kilobytes):
    result = subprocess.run(
        [sys.executable, "-c", SOLVE, str(kilobytes)], capture_output=True, text=True, check=False, timeout=300
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "66\n", "")
