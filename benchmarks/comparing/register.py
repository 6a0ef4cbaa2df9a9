"""``benchmarks/counts.json``: the work of each benchmark that must be equal on every machine."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gamecore import GamecoreError, kernels

PATH = Path(__file__).parents[1] / "counts.json"
ACCEPT = "make accept"
VECTORS = "AVX-512 BITALG"  # what Hearts' random rounds need beyond v4
NEEDS = (*kernels.LEVELS, VECTORS)
EXACT = ("nodes", "nodes_of_first_deal", "replacements", "checksum")
LESS_WORK = "less work"
REFERENCE_WORDS = ("reference", "python")
PEER_WORDS = ("numba", "numpy", "open_spiel", "openspiel", "peer")

Entry = dict[str, Any]
Register = dict[str, Entry]


def read(path: Path = PATH) -> Register:
    """Return the register; it is empty when there is no such file.

    Raises:
        GamecoreError: the file is damaged.
    """
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        for name, entry in data.items():
            if entry.get("needs", NEEDS[0]) not in NEEDS:
                raise ValueError(f"{name}: needs must be one of {', '.join(NEEDS)}")
    except (ValueError, AttributeError, RecursionError) as error:
        raise GamecoreError(f"{str(path)!a} is damaged: {str(error)[:200]}") from None
    return dict(data)


def write(register: Register, path: Path = PATH) -> None:
    """Write all entries that count something, a line each."""
    lines = [
        f" {json.dumps(name)}: {json.dumps(register[name])}" for name in sorted(register) if counts(register[name])
    ]
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    unfinished.replace(path)


def entry(name: str, extra_info: dict[str, Any]) -> Entry:
    """Return a benchmark's entry."""
    words = name.partition("::")[2].lower()
    kind = "reference" if any(word in words for word in REFERENCE_WORDS) else "native"
    kind = extra_info.get("kind") or ("peer" if any(word in words for word in PEER_WORDS) else kind)
    found = {} if kind == "native" else {"kind": kind}
    if extra_info.get("needs"):
        found["needs"] = extra_info["needs"]
    if not extra_info.get("varies"):
        found |= {key: extra_info[key] for key in EXACT if extra_info.get(key) is not None}
    return found


def counts(entry: Entry) -> Entry:
    """Return an entry's counts and checksums."""
    return {key: value for key, value in entry.items() if key in EXACT}


def changes(old: Entry, new: Entry) -> list[str]:
    """Describe each count that differs; a description that begins with LESS_WORK is good news."""
    was, now = counts(old), counts(new)
    differences = []
    for key in sorted(was.keys() | now.keys()):
        before, after = was.get(key), now.get(key)
        if before == after:
            continue
        if before is None or after is None:
            word = "NOT COUNTED BEFORE" if before is None else "NOT COUNTED NOW"
        elif key == "checksum":
            word = "CHANGED ANSWER"
        else:
            word = "MORE WORK" if after > before else LESS_WORK
        differences.append(f"{word}: {key.replace('_', ' ')} {before} -> {after}")
    return differences


def available() -> set[str]:
    """Return those of NEEDS that this run has."""
    levels = kernels.LEVELS[: kernels.LEVELS.index(kernels.level()) + 1]
    return {*levels, VECTORS} if kernels.kernel("hearts").has_vectors() else set(levels)


def absent(register: Register, names: Iterable[str], files: Iterable[str]) -> tuple[list[str], Counter[str]]:
    """Return the entries of these files without a benchmark, and the number of those that this machine cannot run."""
    collected, read_files, here = set(names), set(files), available()
    stale, left_out = [], Counter[str]()
    for name, entry in register.items():
        if name.partition("::")[0] in read_files and name not in collected:
            if entry.get("needs", NEEDS[0]) in here:
                stale.append(name)
            else:
                left_out[f"need {entry['needs']}"] += 1
    return stale, left_out


def unchecked(entry: Entry, one_level: object) -> str | None:
    """Return why ``--counts=check`` leaves a benchmark out, None if it does not."""
    highest = kernels.available_levels()[-1]
    if not counts(entry):
        return "count nothing"
    if kernels.level() != highest and (one_level or entry.get("kind", "native") != "native"):
        return f"are checked at {highest} alone"
    return None
