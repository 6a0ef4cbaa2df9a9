"""Solve a game strongly: a file with the value of every position that play can reach."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from gamecore.apps.kit._exact import searcher_of
from gamecore.apps.kit._game import KitGame
from gamecore.apps.kit._rules import CompiledRules
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import check_writable, file_errors, write_whole
from gamecore.limits import Limits, limits_of

FORMAT: Final = "gamecore-kit-table-1"
_BEGINNING: Final = f'{{"format": "{FORMAT}"'.encode()


def solve_all(
    game: KitGame, path: str | Path, limits: Limits | None = None, *, overwrite: bool = False
) -> dict[str, Any]:
    """Write the value of every position of a compiled game that is not over into a file, and return its header.

    The file is one line of JSON (``format``, ``game``, ``positions``, ``value`` of the start, ``sha256`` of the rest),
    then the keys in ascending order, 16 bytes each (two little-endian words), then the values, 2 bytes each.
    ``examples/kit/probe.py`` reads it.

    Args:
        game: the game.
        path: of the file; it is written whole or not at all.
        limits: ``seconds`` and ``table_mb``: all positions must fit (default 512 MiB).
        overwrite: replace ``path`` if it is a table already; no other file is ever touched.

    Raises:
        OptionError: the game is not compiled. GamecoreError: a limit was reached, or the file is there or cannot be
            written.
    """
    import numpy as np

    if not isinstance(game.rules_of, CompiledRules):
        raise OptionError(f"{game.name} is a game in Python: the table needs a .pyx file")
    check_writable(str(path), (_BEGINNING,) if overwrite else ())
    seconds, _, table_bytes = limits_of(limits).for_kernel(game.table_mb or 512)
    searcher: Any = searcher_of(game.rules_of, table_bytes)
    solved = searcher.solve_all(game.rules_of.start(), seconds)
    if solved is None:
        raise GamecoreError(f"not solved within {seconds:g} seconds")
    keys, values = (np.frombuffer(part, kind) for part, kind in zip(solved[1:], ("<u8", "<i2"), strict=True))
    for value in (solved[0], *map(int, (values.min(initial=0), values.max(initial=0)))):
        game.rules_of.checked_bounds(game.rules_of.start(), value, value)
    pairs = keys.reshape(-1, 2)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    body = pairs[order].tobytes() + values[order].tobytes()
    header = {
        "format": FORMAT,
        "game": game.name,
        "positions": len(values),
        "value": solved[0],
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    with file_errors("write", str(path)):
        write_whole(str(path), [json.dumps(header).encode() + b"\n", body])
    return header
