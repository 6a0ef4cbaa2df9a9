"""The garbage collector and the master's tree.

A tree of millions of objects lives as long as its run. Without :class:`LongLived` the collector scans it repeatedly,
which takes nearly half of the master's time.
"""

import gc
from typing import Final, Self

PYTHONS_OWN: Final = 1000  #: CPython 3.12 begins with some hundred frozen objects; a caller's gc.freeze() has thousands


class LongLived:
    """A context in which :meth:`set_aside` hides objects from the collector (``gc.freeze``).

    It does nothing if the collector is off or the caller has frozen objects.
    """

    def __enter__(self) -> Self:
        self._works = gc.isenabled() and gc.get_freeze_count() < PYTHONS_OWN
        return self

    def __exit__(self, *_: object) -> None:
        if self._works:
            gc.unfreeze()

    def set_aside(self) -> None:
        """Hide all existing objects, after a collection of young garbage."""
        if self._works:
            gc.collect(1)
            gc.freeze()
