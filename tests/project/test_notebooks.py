"""Every notebook of examples/ runs from top to bottom, in seconds, and is kept without its outputs."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def read(path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat (extra 'test-all') reads notebooks")
    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_kept_without_outputs(path):
    assert len(NOTEBOOKS) == 4
    book = read(path)
    assert book.cells[0].cell_type == "markdown"
    assert not [cell for cell in book.cells if cell.get("outputs") or cell.get("execution_count")]
    assert path.stat().st_size < 20_000


@pytest.mark.nightly
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="nbclient (extra 'test-all') runs notebooks")
    pytest.importorskip("ipykernel", reason="ipykernel (extra 'test-all') runs notebooks")
    book = read(path)
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert all(cell.execution_count for cell in book.cells if cell.cell_type == "code")
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in shown if output.get("name") == "stderr"]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert "image/svg+xml" in kinds
    assert ("image/png" in kinds) == (path.stem != "hexapawn")  # the plots
    assert ("text/html" in kinds) == (path.stem == "hearts")  # the tables
