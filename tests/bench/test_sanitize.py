"""What the sanitizers run: kit's compiled games are among it, and a long test of --quick is cut."""

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
