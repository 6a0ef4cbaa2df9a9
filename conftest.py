"""``pytest --benchmark``: run the benchmark suites and compare the versions; ``--slow``: the large ones too.

Plain ``pytest`` runs the unit tests alone. All of pytest-benchmark's own ``--benchmark-*`` options still work.
"""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
SUITES = ROOT / "benchmarks"


def pytest_addoption(parser):
    """Add our two options."""
    group = parser.getgroup("gamecore")
    group.addoption("--benchmark", action="store_true", help="run the benchmark suites (and no unit tests)")
    group.addoption("--slow", action="store_true", help="run the large benchmarks too")


def pytest_configure(config):
    """Point a ``--benchmark`` run that names no files at the suites."""
    if not config.getoption("--benchmark"):
        return
    config.option.benchmark_only = True
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(SUITES)]


def pytest_collection_modifyitems(config, items):
    """Leave the large benchmarks out unless they are asked for; slow unit tests always run."""
    if config.getoption("--slow"):
        return
    large = [item for item in items if SUITES in item.path.parents and item.get_closest_marker("slow")]
    if large:
        config.hook.pytest_deselected(items=large)
        items[:] = [item for item in items if item not in large]


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """End a ``--benchmark`` run with the table of ratios."""
    session = getattr(config, "_benchmarksession", None)
    if config.getoption("--benchmark") and session is not None and session.benchmarks:
        spec = importlib.util.spec_from_file_location("gamecore_benchmark_report", SUITES / "report.py")
        report = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(report)
        for line in report.ratio_tables(session.benchmarks):
            terminalreporter.write_line(line)
