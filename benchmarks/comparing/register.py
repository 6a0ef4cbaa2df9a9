"""``benchmarks/counts.json``: the work of each benchmark that must be equal on every machine."""

import json
from pathlib import Path
from typing import Any

from gamecore import GamecoreError
from gamecore.files import write_whole

PATH = Path(__file__).parents[1] / "counts.json"
EXACT = ("nodes", "replacements", "checksum")
LESS_WORK = "less work"

Counts = dict[str, int]


def read() -> dict[str, Counts]:
    """Return the counts of each benchmark, by its name; none when there is no such file.

    Raises:
        GamecoreError: the file is damaged.
    """
    try:
        return {name: dict(counts) for name, counts in json.loads(PATH.read_text(encoding="utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise GamecoreError(f"{str(PATH)!a} is damaged: {error}") from None


def write(register: dict[str, Counts]) -> None:
    """Write all benchmarks that count something, a line each."""
    lines = [f" {json.dumps(name)}: {json.dumps(counts)}" for name, counts in sorted(register.items()) if counts]
    write_whole(PATH, [("{\n" + ",\n".join(lines) + "\n}\n").encode()])


def counts(extra_info: dict[str, Any]) -> Counts:
    """Return the counts and checksums of what a benchmark says about itself."""
    return {key: extra_info[key] for key in EXACT if extra_info.get(key) is not None}


def changes(old: Counts, new: Counts) -> list[str]:
    """Describe each count that differs; a description that begins with LESS_WORK is good news."""
    differences = []
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if before is None or after is None:
            word = "NOT COUNTED BEFORE" if before is None else "NOT COUNTED NOW"
        elif key == "checksum":
            word = "CHANGED ANSWER"
        else:
            word = "MORE WORK" if after > before else LESS_WORK
        differences.append(f"{word}: {key} {before} -> {after}")
    return differences
