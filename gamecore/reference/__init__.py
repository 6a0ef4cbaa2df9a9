"""The sources' algorithms in plain Python: oracles of the tests and baselines of the benchmarks."""

from collections.abc import Iterable

from gamecore.errors import OptionError
from gamecore.text import printable


def check_word(name: str, given: object, known: Iterable[str]) -> None:
    """Raise OptionError unless an option is one of the known words."""
    if given not in tuple(known):
        raise OptionError(f"{name} must be one of {', '.join(map(repr, known))}, not {printable(given)}")
