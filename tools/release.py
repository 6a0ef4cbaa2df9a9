"""Is this tree a release? The version is the same everywhere, the changelog has closed it, a tag names it.

python tools/release.py            check (the release workflow's first step); exit status 1 with a line for each fault
python tools/release.py v0.2.0     check that this tag would fit (otherwise GITHUB_REF_NAME, where it is a tag)
"""

import os
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def faults(root: Path, tag: str) -> list[str]:
    """Return the faults that keep the tree at ``root`` from a release as ``tag`` ("": no tag yet)."""
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    code = re.search(r'__version__ = "(.*)"', (root / "gamecore" / "_version.py").read_text(encoding="utf-8"))
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[(\S+)\](?: - (.*))?\n((?:(?!## ).*\n)*)", changes, re.MULTILINE)
    first = next((one for one in sections if one[0] != "Unreleased"), None)
    found = []
    if any(name == "Unreleased" and re.search("^- ", text, re.MULTILINE) for name, _, text in sections):
        found.append("CHANGELOG.md: Unreleased has entries: they need a version and a date")
    if not code or code[1] != version:
        found.append(f"gamecore/_version.py says {code[1] if code else 'nothing'}, pyproject.toml {version}")
    if not first or first[0] != version:
        found.append(f"CHANGELOG.md begins with {first[0] if first else 'no version'}, pyproject.toml says {version}")
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", first[1]):
        found.append(f"CHANGELOG.md: the date of {version} must be YYYY-MM-DD, not {first[1]!r}")
    elif not re.search("^- .{20}", first[2], re.MULTILINE):
        found.append(f"CHANGELOG.md: {version} has no entry of a whole sentence")
    if tag and tag != f"v{version}":
        found.append(f"the tag is {tag!r}, but pyproject.toml and gamecore/_version.py say {version}")
    return found


def main() -> int:
    """The command; see the top of the file."""
    is_tag = os.environ.get("GITHUB_REF_TYPE") == "tag"
    tag = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("GITHUB_REF_NAME", "") if is_tag else ""
    found = faults(ROOT, tag)
    if not found:
        print("release: version, changelog and tag agree" if tag else "release: version and changelog agree")
        return 0
    for fault in found:
        print(f"release: {fault}", file=sys.stderr)
    # A trial run of the workflow, by hand, builds a tree that is not closed yet.
    return 0 if os.environ.get("GITHUB_EVENT_NAME") == "workflow_dispatch" else 1


if __name__ == "__main__":
    sys.exit(main())
