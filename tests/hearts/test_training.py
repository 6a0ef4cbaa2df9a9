"""Training of the learned players: samples, gradients, progress, and equal results for any workers."""

import math

import numpy as np
import pytest

from gamecore import GamecoreError, hearts
from gamecore.hearts import _train
from gamecore.hearts._kernel import kernel
from gamecore.hearts._train import Stage, _Batch
from gamecore.hearts._weights import MODEL, Weights, weights_of

SMALL = (
    Stage(250, 6, tau=0.3, epochs=2),
    Stage(100, 4, infer=1, epochs=1, rate=0.05, since=0, field=("greedy", "linear")),
)


@pytest.fixture(scope="module")
def small():
    lines = []
    return hearts.train(SMALL, 3, log=lines.append), lines


def judged(rounds=6, learned=None, flags=13, passing=b"\0"):
    out = np.empty((48 * rounds, kernel.sample_bytes()), np.uint8)
    judging = (5, 4, 2, 0, 0, 0) if learned is None else (8, 4, 7, 0, 1, 0, 0, learned)
    found = kernel.judged_rounds(out, 7, 0, rounds, flags, passing, judging, (), 0.1, kernel.Control())
    return out[:found]


def test_the_same_seed_gives_the_same_weights_for_any_workers(small):
    training, _ = small
    again = hearts.train(SMALL, 3, workers=3)
    assert (again.weights.policy == training.weights.policy).all()
    assert (again.weights.behaviour == training.weights.behaviour).all()
    assert again.curves == training.curves
    other = hearts.train(SMALL[:1], 4)
    assert (other.weights.policy != training.weights.policy).any()


def test_it_learns(small, tmp_path):
    training, lines = small
    assert [(row["stage"], row["epoch"]) for row in training.curves] == [(1, 1), (1, 2), (2, 1)]
    for row in training.curves:
        assert 0 <= row["best"] < row["random"]
        assert row["drawn"] < row["random"]
    assert any("decisions judged" in line for line in lines)
    assert training.weights.about["seed"] == 3
    path = tmp_path / "small.weights"
    training.weights.save(path)
    assert Weights.load(path).about["stages"][1]["field"] == ["greedy", "linear"]
    learned = hearts.simulate([f"linear:weights={path}", "greedy", "greedy", "greedy"], 800, 5).mean[0]
    blind = hearts.simulate(["random", "greedy", "greedy", "greedy"], 800, 5).mean[0]
    assert learned < blind - 2


def test_rows_are_the_places_of_the_description():
    """The training's scores are the kernel's, which test_linear.py checks independently."""
    weights = np.random.default_rng(4).integers(-127, 128, MODEL, dtype=np.int64).astype(np.int8)
    samples = judged(40, passing=b"\0\1")
    batch = _Batch(samples)
    sums = np.append(weights, 0)[batch.rows].sum(axis=1)
    _, scores = kernel.linear_forms(weights, samples, 0)
    legal = samples[:, 8:16].copy().view(np.uint64).ravel()
    at = 0
    for number, start in enumerate(batch.starts):
        cards = [place for place in range(64) if int(legal[number]) >> place & 1]
        mine = dict(zip(cards, scores[at : at + len(cards)], strict=True))
        end = batch.starts[number + 1] if number + 1 < len(batch.starts) else len(sums)
        places = samples[number, 59 : 59 + end - start]
        assert [mine[place] for place in places] == sums[start:end].tolist()
        at += len(cards)


@pytest.mark.parametrize("tau", [0.0, 0.3])
def test_slopes_are_those_of_the_loss(tau):
    batch = _Batch(judged(1)[:6])
    weights = np.random.default_rng(1).normal(0, 0.3, MODEL + 1)
    weights[-1] = 0

    def loss(scores):
        chances = np.exp(scores)
        chances /= batch.total(chances)[batch.of]
        return (chances * (batch.points + tau * np.log(chances))).sum()

    def cross_entropy(scores):
        chances = np.exp(scores)
        chances /= batch.total(chances)[batch.of]
        best = [
            min(range(start, start + size), key=lambda card: batch.points[card])
            for start, size in zip(batch.starts, np.bincount(batch.of), strict=True)
        ]
        return -np.log(chances[best]).sum()

    scores, chances = batch.softmax(weights)
    for slopes, function in ((_train._slopes, loss), (_train._behaviour_slopes, cross_entropy)):
        found = slopes(batch, chances, tau)
        for card in range(len(scores)):
            change = np.zeros(len(scores))
            change[card] = 1e-5
            expected = (function(scores + change) - function(scores - change)) / 2e-5
            assert math.isclose(found[card], expected, rel_tol=1e-4, abs_tol=1e-7)


def test_judgements_are_of_what_the_seat_sees():
    """Samples have only the seat's hand, its legal cards, and estimates of some of them."""
    for samples in (judged(), judged(2, weights_of())):
        words = samples[:, :48].copy().view(np.uint64)
        hands, legal, played = words[:, 0], words[:, 1], words[:, 5]
        assert ((legal & ~hands) == 0).all()
        assert ((hands & played) == 0).all()
        for sample, cards in zip(samples, legal, strict=True):
            judged_cards = sample[59 : 59 + sample[58]]
            assert 2 <= len(judged_cards) <= int(cards).bit_count()
            assert all(int(cards) >> int(place) & 1 for place in judged_cards)


def test_other_rules_and_fields(tmp_path):
    rules = hearts.Rules(jack_of_diamonds=True, moon="shooter")
    found = hearts.train([Stage(20, 2, epochs=1, field=("random", "pimc:2"))], 1, rules=rules, passing="cycle")
    path = tmp_path / "jack.weights"
    found.weights.save(path)
    assert found.weights.about["rules"]["jack_of_diamonds"] is True
    assert hearts.simulate([f"linear:weights={path}"] * 4, 20, 1, rules=rules).rounds == 20


@pytest.mark.parametrize(
    ("stages", "more", "message"),
    [
        ([], {}, "stages: one at least"),
        ([Stage(0, 5)], {}, "rounds of a stage"),
        ([Stage(5, 0)], {}, "worlds of a stage"),
        ([Stage(5, 5, epochs=0)], {}, "epochs"),
        ([Stage(1, 1, field=("nobody",))], {}, "unknown player"),
        ([Stage(1, 1)], {"seed": -1}, "seed"),
        ([Stage(1, 1)], {"workers": 0}, "workers"),
        ([Stage(1, 1)], {"passing": "up"}, "passing"),
    ],
)
def test_bad_arguments(stages, more, message):
    with pytest.raises(GamecoreError, match=message):
        hearts.train(stages, **more)


def test_weights_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="weights must be 103808 numbers"):
        kernel.Core(13, None, 1).choose((7, 0, 7, 0, 0, 0, 0, np.zeros(5, np.int8)), kernel.Control())
    with pytest.raises(ValueError, match="a learned player needs weights"):
        kernel.Core(13, None, 1).choose((7, 0, 7, 0, 0, 0), kernel.Control())
