"""Find the glossary's words to avoid: ``prose.py [FILE ...]``, by default in all tracked text.

Prints ``file:line: phrase -> plainer words`` for each, and exits with status 1 if there is one.
"""

import re
import subprocess
import sys
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"
TABLE = "## Words to avoid"
ENDINGS = {".py", ".pyx", ".pxd", ".pxi", ".h", ".js", ".css", ".html", ".md"}
OWN = {"tools/prose.py", "tests/project/test_prose.py"}


def avoided(glossary: str) -> dict[str, str]:
    """Read the glossary's table: phrases, in lower case with spaces, and the plainer words."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", glossary.partition(TABLE)[2], re.MULTILINE)[1:]
    if not rows:
        raise SystemExit(f"prose: no table under {TABLE!r} in {GLOSSARY}")
    return {old.replace("_", " ").lower(): new for old, new in rows}


def found(text: str, phrases: dict[str, str]) -> list[tuple[int, str]]:
    """Lines and phrases; a phrase may continue on the next line, or be part of a name."""
    words = "|".join(map(re.escape, phrases)).replace("\\ ", r"(?:_|\s+(?:[#*]\s*)?)")
    pattern = re.compile(rf"(?<![a-z])({words})(?![a-z])", re.IGNORECASE)
    return [
        (text.count("\n", 0, one.start()) + 1, " ".join(re.findall(r"[a-z]+", one[0].lower())))
        for one in pattern.finditer(text)
    ]


def main(names: list[str]) -> int:
    """Print the phrases found in the files; return the exit status."""
    phrases = avoided(GLOSSARY.read_text(encoding="utf-8"))
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    bad = 0
    for name in names or [name for name in tracked if Path(name).suffix in ENDINGS and name not in OWN]:
        text = Path(name).read_text(encoding="utf-8")
        if Path(name).resolve() == GLOSSARY:
            text = text.partition(TABLE)[0]
        for line, phrase in found(text, phrases):
            print(f"{name}:{line}: {phrase} -> {phrases[phrase]}")
            bad += 1
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
