"""The native search: depth, memory, limits, range."""

import subprocess
import sys
import threading
import time

import pytest
from kit.games import source_of  # pytest's pythonpath has the folder of tests

from gamecore import Limits, kit
from gamecore.apps.kit import _translate
from gamecore.apps.kit._search import searcher_of
from gamecore.errors import GamecoreError

# One file for many games: the sizes and the rule of each are its numbers.
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
    s.left -= {taken}
    {gain}
cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.left else {end}
cdef inline Key key(const State* s) noexcept nogil:
    cdef Key k
    k.a, k.b = s.left, 0
    return k
"""
SIZES = {"head": "", "most_moves": 2, "cells": 1, "left": 900, "sleep": 0, "choices": 2, "taken": "k", "play": "void",
         "gain": "pass", "end": "LOSS"}  # fmt: skip
POINTS = {"head": 'KIND = "score"', "play": "int", "end": 0}


def take(folder, **sizes):
    """Return a game of taking objects from a heap."""
    (folder / "take.pyx").write_text(TAKE.format(**SIZES | sizes))
    return kit.load(folder / "take.pyx")


def start(number, cells=1):
    return f"A:{number},{','.join(['0'] * cells)}"


def squares(most):
    """Plies to the end when squares are taken, and whoever cannot move loses: below 0 for losses."""
    plies = [0]
    for heap in range(1, most + 1):
        after = [plies[heap - k * k] for k in range(1, heap + 1) if k * k <= heap]
        lost = [-one for one in after if one <= 0]
        plies.append(1 + min(lost) if lost else -1 - max(after))
    return plies


def test_depth_does_not_depend_on_most_moves(tmp_path):
    game, plies = take(tmp_path, most_moves=400, left=399, choices=400, taken="<uint32_t>k * k"), squares(399)
    assert plies[399] == 15
    for heap in (399, 398, 130, 20):
        value = game.solve(start(heap)).value
        assert value == (kit.WIN - plies[heap] if plies[heap] > 0 else -plies[heap] - kit.WIN)


@pytest.mark.parametrize(
    "sizes",
    [
        {"most_moves": 10_000, "cells": 100},
        pytest.param({"most_moves": 200_000, "cells": 1}, marks=pytest.mark.nightly),
    ],
)
def test_many_moves_and_a_deep_game_need_no_stack(sizes, tmp_path):
    """Six hundred plies in a thread with the stack that musl gives."""
    game = take(tmp_path, **sizes)
    code = f"""
import threading
from gamecore import kit
from gamecore.apps.kit._search import searcher_of
threading.stack_size(1 << 17)
game = kit.load({str(tmp_path / "take.pyx")!r})
def work():
    print(game.solve({start(900, sizes["cells"])!r}))
    print(searcher_of(game.rules_of, 1 << 20).solve_all(game.rules_of.start(), -1.0)[0])
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (output.stdout.split("\n")[:2], output.returncode) == (["loss in 600", "-9400"], 0), output.stderr
    assert game.rules_of.moves(game.rules_of.start()) == [1, 2]


def test_a_search_follows_a_thousand_plies(tmp_path):
    game = take(tmp_path, choices=1, left=1001)
    assert str(game.solve(start(1000), line=False)) == "loss in 1000"
    for run in (game.solve, lambda position: searcher_of(game.rules_of, 1 << 20).solve_all(position.state, -1.0)):
        with pytest.raises(GamecoreError, match="a game of more than 1000 plies"):
            run(game.start())


def test_points_within_the_range_are_exact_and_beyond_it_refused(tmp_path):
    """Each object is worth 500 points: who takes two first wins them."""
    game = take(tmp_path, **POINTS, left=60, gain="return 500 * k if s.left >= 20 else -500 * k")
    values = [0]
    for heap in range(1, 61):
        after = [((500 if heap - k >= 20 else -500) * k - values[heap - k]) for k in (1, 2) if k <= heap]
        values.append(max(after))
    assert max(map(abs, values)) <= kit.WIN
    assert [game.solve(start(heap)).value for heap in range(1, 61)] == values[1:]


@pytest.mark.parametrize(
    ("gain", "left"),
    [
        pytest.param("return 11000", 1, marks=pytest.mark.nightly),  # a gain
        ("return 5500 if (s.left & 1) == 0 else -5500", 2),  # the sum of two gains: -11,000
        pytest.param("return 10000 if s.left == 1 else -1", 2, marks=pytest.mark.nightly),  # 10,001
        pytest.param("return 10000", 3, marks=pytest.mark.nightly),  # 10,000, by way of 0
    ],
)
def test_no_answer_beyond_the_range_is_given(gain, left, tmp_path):
    """The value is exact or the game is refused, in a search, in a test, and in the table of all positions."""
    game = take(tmp_path, **POINTS, gain=gain, left=left, choices=1)

    def value(heap):
        state, score, sign = (heap, 0), 0, 1
        while state[0]:
            state, gained = game.rules_of.play(state, 1)
            score, sign = score + sign * gained, -sign
        return score

    searcher = searcher_of(game.rules_of, 1 << 20)
    if abs(value(left)) <= kit.WIN:
        assert searcher.search((left, 0), -1.0, 0)[:2] == (value(left), value(left))
    else:
        for run in (
            lambda: searcher.search((left, 0), -1.0, 0),
            lambda: searcher_of(game.rules_of, 1 << 20).solve_all((left, 0), -1.0),
        ):
            with pytest.raises(GamecoreError, match="points must be from -10000 to 10000"):
                run()


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


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_growing_table_stays_within_its_memory(tmp_path):
    """Peak memory of the process; what the table may have: 96 MiB."""
    take(tmp_path, left=3_000_000, most_moves=3, choices=1)
    code = f"""
from pathlib import Path
from gamecore import kit
from gamecore.apps.kit._search import searcher_of
def peak(): return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024
game = kit.load({str(tmp_path / "take.pyx")!r})
before = peak()
searcher = searcher_of(game.rules_of, 96 << 20)
for first in range(1000, 2_200_000, 999):
    searcher.search((first, 0), -1.0, 0)
print(searcher.table_bytes >> 20, peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    table_mb, used_mb = map(int, done.stdout.split())
    assert table_mb > 60
    assert used_mb < 106


@pytest.mark.nightly
def test_a_ring_is_drawn(tmp_path):
    (tmp_path / "ring.pyx").write_text(
        TAKE.format(**SIZES | {"head": "CYCLES = True", "left": 7}).replace(
            "s.left -= k", "s.left = (s.left + k) % 1000 + 1"
        )
    )
    game = kit.load(tmp_path / "ring.pyx")
    assert str(game.solve(game.start())) == "draw"


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
