"""What the sanitizers run: kit's compiled games are among it, and a long test of --quick is cut."""

import subprocess

import pytest
import sanitize
from command import ROOT


def test_what_is_selected_is_here():
    kinds = (["address"], ["address", "--quick"], ["thread"])
    chosen = [word for words in kinds for word in sanitize.selection(sanitize.options(words))]
    assert {"tests", "threads", "tests/kit", "tests/duel", "tests/project/test_fuzz_corpus.py"} <= set(chosen)
    assert "--ignore=tests/kit" not in chosen
    paths = [word.removeprefix("--ignore=") for word in chosen if "tests/" in word and "::" not in word]
    assert all((ROOT / path).exists() for path in paths)
    for name in sanitize.OF_ALL_LEVELS:
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), name


@pytest.mark.skipif(sanitize.preloads("address") is None, reason="this machine has no AddressSanitizer")
def test_games_of_kit_are_compiled_with_the_sanitizer(tmp_path):
    folder = sanitize.instrumented_compiler(tmp_path, "address")
    source, library = tmp_path / "a.c", tmp_path / "a.so"
    source.write_text("int f(int *a, int i) { return a[i]; }\n", encoding="utf-8")
    (script,) = folder.iterdir()
    subprocess.run([script, "-shared", "-fPIC", source, "-o", library], check=True)
    assert b"__asan_report_load4" in library.read_bytes()
