"""What the sanitizers run: kit's compiled games are among it, and a long test of --quick is cut."""

import subprocess

import pytest
import sanitize
from command import ROOT, python


@pytest.mark.parametrize(("words", "all_of"), [
    (["address", "--quick"], ["tests/kit", "tests/duel", "tests/project/test_fuzz_corpus.py"]),
    (["thread"], ["tests", "threads"]),
    (["address"], ["tests"]),
])  # fmt: skip
def test_what_is_selected_is_here(words, all_of):
    chosen = sanitize.selection(sanitize.options(words))
    assert set(all_of) <= set(chosen)
    assert "--ignore=tests/kit" not in chosen
    paths = [word.removeprefix("--ignore=") for word in chosen if "tests/" in word and "::" not in word]
    assert all((ROOT / path).exists() for path in paths)
    for name in sanitize.OF_THE_BASELINE:
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), name


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
    words = ("-m", "pytest", "-ra", "-p", "sanitize", "-p", "no:cacheprovider", "test_long.py")
    done = python(*words, cwd=tmp_path, PYTHONPATH=str(ROOT / "tools"))
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
