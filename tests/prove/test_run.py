"""Whole runs: the value is the game's own, whatever the jobs, the threads, the sittings; stores say what differs."""

import json
import random
import sqlite3

import pytest

from gamecore import duel, hexapawn, prove, rows
from gamecore.apps.prove import _database, _master, _store, prover_of
from gamecore.apps.prove._store import Store
from gamecore.errors import GamecoreError, OptionError, ParseError
from gamecore.game import _registry
from gamecore.limits import Limits

SMALL = Limits(table_mb=0.1)


@pytest.mark.parametrize("seed", range(24))
def test_the_value_whatever_the_jobs(tmp_path, small_position, solved, seed):
    position, rng = small_position(seed), random.Random(seed)
    solution, store = solved(position), tmp_path / "proof"
    question = rng.choice(("value", "value", "wins"))
    seen = []
    for _ in range(2000):
        outcome = prove.run(
            position,
            store,
            question=question,
            threads=rng.choice((1, 2)),
            job_nodes=rng.choice((2, 5, 20, 100)),
            limits=Limits(nodes=rng.choice((20, 300, 2000)), table_mb=0.1),
            progress=seen.append,
        )
        if outcome.answered:
            break
    assert outcome.answered
    assert outcome.winner == solution.winner
    assert question == "wins" or outcome.value == solution.value
    assert outcome.to_move == position.to_move
    assert seen[-1].test is None
    assert seen[-1].jobs == outcome.jobs
    found = prove.verify(store, recheck="all")
    assert not found.faults
    assert (found.lower, found.upper) == (outcome.lower, outcome.upper)
    assert found.claims == found.rechecked
    assert prove.run(position, store, question=question).jobs == outcome.jobs  # nothing is left to do
    status = prove.status(store)
    assert status.answered
    assert (status.lower, status.upper, status.jobs, status.nodes) == (
        outcome.lower, outcome.upper, outcome.jobs, outcome.nodes,
    )  # fmt: skip


def test_positions_that_need_no_search(tmp_path):
    over = duel.Position.from_text("0:D6S3:B:DQ")
    outcome = prove.run(over, tmp_path / "over")
    assert outcome.value == -9
    assert outcome.jobs == 0
    lost = hexapawn.Position.from_text("p/P:w")
    assert prove.run(lost, tmp_path / "lost").value == 0
    assert not prove.verify(tmp_path / "lost").faults


def test_a_run_that_stops_has_bounds_a_line_and_an_estimate(tmp_path):
    start, store = hexapawn.Position.start(6, 6), tmp_path / "proof"
    outcome = prove.run(start, store, job_nodes=2000, limits=Limits(nodes=80_000, table_mb=1))
    assert not outcome.answered
    assert outcome.winner is None
    assert 80_000 <= outcome.nodes <= 80_001
    status = prove.status(store)
    assert status.test == "the mover wins"
    position = hexapawn.Position.start(6, 6)
    assert status.line[0] in position.legal_moves()
    assert status.estimate.nodes_low < status.estimate.nodes < status.estimate.nodes_high
    assert json.dumps(status.to_dict())
    assert prove.run(start, store, limits=Limits(seconds=0)).jobs == outcome.jobs


def test_a_resumed_run_begins_with_the_entries_that_were_kept(tmp_path, monkeypatch):
    start = hexapawn.Position.start(6, 6)
    store = tmp_path / "proof"
    monkeypatch.setattr(_store, "_KEPT", 1)
    monkeypatch.setattr(_master, "_LEAST", 1_000_000)  # one job: a root that was split is in nobody's table
    first = prove.run(start, store, question="wins", limits=Limits(table_mb=8))
    with Store.open(store) as opened:
        assert opened.parcels()
    with sqlite3.connect(store) as connection:
        for table in ("places", "moves", "nodes", "sessions"):
            connection.execute(f"DELETE FROM {table}")
    again = prove.run(start, store, question="wins", limits=Limits(table_mb=8))
    assert again.winner == first.winner
    assert again.nodes < first.nodes / 20


def test_a_registered_game(tmp_path, monkeypatch):
    class Twin(type(hexapawn.GAME)):
        name = "twin"
        prover = prover_of("hexapawn")

    monkeypatch.setitem(_registry._registered, "twin", Twin())
    assert Twin().solve("pppp/4/4/PPPP:w").value == 11  # a subclass elsewhere finds the package of its game
    store = tmp_path / "proof"
    assert prove.run("pppp/4/4/PPPP:w", store, game="twin", job_nodes=50).value == 11
    assert prove.status(store).game == "twin"
    assert not prove.verify(store, recheck="all").faults
    monkeypatch.undo()
    with pytest.raises(GamecoreError, match="the game 'twin' is not known here: name its file by --game"):
        prove.status(store)


def test_what_differs_is_said(tmp_path):
    store = tmp_path / "proof"
    start = hexapawn.Position.start(4, 4)
    prove.run(start, store, limits=SMALL)
    before = store.read_bytes()
    with pytest.raises(GamecoreError, match="holds the position 'pppp/4/4/PPPP:w', not 'ppp/3/PPP:w'"):
        prove.run(hexapawn.Position.start(3, 3), store)
    with pytest.raises(GamecoreError, match="holds the question 'value', not 'wins'"):
        prove.run(start, store, question="wins")
    with pytest.raises(GamecoreError, match="holds the game 'hexapawn', not 'duel'"):
        prove.run(duel.deal(3, rng=1), store)
    assert store.read_bytes() == before
    assert prove.run(start.mirror(), store).value == 11  # the same by symmetry
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(GamecoreError, match="store of format 99; this gamecore reads format 2"):
        prove.run(start, store)


@pytest.mark.parametrize("content", [b"not a database, but a text that is long enough to be looked at" * 20, b"short"])
def test_a_file_that_is_no_store_is_left_alone(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    for look in (lambda: prove.run(hexapawn.Position.start(3, 3), path), lambda: prove.status(path)):
        with pytest.raises(GamecoreError, match="no store of gamecore prove"):
            look()
    assert path.read_bytes() == content
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE places (id)")
    with pytest.raises(GamecoreError, match="no store of gamecore prove"):
        prove.run(hexapawn.Position.start(3, 3), other)


def test_a_store_that_was_just_begun_when_the_process_was_killed(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(GamecoreError, match="it is empty"):
        prove.status(path)
    assert prove.run(hexapawn.Position.start(3, 3), path).value == -6


def test_damaged_pages_are_said(tmp_path):
    store = tmp_path / "proof"
    prove.run(hexapawn.Position.start(5, 5), store, job_nodes=50, limits=SMALL)
    whole = store.read_bytes()
    assert len(whole) > 20 * 4096
    said = 0
    for page in range(1, len(whole) // 4096):
        path = tmp_path / f"page{page}"
        path.write_bytes(whole[: 4096 * page] + random.Random(page).randbytes(4096) + whole[4096 * (page + 1) :])
        damaged = path.read_bytes()
        try:
            prove.verify(path)
        except GamecoreError as error:
            said += "damaged" in str(error)
            assert path.read_bytes() == damaged
    assert said >= len(whole) // 4096 - 2


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    connect = _database._connect

    def small(path, mode):
        connection = connect(path, mode)
        connection.execute("PRAGMA max_page_count = 30")
        return connection

    start, store = hexapawn.Position.start(5, 5), tmp_path / "proof"
    monkeypatch.setattr(_database, "_connect", small)
    with pytest.raises(GamecoreError, match="full"):
        prove.run(start, store, job_nodes=10, limits=SMALL)
    monkeypatch.undo()
    assert not prove.verify(store).faults
    assert prove.run(start, store, job_nodes=1000, limits=SMALL).value == 19


def test_a_second_run_takes_over(tmp_path, monkeypatch):
    monkeypatch.setattr(_master, "_REPORT", 0.0)  # progress is told of each result
    start, store = hexapawn.Position.start(5, 5), tmp_path / "proof"

    def begin_another(progress):
        if progress.jobs == 20:
            prove.run(start, store, job_nodes=10, limits=Limits(nodes=100, table_mb=1))

    with pytest.raises(GamecoreError, match="another process has taken over"):
        prove.run(start, store, job_nodes=10, limits=SMALL, progress=begin_another)
    assert prove.status(store).jobs >= 30
    assert not prove.verify(store, recheck="all").faults
    assert prove.run(start, store, limits=SMALL).value == 19


def test_arguments(tmp_path):
    start, store = hexapawn.Position.start(3, 3), tmp_path / "proof"
    for wrong, said in (
        ({"question": "why"}, "question must be one of"),
        ({"threads": 0}, "threads must be"),
        ({"threads": True}, "threads must be"),
        ({"job_nodes": 0}, "job_nodes must be"),
        ({"game": "duel"}, "a position of duel or hexapawn"),
    ):
        with pytest.raises(OptionError, match=said):
            prove.run(start, store, **wrong)
    with pytest.raises(OptionError, match="a position of duel or hexapawn"):
        prove.run(rows.Position([1, 2]), store)
    with pytest.raises(OptionError, match="a text needs its game"):
        prove.run("ppp/3/PPP:w", store)
    with pytest.raises(ParseError):
        prove.run("ppp/3/PPP", store, game="hexapawn")
    with pytest.raises(OptionError, match="game must be duel or hexapawn"):
        prove.run("ppp/3/PPP:w", store, game="rows")
    assert not store.exists()
    assert prove.run("ppp/3/PPP:w", store, game="hexapawn").value == -6
    with pytest.raises(GamecoreError, match="unable to open"):
        prove.run(start, tmp_path / "no" / "folder")
