"""Judge many programs on the same cases: compile each by what is installed, and make one table."""

import contextlib
import glob
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gamecore.apps.judge._judge import Report
from gamecore.apps.judge._run import run
from gamecore.contract import Result
from gamecore.errors import OptionError
from gamecore.text import printable

CE: Final = "CE"  #: it could not be compiled or started
COLUMNS: Final = ("name", "cases", "accepted", "verdicts", "first_failing", "why", "slowest", "command")
_COMPILING: Final = (60.0, 4096.0)  # seconds, MiB
_COMPILERS: Final = {
    ".c": (("cc", "gcc", "clang"), ("-O2",), ("-lm",)),
    **dict.fromkeys((".cpp", ".cc", ".cxx"), (("c++", "g++", "clang++"), ("-O2", "-std=c++17"), ())),
}
_CLASS: Final = re.compile(r"\b(?:(public)\s+)?(?:(?:final|abstract)\s+)*class\s+(\w+)")


@dataclass(frozen=True)
class Prepared:
    """A program that can be judged.

    Attributes:
        name: the file.
        words: its command; empty if it cannot be started.
        shown: the command that compiled it, or else starts it, for a shell.
        error: why it cannot be started.
    """

    name: str
    words: tuple[str, ...]
    shown: str
    error: str = ""


@dataclass(frozen=True)
class Submission(Result):
    """A program of many and what the judge says of it; ``report`` is None if it could not be started."""

    FIELDS = ("name", "passed", "verdicts", "first_failing", "failing", "why", "slowest", "command")

    name: str
    command: str
    report: Report | None
    error: str = ""

    @property
    def passed(self) -> bool:
        """True if every case is accepted."""
        return self.report is not None and self.report.passed

    @property
    def verdicts(self) -> dict[str, int]:
        """The number of cases of each verdict."""
        return dict(Counter(verdict.word for verdict in self.report.verdicts)) if self.report else {CE: 1}

    @property
    def failing(self) -> Any:
        """The first verdict that is not AC, or None."""
        return (
            next((verdict for verdict in self.report.verdicts if verdict.word != "AC"), None) if self.report else None
        )

    @property
    def first_failing(self) -> str:
        """The first case that is not accepted: its number among those judged, its family and size."""
        if not self.report or not (failing := self.failing):
            return ""
        size = f", size {failing.case.size}" if failing.case.size else ""
        return f"{self.report.verdicts.index(failing) + 1}: {failing.word}, {failing.case.family}{size}"

    @property
    def why(self) -> str:
        """Why that case is not accepted, or why nothing was judged."""
        return self.error or (self.failing.why if self.failing else "")

    @property
    def slowest(self) -> float:
        """Processor seconds of the slowest case."""
        return max((verdict.seconds for verdict in self.report.verdicts), default=0.0) if self.report else 0.0

    def row(self) -> tuple[Any, ...]:
        """Return the values of ``COLUMNS``."""
        cases = sum(self.verdicts.values()) if self.report else 0
        counts = self.verdicts.get("AC", 0), ", ".join(f"{number} {word}" for word, number in self.verdicts.items())
        return self.name, cases, *counts, self.first_failing, self.why, round(self.slowest, 3), self.command

    def line(self, width: int) -> str:
        """Return the row of a table whose names have this width."""
        name, _, _, verdicts, failing, why, slowest, command = self.row()
        failing = failing if self.report else printable(why, 60)
        return f"{name:<{width}}  {verdicts:<18}  {failing:<28}  {slowest:7.2f}  {command}".rstrip()


def heading(width: int) -> str:
    """Return the head of a table whose names have this width."""
    return f"{'name':<{width}}  {'verdicts':<18}  {'first failing case':<28}  slowest  command"


def files_of(patterns: Sequence[str]) -> list[str]:
    """Return the files of names and patterns such as ``subs/*``, each once.

    Raises:
        OptionError: a pattern without a file.
    """
    files: dict[str, None] = {}
    for pattern in patterns:
        matching = sorted(glob.glob(pattern)) or ([pattern] if os.path.exists(pattern) else [])
        if not matching:
            raise OptionError(f"--each {printable(pattern)}: there is no such file")
        files |= dict.fromkeys(matching)
    return list(files)


@contextlib.contextmanager
def prepared(file: str) -> Iterator[Prepared]:
    """While active, a program can be started: C, C++ and Java are compiled into a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="gamecore-judge-") as folder:
        yield _prepared(file, folder)


def _prepared(file: str, folder: str) -> Prepared:
    suffix, path = os.path.splitext(file)[1].lower(), os.path.join(os.path.dirname(file) or ".", os.path.basename(file))
    if os.path.isdir(file):
        return Prepared(file, (), "", "it is a folder")
    if suffix == ".py":
        python = "python3" if shutil.which("python3") else sys.executable
        return Prepared(file, (python, path), shlex.join((python, file)))
    if suffix == ".java":
        return _java(file, path, folder)
    if suffix in _COMPILERS:
        names, options, last = _COMPILERS[suffix]
        target = os.path.join(folder, "program")
        if not (compiler := next(filter(shutil.which, names), "")):
            return Prepared(file, (), "", f"there is no compiler: {', '.join(names)}")
        words, stem = (compiler, *options, "-o"), os.path.splitext(os.path.basename(file))[0]
        return _compiled(file, (*words, target, path, *last), (target,), shlex.join((*words, stem, file, *last)))
    if os.access(file, os.X_OK):
        return Prepared(file, (path,), shlex.quote(path))
    known = ", ".join((".py", *_COMPILERS, ".java"))
    return Prepared(file, (), "", f"it is not executable, and its name does not end in one of {known}")


def _java(file: str, path: str, folder: str) -> Prepared:
    """Compile Java under the name of its public class, or else of its first one, which Java asks for."""
    if not (shutil.which("javac") and shutil.which("java")):
        return Prepared(file, (), "", "there is no javac and java")
    classes = _CLASS.findall(Path(path).read_text("utf-8", "replace"))
    name = next((name for public, name in classes if public), classes[0][1] if classes else Path(file).stem)
    source = os.path.join(folder, f"{name}.java")
    shutil.copyfile(path, source)
    start = ("java", "-XX:+UseSerialGC", "-cp")
    return _compiled(file, ("javac", "-d", folder, source), (*start, folder, name), shlex.join((*start, ".", name)))


def _compiled(file: str, compiling: tuple[str, ...], words: tuple[str, ...], shown: str) -> Prepared:
    ran = run(compiling, "", *_COMPILING)
    if not ran.exceeded and not ran.status:
        return Prepared(file, words, shown)
    lines = [line.strip() for line in ran.errors.splitlines() if line.strip()]
    error = next((line for line in lines if "error" in line), (lines or ["it cannot be compiled"])[-1])
    return Prepared(file, (), shown, f"it took too long: {ran.exceeded}" if ran.exceeded else error)
