"""The column ``value`` of a batch: masked at open values and at errors."""

import numpy as np
import pytest

from gamecore import Limits
from gamecore.game import games


@pytest.mark.parametrize("name", ["duel", "hexapawn", "rows", "hearts"])
def test_value_is_masked_where_it_is_unknown(name):
    game = games()[name]
    positions = [game.random(plies=None, rng=seed) for seed in range(12)]
    positions = [one for one in positions if not getattr(one, "passing_seats", ())]
    limits = Limits(nodes=3)
    expected = [solution.value for solution in (game.solve(one, limits) for one in positions)]
    found = game.batch.solve_many([*positions, "bad"], limits, on_error="return").value
    assert isinstance(found, np.ma.MaskedArray)
    assert found.tolist() == [*expected, None]
    if name in ("duel", "hexapawn"):  # open values and known ones
        assert None in expected
        assert set(expected) > {None}
