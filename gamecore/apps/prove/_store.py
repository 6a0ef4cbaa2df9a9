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
from collections.abc import Mapping
from functools import reduce
from typing import Final, NamedTuple, Self

from gamecore._version import __version__
from gamecore.apps.prove._database import is_file, is_unwritable, open_or_create, snapshot, translate_errors
from gamecore.apps.prove._exchange import thinned
from gamecore.apps.prove._prover import Prover, prover_of
from gamecore.apps.prove._tree import Place, Tree
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


class Session(NamedTuple):
    """When a session began and was last seen, and its work."""

    began: float
    seen: float
    work: Work


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
        self._next_id = 1
        self._entry_bytes = 0
        self.least = _KEPT
        self._entries: list[bytes] = []  # to be written

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
        if not is_file(name):
            raise GamecoreError(f"there is no store {name!a}")
        with translate_errors(name):
            connection, about = snapshot(name)
        if about is None:
            connection.close()
            raise GamecoreError(f"{name!a} is no store of gamecore prove: it is empty")
        return cls(name, connection, about)

    @classmethod
    def open_for(cls, path: str | os.PathLike[str], about: Mapping[str, str]) -> Self:
        """Open the store of a run, or create it; nobody else can write until :meth:`begin_session` or :meth:`close`.

        A store that cannot be written, as in a read-only folder, is opened to be read; then :meth:`begin_session`
        fails.

        Args:
            about: ``game``, ``position``, ``root``, ``question``, and perhaps ``rules``.

        Raises:
            GamecoreError: the file is something else, damaged, locked, or cannot be created; the message says what
                differs.
        """
        name = checked_path(path, "store")
        is_there = is_file(name)
        with translate_errors(name):
            try:
                store = cls(name, *open_or_create(name, about))
            except sqlite3.OperationalError as error:
                if not (is_there and is_unwritable(error)):
                    raise
                store = cls.open(name)
        for field, what in {"rules": "rules", "game": "game", "root": "position", "question": "question"}.items():
            there, here = store.about.get(field, ""), about.get(field, "")
            if there != here:
                store.close()
                if field == "rules":
                    raise GamecoreError(f"{name!a} holds a proof by other rules of {about['game']}: begin a new store")
                raise GamecoreError(f"{name!a} holds the {what} {printable(there, 160)}, not {printable(here, 160)}")
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
        with translate_errors(self.path, loading=True):
            state = self._connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if state != "ok":
                raise ValueError(printable(state, 120))
            position = game(about["game"]).Position.from_text(about["position"])
            if about["root"] != prover.canonical(position):
                raise ValueError("its root is not its position")
            rules = prover.fingerprint(about["root"])
        if about.get("rules", "") != rules:
            raise GamecoreError(f"{self.path!a} holds a proof by other rules of {about['game']}: begin a new store")
        with translate_errors(self.path, loading=True):
            self._check_rows(prover.most_score(about["root"]))
            tree = Tree(prover, about["root"], about["question"])
            places = self._load_places(tree)
            self._load_moves(places, prover)
            self._load_nodes(tree, places)
        tree.changed.clear()
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
            node = tree.node(places[number], test)
            node.work = work
            if split:
                inner.append(node)
                if node.place.moves is None:
                    raise ValueError(f"{node.place.key} was split, but has no moves")
        tree.connect(inner)

    def _check_rows(self, most: int) -> None:
        """Check types and ranges, as SQLite holds anything anywhere; no score is further from 0 than ``most``."""
        for table, (types, sound) in _SOUND.items():
            typed = " AND ".join(f"typeof({name}) = '{kind}'" for name, kind in types.items())
            query = f"SELECT 1 FROM {table} WHERE NOT ({typed} AND {sound}) LIMIT 1"
            if self._connection.execute(query, {"most": most}).fetchone() is not None:
                raise ValueError(f"the table {table} holds what it cannot hold")

    def sessions(self) -> list[Session]:
        """Return the sessions, the earliest first."""
        with translate_errors(self.path):
            query = "SELECT began, seen, jobs, lost, nodes, seconds FROM sessions ORDER BY id"
            rows = self._connection.execute(query).fetchall()
        if not all(isinstance(value, (int, float)) and math.isfinite(value) for row in rows for value in row):
            raise GamecoreError(f"{self.path!a} is damaged: a session holds something that is no number")
        return [Session(began, seen, Work(*work)) for began, seen, *work in rows]

    def totals(self) -> Work:
        """Return the work of all sessions."""
        return reduce(Work.plus, (session.work for session in self.sessions()), NO_WORK)

    def parcels(self) -> list[bytes]:
        """Return the table entries that were kept, for a warm start; they may be damaged."""
        with translate_errors(self.path):
            sound = "typeof(least) = 'integer' AND typeof(parcel) = 'blob'"
            rows = self._connection.execute(f"SELECT least, parcel FROM entries WHERE {sound} ORDER BY id").fetchall()
        self._entry_bytes = sum(len(parcel) for _, parcel in rows)
        self.least = max((least for least, _ in rows), default=_KEPT)
        return [parcel for _, parcel in rows]

    # --- writing -----------------------------------------------------------------------------------------------------

    def begin_session(self, name: str, workers: int) -> None:
        """Take the store over: earlier sessions can no longer write."""
        self.about["session"] = name
        with translate_errors(self.path), self._connection:
            self._connection.execute("INSERT OR REPLACE INTO about VALUES ('session', ?)", (name,))
            row = (name, __version__, time.time(), time.time(), workers)
            self._connection.execute("INSERT INTO sessions VALUES (NULL, ?, ?, ?, ?, ?, 0, 0, 0, 0)", row)

    def write(self, tree: Tree, work: Work) -> None:
        """Write all changes of the tree, and the work of this session so far, in one transaction.

        Raises:
            GamecoreError: another process has taken the store over, or it cannot be written.
        """
        execute, executemany = self._connection.execute, self._connection.executemany
        with translate_errors(self.path), self._connection:
            execute("BEGIN IMMEDIATE")
            holder = execute("SELECT value FROM about WHERE name = 'session'").fetchone()
            if holder is None or holder[0] != self.about.get("session"):
                raise GamecoreError(f"another process has taken over the store {self.path!a}")
            self._write_places(tree)
            executemany(
                "INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (node.place.id, node.test, node.children is not None, node.proof, node.disproof, node.work)
                    for node in tree.worked
                ],
            )
            execute(
                "UPDATE sessions SET seen = ?, jobs = ?, lost = ?, nodes = ?, seconds = ? WHERE name = ?",
                (time.time(), *work, holder[0]),
            )
            executemany("INSERT INTO entries VALUES (NULL, ?, ?)", [(self.least, parcel) for parcel in self._entries])
            self._entry_bytes += sum(map(len, self._entries))
            while self._entry_bytes > MOST_ENTRY_BYTES:
                self._thin_entries()
        self._entries.clear()  # kept until they are on the disk
        tree.changed.clear()
        tree.worked.clear()

    def _write_places(self, tree: Tree) -> None:
        """Write places whose bounds changed and those that are new, and the moves of nodes that were split."""
        split = [node.place for node in tree.worked if node.children is not None]
        moves = [(place, pair) for place in split for pair in enumerate(place.moves or ())]
        places = dict.fromkeys([*tree.changed, *(node.place for node in tree.worked)])
        places |= dict.fromkeys(after for _, (_, (_, after)) in moves if not after.id)
        new = [place for place in places if not place.id]
        for number, place in enumerate(new, self._next_id):
            place.id = number
        self._next_id += len(new)
        for place in places:
            check_bounds(place.low, place.high, place.key)
        self._connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET lower = excluded.lower, "
            "upper = excluded.upper, lower_by = excluded.lower_by, upper_by = excluded.upper_by",
            [(place.id, place.key, place.low, place.high, place.low_by, place.high_by) for place in places],
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO moves VALUES (?, ?, ?, ?)",
            [(place.id, number, move, after.id) for place, (number, (move, after)) in moves],
        )

    def add_entries(self, parcel: bytes) -> None:
        """Keep the costly ones of a parcel's table entries: the next transaction writes them."""
        if kept := thinned(self.run, parcel, self.least):
            self._entries.append(kept)

    def _thin_entries(self) -> None:
        """Keep the costlier part of the table entries."""
        self.least *= 2
        rows = self._connection.execute("SELECT id, parcel FROM entries").fetchall()
        kept = [(self.least, thinned(self.run, parcel, self.least), number) for number, parcel in rows]
        self._connection.executemany("UPDATE entries SET least = ?, parcel = ? WHERE id = ?", kept)
        self._connection.execute("DELETE FROM entries WHERE parcel = x''")
        self._entry_bytes = sum(len(parcel) for _, parcel, _ in kept)
