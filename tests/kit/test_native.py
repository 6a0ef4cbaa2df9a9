"""Compiled games: values against other solvers, limits, depth, memory, threads, range."""

import itertools
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from command import python, said  # pytest's pythonpath has the folder of tests
from kit.games import Points, Takeaway, Walk, source_of

from gamecore import Limits, game, kit
from gamecore.apps.kit._search import PythonSearcher, searcher_of
from gamecore.errors import GamecoreError, OptionError

nightly = pytest.mark.nightly
SMALL = (("W", 4), ("H", 4))
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


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
    for state in ("2,1", "0,2", "0,16", "0,1048576", "0,18446744073709551616", "-1,0", "0", ","):
        with pytest.raises(GamecoreError, match=r"\A.*\Z"):
            game.parse(f"A:{state}")


@pytest.mark.threads
def test_threads_divide_the_work(tmp_path):
    """Where each node sleeps, so that one processor is enough: each of two or four searches about its share."""
    head, moves, rest = source_of("dotsandboxes.pyx").partition("    cdef int line, count = 0\n")
    sleep = 'cdef extern from "unistd.h":\n    int usleep(unsigned int) noexcept nogil\n\n'
    (tmp_path / "dots.pyx").write_text(f"{sleep}{head}{moves}    usleep(100)\n{rest}")
    rules = kit.load(tmp_path / "dots.pyx").rules_of
    *value, alone = searcher_of(rules, 1 << 20).search(rules.start(), -1.0, 0)
    for threads in (2, 4):
        main = searcher_of(rules, 1 << 20)
        main.share()
        searchers = [main, *(main.helper() for _ in range(threads - 1))]
        with ThreadPoolExecutor(threads) as pool:
            lower, upper, nodes = zip(
                *pool.map(lambda searcher: searcher.search(rules.start(), -1.0, 0), searchers), strict=True
            )
        assert [max(lower), min(upper)] == value
        assert max(nodes) < 0.8 * alone  # on a busy machine, one may wait for its turn
        assert sum(nodes) < 1.6 * alone


@pytest.mark.threads
@pytest.mark.parametrize(
    ("name", "sizes", "plies"),
    [
        ("connect4", SMALL, 4),
        pytest.param("dotsandboxes", (), 2, marks=nightly),  # by day: test_threads_divide_the_work
        pytest.param("connect4", (("W", 5), ("H", 5)), 5, marks=nightly),
    ],
)
def test_values_of_threads(name, sizes, plies, built):
    """Of outcomes and of points, also while they replace each other's entries all the time."""
    game = built(name, sizes)
    for seed in range(6):
        position = game.random(rng=seed, plies=plies)
        expected = game.solve(position)
        for threads, table_mb in ((2, 0.01), (3, 1)):
            again = game.solve(position, Limits(table_mb=table_mb), threads=threads)
            assert (again.value, len(again.line)) == (expected.value, len(expected.line))
    assert game.solve(game.start(), Limits(nodes=5000), threads=2).nodes <= 5000
    with pytest.raises(OptionError, match="threads must be"):
        game.solve(game.start(), threads=65)


def test_the_command_has_threads(built):
    game.register(built("connect4", SMALL))
    assert said("connect4", "start", "--threads", "2", "--table-mb", "8")[:2] == (0, "A draws\n")
    game.register(kit.make(Takeaway))
    assert said("takeaway", "A:2", "--threads", "2")[0] == 2
    assert said("takeaway", "A:2", "--question", "outcome")[:2] == (0, "A wins\n")
    assert said("takeaway", "A:2", "--question", "outcome", "--line")[0] == 2
    game.register(kit.make(Points))
    assert said("points", "A:2:0:9", "--question", "outcome")[:2] == (0, "A loses\n")


def test_who_wins_without_the_distance(built):
    """The answer tells the sign of the value and no more; in points those gained before count."""
    four, points = built("connect4", SMALL), kit.make(Points)
    for one, positions in (
        (four, [four.random(rng=seed, plies=6).to_text() for seed in range(12)]),
        (kit.make(Takeaway), [f"A:{left}" for left in range(7)]),
        (kit.make(Walk), [f"A:{at}" for at in range(6)]),
        (points, ["start", "B:1:0:7", "A:2:8:6", "A:5:3:3", "A:0:0:500", "A:4:500"]),
    ):
        for text in positions:
            whole, solution = one.solve(text), one.solve(text, question="outcome")
            sign = (whole.value > 0) - (whole.value < 0)
            assert (solution.question, solution.outcome, solution.answered) == ("outcome", OUTCOMES[sign], True)
            assert solution.plies is None is solution.best_so_far
            assert (solution.line, solution.best_moves, one.words.short(solution)) == ((), (), OUTCOMES[sign])
            assert (solution.lower == 1, solution.upper == -1) == (sign > 0, sign < 0)
            assert solution.exact == (sign == 0)
            assert whole.question == "distance"
    assert not four.solve("start", Limits(nodes=3), question="outcome").answered
    with pytest.raises(OptionError, match="question must be one of distance, outcome, not 'who'"):
        four.solve("start", question="who")


def test_the_outcome_takes_fewer_nodes_than_the_distance(built):
    """A search for the distance begins with that for the outcome."""
    game = built("hexapawn")
    for threads in (1, 2):
        solver = game.solver(threads=threads)
        first = solver.solve("start", question="outcome")
        assert (first.outcome, str(game.words.value(first, game.start()))) == ("win", "wins")
        whole = game.solve("start", line=False)
        assert first.nodes < whole.nodes
    assert solver.solve("start", line=False).value == whole.value


def test_a_small_table_takes_no_position_for_another(built):
    """Whole keys of two words are compared."""
    game = built("hexapawn")
    for position in (game.random(rng=seed, plies=seed % 6) for seed in range(60)):
        values = {game.solve(position, Limits(table_mb=size), line=False).value for size in (0.0003, 0.001, 1)}
        assert len(values) == 1


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


# --- take.pyx: the state has its rules

OUT_OF_RANGE = "points must be from -10000 to 10000"


@pytest.fixture
def points(copied, monkeypatch):
    """The game of points."""
    path = copied("take")
    monkeypatch.setenv("KIND", "score")
    return kit.load(path)


def run_python(game, code):
    """Run code about a compiled game in another process, and return what it prints."""
    source = game.rules_of.__reduce__()[1][0]
    return python("-c", f"from gamecore import kit\ngame = kit.load({source!r})\n{code}").stdout


def heap(left, choices=2, power=1, sleep=0, end=kit.LOSS, even=0, odd=0, low=0, high=0, slow=0):
    """A state of ``take.pyx``."""
    return (left, choices, power, sleep, end, even, odd, low, high, slow, *[0] * 100)


def test_depth_does_not_depend_on_the_number_of_moves(built):
    """When squares are taken, and whoever cannot move loses: plies to the end, below 0 for losses."""
    plies, game = [0], built("take")
    for left in range(1, 400):
        after = [plies[left - k * k] for k in range(1, left + 1) if k * k <= left]
        plies.append(1 - max(lost) if (lost := [count for count in after if count <= 0]) else -1 - max(after))
    assert plies[399] == 15
    for left in (399, 398, 130, 20):
        value = kit.WIN - plies[left] if plies[left] > 0 else -plies[left] - kit.WIN
        assert game.solve(game.Position(heap(left, choices=400, power=2))).value == value


def test_many_moves_and_a_deep_game_need_no_stack(built):
    """Six hundred plies of up to 10,000 moves, in a thread with the stack that musl gives."""
    output = run_python(built("take"), """
import threading
threading.stack_size(1 << 17)
def work():
    print(game.solve(game.start()), game.rules_of.solver(1 << 20).solve_all(game.rules_of.start(), -1.0)[0])
threading.Thread(target=work).start()
""")  # fmt: skip
    assert output == "A loses in 600 plies -9400\n"


@pytest.mark.parametrize(("choices", "largest"), [(1, 20), (2, 60)])
def test_points_within_the_range_are_exact(choices, largest, points):
    """Each number of a move is worth 500 points from an even heap, for the other side from an odd one."""
    values = [0]
    for left in range(1, largest + 1):
        after = [(-500 if left & 1 else 500) * k - values[left - k] for k in range(1, choices + 1) if k <= left]
        values.append(max(after))
    assert max(map(abs, values)) == (kit.WIN if choices == 1 else 1000)
    states = [heap(left, choices, end=0, even=500, odd=-500) for left in range(1, largest + 1)]
    assert [points.solve(points.Position(state)).value for state in states] == values[1:]


@pytest.mark.parametrize(
    ("kind", "state", "expected"),
    [
        ("built", heap(1000, 1), 1000 - kit.WIN),
        ("built", heap(1001, 1), "a game of more than 1000 plies"),
        ("built", heap(5, power=0), "CYCLES = True"),
        ("built", heap(5, 0), "there is no move"),
        ("built", heap(10_001, 10_001), "more moves than MOST_MOVES = 10000"),
        ("built", heap(5, power=3), "moves must be numbers from 0 to 65535"),
        ("built", heap(5, end=-1), "result must be LOSS"),
        ("points", heap(5, 1, end=-1), 1),
        ("points", heap(5, power=0, end=0), "CYCLES = True"),
        ("points", heap(1, end=0, odd=11_000), OUT_OF_RANGE),
        ("points", heap(2, 1, end=0, even=5500, odd=-5500), OUT_OF_RANGE),
        ("points", heap(2, 1, end=kit.LOSS), OUT_OF_RANGE),
        ("points", heap(2, 1, end=0, even=-1, odd=10_000), OUT_OF_RANGE),
        ("points", heap(3, 1, end=0, even=10_000, odd=10_000), kit.WIN),  # by way of 0
    ],
)
def test_what_rules_say_is_exact_or_refused(kind, state, expected, request):
    """In a search and in the table of all positions."""
    game = request.getfixturevalue(kind)
    rules = (game("take") if kind == "built" else game).rules_of
    for run in (
        lambda: searcher_of(rules, 1 << 20).search(state, -1.0, 0)[:2],
        lambda: rules.solver(1 << 20).solve_all(state, -1.0)[:1],
    ):
        if isinstance(expected, int):
            assert {*run()} == {expected}
            continue
        with pytest.raises(GamecoreError, match=expected):
            run()


def test_bounds_that_contradict_each_other_are_refused(built):
    rules = built("take").rules_of
    assert searcher_of(rules, 1 << 20).search(heap(5, low=-10_000, high=10_000), -1.0, 0)[0] == kit.WIN - 3
    with pytest.raises(GamecoreError, match="bounds are wrong: the lower one is above the upper one"):
        searcher_of(rules, 1 << 20).search(heap(5, low=100, high=-100), -1.0, 0)


def test_values_do_not_pass_through_a_draw(built):
    """With one table, a search follows a thousand plies beyond what others have found."""
    rules = built("take").rules_of
    for searcher in (searcher_of(rules, 1 << 24), PythonSearcher(rules, 1 << 26)):
        step = 999 if searcher.__class__ is rules.solver else 399
        for left in (*range(step, 9998, step), 9998):
            value = (kit.WIN - left) * (1 if left & 1 else -1)
            assert searcher.search(heap(left, 1), -1.0, 0)[:2] == (value, value)
        with pytest.raises(GamecoreError, match="a game of more than 9998 plies has no value"):
            searcher.search(heap(10_001, 1), -1.0, 0)


def test_python_functions_of_a_compiled_game_divide_as_python_does(built):
    game = built("take")
    assert str(game.Position(heap(5, odd=-7))) == "-15"
    with pytest.raises(GamecoreError, match=r"the rules raise ZeroDivisionError: .*\(take.pyx, line \d+, in"):
        str(game.Position(heap(5)))


def test_limits_hold_although_the_rules_are_slow(built):
    game, state = built("take"), heap(100, sleep=5000)
    for slow, threads in ((state, 1), (state, 2), (heap(5001, 5000, slow=1000), 1)):
        begun = time.perf_counter()
        assert not game.solve(game.Position(slow), Limits(seconds=0.2), line=False, threads=threads).exact
        assert time.perf_counter() - begun < 10  # 4096 nodes of 5 ms: 20 s
    searcher = searcher_of(game.rules_of, 1 << 20)
    threading.Timer(0.2, searcher.stop).start()
    begun = time.perf_counter()
    assert searcher.search(state, -1.0, 0)[0] == -kit.WIN
    assert time.perf_counter() - begun < 10


@nightly
@pytest.mark.skipif(sys.platform != "linux" or "GAMECORE_SANITIZED" in os.environ, reason="reads /proc")
def test_a_growing_table_stays_within_its_memory(built):
    """Peak memory of the process; what the table may have: 96 MiB."""
    table_mb, used_mb = map(int, run_python(built("take"), f"""
import random
def peak(): return int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) // 1024
searcher = game.rules_of.solver(96 << 20)
rest = {heap(1, 1, end=kit.DRAW)[1:]}
searcher.search((1000, *rest), -1.0, 0)
before = peak()
for first in [*range(1000, 2_200_000, 999), *random.Random(0).choices(range(2000, 2_000_000), k=100_000)]:
    searcher.search((first, *rest), -1.0, 0)
print(searcher.table_bytes >> 20, peak() - before)
""").split())  # fmt: skip
    assert table_mb > 40  # it has grown because lost positions came again
    assert used_mb < 106
