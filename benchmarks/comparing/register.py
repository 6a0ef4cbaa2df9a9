"""``benchmarks/counts.json``: each benchmark's group, kind and needs, and the work that must be exactly equal.

It is part of the repository, the same on every machine. It tells renamed and new benchmarks, the references that a
narrowed run needs, and whether a search does more work than it did.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from comparing.records import Record
from gamecore import GamecoreError, kernels

PATH = Path(__file__).parents[1] / "counts.json"
ACCEPT = "make counts"
PACE = "test_pace.py::"  # measures groups that have no reference
VECTORS = "AVX-512 BITALG"  # what Hearts' random rounds need beyond v4
NEEDS = (*kernels.LEVELS, VECTORS)

Register = dict[str, dict[str, Any]]


def read(path: Path = PATH) -> Register:
    """The register; empty when there is no such file.

    Raises:
        GamecoreError: the file is damaged.
    """
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        for name, entry in data.items():
            if not isinstance(entry["group"], str) or not isinstance(entry["kind"], str):
                raise TypeError(f"{name}: group and kind must be texts")
            if entry.get("needs", NEEDS[0]) not in NEEDS:
                raise ValueError(f"{name}: needs must be one of {', '.join(NEEDS)}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise GamecoreError(f"{str(path)!a} is damaged: {str(error)[:200]}") from None
    return dict(data)


def write(register: Register, path: Path = PATH) -> None:
    """Write it whole or not at all, a line a benchmark."""
    lines = [f" {json.dumps(name)}: {json.dumps(register[name])}" for name in sorted(register)]
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    unfinished.replace(path)


def entry(one: Record) -> dict[str, Any]:
    """What the register keeps of a record."""
    needs = {"needs": one.needs} if one.needs else {}
    return {"group": one.group, "kind": one.kind, **needs, **one.exact}


def exact(entry: dict[str, Any]) -> dict[str, Any]:
    """The counts and checksums of an entry."""
    return {key: value for key, value in entry.items() if key not in ("group", "kind", "needs")}


def available() -> set[str]:
    """Those of NEEDS that this run has."""
    levels = kernels.LEVELS[: kernels.LEVELS.index(kernels.level()) + 1]
    return {*levels, VECTORS} if kernels.kernel("hearts").has_vectors() else set(levels)


def absent(register: Register, collected: Iterable[str], files: Iterable[str]) -> tuple[list[str], Counter[str]]:
    """Entries of these files without a benchmark: the stale ones, and how many were left out, by why."""
    names, read_files, here = set(collected), set(files), available()
    stale, left_out = [], Counter[str]()
    for name, entry in register.items():
        if name.partition("::")[0] in read_files and name not in names:
            if entry.get("needs", NEEDS[0]) in here:
                stale.append(name)
            else:
                left_out[f"need {entry['needs']}"] += 1
    return stale, left_out


def unchecked(entry: dict[str, Any], one_level: bool) -> str | None:
    """Why --counts=check leaves a benchmark out, None if it does not; what is not ours is checked at one level."""
    highest = kernels.available_levels()[-1]
    if not exact(entry):
        return "count nothing"
    if kernels.level() != highest and (one_level or entry["kind"] != "native"):
        return f"are checked at {highest} alone"
    return None


def needed(register: Register, chosen: Iterable[str]) -> set[str]:
    """References, peers and the pace that a narrowed choice must be measured by."""
    chosen = set(chosen)
    groups = {register[name]["group"] for name in chosen if name in register}
    measures: dict[str, set[str]] = {group: set() for group in groups}
    for kind in ("peer", "reference"):
        for group in groups:
            found = {name for name, known in register.items() if known["group"] == group and known["kind"] == kind}
            measures[group] = found or measures[group]
    pace = {name for name in register if PACE in name}
    return set().union(*measures.values(), pace) - chosen
