"""A planted opponent, without a kernel and with the number of one that is there: refused everywhere it is not known."""

from dataclasses import replace

import numpy as np
import pytest

from gamecore import GamecoreError, rows
from gamecore.apps import judge
from gamecore.reference import rows as reference
from gamecore.reference import versions_of
from gamecore.rows import opponents

VALUES = [5, 7, 9, 1, 4, 2]
CALLS = {
    "solve": lambda name: rows.solve(VALUES, opponent=name),
    "solve, the opponent first": lambda name: rows.solve(VALUES, opponent=name, first="opponent"),
    "without a line": lambda name: rows.solve(VALUES, opponent=name, line=False),
    "analyse": lambda name: rows.analyse(rows.Position(VALUES, name)),
    "value": lambda name: rows.value(VALUES, opponent=name),
    "value of an array": lambda name: rows.value(np.array(VALUES), opponent=name),
    "a batch": lambda name: rows.solve_many([VALUES] * 3, opponent=name),
    "a batch with lines": lambda name: rows.solve_many([VALUES] * 3, opponent=name, line=True),
    "table": lambda name: rows.table(VALUES, opponent=name),
    "table_picture": lambda name: rows.table_picture(VALUES, opponent=name),
    "exploration": lambda name: reference.full_exploration(VALUES, name),
}


@pytest.fixture
def planted(request, monkeypatch):
    """The name of an opponent that only its record knows; ``mode`` as asked for."""
    record = replace(opponents.BY_NAME["optimal"], name="miser", mode=request.param, versions=(), folds=False)
    monkeypatch.setitem(opponents.BY_NAME, "miser", record)
    return "miser"


@pytest.mark.parametrize("planted", [7], indirect=True)
@pytest.mark.parametrize("call", CALLS)
def test_an_opponent_without_a_kernel_is_refused(planted, call):
    with pytest.raises((ValueError, GamecoreError), match=r"mode 7|miser"):
        CALLS[call](planted)


@pytest.mark.parametrize("planted", [2], indirect=True)
@pytest.mark.parametrize(
    "call", ["solve", "solve, the opponent first", "without a line", "analyse", "a batch with lines", "exploration"]
)
def test_what_searches_in_steps_knows_its_opponents(planted, call):
    """Where a kernel's number alone decides, the record is right to name it."""
    with pytest.raises(GamecoreError, match="miser"):
        CALLS[call](planted)


@pytest.mark.parametrize("planted", [7], indirect=True)
def test_tools_without_the_opponent_leave_it_out(planted):
    assert versions_of(rows.Position(VALUES, planted)) == {}
    with pytest.raises(GamecoreError, match=f"opponent must be one of {', '.join(opponents.NAMES)}, not 'miser'"):
        judge.judging_of(rows.GAME, opponent=planted)
