"""Rules in Python: range of points, limits, memory, identity, processes."""

import gc
import itertools
import pickle
import time
import tracemalloc
import weakref
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from xml.etree import ElementTree

import numpy as np
import pytest
from kit.games import HEAP, Attributes, Takeaway, Track, Walk, variant  # pytest's pythonpath

from gamecore import Limits, game, kit
from gamecore.apps.kit._rules import _guarded
from gamecore.errors import GamecoreError, OptionError


def test_instances_are_told_apart_by_their_attributes():
    """The repr of both arrays is the same; what cannot be pickled is told apart by the object."""
    one, two = np.ones(2000, bool), np.ones(2000, bool)
    two[1000] = False
    assert repr(one) == repr(two)
    first, second, again = kit.make(Attributes(one)), kit.make(Attributes(two)), kit.make(Attributes(two.copy()))
    assert first.parse("A:1002").legal_moves() == ("1", "2", "3")
    unpickled = pickle.loads(pickle.dumps(second))
    for position in (
        second.parse("A:1002"),
        unpickled.parse("A:1002"),
        pickle.loads(pickle.dumps(second.parse("A:1002"))),
    ):
        assert position.legal_moves() == ("1", "3")
        assert type(position) is second.Position is again.Position is not first.Position
    users = [Attributes([True] * 5) for _ in range(2)]
    assert len({kit.make(user).Position for user in users}) == 1
    for user in users:
        user.unpicklable = lambda: None
    assert len({kit.make(user).Position for user in users}) == 2


@pytest.mark.parametrize("cycles", [False, True])
def test_slow_rules_hold_a_limit(cycles):
    def moves(self, state):
        time.sleep(0.02)
        return Takeaway.moves(self, state)

    slow = variant(Takeaway, heaps=(20, 20, 20), step=1, moves=moves, CYCLES=cycles)
    begun = time.perf_counter()
    assert not slow.solve(slow.start(), Limits(seconds=0.2)).exact
    assert time.perf_counter() - begun < 4  # 256 positions take 5.1 s
    assert not kit.check(slow, seconds=0.3).problem
    assert time.perf_counter() - begun < 30


@pytest.mark.parametrize("cycles", [False, True])
def test_a_list_of_moves_may_have_no_end(cycles, monkeypatch):
    endless = variant(Takeaway, moves=lambda self, state: itertools.count(), play=lambda *_: (7,), CYCLES=cycles)
    begun = time.perf_counter()
    solution = endless.solve(endless.start(), Limits(seconds=0.2))
    assert (solution.exact, solution.best_so_far, time.perf_counter() - begun < 60) == (False, "0", True)
    monkeypatch.setattr("gamecore.apps.kit._rules._MOST_MOVES", 1000)
    with pytest.raises(GamecoreError, match=r"variant: there are more than 1000 moves in \(6,\)"):
        endless.start().legal_moves()


def test_games_are_freed():
    kinds = []
    for _ in range(3):
        made = variant(Takeaway, step=3)
        assert made.solve("start").exact
        kinds += [weakref.ref(made.Position), weakref.ref(type(made.rules_of.user))]
    del made
    gc.collect()
    gc.collect()  # the positions' class first, then the rules'
    assert [kind() for kind in kinds] == [None] * 6


class Steps(Walk):
    """A piece on 1x6 squares, seen from the other end by the side that did not begin; it may stay where it is."""

    SQUARES = 1, 6

    def moves(self, state):
        return [-1, 0, -2][: state[0]]

    def squares(self, state, move, mover):
        ends = [state[0], state[0] + move] if move else []
        return [5 - square for square in ends] if mover else ends

    def draw(self, state, mover):
        row = ["P" if square == state[0] else "." for square in range(6)]
        return " ".join(["1", *(row[::-1] if mover else row)])


def clicked(picture):
    """The moves of each part of a picture, by its label."""
    parts = ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}g")
    return {part[0].text: part.get("data-move") for part in parts if part.get("data-move")}


def test_a_board_that_can_be_clicked():
    """A move without squares, or on those of another, has a button."""
    steps = kit.make(Steps)
    one, other = steps.parse("A:4"), steps.parse("B:4")
    assert clicked(one.picture()) == {"5, 1": "-1 -2", "4, 1": "-1", "3, 1": "-2", "0": "0"}
    assert clicked(other.picture()) == {"2, 1": "-1 -2", "3, 1": "-1", "4, 1": "-2", "0": "0"}
    picture = steps.picture(one, steps.analyse(one), ["-1"], width=300)
    assert str(picture) == str(game.Position.picture(one, steps.analyse(one), ["-1"]))
    texts = [text.text for text in ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")]
    values = [text for text in texts if text and text.startswith(("win", "draw", "loss"))]
    assert ("P" in texts, "." in texts, len(values)) == (True, False, 3)
    alike = variant(Steps, squares=lambda self, state, move: [0, 1]).start()
    assert clicked(alike.picture()) == {"-1": "-1", "0": "0", "-2": "-2"}
    wordy = variant(Steps, draw=lambda self, state, mover: "none").start()
    assert clicked(wordy.picture()) == {"-1": "-1", "0": "0", "-2": "-2"}
    with pytest.raises(GamecoreError, match="squares must be numbers from 0 to 5, not 6"):
        _ = variant(Steps, squares=lambda self, state, move: [6]).start().picture().svg
    for members in ({"squares": None}, {"SQUARES": None}, {"SQUARES": (0, 6)}, {"SQUARES": 6}):
        with pytest.raises(OptionError, match="SQUARES"):
            variant(Steps, **members)


def spread(most, **members):
    """Take from three large heaps, in any order, until ``most`` objects are taken: C(most + 3, 3) positions."""

    def result(self, state):
        if sum(state) > 3000 - most:
            return None
        return kit.LOSS if (state[0] * 7 + state[1] * 3) % 5 else kit.DRAW

    return variant(Takeaway, heaps=(1000,) * 3, step=1, result=result, **members)


@pytest.mark.parametrize("table_mb", [0.1, 16])
def test_a_table_in_python_keeps_its_size(table_mb):
    """A table of all positions may not fit; one that is large enough answers again at once."""
    wide, exact = spread(34), spread(34, CYCLES=True)
    tracemalloc.start()
    solution = wide.solve(wide.start(), Limits(table_mb=table_mb), line=False)
    assert tracemalloc.get_traced_memory()[1] < table_mb * 2**20 + 100_000
    assert solution.table_bytes <= table_mb * 2**20
    tracemalloc.reset_peak()
    with pytest.raises(GamecoreError, match=r"table: give more table_mb \(--table-mb\): \d+ positions need 0\.\d MiB"):
        exact.solve(exact.start(), Limits(table_mb=0.1))
    assert tracemalloc.get_traced_memory()[1] < (table_mb + 0.1) * 2**20 + 100_000
    tracemalloc.stop()
    with exact.solver(table_mb=64) as solver:
        assert solver.solve(exact.start(), line=False).value == solution.value
        assert solver.solve(exact.start(), line=False).nodes == 0


def test_a_search_of_all_positions_goes_on_where_it_was_stopped():
    """As the page and ``?`` do it: no step is long enough for all positions."""
    track = kit.make(Track)
    whole = track.solve("A:10000", line=False)
    refinement = track.refine("A:10000")
    steps = [refinement.step(0.002)]
    while not steps[-1].exact and len(steps) < 1000:
        steps.append(refinement.step(0.002))
    assert len(steps) > 2
    assert (max(move.value for move in steps[-1]), refinement.nodes) == (whole.value, whole.nodes)
    with track.solver() as solver:
        searched = [solver.solve("A:10000", Limits(nodes=3000), line=False) for _ in range(8)]
    assert all(solution.nodes <= 3000 for solution in searched)
    assert (searched[0].exact, searched[-1].value, searched[-1].nodes) == (False, whole.value, 0)


def test_a_search_that_was_stopped_or_interrupted_anywhere_disturbs_no_other(monkeypatch):
    track, ticks, exact = variant(Track, goal=12), itertools.count(), []
    places = [f"A:{at}" for at in range(12)]
    right = [track.solve(text, line=False).value for text in places]
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * 0.001)
    while not all(exact[-3:]) or len(exact) < 3:
        with track.solver() as solver:
            exact.append(solver.refine("A:6").step(len(exact) * 0.001).exact)
            assert [solver.solve(text, line=False).value for text in places] == right
    assert len(exact) > 15
    monkeypatch.undo()
    play = track.rules_of.play
    with track.solver() as solver:
        for number in range(1, 24, 3):
            calls = itertools.count(1)
            failing = lambda *move, calls=calls, n=number: 1 // 0 if next(calls) == n else play(*move)  # noqa: E731
            monkeypatch.setattr(track.rules_of, "play", _guarded(failing))
            with pytest.raises(GamecoreError, match="the rules raise Zero"):
                solver.solve(places[0], line=False)
        monkeypatch.undo()
        assert [solver.solve(text, line=False).value for text in places] == right


def test_a_batch_of_a_game_with_cycles_is_solved_once(monkeypatch):
    calls, track = [], variant(Track, goal=500)
    moves = track.rules_of.moves
    monkeypatch.setattr(track.rules_of, "moves", lambda state: calls.append(state) or moves(state))
    items = [f"A:{at}" for at in range(0, 500, 25)]
    values = [solution.value for solution in track.batch.solve_many(items, line=False)]
    assert len(calls) <= 501
    assert values == [track.solve(item, line=False).value for item in items]
    assert values == [solution.value for solution in track.batch.solve_many(items, workers=2, line=False)]
    assert not track.batch.solve_many(items, Limits(nodes=3), line=False)[0].exact


@pytest.mark.parametrize("method", ["fork", "spawn", "compiled"])
def test_a_game_of_a_file_in_processes(method, built, tmp_path):
    if method == "compiled":
        heap = built("hexapawn")
        items = ["start", heap.random(rng=0, plies=2).to_text()]
    else:
        (tmp_path / f"heap_{method}.py").write_text(HEAP)
        heap, items = game.load(str(tmp_path / f"heap_{method}.py")), [f"A:{size}" for size in range(1, 7)]
    positions = list(map(heap.parse, items))
    with ProcessPoolExecutor(1, get_context("spawn" if method == "spawn" else "fork")) as pool:
        solutions = heap.batch.solve_many(positions, executor=pool)
        assert pool.submit(heap.solve, positions[-1]).result() == heap.solve(positions[-1])
        assert pool.submit(heap.parse, items[-1]).result() == positions[-1]
    assert list(solutions) == [heap.solve(item) for item in positions]
