"""Compile and load the independent solvers of this folder, such as ``load("duel", folder)``."""

import ctypes
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def compiler() -> list[str] | None:
    """Return the command of Python's C compiler, or else ``cc``; None if neither is installed."""
    for command in (sysconfig.get_config_var("CC") or "", "cc"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return words
    return None


def load(name: str, folder: Path, change: tuple[str, str] | None = None) -> ctypes.CDLL:
    """Compile ``name.c`` into ``folder`` and load it.

    Args:
        name: the oracle's name.
        folder: folder of the library.
        change: a text that occurs once in the source, and its replacement (a planted fault).

    Raises:
        RuntimeError: there is no compiler, or it fails.
    """
    command = compiler()
    if command is None:
        raise RuntimeError("no C compiler is installed")
    source, library = HERE / f"{name}.c", Path(tempfile.mkdtemp(dir=folder)) / f"{name}.so"
    if change is not None:
        text = source.read_text(encoding="utf-8")
        assert text.count(change[0]) == 1, change[0]
        source = library.with_suffix(".c")
        source.write_text(text.replace(*change), encoding="utf-8")
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(library)]
    done = subprocess.run([*command, *flags, str(source)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} does not compile {name}.c:\n{done.stderr}")
    return ctypes.CDLL(str(library))


def differences(positions, values, expected):
    """Return the texts of positions for which two lists of answers differ."""
    pairs = zip(positions, values, expected, strict=True)
    return [f"{position.to_text()}: {value}, not {right}" for position, value, right in pairs if value != right]
