"""The compiled module of rows at the CPU level in use."""

from typing import TYPE_CHECKING

from gamecore import kernels

if TYPE_CHECKING:
    from gamecore.kernels.baseline import rows as kernel
else:
    kernel = kernels.kernel("rows")

__all__ = ["kernel"]
