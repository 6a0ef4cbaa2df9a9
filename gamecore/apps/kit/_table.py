"""Solve a game strongly: a file with the value of every position that play can reach."""

import hashlib
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from gamecore.apps.kit._game import TABLE_MB, KitGame, Position, checked_game, position_of
from gamecore.apps.kit._rules import rules_of
from gamecore.apps.kit._search import ExactSearcher
from gamecore.batch.progress import clock
from gamecore.batch.workers import beside, stoppable
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError, OptionError
from gamecore.files import check_writable, checked_path, file_errors, write_whole
from gamecore.limits import Limits, limits_of
from gamecore.text import checked_flag, difference, printable

Told = Callable[[str], object] | None  #: takes a line now and then that says how far the work is

FORMAT: Final = "gamecore-kit-table-2"
_BEGINNING: Final = b'{"format": "gamecore-kit-table-'
_CSV: Final = b"position,value,words\n"
_ENTRY: Final = 18  # bytes of a key and a value
_EVERY: Final = 10.0  # seconds between lines of progress


def solve_all(
    game: KitGame,
    path: str | Path,
    limits: Limits | None = None,
    *,
    csv: str | Path | None = None,
    overwrite: bool = False,
    progress: Told = None,
) -> dict[str, Any]:
    """Write the value of every position of a game that is not over into a file, and return its header.

    The file is one line of JSON (``format``, ``game``, ``rules``: a hash of them, ``positions``, ``value`` of the
    start, ``sha256`` of the rest), then the keys in ascending order, 16 bytes each (two little-endian words), then the
    values, 2 bytes each. A compiled game has its own keys; a key of a game in Python is the BLAKE2b hash of the state
    as the notation has it. :class:`Table` and ``examples/kit/probe.py`` read it.

    Args:
        game: the game.
        path: of the file; it is written whole or not at all. With ``csv``, a table that is there already is not made
            again.
        limits: ``seconds`` and ``table_mb``: all positions must fit (default 512 MiB); ``nodes`` are refused.
        csv: a second file, see :meth:`Table.export`.
        overwrite: replace the files if they are a table, and such a CSV file, already; no other file is ever touched.
        progress: called with a line now and then, from another thread.

    Raises:
        GamecoreError: a limit was reached, or a file is there or cannot be written.
    """
    path, rules, limits = checked_path(path), checked_game(game).rules_of, limits_of(limits)
    if limits.nodes is not None:
        raise OptionError("nodes must be left out: a table has all positions; give seconds or table_mb", "nodes")
    if csv is not None and Path(csv).resolve() == Path(path).resolve():
        raise OptionError(f"csv must be another file than the table, not {printable(str(csv), 80)}", "csv")
    if csv is not None:
        _check_csv(csv, overwrite)
        if not overwrite and Path(path).is_file() and Path(path).stat().st_size:
            table = Table(game, path)
            table.export(csv, progress=progress)
            return table.header
    check_writable(path, (_BEGINNING,), checked_flag(overwrite, "overwrite"))
    seconds, _, table_bytes = limits.for_kernel(TABLE_MB)
    searcher = (rules.solver or partial(ExactSearcher, rules))(table_bytes)
    with _telling(progress, lambda: f"positions take {searcher.table_bytes / (1 << 20):.1f} MiB"):
        solved = searcher.solve_all(rules.start(), seconds)
    if solved is None:
        raise GamecoreError(f"not solved within {seconds:g} seconds")
    value, keys, values = solved[0], np.frombuffer(solved[1], "<u8").reshape(-1, 2), np.frombuffer(solved[2], "<i2")
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    body = keys[order].tobytes() + values[order].tobytes()
    header = {
        "format": FORMAT,
        "game": game.name,
        "rules": rules_of(game),
        "positions": len(values),
        "value": value,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    with file_errors("write", path):
        write_whole(path, [json.dumps(header).encode() + b"\n", body])
    if csv is not None:
        Table(game, path).export(csv, overwrite=overwrite, progress=progress)
    return header


def _check_csv(csv: str | Path, overwrite: bool) -> None:
    check_writable(checked_path(csv, "csv"), (_CSV,), checked_flag(overwrite, "overwrite"))


def _telling(progress: Told, words: Callable[[], str]) -> AbstractContextManager[None]:
    """While active, say every ten seconds how far the work is."""
    begun, done = time.monotonic(), threading.Event()

    def tell() -> None:
        with stoppable(done.set):
            while progress is not None and not done.wait(_EVERY):
                progress(f"{words()} after {clock(time.monotonic() - begun)}")

    return beside([tell])


class Table:
    """A file of :func:`solve_all`, looked up by position.

    Args:
        game: the game that it was made of.
        path: of the file.

    Attributes:
        header: its first line.

    Raises:
        GamecoreError: the file cannot be read, is damaged, or was made by other rules.
    """

    def __init__(self, game: KitGame, path: str | Path) -> None:
        with file_errors("read", path):
            first, _, body = Path(path).read_bytes().partition(b"\n")
        try:
            self.header: dict[str, Any] = json.loads(first)
            whole = self.header["format"] == FORMAT and len(body) == _ENTRY * self.header["positions"]
            whole = whole and hashlib.sha256(body).hexdigest() == self.header["sha256"]
        except (ValueError, LookupError, TypeError):
            whole = False
        if not whole:
            raise GamecoreError(f"{str(path)!a} is no table of kit solve-all, or is damaged")
        if self.header["rules"] != (rules := rules_of(game)):
            differ = difference(self.header["rules"], rules).replace("values", "constants")
            raise GamecoreError(f"{str(path)!a} was made by other rules of {self.header['game']}: {differ} differ")
        self._game, count = game, self.header["positions"]
        self._keys = np.frombuffer(body, [("a", "<u8"), ("b", "<u8")], count)
        self._values = np.frombuffer(body, "<i2", count, 16 * count)

    def value(self, position: Position | str) -> int:
        """Return the value of a position, or of its notation, for the side to move.

        Raises:
            ParseError: a bad text. GamecoreError: the table does not have it, or it contradicts those after the moves.
        """
        rules, place = self._game.rules_of, position_of(self._game, position)
        own = self.stored(place.state)
        if own is None:
            other = "play cannot reach it, or only from positions that `key` takes for others"
            raise GamecoreError(f"{place.to_text()} is not in the table: {other}")
        if rules.end(place.state) is None:
            after = [(self.stored(state), gain) for _, state, gain in rules.children(place.state)]
            scores = [rules.parent_score(value, gain) for value, gain in after if value is not None]
            if len(scores) < len(after) or max(scores) != own:
                raise GamecoreError(f"the table contradicts itself in {place.to_text()} and the positions after it")
        return own + place.points

    def stored(self, state: Any) -> int | None:
        """Return the value of a state as the table has it; None if it is not there."""
        end = self._game.rules_of.end(state)
        if end is not None:
            return end
        key = np.array(self._game.rules_of.table_key(state), "<u8").view(self._keys.dtype)[0]
        index = int(np.searchsorted(self._keys, key))
        return int(self._values[index]) if index < len(self._keys) and self._keys[index] == key else None

    def export(self, csv: str | Path, *, overwrite: bool = False, progress: Told = None) -> None:
        """Write a CSV file: position, value and its words, a line for each state that is not over.

        Positions stand breadth first, each as the side that gets there first.

        Args:
            csv: the file; it is written whole or not at all.
            overwrite: replace such a file.
            progress: see :func:`solve_all`.

        Raises:
            GamecoreError: the file is there or cannot be written, or the table contradicts itself.
        """
        _check_csv(csv, overwrite)
        start, words = self._game.start(), self._game.words
        seen, queue = {start.state}, deque([start])

        def lines() -> Iterator[bytes]:
            yield _CSV
            while queue:
                position = queue.popleft()
                if position.is_over:
                    continue
                value = self.value(position)
                yield f'"{position.to_text()}",{value},{words.short(Bounds(value, value))}\n'.encode()
                for move in position.legal_moves():
                    after = position.play(move).without_points()
                    if after.state not in seen:
                        seen.add(after.state)
                        queue.append(after)

        with _telling(progress, lambda: f"the CSV file has {len(seen) - len(queue)} states"), file_errors("write", csv):
            write_whole(csv, lines())
