"""``pytest --benchmark``: run the benchmark suites and compare the versions; ``--slow``: the large ones too.

``--counts=check`` runs each benchmark once that ``benchmarks/counts.json`` holds a count or a checksum of, and compares
these; ``--counts=write`` runs all once and writes the file.

Plain ``pytest`` runs the unit tests alone. All of pytest-benchmark's own ``--benchmark-*`` options still work: its own
table is shown when one of them asks for it (``--benchmark-columns``, ``--benchmark-compare``, ...).
"""

import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
SUITES = ROOT / "benchmarks"
OWN_TABLE = ("columns", "sort", "group-by", "name", "time-unit", "histogram", "compare", "verbose", "cprofile")
FOUND = pytest.StashKey()  # what a run found: register, stale, unknown, left_out, added, watch


def pytest_addoption(parser):
    """Add our options."""
    group = parser.getgroup("gamecore")
    group.addoption("--benchmark", action="store_true", help="run the benchmark suites (and no unit tests)")
    group.addoption("--slow", action="store_true", help="run the large benchmarks too")
    group.addoption("--counts", choices=("check", "write"), help="run once, untimed, and check or write counts.json")
    group.addoption("--plot", metavar="DIR", type=Path, help="draw time against size, a picture a game, into DIR")


def pytest_configure(config):
    """Point a ``--benchmark`` run that names no files at the suites, and measure processor time beside wall time."""
    config.addinivalue_line("markers", "one_level: long; --counts=check runs it at the highest CPU level alone")
    if not config.getoption("--benchmark"):
        if config.getoption("--plot") or config.getoption("--counts"):
            raise pytest.UsageError("--plot and --counts need --benchmark")
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
    if config.option.counts:
        config.option.benchmark_min_rounds, config.option.benchmark_max_time = 1, "0"
    found = {"stale": [], "unknown": [], "left_out": Counter(), "added": []}
    try:
        config.stash[FOUND] = {**found, "register": register.read(), "watch": clock.Watch()}
    except register.GamecoreError as error:
        pytest.exit(str(error), returncode=2)
    if not config.option.counts:
        config.pluginmanager.register(Progress(config))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out large and uncounted benchmarks; add the references that a narrowed run needs; compare the names."""
    everything = list(items)
    large = [item for item in items if SUITES in item.path.parents and item.get_closest_marker("slow")]
    if large and not config.getoption("--slow"):
        config.hook.pytest_deselected(items=large)
        items[:] = [item for item in items if item not in large]
    allowed = list(items)
    result = yield
    found = config.stash.get(FOUND, None)
    if found is None:
        return result
    from comparing import register

    known = found["register"]
    names = [item.nodeid for item in everything if "benchmark" in item.fixturenames]
    found["unknown"] = [name for name in names if name not in known]
    if config.option.counts == "check":
        why = {
            item: register.unchecked(known[item.nodeid], item.get_closest_marker("one_level") is not None)
            for item in items
            if item.nodeid in known
        }
        found["left_out"].update(filter(None, why.values()))
        config.hook.pytest_deselected(items=[item for item in items if why.get(item)])
        items[:] = [item for item in items if not why.get(item)]
    found["planned"] = len(items)
    if any("::" in name for name in config.args):
        return result
    files = {item.nodeid.partition("::")[0] for item in everything}
    if len(config.args) == 1 and Path(config.args[0]) == SUITES:
        files |= {name.partition("::")[0] for name in known}
    found["stale"], left_out = register.absent(known, names, files)
    found["left_out"].update(left_out)
    if not config.option.counts:
        needed = register.needed(known, (item.nodeid for item in items))
        found["added"] = [item for item in allowed if item.nodeid in needed and item not in items]
        items += found["added"]
    found["planned"] = len(items)
    return result


@pytest.fixture(autouse=True)
def _watched(request):
    """Note the processor time of a benchmark's rounds, and what else was running."""
    if FOUND not in request.config.stash or "benchmark" not in request.fixturenames:
        yield
        return
    from comparing import clock

    benchmark, watch = request.getfixturevalue("benchmark"), clock.Watch()
    if request.config.option.counts:
        timed = benchmark.pedantic
        benchmark.pedantic = lambda *args, **options: timed(*args, **{**options, "rounds": 1, "warmup_rounds": 0})
    yield
    data = benchmark.stats.stats.data if benchmark.stats else []
    if data and request.config.option.benchmark_timer == "comparing.clock.both":
        times = sorted(clock.cpu_of_last(len(data)))
        load = watch.load()
        benchmark.extra_info["cpu"] = times[len(times) // 2] / benchmark.stats.iterations
        benchmark.extra_info["preempted"] = round(load.preempted, 1)
        benchmark.extra_info["others"] = None if load.others is None else round(load.others, 2)
        benchmark.extra_info["loaded"] = load.seconds > 1 and load.too_much  # /proc/stat counts hundredths
    if benchmark.stats and not request.config.option.counts:
        from comparing import report

        found = request.config.stash[FOUND]
        found["done"] = found.get("done", 0) + 1
        version = benchmark.extra_info.get("version", request.node.name)
        median = report.duration(benchmark.stats.stats.median / benchmark.extra_info.get("work", 1))
        found["line"] = f"{found['done']:4} of {found['planned']}  {median:>8}  {benchmark.group}: {version}"


class Progress:
    """Prints a line after each benchmark, in place of pytest's dot."""

    def __init__(self, config):
        self.config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report):
        """Leave the dot out."""
        return ("passed", "", "PASSED") if report.when == "call" and report.passed else None

    def pytest_runtest_logreport(self, report):
        """Print what the benchmark took."""
        line = self.config.stash[FOUND].pop("line", None) if report.when == "teardown" else None
        if line is not None:
            self.config.pluginmanager.get_plugin("terminalreporter").write_line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_machine_info(config, machine_info):
    """Say which build this is, and not whose machine."""
    if FOUND in config.stash:
        from comparing import machine

        machine.add_to(machine_info)


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_json(config, output_json):
    """Say which entries are stale."""
    if FOUND in config.stash:
        load = config.stash[FOUND]["watch"].load()
        output_json["gamecore"] = {
            "missing": config.stash[FOUND]["stale"],
            "loaded": load.too_much,
            "load": str(load),
        }


def pytest_sessionfinish(session):
    """Fail if work has changed, or if the benchmarks are not those of the register; or write the register."""
    found, run = session.config.stash.get(FOUND, None), getattr(session.config, "_benchmarksession", None)
    if found is None or run is None:
        return
    from comparing import judging, records, register

    counts, known = session.config.option.counts, found["register"]
    found["records"] = records.of_session(run.benchmarks)
    found["verdicts"] = judging.work(found["records"], known)
    if session.exitstatus:
        return
    if counts == "write":
        kept = {name: entry for name, entry in known.items() if name not in found["stale"]}
        register.write({**kept, **{name: register.entry(one) for name, one in found["records"].items()}})
    elif found["stale"] or found["unknown"] or any(one.bad or counts == "check" for one in found["verdicts"].values()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """End a ``--benchmark`` run with a table a group, and what was missing or has changed."""
    found = config.stash.get(FOUND, None)
    if not found or "records" not in found:
        return
    from comparing import plot, register, report

    from gamecore import kernels

    measured, counts = found["records"], config.option.counts
    if counts:
        lines = ["", f"{sum(len(one.exact) for one in measured.values())} counts at CPU level {kernels.level()}"]
    else:
        lines = report.group_tables(measured.values(), found["verdicts"], "against benchmarks/counts.json")
        lines += ["", f"{len(measured)} benchmarks; {found['watch'].load()}"]
    if found["added"]:
        lines.append(f"{len(found['added'])} references were added, which the chosen benchmarks are measured by")
    lines += [f"left out: {count} that {why}" for why, count in found["left_out"].items()]
    different = [f"STALE ENTRY  {name}: there is no such benchmark" for name in found["stale"]]
    different += [f"NO ENTRY  {name}: counts.json lacks it" for name in found["unknown"]]
    different += [f"{one.name}: {one.text}" for one in found["verdicts"].values()]
    lines += different
    if different and counts != "write":
        lines.append(f"if that was meant: {register.ACCEPT}, and say why in the change")
    for line in lines:
        terminalreporter.write_line(line)
    if config.option.plot:
        for path in plot.by_size(found["records"].values(), config.option.plot):
            terminalreporter.write_line(f"drawn: {path}")
