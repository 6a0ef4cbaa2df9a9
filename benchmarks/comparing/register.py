"""``benchmarks/counts.json``: every benchmark by name, its group and kind, and the work that has to be exactly equal.

It is what pytest-benchmark's storage lacks: part of the repository, the same on every machine. From it come what a
renamed benchmark leaves behind, the references that a narrowed run needs, and whether a search does more work than it
did.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from comparing.records import Record
from gamecore import GamecoreError, kernels

PATH = Path(__file__).parents[1] / "counts.json"
ACCEPT = "make counts"
PACE = "test_pace.py::"  # measures groups that have no reference

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
                raise TypeError(f"{name}: group and kind have to be texts")
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
    return {"group": one.group, "kind": one.kind, **one.exact}


def changes(one: Record, register: Register) -> list[tuple[bool, str]]:
    """How a benchmark's work differs from the register: (whether that is bad, what in words) each."""
    known = register.get(one.name)
    if known is None:
        return []
    found = []
    for key in sorted((known.keys() | one.exact.keys()) - {"group", "kind"}):
        old, new = known.get(key), one.exact.get(key)
        if old == new:
            continue
        name = key.replace("_", " ")
        if key == "checksum" or not (isinstance(old, int) and isinstance(new, int)):
            word = "is not counted any more" if new is None else "is new" if old is None else "is another"
            found.append((old is not None, f"{name} {word}"))
        else:
            found.append((new > old, f"{name} {old:,} -> {new:,}"))
    return found


def available(name: str) -> bool:
    """Whether this machine can run a benchmark that names a CPU level."""
    case = name.partition("[")[2]
    levels = set(kernels.LEVELS) - set(kernels.available_levels())
    return not any(level in case for level in levels) and not ("avx512" in case and "v4" in levels)


def missing(register: Register, collected: Iterable[str], files: Iterable[str]) -> list[str]:
    """Registered benchmarks that were not found in the files that were read: renamed, or lost."""
    names, read_files = set(collected), set(files)
    return [
        name for name in register if name.partition("::")[0] in read_files and name not in names and available(name)
    ]


def needed(register: Register, chosen: Iterable[str]) -> set[str]:
    """References, peers and the pace that a narrowed choice has to be measured by."""
    chosen = set(chosen)
    groups = {register[name]["group"] for name in chosen if name in register}
    measures: dict[str, set[str]] = {group: set() for group in groups}
    for kind in ("peer", "reference"):
        for group in groups:
            found = {name for name, known in register.items() if known["group"] == group and known["kind"] == kind}
            measures[group] = found or measures[group]
    pace = {name for name in register if PACE in name}
    return set().union(*measures.values(), pace) - chosen
