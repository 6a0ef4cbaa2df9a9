"""Examples of games, built with other sizes."""

from functools import cache

import pytest
from kit.games import source_of  # pytest's pythonpath has the folder of tests

from gamecore import kit


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds an example with other numbers."""

    @cache
    def build(name, sizes=()):
        folder = tmp_path_factory.mktemp(name)
        (folder / f"{name}.pyx").write_text(source_of(name, **dict(sizes)))
        return kit.load(folder / f"{name}.pyx")

    return build
