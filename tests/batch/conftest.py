"""Executors for the tests of batches. This folder is on the path: worker processes import ``batch_tasks`` by name."""

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
        try:
            from joblib.externals.loky import get_reusable_executor
        except ImportError:
            yield [pool]
        else:
            yield [pool, get_reusable_executor(max_workers=2)]
