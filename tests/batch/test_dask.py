"""Batches on a Dask cluster of two worker processes: one is killed in the middle, and nothing is missing."""

import os
import signal
import time

import pytest
from batch_tasks import square

from gamecore import batch, duel, hearts
from gamecore.errors import BatchError


@pytest.fixture(scope="module")
def client(dask):
    with dask(2) as client:
        yield client


class Killer:
    """A progress function that kills one worker process after this many items."""

    def __init__(self, client, after):
        client.wait_for_workers(2, timeout=60)
        self.pids = list(client.run(os.getpid).values())
        self.after = after

    def __call__(self, done, total):
        if self.pids and done >= self.after:
            os.kill(self.pids[0], signal.SIGKILL)
            self.pids = None
            assert done < total, "too late to be in the middle"


def deals(how):
    many = duel.solve_many([duel.deal(12, rng=seed) for seed in range(2000)], **how)
    return many.nodes.tolist(), [(item.lower, item.upper, item.best_moves, item.line) for item in many]


def rounds(how):
    return hearts.simulate(["random"] * 4, 10_000_000, 7, **how).points.tobytes()


@pytest.mark.parametrize(("task", "after"), [(deals, 100), (rounds, 1_000_000)])
def test_a_worker_is_killed(client, task, after):
    killer = Killer(client, after)
    assert task({"executor": client.get_executor(), "progress": killer}) == task({})
    assert killer.pids is None


def test_a_function_and_how_wide_the_cluster_is(client):
    executor = client.get_executor()
    for _ in range(600):  # one that was killed may still be counted, and then be missing until it comes back
        if batch.Plan(executor=executor).parallel() == 2 == len(client.run(os.getpid, on_error="ignore")):
            break
        time.sleep(0.1)
    assert batch.Plan(executor=executor).parallel() == 2
    assert batch.run(abs, range(-500, 500), executor=executor) == [abs(x) for x in range(-500, 500)]


def test_a_cluster_that_goes_away(dask):
    with dask(1, processes=False) as client:

        def close(done, _):
            if done >= 100:
                client.close()

        with pytest.raises(BatchError, match="the executor failed") as caught:
            batch.run(square, range(10**6), executor=client.get_executor(), progress=close)
    assert 100 <= caught.value.index < 10**6
    assert caught.value.done == [x * x for x in range(caught.value.index)]
