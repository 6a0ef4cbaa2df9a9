"""The scripts of benchmarks/ and tools/ are importable here."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "benchmarks").is_dir():
    collect_ignore_glob = ["test_*.py"]  # not a checkout: there are no benchmarks to test
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tools")]
