"""The public host's workflows name what is here, ask for little, and a release is closed."""

import re
import tomllib

import pytest
import release  # pytest's pythonpath has tools
from command import ROOT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
if not FILES:
    pytest.skip("the workflows of a checkout are not here", allow_module_level=True)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES}
RUN = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
#: What workflows, .ci/run and cibuildwheel run, without comments; of a matrix of parts, each part.
COMMANDS = re.sub(
    r"(?m)^ *#.*|\{project\}/", "",
    "\n".join([RUN, *TEXTS.values(), PROJECT["before-build"], PROJECT["before-test"], *PROJECT["test-command"]]),
)  # fmt: skip
PARTS = re.findall(r"[\w-]+", re.search(r"part: \[(.*)\]", COMMANDS)[1])
COMMANDS = COMMANDS.replace("make night-${{ matrix.part }}", " ".join(f"make night-{part}" for part in PARTS))


@pytest.mark.parametrize("workflow", TEXTS)
def test_every_job_asks_for_no_more_than_it_says(workflow):
    text = TEXTS[workflow]
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)
    assert "secrets." not in text
    assert {owner for owner, _ in re.findall(r"uses: ([\w-]+)/(\S+)", text)} <= {"actions", "pypa"}
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    jobs = re.split(r"^  [\w-]+:\n", text.partition("\njobs:\n")[2], flags=re.MULTILINE)[1:]
    assert jobs
    for job in jobs:
        minutes = re.findall(r"^    timeout-minutes: (\d+)$", job, re.MULTILINE)
        assert [int(number) <= 120 for number in minutes] == [True], job
        assert "\n    permissions:\n" in job, job
        assert ": write" not in job or "\n    environment: " in job, f"{job} writes, and no environment guards it"


def test_steps_name_targets_and_files_that_are_here():
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = set(re.findall(r"\bmake ([\w-]+)", COMMANDS))
    here = re.compile(r"(\./)?(tools|examples|tests|requirements|\.ci)/[\w./-]*")
    paths = {word for word in COMMANDS.split() if here.fullmatch(word)}
    assert min(len(named), len(paths)) > 5
    assert named <= set(targets)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_what_tests_or_builds_is_installed_by_hashes():
    """A job calls make, or installs a lock file or this tree; it lists no packages of its own."""
    fits = r"--require-hashes --requirement requirements/(build|test)\.txt$|--no-deps --editable \.$|cibuildwheel==\S+$"
    installs = re.findall(r"\bpip install\b.*", COMMANDS)
    assert installs
    assert [line for line in installs if not re.search(fits, line)] == []


def test_pythons_are_those_of_the_wheels():
    wheels = [f"{name[2]}.{name[3:].partition('-')[0]}" for name in PROJECT["build"]]
    matrix = re.search(r"^        python: \[(.*)\]$", TEXTS["test"], re.MULTILINE)
    assert re.findall(r"[\d.]+t?", matrix[1]) == wheels


def test_a_release_is_closed_before_it_is_tagged(tmp_path):
    (tmp_path / "gamecore").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "7.0.0"\n', encoding="utf-8")

    def faults(changes, version, tag):
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n{changes}", encoding="utf-8")
        (tmp_path / "gamecore" / "_version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
        return [fault.partition(":")[0] for fault in release.faults(tmp_path, tag)]

    closed = "## [7.0.0] - 2026-01-31\n\n- Solves small games sooner.\n"
    assert faults(closed, "7.0.0", "v7.0.0") == faults(closed, "7.0.0", "") == []
    other = "the tag is 'v7.0.1', but pyproject.toml and gamecore/_version.py say 7.0.0"
    assert faults(closed, "7.0.0", "v7.0.1") == [other]
    assert faults("## [7.0.0] - 2026-01-31\n\n- x\n", "7.0.0", "") == ["CHANGELOG.md"]
    version = "gamecore/_version.py says 6.9.0, pyproject.toml 7.0.0"
    assert faults("- a\n\n## [7.0.0]\n", "6.9.0", "") == ["CHANGELOG.md", version, "CHANGELOG.md"]


def test_the_changelog_has_one_line_an_entry():
    """As Keep a Changelog has them."""
    known = re.compile(
        r"(# Changelog|The format is .*|## \[Unreleased\]|## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d"
        r"|### (Added|Changed|Deprecated|Removed|Fixed|Security)|- [`A-Za-z].*\.|)"
    )
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120 or not known.fullmatch(line)] == []
