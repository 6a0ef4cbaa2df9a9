"""The chance to win a match: against matches that are drawn from rounds one by one; and the player who plays for it."""

import pickle

import numpy as np
import pytest

from gamecore import GamecoreError, OptionError, hearts, kernels
from gamecore.hearts import _match_values
from gamecore.hearts._kernel import kernel
from gamecore.hearts._view import core_of


@pytest.fixture(scope="module")
def values():
    return hearts.match_values("duck", 300, 7)


def sample(rounds, **options):
    """Rounds of the same seed, all seats alike."""
    points = hearts.simulate(["duck"] * 4, rounds, 7, passing="cycle", **options).points.astype(np.int64)
    return np.concatenate([np.roll(points, seat, axis=1) for seat in range(4)])


def drawn(points, totals, matches, most, rng):
    """The share of each seat in the wins of matches that go on from a score, with rounds drawn from a sample."""
    scores = np.tile(np.array(totals), (matches, 1))
    live = scores.max(axis=1) < most
    while live.any():
        scores[live] += points[rng.integers(len(points), size=int(live.sum()))]
        live = scores.max(axis=1) < most
    best = scores == scores.min(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)


@pytest.mark.parametrize(
    "totals", [(0, 0, 0, 0), (20, 30, 10, 45), (0, 50, 50, 50), (20, 90, 30, 30), (95, 60, 70, 62), (88, 60, 70, 92)]
)
def test_chances_are_those_of_matches(values, totals):
    found = drawn(sample(300), totals, 20_000, 100, np.random.default_rng(1))
    # The error of the draws, and what the grid is wrong about where seats are all but level.
    assert abs(np.array(values.chances(totals)) - found).max() < 4 * 0.5 / np.sqrt(20_000) + 0.03


def test_chances_are_right_on_average(values):
    rng, points = np.random.default_rng(4), sample(300)
    scores = rng.integers(0, 100, (30, 4)).tolist()
    errors = [abs(np.array(values.chances(one)) - drawn(points, one, 10_000, 100, rng)).max() for one in scores]
    assert np.mean(errors) < 0.012


def test_chances_are_consistent(values):
    rng = np.random.default_rng(3)
    totals = rng.integers(0, 100, (300, 4))
    found = values.chance(totals)
    assert found.shape == (300,)
    assert ((found >= 0) & (found <= 1)).all()
    assert np.allclose(values.chance(totals[:, [0, 3, 1, 2]]), found, atol=1e-6)
    sums = sum(values.chance(np.roll(totals, -seat, axis=1)) for seat in range(4))
    assert abs(sums - 1).max() < 0.03
    assert abs(sums - 1).mean() < 0.003
    worse = np.minimum(totals + np.array([4, 0, 0, 0]), 99)
    assert (values.chance(worse) <= found + 0.01).all()
    assert values.chance([[0, 0, 0, 100], [100, 30, 20, 20], [20, 130, 20, 26], [7, 7, 7, 101]]).tolist() == [
        1 / 3, 0, 0.5, 1 / 3,
    ]  # fmt: skip
    assert values.chance([3, 4, 5, 6]).shape == ()
    assert pickle.loads(pickle.dumps(values)).chances([3, 4, 5, 6]) == values.chances([3, 4, 5, 6])


def test_the_same_table_at_every_level(monkeypatch):
    found = []
    for level in kernels.available_levels():
        monkeypatch.setattr(_match_values, "_kernel", kernels.kernel("hearts_scores", at=level))
        found.append(hearts.match_values("duck", 100, 7, rules=hearts.Rules(match_points=40)).table)
    assert all(found[0].tobytes() == other.tobytes() for other in found)


def test_rules_that_give_points_away():
    rules = hearts.Rules(jack_of_diamonds=True, match_points=60)
    found = hearts.match_values("duck", 100, 7, rules=rules)
    points = sample(100, rules=rules)
    for totals in ((0, 0, 0, 0), (-10, 30, 20, 40), (55, 58, 50, 3)):
        direct = drawn(points, totals, 10_000, 60, np.random.default_rng(1))
        assert abs(np.array(found.chances(totals)) - direct).max() < 4 * 0.5 / 100 + 0.03


@pytest.mark.parametrize("base", ["pimc:20", "mc:20", "pimc:20:duck"])
def test_outcomes_are_those_of_evaluations(base):
    spec = hearts.player(base)
    for seed in range(6):
        round_ = hearts.random("left", plies=8 + 5 * seed, rng=seed)
        core = core_of(round_.view(round_.to_move))
        cards = round_.legal_moves()
        points = np.empty((20, len(cards), 4), np.int8)
        assert kernel.outcomes(core, round_.to_move, spec.numbers, 5, points, kernel.Control()) == 20
        sums = core.evaluate(round_.to_move, spec.numbers, 5, kernel.Control())
        mine = points[:, :, round_.to_move].astype(int)
        assert [total for _, total, *_ in sums] == mine.sum(axis=0).tolist()
        assert [square for _, _, square, _ in sums] == (mine**2).sum(axis=0).tolist()
        assert set(points.sum(axis=2, dtype=int).ravel().tolist()) <= {26, 78}
        short = kernel.Control(-1.0, 3)
        assert kernel.outcomes(core, round_.to_move, spec.numbers, 5, points, short) * len(cards) <= 3
        with pytest.raises(ValueError, match="shape"):
            kernel.outcomes(core, round_.to_move, spec.numbers, 5, np.empty((2, 14, 4), np.int8), kernel.Control())


def test_the_player(values):
    mine = hearts.MatchPlayer("pimc:10", values)
    assert mine.name == "match:pimc:10:greedy"
    short = hearts.Rules(match_points=30)
    match = hearts.match([mine, "duck", mine, "duck"], 7, rules=short)
    assert hearts.match([mine, "duck", mine, "duck"], 7, rules=short) == match
    one = hearts.simulate([mine, "duck", "pimc:10", "duck"], 4, 7, passing="cycle")
    assert hearts.simulate([mine, "duck", "pimc:10", "duck"], 4, 7, passing="cycle", workers=2) == one
    round_ = hearts.Round.deal(7, passing="left", passer=None)
    mine.begin_round(round_.view(0), 3, (0, 0, 0, 0))
    assert set(mine.pass_cards(round_.view(0))) <= set(round_.hands[0])
    with pytest.raises(GamecoreError, match="no card to play"):
        mine.choose(hearts.Round.deal(7).view(hearts.Round.deal(7).to_move ^ 1))


def test_risk_follows_the_score(values):
    # Seat 1 stands at 99 and ends the match with any point; seat 0 is behind seat 2 by 10. Sure to get 5 points while
    # seat 2 gets none is worth less than a chance of one half to give seat 2 thirteen.
    mine = hearts.MatchPlayer("pimc:10", values)
    mine.begin_round(None, 3, (50, 99, 40, 99))
    safe = np.array([[5, 21, 0, 0], [5, 21, 0, 0]])
    bold = np.array([[13, 13, 0, 0], [0, 13, 13, 0]])
    assert mine.worth(0, bold).mean() > mine.worth(0, safe).mean()
    assert bold[:, 0].mean() > safe[:, 0].mean()  # by points it is the worse one
    for seat in range(4):
        totals = (50, 99, 40, 99)
        turned = [totals[(seat + place) % 4] for place in range(4)]
        assert mine.worth(seat, np.zeros(4, int)) == values.chance(turned)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: hearts.match_values("nobody"), "nobody"),
        (lambda _: hearts.match_values("duck", 7), "rounds"),
        (lambda _: hearts.match_values("duck", rules=hearts.Rules(match_points=10)), "match_points"),
        (lambda _: hearts.match_values("duck", rules=3), "rules"),
        (lambda values: hearts.MatchPlayer("duck", values), "base has to be"),
        (lambda values: hearts.MatchPlayer("pimc:5", None), "values has to be"),
        (lambda values: values.chance([1, 2, 3]), "totals"),
        (lambda values: values.chance([1.0, 2, 3, 4]), "totals"),
        (lambda values: values.chance("abcd"), "totals"),
        (lambda values: values.chance(3), "totals"),
    ],
)
def test_bad_input(values, call, message):
    with pytest.raises(OptionError, match=message):
        call(values)
