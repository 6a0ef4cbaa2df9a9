"""The sources' algorithms in plain Python: oracles of the tests, baselines of the benchmarks, and lessons.

``versions_of(position)`` has the versions that answer a position, ``gamecore.trace`` shows their calls.
"""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from gamecore.errors import OptionError
from gamecore.game import Position
from gamecore.text import printable

if TYPE_CHECKING:
    from gamecore.draw import How, Trace

__all__ = ["Version", "Versions", "version_of", "versions_of", "watched"]

_Search = TypeVar("_Search", bound=Callable[..., object])


def watched(
    trace: "Trace | None",
    describe: Callable[..., tuple[str, "How"]],
    bounds: Callable[..., tuple[int, int]] | None = None,
) -> Callable[[_Search], _Search]:
    """Return a decorator of a recursive function: a trace records its calls; without a trace nothing changes.

    Args:
        trace: records the calls.
        describe: takes the function's arguments and returns the state as text, and what the call does.
        bounds: takes the function's arguments without keywords after a call, and returns the bounds that are proven;
            None: the function returns values.
    """

    def decorated(search: Any) -> Any:
        def noted(*position: Any, **more: Any) -> Any:
            recorder.enter(*describe(*position, **more))
            value = search(*position, **more)
            lower, upper = bounds(*position) if bounds else (value, value)
            return recorder.leave(value, "=" if lower == upper else ">=" if value == lower else "<=")

        return noted

    recorder: Any = trace
    return decorated if recorder else lambda search: search


class Version(NamedTuple):
    """An algorithm for a position: ``gamecore.trace(*version)`` runs it.

    Attributes:
        function: of ``gamecore.reference``. arguments: the position, as that function takes it.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def trace(self) -> Any:
        """Run it; return its calls, a ``gamecore.draw.Trace``."""
        from gamecore.draw import trace

        return trace(self.function, *self.arguments)


class Versions(NamedTuple):
    """The sources' algorithms for a game: its ``part("reference")``.

    Attributes:
        names: of all versions.
        of: ``of(position)`` returns those that answer a position, which is not over, within about a second.
        words: the sources' own words for names.
    """

    names: tuple[str, ...]
    of: Callable[[Any], dict[str, Version]]
    words: Mapping[str, str] = {}


def versions_of(position: Any) -> dict[str, Version]:
    """Return the versions that answer a position within about a second, by name; empty if it is too large or over.

    Args:
        position: a position of the duel, Hexapawn or rows, or a round of Hearts. Rows: mine is the total that is asked
            for; the memo and the table are of the greedy opponent, "smart" and "dumb" of the other two.

    Raises:
        OptionError: not a position.
    """
    if not isinstance(position, Position):
        raise OptionError(f"a position is needed, not {printable(position)}", "position")
    return {} if position.is_over else _versions_for(position).of(position)


def version_of(position: Any, name: str) -> Version:
    """Return one version by its name, or by the source's word for it (V1, V2, V3).

    Raises:
        OptionError: no such version, or the position is too large for it.
    """
    versions = versions_of(position)
    version = versions.get(_versions_for(position).words.get(name, name))
    if version is not None:
        return version
    if not versions:
        raise OptionError("trace must be left out: no version is quick enough for this position", "trace")
    names = f"{'one of ' * (len(versions) > 1)}{', '.join(versions)} for this position"
    raise OptionError(f"trace must be {names}, not {printable(name)}", "trace")


def _versions_for(position: Any) -> Versions:
    """Return the versions of a position's game, which is ``GAME`` of the package with the position's class."""
    package = ".".join(type(position).__module__.split(".")[:2])
    game = getattr(sys.modules.get(package), "GAME", None)
    versions: Versions | None = None if game is None else game.part("reference")
    return versions or Versions((), lambda _: {})
