"""Instructions by callgrind: those of the kernels' own code, which the noise of a machine does not reach."""

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

KERNEL = re.compile(r"gamecore/(?:kernels/|_)(?:baseline|v3|v4)/(\w+)\.")
SETTINGS = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}  # the same instructions every time


def available() -> bool:
    """Whether valgrind is installed."""
    return shutil.which("valgrind") is not None


def kernel_costs(text: str) -> Counter[str]:
    """Instructions spent in each kernel's own code, from a callgrind.out: self costs by object file."""
    names: dict[str, str] = {}
    costs: Counter[str] = Counter()
    current, skip = "", False
    for line in text.splitlines():
        found = re.match(r"(c?ob)=\((\d+)\)(?: (.*))?$", line)
        if found:
            kind, number, name = found.groups()
            if name:
                names[number] = name
            if kind == "ob":
                current = names[number]
        elif line.startswith("calls="):
            skip = True  # the next line is the cost of the callee
        elif cost := re.fullmatch(r"(?:[+-]?\d+|\*) (\d+)", line):  # position, instructions
            if not skip:
                costs[current] += int(cost[1])
            skip = False
    kernels: Counter[str] = Counter()
    for name, cost in costs.items():
        if found := KERNEL.search(name):
            kernels[found[1]] += cost
    return kernels


def measure(command: list[str], environment: dict[str, str], cwd: Path | None = None) -> Counter[str]:
    """Run a command under callgrind; instructions by kernel.

    Raises:
        RuntimeError: the command failed there; with what it said.
    """
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "callgrind.out"
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command],
            env={**environment, **SETTINGS}, cwd=cwd, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if result.returncode:
            raise RuntimeError(f"the workload failed under valgrind:\n{result.stderr[-2000:]}")
        return kernel_costs(out.read_text(encoding="utf-8", errors="replace"))
