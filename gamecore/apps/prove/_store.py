"""The store: an SQLite file of what is proved so far, which survives whatever happens to the process.

``docs/prove.md`` documents the tables. Facts only become tighter, so that any process may add what it has found at any
time: a bound replaces one that says less. All that came back together is one transaction, and is on the disk (fsync)
before more jobs are given out. So a run that is killed loses only the jobs that were under way.
"""

import operator
import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from gamecore._version import __version__
from gamecore.apps.prove._prover import prover_of
from gamecore.apps.prove._tree import QUESTIONS, Tree
from gamecore.errors import GamecoreError
from gamecore.files import checked_path, file_errors
from gamecore.text import describe, printable

FORMAT: Final = 3  #: of stores (user_version); another one is refused
APPLICATION: Final = 0x67637076  #: application_id: "gcpv"

_WAIT: Final = 10.0  # seconds to wait for another process that writes
_DURABLE: Final = "PRAGMA synchronous = FULL"  # a transaction is on the disk when it ends
_ASKED: Final = {"game": "game", "root": "position", "question": "question"}  # another of these is another proof
_ABOUT: Final = {*_ASKED, "position", "rules", "gamecore"}

_SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE facts (
    key TEXT PRIMARY KEY, low INTEGER NOT NULL, high INTEGER NOT NULL, low_by INTEGER NOT NULL,
    high_by INTEGER NOT NULL, moves TEXT, work INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE effort (jobs INTEGER NOT NULL, lost INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL);
INSERT INTO effort VALUES (0, 0, 0, 0.0);
"""
_PUT: Final = """
INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    low_by = iif(excluded.low > low, excluded.low_by, low_by), low = max(low, excluded.low),
    high_by = iif(excluded.high < high, excluded.high_by, high_by), high = min(high, excluded.high),
    moves = coalesce(moves, excluded.moves), work = work + excluded.work
"""
_SOUND: Final = """
typeof(key) = 'text' AND typeof(low) = 'integer' AND typeof(high) = 'integer' AND typeof(work) = 'integer'
AND low BETWEEN -:most AND high AND high <= :most AND work >= 0 AND low_by IN (0, 1) AND high_by IN (0, 1)
AND (typeof(moves) = 'text' OR moves IS NULL AND NOT low_by AND NOT high_by)
"""  #: what holds in each row of facts, as SQLite holds anything anywhere


class Work(NamedTuple):
    """Jobs that ended, jobs that were lost, positions searched, seconds of the searches."""

    jobs: int = 0
    lost: int = 0
    nodes: int = 0
    seconds: float = 0.0

    def plus(self, more: "Work") -> "Work":
        """Return the sum."""
        return Work(*map(operator.add, self, more))


class Store(AbstractContextManager["Store"]):
    """An open store.

    Args:
        path: of the file.
        about: of a run that will put facts: ``game``, ``position`` as given, ``root`` (canonical), ``question``,
            ``rules``. The store is created if need be. None: it is there, and is read.

    Attributes:
        about: the same, and the version of gamecore that created it.
        effort: of all that was there when it was loaded, and was put since.

    Raises:
        GamecoreError: there is no store, the file is something else, of another format or another proof, damaged,
            locked, or cannot be created.
    """

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, str] | None = None) -> None:
        self.path, self.effort = checked_path(path, "store"), Work()
        if not is_file(self.path) and about is None:
            raise GamecoreError(f"there is no store {self.path!a}")
        uri = f"{Path(self.path).absolute().as_uri()}?mode={'rw' if about is None else 'rwc'}"
        with _errors(self.path):
            self._connection = sqlite3.connect(
                uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                self._connection.execute(_DURABLE)
                with self._transaction("DEFERRED" if about is None else "IMMEDIATE"):  # nobody else creates it
                    self.about = self._opened(about)
                if about is not None:
                    self._connection.execute("PRAGMA journal_mode = WAL")
            except BaseException:
                self._connection.close()
                raise

    def _opened(self, asked: Mapping[str, str] | None) -> dict[str, str]:
        """Return what the store is about. An empty file, such as a killed process leaves, becomes what is asked."""
        execute, names = self._connection.execute, ("application_id", "user_version", "schema_version")
        application, version, changes = (execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        if application == version == changes == 0:
            if asked is None:
                raise GamecoreError(f"{self.path!a} is no store of gamecore prove: it is empty")
            for statement in _SCHEMA.split(";"):
                execute(statement)
            whole = {**asked, "gamecore": __version__}
            self._connection.executemany("INSERT INTO about VALUES (?, ?)", whole.items())
        elif application != APPLICATION:
            raise GamecoreError(f"{self.path!a} is no store of gamecore prove")
        elif version != FORMAT:
            kind = "gamecore 0.4 or older: begin a new one, or finish it there"
            kind = kind if version < FORMAT else f"format {version}; this gamecore reads format {FORMAT}"
            raise GamecoreError(f"{self.path!a} is a store of {kind}")
        about = dict(execute("SELECT name, value FROM about").fetchall())
        if not all(isinstance(text, str) for pair in about.items() for text in pair):
            raise ValueError("the table about holds something that is no text")
        if _ABOUT - about.keys() or about["question"] not in QUESTIONS:
            raise ValueError("it does not say what it is about")
        prover_of(about["game"])
        for field, name in _ASKED.items():
            if asked and about[field] != asked[field]:
                what = f"{name} {printable(about[field], 160)}, not {printable(asked[field], 160)}"
                raise GamecoreError(f"{self.path!a} holds the {what}")
        return about

    @contextmanager
    def _transaction(self, kind: str = "DEFERRED") -> Iterator[None]:
        self._connection.execute(f"BEGIN {kind}")
        with self._connection:  # commits, or rolls back
            yield

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def load(self) -> Tree:
        """Return a tree of all facts, as they were at one moment, and of what follows from them.

        Raises:
            GamecoreError: the file is damaged, or was proved by other rules.
        """
        about, execute = self.about, self._connection.execute
        prover = prover_of(about["game"])
        with _errors(self.path, loading=True), self._transaction():
            state = execute("PRAGMA integrity_check(1)").fetchone()[0]
            if state != "ok":
                raise ValueError(printable(state, 120))
            if about["root"] != prover.plain.canonical(about["position"]):
                raise ValueError("its root is not its position")
            rules, tree = prover.fingerprint(about["root"]), Tree(prover, about["root"], about["question"])
            most = {"most": tree.most_score}
            if execute(f"SELECT 1 FROM facts WHERE NOT ({_SOUND}) LIMIT 1", most).fetchone() is not None:
                raise ValueError("the table facts holds what it cannot hold")
            self.effort = Work(*execute("SELECT jobs, lost, nodes, seconds FROM effort").fetchone())
            if not all(isinstance(count, (int, float)) and 0 <= count < 1 << 62 for count in self.effort):
                raise ValueError("the table effort holds what it cannot hold")
            if execute("SELECT coalesce(sum(work), 0) FROM facts").fetchone()[0] != self.effort.nodes:
                raise ValueError("facts are missing: their work is not that of all jobs")
            for fact in execute("SELECT key, low, high, low_by, high_by FROM facts"):
                tree.add(*fact)
            for key, moves in execute("SELECT key, moves FROM facts WHERE moves IS NOT NULL"):
                tree.add_moves(key, moves)
        if rules != about["rules"]:
            raise GamecoreError(f"{self.path!a} holds a proof by other rules of {about['game']}: begin a new store")
        tree.advance()
        return tree

    def put(self, tree: Tree, work: Work) -> None:
        """Add what is new in a tree, and the work that it took, in one transaction.

        Raises:
            GamecoreError: another process holds the store too long, or it cannot be written.
        """
        facts = [place.fact() for place in tree.changed]
        with _errors(self.path), self._transaction("IMMEDIATE"):
            self._connection.executemany(_PUT, facts)
            add = "UPDATE effort SET jobs = jobs + ?, lost = lost + ?, nodes = nodes + ?, seconds = seconds + ?"
            self._connection.execute(add, work)
        for place in tree.changed:  # kept until they are on the disk
            place.work = 0
        tree.changed.clear()
        self.effort = self.effort.plus(work)


# --- files and errors ------------------------------------------------------------------------------------------------


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
def _errors(path: str, loading: bool = False) -> Iterator[None]:
    """Convert SQLite's errors, and ValueError and the like, to GamecoreError; ``loading``: GamecoreErrors are damage.

    Raises:
        GamecoreError: the file is no database, damaged, locked, cannot be opened or written, or the disk is full.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")  # Python itself raises it for a text of no UTF-8
        kinds = {
            "NOTADB": f"{path!a} is no store of gamecore prove",
            "CORRUPT": f"{path!a} is damaged: {error}",
            **dict.fromkeys(("BUSY", "LOCKED"), f"another process holds the store {path!a}"),
        }
        raise GamecoreError(kinds.get(code.split("_")[1], f"the store {path!a}: {error}")) from None
    except (KeyError, ValueError, TypeError, OverflowError) as error:  # a row that points nowhere, a text for a number
        if isinstance(error, GamecoreError) and not loading:
            raise
        why = error if isinstance(error, ValueError) else describe(error)
        raise GamecoreError(f"{path!a} is damaged: {why}") from None
