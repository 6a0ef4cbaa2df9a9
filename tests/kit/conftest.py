"""Compiled games, each built once; no game of one test is registered in another."""

import os
import sysconfig
from functools import cache

import pytest
from kit.games import source_of  # pytest's pythonpath has the folder of tests

from gamecore import kit
from gamecore.game import _registry


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return a function that builds a game of a ``.pyx`` file with other numbers."""

    @cache
    def build(name, sizes=()):
        path = tmp_path_factory.mktemp(name) / f"{name}.pyx"
        path.write_text(source_of(path.name, **dict(sizes)))
        return kit.load(path)

    return build


@pytest.fixture(autouse=True)
def unregistered(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})


@pytest.fixture
def quick_compiler(tmp_path_factory, monkeypatch):
    """Compile without optimising, in half of the time: for tests that compile much and search little."""
    if os.name == "posix":
        script = tmp_path_factory.mktemp("compiler") / "cc"
        script.write_text(f'#!/bin/sh\nexec {sysconfig.get_config_var("CC")} "$@" -O0\n')
        script.chmod(0o755)
        monkeypatch.setenv("CC", str(script))
