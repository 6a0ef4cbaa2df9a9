"""Find phrases that make text hard to read: ``prose.py [FILE ...]``, by default all tracked text.

Prints ``file:line: phrase -> plainer words`` for each, and exits with status 1 if there is one. A floor, not the goal.
"""

import re
import subprocess
import sys
from pathlib import Path

PLAINER = {
    "speaks for": "according to",
    "is said of": "name the thing: label, message",
    "gone on with": "continued, resumed",
    "has to be": "must be",
    "have to be": "must be",
    "a text that is none": "a malformed text",
    "which nobody": "which no one, or a passive",
    "had a slow hour": "measure again, or give the ratio",
    "what has to be called": "callbacks",
    "is not pretty": "leave it out",
    "batch that is given up": "cancelled batch",
}
PHRASES = re.compile(r"\b(" + "|".join(PLAINER).replace(" ", r"\s+(?:[#*]\s*)?") + r")\b", re.IGNORECASE)
ENDINGS = {".py", ".pyx", ".pxd", ".pxi", ".h", ".js", ".css", ".html", ".md"}
OWN = {"tools/prose.py", "tests/project/test_prose.py"}


def found(text: str) -> list[tuple[int, str]]:
    """Lines and phrases; a phrase may go over the end of a line."""
    return [
        (text.count("\n", 0, one.start()) + 1, " ".join(re.findall(r"\w+", one[0].lower())))
        for one in PHRASES.finditer(text)
    ]


def main(names: list[str]) -> int:
    """Print what was found in the files; the exit status."""
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    bad = 0
    for name in names or [name for name in tracked if Path(name).suffix in ENDINGS and name not in OWN]:
        for line, phrase in found(Path(name).read_text(encoding="utf-8")):
            print(f"{name}:{line}: {phrase} -> {PLAINER[phrase]}")
            bad += 1
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
