"""Compiled games, each built once, and quickly; no game of one test is registered in another."""

import os
import sysconfig
from contextlib import suppress
from functools import cache

import pytest
from kit.games import source_of  # pytest's pythonpath has the folder of tests

from gamecore import kit
from gamecore.game import _registry


@pytest.fixture(scope="session")
def compilers(tmp_path_factory):
    """Commands that optimise little, in half of the time: ``-O0`` for tests that search little, and ``-O1``."""
    folder, names = tmp_path_factory.mktemp("compilers"), ("-O0", "-O1")
    for name in names:
        (folder / name).write_text(f'#!/bin/sh\nexec {sysconfig.get_config_var("CC")} "$@" {name}\n')
        (folder / name).chmod(0o755)
    return {name: str(folder / name) for name in names if os.name == "posix"}


@pytest.fixture(autouse=True)
def _alone(monkeypatch, compilers):
    monkeypatch.setattr(_registry, "_registered", {})
    monkeypatch.setenv("CC", compilers.get("-O1", ""))


@pytest.fixture
def quick_compiler(monkeypatch, compilers):
    monkeypatch.setenv("CC", compilers.get("-O0", ""))


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds a game of a ``.pyx`` file with other numbers; processes of one run share them."""
    run = tmp_path_factory.getbasetemp()
    shared = (run.parent if "PYTEST_XDIST_WORKER" in os.environ else run) / "built"

    @cache
    def build(name, sizes=()):
        folder = shared / "-".join([name, *(f"{constant}{number}" for constant, number in sizes)])
        folder.mkdir(parents=True, exist_ok=True)
        path, mine = folder / f"{name}.pyx", tmp_path_factory.mktemp(name) / f"{name}.pyx"
        mine.write_text(source_of(path.name, **dict(sizes)))
        with suppress(FileExistsError):
            path.hardlink_to(mine)  # at once, and not anew: another process may compile it
        return kit.load(path)

    return build
