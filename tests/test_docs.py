"""The examples in the README and in the docstrings say what is true."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_readme():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


@pytest.mark.parametrize("name", ["duel", "hexapawn"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(f"gamecore.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
