"""The options of ``pytest --benchmark``, whose hooks are in ``benchmarks/conftest.py``, and of transcripts.

``pytest --benchmark`` runs the benchmark suites instead of the tests, ``--slow`` the large ones too. ``--counts=check``
runs each benchmark once, untimed, and compares its work with ``benchmarks/counts.json``; ``--counts=write`` writes that
file. Options of pytest-benchmark (``--benchmark-save``, ``--benchmark-compare``, ...) work as always.
``--update`` rewrites the transcripts of the selected tests: of commands, refusals, sessions, pictures.
"""

from pathlib import Path

import pytest

SUITES = Path(__file__).parent / "benchmarks"


def pytest_addoption(parser):
    """Add the options."""
    group = parser.getgroup("gamecore")
    group.addoption("--benchmark", action="store_true", help="run the benchmark suites (and no unit tests)")
    group.addoption("--slow", action="store_true", help="run the large benchmarks too")
    group.addoption("--counts", choices=("check", "write"), help="run once, untimed, and check or write counts.json")
    group.addoption("--update", action="store_true", help="write transcripts anew; a reviewer reads the diff")
    group.addoption("--plot", metavar="DIR", type=Path, help="--plot=DIR: draw time against size into it")


def pytest_configure(config):
    """Point a ``--benchmark`` run that names no files at the suites."""
    config.addinivalue_line("markers", "one_level: long; --counts=check runs it at the highest CPU level alone")
    options = config.option
    if not options.benchmark:
        if options.plot or options.counts:
            raise pytest.UsageError("--plot and --counts need --benchmark")
        return
    if not hasattr(options, "benchmark_only"):
        raise pytest.UsageError("--benchmark needs pytest-benchmark: pip install --group test")
    options.benchmark_only = True
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(SUITES)]
    options.benchmark_quiet = not options.benchmark_compare  # the table of benchmarks/comparing/plot.py has nodes, too
    if options.counts:
        options.benchmark_quiet, options.benchmark_min_rounds, options.benchmark_max_time = True, 1, "0"
