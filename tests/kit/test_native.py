"""Compiled games: values against other solvers, limits, depth, memory, threads, range."""

import importlib.util
import itertools
import signal
import subprocess
import sys
import threading
import time
from functools import cache

import pytest
from kit.games import EXAMPLES, Takeaway, source_of  # pytest's pythonpath has the folder of tests

from gamecore import Limits, kit, rows
from gamecore.apps.kit import _translate
from gamecore.apps.kit._search import PythonSearcher, searcher_of
from gamecore.errors import GamecoreError, OptionError

nightly = pytest.mark.nightly
SMALL = (("W", 4), ("H", 4))


def solve_all(rules, state):
    return rules.solver(1 << 20).solve_all(state, -1.0)[0]


def search(rules, state):
    lower, upper, _ = searcher_of(rules, 1 << 20).search(state, -1.0, 0)
    assert lower == upper
    return lower


# --- values


def test_connect_four_4x4(built):
    """A draw (Tromp's table); after a search of all moves the table knows what follows."""
    game = built("connect4", SMALL)
    start, solution = game.start(), game.solve("start")
    assert (solution.value, solution.outcome, solution.plies, len(solution.line)) == (0, "draw", None, 16)
    values = {move: game.solve(start.play(move)).value for move in start.legal_moves()}
    assert {move.move: move.value for move in game.analyse(start)} == {
        move: -value + (value > 0) - (value < 0) for move, value in values.items()
    }
    with game.solver() as solver:
        first = solver.solve(start)
        assert solver.solve(start.play(first.best_move)).nodes < first.nodes / 10
    tiny = game.solve(start, Limits(table_mb=0.001))
    assert (tiny.value, len(tiny.line), tiny.table_bytes <= 1049) == (0, 16, True)


@nightly
@pytest.mark.parametrize(
    ("name", "sizes", "value"),
    [
        ("connect4", (("W", 5), ("H", 4)), 0),  # Tromp's table
        ("connect4", (("W", 5), ("H", 5)), 0),
        ("tictactoe", (), 0),
        ("nim", (), kit.WIN - 15),
        ("hexapawn", (), kit.WIN - 11),
        ("hexapawn", (("R", 5), ("C", 5)), kit.WIN - 19),
    ],
)
def test_known_values(built, name, sizes, value):
    assert built(name, sizes).solve("start").value == value


@nightly
def test_the_coin_row_is_that_of_rows(built):
    game, row = built("coinrow"), rows.Position([5, 7, 9, 1, 4, 2, 8, 3, 6, 10, 12, 11])
    assert game.solve("start").value == rows.solve(row).value
    values, expected = (
        {(move.move, move.value) for move in each} for each in (game.analyse("start"), rows.analyse(row))
    )
    assert values == expected


@nightly
def test_dots_and_boxes_against_plain_python(built):
    boxes = [
        {r * 2 + c, (r + 1) * 2 + c, 6 + r * 3 + c, 6 + r * 3 + c + 1} for r, c in itertools.product((0, 1), (0, 1))
    ]

    @cache
    def value(drawn):
        scores = []
        for line in set(range(12)) - drawn:
            after = drawn | {line}
            closed = sum(box <= after for box in boxes) - sum(box <= drawn for box in boxes)
            scores.append(closed + value(after) if closed else -value(after))
        return max(scores, default=0)

    assert built("dotsandboxes").solve("start").value == value(frozenset())


@nightly
def test_dodgem_against_value_iteration(built):
    """The first side wins (Winning Ways); all 1,963 positions agree with plain iteration."""
    game = built("dodgem")
    rules = game.rules_of
    assert game.solve(game.start()).outcome == "win"
    after, todo = {}, [rules.start()]
    while todo:
        if (state := todo.pop()) not in after:
            moves = rules.moves(state) if rules.result(state) is None else []
            after[state] = [rules.play(state, move)[0] for move in moves]
            todo += after[state]
    assert len(after) == 1963
    old, values = None, {state: rules.result(state) or 0 for state in after}
    while values != old:
        old = values
        values = {
            state: max((-old[child] + (old[child] > 0) - (old[child] < 0) for child in children), default=old[state])
            for state, children in after.items()
        }
    with game.solver() as solver:
        assert {state: solver.solve(game.Position(state), line=False).value for state in after} == values


@nightly
def test_the_python_form_agrees_with_the_compiled_one(built):
    spec = importlib.util.spec_from_file_location("tictactoe", EXAMPLES / "tictactoe.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    compiled = built("tictactoe")
    for seed in range(40):
        position = compiled.random(rng=seed, plies=4)
        same = module.GAME.parse(position.to_text())
        assert (same.legal_moves(), str(same)) == (position.legal_moves(), str(position))
        first, second = module.GAME.solve(same), compiled.solve(position)
        assert (first.value, first.plies, len(first.line)) == (second.value, second.plies, len(second.line))


@pytest.mark.threads
@nightly
def test_threads_on_one_table(built):
    """Values of two threads, also in a table so small that they replace each other's entries all the time."""
    game = built("connect4", (("W", 5), ("H", 5)))
    solution = game.solve(game.start(), threads=2)
    assert (solution.value, len(solution.line)) == (0, 25)
    for seed in range(12):
        position = game.random(rng=seed, plies=5)
        expected = game.solve(position)
        for table_mb in (0.01, 1):
            again = game.solve(position, Limits(table_mb=table_mb), threads=2)
            assert (again.value, len(again.line)) == (expected.value, len(expected.line))
    assert game.solve(game.start(), Limits(nodes=200_000), threads=2).nodes <= 200_000
    for bad in (0, 65, "2"):
        with pytest.raises(OptionError, match="threads must be"):
            game.solve(game.start(), threads=bad)


# --- limits


def test_a_search_that_was_stopped_knows_nothing(built):
    for rules in (built("connect4", SMALL).rules_of, kit.make(Takeaway).rules_of):
        searcher = searcher_of(rules, 1 << 20)
        searcher.stop()
        for _ in range(2):
            assert searcher.search(rules.start(), -1.0, 0) == (-kit.WIN, kit.WIN, 0)


def test_limits_cover_the_value_and_the_line(monkeypatch, built):
    game, seconds = built("connect4", SMALL), []
    whole, alone = game.solve("start"), game.solve("start", line=False)
    for nodes in (alone.nodes + 1, alone.nodes + 40, whole.nodes - 1):
        solution = game.solve("start", Limits(nodes=nodes))
        assert (solution.value, solution.nodes <= nodes, len(solution.line) < 16) == (0, True, True)
    usual, ticks = PythonSearcher.search, itertools.count()
    monkeypatch.setattr(PythonSearcher, "search", lambda *args: seconds.append(args[2]) or usual(*args))
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * 0.001)
    assert kit.make(Takeaway).solve("start", Limits(seconds=1.0)).line
    assert len(seconds) > 4
    assert all(left > right for left, right in itertools.pairwise(seconds))


@nightly
def test_an_interrupted_search_raises(built):
    game = built("connect4", (("W", 6), ("H", 5)))
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        game.solve(game.start())


@pytest.mark.parametrize("state", ["2,1", "0,2", "0,16", "0,1048576", "0,18446744073709551616", "-1,0", "0", ","])
def test_bad_text_is_refused_in_one_line(state, built):
    with pytest.raises(GamecoreError) as raised:
        built("connect4", SMALL).parse(f"A:{state}")
    assert "\n" not in str(raised.value)


# --- one file for many games: the sizes and the rule of each are its numbers

TAKE = """
{head}
cdef extern from "unistd.h":
    int usleep(unsigned int) noexcept nogil
cdef enum:
    MOST_MOVES = {most_moves}
cdef struct State:
    uint32_t left
    uint32_t cells[{cells}]
cdef inline void start(State* s) noexcept nogil:
    s.left = {left}
cdef inline int moves(const State* s, Move* out) noexcept nogil:
    cdef int count = 0
    cdef uint32_t k = 1
    usleep({sleep}) if {sleep} else 0
    while count < {choices} and {taken} <= s.left:
        out[count] = k
        k += 1
        count += 1
    return count
cdef inline {play} play(State* s, Move k) noexcept nogil:
    s.left {change}
    {gain}
cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.left else {end}
cdef inline Key key(const State* s) noexcept nogil:
    cdef Key k
    k.a, k.b = s.left, 0
    return k
"""
SIZES = {"head": "", "most_moves": 2, "cells": 1, "left": 900, "sleep": 0, "choices": 2, "taken": "k", "play": "void",
         "change": "-= {taken}", "gain": "pass", "end": "LOSS"}  # fmt: skip
POINTS = {"head": 'KIND = "score"', "play": "int", "gain": "return 0", "end": 0}
OUT_OF_RANGE = "points must be from -10000 to 10000"


def take(folder, **sizes):
    """Return a game of taking objects from a heap."""
    sizes = SIZES | sizes
    sizes["change"] = sizes["change"].format(**sizes)
    (folder / "take.pyx").write_text(TAKE.format(**sizes))
    return kit.load(folder / "take.pyx")


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split("\n")


def test_depth_does_not_depend_on_most_moves(tmp_path):
    """When squares are taken, and whoever cannot move loses: plies to the end, below 0 for losses."""
    plies = [0]
    for heap in range(1, 400):
        after = [plies[heap - k * k] for k in range(1, heap + 1) if k * k <= heap]
        plies.append(1 - max(lost) if (lost := [count for count in after if count <= 0]) else -1 - max(after))
    assert plies[399] == 15
    game = take(tmp_path, most_moves=400, left=399, choices=400, taken="<uint32_t>k * k")
    for heap in (399, 398, 130, 20):
        value = kit.WIN - plies[heap] if plies[heap] > 0 else -plies[heap] - kit.WIN
        assert game.solve(f"A:{heap},0").value == value


@pytest.mark.parametrize(("most_moves", "cells"), [(10_000, 100), pytest.param(200_000, 1, marks=nightly)])
def test_many_moves_and_a_deep_game_need_no_stack(most_moves, cells, tmp_path):
    """Six hundred plies in a thread with the stack that musl gives."""
    game = take(tmp_path, most_moves=most_moves, cells=cells)
    output = run_python(f"""
import threading
from gamecore import kit
threading.stack_size(1 << 17)
game = kit.load({str(tmp_path / "take.pyx")!r})
def work():
    print(game.solve({game.start().to_text()!r}))
    print(game.rules_of.solver(1 << 20).solve_all(game.rules_of.start(), -1.0)[0])
thread = threading.Thread(target=work)
thread.start()
thread.join()
""")
    assert output[:2] == ["loss in 600", "-9400"]
    assert game.rules_of.moves(game.rules_of.start()) == [1, 2]


def test_points_within_the_range_are_exact_and_beyond_it_refused(tmp_path):
    """Each object is worth 500 points: who takes two first wins them."""
    game = take(tmp_path, **POINTS | {"left": 60, "gain": "return 500 * k if s.left >= 20 else -500 * k"})
    values = [0]
    for heap in range(1, 61):
        after = [((500 if heap - k >= 20 else -500) * k - values[heap - k]) for k in (1, 2) if k <= heap]
        values.append(max(after))
    assert max(map(abs, values)) <= kit.WIN
    assert [game.solve(f"A:{heap},0").value for heap in range(1, 61)] == values[1:]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({"choices": 1, "left": 1001}, "a game of more than 1000 plies"),
        (POINTS | {"gain": "return 5500 if (s.left & 1) == 0 else -5500", "left": 2, "choices": 1}, OUT_OF_RANGE),
        *(
            pytest.param(*row, marks=nightly)
            for row in [
                ({"choices": 1, "left": 1000}, 1000 - kit.WIN),
                ({"change": "-= 0"}, "CYCLES = True"),
                ({"choices": 0}, "there is no move"),
                ({"choices": 3, "left": 5}, "more moves than MOST_MOVES = 2"),
                ({"end": -1}, "result must be LOSS"),
                (POINTS | {"end": -1, "choices": 1, "left": 5}, 1),
                (POINTS | {"change": "-= 0"}, "CYCLES = True"),
                (POINTS | {"gain": "return 11000", "left": 1}, OUT_OF_RANGE),
                (POINTS | {"gain": "return 10000 if s.left == 1 else -1", "left": 2, "choices": 1}, OUT_OF_RANGE),
                (POINTS | {"gain": "return 10000", "left": 3, "choices": 1}, kit.WIN),  # by way of 0
            ]
        ),
    ],
)
def test_what_rules_say_is_exact_or_refused(sizes, expected, tmp_path):
    """In a search and in the table of all positions."""
    rules = take(tmp_path, **sizes).rules_of
    for run in (search, solve_all):
        if isinstance(expected, int):
            assert run(rules, rules.start()) == expected
            continue
        with pytest.raises(GamecoreError, match=expected):
            run(rules, rules.start())


def test_limits_hold_although_the_rules_are_slow(tmp_path):
    game = take(tmp_path, sleep=5000, left=100)
    for threads in (1, 2):
        begun = time.perf_counter()
        assert not game.solve(game.start(), Limits(seconds=0.2), line=False, threads=threads).exact
        assert time.perf_counter() - begun < 1.0  # 4096 nodes of 5 ms: 20 s
    searcher = searcher_of(game.rules_of, 1 << 20)
    threading.Timer(0.2, searcher.stop).start()
    begun = time.perf_counter()
    assert searcher.search(game.rules_of.start(), -1.0, 0)[0] == -kit.WIN
    assert time.perf_counter() - begun < 1.0


@nightly
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_growing_table_stays_within_its_memory(tmp_path):
    """Peak memory of the process; what the table may have: 96 MiB."""
    take(tmp_path, left=3_000_000, most_moves=3, choices=1)
    table_mb, used_mb = map(int, run_python(f"""
from pathlib import Path
from gamecore import kit
def peak(): return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024
game = kit.load({str(tmp_path / "take.pyx")!r})
before = peak()
searcher = game.rules_of.solver(96 << 20)
for first in range(1000, 2_200_000, 999):
    searcher.search((first, 0), -1.0, 0)
print(searcher.table_bytes >> 20, peak() - before)
""")[0].split())  # fmt: skip
    assert table_mb > 60
    assert used_mb < 106


def test_every_name_of_the_search_has_its_prefix(tmp_path):
    """No name that a file may use for itself: asked of Cython."""
    source, module = tmp_path / "nim.pyx", tmp_path / "nim_game.pyx"
    source.write_text(source_of("nim"))
    options = _translate.options_of(str(source), kit.include())
    module.write_text("\n".join(_translate.including(str(source))))
    scope = _translate.scope_of(module, options)
    module.write_text(_translate.game_module(str(source), scope))
    names = _translate.scope_of(module, options).entries.keys() - scope.entries.keys() - _translate.DEFAULTS.keys()
    assert {"gc_alphabeta", "gc_Table", "GC_MATE", "gc_free", "gc_Error"} <= names
    assert [name for name in names if not name.lower().startswith(("gc_", "__"))] == []
