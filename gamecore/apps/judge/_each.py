"""Programs of many people: how each is compiled and started by what is installed, and its row of one table."""

import glob
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from gamecore.apps.judge._judge import AC, CE, Case, Report, Verdict
from gamecore.apps.judge._run import run
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors
from gamecore.game import Game
from gamecore.text import printable

COLUMNS: Final = ("name", "cases", "accepted", "verdicts", "first_failing", "why", "slowest", "command")
#: Of the table, where ``why`` stands below a program's row; its other columns are in CSV alone.
LINE: Final = "{0:<{width}}  {3:<18}  {4:<28}  {6:>7}  {7}"
_COMPILING: Final = (60.0, 4096.0)  # seconds, MiB
_CPP: Final = (("c++", "g++", "clang++"), ("-O2", "-std=c++17"), ())
_COMPILERS: Final = {".c": (("cc", "gcc", "clang"), ("-O2",), ("-lm",)), ".cpp": _CPP, ".cc": _CPP, ".cxx": _CPP}
_JAVA: Final = ("java", "-XX:+UseSerialGC", "-cp")
_CLASS: Final = re.compile(r"\b(?:(public)\s+)?(?:(?:final|abstract)\s+)*class\s+(\w+)")


class Program(NamedTuple):
    """A program that can be judged.

    Attributes:
        name: the file.
        words: its command.
        command: what compiles it, or else starts it, as a shell takes it.
        error: why it cannot be started; empty if it can.
    """

    name: str
    words: tuple[str, ...]
    command: str = ""
    error: str = ""


def files_of(patterns: Sequence[str]) -> list[str]:
    """Return the files of names and patterns such as ``subs/*``, each once.

    Raises:
        OptionError: a pattern without a file.
    """
    files: dict[str, None] = {}
    for pattern in patterns:
        matching = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern))
        if not matching:
            raise OptionError(f"--each {printable(pattern)}: there is no such file")
        files |= dict.fromkeys(matching)
    return list(files)


@contextmanager
def prepared(file: str) -> Iterator[Program]:
    """While active, a program can be started: C, C++ and Java are compiled into a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="gamecore-judge-") as folder:
        words, command, error = tuple[str, ...](), "", ""
        try:
            compiling, words, command = _commands(file, folder)
            if compiling:
                _compile(compiling)
        except GamecoreError as why:
            error = str(why)
        yield Program(file, words, command, error)


def _commands(file: str, folder: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the words that compile a program (or none), those that start it, and the command to show.

    Raises:
        GamecoreError: nothing here compiles or starts it.
    """
    name = os.path.basename(file)
    path = os.path.join(os.path.dirname(file) or ".", name)  # no option, and not looked for in $PATH
    stem, suffix = os.path.splitext(name)
    if suffix == ".py":
        python = "python3" if shutil.which("python3") else sys.executable
        return (), (python, path), shlex.join((python, file))
    if suffix == ".java":
        _installed("javac")
        _installed("java")
        with file_errors("read", file):
            classes = _CLASS.findall(Path(file).read_text("utf-8", "replace"))
        # Java asks for a file that is named as its public class.
        main = next((name for public, name in classes if public), classes[0][1] if classes else stem)
        source = shutil.copyfile(file, os.path.join(folder, f"{main}.java"))
        return ("javac", "-d", folder, source), (*_JAVA, folder, main), shlex.join((*_JAVA, ".", main))
    if suffix in _COMPILERS:
        compilers, options, libraries = _COMPILERS[suffix]
        words, target = (_installed(*compilers), *options, "-o"), os.path.join(folder, "program")
        return (*words, target, path, *libraries), (target,), shlex.join((*words, stem, file, *libraries))
    if os.path.isdir(file) or not os.access(file, os.X_OK):
        known = ", ".join((".py", *_COMPILERS, ".java"))
        raise GamecoreError(f"it is not executable, and its name does not end in one of {known}")
    return (), (path,), shlex.quote(path)


def _installed(*compilers: str) -> str:
    """Return the first compiler that is installed; raise GamecoreError if none is."""
    for compiler in filter(shutil.which, compilers):
        return compiler
    raise GamecoreError(f"there is no compiler: {', '.join(compilers)}")


def _compile(words: tuple[str, ...]) -> None:
    """Run a compiler; raise GamecoreError with its first error."""
    ran = run(words, "", *_COMPILING)
    if ran.exceeded:
        raise GamecoreError(f"its compiler exceeded a limit: {ran.exceeded}")
    if ran.status:
        lines = [line.strip() for line in ran.errors.splitlines() if line.strip()] or ["it cannot be compiled"]
        raise GamecoreError(next((line for line in lines if "error" in line), lines[-1]))


def compile_error(game: Game, program: Program) -> Report:
    """Return the report on a program that cannot be started: one verdict, without a case."""
    verdict = Verdict(CE, Case("", 0, None, "", ""), 0.0, 0.0, "", program.error)
    return Report(game.name, (verdict,), verdict)


def row(program: Program, report: Report) -> tuple[str, ...]:
    """Return the texts of ``COLUMNS`` for a program."""
    counts = Counter(verdict.word for verdict in report.verdicts)
    failing = why = ""
    for number, verdict in enumerate(report.verdicts, start=1):
        if verdict.word != AC:
            size = f", size {verdict.case.size}" if verdict.case.size else ""
            failing = CE if verdict.word == CE else f"{number}: {verdict.word}, {verdict.case.family}{size}"
            why = verdict.why
            break
    counts |= Counter({"not run": report.not_run})
    verdicts = ", ".join(f"{count} {word}" for word, count in counts.items())
    cases = str(counts.total() - counts[CE])
    return program.name, cases, str(counts[AC]), verdicts, failing, why, f"{report.slowest:.2f}", program.command
