"""Data frames of batches and results, made by pandas or polars, which are imported when a frame is asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Literal

from gamecore.errors import GamecoreError, OptionError
from gamecore.text import printable

LIBRARIES = ("pandas", "polars")


def dataframe(columns: Mapping[str, Any], library: Literal["pandas", "polars"] | None = None) -> Any:
    """A data frame with these columns.

    Args:
        columns: sequences or arrays of equal length, by name.
        library: ``"pandas"`` or ``"polars"``; None: pandas if it is installed, else polars.

    Returns:
        A ``pandas.DataFrame`` or a ``polars.DataFrame``.

    Raises:
        OptionError: another library.
        GamecoreError: the library, or with None both, are not installed.
    """
    if library is not None and library not in LIBRARIES:
        raise OptionError(f"library must be one of {', '.join(LIBRARIES)}, not {printable(library)}")
    wanted = LIBRARIES if library is None else (library,)
    for name in wanted:
        try:
            module = import_module(name)
        except ImportError:
            continue
        return module.DataFrame(dict(columns))
    raise GamecoreError(f"a data frame needs {' or '.join(wanted)}: pip install 'gamecore[frames]'")
