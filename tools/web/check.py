"""Run in Pyodide: signatures against the stored ones, and the tutorials' examples."""

import doctest
import json
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, "/project/tools")
import signatures

ARRAYS = ("table n=", " decks", "oracle", "piles", "simulate")  # in names of signatures of arrays, which NumPy makes


def check_signatures(stored):
    """Lines about what differs."""
    begun = time.perf_counter()
    found = signatures.signatures()
    for game, known in stored.items():
        for name in [name for name in known if name not in found[game] and any(word in name for word in ARRAYS)]:
            del known[name]
        print(f"{game}: {len(found[game])} signatures")
    print(f"signatures took {time.perf_counter() - begun:.1f} s")
    return signatures.differences(stored, found)


def check_tutorials():
    """Lines about examples that give something else; those that need NumPy, or what it made, are counted."""
    lines = []
    for path in sorted(Path("docs/tutorials").glob("*.md")):
        test = doctest.DocTestParser().get_doctest(path.read_text(encoding="utf-8"), {}, path.stem, str(path), 0)
        wrong, numpy = [], []

        class Runner(doctest.DocTestRunner):
            def report_failure(self, out, test, example, got, wrong=wrong):
                wrong.append(f"{test.name}, line {example.lineno}: {example.source.strip()}: {got.strip()}")

            def report_unexpected_exception(self, out, test, example, error, wrong=wrong, numpy=numpy):
                kind = numpy if numpy or re.search("numpy|pandas|polars", str(error[1])) else wrong
                kind.append(f"{test.name}, line {example.lineno}: {example.source.strip()}: {error[1]}")

        Runner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
        print(f"{path.name}: {len(test.examples)} examples, {len(numpy)} need NumPy or data frames")
        lines += wrong
    return lines


if __name__ == "__main__":
    wrong = check_signatures(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))) + check_tutorials()
    print("\n".join(wrong) or "all agree")
    if wrong:
        raise SystemExit(1)
