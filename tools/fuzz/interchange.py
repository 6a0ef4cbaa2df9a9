"""Targets for data from files, programs and pages: proofs, entries, games at the terminal.

As in ``targets``: a refusal is a short sentence; an accepted input agrees with a second, naive parser.
"""

import contextlib
import functools
import itertools
import json
import lzma
import os
import sqlite3
import struct
from collections.abc import Callable
from typing import Any

from refusals import SCRATCH, refused, scratch_file, text_of

from gamecore import duel, game, hearts, hexapawn, prove
from gamecore.apps.explore._api import Api
from gamecore.apps.explore._errors import ApiError
from gamecore.apps.explore._fields import parsed
from gamecore.apps.play._session import Session, position_of
from gamecore.errors import GamecoreError, IllegalMoveError
from gamecore.limits import Limits

# --- proofs ----------------------------------------------------------------------------------------------------------


def true_value(game: str, position: str, question: str, lower: int, upper: int) -> None:
    """Check that bounds without a fault are true."""
    module = {"duel": duel, "hexapawn": hexapawn}[game]
    start = module.Position.from_text(position)
    if is_small(game, position) and not start.is_over:
        solution = module.solve(start)
        if question == "value":
            assert lower <= solution.value <= upper, f"{position}: {solution.value} is not in {lower} to {upper}"
        assert lower <= 0 or solution.value > 0, f"{position} is not won"
        assert upper >= 0 or solution.value <= 0, f"{position} is not lost"


def is_small(game: str, position: str) -> bool:
    """Whether a position is solved at once."""
    with contextlib.suppress(GamecoreError):
        if game == "hexapawn":
            board = hexapawn.Position.from_text(position)
            return board.rows * board.columns <= 16
        deal = duel.Position.from_text(position)
        return len(deal.alice) + len(deal.bob) <= 10
    return False


def check_proof(path: str, keys: list[str]) -> None:
    """Check any file: the check ends, and a proof without a fault is true."""
    small = all(is_small("hexapawn", key) or is_small("duel", key) for key in keys)
    found = refused(lambda: prove.verify(path, recheck="all" if small else 0, table_mb=1), 1000)
    if found is not None and small and not found.faults:
        true_value(
            "hexapawn" if "/" in found.position else "duel", found.position, found.question, found.lower, found.upper
        )


def prove_certificate(data: bytes) -> None:
    """Certificates: a text that is compressed here, or (first byte odd) compressed bytes as they are."""
    body = data[1:].replace(b"MANY", b"[" * 5000)
    packed = b"\xfd7zXZ\x00" + body if data and data[0] & 1 else lzma.compress(body, preset=0)
    path = scratch_file("certificate", packed)
    keys = [line.split()[0] for line in text_of(body).split("\n")[1:] if line.strip()]
    check_proof(path, keys)


@functools.cache
def small_store() -> tuple[bytes, list[str]]:
    """The bytes of a store that holds a proof, and its positions."""
    path = f"{SCRATCH}/first-store"
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + end)
    prove.run(hexapawn.Position.start(4, 4), path, job_nodes=20, limits=Limits(table_mb=1))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        keys = [key for (key,) in connection.execute("SELECT key FROM facts ORDER BY key")]
    with open(path, "rb") as file:
        return file.read(), keys


COLUMNS = [
    *(f"facts.{name}" for name in ("low", "high", "low_by", "high_by", "moves", "key", "work")),
    "about.value", "about.name", "effort.nodes", "effort.seconds",
]  # fmt: skip


def prove_store(data: bytes) -> None:
    """Stores that were changed: each 4 bytes are a column, a row and a number to write there, or a byte of the file."""
    whole, keys = small_store()
    raw, changes = bytearray(whole), []
    for kind, place, high, low in zip(*[iter(data[:64])] * 4, strict=False):
        if kind < 128:
            changes.append((COLUMNS[kind % len(COLUMNS)], place, struct.unpack("b", bytes([low]))[0], high))
        elif kind < 250:
            raw[(place << 16 | high << 8 | low) % len(raw)] = kind
        else:
            del raw[(place << 16 | high << 8 | low) % len(raw) + 1 :]
    path = scratch_file("store", bytes(raw))
    for end in ("-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + end)
    if changes:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for column, place, value, high in changes:
                table, _, name = column.partition(".")
                value = [value, str(value), b"\xff", None, keys[value % len(keys)], 1e300][high % 6 if high > 99 else 0]
                with contextlib.suppress(sqlite3.Error, ValueError):
                    if high > 249:
                        connection.execute(f"DELETE FROM {table} LIMIT 1")
                    many = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] or 1
                    order = {"facts": "key", "about": "name"}.get(table, "jobs")
                    chosen = f"SELECT {name} FROM {table} ORDER BY {order} LIMIT 1 OFFSET {place % many}"
                    connection.execute(f"UPDATE {table} SET {name} = ? WHERE {name} IS ({chosen})", [value])
    refused(lambda: prove.status(path).to_dict(), 1000)
    check_proof(path, keys)


# --- games at the terminal -------------------------------------------------------------------------------------------


def play_saved(data: bytes) -> None:
    """Saved games, as text and as a file, and the moves that are typed after them: lines of the same input."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    path = scratch_file("game", lines[0].encode("utf-8", "surrogateescape") + b"\n")
    for one in game.games().values():
        position = refused(lambda at=one: position_of(at, lines[0]))
        from_file = refused(lambda at=one: position_of(at, path))
        assert lines[0].strip() != lines[0] or (position is None) == (from_file is None), one.name
        if position is None:
            continue
        text = position.to_text()
        assert one.parse(text).to_text() == (from_file or position).to_text() == text
        for typed in map(str.strip, lines[1:]):  # as the screen hands them on
            if position.is_over:
                break
            legal = set(position.legal_moves())
            session = Session(one, position, "", None, None, None, None)
            move = refused(lambda at=session, line=typed: at.move(line))
            after = None if move is None else refused(lambda now=position, chosen=move: now.play(chosen))
            assert after is not None or typed not in legal, f"{typed!a} is legal"
            position = after or position


# --- requests of the page --------------------------------------------------------------------------------------------

API = Api()
PATHS = sorted(API.paths())


def api_refused(call: Callable[[], Any]) -> Any:
    """Return the result, or None if the page got a proper error."""
    told: ApiError | None = None
    try:
        return refused(call)
    except ApiError as error:
        told = error
    assert told.message.isprintable(), told.message
    assert not set(told.message) & set("<>&"), told.message
    assert 400 <= told.status < 500
    assert len(json.dumps(told.body(), allow_nan=False)) < 2500
    return None


def explore_request(data: bytes) -> None:
    """Bodies of requests: the first byte is the path. Searches are read and not begun."""
    path = PATHS[data[0] % len(PATHS)] if data else PATHS[0]
    body = api_refused(lambda: parsed(data[1:].replace(b"MANY", b"[" * 5000)))
    if body is None:
        return
    if API.paths()[path] != "call":
        asked = api_refused(lambda: API.asked(path, body))
        assert asked is None or asked[0].position.to_text()
        return
    answer = api_refused(lambda: API.call(path, body, "client"))
    if answer is None:
        return
    json.dumps(answer, allow_nan=False).encode("ascii")
    if path == "/api/position":
        position = {"duel": duel, "hexapawn": hexapawn, "hearts": hearts}.get(body["game"])
        if position is not None:
            kind = hearts.Round if position is hearts else position.Position
            now = kind.from_text(body["position"].strip())
            for view, move in itertools.zip_longest(answer["views"], body.get("moves") or ()):
                assert body.get("seat") is not None or view["position"] == now.to_text()
                with contextlib.suppress(IllegalMoveError):
                    now = now if move is None else now.play(move)


PARSERS: dict[str, Callable[[bytes], None]] = {
    "prove_certificate": prove_certificate,
    "prove_store": prove_store,
    "play_saved": play_saved,
    "explore_request": explore_request,
}
