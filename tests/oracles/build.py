"""The independent solvers of this folder: ``load("duel", folder)`` compiles ``duel.c`` and gives it as a library."""

import ctypes
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent


def compiler() -> list[str] | None:
    """The command of the C compiler that Python was built with, or else ``cc``; None where there is neither."""
    for command in (sysconfig.get_config_var("CC") or "", "cc"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return words
    return None


def load(name: str, folder: Path, source: Path | None = None) -> ctypes.CDLL:
    """Compile ``name.c`` into ``folder`` and load it.

    Args:
        name: of the oracle.
        folder: where the library is written.
        source: another file than the one of this folder.

    Raises:
        RuntimeError: there is no compiler, or it refuses the file.
    """
    command = compiler()
    if command is None:
        raise RuntimeError("no C compiler is installed")
    library = folder / f"{name}.so"
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(library)]
    done = subprocess.run(
        [*command, *flags, str(source or HERE / f"{name}.c")], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} does not compile {name}.c:\n{done.stderr}")
    return ctypes.CDLL(str(library))


def differences(positions, values, expected):
    """The positions, by their text, for which two lists of answers differ."""
    pairs = zip(positions, values, expected, strict=True)
    return [f"{position.to_text()}: {value}, not {right}" for position, value, right in pairs if value != right]
