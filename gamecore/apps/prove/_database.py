"""The file of a store: opened or created, and SQLite's errors as gamecore's."""

import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gamecore._version import __version__
from gamecore.apps.prove._prover import prover_of
from gamecore.apps.prove._tree import QUESTIONS
from gamecore.errors import GamecoreError
from gamecore.files import file_errors

FORMAT: Final = 2  #: of stores (user_version); another one is refused
APPLICATION: Final = 0x67637076  #: application_id: "gcpv"

_WAIT: Final = 10.0  # seconds to wait for another process that holds the store
_DURABLE: Final = "PRAGMA synchronous = FULL"  # a transaction is on the disk when it ends

_SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE places (
    id INTEGER PRIMARY KEY, position TEXT NOT NULL UNIQUE,
    lower INTEGER NOT NULL, upper INTEGER NOT NULL, lower_by INTEGER NOT NULL, upper_by INTEGER NOT NULL);
CREATE TABLE moves (
    place INTEGER NOT NULL, number INTEGER NOT NULL, move TEXT NOT NULL, after INTEGER NOT NULL,
    PRIMARY KEY (place, number)) WITHOUT ROWID;
CREATE TABLE nodes (
    place INTEGER NOT NULL, test INTEGER NOT NULL, split INTEGER NOT NULL, proof INTEGER NOT NULL,
    disproof INTEGER NOT NULL, work INTEGER NOT NULL, PRIMARY KEY (place, test)) WITHOUT ROWID;
CREATE TABLE entries (id INTEGER PRIMARY KEY, least INTEGER NOT NULL, parcel BLOB NOT NULL);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, gamecore TEXT NOT NULL, began REAL NOT NULL, seen REAL NOT NULL,
    workers INTEGER NOT NULL, jobs INTEGER NOT NULL, lost INTEGER NOT NULL, nodes INTEGER NOT NULL,
    seconds REAL NOT NULL);
"""


def is_file(path: str) -> bool:
    """Return True if there is such a file.

    Raises:
        GamecoreError: it is a pipe, a device or a directory: whoever opens a pipe waits for its other end.
    """
    with file_errors("open", path):
        try:
            mode = os.stat(path).st_mode
        except FileNotFoundError:
            return False
    if not stat.S_ISREG(mode):
        raise GamecoreError(f"{path!a} is no regular file")
    return True


@contextmanager
def _connected(path: str, mode: str) -> Iterator[sqlite3.Connection]:
    """Connect to a file; close it again if the block fails."""
    uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def open_or_create(path: str, about: Mapping[str, str]) -> tuple[sqlite3.Connection, dict[str, str]]:
    """Connect to a store, created if need be, and hold it: nobody else can write until the transaction ends.

    Return what the store is about, too.
    """
    with _connected(path, "rwc") as connection:
        connection.execute("BEGIN")
        is_new = _read_about(path, connection) is None
        connection.rollback()
        if is_new:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(_DURABLE)
        connection.execute("BEGIN IMMEDIATE")
        stored = _read_about(path, connection)  # again: another process may have created the store meanwhile
        if stored is None:
            stored = {**about, "run": os.urandom(16).hex(), "gamecore": __version__}
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.executemany("INSERT INTO about VALUES (?, ?)", stored.items())
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
        return connection, stored


def snapshot(path: str) -> tuple[sqlite3.Connection, dict[str, str] | None]:
    """Connect to one snapshot of a store; return what the store is about, too.

    If a process was killed, its log must first be merged into the file. Where that is impossible, as in a read-only
    folder, a file without a log is read as one that does not change.
    """
    try:
        return _snapshot(path, "rw")
    except sqlite3.OperationalError as error:
        logs = [Path(os.path.realpath(path) + end) for end in ("-wal", "-journal")]
        if not is_unwritable(error) or any(log.exists() and log.stat().st_size for log in logs):
            raise
    return _snapshot(path, "ro&immutable=1")


def _snapshot(path: str, mode: str) -> tuple[sqlite3.Connection, dict[str, str] | None]:
    with _connected(path, mode) as connection:
        connection.execute("BEGIN")
        return connection, _read_about(path, connection)


def _read_about(path: str, connection: sqlite3.Connection) -> dict[str, str] | None:
    """Return what a store is about; None for an empty file, such as a killed process leaves.

    Call it in a transaction: another process may create the store meanwhile.

    Raises:
        GamecoreError: it is no store, or of another format.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        return None
    if application != APPLICATION:
        raise GamecoreError(f"{path!a} is no store of gamecore prove")
    if version != FORMAT:
        raise GamecoreError(f"{path!a} is a store of format {version}; this gamecore reads format {FORMAT}")
    about = dict(connection.execute("SELECT name, value FROM about").fetchall())
    if not all(isinstance(text, str) for pair in about.items() for text in pair):
        raise GamecoreError(f"{path!a} is damaged: the table about holds something that is no text")
    if missing := {"run", "game", "position", "root", "question", "gamecore"} - about.keys():
        raise GamecoreError(f"{path!a} is damaged: it does not say its {sorted(missing)[0]}")
    prover_of(about["game"])
    if about["question"] not in QUESTIONS or len(bytes.fromhex(about["run"])) != 16:
        raise ValueError("it is about something else")
    return about


def _code(error: sqlite3.Error) -> str:
    """Return SQLite's name of an error; empty if Python itself raised it, for a text that is no UTF-8."""
    return getattr(error, "sqlite_errorname", "") or ""


def is_unwritable(error: sqlite3.Error) -> bool:
    """Return True if the file or its folder cannot be written."""
    return _code(error).startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))


@contextmanager
def translate_errors(path: str, loading: bool = False) -> Iterator[None]:
    """Convert SQLite's errors, and ValueError and the like, to GamecoreError.

    Args:
        loading: what game and tree refuse is damage, too.

    Raises:
        GamecoreError: the file is no database, damaged, locked, cannot be opened or written, or the disk is full.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = _code(error)
        if code.startswith("SQLITE_NOTADB"):
            raise GamecoreError(f"{path!a} is no store of gamecore prove") from None
        if not code or code.startswith("SQLITE_CORRUPT"):
            raise GamecoreError(f"{path!a} is damaged: {error}") from None
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise GamecoreError(f"another process holds the store {path!a}") from None
        raise GamecoreError(f"the store {path!a}: {error}") from None
    except (KeyError, ValueError, TypeError, OverflowError) as error:  # a row that points nowhere, a text for a number
        if isinstance(error, GamecoreError) and not loading:
            raise
        why = error if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise GamecoreError(f"{path!a} is damaged: {why}") from None
