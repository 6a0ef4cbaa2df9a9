"""Hearts: reference, OpenSpiel and this engine side by side; decisions of each player; the solver by cards left.

Versions play different numbers of rounds, as many as fit: ``work`` in extra_info has them compared by the round, or by
the decision of a player.
"""

import random
import zlib

import numpy as np
import pytest

from gamecore import hearts, kernels
from gamecore.reference import hearts as reference

SEED = 7
kernel = kernels.kernel("hearts")
FLAGS = hearts.Rules().flags


def forms():
    here = pytest.mark.skipif(not kernel.has_vectors(), reason="needs AVX-512 BITALG")
    return [pytest.param(False, id="native-scalar"), pytest.param(True, id="native-avx512", marks=here)]


# -- random rounds


@pytest.mark.benchmark(group="hearts: random rounds, deal and play")
def test_deal_and_play_reference(benchmark):
    rng = random.Random(SEED)
    players = [reference.RandomPlayer(rng)] * 4
    benchmark.pedantic(lambda: [reference.play_round(players, reference.deal(rng)) for _ in range(50)], rounds=3)
    benchmark.extra_info["work"] = 50


@pytest.mark.benchmark(group="hearts: random rounds, deal and play")
def test_deal_and_play_open_spiel_loop(benchmark):
    pyspiel = pytest.importorskip("pyspiel", reason="extra 'openspiel'")
    game = pyspiel.load_game("hearts")
    rng = random.Random(SEED)

    def loop():
        for _ in range(200):
            state = game.new_initial_state()
            state.apply_action(0)
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))

    benchmark.pedantic(loop, rounds=3)
    benchmark.extra_info["work"] = 200


@pytest.mark.benchmark(group="hearts: random rounds, deal and play")
@pytest.mark.parametrize("vectors", forms())
def test_deal_and_play_native(benchmark, vectors):
    rounds = 1_000_000
    control, decisions = kernel.Control(), np.zeros(4, np.int64)
    points, general = np.empty((rounds, 4), np.int8), np.empty((5000, 4), np.int8)
    benchmark.pedantic(kernel.run_random, (points, SEED, 0, FLAGS, b"\0", control, vectors), rounds=5)
    kernel.run(general, SEED, 0, FLAGS, (hearts.player("random").numbers,) * 4, b"\0", control, decisions)
    assert (points[:5000] == general).all()
    benchmark.extra_info["checksum"] = zlib.crc32(points.tobytes())
    benchmark.extra_info["work"] = rounds


@pytest.mark.one_level
@pytest.mark.benchmark(group="hearts: simulate and record(['random'] * 4) from Python")
@pytest.mark.parametrize(
    ("play", "rounds", "workers"),
    [(hearts.simulate, 10_000_000, 1), (hearts.simulate, 10_000_000, 2), (hearts.record, 1_000_000, 1)],
)
def test_simulate(benchmark, play, rounds, workers):
    result = benchmark.pedantic(play, (["random"] * 4, rounds, SEED), {"workers": workers}, rounds=3)
    assert result.rounds == rounds
    benchmark.extra_info["checksum"] = zlib.crc32(result.points.tobytes())
    benchmark.extra_info["work"] = rounds


# -- players: one against three greedy

PLAYERS = [
    ("random", 50_000),
    ("greedy", 50_000),
    ("duck", 50_000),
    ("intelligent", 10_000),
    ("mc:100", 150),
    ("pimc:100", 150),
    ("pimc:100:duck", 150),
    ("pimc:100:infer=8:epsilon=0.02", 60),
    ("solver:50:solve_at=20", 60),
]


@pytest.mark.benchmark(group="hearts: a player against three greedy")
@pytest.mark.parametrize(("name", "rounds"), PLAYERS)
def test_player(benchmark, name, rounds):
    players = [name, "greedy", "greedy", "greedy"]
    result = benchmark.pedantic(hearts.simulate, (players, rounds, SEED), rounds=3)
    assert (result.points[:50] == hearts.simulate(players, 50, SEED, workers=2).points).all()
    benchmark.extra_info["version"] = name
    benchmark.extra_info["checksum"] = zlib.crc32(result.points.tobytes())
    benchmark.extra_info["work"] = int(result.decisions[0])


# -- perfect information, by cards left


def positions(left, count):
    """Rounds with `left` cards out of 52 to play, random play before, points still out."""
    found = []
    for index in range(10_000):
        round_ = hearts.Round.deal(SEED, index=index)
        while 52 - 4 * len(round_.tricks) > left:
            round_ = round_.play(round_.ask("random"))
        if sum(round_.taken) < 26:
            found.append(round_)
        if len(found) == count:
            return found
    raise AssertionError


@pytest.mark.benchmark(group="hearts: perfect information")
@pytest.mark.parametrize("method", ["max_n", "paranoid"])
@pytest.mark.parametrize(("left", "count"), [(20, 40), (24, 40), (28, 30), (32, 20)])
def test_solver(benchmark, left, count, method):
    rounds = positions(left, count)
    solutions = benchmark.pedantic(
        lambda: [hearts.solve(round_, method=method, line=False) for round_ in rounds], rounds=5
    )
    assert all(solution.exact for solution in solutions)
    benchmark.extra_info.update(
        work=count, nodes=sum(solution.nodes for solution in solutions), version=f"{method}, {left}"
    )
