"""Sources of random numbers: reads an argument ``rng`` as SPEC 7 of Scientific Python has it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from gamecore.errors import OptionError
from gamecore.text import checked_integer, is_integer, printable

if TYPE_CHECKING:
    import numpy as np

    Rng: TypeAlias = (
        int | np.integer | Sequence[int] | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None
    )


def generator(rng: "Rng" = None) -> "np.random.Generator":
    """Return a NumPy generator: ``rng`` itself if it is one, else a new one seeded by it.

    Args:
        rng: None (fresh entropy), an integer of at least 0, a sequence of such integers, a ``SeedSequence``, a
            ``BitGenerator`` or a ``Generator``. The last two are advanced.

    Raises:
        OptionError: anything else.
    """
    import numpy as np

    if _is_source(rng):
        with suppress(TypeError, ValueError):
            return np.random.default_rng(rng)
    sources = "None, an integer of at least 0, a sequence of them, a SeedSequence, a BitGenerator or a Generator"
    raise OptionError(f"rng must be {sources}, not {printable(rng)}", "rng")


def seed_of(rng: "Rng" = None) -> int:
    """Return a seed below 2**64 for a kernel's streams: an integer itself, or one drawn from any other ``rng``.

    Raises:
        OptionError: not an ``rng``, or an integer of 2**64 and more.
    """
    if is_integer(rng):
        return checked_integer(rng, "rng", 0, (1 << 64) - 1)
    return int(generator(rng).integers(0, 1 << 64, dtype="uint64"))


def _is_source(rng: object) -> bool:
    """Return True for what NumPy may see: NumPy's own sources, an integer, or a flat sequence of integers.

    NumPy's ``SeedSequence`` descends into nested sequences without an end, which crashes on a list in itself.
    """
    import numpy as np

    if rng is None or isinstance(rng, (np.random.SeedSequence, np.random.BitGenerator, np.random.Generator)):
        return True
    if isinstance(rng, np.ndarray):
        return rng.ndim <= 1 and rng.dtype.kind in "iu"
    if isinstance(rng, Sequence) and not isinstance(rng, (str, bytes, bytearray)):
        return all(map(is_integer, rng))
    return is_integer(rng)
