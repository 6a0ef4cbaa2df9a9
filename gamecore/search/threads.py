"""Threads of one search, and portions of its time."""

import time
from collections.abc import Iterator
from typing import Final

from gamecore.errors import OptionError
from gamecore.text import printable

MAX_THREADS: Final = 64
ALONE_NODES: Final = 100_000  #: shorter searches end before threads have started
_SHORTEST: Final = 0.001  # seconds of a portion


def check_threads(threads: object) -> None:
    """Raise OptionError unless ``threads`` is an integer from 1 to 64."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise OptionError(f"threads must be an integer from 1 to {MAX_THREADS}, not {printable(threads)}")


def nodes_alone(nodes: int, threads: int) -> int:
    """Return the node limit of a search's first, single-threaded part; it is the whole limit if no threads follow.

    Args:
        nodes: limit of the whole search; 0: none.
        threads: number of threads that share its table.
    """
    return nodes if threads == 1 or 0 < nodes <= ALONE_NODES else ALONE_NODES


def portions(seconds: float, count: int) -> Iterator[float]:
    """Divide ``seconds``, starting now, among ``count`` sequential searches.

    Each gets an equal part of the time left when it begins, and at least a millisecond.
    """
    end = time.perf_counter() + seconds
    for rest in range(count, 0, -1):
        yield max(_SHORTEST, (end - time.perf_counter()) / rest)
