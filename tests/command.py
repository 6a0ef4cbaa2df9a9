"""The command in this process, and Python in another: ``from command import said``; pytest's pythonpath has this."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gamecore as package
from gamecore.cli import main

ROOT = Path(package.__file__).parents[1]


def gamecore(*arguments, stdin=""):
    """Run the command as ``subprocess.run`` would, on pipes of bytes; surrogates of a str are single bytes."""
    arguments = [os.fsdecode(word) if isinstance(word, bytes) else str(word) for word in arguments]
    given = stdin if isinstance(stdin, bytes) else stdin.encode("utf-8", "surrogateescape")
    streams = {"stdin": io.BytesIO(given), "stdout": io.BytesIO(), "stderr": io.BytesIO()}
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in streams.items():
            patch.setattr(f"sys.{name}", io.TextIOWrapper(stream, "utf-8", write_through=True))
        try:
            status = main(arguments)
        except SystemExit as stopped:
            status = stopped.code
        return subprocess.CompletedProcess(
            arguments, status, streams["stdout"].getvalue(), streams["stderr"].getvalue()
        )


def said(*arguments, stdin=""):
    """The command's status, and what it wrote as text."""
    done = gamecore(*arguments, stdin=stdin)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def python(*arguments, cwd=ROOT, timeout=300, **environment):
    """Python in a process of its own, which imports the package of ``cwd``; ``environment``: variables that differ."""
    # pytest-benchmark would take a run that was started by a parallel one for a part of it.
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False, timeout=timeout,
        env={**variables, "PYTHONPATH": str(cwd), **environment},
    )  # fmt: skip


def repeated(text):
    """A text in which ``(9)...5000`` is that often what stands in brackets."""
    return re.sub(r"\((.+?)\)\.\.\.(\d+)", lambda match: match[1] * int(match[2]), text)
