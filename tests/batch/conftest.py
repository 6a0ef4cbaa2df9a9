"""Executors for the tests of batches. This folder is on the path: worker processes import ``batch_tasks`` by name."""

import importlib.util
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def pools():
    """Executors of other processes."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        loky = importlib.import_module("joblib.externals.loky") if importlib.util.find_spec("joblib") else None
        yield [pool] if loky is None else [pool, loky.get_reusable_executor(max_workers=2)]
