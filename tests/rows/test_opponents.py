"""A planted opponent, without a kernel and with the number of one that is there: refused everywhere it is not known."""

import operator
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from gamecore import GamecoreError, rows, trace
from gamecore.apps import judge
from gamecore.apps.explore.rows import counts
from gamecore.reference import rows as reference
from gamecore.reference import versions_of
from gamecore.rows import opponents
from gamecore.rows._position import Opponent

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


def test_the_forced_end_is_that_of_the_record(monkeypatch):
    """In moves, refusals, traces and the page's states, by the kernel of another opponent."""
    modest = replace(opponents.BY_NAME["greedy"], name="modest", forced_end="smaller")
    monkeypatch.setitem(opponents.BY_NAME, "modest", modest)
    monkeypatch.setitem(opponents.ENDS, "smaller", operator.lt)
    monkeypatch.setattr(reference, "OPPONENTS", (*reference.OPPONENTS, "modest"))
    monkeypatch.setitem(reference.FORCED, "modest", lambda row, i, j, ties: ("R", i, j - 1))
    position = rows.Position([9, 1, 5], "modest", "opponent")
    assert position.legal_moves() == ("R",)
    with pytest.raises(GamecoreError, match="the modest opponent takes the smaller end, which is R here"):
        position.play("L")
    assert "forced" in str(trace(reference.full_exploration, [9, 1, 5], "modest", "opponent"))
    greedy, other = (counts(rows.Position([9, 1, 5], name), None)["states"].split() for name in ("greedy", "modest"))
    assert (greedy[-3], other[-3]) == ("4", "5")  # greedy leaves the 1 alone after either move


def test_the_type_of_opponents_lists_the_records():
    assert get_args(Opponent) == (*opponents.NAMES, *opponents.ALIASES)
