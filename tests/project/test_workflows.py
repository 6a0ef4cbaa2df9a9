"""The public host's workflows name what is here, ask for little, and a release is closed."""

import re
import sys
import tomllib
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
if not FILES:
    pytest.skip("the workflows of a checkout are not here", allow_module_level=True)
sys.path.append(str(ROOT / "tools"))

import release  # noqa: E402

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES}


def jobs(text):
    """Return the text of each job of a workflow, by name."""
    parts = re.split(r"^  (\w[\w-]*):\n", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def commands():
    """Yield each line that a workflow's steps, .ci/run or cibuildwheel runs, with its place."""
    for workflow, text in TEXTS.items():
        for name, job in jobs(text).items():
            parts = re.findall(r"[\w-]+", "".join(re.findall(r"^        part: \[(.*)\]$", job, re.MULTILINE)))
            lines = re.findall(r"^ +(?:- run: (?!\|)|    )((?:sudo|python|make|\./)\S* ?.*)$", job, re.MULTILINE)
            for line, part in product(lines, parts or [""]):
                yield f"{workflow}/{name}", line.replace("${{ matrix.part }}", part)
    for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines():
        yield ".ci/run", line
    wheels = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    for line in (wheels["before-build"], wheels["before-test"], *wheels["test-command"]):
        yield "cibuildwheel", line.replace("{project}/", "")


@pytest.mark.parametrize("workflow", TEXTS)
def test_every_job_asks_for_no_more_than_it_says(workflow):
    text = TEXTS[workflow]
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)
    assert "secrets." not in text
    assert {owner for owner, _ in re.findall(r"uses: ([\w-]+)/(\S+)", text)} <= {"actions", "pypa"}
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    assert jobs(text)
    for name, job in jobs(text).items():
        minutes = re.findall(r"^    timeout-minutes: (\d+)$", job, re.MULTILINE)
        assert [int(number) <= 120 for number in minutes] == [True], name
        assert "\n    permissions:\n" in job, name
        assert ": write" not in job or "\n    environment: " in job, f"{name} writes, and no environment guards it"


def missing(lines):
    """Return the make targets, and the files, that lines name and that are not here."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    words = {word for _, line in lines for word in line.split()}
    named = {target for _, line in lines for target in re.findall(r"\bmake ([\w-]+)", line)}
    paths = {word for word in words if re.fullmatch(r"(\./)?(tools|examples|tests|requirements|\.ci)/[\w./-]*", word)}
    return (named - targets) | {path for path in paths if not (ROOT / path).exists()}


def test_steps_name_targets_and_files_that_are_here():
    lines = list(commands())
    assert len(lines) > 20
    assert not missing(lines)
    planted = "make gone && python tools/gone.py -r requirements/test.txt"
    assert missing([("planted", planted)]) == {"gone", "tools/gone.py"}


def test_what_tests_or_builds_is_installed_by_hashes():
    """A job calls make, or installs a lock file or this tree; it lists no packages of its own."""
    fits = (
        r"--require-hashes --requirement requirements/(build|test)\.txt$|--no-deps --editable \.$|cibuildwheel==4.2.1$"
    )
    installs = [(place, line) for place, line in commands() if re.search(r"\bpip install\b", line)]
    assert installs
    assert [(place, line) for place, line in installs if not re.search(fits, line)] == []


def test_pythons_are_those_of_the_wheels():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]["build"]
    wheels = [f"{word[2]}.{word[3:]}" for word in (name.partition("-")[0] for name in build)]
    matrix = re.search(r"^        python: \[(.*)\]$", TEXTS["test"], re.MULTILINE)
    assert re.findall(r"[\d.]+", matrix[1]) == wheels


def test_a_release_is_closed_before_it_is_tagged(tmp_path):
    (tmp_path / "gamecore").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "7.0.0"\n', encoding="utf-8")

    def faults(changes, version, tag):
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n{changes}", encoding="utf-8")
        (tmp_path / "gamecore" / "_version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
        return [fault.partition(":")[0] for fault in release.faults(tmp_path, tag)]

    closed = "## [7.0.0] - 2026-01-31\n\n- a\n"
    assert faults(closed, "7.0.0", "v7.0.0") == faults(closed, "7.0.0", "") == []
    assert faults(closed, "7.0.0", "v7.0.1") == ["the tag is 'v7.0.1', the version 7.0.0"]
    version = "gamecore/_version.py says 6.9.0, pyproject.toml 7.0.0"
    assert faults("- a\n\n## [7.0.0]\n", "6.9.0", "") == ["CHANGELOG.md", version, "CHANGELOG.md"]


def strange_lines(changes):
    """Return the lines of a changelog that Keep a Changelog does not have."""
    known = re.compile(
        r"(# Changelog|The format is .*|## \[Unreleased\]|## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d"
        r"|### (Added|Changed|Deprecated|Removed|Fixed|Security)|- [`A-Za-z].*\.|)"
    )
    return [line for line in changes.splitlines() if len(line) > 120 or not known.fullmatch(line)]


def test_the_changelog_has_one_line_an_entry():
    assert strange_lines((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) == []
    planted = ["## 7.0.0 (unreleased)", "### News", "- Two sentences that", "  go over a line.", f"- {'x' * 119}."]
    assert strange_lines("\n".join(planted)) == planted
