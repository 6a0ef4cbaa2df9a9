"""Simulations and matches: statistics, reproducibility, results, errors."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hearts.strange_players import First, Lucky  # pytest's pythonpath has the folder of tests
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import hearts, kernels
from gamecore.cards import FULL_DECK

TABLES = [
    (["random"] * 4, 3001),
    (["greedy", "duck", "literal", "intelligent"], 120),
    (["pimc:3", "mc:3", "pimc:3:duck:infer=2", "solver:2:solve_at=12"], 60),
    (["linear", "search:4", "pimc:4:linear", "solver:3:linear:solve_at=12"], 6),
    (["linear", "search:4:infer=0", "pimc:4:infer=2", "duck"], 6),
    (["ismcts:60", "ismcts:40:linear:infer=2", "duck", "ismcts:50:random"], 12),
]


def test_random_play_agrees_with_open_spiel_statistics():
    # 200,000 rounds of OpenSpiel's hearts without passing: 6.59 to 6.67 points a seat (par is 6.5 and what moons add),
    # a moon in 1.08% of rounds, 3.472 legal cards on average, 24.3% of plays forced.
    rounds = 400_000
    result = hearts.simulate(["random"] * 4, rounds, rng=7)
    moons = result.moons.sum() / rounds
    error = math.sqrt(0.0108 * 0.9892 * (1 / rounds + 1 / 200_000))
    assert abs(moons - 0.0108) < 4 * error
    # Each moon adds 52 points to the 26 of a round: the mean of the four seats follows from the moons.
    assert math.isclose(result.mean.sum(), 26 + 52 * moons)
    assert (abs(result.mean - 6.63) < 4 * np.hypot(result.stderr, 0.0155)).all()


def test_deals_are_uniform():
    # Where each card goes (chi-square, 3 degrees of freedom a card), and how often two cards lie together.
    kernel = kernels.kernel("hearts")
    rounds = 8_000
    counts = np.zeros((52, 4))
    together = np.zeros((52, 52))
    for index in range(rounds):
        hands = kernel.Core(13, None, 5, index).hands()
        assert sum(hands) == FULL_DECK
        for seat, hand in enumerate(hands):
            held = np.array([hand >> card & 1 for card in range(52)], dtype=np.float64)
            assert held.sum() == 13
            counts[:, seat] += held
            together += np.outer(held, held)
    square = ((counts - rounds / 4) ** 2 / (rounds / 4)).sum(axis=1)
    # Each hand has exactly 13 cards: the 52 statistics sum to 52/51 of their free expectation of 3.
    assert abs(square.sum() * 51 / 52 - 156) < 5 * math.sqrt(2 * 156)
    pairs = together[np.triu_indices(52, 1)] / rounds
    share = 12 / 51
    assert abs(pairs - share).max() < 5.2 * math.sqrt(share * (1 - share) / rounds)
    assert abs(pairs.mean() - share) < 1e-9


@pytest.mark.parametrize(("players", "rounds"), TABLES)
@pytest.mark.parametrize("passing", ["hold", "left", "cycle"])
def test_same_rounds_for_any_workers_and_any_length(players, rounds, passing):
    one = hearts.simulate(players, rounds, 7, passing=passing)
    assert one.points.shape == (rounds, 4)
    assert one.points.dtype == np.int8
    for workers in (2, 5):
        assert hearts.simulate(players, rounds, 7, passing=passing, workers=workers) == one
    assert (hearts.simulate(players, rounds // 3, 7, passing=passing).points == one.points[: rounds // 3]).all()
    assert (hearts.simulate(players, rounds, 8, passing=passing).points != one.points).any()


@pytest.mark.parametrize("level", kernels.available_levels())
@pytest.mark.parametrize(("players", "rounds"), TABLES)
def test_same_rounds_at_every_level(level, players, rounds):
    kernel = kernels.kernel("hearts", level)
    specs = tuple(hearts.player(name).numbers for name in players)
    decisions = np.zeros(4, np.int64)
    points = np.empty((rounds, 4), np.int8)
    rules = hearts.Rules(jack_of_diamonds=True)
    directions = rules.directions("cycle")
    assert kernel.run(points, 7, 0, rules.flags, specs, directions, kernel.Control(), decisions) == rounds
    expected = hearts.simulate(players, rounds, 7, rules=rules, passing="cycle")
    assert (points == expected.points).all()
    assert (decisions == expected.decisions).all() or players == ["random"] * 4


@settings(max_examples=60, deadline=None)
@given(
    flags=st.integers(0, 255),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
    rounds=st.integers(0, 70),
    passing=st.binary(min_size=1, max_size=5).map(lambda data: bytes(byte & 3 for byte in data)),
)
def test_scalar_and_vector_forms_agree_round_by_round(flags, seed, first, rounds, passing):
    decisions = np.zeros(4, np.int64)
    found = []
    for level in kernels.available_levels():
        kernel = kernels.kernel("hearts", level)
        general = np.empty((rounds, 4), np.int8)
        kernel.run(general, seed, first, flags, ((0, 0, 0, 0, 0, 0),) * 4, passing, kernel.Control(), decisions)
        found.append(general)
        for vectors in (False, True):
            points = np.empty((rounds, 4), np.int8)
            kernel.run_random(points, seed, first, flags, passing, kernel.Control(), vectors)
            found.append(points)
    assert all((points == found[0]).all() for points in found)


def test_a_match_is_the_first_rounds_of_a_cycle():
    for players in (["greedy", "random", "duck", "pimc:3"], ["greedy", First(), "duck", "random"]):
        match = hearts.match(players, 7)
        assert max(match.totals) >= 100 > max(match.points[:-1].sum(axis=0))
        assert match.winners == tuple(np.flatnonzero(np.array(match.totals) == min(match.totals)))
        again = hearts.simulate(players, len(match.points), 7, passing="cycle")
        assert (again.points == match.points).all()
        assert str(match).count("\n") == len(match.points) + 1
        reached = hearts.Rules(match_points=max(match.totals))
        assert hearts.match(players, 7, rules=reached).points.tolist() == match.points.tolist()
    short = hearts.match(["random"] * 4, 7, rules=hearts.Rules(match_points=20, pass_cards=False))
    assert (short.points == hearts.simulate(["random"] * 4, len(short.points), 7).points).all()


def results():
    return [
        hearts.simulate(["greedy", "random", "duck", "random"], 30, 7, passing="cycle"),
        hearts.simulate([First(), "random", "duck", "random"], 5, 7),
        hearts.match(["greedy", "random", "duck", "random"], 7, rules=hearts.Rules(match_points=50)),
    ]


def test_results_as_data():
    for one in results():
        data = json.loads(json.dumps(one.to_dict(), allow_nan=False))
        assert (tuple(data), data["players"]) == (type(one).FIELDS, list(one.players))
        assert data["rounds"] == len(one) == one.rounds
        assert list(one) == list(map(tuple, one.points.tolist()))
        for library in ("pandas", "polars"):
            pytest.importorskip(library)
            frame = one.to_dataframe(library)
            assert list(frame["round"]) == list(range(len(one)))
            assert [list(frame[f"seat_{seat}"]) for seat in range(4)] == one.points.T.tolist()
    assert replace(results()[0], seconds=1.0) == results()[0] != replace(results()[0], points=results()[0].points[:-1])
    for one in results()[:2]:
        assert np.allclose(one.mean, one.points.mean(axis=0))
        assert np.allclose(one.stderr, one.points.std(axis=0, ddof=1) / math.sqrt(len(one)))
    none = hearts.simulate(["random"] * 4, 0, 7)
    assert (none.points.shape, none.to_dict()["mean"], none.to_dict()["stderr"]) == ((0, 4), [None] * 4, [None] * 4)
    assert "0 rounds" in str(none)
    assert results()[2].to_dict()["points"] == results()[2].points.tolist()


@pytest.mark.nightly
def test_strength_order():
    # Small samples, wide margins: each line differs by many standard errors.
    def against(name, other, rounds):
        return hearts.simulate([name, other, other, other], rounds, 5).mean[0]

    assert against("greedy", "random", 20_000) < 4.2
    assert against("intelligent", "random", 5_000) < 5.6
    assert against("duck", "greedy", 20_000) < 6.1
    assert against("mc:20", "greedy", 1_000) < 6.6
    assert against("pimc:40", "greedy", 1_000) < 5.0
    assert against("pimc:40:infer=8:epsilon=0.02", "greedy", 1_000) < 4.6
    passing = hearts.simulate(["pimc:20", "greedy", "greedy", "greedy"], 500, 5, passing="left")
    assert passing.mean[0] < 5.2


def test_a_simulation_goes_on_where_another_ended():
    for players in (["duck", "random", "pimc:2", "greedy"], [Lucky(), "random", "duck", "greedy"], ["random"] * 4):
        whole = hearts.simulate(players, 30, 7, passing="cycle")
        rest = hearts.simulate(players, 18, 7, passing="cycle", first=12)
        assert (rest.points == whole.points[12:]).all()
        assert (rest.first, rest.to_dict()["first"]) == (12, 12)
        assert "from number 12" in str(rest)


def test_progress_and_interrupt_keep_finished_rounds():
    calls = []
    hearts.simulate(["greedy"] * 4, 1000, 1, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (1000, 1000)
    assert calls == sorted(calls)

    def interrupt(done, total):
        if done:
            raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt) as caught:
            hearts.simulate(["pimc:20", *["greedy"] * 3], 20_000, 1, progress=interrupt, workers=workers)
        assert 0 < caught.value.partial.rounds < 20_000
