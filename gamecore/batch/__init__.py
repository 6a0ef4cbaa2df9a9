"""Many items over threads, or over any ``concurrent.futures.Executor``: the engine under every ``solve_many``.

:func:`run` and :func:`imap` do it for a function of your own::

    from gamecore import batch, hearts
    batch.run(hearts.solve, rounds, workers=2)                        # threads
    with ProcessPoolExecutor() as pool:
        batch.run(hearts.evaluate_moves, views, executor=pool)        # processes, loky, Dask: anything with submit()

Items are sent in chunks that take about 0.4 s each; only a few chunks per worker are read ahead. Answers come back in
order and do not depend on workers, executor or chunks; ``nodes`` and ``seconds`` may, where a function says so.

The executor does retries, scheduling and transport. If it dies, the batch ends with a :class:`BatchError`.
"""

from typing import TYPE_CHECKING

from gamecore.batch.progress import Progress
from gamecore.batch.stream import OnError, Plan
from gamecore.batch.workers import is_cancelled
from gamecore.errors import BatchError
from gamecore.lazy import lazy_names

if TYPE_CHECKING:
    from gamecore.batch.spec import imap, run

__all__ = ["BatchError", "OnError", "Plan", "Progress", "imap", "is_cancelled", "run"]

__getattr__, __dir__ = lazy_names(__name__, {"spec": ("imap", "run")}, __all__)
