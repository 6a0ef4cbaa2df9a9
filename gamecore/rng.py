"""Sources of random numbers: reads an argument ``rng`` as SPEC 7 of Scientific Python has it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from gamecore.errors import OptionError
from gamecore.text import checked_integer, is_integer, printable

if TYPE_CHECKING:
    import numpy as np

    Rng: TypeAlias = (
        int | np.integer | Sequence[int] | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None
    )

_TEXTS: Final = (str, bytes, bytearray)  # sequences that are no seeds


def generator(rng: "Rng" = None) -> "np.random.Generator":
    """Return a NumPy generator: ``rng`` itself if it is one, else a new one seeded by it.

    Args:
        rng: None (fresh entropy), an integer of at least 0, a sequence of such integers, a ``SeedSequence``, a
            ``BitGenerator`` or a ``Generator``. The last two are advanced.

    Raises:
        OptionError: anything else.
    """
    import numpy as np

    sources = (np.random.SeedSequence, np.random.BitGenerator, np.random.Generator)
    with suppress(TypeError, ValueError):
        if rng is None or isinstance(rng, sources) or is_integer(rng):
            return np.random.default_rng(rng)
        # Flat sequences only: NumPy descends into nested ones without an end, and crashes on a list in itself.
        if isinstance(rng, (Sequence, np.ndarray)) and not isinstance(rng, _TEXTS) and all(map(is_integer, rng)):
            return np.random.default_rng(rng)
    expected = "None, an integer of at least 0, a sequence of them, a SeedSequence, a BitGenerator or a Generator"
    raise OptionError(f"rng must be {expected}, not {printable(rng)}")


def seed_of(rng: "Rng" = None) -> int:
    """Return a seed below 2**64 for a kernel's streams: an integer itself, or one drawn from any other ``rng``.

    Raises:
        OptionError: not an ``rng``, or an integer of 2**64 and more.
    """
    if is_integer(rng):
        return checked_integer(rng, "rng: a seed", 0, (1 << 64) - 1)
    return int(generator(rng).integers(0, 1 << 64, dtype="uint64"))
