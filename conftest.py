"""``pytest --benchmark``: run the benchmark suites and compare the versions; ``--slow``: the large ones too.

Plain ``pytest`` runs the unit tests alone. All of pytest-benchmark's own ``--benchmark-*`` options still work.
"""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
SUITES = ROOT / "benchmarks"
BASELINE = pytest.StashKey()


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
    tool = _suites_tool("baseline")
    try:
        path = tool.last_saved()
        config.stash[BASELINE] = tool.read_baseline(path) if path else None
    except tool.GamecoreError as error:
        pytest.exit(f"the last saved baseline: {error}", returncode=2)


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
    """End a ``--benchmark`` run with the table of ratios, and of verdicts against the last saved baseline."""
    session = getattr(config, "_benchmarksession", None)
    if not config.getoption("--benchmark") or session is None or not session.benchmarks:
        return
    tool = _suites_tool("baseline")
    records = tool.report.of_session(session.benchmarks)
    then = config.stash.get(BASELINE, None)
    if then is None:
        notes, verdicts, against = ["no baseline is saved (make baseline): no verdicts"], {}, None
    else:
        now = tool.this_run(records, [])
        difference = tool.other_machine(now, then)
        notes = [f"baseline {then.version} is of another {difference}: compared by ratios only"] if difference else []
        verdicts, against = tool.verdicts(tool.compare(now, then)), then.version
    for line in [*tool.report.ratio_tables(records, verdicts, against), "", *notes]:
        terminalreporter.write_line(line)


def _suites_tool(name):
    """A module of benchmarks/, which is no package."""
    spec = importlib.util.spec_from_file_location(f"gamecore_benchmark_{name}", SUITES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
