"""tools/prose.py finds planted phrases."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "prose.py"
if not TOOL.is_file():
    pytest.skip("the tools of a checkout are not here", allow_module_level=True)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\n# The move that the bound speaks for.\n", 2),
        ('"""A search that is gone\non with."""\n', 1),
        ("# It has\n# to be closed.\n", 1),
        ("def _naming_a_move(self):\n", 1),
        ("Text.\n\nThe value is seldom needed.\n", 3),
    ],
)
def test_planted_phrases_are_found(tmp_path, text, line):
    path = tmp_path / "planted.py"
    path.write_text(text)
    result = subprocess.run([sys.executable, TOOL, path], capture_output=True, text=True, check=False, cwd=TOOL.parent)
    assert result.returncode == 1
    assert result.stdout.startswith(f"{path}:{line}: ")


def test_plain_text_passes(tmp_path):
    path = tmp_path / "plain.py"
    path.write_text("# It must be closed. Continue the search.\n")
    subprocess.run([sys.executable, TOOL, path], check=True, cwd=TOOL.parent)


def test_a_glossary_without_its_table_is_an_error(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "docs").mkdir()
    tool = tmp_path / "tools" / "prose.py"
    tool.write_text(TOOL.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "docs" / "glossary.md").write_text("# Glossary\n", encoding="utf-8")
    result = subprocess.run([sys.executable, tool, tool], capture_output=True, text=True, check=False, cwd=TOOL.parent)
    assert result.returncode == 1
    assert "no table" in result.stderr
