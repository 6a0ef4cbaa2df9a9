"""Check a release: version, changelog and tag agree, and the changelog has no unreleased entries.

python tools/release.py            check the tree; exit status 1 with a line for each fault
python tools/release.py v0.2.0     check this tag too (default: GITHUB_REF_NAME if it is a tag)
"""

import os
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def faults(root: Path, tag: str) -> list[str]:
    """List the faults of a release of the tree at ``root`` as ``tag`` ("": no tag yet)."""
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    code = re.search(r'__version__ = "(.*)"', (root / "gamecore" / "_version.py").read_text(encoding="utf-8"))
    sections = re.split(r"^## ", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    pending = [section for section in sections if section.lower().startswith(("[unreleased]", "unreleased"))]
    closed = [section for section in sections if section not in pending]
    first = re.match(r"\[(\S+)\] - (.*)", closed[0]) if closed else None
    found = []
    if any(re.search(r"^\s*[-*] ", section, re.MULTILINE) for section in pending):
        found.append("CHANGELOG.md: [Unreleased] has entries: move them into the section of this version")
    if not code or code[1] != version:
        found.append(f"gamecore/_version.py says {code[1] if code else 'nothing'}, pyproject.toml {version}")
    if not first or first[1] != version:
        found.append(
            f"CHANGELOG.md: the newest version is {first[1] if first else 'missing'}, pyproject.toml says {version}"
        )
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", first[2]):
        found.append(f"CHANGELOG.md: {version} has {first[2]!r} instead of a date (YYYY-MM-DD)")
    if tag and tag != f"v{version}":
        found.append(f"the tag is {tag!r}, the version {version}: it must be 'v{version}'")
    return found


def main() -> int:
    """Print the faults and return the exit status."""
    is_tag = os.environ.get("GITHUB_REF_TYPE") == "tag"
    tag = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("GITHUB_REF_NAME", "") if is_tag else ""
    found = faults(ROOT, tag)
    if not found:
        print("release: version, changelog and tag agree" if tag else "release: version and changelog agree")
        return 0
    for fault in found:
        print(f"release: {fault}", file=sys.stderr)
    # A workflow started by hand may build a tree that is not ready for release.
    return 0 if os.environ.get("GITHUB_EVENT_NAME") == "workflow_dispatch" else 1


if __name__ == "__main__":
    sys.exit(main())
