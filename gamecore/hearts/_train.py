"""Training of the learned players, from judged decisions to weights.

Rounds are played, and playouts estimate the points of each card at every decision. A policy's scores z are then
trained, by Adagrad on batches, to minimise

    sum over cards of  p Q  -  tau H(p),        p = softmax(z),  Q = expected points,  H = entropy.

The entropy term limits the policy's certainty to that of the estimates. The next stage uses playouts with the weights
just learned. At the end a behaviour model is trained on the same decisions, by cross-entropy, to predict the card
estimated best: it models good players.

The same seed gives the same weights for any number of workers.
"""

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gamecore.batch.plan import Plan, Progress
from gamecore.batch.progress import Bar
from gamecore.batch.stream import stream
from gamecore.errors import GamecoreError
from gamecore.hearts._kernel import controlled, kernel
from gamecore.hearts._players import POLICIES, BuiltIn, player
from gamecore.hearts._rules import Rules, check_count, check_rules
from gamecore.hearts._tables import round_numbers
from gamecore.hearts._weights import MODEL, Weights, aligned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SCALE: Final = int(kernel.linear_layout()[3])
_PER_ROUND: Final = 48  # limit of decisions in a round
_BATCH: Final = 512  # decisions in a step of the training
_PIMC, _LINEAR, _SEARCH = 5, 7, 8  # the kernel's numbers

Log = Callable[[str], None]


@dataclass(frozen=True)
class Stage:
    """One stage: the judged rounds and the training of its weights.

    Attributes:
        rounds: to play.
        worlds: playouts per card.
        infer: Metropolis steps between two worlds; needs the weights of an earlier stage.
        tau: weight of the entropy.
        epochs: passes over all decisions.
        rate: initial step size of Adagrad; it falls to a tenth.
        since: train from zero on the decisions of the stages from this number on; 0: continue training the weights on
            the decisions of this stage.
        field: players in half of the seats; ``linear`` has the weights so far.
    """

    rounds: int
    worlds: int
    infer: int = 0
    tau: float = 0.15
    epochs: int = 4
    rate: float = 0.1
    since: int = 1
    field: tuple[str, ...] = ("duck", "greedy")


#: The recipe of the package's weights.
RECIPE: Final = (
    Stage(13_000, 40, tau=0.3, epochs=3),
    Stage(18_000, 16, epochs=3, field=("duck", "greedy", "linear")),
    Stage(9_000, 20, infer=4, epochs=3, rate=0.05, since=0, field=("duck", "greedy", "linear")),
    Stage(24_000, 32, infer=4, since=2, field=("duck", "greedy", "linear")),
)


@dataclass(frozen=True)
class Training:
    """Result of :func:`train`.

    Attributes:
        weights: to save, and to play with: ``linear:weights=FILE``.
        curves: for every epoch of every stage, measured on a held-out twentieth of the decisions: ``stage``, ``epoch``,
            ``samples``, and the regret in points per decision of the policy's best card (``best``), of a card drawn by
            the policy (``drawn``) and of a random card (``random``).
        seconds: wall-clock time.
    """

    weights: Weights
    curves: list[dict[str, float]]
    seconds: float = field(compare=False)

    def plot(self) -> "Figure":
        """Plot the curves: points lost per decision, epoch by epoch (needs matplotlib).

        Raises:
            GamecoreError: matplotlib is not installed.
        """
        from gamecore.hearts._plots import plot_training

        return plot_training(self)


# --- samples ----------------------------------------------------------------------------------------------------------


def _judge(call: tuple[Any, ...], numbers: tuple[int, int]) -> NDArray[np.uint8]:
    """The task: return the samples of some rounds."""
    seed, flags, passing, judging, mix, explore = call
    first, rounds = numbers
    out = np.empty((_PER_ROUND * rounds, kernel.sample_bytes()), np.uint8)
    with controlled() as control:
        found = kernel.judged_rounds(out, seed, first, rounds, flags, passing, judging, mix, explore, control)
    return out[:found].copy()


def _samples(
    stage: Stage, seed: int, rules: Rules, passing: str, learned: memoryview | None, plan: Plan
) -> NDArray[np.uint8]:
    """The judged decisions of a stage, one per row, in the order of the rounds."""
    if learned is None:
        # pimc with duck and random slips of 1/16
        judging: tuple[Any, ...] = (_PIMC, stage.worlds, POLICIES["duck"], 1 << 28, 0, 0)
    else:
        judging = (_SEARCH, stage.worlds, _LINEAR, 0, stage.infer, 0, 0, learned)
    mix = [_numbers(player(name), learned) for name in stage.field if name != "linear" or learned is not None]
    call = (seed, rules.flags, rules.directions(passing), judging, tuple(mix), 0.05)
    parts = stream(
        functools.partial(_judge, call), round_numbers(0, stage.rounds), plan, name="rounds", first=4, most=256
    )
    return np.concatenate([part.result for part in parts])


def _numbers(who: BuiltIn, learned: memoryview | None) -> tuple[Any, ...]:
    return (_LINEAR, 0, _LINEAR, 0, 0, 0, 0, learned) if who.name == "linear" else who.numbers


# --- training ---------------------------------------------------------------------------------------------------------


class _Batch:
    """Decisions as rows: every judged card is a row of indices into the weights."""

    def __init__(self, samples: NDArray[np.uint8]) -> None:
        most = 13 * len(samples)
        rows = np.empty((most, 18), np.int32)
        sizes, points = np.empty(len(samples), np.int32), np.empty(most, np.float32)
        cards = kernel.rows_of(samples, rows, sizes, points)
        self.rows, self.points = rows[:cards], points[:cards].astype(np.float64)
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.of = np.repeat(np.arange(len(samples)), sizes)

    def total(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum over the cards of each decision."""
        return np.add.reduceat(values, self.starts)

    def least(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The minimum over the cards of each decision."""
        return np.minimum.reduceat(values, self.starts)

    def softmax(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Scores and probabilities of the cards."""
        scores = weights[self.rows].sum(axis=1)
        chances = np.exp(scores + self.least(-scores)[self.of])
        return scores, chances / self.total(chances)[self.of]


@dataclass
class _Adagrad:
    """Weights in training; the last one is padding and stays 0."""

    weights: NDArray[np.float64]
    squares: NDArray[np.float64]

    def step(self, batch: _Batch, slopes: NDArray[np.float64], rate: float) -> None:
        """Take a step down the gradient, given by the slopes of the cards' scores."""
        each = np.repeat(slopes, batch.rows.shape[1])
        change = np.bincount(batch.rows.ravel(), each, len(self.weights))
        change[-1] = 0.0
        self.squares += change * change
        self.weights -= rate * change / np.sqrt(self.squares)


def _begin(weights: NDArray[np.float64] | None = None) -> _Adagrad:
    start = np.zeros(MODEL + 1) if weights is None else weights.copy()
    return _Adagrad(start, np.full(MODEL + 1, 1e-2))


def _slopes(batch: _Batch, chances: NDArray[np.float64], tau: float) -> NDArray[np.float64]:
    """Gradient of sum p Q - tau H(p)."""
    value = batch.points + tau * np.log(chances + 1e-12)
    return chances * (value - batch.total(chances * value)[batch.of])


def _behaviour_slopes(batch: _Batch, chances: NDArray[np.float64], tau: float) -> NDArray[np.float64]:
    """Gradient of the cross-entropy to the card judged best (the first of equals)."""
    order = np.lexsort((batch.points, batch.of))
    slopes = chances.copy()
    slopes[order[batch.starts]] -= 1.0
    return slopes


def _fit(
    model: _Adagrad,
    samples: NDArray[np.uint8],
    stage: Stage,
    slopes: Callable[[_Batch, NDArray[np.float64], float], NDArray[np.float64]],
    rng: np.random.Generator,
    note: Callable[[int, NDArray[np.float64]], None],
    progress: Progress,
) -> None:
    """Train all epochs of a stage; the result is the mean of the weights over the last epoch."""
    steps = -(-len(samples) // _BATCH)
    mean = np.zeros_like(model.weights)
    for epoch in range(stage.epochs):
        order = rng.permutation(len(samples))
        with Bar(progress, len(samples), f"decisions, epoch {epoch + 1} of {stage.epochs}") as bar:
            for number in range(steps):
                batch = _Batch(samples[order[number * _BATCH : (number + 1) * _BATCH]])
                rate = stage.rate * (1.0 - 0.9 * (epoch + number / steps) / stage.epochs)
                model.step(batch, slopes(batch, batch.softmax(model.weights)[1], stage.tau), rate)
                if epoch + 1 == stage.epochs:
                    mean += model.weights
                bar.report(min((number + 1) * _BATCH, len(samples)))
        if epoch + 1 == stage.epochs:
            model.weights = mean / steps
        note(epoch + 1, model.weights)


def _regrets(weights: NDArray[np.float64], samples: NDArray[np.uint8]) -> dict[str, float]:
    """Points lost per decision against the card judged best: see :class:`Training`."""
    lost = np.zeros(3)
    for start in range(0, len(samples), 4096):
        batch = _Batch(samples[start : start + 4096])
        scores, chances = batch.softmax(weights)
        behind = batch.points - batch.least(batch.points)[batch.of]
        top = scores == -batch.least(-scores)[batch.of]
        share = top / batch.total(top.astype(np.float64))[batch.of]
        blind = 1.0 / batch.total(np.ones(len(scores)))[batch.of]
        lost += [(behind * share).sum(), (behind * chances).sum(), (behind * blind).sum()]
    return dict(zip(("best", "drawn", "random"), (lost / max(len(samples), 1)).tolist(), strict=True))


def _whole(weights: NDArray[np.float64]) -> NDArray[np.int8]:
    return np.rint(np.clip(weights[:MODEL] * _SCALE, -127, 127)).astype(np.int8)


def train(
    stages: Sequence[Stage] = RECIPE,
    seed: int = 1,
    *,
    rules: Rules | None = None,
    passing: str = "hold",
    workers: int | None = 1,
    log: Log = lambda _: None,
    progress: Progress = None,
) -> Training:
    """Train weights for the players ``linear`` and ``search`` from nothing.

    Args:
        stages: the default is the recipe of the package's weights: some minutes on two cores.
        seed: 0 to 2**63 - 1; the same seed gives the same weights.
        rules, passing: to train for: as in :func:`simulate`.
        workers: threads that play; None: one per core.
        log: called with lines of text.
        progress: as in :func:`simulate`, for the rounds of a stage and for each epoch.

    Raises:
        GamecoreError: no stages, a number out of range, or an unknown player in a field.
    """
    begun, rules = time.perf_counter(), check_rules(rules)
    seed = check_count("seed", seed, 0, (1 << 63) - 1)
    if not stages:
        raise GamecoreError("stages: one at least is needed")
    for stage in stages:
        check_count("rounds of a stage", stage.rounds, 1, 10_000_000)
        check_count("worlds of a stage", stage.worlds, 1, 1_000_000)
        check_count("epochs of a stage", stage.epochs, 1, 1000)
        check_count("since of a stage", stage.since, 0, len(stages))
    plan = Plan(workers, None, progress)
    rng = np.random.default_rng(seed)
    learned: memoryview | None = None
    model, curves, kept, apart = _begin(), [], [], []
    for number, stage in enumerate(stages, start=1):
        found = _samples(stage, 1000 * seed + number, rules, passing, learned, plan)
        log(f"stage {number}: {len(found)} decisions judged, {time.perf_counter() - begun:.0f} s")
        chosen = rng.random(len(found)) < 0.05
        apart.append(found[chosen])
        kept.append(found[~chosen])
        model = _begin(None if stage.since else model.weights)

        def note(epoch: int, weights: NDArray[np.float64], number: int = number, count: int = len(found)) -> None:
            curves.append({"stage": number, "epoch": epoch, "samples": count, **_regrets(weights, apart[-1])})
            lost = ", ".join(f"{name} {curves[-1][name]:.4f}" for name in ("best", "drawn", "random"))
            log(f"stage {number}, epoch {epoch}: points lost a decision: {lost}; {time.perf_counter() - begun:.0f} s")

        recent = kept[stage.since - 1 :] if stage.since else kept[-1:]
        _fit(model, np.concatenate(recent), stage, _slopes, rng, note, progress)
        whole = _whole(model.weights)
        learned = aligned(np.concatenate([whole, whole]).tobytes())
    behaviour = _begin()
    last = Stage(1, 1, epochs=3, rate=0.1)
    _fit(
        behaviour, np.concatenate(kept), last, _behaviour_slopes, rng,
        lambda epoch, _: log(f"behaviour, epoch {epoch}"), progress,
    )  # fmt: skip
    about = {
        "seed": seed, "stages": [vars(stage) for stage in stages], "rules": rules.to_dict(), "passing": passing,
        "decisions": int(sum(map(len, kept))),
    }  # fmt: skip
    weights = Weights(_whole(model.weights), _whole(behaviour.weights), about)
    return Training(weights, curves, time.perf_counter() - begun)
