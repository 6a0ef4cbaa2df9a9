"""Results that hold arrays: equal by content, whatever times they took, and without a hash."""

import dataclasses
import pickle

import numpy as np
import pytest

from gamecore import hearts
from gamecore.hearts._weights import MODEL, Weights

MADE = {
    "simulation": (lambda: hearts.simulate(["greedy"] * 4, 20, 1), "points", "seconds"),
    "match": (lambda: hearts.match(["duck"] * 4, 1), "points", None),
    "comparison": (lambda: hearts.compare(["duck", "random"], rounds=10, rng=1), "points", "decision_seconds"),
    "weights": (lambda: Weights(np.ones(MODEL, np.int8), np.zeros(MODEL, np.int8), {"of": [1]}), "policy", None),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_equal_by_content(name):
    make, array, time = MADE[name]
    one, other = make(), make()
    assert one == other == pickle.loads(pickle.dumps(one))
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    changed = getattr(one, array).copy()
    changed.flat[-1] += 1
    assert one != dataclasses.replace(one, **{array: changed})
    assert one != dataclasses.replace(one, **{array: changed[:-1]} if name != "weights" else {"about": {"of": [2]}})
    if time is not None:
        assert one == dataclasses.replace(one, **{time: getattr(one, time) + 1})


def test_another_class_is_not_equal():
    match = hearts.match(["duck"] * 4, 1)

    class Other(type(match)):
        """The same fields."""

    fields = {field.name: getattr(match, field.name) for field in dataclasses.fields(match)}
    assert type(match)(**fields) == match
    assert Other(**fields) != match
    assert match != tuple(match)
