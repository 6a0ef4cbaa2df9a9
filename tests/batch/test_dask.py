"""Batches on a Dask cluster of two worker processes: one is killed in the middle, and nothing is missing."""

import os
import signal

import pytest

from gamecore import batch, duel, hearts

pytestmark = pytest.mark.nightly


def deals(**how):
    many = duel.solve_many([duel.deal(12, rng=seed) for seed in range(2000)], **how)
    return many.nodes.tolist(), [(item.lower, item.upper, item.best_moves, item.line) for item in many]


def rounds(**how):
    return hearts.simulate(["random"] * 4, 10_000_000, 7, **how).points.tobytes()


@pytest.mark.parametrize(("task", "after"), [(deals, 100), (rounds, 1_000_000)])
def test_a_worker_is_killed(dask, task, after):
    with dask(2) as client:
        pids, executor = list(client.run(os.getpid).values()), client.get_executor()
        assert batch.Plan(executor=executor).parallel() == len(pids) == 2

        def kill(done, total):
            if pids and done >= after:
                os.kill(pids[0], signal.SIGKILL)
                pids.clear()
                assert done < total, "too late to be in the middle"

        assert task(executor=executor, progress=kill) == task()
        assert not pids
        assert batch.run(abs, range(-500, 500), executor=executor) == [abs(x) for x in range(-500, 500)]
