"""The comparison with other people's software: that it compares answers, and writes its report."""

import importlib
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="numba is in the extra 'peers'")
pytest.importorskip("pyspiel", reason="OpenSpiel is in the extra 'openspiel'")

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"


@pytest.fixture
def measure(monkeypatch):
    """The tool, with one task of a moment in place of its own."""
    monkeypatch.syspath_prepend(str(PEERS))
    monkeypatch.setattr(sys, "path", [*sys.path])
    tool = importlib.import_module("measure")
    for name in ("search_tasks", "rows_tasks", "hearts_tasks"):
        monkeypatch.setattr(tool, name, lambda *_: [])
    monkeypatch.setattr(importlib.import_module("kit_games"), "tasks", lambda *_: [])
    return tool


def task(tool, theirs, ours):
    return tool.Task("sum of two", "a peer", lambda: theirs, lambda: ours)


def test_the_report_names_task_peer_machine_and_versions(measure, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(measure, "rows_tasks", lambda *_: [task(measure, 3, 3)])
    out = tmp_path / "deeper" / "peers.md"
    assert measure.main(["-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "| sum of two | a peer |" in text
    assert f"gamecore {measure.build_info().gamecore}" in text
    assert "open_spiel" in text
    assert f"written: {out}" in capsys.readouterr().out


def test_another_answer_of_the_peer_is_no_result(measure, monkeypatch, tmp_path):
    monkeypatch.setattr(measure, "rows_tasks", lambda *_: [task(measure, 3, 4)])
    with pytest.raises(AssertionError, match="a peer answers 3, we 4"):
        measure.main(["-o", str(tmp_path / "peers.md")])
    assert not list(tmp_path.iterdir())
