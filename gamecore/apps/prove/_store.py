"""The store: an SQLite file that holds a run, so that it survives whatever happens to the process.

``docs/prove.md`` documents the tables. One transaction holds all changes of one result (or of several that came
together), and is on the disk (fsync) before more jobs are given out. So a run that is killed loses only the jobs that
were under way.

Readers see one snapshot. A run takes the store over in the transaction that loads it, and each later write checks in
its transaction that no other run has taken over since. So the ids of places, which a run counts in memory, stay unique.
"""

import math
import operator
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple, Self

from gamecore._version import __version__
from gamecore.apps.prove._database import as_damage, exists, is_unwritable, open_or_create, snapshot, translate_errors
from gamecore.apps.prove._exchange import NOTHING, costly, pack, unpack
from gamecore.apps.prove._prover import Prover, prover_of
from gamecore.apps.prove._tree import Node, Place, Tree
from gamecore.contract import check_bounds
from gamecore.errors import GamecoreError
from gamecore.files import checked_path
from gamecore.game import game
from gamecore.text import printable

MOST_ENTRY_BYTES: Final = 96 << 20  #: of table entries kept for a warm start; beyond, the cheaper ones go

_KEPT: Final = 10  # nodes of a table entry that is worth keeping, at first

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
}  #: by table: types of its columns, and what holds in each row


class Work(NamedTuple):
    """Jobs that ended, jobs that were lost, positions searched, seconds of the searches."""

    jobs: int
    lost: int
    nodes: int
    seconds: float

    def plus(self, more: "Work") -> "Work":
        """Return the sum."""
        return Work(*map(operator.add, self, more))


NO_WORK: Final = Work(0, 0, 0, 0.0)


class Store:
    """An open store.

    Attributes:
        path: of the file.
        about: ``run`` (32 hexadecimal digits), ``game``, ``position`` as given, ``root`` (canonical), ``question``,
            ``gamecore``.
        least: table entries whose search took this many nodes are worth keeping.
    """

    def __init__(self, path: str, connection: sqlite3.Connection, about: dict[str, str]) -> None:
        self.path, self.about = path, about
        self._connection = connection
        self._unwritable: sqlite3.Error | None = None
        self._next_id = 1
        self._session = 0
        self._entry_bytes = 0
        self.least = _KEPT
        self._entries: list[bytes] = []  # to be written
        self._dirty: dict[Node, None] = {}

    @property
    def run(self) -> bytes:
        """The run's name: 16 bytes."""
        return bytes.fromhex(self.about["run"])

    # --- opening -----------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a store to read one snapshot of it.

        Raises:
            GamecoreError: there is none, it is no store, of another format, damaged, or locked.
        """
        name = checked_path(path, "store")
        if not exists(name):
            raise GamecoreError(f"there is no store {name!a}")
        with translate_errors(name):
            connection, about = snapshot(name)
        if about is None:
            connection.close()
            raise GamecoreError(f"{name!a} is no store of gamecore prove: it is empty")
        return cls(name, connection, about)

    @classmethod
    def open_for(cls, path: str | os.PathLike[str], about: Mapping[str, str]) -> Self:
        """Open the store of a run, or create it.

        A store that cannot be written, as in a read-only folder, is opened to be read; then :meth:`begin_session`
        fails.

        Args:
            about: ``game``, ``position``, ``root``, ``question``, and perhaps ``rules``.

        Raises:
            GamecoreError: the file is something else, damaged, locked, or cannot be created; the message says what
                differs.
        """
        name = checked_path(path, "store")
        is_there = exists(name)
        with translate_errors(name):
            try:
                store = cls(name, *open_or_create(name, about))
            except sqlite3.OperationalError as error:
                if not (is_there and is_unwritable(error)):
                    raise
                store = cls.open(name)
                store._unwritable = error
        if store.about.get("rules", "") != about.get("rules", ""):
            store.close()
            raise GamecoreError(f"{name!a} holds a proof by other rules of {about['game']}: begin a new store")
        for what in ("game", "root", "question"):
            if store.about[what] != about[what]:
                store.close()
                what = "position" if what == "root" else what
                there, here = (printable(description[what], 160) for description in (store.about, about))
                raise GamecoreError(f"{name!a} holds the {what} {there}, not {here}")
        return store

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading -----------------------------------------------------------------------------------------------------

    def load(self) -> Tree:
        """Return the tree as last written, with recomputed proof numbers.

        Raises:
            GamecoreError: the file is damaged.
        """
        about, prover = self.about, prover_of(self.about["game"])
        with translate_errors(self.path):
            state = self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if state != "ok":
                raise ValueError(printable(state, 120))
            with as_damage():
                position = game(about["game"]).Position.from_text(about["position"])
                if about["root"] != prover.canonical(position):
                    raise ValueError("its root is not its position")
            self._check_rows(prover.most_score(about["root"]))
            tree = Tree(prover, about["root"], about["question"])
            places = self._load_places(tree)
            self._load_moves(places, prover)
            self._load_nodes(tree, places)
        tree.changed.clear()
        tree.split.clear()
        return tree

    def _load_places(self, tree: Tree) -> dict[int, Place]:
        places = {}
        for number, key, low, high, low_by, high_by in self._connection.execute(
            "SELECT id, position, lower, upper, lower_by, upper_by FROM places"
        ):
            place = places[number] = tree.place(key, low, high)
            place.id, place.low_by, place.high_by = number, low_by, high_by
        self._next_id = max(places, default=0) + 1
        return places

    def _load_moves(self, places: dict[int, Place], prover: Prover) -> None:
        moves: dict[int, list[tuple[str, Place]]] = {}
        for place, number, move, after in self._connection.execute("SELECT * FROM moves ORDER BY place, number"):
            listed = moves.setdefault(place, [])
            if number != len(listed):
                raise ValueError(f"{places[place].key} lacks a move")
            listed.append((move, places[after]))
        left = {number: prover.plies_left(place.key) for number, place in places.items()}
        for number, listed in moves.items():
            if any(left[after.id] >= left[number] for _, after in listed):
                raise ValueError(f"a move of {places[number].key} leads to no position after it")
            places[number].moves = tuple(listed)

    def _load_nodes(self, tree: Tree, places: dict[int, Place]) -> None:
        inner = []
        for number, test, split, work in self._connection.execute("SELECT place, test, split, work FROM nodes"):
            place = places[number]
            if split and place.moves is None:
                raise ValueError(f"{place.key} was split, but has no moves")
            node = tree.node(place, test)
            node.work = work
            if split:
                inner.append(node)
        with as_damage():
            tree.connect_all(inner)

    def _check_rows(self, most: int) -> None:
        """Check types and ranges: SQLite holds anything anywhere.

        Args:
            most: no score is further from 0.
        """
        for table, (types, sound) in _SOUND.items():
            typed = " AND ".join(f"typeof({name}) = '{kind}'" for name, kind in types.items())
            query = f"SELECT 1 FROM {table} WHERE NOT ({typed} AND {sound}) LIMIT 1"
            if self._connection.execute(query, {"most": most}).fetchone() is not None:
                raise ValueError(f"the table {table} holds what it cannot hold")

    def totals(self) -> Work:
        """Return the work of all sessions."""
        with translate_errors(self.path):
            row = self._connection.execute(
                "SELECT total(jobs), total(lost), total(nodes), total(seconds) FROM sessions"
            ).fetchone()
            return Work(int(row[0]), int(row[1]), int(row[2]), row[3])

    def sessions(self) -> list[dict[str, float]]:
        """Return the sessions: when each began and was last seen, its workers, jobs, lost jobs, nodes, seconds."""
        names = ("began", "seen", "workers", "jobs", "lost", "nodes", "seconds")
        with translate_errors(self.path):
            rows = self._connection.execute(f"SELECT {', '.join(names)} FROM sessions ORDER BY id").fetchall()
        if not all(isinstance(value, (int, float)) and math.isfinite(value) for row in rows for value in row):
            raise GamecoreError(f"{self.path!a} is damaged: a session holds something that is no number")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def parcels(self) -> list[bytes]:
        """Return the table entries that were kept, for a warm start; they may be damaged."""
        with translate_errors(self.path):
            sound = "typeof(least) = 'integer' AND typeof(parcel) = 'blob'"
            rows = self._connection.execute(f"SELECT least, parcel FROM entries WHERE {sound} ORDER BY id").fetchall()
        self._entry_bytes = sum(len(parcel) for _, parcel in rows)
        self.least = max((least for least, _ in rows), default=_KEPT)
        return [parcel for _, parcel in rows]

    # --- writing -----------------------------------------------------------------------------------------------------

    def hold(self) -> None:
        """Begin to take the store over: nobody else can write until :meth:`begin_session` or :meth:`close`."""
        with translate_errors(self.path):
            try:
                if self._unwritable is None:
                    self._connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not is_unwritable(error):
                    raise
                self._unwritable = error
                self._connection.execute("BEGIN")

    def begin_session(self, name: str, workers: int) -> None:
        """Take the store over: earlier sessions can no longer write."""
        with translate_errors(self.path):
            if self._unwritable is not None:
                raise self._unwritable
            self._connection.execute("INSERT OR REPLACE INTO about VALUES ('session', ?)", (name,))
            row = (name, __version__, time.time(), time.time(), workers)
            insert = "INSERT INTO sessions VALUES (NULL, ?, ?, ?, ?, ?, 0, 0, 0, 0)"
            self._session = self._connection.execute(insert, row).lastrowid or 0
            self._connection.execute("COMMIT")
        self.about["session"] = name

    def write(self, tree: Tree, work: "Work", worked: Iterable[Node], numbers: bool) -> None:
        """Write all changes of the tree, and the work that was done, in one transaction.

        Args:
            work: since the last call.
            worked: nodes for which jobs ended.
            numbers: whether to write the proof numbers of inner nodes too: only people need them.
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
                [
                    (node.place.id, node.test, node.children is not None, node.proof, node.disproof, node.work)
                    for node in rows
                ],
            )
            self._write_work(work)
        tree.changed.clear()
        tree.split.clear()

    def _write_work(self, work: "Work") -> None:
        self._connection.execute(
            "UPDATE sessions SET seen = ?, jobs = jobs + ?, lost = lost + ?, nodes = nodes + ?, "
            "seconds = seconds + ? WHERE id = ?",
            (time.time(), *work, self._session),
        )
        self._connection.executemany(
            "INSERT INTO entries VALUES (NULL, ?, ?)", [(self.least, parcel) for parcel in self._entries]
        )
        self._entry_bytes += sum(map(len, self._entries))
        while self._entry_bytes > MOST_ENTRY_BYTES:
            self._thin_entries()

    def _write_places(self, tree: Tree, nodes: Iterable[Node]) -> None:
        self._connection.executemany(
            "UPDATE places SET lower = ?, upper = ?, lower_by = ?, upper_by = ? WHERE id = ?",
            [(place.low, place.high, place.low_by, place.high_by, place.id) for place in tree.changed if place.id],
        )
        new = dict.fromkeys(place for place in tree.changed if not place.id)
        new |= dict.fromkeys(node.place for node in nodes if not node.place.id)
        moves = [(node.place, pair) for node in tree.split for pair in enumerate(node.place.moves or ())]
        new |= dict.fromkeys(after for _, (_, (_, after)) in moves if not after.id)
        for number, place in enumerate(new, self._next_id):
            place.id = number
        self._next_id += len(new)
        for place in (*tree.changed, *new):
            check_bounds(place.low, place.high, place.key)
        self._connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?)",
            [(place.id, place.key, place.low, place.high, place.low_by, place.high_by) for place in new],
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO moves VALUES (?, ?, ?, ?)",
            [(place.id, number, move, after.id) for place, (number, (move, after)) in moves],
        )

    def add_entries(self, data: bytes) -> None:
        """Keep the costly ones of a parcel's table entries: the next transaction writes them.

        Raises:
            GamecoreError: the parcel is damaged or of another run.
        """
        sender, words = unpack(self.run, data)
        kept = costly(words, self.least)
        if len(kept):
            self._entries.append(data if len(kept) == len(words) else pack(self.run, sender, kept.tobytes()))

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
        """Write in a transaction, if the store is still this session's."""
        with translate_errors(self.path):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._check_session()
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise
        self._entries.clear()  # kept until they are on the disk
