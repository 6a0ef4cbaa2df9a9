"""The sources' algorithms in plain Python: oracles of the tests, baselines of the benchmarks, and lessons.

``versions_of(position)`` has the versions that answer a position, ``gamecore.trace`` shows their calls.
"""

from collections.abc import Iterable

from gamecore.errors import OptionError
from gamecore.lazy import lazy_names
from gamecore.text import printable

__all__ = ["TRACED", "Version", "check_word", "version_of", "versions_of"]

TRACED = ("duel", "hexapawn", "rows", "hearts")  #: games whose positions have versions

__getattr__, __dir__ = lazy_names(__name__, {"_versions": ("Version", "version_of", "versions_of")}, __all__)


def check_word(name: str, given: object, known: Iterable[str]) -> None:
    """Raise OptionError unless an option is one of the known words."""
    if given not in tuple(known):
        raise OptionError(f"{name} must be one of {', '.join(map(repr, known))}, not {printable(given)}")
