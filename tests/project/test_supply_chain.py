"""What gamecore is built and tested with is pinned by hashes, and at run time it speaks to nobody."""

import re
import tomllib
from itertools import product

import pytest
from command import ROOT, python
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# An audit hook sees every socket that anything in the process would open, Python or not.
SILENT = """
import sys

def hook(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        raise RuntimeError(f"{event} {arguments}")

sys.addaudithook(hook)
from gamecore import build_info, cli, duel, hearts, hexapawn
build_info()
duel.solve("DQH2HA:H3D6S3:A:-")
hexapawn.solve(hexapawn.Position.start(6, 6), threads=2)
hearts.simulate(["pimc:2"] * 4, 3, 1, workers=2)
assert cli.main(["rows", "1", "2", "3"]) == 0
cli.main(["--help"])
"""


def test_no_network_at_run_time():
    result = python("-c", SILENT)
    assert (result.returncode, result.stderr) == (0, "")


def project_requirements():
    """Yield the requirements of pyproject.toml, with the list that each is in."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {"build-system": data["build-system"]["requires"], "dependencies": data["project"]["dependencies"]}
    for place, texts in (lists | data["project"]["optional-dependencies"] | data["dependency-groups"]).items():
        for text in texts:
            if isinstance(text, str):  # else a group that this one includes
                yield place, Requirement(text)


def test_every_requirement_has_an_upper_bound():
    others = [requirement for _, requirement in project_requirements() if requirement.name != "gamecore"]
    assert [str(requirement) for requirement in others if not re.search("<|==", str(requirement.specifier))] == []


@pytest.mark.parametrize(("lock", "lists"), [
    ("test", ("dependencies", "test")), ("build", ("build-system", "build")),
    ("demo", ("build-system", "dependencies", "demo")),
])  # fmt: skip
def test_lock_files_have_hashes_and_what_the_project_asks_for(lock, lists):
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"^([a-z0-9].*?) \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", text, re.MULTILINE)
    locked = [Requirement(block) for block in blocks]
    assert len(locked) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))  # each has hashes
    assert all(str(pin.specifier).startswith("==") for pin in locked)
    assert not re.search(r"://|^-|--(extra-)?index|--find-links", text, re.MULTILINE), "names where packages come from"
    wanted = [requirement for place, requirement in project_requirements() if place in lists]
    for version, system in product(("3.11", "3.12", "3.13", "3.14"), ("linux", "darwin", "win32")):
        here = {"python_full_version": f"{version}.0", "python_version": version, "sys_platform": system}
        fits = [pin for pin in locked if pin.marker is None or pin.marker.evaluate(here)]
        versions = {canonicalize_name(pin.name): str(pin.specifier)[2:] for pin in fits}
        for requirement in wanted:
            assert versions[canonicalize_name(requirement.name)] in requirement.specifier, (version, system)
