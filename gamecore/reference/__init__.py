"""The sources' algorithms in plain Python: oracles of the tests, baselines of the benchmarks, and lessons.

``versions_of(position)`` has the versions that answer a position, ``gamecore.trace`` shows their calls.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from gamecore.errors import OptionError
from gamecore.lazy import lazy_names
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.draw import How, Trace

__all__ = ["Version", "check_word", "version_of", "versions_of", "watched"]

_Search = TypeVar("_Search", bound=Callable[..., object])

__getattr__, __dir__ = lazy_names(__name__, {"_versions": ("Version", "version_of", "versions_of")}, __all__)


def check_word(name: str, given: object, known: Iterable[str]) -> None:
    """Raise OptionError unless an option is one of the known words."""
    if given not in tuple(known):
        raise OptionError(f"{name} must be one of {', '.join(map(repr, known))}, not {printable(given)}", name)


def watched(trace: "Trace | None", describe: Callable[..., tuple[str, "How"]]) -> Callable[[_Search], _Search]:
    """Return a decorator of a recursive function: a trace records its calls; without a trace nothing changes.

    ``describe`` takes the function's arguments and returns the state as text, and what the call does.
    """

    def decorated(search: Any) -> Any:
        def noted(*position: Any, **more: Any) -> Any:
            recorder.enter(*describe(*position, **more))
            return recorder.leave(search(*position, **more))

        return noted

    recorder: Any = trace
    return decorated if recorder else lambda search: search
