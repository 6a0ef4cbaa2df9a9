"""Many items over threads, or over any ``concurrent.futures.Executor``: the engine under every ``solve_many``.

:func:`run` and :func:`imap` do it for a function of your own::

    from gamecore import batch, hearts
    batch.run(hearts.solve, rounds, workers=2)                        # threads
    with ProcessPoolExecutor() as pool:
        batch.run(hearts.evaluate_moves, views, executor=pool)        # processes, loky, Dask: anything with submit()

Items go out in chunks whose size follows what they take, so that a task runs for about 0.4 s (0.1 to 1 s; shorter near
the end of a batch whose length is known, so that no worker waits long for the last one). A few chunks a worker are
under way at a time, and no more is read of the items than that. Answers come back in order. They do not depend on
workers, executor or chunks; ``nodes`` and ``seconds`` may where a function says so.

Retries, scheduling and transport are the executor's. One that dies ends the batch with a :class:`BatchError`. What the
handler of a signal raises comes out of a batch unchanged; a batch still running when the process ends is cancelled.
"""

from gamecore.batch.plan import OnError, Plan, Progress
from gamecore.batch.tasks import imap, run
from gamecore.batch.workers import is_cancelled
from gamecore.errors import BatchError

__all__ = ["BatchError", "OnError", "Plan", "Progress", "imap", "is_cancelled", "run"]


def __dir__() -> list[str]:
    return __all__
