"""Whole runs: the value is the game's own, whatever the jobs, threads, kills; and the stores that they keep."""

import contextlib
import json
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from signal import SIGKILL

import pytest
from prove.truth import images, position_of, small_position, solved  # pytest's pythonpath has the folder of tests

from gamecore import hexapawn, prove
from gamecore.apps.prove import _run, _store
from gamecore.apps.prove._store import Store, Work
from gamecore.apps.prove._tree import Tree
from gamecore.errors import GamecoreError
from gamecore.limits import Limits

OVER = [position_of(text) for text in ("0:D6S3:B:DQ", "p/P:w")]


@pytest.mark.parametrize("seed", range(26))
def test_the_value_whatever_the_jobs(tmp_path, seed):
    """And of positions that need no search."""
    position, rng = OVER[seed - 24] if seed >= 24 else small_position(seed), random.Random(seed)
    solution, store, seen = solved(position), tmp_path / "proof", []
    question = rng.choice(("value", "value", "wins"))
    for _ in range(2000):
        how = {"threads": rng.choice((1, 2)), "job_nodes": rng.choice((2, 5, 20, 100))}
        limits = Limits(nodes=rng.choice((20, 300, 2000)), table_mb=0.1)
        outcome = prove.run(position, store, question=question, limits=limits, progress=seen.append, **how)
        if outcome.answered:
            break
    assert (outcome.answered, outcome.winner, outcome.to_move) == (True, solution.winner, position.to_move)
    assert question == "wins" or outcome.value == solution.value
    assert (seen[-1].test, seen[-1].jobs) == (None, outcome.jobs)
    verification = prove.verify(store, recheck="all")
    assert not verification.faults
    assert (verification.lower, verification.upper) == (outcome.lower, outcome.upper)
    assert verification.claims == verification.rechecked
    same = position_of(rng.choice(images(position.to_text(), rng)))
    assert prove.run(same, store, question=question).jobs == outcome.jobs  # nothing is left to do
    status = prove.status(store)
    assert status.answered
    for name in ("lower", "upper", "jobs", "nodes"):
        assert getattr(status, name) == getattr(outcome, name)


def test_two_runs_on_one_store(tmp_path, monkeypatch):
    """Each works on by itself, and the store has what both found: their work, and the tighter bounds."""
    monkeypatch.setattr(_run, "_REPORT", 0.0)  # progress is told of each result
    start, store, others = hexapawn.Position.start(5, 5), tmp_path / "proof", []

    def begin_another(progress):
        if progress.jobs == 20:
            others.append(prove.run(start, store, job_nodes=15, limits=Limits(nodes=2000, table_mb=1)))

    outcome = prove.run(start, store, job_nodes=10, progress=begin_another)
    assert outcome.value == 19
    status = prove.status(store)
    assert (status.jobs, status.nodes) == (outcome.jobs + others[0].jobs - 20, outcome.nodes + 2000)
    assert status.value == 19
    assert not prove.verify(store, recheck="all").faults
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT sum(work) FROM facts").fetchone() == (status.nodes,)


# --- kill -9 of several runs at once: at most what was not yet put is lost ------------------------------------------


def jobs_of(store):
    """Return the number of jobs in a store without faults; 0 if nothing was written to it yet."""
    try:
        jobs = prove.status(store).jobs
        assert not prove.verify(store).faults
    except GamecoreError as error:
        if not re.search("there is no store|it is empty|No such file", str(error)):
            raise
        return 0
    return jobs


def run_and_kill(store, rng, seconds):
    """Run commands at once, up to four, or for 60 seconds one; kill them after as much work; return what they wrote.

    Readers see a whole store meanwhile.
    """
    running, lines, deadline = [], [], time.monotonic() + 60
    words = "-m gamecore prove hexapawn 6x6 --json --table-mb 4 --store"
    command = [sys.executable, *words.split(), str(store)]
    for _ in range(rng.randint(1, 4) if seconds < 60 else 1):
        how = ["--threads", rng.choice("12"), "--job-nodes", rng.choice(("300", "2000"))]
        running.append(subprocess.Popen([*command, *how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        time.sleep(rng.uniform(0.0, 0.12))
    while any(process.poll() is None for process in running) and time.monotonic() < deadline:
        if store.exists():
            deadline = min(deadline, time.monotonic() + seconds)
        jobs_of(store)
        time.sleep(0.01)
    for process in running:
        process.kill()
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -SIGKILL), err
        lines += [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    return lines


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.nightly)])
def test_kills_of_several_runs_at_once(tmp_path, kills):
    """Begin a new store when a run came to its end."""
    store, rng, before, results = tmp_path / "proof", random.Random(kills), 0, []
    while kills or not results:
        lines = run_and_kill(store, rng, rng.uniform(0.0, 0.5) if kills else 60)
        jobs = jobs_of(store)
        assert jobs >= max([before, *(line["jobs"] for line in lines)])  # nothing that was said to be done is lost
        results = [line["value"] for line in lines if line["event"] == "result"]
        assert set(results) <= {-30}
        assert results or kills
        before = 0 if results else jobs
        if not results:
            kills -= 1
        elif kills:
            for file in tmp_path.iterdir():
                file.unlink()
    assert not prove.verify(store, recheck=3).faults


# --- stores: facts only become tighter, readers see one moment, damage, full disks, read-only folders -----------------

SMALL = Limits(table_mb=0.1)
START, VALUE = hexapawn.Position.start(5, 5), 19


def some_jobs(store, nodes=100):
    return prove.run(START, store, job_nodes=10, limits=Limits(nodes=nodes, table_mb=0.1))


ABOUT = {"game": "hexapawn", "position": "pp/PP:w", "root": "pp/PP:w", "question": "value", "rules": "hexapawn 1"}
LOOKS = (prove.status, prove.verify)  #: every way to look at a store


def test_facts_only_become_tighter(tmp_path):
    """Whatever the order in which two runs put them; a bound keeps what it comes from. Each is on the disk at once."""
    key = "pp/PP:w"

    def put(*bounds):
        with Store(tmp_path / "proof", ABOUT) as store:
            assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
            tree = store.load()
            place = tree.start
            place.low, place.high, place.low_by, place.high_by = bounds
            place.moves, place.work = (("a1-a2", tree.place("p1/1P:w", -8189, 8190)),), 5
            tree.changed[place] = None
            store.put(tree, Work(1, 0, 5, 0.5))

    def stored():
        with Store(tmp_path / "proof") as store:
            start = store.load().start
            return start.low, start.high, start.low_by, start.high_by, [move for move, _ in start.moves], store.effort

    for number, (new, kept) in enumerate([
        ((-8100, 8180, 1, 0), (-8100, 8180, 1, 0)), ((-8189, 8190, 0, 1), (-8100, 8180, 1, 0)),
        ((8160, 8188, 0, 1), (8160, 8180, 0, 0)), ((-8189, 8170, 0, 1), (8160, 8170, 0, 1)),
        ((8160, 8170, 1, 0), (8160, 8170, 0, 1)),
    ], start=1):  # fmt: skip
        put(*new)
        assert stored() == (*kept, ["a1-a2"], Work(number, 0, 5 * number, number / 2))
    with sqlite3.connect(tmp_path / "proof") as connection:
        assert connection.execute("SELECT work FROM facts WHERE key = ?", [key]).fetchone() == (25,)


@pytest.mark.parametrize("look", LOOKS)
def test_a_reader_sees_one_moment(tmp_path, monkeypatch, look):
    """Another run writes while the tables are read one after another."""
    store, wrote = tmp_path / "proof", []
    some_jobs(store)
    load = Store.load

    def loading(self):
        monkeypatch.undo()
        self._connection.set_trace_callback(lambda text: "WHERE moves IS NOT NULL" in text and write())
        return load(self)

    def write():
        if not wrote:
            wrote.append(some_jobs(store).jobs)

    monkeypatch.setattr(Store, "load", loading)
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
        with pytest.raises(GamecoreError, match=r"damaged|not 'ppppp|is not known here|other rules"):
            use(store)


def test_a_move_leads_to_a_position_after_it():
    tree = Tree(prove.prover_of("hexapawn"), "pp/PP:w")
    tree.add("pp/PP:w", -8189, 8190, 0, 0)
    with pytest.raises(ValueError, match="a move of pp/PP:w leads to no position after it"):
        tree.add_moves("pp/PP:w", "a1-a2 pp/PP:w")


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
    assert errors > len(whole) // 4096 > 8


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


def test_a_store_that_another_process_holds(tmp_path, monkeypatch):
    """Whoever only looks need not wait."""
    store = tmp_path / "proof"
    some_jobs(store)
    monkeypatch.setattr(_store, "_WAIT", 0.05)
    with contextlib.closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(GamecoreError, match="another process holds the store"):
            some_jobs(store)
        assert not prove.status(store).answered
    assert prove.run(START, store, limits=SMALL).value == VALUE
