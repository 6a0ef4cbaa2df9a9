"""The garbage collector and the master's tree: scanning it repeatedly would take nearly half of the master's time."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

PYTHONS_OWN: Final = 1000  #: CPython 3.12 begins with some hundred frozen objects; a caller's gc.freeze() has thousands


@contextmanager
def long_lived() -> Iterator[Callable[[], object]]:
    """Yield a function that hides all objects from the collector until the end of the block.

    It does nothing if the collector is off or the caller has frozen objects.
    """
    if not gc.isenabled() or gc.get_freeze_count() >= PYTHONS_OWN:
        yield lambda: None
        return

    def set_aside() -> None:
        gc.collect(1)  # young garbage is not hidden
        gc.freeze()

    try:
        yield set_aside
    finally:
        gc.unfreeze()
