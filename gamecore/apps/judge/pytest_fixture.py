"""A pytest fixture: ``pytest_plugins = ["gamecore.apps.judge.pytest_fixture"]`` in ``conftest.py``.

def test_mine(gamecore_judge):
    gamecore_judge("duel", mine)  # or ["./mine"]; fails with the report
"""

from collections.abc import Callable
from typing import Any

import pytest

from gamecore.apps.judge._judge import Report, judge
from gamecore.apps.judge._run import Target
from gamecore.game import Game


@pytest.fixture
def gamecore_judge() -> Callable[..., Report]:
    """Return a function like :func:`gamecore.apps.judge.judge` that fails the test unless every case is accepted."""

    def check(game: str | Game, target: Target, **options: Any) -> Report:
        report = judge(game, target, **options)
        if not report.passed:
            pytest.fail(str(report), pytrace=False)
        return report

    return check
