"""Comparisons: points and differences checked by hand, results as data, errors, the command."""

import json
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hearts.strange_players import Fails, Lowest, Lucky  # pytest's pythonpath has the folder of tests

from gamecore import OptionError, hearts
from gamecore.errors import BatchError


def by_hand(player, field, rounds, seed, **options):
    """(rounds, 4): points of a player in each seat, by simulations."""
    columns = []
    for seat in range(4):
        table = [None] * 4
        table[seat] = player
        for place, other in enumerate(field, start=1):
            table[(seat + place) % 4] = other
        columns.append(hearts.simulate(table, rounds, seed, **options).points[:, seat])
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("players", [["duck", "pimc:3", "random"], ["duck", Lowest(), Lucky()]])
@pytest.mark.parametrize("field", ["greedy", ("duck", "random", "pimc:2"), ("duck", Lowest(), "random")])
def test_points_and_differences_are_those_of_simulations(players, field):
    others = [field] * 3 if isinstance(field, str) else list(field)
    options = {"passing": "cycle", "first": 3, "rules": hearts.Rules(jack_of_diamonds=True)}
    comparison = hearts.compare(players, field, 30, 7, **options)
    hand = [by_hand(player, others, 30, 7, **options) for player in players]
    assert (comparison.points == np.stack(hand, axis=1)).all()
    means = np.array([points.mean(axis=1) for points in hand])
    assert np.allclose(comparison.mean, means.mean(axis=1))
    assert np.allclose(comparison.stderr, means.std(axis=1, ddof=1) / math.sqrt(30))
    for one, (a, b) in zip(comparison.differences, [(0, 1), (0, 2), (1, 2)], strict=True):
        paired = means[a] - means[b]
        assert (one.first, one.second) == (comparison.players[a], comparison.players[b])
        assert math.isclose(one.mean, paired.mean(), abs_tol=1e-12)
        assert math.isclose(one.stderr, paired.std(ddof=1) / math.sqrt(30))
        assert math.isclose(one.unpaired_stderr, math.hypot(comparison.stderr[a], comparison.stderr[b]))


def test_pairing_reduces_the_error():
    (one,) = hearts.compare(["greedy", "duck"], "greedy", 4000, 7).differences
    assert one.mean > 5 * one.stderr
    assert one.stderr < 0.8 * one.unpaired_stderr


def test_the_same_for_any_workers():
    players, field, deals = ["pimc:2", Lucky(), "duck"], ["greedy", Lowest(), "random"], 4
    one = hearts.compare(players, field, deals, 7, passing="cycle")
    assert one.players == ("pimc:2:greedy", "Lucky", "duck")
    assert one.field == ("greedy", "Lowest", "random")
    assert hearts.compare(players, field, deals, 7, passing="cycle", workers=2) == one
    with ThreadPoolExecutor(3) as pool:
        assert hearts.compare(players, field, deals, 7, passing="cycle", executor=pool) == one
    built_in = hearts.compare(["linear", "duck"], "duck", 300, 7)
    assert hearts.compare(["linear", "duck"], "duck", 300, 7, workers=2) == built_in
    with ProcessPoolExecutor(1) as pool:  # learned weights are read there, not sent
        assert hearts.compare(["linear", "duck"], "duck", 300, 7, executor=pool) == built_in
    assert built_in != hearts.compare(["linear", "duck"], "duck", 300, 8)
    # Copies of one Player sit at a table, never one copy twice.
    lucky = Lucky()
    alone = [hearts.compare(["duck"], field, 4, 7).points for field in (lucky, [Lucky(), Lucky(), Lucky()])]
    assert (alone[0] == alone[1]).all()


def test_results_as_data_and_text():
    comparison = hearts.compare(["duck", Lowest(), Lowest()], ["greedy", "random", "random"], 12, 7)
    assert comparison.players == ("duck", "Lowest", "Lowest#2")
    for one in (comparison, hearts.compare(["duck"], rounds=0, rng=7), hearts.compare(["duck", "random"], rounds=1)):
        data = json.loads(json.dumps(one.to_dict(), allow_nan=False))
        assert tuple(data) == hearts.Comparison.FIELDS
        assert all(tuple(pair) == hearts.Difference.names() for pair in data["differences"])
    text = str(comparison)
    assert all(word in text for word in ("duck - Lowest#2", "12 deals", "greedy, random, random", "seed 7"))
    assert text.isascii()
    (pair,) = [one for one in comparison.differences if one.second == "Lowest#2" and one.first == "Lowest"]
    assert (pair.mean, pair.stderr) == (0, 0)
    assert str(pair) == "Lowest - Lowest#2: +0.000 +- 0.000"
    for library in ("pandas", "polars"):
        pytest.importorskip(library)
        frame = comparison.to_dataframe(library, what="differences")
        assert list(comparison.to_dataframe(library)["player"]) == list(comparison.players)
        assert list(frame["mean"]) == [one.mean for one in comparison.differences]
    with pytest.raises(OptionError, match="what"):
        comparison.to_dataframe(what="all")


def test_times_are_measured():
    duck, search, python = hearts.compare(["duck", "pimc:50", Lowest()], rounds=8, rng=7).decision_seconds
    assert 0 < duck < search
    assert python > duck
    assert hearts.compare(["random"], rounds=1, rng=7).decision_seconds[0] > 0


def test_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    hearts.compare(["duck", "pimc:5", "random"], rounds=20, rng=7).plot().savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000
    with pytest.raises(OptionError, match="1 deals"):
        hearts.compare(["duck"], rounds=1, rng=7).plot()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_player_that_fails_keeps_the_deals_before(workers):
    players, field = ["duck", Fails("SQ")], "greedy"
    with pytest.raises(hearts.PlayerError, match=r"Fails.choose raised RuntimeError: 'cannot bear it'") as caught:
        hearts.compare(players, field, 60, 2, workers=workers)
    partial = caught.value.partial
    assert 0 <= partial.rounds < 60
    kept = hearts.compare(["duck", Lowest()], field, partial.rounds, 2)
    assert (partial.points == kept.points).all()


def test_an_interruption_keeps_the_deals_before():
    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        hearts.compare(["pimc:20", "duck"], rounds=10_000, rng=1, progress=stop)
    assert 0 < caught.value.partial.rounds < 10_000


def test_an_executor_that_is_closed():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(BatchError) as caught:
        hearts.compare(["duck", "greedy"], rounds=10, rng=1, executor=pool)
    assert caught.value.done.rounds == 0
