"""Choose the CPU level of the kernels, when the first kernel is loaded.

Kernels are built for the levels at which they are faster (see setup.py): ``gamecore.kernels.baseline.rows``,
``gamecore.kernels.v3.rows``, ``gamecore.kernels.v4.rows``, but no ``gamecore.kernels.v4.duel``. A kernel is loaded at
its highest level up to the level in use. The environment variable ``GAMECORE_SIMD=baseline|v3|v4`` sets the latter.
``from gamecore.kernels import rows`` imports one at this level.
"""

import os
import platform
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from gamecore._version import __version__
from gamecore.errors import NotBuiltError, OptionError

if TYPE_CHECKING:
    from gamecore.kernels.baseline import duel as duel
    from gamecore.kernels.baseline import hearts as hearts
    from gamecore.kernels.baseline import hexapawn as hexapawn
    from gamecore.kernels.baseline import rows as rows

LEVELS = ("baseline", "v3", "v4")
NAMES = ("duel", "hexapawn", "hexapawn_wide", "rows", "hearts")
_NEEDS = {"baseline": 1, "v3": 3, "v4": 4}


def _compiled(name: str) -> ModuleType:
    """Import a compiled module of this package, or raise NotBuiltError."""
    full_name = f"{__name__}.{name}"
    try:
        return import_module(full_name)
    except ModuleNotFoundError as error:
        if error.name != full_name:
            raise
        raise NotBuiltError(full_name) from None


@cache
def available_levels() -> tuple[str, ...]:
    """Return the levels that were built and that this processor supports, lowest first.

    Raises:
        NotBuiltError: nothing was built.
    """
    highest = _compiled("_cpu").cpu_level()
    levels = tuple(name for name in LEVELS if _NEEDS[name] <= highest and any(_is_built(name, game) for game in NAMES))
    if not levels:
        raise NotBuiltError(f"{__name__}.baseline")
    return levels


def require(name: str) -> None:
    """Raise ImportError unless this processor supports a level: its modules would crash the process."""
    if _NEEDS[name] > _compiled("_cpu").cpu_level():
        raise ImportError(f"this processor does not run the kernels of CPU level {name}", name=f"{__name__}.{name}")


def _is_built(level_name: str, name: str) -> bool:
    return find_spec(f"{__name__}.{level_name}.{name}") is not None


@cache
def level() -> str:
    """Return the level in use: ``GAMECORE_SIMD``, or else the highest available.

    Raises:
        OptionError: ``GAMECORE_SIMD`` names a level that is not available here. NotBuiltError: nothing was built.
    """
    levels = available_levels()
    chosen = os.environ.get("GAMECORE_SIMD") or levels[-1]
    if chosen not in levels:
        raise OptionError(f"GAMECORE_SIMD={chosen!r} is not available here; one of: {', '.join(levels)}")
    return chosen


def level_of(name: str, at: str | None = None) -> str | None:
    """Return the highest level at which a kernel was built, up to the level in use or to ``at``; None: nowhere."""
    levels = LEVELS[: LEVELS.index(at or level()) + 1]
    return next((candidate for candidate in reversed(levels) if _is_built(candidate, name)), None)


def kernel(name: str, at: str | None = None) -> ModuleType:
    """Return a compiled module at ``level_of(name, at)``.

    Args:
        name: one of ``NAMES``.
        at: one of ``LEVELS``; None for the level in use.

    Raises:
        NotBuiltError: it was not built.
    """
    return _compiled(f"{level_of(name, at) or LEVELS[0]}.{name}")


def __getattr__(name: str) -> ModuleType:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return kernel(name)


@cache
def levels_of(name: str) -> tuple[str, ...]:
    """Return the available levels at which a kernel was built, lowest first; NotBuiltError: none of any kernel."""
    return tuple(level_name for level_name in available_levels() if _is_built(level_name, name))


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """Facts for a bug report; ``print(gamecore.build_info())`` shows them line by line.

    Attributes:
        gamecore, python, numpy, cython: versions (cython: the version that compiled the kernels).
        compiler: the C compiler that built the kernels.
        platform: operating system and processor type.
        level: CPU level in use (``baseline``, ``v3``: AVX2 and BMI2, ``v4``: AVX-512).
        levels: all levels available here.
        kernels: each kernel and its level, such as ``duel v3``.
        debug: True if the kernels were built with ``GAMECORE_DEBUG=1``.
    """

    gamecore: str
    python: str
    numpy: str
    cython: str
    compiler: str
    platform: str
    level: str
    levels: tuple[str, ...]
    kernels: tuple[str, ...]
    debug: bool

    def __str__(self) -> str:
        """Return one line for each field."""
        rows = {name: getattr(self, name) for name in self.__slots__}
        rows |= {"levels": " ".join(self.levels), "kernels": ", ".join(self.kernels)}
        return "\n".join(f"{name:<9} {value}" for name, value in rows.items())


def build_info() -> BuildInfo:
    """Return versions, compiler and CPU level for a bug report.

    Raises:
        OptionError: ``GAMECORE_SIMD`` names a level that is not available here. NotBuiltError: nothing was built.
    """
    from importlib import metadata  # slow to import

    try:
        numpy = metadata.version("numpy")
    except metadata.PackageNotFoundError:
        numpy = "not installed"
    cpu = _compiled("_cpu")
    return BuildInfo(
        gamecore=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        numpy=numpy,
        cython=cpu.cython_version(),
        compiler=cpu.compiler(),
        platform=f"{sys.platform} {platform.machine()}",
        level=level(),
        levels=available_levels(),
        kernels=tuple(f"{name} {level_of(name) or 'not built'}" for name in NAMES),
        debug=cpu.is_debug_build(),
    )
