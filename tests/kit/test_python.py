"""Rules in Python: what cannot be represented, limits, memory, identity, alarms."""

import itertools
import pickle
import signal
import subprocess
import sys
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from kit.games import RULES, Attributes, Passing, Points, Ring, Slow, Takeaway, Track  # pytest's pythonpath

from gamecore import Limits, game, kit
from gamecore.apps.kit._search import PythonSearcher
from gamecore.errors import BatchError, GamecoreError, OptionError


def points(**members):
    return kit.make(type("Coins", (Points,), members))


@pytest.mark.parametrize("gain", [10_001, -(10**30), 0.5, "1", None, float("nan")])
def test_a_gain_that_cannot_be_represented_is_refused(gain):
    coins = points(play=lambda self, state, move: ((state[0] + move,), gain if state[0] == 3 else 0))
    for use in (coins.solve, coins.analyse, lambda text: coins.batch.solve_many([text])):
        with pytest.raises(GamecoreError, match=r"points must be from -10000 to 10000 .*, not .* for a move of \(3,\)"):
            use("A:0")
    with pytest.raises(GamecoreError, match=r"for a move of \(3,\)"):
        coins.parse("A:3").play("1")
    assert "points must be from -10000 to 10000" in kit.check(coins, seconds=1.0).problem
    if gain is not None:  # as a result: the game goes on
        ending = points(result=lambda self, state: gain if state[0] == 5 else None)
        for text in ("A:0", "A:5"):
            with pytest.raises(GamecoreError, match=r"points must be from .*, not .* as the result of \(5,\)"):
                ending.solve(text)


def test_points_gained_before_belong_to_a_position():
    coins = kit.make(Points)
    position = coins.start().play("1").play("1")
    assert (position.mine, position.theirs, position.points, position.to_text()) == (3, 9, -6, "A:2:3:9")
    assert coins.parse("A:2:3:9") == position
    assert coins.parse("A:2:-6").points == -6
    assert coins.parse("A:2:-6").to_text() == "A:2:-6"
    assert coins.Position.from_dict(position.to_dict()) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert coins.solve(position).value == coins.solve("A:2").value - 6
    assert {move.move: move.value for move in coins.analyse(position)} == {
        move: -coins.solve(position.play(move)).value for move in position.legal_moves()
    }
    assert all(coins.random(rng=seed).points == 0 for seed in range(10))
    for game_of, bad in ((coins, "A:2:x"), (coins, "A:2:1:1:1"), (coins, "A:2:99999999999"), (None, "A:2:1")):
        with pytest.raises(GamecoreError):
            (game_of or kit.make(Takeaway)).parse(bad)


def lonely(*coins):
    """A game where only the first side gains: its value is the sum of every other coin."""
    return points(
        coins=coins,
        moves=lambda self, state: [1],
        play=lambda self, state, move: ((state[0] + 1,), 0 if state[0] % 2 else self.coins[state[0]]),
    )


def test_a_value_of_11000_is_refused_and_10000_is_not():
    right = lonely(5000, 0, 5000)
    assert right.solve(right.start()).value == 10_000
    wrong = lonely(6000, 0, 5000)
    for use in (wrong.solve, lambda start: wrong.batch.solve_many([start])):
        with pytest.raises(GamecoreError, match=r"not 11000 as the value of \(0,\)"):
            use(wrong.start())
    assert "not 11000 as the value of (0,)" in kit.check(wrong, seconds=1.0).problem
    assert wrong.analyse("A:1").exact


def test_numpy_numbers_and_truth_values_are_whole_numbers():
    coins = points(coins=np.array([60, 50, 60, 60, 60], np.int8))
    value = coins.solve(coins.start()).value
    assert (value, type(value)) == (points(coins=(60, 50, 60, 60, 60)).solve("A:0").value, int)
    assert points(play=lambda self, state, move: ((state[0] + move,), state[0] == 4)).solve("A:4").value == 1


@pytest.mark.parametrize("seed", range(12))
def test_large_gains_are_added_exactly(seed):
    """Sums above the range of values do not disturb a search whose own value is in it."""
    rng = np.random.default_rng(seed)
    coins = points(coins=tuple(int(coin) for coin in rng.integers(-9999, 10_000, 8)))

    def value(at):
        moves = coins.rules_of.moves((at,)) if at < 8 else []
        return max((sum(coins.rules_of._user.coins[at : at + move]) - value(at + move) for move in moves), default=0)

    own = coins.rules_of._user.coins
    small = points(coins=own, moves=lambda self, state: [1])
    for made, exact in ((coins, value), (small, lambda at: sum((-1) ** (k - at) * own[k] for k in range(at, 8)))):
        for at in range(9):
            gains = [abs(sum(own[k : k + move])) for k in range(at, 8) for move in made.rules_of.moves((k,))]
            if max(gains, default=0) <= kit.WIN and abs(exact(at)) <= kit.WIN:
                assert made.solve(f"A:{at}", line=False).value == exact(at)
            else:
                with pytest.raises(GamecoreError, match="points must be"):
                    made.solve(f"A:{at}", line=False)


def test_a_key_that_makes_contradictions_is_told(monkeypatch):
    made = kit.make(Takeaway)
    monkeypatch.setattr(PythonSearcher, "search", lambda *_: (5, -5, 1))
    for use in (made.solve, made.analyse, lambda text: made.batch.solve_many([text])):
        with pytest.raises(GamecoreError, match=r"\(\d,\) is worth at least 5 and at most -5: key or bounds are wrong"):
            use("A:6")
    assert "key or bounds are wrong" in kit.check(made, seconds=1.0).problem


def test_two_instances_with_long_arrays_are_two_games():
    """The repr of both arrays is the same."""
    one, two = np.ones(2000, bool), np.ones(2000, bool)
    two[1000] = False
    assert repr(one) == repr(two)
    first, second = kit.make(Attributes(one)), kit.make(Attributes(two))
    assert first.Position is not second.Position
    assert first.parse("A:1002").legal_moves() == ("1", "2", "3")
    assert second.parse("A:1002").legal_moves() == ("1", "3")
    assert pickle.loads(pickle.dumps(second.parse("A:1002"))).legal_moves() == ("1", "3")
    again = kit.make(Attributes(two.copy()))
    assert again.Position is second.Position
    unpickled = pickle.loads(pickle.dumps(second))
    assert game.as_position(unpickled, second.parse("A:5")) == second.parse("A:5")


def test_instances_that_cannot_be_pickled_are_told_apart():
    first, second = (kit.make(Attributes([True] * size)) for size in (5, 5))
    assert first.Position is second.Position
    for made in (first, second):
        made.rules_of._user.unpicklable = lambda: None
    first, second = (kit.make(made.rules_of._user) for made in (first, second))
    assert first.Position is not second.Position


class Corridor:
    """A piece on squares 0 to 5 moves one square; whoever moves it to square 0 wins."""

    CYCLES = True

    def start(self):
        return (4,)

    def moves(self, state):
        return [-1, 1] if state[0] < 5 else [-1]

    def play(self, state, move):
        return (state[0] + move,)

    def result(self, state):
        return None if state[0] else kit.LOSS


def test_a_game_with_cycles():
    corridor = kit.make(Corridor)
    values = [str(corridor.solve(f"A:{square}")) for square in range(1, 6)]
    assert values == ["win in 1", "draw", "draw", "draw", "draw"]
    assert len(corridor.solve(corridor.start()).line) >= 2  # until a state comes again
    assert not corridor.solve(corridor.start(), Limits(nodes=2)).exact
    with pytest.raises(GamecoreError, match="CYCLES = True"):
        kit.make(type("NoCycles", (Corridor,), {"CYCLES": False})).solve("A:4")
    with pytest.raises(OptionError, match="threads must be 1"):
        corridor.solve(corridor.start(), threads=2)


class Late(Corridor):
    """A draw at once, or a win in three plies."""

    def start(self):
        return (0,)

    def moves(self, state):
        return [1, 2] if state[0] == 0 else [1]

    def result(self, state):
        return {1: kit.DRAW, 4: kit.LOSS}.get(state[0])


def test_a_draw_does_not_hide_a_win():
    assert str(kit.make(Late).solve("start")) == "win in 3"


# --- limits and memory


def test_a_test_of_slow_rules_ends_in_time():
    begun = time.perf_counter()
    assert not kit.check(kit.make(Slow), seconds=0.3).problem
    assert time.perf_counter() - begun < 5.0


@pytest.mark.parametrize("cycles", [False, True])
def test_slow_rules_hold_a_limit(cycles):
    slow = kit.make(type("Slower", (Slow,), {"CYCLES": cycles}))
    begun = time.perf_counter()
    solution = slow.solve(slow.start(), Limits(seconds=0.2))
    assert not solution.exact
    assert time.perf_counter() - begun < 2.0  # 256 positions take 5.1 s


class Wide:
    """Fill three heaps up to a sum, in any order: C(n + 3, 3) positions."""

    most = 50

    def start(self):
        return (1000, 1000, 1000)

    def moves(self, state):
        return [0, 1, 2]

    def play(self, state, move):
        return (*state[:move], state[move] + 1, *state[move + 1 :])

    def result(self, state):
        if sum(state) < 3000 + self.most:
            return None
        return kit.LOSS if (state[0] * 7 + state[1] * 3) % 5 else kit.DRAW


@pytest.mark.parametrize("table_mb", [0.1, 16])
def test_a_table_in_python_keeps_its_size(table_mb):
    wide = kit.make(type("Wider", (Wide,), {"most": 34}))
    exact = kit.make(type("Cyclic", (Wide,), {"most": 34, "CYCLES": True}))
    tracemalloc.start()
    solution = wide.solve(wide.start(), Limits(table_mb=table_mb), line=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert solution.value == exact.solve(exact.start(), line=False).value
    assert peak < table_mb * 2**20 + 100_000
    assert solution.table_bytes <= table_mb * 2**20


def test_a_game_with_cycles_keeps_its_memory():
    wide = kit.make(type("CyclicWide", (Wide,), {"CYCLES": True}))
    tracemalloc.start()
    with pytest.raises(GamecoreError, match="do not fit into the table: give more table_mb"):
        wide.solve(wide.start(), Limits(table_mb=1))
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()
    with wide.solver(table_mb=64) as solver:
        assert solver.solve(wide.start(), line=False).exact
        assert solver.solve(wide.start(), line=False).nodes == 0


@pytest.mark.parametrize("rules", [Ring, Passing, Corridor])
def test_right_games_with_cycles_and_passes_have_no_mistake(rules):
    checked = kit.check(kit.make(rules), seconds=2.0)
    assert not checked.problem
    assert checked.solved == checked.states


def test_a_search_of_all_positions_goes_on_where_it_was_stopped():
    """As the page and ``?`` do it: no step is long enough for all positions."""
    track = kit.make(Track)
    whole = track.solve("A:10000", line=False)
    refinement = track.refine("A:10000")
    steps = 0
    while not (analysis := refinement.step(0.002)).exact:
        steps += 1
        assert steps < 1000
    assert steps > 2
    assert (max(move.value for move in analysis), refinement.nodes) == (whole.value, whole.nodes)
    with track.solver() as solver:
        searched = [solver.solve("A:10000", Limits(nodes=3000), line=False) for _ in range(8)]
    assert all(solution.nodes <= 3000 for solution in searched)
    assert searched[-1] == track.solve("A:10000", line=False)._changed(nodes=0, table_bytes=searched[-1].table_bytes)


class Lanes:
    """Walk on one of five lanes, and from its ends to the next lane; whoever leaves the last lane wins."""

    CYCLES = True

    def start(self):
        return (0, 0)

    def moves(self, state):
        return [0, 1, 2] if state[1] % 4 == 0 else [0, 1]

    def play(self, state, move):
        lane, square = state
        return (lane + 1, 3) if move == 2 else (lane, (square + (3 if move else 2) * (lane + 1)) % 9)

    def result(self, state):
        return kit.LOSS if state[0] == 5 else kit.DRAW if state == (2, 5) else None


@pytest.mark.parametrize("lane", [2, 3, 4])
def test_positions_of_two_starts_are_solved_with_a_limit_between(lane, monkeypatch):
    """A search that was stopped at any point does not disturb that of a start which it does not reach."""
    lanes = kit.make(Lanes)
    before = [f"A:{lane - 1},{square}" for square in range(9)]
    expected = [lanes.solve(text, line=False).value for text in before]
    ticks, exact = itertools.count(), []
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * 0.001)
    while not all(exact[-3:]) or len(exact) < 3:
        with lanes.solver() as solver:
            exact.append(solver.refine(f"A:{lane},0").step(len(exact) * 0.001).exact)
            assert [solver.solve(text, line=False).value for text in before] == expected
    assert len(exact) > 15


def test_a_search_that_is_interrupted_anywhere_begins_again(monkeypatch):
    lanes = kit.make(Lanes)
    right = lanes.solve(lanes.start(), line=False).value
    play = lanes.rules_of.play
    with lanes.solver() as solver:
        for number in range(1, 50, 7):
            calls = itertools.count(1)
            monkeypatch.setattr(
                lanes.rules_of, "play", lambda *move, calls=calls, n=number: 1 // 0 if next(calls) == n else play(*move)
            )
            with pytest.raises(ZeroDivisionError):
                solver.solve(lanes.start(), line=False)
        monkeypatch.undo()
        assert solver.solve(lanes.start(), line=False).value == right


def test_a_batch_of_a_game_with_cycles_is_solved_once(monkeypatch):
    calls = []
    track = kit.make(type("Shorter", (Track,), {"length": 500}))
    moves = track.rules_of.moves
    monkeypatch.setattr(track.rules_of, "moves", lambda state: calls.append(state) or moves(state))
    items = [f"A:{at}" for at in range(0, 500, 25)]
    solutions = track.batch.solve_many(items, line=False)
    assert len(calls) <= 501
    assert [solution.value for solution in solutions] == [track.solve(item, line=False).value for item in items]
    together = track.batch.solve_many(items, workers=2, line=False)
    assert [solution.value for solution in together] == [solution.value for solution in solutions]
    limited = track.batch.solve_many(items, Limits(nodes=3), line=False)
    assert not limited[0].exact
    with pytest.raises(BatchError, match=r"positions\[1\]"):
        track.batch.solve_many(["A:1", "B"])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_game_of_a_file_in_processes(method, tmp_path, monkeypatch):
    monkeypatch.setattr(game._registry, "_registered", {})
    (tmp_path / f"heap_{method}.py").write_text(RULES)
    heap = game.load(str(tmp_path / f"heap_{method}.py"))
    items = [heap.parse(f"A:{size}") for size in range(1, 7)]
    with ProcessPoolExecutor(1, get_context(method)) as pool:
        solutions = heap.batch.solve_many(items, executor=pool)
        assert pool.submit(heap.solve, items[-1]).result() == heap.solve(items[-1])
        assert pool.submit(heap.parse, "A:6").result() == items[-1]
    assert list(solutions) == [heap.solve(item) for item in items]


def test_a_compiled_game_in_a_process(built):
    nim = built("nim")
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        assert list(nim.batch.solve_many([nim.start()], executor=pool)) == [nim.solve(nim.start())]


LOOPS = RULES.replace("return [1", "while state[0] == 1:\n            print('loops', flush=True)\n        return [1")


@pytest.mark.parametrize("words", [["game2", "A:3"], ["game2", "A:3", "--analyse"]])
def test_one_interrupt_ends_looping_rules(words, tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    command = [sys.executable, "-m", "gamecore", "--game", str(tmp_path / "loops.py"), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line == "loops\n" and process.poll() is None:
                time.sleep(0.2)
                break
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (process.returncode, errors) == (130, "gamecore: interrupted\n")
