"""Programs of many people: how each is compiled and started by what is installed, and its row of one table."""

import glob
import os
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gamecore.apps.judge._judge import AC, CE, Case, Report, Verdict
from gamecore.apps.judge._run import run
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import file_errors
from gamecore.game import Game
from gamecore.text import printable

#: Of the table; what stands not in it, but for ``why``, is in CSV alone.
LINE: Final = "{name:<{width}}  {slowest:>7}  {first_failing:<28}  {verdicts:<18}  {command}"
COLUMNS: Final = ("name", "cases", "accepted", "verdicts", "first_failing", "why", "slowest", "command")
_COMPILING: Final = (60.0, 4096.0)  # seconds, MiB
_CLASS: Final = re.compile(r"\b(?:(public)\s+)?(?:(?:final|abstract)\s+)*class\s+(\w+)")
_CPP: Final = (("c++", "g++", "clang++"), "{tool} -O2 -std=c++17 -o {target} {source}", "{target}")
#: By suffix: tools, of which the first that is installed is taken; the words that compile a program, and that start it.
_LANGUAGES: Final = {
    ".py": (("python3", sys.executable), "", "{tool} {source}"),
    ".c": (("cc", "gcc", "clang"), "{tool} -O2 -o {target} {source} -lm", "{target}"),
    **dict.fromkeys((".cpp", ".cc", ".cxx"), _CPP),
    ".java": (("javac",), "{tool} -d {folder} {source}", "java -XX:+UseSerialGC -cp {folder} {main}"),
}


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
        OptionError: a pattern without a file, or a folder.
    """
    files: dict[str, None] = {}
    for pattern in patterns:
        if os.path.isdir(pattern):
            files_in = printable(os.path.join(pattern, "*"))
            raise OptionError(f"--each {printable(pattern)}: it is a folder: write {files_in}")
        matching = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern))
        if not matching:
            raise OptionError(f"--each {printable(pattern)}: there is no such file")
        files |= dict.fromkeys(matching)
    return list(files)


def prepared(file: str, folder: str) -> Program:
    """Return a program that can be started: C, C++ and Java are compiled into a folder, which is made."""
    os.mkdir(folder)
    try:
        return _prepared(file, folder)
    except GamecoreError as why:
        return Program(file, (), error=str(why))


def _prepared(file: str, folder: str) -> Program:
    name = os.path.basename(file)
    source = os.path.join(os.path.dirname(file) or ".", name)  # no option, and not looked for in $PATH
    stem, suffix = os.path.splitext(name)
    if suffix not in _LANGUAGES:
        if os.path.isdir(file) or not os.access(file, os.X_OK):
            raise GamecoreError(f"it is not executable, and its name does not end in one of {', '.join(_LANGUAGES)}")
        return Program(file, (source,), shlex.quote(source))
    tools, compiling, starting = _LANGUAGES[suffix]
    tool = next(filter(shutil.which, tools), None)
    if tool is None:
        raise GamecoreError(f"there is no compiler: {', '.join(tools)}")
    names = {"tool": tool, "source": source, "folder": folder, "target": os.path.join(folder, "program")}
    if suffix == ".java":
        if shutil.which("java") is None:
            raise GamecoreError("there is no java to start it")
        with file_errors("read", file):
            classes = _CLASS.findall(Path(file).read_text("utf-8", "replace"))
        # Java asks for a file that is named as its public class.
        names["main"] = next((name for public, name in classes if public), classes[0][1] if classes else stem)
        names["source"] = shutil.copyfile(file, os.path.join(folder, f"{names['main']}.java"))
    if compiling:
        _compile([word.format(**names) for word in compiling.split()], folder)
    shown = names | {"source": file, "folder": ".", "target": stem}
    command = shlex.join(word.format(**shown) for word in (compiling or starting).split())
    return Program(file, tuple(word.format(**names) for word in starting.split()), command)


def _compile(words: Sequence[str], folder: str) -> None:
    """Run a compiler; raise GamecoreError with its first error, without the name of the folder."""
    ran = run(words, "", *_COMPILING)
    if ran.exceeded:
        raise GamecoreError(f"its compiler exceeded a limit: {ran.exceeded}")
    if ran.status:
        errors = ran.errors.replace(os.path.join(folder, ""), "")
        lines = [line.strip() for line in errors.splitlines() if line.strip()] or ["it cannot be compiled"]
        raise GamecoreError(next((line for line in lines if "error" in line), lines[-1]))


def compile_error(game: Game, program: Program, count: int) -> Report:
    """Return the report on a program that cannot be started: one verdict, without a case; ``count`` are not run."""
    verdict = Verdict(CE, Case("", 0, None, "", ""), 0.0, 0.0, "", program.error)
    return Report(game.name, (verdict,), verdict, not_run=count)


def row(program: Program, report: Report) -> dict[str, str]:
    """Return the texts of ``COLUMNS`` for a program."""
    counts = Counter(verdict.word for verdict in report.verdicts) + Counter({"not run": report.not_run})
    verdicts = ", ".join(f"{count} {word}" for word, count in counts.items())
    failing = why = ""
    for number, verdict in enumerate(report.verdicts, start=1):
        if verdict.word != AC:
            size = f", size {verdict.case.size}" if verdict.case.size else ""
            failing = "" if verdict.word == CE else f"{number}: {verdict.word}, {verdict.case.family}{size}"
            why = verdict.why
            break
    numbers = str(counts.total() - counts[CE]), str(counts[AC])
    texts = program.name, *numbers, verdicts, failing, why, f"{report.slowest:.2f}", program.command
    return dict(zip(COLUMNS, texts, strict=True))
