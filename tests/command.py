"""The command in this process: ``from command import gamecore, said``; pytest's pythonpath has this folder."""

import io
import os
from subprocess import CompletedProcess

import pytest

from gamecore.cli import main


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
        return CompletedProcess(arguments, status, streams["stdout"].getvalue(), streams["stderr"].getvalue())


def said(*arguments, stdin=""):
    """The command's status, and what it wrote as text."""
    done = gamecore(*arguments, stdin=stdin)
    return done.returncode, done.stdout.decode(), done.stderr.decode()
