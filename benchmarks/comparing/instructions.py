"""Instructions by callgrind: those of the kernels' own code, without Python and libraries."""

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from gamecore import GamecoreError
from gamecore.kernels import available_levels

KERNEL = re.compile(r"gamecore/(?:kernels/|_)(?:baseline|v3|v4)/(\w+)\.")
KIT = re.compile(r"/__kit__/[^/]*\.so$")  # a user's game, compiled by gamecore.apps.kit
SETTINGS = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}  # the same instructions every time


def available() -> bool:
    """Return whether valgrind is installed."""
    return shutil.which("valgrind") is not None


def level() -> str:
    """Return the highest CPU level that callgrind runs: it does not know AVX-512."""
    return "v3" if "v3" in available_levels() else "baseline"


def kernel_costs(text: str) -> Counter[str]:
    """Return the instructions of each kernel's own code from the text of a callgrind.out."""
    libraries: dict[str, str] = {}
    kernels: Counter[str] = Counter()
    kernel, is_of_callee = "", False
    for line in text.splitlines():
        if match := re.match(r"(c?ob)=\((\d+)\)(?: (.*))?$", line):
            kind, number, name = match.groups()
            if name:
                found = KERNEL.search(name)
                libraries[number] = found[1] if found else "kit" if KIT.search(name) else ""
            if kind == "ob":
                kernel = libraries[number]
        elif line.startswith("calls="):
            is_of_callee = True  # the next line is the cost of the callee
        elif cost := re.fullmatch(r"(?:[+-]?\d+|\*) (\d+)", line):  # position, instructions
            if kernel and not is_of_callee:
                kernels[kernel] += int(cost[1])
            is_of_callee = False
    return kernels


def measure(command: list[str], environment: dict[str, str], cwd: Path | None = None) -> Counter[str]:
    """Run a command under callgrind and return the instructions of each kernel.

    Raises:
        GamecoreError: the command failed there; the message has its stderr.
    """
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "callgrind.out"
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command],
            env={**environment, **SETTINGS}, cwd=cwd, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if result.returncode:
            raise GamecoreError(f"the workload failed under valgrind:\n{result.stderr[-2000:]}")
        return kernel_costs(out.read_text(encoding="utf-8", errors="replace"))
