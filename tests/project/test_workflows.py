"""The public host's workflows name what is here, ask for little, and a release is closed."""

import importlib.util
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
pytestmark = pytest.mark.skipif(not FILES, reason="the workflows of a checkout are not here")


def tool(name):
    spec = importlib.util.spec_from_file_location(f"gamecore_{name}", ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def scripts():
    for path in FILES:
        for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
            for step in job["steps"]:
                if "run" in step:
                    yield f"{path.stem}/{name}", step["run"]


def test_every_job_asks_for_no_more_than_it_says():
    owners = set()
    for path in FILES:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {}, path.name
        for name, job in workflow["jobs"].items():
            assert job["timeout-minutes"] <= 120, name
            assert job["permissions"], name
            writing = {key for key, value in job["permissions"].items() if value == "write"}
            assert not writing or job["environment"], f"{name} writes without an environment that somebody guards"
            for step in job["steps"]:
                if "uses" in step:
                    owners.add(step["uses"].partition("/")[0])
                    if "checkout" in step["uses"]:
                        assert step["with"]["persist-credentials"] is False
    assert owners == {"actions", "pypa"}
    texts = "".join(path.read_text(encoding="utf-8") for path in FILES)
    assert "secrets." not in texts


def test_steps_name_targets_and_files_that_are_here():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    found = 0
    for job, script in scripts():
        for target in re.findall(r"\bmake ([\w-]+)", script):
            assert target in targets, (job, target)
            found += 1
        for path in re.findall(r"(?<![\w/.])(?:\./)?((?:tools|examples|tests|\.ci)/[\w./-]*)", script):
            assert (ROOT / path).exists(), (job, path)
            found += 1
    assert found > 8


def test_pythons_are_those_of_the_wheels():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]["build"]
    wheels = [f"{word[2]}.{word[3:]}" for word in (name.partition("-")[0] for name in build)]
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))["jobs"]
    assert jobs["quick"]["strategy"]["matrix"]["python"] == wheels


def test_a_release_is_closed_before_it_is_tagged(tmp_path):
    release = tool("release")
    (tmp_path / "gamecore").mkdir()
    for name in ("pyproject.toml", "CHANGELOG.md", "gamecore/_version.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    changelog = tmp_path / "CHANGELOG.md"
    good = "# Changelog\n\n## [Unreleased]\n\n## [7.0.0] - 2026-01-31\n\n### Added\n\n- A thing.\n"
    changelog.write_text(good, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "7.0.0"\n', encoding="utf-8")
    (tmp_path / "gamecore" / "_version.py").write_text('__version__ = "7.0.0"\n', encoding="utf-8")
    assert release.faults(tmp_path, "v7.0.0") == release.faults(tmp_path, "") == []
    assert release.faults(tmp_path, "v7.0.1") == ["the tag is 'v7.0.1', the version 7.0.0: it must be 'v7.0.0'"]
    for old, new, words in [
        ("[Unreleased]\n", "[Unreleased]\n\n### Fixed\n\n- A fault.\n", "has entries"),
        ("[7.0.0]", "[6.9.0]", "newest version is 6.9.0"),
        ("[7.0.0] - 2026-01-31", "7.0.0 (2026-01-31)", "newest version is missing"),
        ("2026-01-31", "unreleased", "instead of a date"),
        (good[12:], "", "newest version is missing"),
    ]:
        changelog.write_text(good.replace(old, new), encoding="utf-8")
        (fault,) = release.faults(tmp_path, "v7.0.0")
        assert fault.startswith("CHANGELOG.md: ")
        assert words in fault
    changelog.write_text(good, encoding="utf-8")
    (tmp_path / "gamecore" / "_version.py").write_text('__version__ = "6.9.0"\n', encoding="utf-8")
    assert release.faults(tmp_path, "") == ["gamecore/_version.py says 6.9.0, pyproject.toml 7.0.0"]


VERSION = re.compile(r"## \[(Unreleased\]|\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)")
HEADINGS = {
    "### Added",
    "### Changed",
    "### Deprecated",
    "### Removed",
    "### Fixed",
    "### Security",
    "### What moved where",
}


def misshapen(changelog):
    """Numbers of the changelog's lines that are too long, continue another one, or are unknown headings."""
    return [
        number
        for number, line in enumerate(changelog.splitlines(), 1)
        if len(line) > 120
        or line.startswith(" ")
        or (line.startswith("### ") and line not in HEADINGS)
        or (line.startswith("## ") and not VERSION.fullmatch(line))
    ]


def test_changelog_has_one_line_an_entry_under_known_headings():
    assert misshapen((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line", ["- " + "x" * 119, "  continued", "### Build", "## 0.3.0 (2026-01-31)", "## [0.3.0]", "## [0.3.0] - soon"]
)
def test_planted_faults_of_the_changelog_are_found(line):
    assert misshapen(f"# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n{line}\n") == [8]
