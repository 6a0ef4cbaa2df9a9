"""Simulations, matches and comparisons: statistics, the same rounds however they are played, results."""

import json
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hearts.strange_players import First, Lowest, Lucky  # pytest's pythonpath has the folder of tests
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import OptionError, hearts, kernels
from gamecore.cards import FULL_DECK
from gamecore.errors import BatchError

TABLES = [
    (["random"] * 4, 3001),
    (["greedy", "duck", "literal", "intelligent"], 120),
    (["pimc:3", "mc:3", "pimc:3:duck:infer=2", "solver:2:solve_at=12"], 60),
    (["linear", "search:4", "pimc:4:linear", "solver:3:linear:solve_at=12"], 6),
    (["linear", "search:4:infer=0", "pimc:4:infer=2", "duck"], 6),
    (["ismcts:60", "ismcts:40:linear:infer=2", "duck", "ismcts:50:random"], 12),
]

# --- statistics -------------------------------------------------------------------------------------------------------


def test_random_play_agrees_with_open_spiel_statistics():
    # 200,000 rounds of OpenSpiel's hearts without passing: 6.59 to 6.67 points a seat (par is 6.5 and what moons add),
    # a moon in 1.08% of rounds.
    rounds = 400_000
    result = hearts.simulate(["random"] * 4, rounds, rng=7)
    moons = result.moons.sum() / rounds
    assert abs(moons - 0.0108) < 4 * math.sqrt(0.0108 * 0.9892 * (1 / rounds + 1 / 200_000))
    # Each moon adds 52 points to the 26 of a round: the mean of the four seats follows from the moons.
    assert math.isclose(result.mean.sum(), 26 + 52 * moons)
    assert (abs(result.mean - 6.63) < 4 * np.hypot(result.stderr, 0.0155)).all()


def test_deals_are_uniform():
    # Where each card goes (chi-square, 3 degrees of freedom a card), and how often two cards lie together.
    kernel, rounds = kernels.kernel("hearts"), 8_000
    counts, together = np.zeros((52, 4)), np.zeros((52, 52))
    for index in range(rounds):
        hands = kernel.Core(13, None, 5, index).hands()
        assert sum(hands) == FULL_DECK
        held = np.array([[hand >> card & 1 for hand in hands] for card in range(52)], dtype=np.float64)
        assert (held.sum(axis=0) == 13).all()
        counts += held
        together += held @ held.T
    square = ((counts - rounds / 4) ** 2 / (rounds / 4)).sum()
    # Each hand has exactly 13 cards: the 52 statistics sum to 52/51 of their free expectation of 3.
    assert abs(square * 51 / 52 - 156) < 5 * math.sqrt(2 * 156)
    pairs, share = together[np.triu_indices(52, 1)] / rounds, 12 / 51
    assert abs(pairs - share).max() < 5.2 * math.sqrt(share * (1 - share) / rounds)
    assert abs(pairs.mean() - share) < 1e-9


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("player", "other", "rounds", "passing", "most"),
    [
        ("greedy", "random", 20_000, "hold", 4.2), ("intelligent", "random", 5_000, "hold", 5.6),
        ("duck", "greedy", 20_000, "hold", 6.1), ("mc:20", "greedy", 1_000, "hold", 6.6),
        ("pimc:40", "greedy", 1_000, "hold", 5.0), ("pimc:40:infer=8:epsilon=0.02", "greedy", 1_000, "hold", 4.6),
        ("pimc:20", "greedy", 500, "left", 5.2),
    ],
)  # fmt: skip
def test_strength_order(player, other, rounds, passing, most):
    """Small samples, wide margins: each line differs by many standard errors."""
    assert hearts.simulate([player, other, other, other], rounds, 5, passing=passing).mean[0] < most


def test_pairing_reduces_the_error():
    (difference,) = hearts.compare(["greedy", "duck"], "greedy", 4000, 7).differences
    assert difference.mean > 5 * difference.stderr
    assert difference.stderr < 0.8 * difference.unpaired_stderr


# --- the same rounds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "rounds"), [*TABLES, ([Lucky(), "random", "duck", "greedy"], 9)])
@pytest.mark.parametrize("passing", ["hold", "left", "cycle"])
def test_same_rounds_for_any_workers_and_any_length(players, rounds, passing):
    whole = hearts.simulate(players, rounds, 7, passing=passing)
    assert (whole.points.shape, whole.points.dtype) == ((rounds, 4), np.int8)
    for workers in (2, 5):
        assert hearts.simulate(players, rounds, 7, passing=passing, workers=workers) == whole
    third = rounds // 3
    begin = hearts.simulate(players, third, 7, passing=passing)
    rest = hearts.simulate(players, rounds - third, 7, passing=passing, first=third)
    assert np.array_equal(np.concatenate((begin.points, rest.points)), whole.points)
    assert (rest.to_dict()["first"], f"from number {third}" in str(rest)) == (third, True)
    assert (hearts.simulate(players, rounds, 8, passing=passing).points != whole.points).any()


@settings(max_examples=60, deadline=None)
@given(
    flags=st.integers(0, 255),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
    rounds=st.integers(0, 70),
    passing=st.binary(min_size=1, max_size=5).map(lambda data: bytes(byte & 3 for byte in data)),
)
def test_scalar_and_vector_forms_agree_round_by_round(flags, seed, first, rounds, passing):
    played, random = [], ((0,) * 6,) * 4
    for kernel in (kernels.kernel("hearts", level) for level in kernels.available_levels()):
        for vectors in (None, False, True):
            points = np.empty((rounds, 4), np.int8)
            if vectors is None:
                kernel.run(points, seed, first, flags, random, passing, kernel.Control(), np.zeros(4, np.int64))
            else:
                kernel.run_random(points, seed, first, flags, passing, kernel.Control(), vectors)
            played.append(points)
    assert all((points == played[0]).all() for points in played)


@pytest.mark.parametrize("players", [["greedy", "random", "duck", "pimc:3"], ["greedy", First(), "duck", "random"]])
def test_a_match_is_the_first_rounds_of_a_cycle(players):
    match = hearts.match(players, 7)
    assert max(match.totals) >= 100 > max(match.points[:-1].sum(axis=0))
    assert match.winners == tuple(np.flatnonzero(np.array(match.totals) == min(match.totals)))
    assert (match.points == hearts.simulate(players, len(match), 7, passing="cycle").points).all()
    reached = hearts.Rules(match_points=max(match.totals))
    assert hearts.match(players, 7, rules=reached).points.tolist() == match.points.tolist()
    short = hearts.match(players, 7, rules=hearts.Rules(match_points=20, pass_cards=False))
    assert (short.points == hearts.simulate(players, len(short), 7).points).all()


def by_hand(player, field, rounds, seed, **options):
    """(rounds, 4): points of a player in each seat, by simulations."""
    tables = [[(player, *field)[(place - seat) % 4] for place in range(4)] for seat in range(4)]
    points = [hearts.simulate(table, rounds, seed, **options).points for table in tables]
    return np.stack([points[seat][:, seat] for seat in range(4)], axis=1)


@pytest.mark.parametrize("players", [["duck", "pimc:3", "random"], ["duck", Lowest(), Lucky()]])
@pytest.mark.parametrize("field", ["greedy", ("duck", "random", "pimc:2"), ("duck", Lowest(), "random")])
def test_a_comparison_has_the_points_of_simulations(players, field):
    others = [field] * 3 if isinstance(field, str) else list(field)
    options = {"passing": "cycle", "first": 3, "rules": hearts.Rules(jack_of_diamonds=True)}
    comparison = hearts.compare(players, field, 30, 7, **options)
    hand = [by_hand(player, others, 30, 7, **options) for player in players]
    assert (comparison.points == np.stack(hand, axis=1)).all()
    means = np.array([points.mean(axis=1) for points in hand])
    assert np.allclose(comparison.mean, means.mean(axis=1))
    assert np.allclose(comparison.stderr, means.std(axis=1, ddof=1) / math.sqrt(30))
    for difference, (a, b) in zip(comparison.differences, [(0, 1), (0, 2), (1, 2)], strict=True):
        paired, names, errors = means[a] - means[b], comparison.players, comparison.stderr
        assert (difference.first, difference.second) == (names[a], names[b])
        expected = paired.mean(), paired.std(ddof=1) / math.sqrt(30), math.hypot(errors[a], errors[b])
        assert np.allclose((difference.mean, difference.stderr, difference.unpaired_stderr), expected)


def test_a_comparison_is_the_same_for_any_workers():
    players, field = ["pimc:2", Lucky(), "duck"], ["greedy", Lowest(), "random"]
    comparison = hearts.compare(players, field, 4, 7, passing="cycle")
    assert comparison.players + comparison.field == ("pimc:2:greedy", "Lucky", "duck", "greedy", "Lowest", "random")
    for options in ({"workers": 2}, {"executor": ThreadPoolExecutor(3)}):
        assert hearts.compare(players, field, 4, 7, passing="cycle", **options) == comparison
    built_in = hearts.compare(["linear", "duck"], "duck", 300, 7)
    with ProcessPoolExecutor(1) as pool:  # learned weights are read there, not sent
        for options in ({"workers": 2}, {"executor": pool}):
            assert hearts.compare(["linear", "duck"], "duck", 300, 7, **options) == built_in
    # Copies of one Player sit at a table, never one copy twice.
    lucky = Lucky()
    alone = [hearts.compare(["duck"], field, 4, 7).points for field in (lucky, [Lucky(), Lucky(), Lucky()])]
    assert (alone[0] == alone[1]).all()


# --- results ----------------------------------------------------------------------------------------------------------

RESULTS = [
    hearts.simulate(["greedy", "random", "duck", "random"], 30, 7, passing="cycle"),
    hearts.simulate([First(), "random", "duck", "random"], 5, 7),
    hearts.simulate(["random"] * 4, 0, 7),
    hearts.match(["greedy", "random", "duck", "random"], 7, rules=hearts.Rules(match_points=50)),
    hearts.compare(["duck", Lowest(), Lowest()], ["greedy", "random", "random"], 12, 7),
    hearts.compare(["duck"], rounds=0, rng=7),
    hearts.compare(["duck", "random"], rounds=1),
]


@pytest.mark.parametrize("result", RESULTS)
def test_results_as_data(result):
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert tuple(data) == type(result).FIELDS
    assert (data["rounds"], data["players"]) == (result.rounds, list(result.players))
    assert str(result).isascii()
    libraries = [library for library in ("pandas", "polars") if pytest.importorskip(library)]
    if isinstance(result, hearts.Comparison):
        assert all(tuple(pair) == hearts.Difference.names() for pair in data["differences"])
        for library in libraries:
            assert list(result.to_dataframe(library)["player"]) == list(result.players)
            means = list(result.to_dataframe(library, what="differences")["mean"])
            assert np.array_equal(means, [pair.mean for pair in result.differences], equal_nan=True)
        return
    assert len(result) == result.rounds
    assert list(result) == list(map(tuple, result.points.tolist()))
    for frame in map(result.to_dataframe, libraries):
        assert list(frame["round"]) == list(range(len(result)))
        assert [list(frame[f"seat_{seat}"]) for seat in range(4)] == result.points.T.tolist()
    if isinstance(result, hearts.Simulation) and result.rounds:
        assert np.allclose(result.mean, result.points.mean(axis=0))
        assert np.allclose(result.stderr, result.points.std(axis=0, ddof=1) / math.sqrt(len(result)))
        assert replace(result, seconds=1.0) == result != replace(result, points=result.points[:-1])


def test_comparisons_in_words_and_times():
    comparison = hearts.compare(["duck", "pimc:50", Lowest(), Lowest()], ["greedy", "random", "random"], 8, 7)
    assert comparison.players == ("duck", "pimc:50:greedy", "Lowest", "Lowest#2")
    assert all(word in str(comparison) for word in ("duck - Lowest#2", "8 deals", "greedy, random, random", "seed 7"))
    assert str(comparison.differences[-1]) == "Lowest - Lowest#2: +0.000 +- 0.000"
    duck, search, python, _ = comparison.decision_seconds
    assert 0 < duck < min(search, python)
    for refused, message in ((lambda: comparison.to_dataframe(what="all"), "what"), (RESULTS[-1].plot, "1 deals")):
        with pytest.raises(OptionError, match=message):
            refused()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("play", "players"), [(hearts.simulate, ["pimc:20", *["greedy"] * 3]), (hearts.compare, ["pimc:20", "duck"])]
)
def test_an_interruption_keeps_what_is_finished(play, players, workers):
    calls = []

    def interrupt(done, total):
        calls.append((done, total))
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        play(players, rounds=20_000, rng=1, progress=interrupt, workers=workers)
    assert 0 < caught.value.partial.rounds < 20_000
    assert calls[-1] == (caught.value.partial.rounds, 20_000)


def test_an_executor_that_is_closed():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(BatchError) as caught:
        hearts.compare(["duck", "greedy"], rounds=10, rng=1, executor=pool)
    assert caught.value.done.rounds == 0
