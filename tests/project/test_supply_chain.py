"""What gamecore is built and tested with is pinned by hashes, and at run time it speaks to nobody."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
of_a_checkout = pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="the tools of a checkout are not here")

# An audit hook sees every socket that anything in the process would open, Python or not.
SILENT = """
import sys

def hook(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        raise RuntimeError(f"{event} {arguments}")

sys.addaudithook(hook)
from gamecore import build_info, duel, hearts, hexapawn, rows
build_info()
duel.solve(duel.parse("3\\nDQ H2 HA\\nH3 D6 S3\\n"))
hexapawn.solve(hexapawn.Position.start(6, 6), threads=2)
rows.solve([5, 7, 9, 1, 4, 2])
hearts.simulate(["pimc:2"] * 4, 3, 1, workers=2)
from gamecore.cli import main
assert main(["rows", "1", "2", "3"]) == 0
try:
    main(["--help"])
except SystemExit as end:
    assert end.code == 0
"""


def test_no_network_at_run_time():
    result = subprocess.run([sys.executable, "-c", SILENT], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def requirements(text):
    """Return each requirement of a lock file: name, specifier and marker in one text, and its number of hashes."""
    blocks = re.findall(r"^([a-z0-9].*?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)*)", text, re.MULTILINE)
    return [(Requirement(name), hashes.count("--hash=")) for name, hashes in blocks]


def project_requirements():
    """Yield the requirements of pyproject.toml, with the list that each is in."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {"build-system": data["build-system"]["requires"], "dependencies": data["project"]["dependencies"]}
    for place, texts in (lists | data["project"]["optional-dependencies"] | data["dependency-groups"]).items():
        for text in texts:
            yield place, Requirement(text)


def unbounded(wanted):
    """Return the requirements of a project's lists that have no upper bound."""
    return [str(one) for _, one in wanted if one.name != "gamecore" and not re.search("<|==", str(one.specifier))]


@of_a_checkout
def test_every_requirement_has_an_upper_bound():
    assert unbounded(project_requirements()) == []
    assert unbounded([("planted", Requirement("numpy>=1.26"))]) == ["numpy>=1.26"]


@of_a_checkout
@pytest.mark.parametrize(("lock", "lists"), [("test", ("dependencies", "test")), ("build", ("build-system", "build"))])
def test_lock_files_have_hashes_and_what_the_project_asks_for(lock, lists):
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    locked = requirements(text)
    assert len(locked) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))
    assert all(hashes > 0 and str(one.specifier).startswith("==") for one, hashes in locked)
    assert not re.search(r"://|^-|--(extra-)?index|--find-links", text, re.MULTILINE), "names where packages come from"
    for python in ("3.11", "3.12", "3.13", "3.14"):
        for system in ("linux", "darwin", "win32"):
            here = {"python_full_version": f"{python}.0", "python_version": python, "sys_platform": system}
            versions = {
                canonicalize_name(one.name): str(one.specifier)[2:]
                for one, _ in locked
                if one.marker is None or one.marker.evaluate(here)
            }
            for place, wanted in project_requirements():
                if place in lists:
                    assert versions[canonicalize_name(wanted.name)] in wanted.specifier, (python, system, str(wanted))
