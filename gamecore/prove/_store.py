"""The store: an SQLite file that holds a run, so that it survives whatever happens to the process.

``docs/prove.md`` documents the tables. A transaction holds everything that one result changed (or several that came
at the same time), and is on the disk (fsync) before more work is given out; so a run that is killed loses the jobs that
were under way and nothing else.

Readers see one snapshot. A run takes the store over in the transaction that loads it, and each of its later writes
checks in its transaction that no other run has taken over since. So the ids of places, which a run counts up in memory,
stay unique.
"""

import math
import operator
import os
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Self

from gamecore._version import __version__
from gamecore.errors import GamecoreError
from gamecore.files import file_errors
from gamecore.prove._exchange import NOTHING, costly, pack, unpack
from gamecore.prove._games import GAMES, most_score, plies_left, rules_of
from gamecore.prove._rules import QUESTIONS, Rules
from gamecore.prove._tree import Node, Place, Tree
from gamecore.signals import raised_by_handler
from gamecore.text import printable

FORMAT: Final = 2  #: of stores (user_version); another one is refused
APPLICATION: Final = 0x67637076  #: application_id: "gcpv"
MOST_ENTRY_BYTES: Final = 96 << 20  #: of table entries that are kept for a warm start; then the cheaper ones go

_KEPT: Final = 10  # nodes of a table entry that is worth keeping, at first
_WAIT: Final = 10.0  # seconds for which another process may hold the store
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
CREATE TABLE learnt (id INTEGER PRIMARY KEY, lesson BLOB NOT NULL);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, gamecore TEXT NOT NULL, began REAL NOT NULL, seen REAL NOT NULL,
    workers INTEGER NOT NULL, jobs INTEGER NOT NULL, lost INTEGER NOT NULL, nodes INTEGER NOT NULL,
    seconds REAL NOT NULL);
"""

_SOUND: Final = {
    "places": (
        {"position": "text"} | dict.fromkeys(("id", "lower", "upper", "lower_by", "upper_by"), "integer"),
        "id > 0 AND lower BETWEEN -:most AND upper AND upper <= :most AND lower_by IN (0, 1) AND upper_by IN (0, 1)",
    ),
    "moves": ({"move": "text"} | dict.fromkeys(("place", "number", "after"), "integer"), "TRUE"),
    "nodes": (
        dict.fromkeys(("place", "test", "split", "proof", "disproof", "work"), "integer"),
        "test BETWEEN -:most AND :most AND split IN (0, 1) AND work >= 0",
    ),
}  #: types of the columns of which trees are made, and what holds in each row


class Work(NamedTuple):
    """Work that was done: jobs that ended, jobs that were lost, positions searched, seconds of the searches."""

    jobs: int
    lost: int
    nodes: int
    seconds: float

    def plus(self, more: "Work") -> "Work":
        """Both together."""
        return Work(*map(operator.add, self, more))


NO_WORK: Final = Work(0, 0, 0, 0.0)


class Store:
    """A store that is open.

    Attributes:
        path: of the file.
        about: what the run is about: ``run`` (32 hexadecimal digits), ``game``, ``position`` as it was given, ``root``
            (canonical), ``question``, ``gamecore``.
        least: table entries whose search took so many nodes are worth keeping.
    """

    def __init__(self, path: str, connection: sqlite3.Connection, about: dict[str, str]) -> None:
        self.path, self.about = path, about
        self._connection = connection
        self._next_id = 1
        self._session = 0
        self._entry_bytes = 0
        self.least = _KEPT
        self._entries: list[bytes] = []
        self._learnt = b""  # to be written
        self._dirty: dict[Node, None] = {}

    @property
    def run(self) -> bytes:
        """The run's name: 16 bytes."""
        return bytes.fromhex(self.about["run"])

    @property
    def rules(self) -> Rules:
        """Of the run's game."""
        return rules_of(self.about["game"])

    # --- opening -----------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a store to read it. All reads until it is closed are of one snapshot.

        Raises:
            GamecoreError: there is none, it is no store, of another format, damaged, or locked.
        """
        name = os.fspath(path)
        if not _is_there(name):
            raise GamecoreError(f"there is no store {name!a}")
        with _said_of(name):
            connection, about = _snapshot(name)
        if about is None:
            connection.close()
            raise GamecoreError(f"{name!a} is no store of gamecore prove: it is empty")
        return cls(name, connection, about)

    @classmethod
    def open_for(cls, path: str | os.PathLike[str], about: Mapping[str, str]) -> Self:
        """Open the store of a run, made if it is not there.

        Args:
            about: ``game``, ``position``, ``root``, ``question``.

        Raises:
            GamecoreError: what is there is something else, damaged, locked, or cannot be written; it says what differs.
        """
        name = os.fspath(path)
        _is_there(name)
        with _said_of(name), _closed_on_error(_connect(name, "rwc")) as connection:
            connection.execute("BEGIN")
            found = _read_about(name, connection)
            connection.rollback()
            if found is None:
                found = _create(name, connection, {**about, "run": os.urandom(16).hex(), "gamecore": __version__})
            connection.execute(_DURABLE)
            for what in ("game", "root", "question"):
                if found[what] != about[what]:
                    what = "position" if what == "root" else what
                    there, here = (printable(one[what], 160) for one in (found, about))
                    raise GamecoreError(f"{name!a} holds the {what} {there}, not {here}")
            return cls(name, connection, found)

    def close(self) -> None:
        """Done with it."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading -----------------------------------------------------------------------------------------------------

    def load(self) -> Tree:
        """The tree as it was last written; numbers are worked out anew.

        Raises:
            GamecoreError: the file is damaged.
        """
        self.check()
        rules, game, root = self.rules, self.about["game"], self.about["root"]
        tree = Tree(rules)
        with _said_of(self.path):
            with _damage():
                if root != rules.canonical(rules.read(self.about["position"])):
                    raise ValueError("its root is not its position")
            self._check_rows(most_score(rules, root))
            places: dict[int, Place] = {}
            for number, key, low, high, low_by, high_by in self._connection.execute(
                "SELECT id, position, lower, upper, lower_by, upper_by FROM places"
            ):
                place = places[number] = tree.place(key, low, high)
                place.id, place.low_by, place.high_by = number, low_by, high_by
            moves: dict[int, list[tuple[str, Place]]] = {}
            for place, number, move, after in self._connection.execute("SELECT * FROM moves ORDER BY place, number"):
                found = moves.setdefault(place, [])
                if number != len(found):
                    raise ValueError(f"{places[place].key} lacks a move")
                found.append((move, places[after]))
            left = {number: plies_left(game, place.key) for number, place in places.items()}
            for number, found in moves.items():
                if any(left[after.id] >= left[number] for _, after in found):
                    raise ValueError(f"a move of {places[number].key} leads to no position after it")
                places[number].moves = tuple(found)
            rows = list(self._connection.execute("SELECT place, test, split, work FROM nodes"))
            self._next_id = max(places, default=0) + 1
            for number, test, split, work in rows:
                if split and places[number].moves is None:
                    raise ValueError(f"{places[number].key} was split, but has no moves")
                tree.node(places[number], test).work = work
            with _damage():
                tree.connect_all(places[number].nodes[test] for number, test, split, _ in rows if split)
        tree.changed.clear()
        tree.split.clear()
        return tree

    def _check_rows(self, most: int) -> None:
        """SQLite holds anything anywhere: what is of another type, or beyond what there is, is damage.

        Args:
            most: no score is further from 0.
        """
        for table, (types, sound) in _SOUND.items():
            typed = " AND ".join(f"typeof({name}) = '{kind}'" for name, kind in types.items())
            query = f"SELECT 1 FROM {table} WHERE NOT ({typed} AND {sound}) LIMIT 1"
            if self._connection.execute(query, {"most": most}).fetchone() is not None:
                raise ValueError(f"the table {table} holds what it cannot hold")

    def totals(self) -> Work:
        """The work of all sessions."""
        with _said_of(self.path):
            row = self._connection.execute(
                "SELECT total(jobs), total(lost), total(nodes), total(seconds) FROM sessions"
            ).fetchone()
            return Work(int(row[0]), int(row[1]), int(row[2]), row[3])

    def sessions(self) -> list[dict[str, float]]:
        """The sessions: when each began and was last seen, its workers, jobs, lost jobs, nodes, seconds."""
        names = ("began", "seen", "workers", "jobs", "lost", "nodes", "seconds")
        with _said_of(self.path):
            rows = self._connection.execute(f"SELECT {', '.join(names)} FROM sessions ORDER BY id").fetchall()
        if not all(isinstance(value, (int, float)) and math.isfinite(value) for row in rows for value in row):
            raise GamecoreError(f"{self.path!a} is damaged: what stands in a session is no number")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def parcels(self) -> list[bytes]:
        """The entries that were kept, for a warm start; damaged ones are left to those who unpack them."""
        with _said_of(self.path):
            rows = self._connection.execute("SELECT least, parcel FROM entries ORDER BY id").fetchall()
        self._entry_bytes = sum(len(parcel) for _, parcel in rows)
        self.least = max((least for least, _ in rows), default=_KEPT)
        return [parcel for _, parcel in rows]

    def learnt(self) -> bytes:
        """What earlier sessions learnt of the order of moves, a lesson; empty: nothing."""
        with _said_of(self.path):
            row = self._connection.execute("SELECT lesson FROM learnt ORDER BY id DESC LIMIT 1").fetchone()
        if row is not None and not isinstance(row[0], bytes):
            raise GamecoreError(f"{self.path!a} is damaged: what was learnt is no bytes")
        return b"" if row is None else row[0]

    def check(self) -> None:
        """Have SQLite look at every page and every index.

        Raises:
            GamecoreError: the file is damaged.
        """
        with _said_of(self.path):
            found = self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise GamecoreError(f"{self.path!a} is damaged: {printable(found, 120)}")

    # --- writing -----------------------------------------------------------------------------------------------------

    def hold(self) -> None:
        """Begin to take the store over: nobody else can write until :meth:`begin_session` or :meth:`close`."""
        with _said_of(self.path):
            self._connection.execute("BEGIN IMMEDIATE")

    def begin_session(self, name: str, workers: int) -> None:
        """End what :meth:`hold` began: the store is taken over, and no earlier session writes any more."""
        with _said_of(self.path):
            self._connection.execute("INSERT OR REPLACE INTO about VALUES ('session', ?)", (name,))
            self._session = (
                self._connection.execute(
                    "INSERT INTO sessions VALUES (NULL, ?, ?, ?, ?, ?, 0, 0, 0, 0)",
                    (name, __version__, time.time(), time.time(), workers),
                ).lastrowid
                or 0
            )
            self._connection.execute("COMMIT")
        self.about["session"] = name

    def write(self, tree: Tree, work: "Work", worked: Iterable[Node], numbers: bool) -> None:
        """Everything that changed in the tree, and the work that was done, in one transaction.

        Args:
            work: since the last call.
            worked: nodes for which jobs ended.
            numbers: whether to write the proof numbers of inner nodes, too: they are for those who look at the store.
        """
        self._dirty.update(tree.renumbered)
        tree.renumbered.clear()
        rows = dict.fromkeys([*tree.split, *worked])
        if numbers:
            rows.update(self._dirty)
            self._dirty.clear()
        with self._transaction():
            self._write_places(tree, rows)
            self._connection.executemany(
                "INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?)",
                [(one.place.id, one.test, one.children is not None, one.proof, one.disproof, one.work) for one in rows],
            )
            self._write_work(work)
        tree.changed.clear()
        tree.split.clear()

    def write_entries(self, work: "Work") -> None:
        """The table entries that are to be kept, and work that was done, but nothing of the tree."""
        with self._transaction():
            self._write_work(work)

    def _write_work(self, work: "Work") -> None:
        self._connection.execute(
            "UPDATE sessions SET seen = ?, jobs = jobs + ?, lost = lost + ?, nodes = nodes + ?, "
            "seconds = seconds + ? WHERE id = ?",
            (time.time(), *work, self._session),
        )
        self._write_entries()

    def _write_places(self, tree: Tree, nodes: Iterable[Node]) -> None:
        self._connection.executemany(
            "UPDATE places SET lower = ?, upper = ?, lower_by = ?, upper_by = ? WHERE id = ?",
            [(one.low, one.high, one.low_by, one.high_by, one.id) for one in tree.changed if one.id],
        )
        new = dict.fromkeys(place for place in tree.changed if not place.id)
        new |= dict.fromkeys(node.place for node in nodes if not node.place.id)
        moves = [(node.place, pair) for node in tree.split for pair in enumerate(node.place.moves or ())]
        new |= dict.fromkeys(after for _, (_, (_, after)) in moves if not after.id)
        for number, place in enumerate(new, self._next_id):
            place.id = number
        self._next_id += len(new)
        self._connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?)",
            [(one.id, one.key, one.low, one.high, one.low_by, one.high_by) for one in new],
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO moves VALUES (?, ?, ?, ?)",
            [(place.id, number, move, after.id) for place, (number, (move, after)) in moves],
        )

    def add_entries(self, data: bytes) -> None:
        """Keep the costly ones of a parcel's table entries: they are written with what is written next.

        Raises:
            GamecoreError: the parcel is damaged or of another run.
        """
        sender, words = unpack(self.run, data)
        kept = costly(words, self.least)
        if len(kept):
            self._entries.append(data if len(kept) == len(words) else pack(self.run, sender, kept.tobytes()))

    def keep_learnt(self, lesson: bytes) -> None:
        """Keep all that was learnt, in place of what was kept: it is written with what is written next."""
        self._learnt = lesson

    def _write_entries(self) -> None:
        if self._learnt:
            self._connection.execute("INSERT OR REPLACE INTO learnt VALUES (1, ?)", (self._learnt,))
        self._connection.executemany(
            "INSERT INTO entries VALUES (NULL, ?, ?)", [(self.least, parcel) for parcel in self._entries]
        )
        self._entry_bytes += sum(map(len, self._entries))
        while self._entry_bytes > MOST_ENTRY_BYTES:
            self._thin_entries()

    def _thin_entries(self) -> None:
        """Keep the costlier part of the table entries."""
        self.least *= 2
        self._entry_bytes = 0
        for number, data in self._connection.execute("SELECT id, parcel FROM entries").fetchall():
            try:
                sender, words = unpack(self.run, data)
            except GamecoreError:
                sender, words = b"", NOTHING
            kept = costly(words, self.least)
            if not len(kept):
                self._connection.execute("DELETE FROM entries WHERE id = ?", (number,))
                continue
            data = pack(self.run, sender, kept.tobytes())
            self._entry_bytes += len(data)
            change = "UPDATE entries SET least = ?, parcel = ? WHERE id = ?"
            self._connection.execute(change, (self.least, data, number))

    def _check_session(self) -> None:
        row = self._connection.execute("SELECT value FROM about WHERE name = 'session'").fetchone()
        if row is None or row[0] != self.about.get("session"):
            raise GamecoreError(f"another process has taken over the store {self.path!a}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write in a transaction, if this session is still the store's.

        A signal's handler may raise between any two instructions, also before the ``try``: so what an interrupted
        transaction left open is rolled back first.
        """
        with _said_of(self.path):
            self._connection.rollback()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._check_session()
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise
        self._entries.clear()  # kept until they are on the disk
        self._learnt = b""


def _is_there(path: str) -> bool:
    """Whether there is such a file. (``os.path.exists`` would swallow what a signal's handler raises.)

    Raises:
        GamecoreError: it is a pipe, a device or a directory: SQLite would wait for a pipe's other end.
    """
    with file_errors("open", path):
        try:
            mode = os.stat(path).st_mode
        except FileNotFoundError:
            return False
    if not stat.S_ISREG(mode):
        raise GamecoreError(f"{path!a} is no regular file")
    return True


def _connect(path: str, mode: str) -> sqlite3.Connection:
    uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _snapshot(path: str) -> tuple[sqlite3.Connection, dict[str, str] | None]:
    """A connection that reads one snapshot, and what the store is about.

    A log that a killed process left may need somebody who can write. Where nobody can, as in a read-only folder, a file
    without a log is read as one that does not change.
    """
    for mode in ("ro", "rw"):
        try:
            return _look(path, mode)
        except sqlite3.OperationalError as error:
            if not _code(error).startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
                raise
            refused = error
    logs = [Path(os.path.realpath(path) + end) for end in ("-wal", "-journal")]
    if any(log.exists() and log.stat().st_size for log in logs):
        raise refused
    return _look(path, "ro&immutable=1")


def _look(path: str, mode: str) -> tuple[sqlite3.Connection, dict[str, str] | None]:
    with _closed_on_error(_connect(path, mode)) as connection:
        connection.execute("BEGIN")
        return connection, _read_about(path, connection)


def _read_about(path: str, connection: sqlite3.Connection) -> dict[str, str] | None:
    """What a store is about; None of a file that is new, or that a process that was killed has just made.

    To be called in a transaction: another process may make the store meanwhile.

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
        raise GamecoreError(f"{path!a} is damaged: what it says of itself is no text")
    if missing := {"run", "game", "position", "root", "question", "gamecore"} - about.keys():
        raise GamecoreError(f"{path!a} is damaged: it does not say its {sorted(missing)[0]}")
    if about["game"] not in GAMES or about["question"] not in QUESTIONS or len(bytes.fromhex(about["run"])) != 16:
        raise GamecoreError(f"{path!a} is damaged: it is about something else")
    return about


def _create(path: str, connection: sqlite3.Connection, about: dict[str, str]) -> dict[str, str]:
    """Make the tables, unless another process has just made them; what the store is about."""
    deadline = time.monotonic() + _WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:  # of two that do this at once, SQLite lets one wait, not both
            if not _code(error).startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute(_DURABLE)
    connection.execute("BEGIN IMMEDIATE")
    found = _read_about(path, connection)
    if found is None:
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
    connection.execute("COMMIT")
    return found or about


def _code(error: sqlite3.Error) -> str:
    """SQLite's name of an error; empty where Python itself raised it."""
    return getattr(error, "sqlite_errorname", "") or ""


@contextmanager
def _damage() -> Iterator[None]:
    """What rules and tree refuse, as damage."""
    try:
        yield
    except GamecoreError as error:
        raise ValueError(str(error)) from None


@contextmanager
def _said_of(path: str) -> Iterator[None]:
    """SQLite's errors as ours.

    Raises:
        GamecoreError: the file is no database, damaged, locked, cannot be opened or written, or the disk is full.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = _code(error)
        if code.startswith("SQLITE_NOTADB"):
            raise GamecoreError(f"{path!a} is no store of gamecore prove") from None
        if not code or code.startswith("SQLITE_CORRUPT"):  # none: a text is no UTF-8
            raise GamecoreError(f"{path!a} is damaged: {error}") from None
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise GamecoreError(f"another process holds the store {path!a}") from None
        raise GamecoreError(f"the store {path!a}: {error}") from None
    except (KeyError, ValueError, TypeError, OverflowError) as error:  # a row that points nowhere, a text for a number
        if isinstance(error, GamecoreError) or raised_by_handler(error):
            raise
        why = error if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise GamecoreError(f"{path!a} is damaged: {why}") from None
