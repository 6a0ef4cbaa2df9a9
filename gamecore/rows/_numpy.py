"""NumPy, or where it is not installed a stand-in for what single rows need."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
else:
    try:
        import numpy as np
    except ModuleNotFoundError:
        from gamecore.rows import _arrays as np

__all__ = ["np"]
