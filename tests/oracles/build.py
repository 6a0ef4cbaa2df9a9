"""Compile and load the independent solvers of this folder, such as ``load("duel", folder)``."""

import ctypes
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]


def compiler() -> list[str] | None:
    """Return the command of Python's C compiler, or else ``cc``; None if neither is installed."""
    for command in (sysconfig.get_config_var("CC") or "", "cc"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return words
    return None


def load(name: str, folder: Path, *flags: str) -> ctypes.CDLL:
    """Compile ``name.c`` into ``folder`` and load it.

    Raises:
        RuntimeError: there is no compiler, or it fails.
    """
    library = Path(tempfile.mkdtemp(dir=folder)) / f"{name}.so"
    command = [*(compiler() or ["no C compiler"]), *FLAGS, *flags, "-o", str(library), str(HERE / f"{name}.c")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)}:\n{done.stderr}")
    return ctypes.CDLL(str(library))
