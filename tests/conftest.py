"""What all tests share."""

import contextlib
import json
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from oracles import build  # pytest's pythonpath has this folder

from gamecore import kernels

# No test asserts a time; under sanitizers everything is slow, and that is no news.
SLOW = {"suppress_health_check": list(HealthCheck), "max_examples": 20}
settings.register_profile("here", deadline=None, **(SLOW if "GAMECORE_SANITIZED" in os.environ else {}))
settings.load_profile("here")

# A shell that runs something in the background has it ignore SIGINT, and children inherit that: interruption is tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

DATA = Path(__file__).parent / "data"


def pytest_terminal_summary(terminalreporter):
    """Say which levels of a kernel no test has seen: after a build of one level, those below it."""
    from oracles.checks import answering

    for name in kernels.NAMES:
        missing = [level for level in kernels.available_levels() if level not in answering(name)]
        if missing:
            terminalreporter.line(f"left out: {name} at {', '.join(missing)}, where it is not built", yellow=True)


@pytest.fixture(scope="session")
def data():
    """Load one of the oracle files of tests/data by name."""

    def load(name):
        return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))

    return load


@pytest.fixture(scope="session")
def oracle():
    """Skip tests of the independent solvers of tests/oracles where there is no C compiler."""
    if build.compiler() is None:
        pytest.skip("the oracles need a C compiler, and none is installed")


@pytest.fixture(scope="session")
def dask():
    """Open a Dask cluster on this machine: a context that gives its client."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")

    @contextlib.contextmanager
    def opened(workers, *, threads=1, processes=True):
        with (
            distributed.LocalCluster(
                n_workers=workers, threads_per_worker=threads, processes=processes, dashboard_address=":0",
                silence_logs=50,
            ) as cluster,
            distributed.Client(cluster) as client,
        ):  # fmt: skip
            client.wait_for_workers(workers, timeout=60)
            yield client

    return opened
