"""What the sanitizers run is derived from the kernels, and kit's compiled games are among them."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import sanitize

ROOT = Path(__file__).resolve().parents[2]


def test_each_game_with_a_kernel_and_kit_have_a_folder(tmp_path):
    games = {path.stem.partition("_")[0] for path in (ROOT / "pyx").glob("[a-z]*.pyx")}
    assert sanitize.kernel_folders() == sorted(games | {"kit"})
    for name in ("pyx/chess.pyx", "pyx/chess_wide.pyx", "pyx/_cpu.pyx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "tests" / "chess").mkdir(parents=True)
    assert sanitize.kernel_folders(tmp_path) == ["chess"]


@pytest.mark.parametrize(
    ("words", "all_of"),
    [
        (["address", "--quick"], ["tests/kit", "tests/duel", "tests/project/test_fuzz_corpus.py"]),
        (["thread"], ["tests/kit", "tests/batch"]),
        (["address"], ["tests"]),
    ],
)
def test_kit_is_selected(words, all_of):
    chosen = sanitize.selection(sanitize.options(words), ["baseline"])
    assert set(all_of) <= set(chosen)
    assert "--ignore=tests/kit" not in chosen
    assert all((ROOT / word.removeprefix("--ignore=")).exists() for word in chosen if word.startswith("--ignore="))


def test_tests_that_are_left_out_by_name_are_here():
    for name in sanitize.OF_THE_BASELINE:
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), name


def test_quick_samples_every_file():
    """The first and each twelfth test of a file, no nightly one; all small positions."""

    def item(path, number, marks=()):
        mark = {"name": f"{path}-{number}", "path": Path(path), "get_closest_marker": lambda name: name in marks}
        return SimpleNamespace(**mark)

    items = [item("tests/kit/test_a.py", number) for number in range(30)]
    items += [item("tests/kit/test_b.py", 0, ["nightly"]), item("tests/kit/test_c.py", 0)]
    items += [item(f"tests/{sanitize.SMALL_POSITIONS}", number) for number in range(3)]
    config = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda items: None))
    sanitize.pytest_collection_modifyitems(config, items)
    numbers = [one.name.rpartition("/")[2] for one in items]
    assert numbers[:4] == ["test_a.py-0", "test_a.py-12", "test_a.py-24", "test_c.py-0"]
    assert len(numbers) == 7


LONG = """
import time

def test_long():
    try:
        time.sleep(60)
    except BaseException:
        raise ValueError  # as a library may do
"""


def test_a_long_test_of_quick_is_skipped_and_says_so(tmp_path):
    (tmp_path / "test_long.py").write_text(LONG, encoding="utf-8")
    (tmp_path / "conftest.py").write_text("import sanitize\nsanitize.MOST_SECONDS = 0.2\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-ra", "-p", "sanitize", "-p", "no:cacheprovider", "test_long.py"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "the rest is left out after 0 s under a sanitizer" in done.stdout
    assert "1 skipped" in done.stdout


@pytest.mark.skipif(sanitize.preloads("address") is None, reason="this machine has no AddressSanitizer")
def test_games_of_kit_are_compiled_with_the_sanitizer(tmp_path):
    folder = sanitize.instrumented_compiler(tmp_path, "address")
    source, library = tmp_path / "a.c", tmp_path / "a.so"
    source.write_text("int f(int *a, int i) { return a[i]; }\n", encoding="utf-8")
    (script,) = folder.iterdir()
    subprocess.run([script, "-shared", "-fPIC", source, "-o", library], check=True)
    assert b"__asan_report_load4" in library.read_bytes()
