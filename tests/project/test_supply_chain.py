"""What gamecore is built with is pinned, and at run time it speaks to nobody."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

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


@of_a_checkout
def test_pinned_versions_are_allowed_ones():
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "tools" / "build-constraints.txt").read_text(), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [Requirement(text) for text in project["build-system"]["requires"] + project["project"]["dependencies"]]
    for requirement in needed:
        assert pins[requirement.name] in requirement.specifier
    assert all(any(one.operator in ("<", "==") for one in need.specifier) for need in needed[:2]), "no upper bound"


@of_a_checkout
def test_the_audit_says_what_it_did(capsys, monkeypatch):
    path = ROOT / "tools" / "audit.py"
    spec = importlib.util.spec_from_file_location("gamecore_audit", path)
    audit = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(audit)
    for output, status, said in (
        ("", 0, "audit left out"),
        ('{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}', 0, "no known vulnerabilities in 1"),
        ('{"dependencies": [{"name": "a", "skip_reason": "?"}]}', 0, "audit left out for a"),
        ('{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1"}]}]}', 1, "X-1"),
    ):
        answer = subprocess.CompletedProcess([], 0, stdout=output, stderr="")
        monkeypatch.setattr(audit.subprocess, "run", lambda *_, answer=answer, **__: answer)
        assert audit.main() == status
        assert said in capsys.readouterr().out
