"""``pytest --benchmark``: run the benchmark suites and compare the versions; ``--slow``: the large ones too.

Plain ``pytest`` runs the unit tests alone. All of pytest-benchmark's own ``--benchmark-*`` options still work: its own
table is shown when one of them asks for it (``--benchmark-columns``, ``--benchmark-compare``, ...).
"""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
SUITES = ROOT / "benchmarks"
OWN_TABLE = ("columns", "sort", "group-by", "name", "time-unit", "histogram", "compare", "verbose", "cprofile")
FOUND = pytest.StashKey()  # what a run found: register, missing, added, watch


def pytest_addoption(parser):
    """Add our options."""
    group = parser.getgroup("gamecore")
    group.addoption("--benchmark", action="store_true", help="run the benchmark suites (and no unit tests)")
    group.addoption("--slow", action="store_true", help="run the large benchmarks too")
    group.addoption("--plot", metavar="DIR", type=Path, help="draw time against size, a picture a game, into DIR")


def pytest_configure(config):
    """Point a ``--benchmark`` run that names no files at the suites, and measure processor time beside wall time."""
    if not config.getoption("--benchmark"):
        if config.getoption("--plot"):
            raise pytest.UsageError("--plot draws what --benchmark has measured")
        return
    sys.path.insert(0, str(SUITES))
    from comparing import clock, register

    config.option.benchmark_only = True
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(SUITES)]
    given = " ".join(config.invocation_params.args)
    if not any(f"--benchmark-{name}" in given for name in OWN_TABLE):
        config.option.benchmark_quiet = True
    if "--benchmark-timer" not in given:
        config.option.benchmark_timer = "comparing.clock.both"
    if "--benchmark-min-time" not in given:
        config.option.benchmark_min_time = "0.0005"  # a round of a short benchmark, beside which two clocks are nothing
    try:
        config.stash[FOUND] = {"register": register.read(), "missing": [], "added": [], "watch": clock.Watch()}
    except register.GamecoreError as error:
        pytest.exit(str(error), returncode=2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave large benchmarks out unless they are asked for; add the references that a narrowed run needs."""
    everything = list(items)
    large = [item for item in items if SUITES in item.path.parents and item.get_closest_marker("slow")]
    if large and not config.getoption("--slow"):
        config.hook.pytest_deselected(items=large)
        items[:] = [item for item in items if item not in large]
    allowed = list(items)
    result = yield
    found = config.stash.get(FOUND, None)
    if found is None or any("::" in name for name in config.args):
        return result
    from comparing import register

    names = {item.nodeid for item in everything}
    files = {item.nodeid.partition("::")[0] for item in everything}
    if len(config.args) == 1 and Path(config.args[0]) == SUITES:
        files |= {name.partition("::")[0] for name in found["register"]}
    found["missing"] = register.missing(found["register"], names, files)
    needed = register.needed(found["register"], (item.nodeid for item in items))
    found["added"] = [item for item in allowed if item.nodeid in needed and item not in items]
    items += found["added"]
    return result


@pytest.fixture(autouse=True)
def _watched(request):
    """Note the processor time of a benchmark's rounds, and what else was running."""
    if FOUND not in request.config.stash or "benchmark" not in request.fixturenames:
        yield
        return
    from comparing import clock

    benchmark, watch = request.getfixturevalue("benchmark"), clock.Watch()
    yield
    data = benchmark.stats.stats.data if benchmark.stats else []
    if data and request.config.option.benchmark_timer == "comparing.clock.both":
        times = sorted(clock.cpu_of_last(len(data)))
        load = watch.load()
        benchmark.extra_info["cpu"] = times[len(times) // 2] / benchmark.stats.iterations
        benchmark.extra_info["preempted"] = round(load.preempted, 1)
        benchmark.extra_info["others"] = None if load.others is None else round(load.others, 2)
        benchmark.extra_info["loaded"] = load.seconds > 1 and load.too_much  # /proc/stat counts hundredths


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_machine_info(config, machine_info):
    """Say which build this is, and not whose machine."""
    if FOUND in config.stash:
        from comparing import machine

        machine.add_to(machine_info)


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_json(config, output_json):
    """Say what was missing."""
    if FOUND in config.stash:
        load = config.stash[FOUND]["watch"].load()
        output_json["gamecore"] = {
            "missing": config.stash[FOUND]["missing"],
            "loaded": load.too_much,
            "load": str(load),
        }


def pytest_sessionfinish(session):
    """A benchmark whose work has changed, or that is missing, fails the run."""
    found, run = session.config.stash.get(FOUND, None), getattr(session.config, "_benchmarksession", None)
    if found is None or run is None:
        return
    from comparing import judging, records

    found["records"] = records.of_session(run.benchmarks)
    found["verdicts"] = judging.work(found["records"], found["register"])
    bad = [one for one in found["verdicts"].values() if one.bad]
    if session.exitstatus == 0 and (bad or found["missing"]):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """End a ``--benchmark`` run with a table a group, and what was missing or has changed."""
    found = config.stash.get(FOUND, None)
    if not found or not found.get("records"):
        return
    from comparing import plot, register, report

    lines = report.group_tables(found["records"].values(), found["verdicts"], "against benchmarks/counts.json")
    lines += ["", f"{len(found['records'])} benchmarks; {found['watch'].load()}"]
    if found["added"]:
        lines.append(f"{len(found['added'])} references were added, which the chosen benchmarks are measured by")
    lines += [f"MISSING  {name} (renamed? {register.ACCEPT} after a full run)" for name in found["missing"]]
    lines += [f"{one.name}: {one.text}" for one in found["verdicts"].values()]
    if found["verdicts"]:
        lines.append(f"if that was meant: {register.ACCEPT}, and say why in the change")
    for line in lines:
        terminalreporter.write_line(line)
    if config.option.plot:
        for path in plot.by_size(found["records"].values(), config.option.plot):
            terminalreporter.write_line(f"drawn: {path}")
