"""Compiled games, each built once, and quickly; no game of one test is registered in another."""

import os
import shutil
import sysconfig
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from kit.games import source_of  # pytest's pythonpath has the folder of tests

from gamecore import kit
from gamecore.game import _registry


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A folder of all processes of one run, with compilers: one does not optimise, which takes a third of the time."""
    run = tmp_path_factory.getbasetemp()
    folder = (run.parent if "PYTEST_XDIST_WORKER" in os.environ else run) / "built"
    folder.mkdir(exist_ok=True)
    for level in ("-O0", "-O1"):
        _write_once(folder / f"cc{level}", f'#!/bin/sh\nexec {sysconfig.get_config_var("CC")} "$@" {level}\n')
    return folder


def _write_once(path, text):
    """Write a file unless it is there: at once, and not anew, since another process may be reading it."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        (mine := Path(folder, path.name)).write_text(text)
        mine.chmod(0o755)
        with suppress(FileExistsError):
            path.hardlink_to(mine)


@pytest.fixture(autouse=True)
def _alone(monkeypatch, shared, request):
    compiler = shared / ("cc-O1" if request.node.get_closest_marker("nightly") else "cc-O0")  # nightly games take long
    monkeypatch.setattr(_registry, "_registered", {})
    monkeypatch.setenv("CC", str(compiler) if os.name == "posix" else "")


@pytest.fixture(scope="session")
def built(shared):
    """Return a function that builds a game of a ``.pyx`` file with other numbers; processes of one run share them."""

    @cache
    def build(name, sizes, compiler):
        words = [name, *(f"{constant}{number}" for constant, number in sizes), compiler[-2:]]
        path = shared / "-".join(words) / f"{name}.pyx"
        path.parent.mkdir(exist_ok=True)
        _write_once(path, source_of(path.name, **dict(sizes)))
        return kit.load(path)

    return lambda name, sizes=(): build(name, sizes, os.environ["CC"])


@pytest.fixture
def copied(built, tmp_path):
    """Return a function that copies such a game, which is not built anew, into a folder, and returns its file."""

    def copy(name, folder="copied"):
        made = Path(built(name).rules_of.__reduce__()[1][0])
        return shutil.copytree(made.parent, tmp_path / folder) / made.name

    return copy
