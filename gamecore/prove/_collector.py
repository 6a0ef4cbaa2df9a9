"""The master's objects and Python's garbage collector.

A tree of millions of objects lives as long as its run, and the collector would look at all of them again and again:
nearly half of the master's time. So what is there is set aside (``gc.freeze``) every now and then, until the run ends.
"""

import gc
from typing import Self


class LongLived:
    """While it is open, what is set aside is not looked at by the garbage collector; reference counts work as ever.

    It does nothing where the caller has switched the collector off or has set objects aside on his own.
    """

    def __enter__(self) -> Self:
        self._works = gc.isenabled() and gc.get_freeze_count() == 0
        return self

    def __exit__(self, *_: object) -> None:
        if self._works:
            gc.unfreeze()

    def set_aside(self) -> None:
        """All objects that are there now, but for garbage that is young."""
        if self._works:
            gc.collect(1)
            gc.freeze()
