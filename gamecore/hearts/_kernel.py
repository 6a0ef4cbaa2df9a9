"""The compiled kernel at the level in use, and calls of it that limits, Ctrl-C and batches can stop."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gamecore import kernels
from gamecore.batch.workers import stoppable
from gamecore.limits import KernelLimits

__all__ = ["controlled", "kernel"]

if TYPE_CHECKING:
    from gamecore.kernels.baseline import hearts as kernel
else:
    kernel = kernels.kernel("hearts")

_NONE = KernelLimits(-1.0, 0, 1)


@contextmanager
def controlled(limits: KernelLimits = _NONE) -> "Iterator[kernel.Control]":
    """A Control for kernel calls: holds the limits; cancelling the batch stops it."""
    control = kernel.Control(limits.seconds, limits.nodes)
    with stoppable(control.stop):
        yield control
