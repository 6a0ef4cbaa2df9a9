"""Every ``--help`` fits 80 columns, and its examples work when pasted as printed."""

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gamecore import hearts
from gamecore.cli import build_parser
from gamecore.hearts._players import KINDS

ROOT = Path(__file__).parents[2]
ENDLESS = re.compile("gamecore explore")  # serves until somebody ends it
#: Fewer worlds and cases: seconds less.
FEWER = {
    "pimc:20": "pimc:5",
    "pimc:100": "pimc:20",
    "rounds 1000": "rounds 200",
    "rounds 200": "rounds 40",
    "--plies 32": "--plies 38",
    "--count 20": "--count 6",
    "growth --sizes 1-6": "growth --sizes 1-4",
}


def parsers(parser, names=()):
    """Every parser of the command with its words."""
    yield names, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield from parsers(child, (*names, name))


PARSERS = dict(parsers(build_parser()))
RARE = (("kit",), ("judge",))  # what is compiled or judged takes a minute
OUTER = [
    pytest.param(names, marks=[pytest.mark.nightly] if names == ("hearts",) or names[:1] in RARE else [])
    for names in PARSERS
    if len(names) < 2 or PARSERS[names].epilog
]


def printed(parser, monkeypatch):
    """The help on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    return parser.format_help()


def examples(text):
    """The commands behind ``example:`` or below ``examples:``; backslashes and pipes continue them on the next line."""
    text = re.sub(r" *\\\n *| *(?<=\|)\n *", " ", text)
    block = re.sub(r"\nexamples?:\s+", "\0", text).partition("\0")[2].partition("\n\n")[0]
    return [line.strip() for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("names", PARSERS, ids=" ".join)
def test_help_fits_the_terminal(names, monkeypatch):
    assert max(map(len, printed(PARSERS[names], monkeypatch).splitlines())) <= 80


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A working directory like a fresh checkout, with ``gamecore`` on the path."""
    here = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "examples", here / "examples")
    shutil.copy(ROOT / "examples" / "duels_17.txt", here / "deals.txt")
    command = here / "bin" / "gamecore"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m gamecore "$@"\n')
    command.chmod(0o755)
    return here


@pytest.mark.skipif(sys.platform == "win32", reason="examples are written for a POSIX shell")
@pytest.mark.parametrize("names", OUTER, ids=" ".join)
def test_help_shows_an_example_that_works(names, checkout, monkeypatch):
    if names[:1] == ("judge",) and "GAMECORE_SANITIZED" in os.environ:
        pytest.skip("sanitizers reserve more memory than a judged program may have")
    words = " ".join(("gamecore", *names))
    commands = [command for command in examples(printed(PARSERS[names], monkeypatch)) if words in command]
    assert commands or names == ("prove",)  # what it shows takes days, or a cluster
    for command in commands:
        if not ENDLESS.match(command):
            for many, few in FEWER.items():
                command = command.replace(many, few)
            works_when_pasted(command, checkout)


@functools.cache  # several helps show the same example
def works_when_pasted(command, checkout):
    done = subprocess.run(
        ["sh", "-c", command], cwd=checkout, input=b"", capture_output=True, timeout=120, check=False,
        env={**os.environ, "PATH": f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, (command, done.stderr)
    assert b"Traceback" not in done.stderr
    assert done.stdout or "-o " in command


def test_every_player_of_hearts_is_in_the_help_and_the_docs():
    texts = [PARSERS["hearts",].epilog, (ROOT / "docs" / "hearts.md").read_text(encoding="utf-8")]
    texts.append(hearts.BuiltIn.__doc__)
    for name in KINDS:
        assert [text for text in texts if not re.search(rf"\b{name}\b", text)] == [], name
