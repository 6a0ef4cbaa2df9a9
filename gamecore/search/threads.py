"""One search in several threads that share a table; the table grows in pauses between legs."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from gamecore import contract
from gamecore.batch.workers import is_cancelled
from gamecore.errors import OptionError
from gamecore.text import printable

MAX_THREADS: Final = 64
ALONE_NODES: Final = 100_000  #: shorter searches end before threads have started
_SHORTEST: Final = 0.001  # seconds of a portion

Found = TypeVar("Found", bound=contract.Solution[Any, Any])


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


def search_together(
    solution: Found,
    deadline: float | None,
    nodes: int,
    threads: int,
    leg: Callable[[Found, float, int], Found],
    goes_on: Callable[[Found], bool],
) -> Found:
    """Continue a search that one thread began, in legs: a leg ends when the table must grow.

    Args:
        solution: the result so far, with its nodes.
        deadline: of ``time.perf_counter``.
        nodes: limit of all threads together, including those of ``solution``; 0: none.
        leg: searches in all threads; takes the result so far, seconds (below 0: no limit) and nodes per thread (0: no
            limit), and returns the new result with the nodes of all legs.
        goes_on: returns True if another leg follows a result.
    """
    while True:
        left = -1.0 if deadline is None else max(0.0, deadline - time.perf_counter())
        share = (nodes - solution.nodes) // threads
        if left == 0 or (nodes and share <= 0) or is_cancelled():
            return solution
        solution = leg(solution, left, share if nodes else 0)
        if is_cancelled() or not goes_on(solution):
            return solution
