"""The benchmarks' hooks: the work of each must be what ``counts.json`` says.

A benchmark describes itself by ``benchmark.group`` and ``benchmark.extra_info``:

    group         game, task, size and inputs by seed, so that the figure can be made again: "duel n=8, 5 random deals"
                  where deal k of family F has the seed "F-n-k". Versions of one group answer the same question, and the
                  benchmark asserts that they answer it alike.
    "version"     the label in plots: "alpha-beta", "native", "numba". Default: the test's name.
    "work"        units of work in a round, where versions of a group do different amounts. Default: 1.
    "nodes", "replacements", "checksum"   work that is the same on every machine: compared exactly.

Benchmarks of references and of other libraries are marked ``one_level``: no kernel of ours is in them.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gamecore import kernels

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from comparing import plot, register  # noqa: E402


@dataclass
class Run:
    """What a run has collected and measured.

    Attributes:
        register: the contents of counts.json.
        measured: the new counts, by name.
        points: what ``--plot`` draws.
        stale: names in counts.json without a benchmark.
        left_out: the number of benchmarks that ``--counts=check`` leaves out, by reason.
    """

    register: dict = field(default_factory=dict)
    measured: dict = field(default_factory=dict)
    points: list = field(default_factory=list)
    stale: list = field(default_factory=list)
    left_out: Counter = field(default_factory=Counter)


RUN = pytest.StashKey[Run]()


def pytest_configure(config):
    """Begin a run."""
    config.stash[RUN] = Run()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Read counts.json; deselect large benchmarks and what ``--counts=check`` cannot check; find stale entries."""
    run = config.stash[RUN]
    try:
        run.register = register.read()
    except register.GamecoreError as error:
        pytest.exit(str(error), returncode=2)
    names = {item.nodeid for item in items}
    files = {name.partition("::")[0] for name in names}
    is_whole = [Path(argument) for argument in config.args] == [HERE]
    if not any("::" in argument for argument in config.args):
        stale = [name for name in run.register if name not in names]
        run.stale = [name for name in stale if is_whole or name.partition("::")[0] in files]
    dropped = [item for item in items if item.get_closest_marker("slow") and not config.option.slow]
    highest = kernels.available_levels()[-1]
    for item in items if config.option.counts == "check" else ():
        reason = "count nothing" if item.nodeid not in run.register else ""
        if not reason and kernels.level() != highest and item.get_closest_marker("one_level"):
            reason = f"are checked at {highest} alone"
        if reason and item not in dropped:
            run.left_out[reason] += 1
            dropped.append(item)
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Fail a benchmark whose work differs from its entry."""
    benchmark = getattr(item, "funcargs", {}).get("benchmark")
    if benchmark is None:
        return (yield)
    run, counts = item.config.stash[RUN], item.config.option.counts
    if counts:
        timed = benchmark.pedantic
        benchmark.pedantic = lambda *args, **options: timed(*args, **{**options, "rounds": 1, "warmup_rounds": 0})
    result = yield
    run.measured[item.nodeid] = register.counts(benchmark.extra_info)
    if benchmark.stats and not counts:
        run.points.append(plot.point(item, benchmark))
    changes = register.changes(run.register.get(item.nodeid, {}), run.measured[item.nodeid])
    if changes and counts != "write":
        pytest.fail(f"{'; '.join(changes)}\nif that was meant: make accept, and say why in the change", False)
    return result


def pytest_sessionfinish(session):
    """Write counts.json, or fail a run with stale entries."""
    run, counts = session.config.stash[RUN], session.config.option.counts
    if counts == "write" and not session.exitstatus:
        kept = {name: entry for name, entry in run.register.items() if name not in run.stale}
        register.write({**kept, **run.measured})
    elif run.stale and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """Say what was compared, what was left out, what is stale; draw the plots."""
    run = config.stash[RUN]
    compared = sum(map(len, run.measured.values()))
    lines = [] if config.option.benchmark_compare else plot.tables(run.points)
    lines += ["", f"{compared} counts at CPU level {kernels.level()}: {', '.join(kernels.build_info().kernels)}"]
    lines += [f"left out: {number} that {reason}" for reason, number in run.left_out.items()]
    lines += [f"STALE ENTRY  {name}: there is no such benchmark" for name in run.stale]
    if config.option.plot:
        lines += [f"drawn: {path}" for path in plot.by_size(run.points, config.option.plot)]
    for line in lines:
        terminalreporter.write_line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_machine_info(machine_info):
    """Save the build with a run, and leave out the machine's name."""
    machine_info.pop("node", None)
    machine_info["gamecore"] = str(kernels.build_info())
