"""Threads of one search."""

from typing import Final

from gamecore.text import checked_integer

MAX_THREADS: Final = 64
ALONE_NODES: Final = 100_000  #: shorter searches end before threads have started


def check_threads(threads: object) -> None:
    """Raise OptionError unless ``threads`` is an integer from 1 to 64."""
    checked_integer(threads, "threads", 1, MAX_THREADS)


def nodes_alone(nodes: int, threads: int) -> int:
    """Return the node limit of a search's first, single-threaded part; it is the whole limit if no threads follow.

    ``nodes`` is the limit of the whole search, 0: none.
    """
    return nodes if threads == 1 or 0 < nodes <= ALONE_NODES else ALONE_NODES
