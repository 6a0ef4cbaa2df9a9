"""The independent solvers of this folder: ``load("duel", folder)`` compiles ``duel.c`` and gives it as a library."""

import ctypes
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def compiler() -> list[str] | None:
    """The command of the C compiler that Python was built with, or else ``cc``; None where there is neither."""
    for command in (sysconfig.get_config_var("CC") or "", "cc"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return words
    return None


def load(name: str, folder: Path, change: tuple[str, str] | None = None) -> ctypes.CDLL:
    """Compile ``name.c`` into ``folder`` and load it.

    Args:
        name: of the oracle.
        folder: where the library is written.
        change: a piece that stands once in the source, and what to compile in its place.

    Raises:
        RuntimeError: there is no compiler, or it refuses the file.
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
    """The positions, by their text, for which two lists of answers differ."""
    pairs = zip(positions, values, expected, strict=True)
    return [f"{position.to_text()}: {value}, not {right}" for position, value, right in pairs if value != right]
