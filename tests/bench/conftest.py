"""The scripts of benchmarks/ are importable here, and made-up runs of pytest-benchmark."""

import json
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
if not BENCHMARKS.is_dir():
    collect_ignore_glob = ["test_*.py"]  # not a checkout: there are no benchmarks to test
sys.path.insert(0, str(BENCHMARKS))

BUILD = {"gamecore": "0.1.0", "python": "CPython 3.11.7", "platform": "linux x86_64", "level": "v3", "debug": False}


def entry(version, seconds, kind="native", group="duel n=8, 5 random deals", rounds=9, **extra):
    """A benchmark as pytest-benchmark writes it."""
    game = group.split(" ", maxsplit=1)[0].strip(":")
    extra_info = {"version": version, "kind": kind, "cpu": seconds, **extra}
    stats = {"median": seconds, "min": seconds * 0.9, "rounds": rounds}
    name = f"benchmarks/test_{game}.py::test_{version}"
    return {"fullname": name, "name": name, "group": group, "extra_info": extra_info, "stats": stats}


@pytest.fixture
def session(tmp_path):
    """Write a session of entries, which its attribute ``entry`` makes; its path."""
    made = []

    def write(*entries, version="0.1.0", cpu="A", python="CPython 3.11.7", missing=()):
        made.append(tmp_path / f"{len(made)}.json")
        data = {
            "machine_info": {
                "gamecore": {**BUILD, "gamecore": version, "python": python},
                "gamecore_machine": {"cpu": cpu, "cores": 2},
            },
            "commit_info": {"id": "abc"},
            "datetime": f"2026-01-01T00:00:{len(made):02}",
            "benchmarks": list(entries),
            "gamecore": {"missing": list(missing)},
        }
        made[-1].write_text(json.dumps(data), encoding="utf-8")
        return made[-1]

    write.entry = entry
    return write
