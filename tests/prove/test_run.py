"""Whole runs: the value is the game's own, whatever the jobs, the threads, the sittings; stores say what differs."""

import json
import random
import sqlite3

import pytest
from prove.truth import small_position, solved  # pytest's pythonpath has the folder of tests

from gamecore import duel, hexapawn, prove
from gamecore.apps.prove import _master, _store, prover_of
from gamecore.apps.prove._store import Store
from gamecore.errors import GamecoreError
from gamecore.game import _registry
from gamecore.limits import Limits

SMALL = Limits(table_mb=0.1)
BOARD = hexapawn.Position.start(3, 3)  # -6


@pytest.mark.parametrize("seed", range(24))
def test_the_value_whatever_the_jobs(tmp_path, seed):
    position, rng = small_position(seed), random.Random(seed)
    solution, store, seen = solved(position), tmp_path / "proof", []
    question = rng.choice(("value", "value", "wins"))
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
    assert (outcome.answered, outcome.winner, outcome.to_move) == (True, solution.winner, position.to_move)
    assert question == "wins" or outcome.value == solution.value
    assert (seen[-1].test, seen[-1].jobs) == (None, outcome.jobs)
    verification = prove.verify(store, recheck="all")
    assert not verification.faults
    assert (verification.lower, verification.upper) == (outcome.lower, outcome.upper)
    assert verification.claims == verification.rechecked
    assert prove.run(position, store, question=question).jobs == outcome.jobs  # nothing is left to do
    status = prove.status(store)
    assert status.answered
    for name in ("lower", "upper", "jobs", "nodes"):
        assert getattr(status, name) == getattr(outcome, name)


@pytest.mark.parametrize(("game", "text", "value"), [(duel, "0:D6S3:B:DQ", -9), (hexapawn, "p/P:w", 0)])
def test_positions_that_need_no_search(tmp_path, game, text, value):
    outcome = prove.run(game.Position.from_text(text), tmp_path / "over")
    assert (outcome.value, outcome.jobs) == (value, 0)
    assert not prove.verify(tmp_path / "over").faults


def test_a_run_that_stops_has_bounds_a_line_and_an_estimate(tmp_path):
    start, store = hexapawn.Position.start(6, 6), tmp_path / "proof"
    outcome = prove.run(start, store, job_nodes=2000, limits=Limits(nodes=80_000, table_mb=1))
    assert (outcome.answered, outcome.winner) == (False, None)
    assert 80_000 <= outcome.nodes <= 80_001
    status = prove.status(store)
    assert status.test == "the mover wins"
    assert status.line[0] in start.legal_moves()
    assert status.estimate.nodes_low < status.estimate.nodes < status.estimate.nodes_high
    assert json.dumps(status.to_dict())
    assert prove.run(start, store, limits=Limits(seconds=0)).jobs == outcome.jobs


def test_a_resumed_run_begins_with_the_entries_that_were_kept(tmp_path, monkeypatch):
    start, store = hexapawn.Position.start(6, 6), tmp_path / "proof"
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


# --- what is refused -------------------------------------------------------------------------------------------------


def test_what_differs_is_said(tmp_path):
    store, start = tmp_path / "proof", hexapawn.Position.start(4, 4)
    prove.run(start, store, limits=SMALL)
    before = store.read_bytes()
    for position, question, message in (
        (BOARD, "value", "holds the position 'pppp/4/4/PPPP:w', not 'ppp/3/PPP:w'"),
        (start, "wins", "holds the question 'value', not 'wins'"),
        (duel.deal(3, rng=1), "value", "holds the game 'hexapawn', not 'duel'"),
    ):
        with pytest.raises(GamecoreError, match=message):
            prove.run(position, store, question=question)
    assert store.read_bytes() == before
    assert prove.run(start.mirror(), store).value == 11  # the same by symmetry


@pytest.mark.parametrize("content", [b"a text that is long enough to be looked at" * 30, b"short", None], ids=str)
def test_a_file_that_is_no_store_is_left_alone(tmp_path, content):
    path = tmp_path / "file"
    if content is None:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE places (id)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    for use in (lambda: prove.run(BOARD, path), lambda: prove.status(path)):
        with pytest.raises(GamecoreError, match="no store of gamecore prove"):
            use()
    assert path.read_bytes() == before


def test_a_store_that_was_just_begun_when_the_process_was_killed(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(GamecoreError, match="it is empty"):
        prove.status(path)
    assert prove.run(BOARD, path).value == -6


def test_a_text_of_a_named_game(tmp_path):
    assert prove.run("ppp/3/PPP:w", tmp_path / "proof", game="hexapawn").value == -6
