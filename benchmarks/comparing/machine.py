"""The machine and the build that a run was made on."""

import os
import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from comparing.records import Run
from gamecore import build_info


def machine() -> dict[str, Any]:
    """The processor's name and the number of cores."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {"cpu": name, "cores": os.cpu_count()}


def add_to(machine_info: dict[str, Any]) -> None:
    """Put both into pytest-benchmark's machine_info, and take the host's name out."""
    machine_info.pop("node", None)
    machine_info["gamecore_machine"] = machine()
    machine_info["gamecore"] = {**asdict(build_info()), "levels": list(build_info().levels)}


def difference(now: Run, then: Run) -> str | None:
    """What differs between two runs' machine, Python or CPU level, in words; None when nothing does."""
    told = []
    if [*now.machine.values(), now.build.get("platform")] != [*then.machine.values(), then.build.get("platform")]:
        told.append(f"machine ({then.machine.get('cpu')}, {then.machine.get('cores')} cores)")
    python, before = (str(run.build.get("python")) for run in (now, then))
    if python.split(".")[:2] != before.split(".")[:2]:
        told.append(f"Python ({before})")
    if now.build.get("level") != then.build.get("level"):
        told.append(f"CPU level ({then.build.get('level')})")
    return " and ".join(told) or None
