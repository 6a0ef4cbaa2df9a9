"""Stores: who writes them, snapshots, damage, full disks, read-only folders."""

import contextlib
import os
import random
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest

from gamecore import hexapawn, prove
from gamecore.apps.prove import _database, _store
from gamecore.apps.prove._exchange import unpack
from gamecore.apps.prove._store import Store
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

SMALL = Limits(table_mb=0.1)
START, VALUE = hexapawn.Position.start(5, 5), 19


def some_jobs(store, nodes=100):
    return prove.run(START, store, job_nodes=10, limits=Limits(nodes=nodes, table_mb=0.1))


ABOUT = {"game": "hexapawn", "position": "pp/PP:w", "root": "pp/PP:w", "question": "value"}
LOOKS = (prove.status, prove.verify)  #: every way to look at a store


def test_nobody_writes_between_loading_and_taking_over(tmp_path, monkeypatch):
    """Or another run could write places in between, and give them the same ids."""
    store, begin, refusals = tmp_path / "proof", Store.begin_session, []
    monkeypatch.setattr(_database, "_WAIT", 0.05)
    some_jobs(store)

    def delayed(self, name, workers):
        monkeypatch.setattr(Store, "begin_session", begin)
        with pytest.raises(GamecoreError) as refusal:
            some_jobs(store)
        refusals.append(str(refusal.value))
        assert not prove.status(store).answered  # those who only look need not wait
        begin(self, name, workers)

    monkeypatch.setattr(Store, "begin_session", delayed)
    assert prove.run(START, store, limits=SMALL).value == VALUE
    assert refusals == [f"another process holds the store {str(store)!a}"]
    assert not prove.verify(store).faults


@pytest.mark.parametrize("look", LOOKS)
def test_a_reader_sees_one_snapshot(tmp_path, monkeypatch, look):
    """Another run writes while the tables are read one after another."""
    store, snapshot, wrote = tmp_path / "proof", _store.snapshot, []
    some_jobs(store)

    def reading(path):
        connection, about = snapshot(path)
        connection.set_trace_callback(lambda text: "FROM moves ORDER" in text and write())
        return connection, about

    def write():
        if not wrote:
            wrote.append(some_jobs(store).jobs)

    monkeypatch.setattr(_store, "snapshot", reading)
    assert not getattr(look(store), "faults", ())
    assert wrote


DAMAGE = Path(__file__).with_name("damage.txt").read_text().splitlines()  #: statements of SQL


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "proof"
    assert not some_jobs(store, 800).answered
    return store


@pytest.mark.parametrize("change", DAMAGE)
def test_what_cannot_be_in_a_store_is_damage(tmp_path, unfinished, change):
    store = tmp_path / "proof"
    shutil.copy(unfinished, store)
    with contextlib.closing(sqlite3.connect(store, isolation_level=None)) as connection:
        assert connection.execute(change).rowcount
    for use in (*LOOKS, some_jobs):
        with pytest.raises(GamecoreError, match=r"damaged|not 'ppppp|is not known here"):
            use(store)


def test_a_flipped_bit_or_a_damaged_page_gives_an_error_and_no_wrong_value(tmp_path, unfinished):
    whole, rng, errors = unfinished.read_bytes(), random.Random(1), 0
    changes = [(at, bytes([whole[at] ^ 1 << rng.randrange(8)])) for at in rng.sample(range(len(whole)), 25)]
    changes += [(at, rng.randbytes(4096)) for at in range(4096, len(whole), 4096)]
    for number, (at, change) in enumerate(changes):
        store, data = tmp_path / str(number), whole[:at] + change + whole[at + len(change) :]
        store.write_bytes(data)
        try:
            assert prove.verify(store).faults == ()
        except GamecoreError as error:
            errors += "damaged" in str(error)
            assert store.read_bytes() == data
        with contextlib.suppress(GamecoreError):
            assert prove.run(START, store, limits=SMALL).value == VALUE
    assert errors > len(whole) // 4096 > 10


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    connect, store = sqlite3.connect, tmp_path / "proof"

    def small(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 30")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(GamecoreError, match="full"):
        prove.run(START, store, job_nodes=10, limits=SMALL)
    monkeypatch.undo()
    assert not prove.verify(store).faults
    assert prove.run(START, store, job_nodes=1000, limits=SMALL).value == VALUE


@contextlib.contextmanager
def without_rights(folder, mode):
    """Give a folder these rights, and be somebody else than root, who may write everywhere."""
    user = os.geteuid()
    os.chmod(folder, mode)
    os.seteuid(user or 65534)
    try:
        yield
    finally:
        os.seteuid(user)
        os.chmod(folder, 0o755)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no read-only folders here")
def test_a_store_in_a_read_only_folder():
    with tempfile.TemporaryDirectory() as path:  # others may not look into pytest's folders
        folder = Path(path)
        finished, unfinished, running, killed = (
            folder / name for name in ("finished", "unfinished", "running", "copy")
        )
        assert prove.run(START, finished, limits=SMALL).value == VALUE
        Path(f"{finished}-wal").touch()
        jobs = some_jobs(unfinished).jobs
        with Store.open_for(running, ABOUT) as opened:
            opened.begin_session("one", 1)
            for end in ("", "-wal"):
                shutil.copy(f"{running}{end}", f"{killed}{end}")
        for mode in (0o555, 0o777):  # in an open folder the files alone are read-only
            with without_rights(folder, mode):
                assert (prove.status(finished).lower, prove.verify(finished).faults) == (VALUE, ())
                assert prove.run(START, finished).value == VALUE  # nothing is left to be written
                with pytest.raises(GamecoreError, match="holds the question 'value', not 'wins'"):
                    prove.run(START, finished, question="wins")
                assert prove.status(unfinished).jobs == jobs
                with pytest.raises(GamecoreError, match=r"readonly|unable to open"):
                    some_jobs(unfinished)
        with without_rights(folder, 0o555), pytest.raises(GamecoreError, match="unable to open"):
            prove.status(killed)  # without its log it would be an older store
        assert prove.status(killed).sessions == 1


def test_transactions_are_on_the_disk_when_they_end(tmp_path):
    for _ in range(2):  # a new store, and one that is there
        with Store.open_for(tmp_path / "proof", ABOUT) as store:
            assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_of_table_entries_the_costly_ones_are_kept(tmp_path, monkeypatch):
    def kept(name):
        prove.run(hexapawn.Position.start(6, 6), tmp_path / name, question="wins", job_nodes=20_000)
        with Store.open(tmp_path / name) as store:
            parcels = store.parcels()
            words = [unpack(store.run, parcel)[1] for parcel in parcels]
            return sum(map(len, parcels)), store.least, min(int((entries[2::3] >> 32).min()) for entries in words)

    size, least, cheapest = kept("all")
    assert least == _store._KEPT <= cheapest
    limit = size // 3
    monkeypatch.setattr(_store, "MOST_ENTRY_BYTES", limit)
    size, least, cheapest = kept("thinned")
    assert 0 < size <= limit
    assert _store._KEPT < least <= cheapest
