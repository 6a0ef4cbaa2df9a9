"""Games of one's own: values, both forms, strong solutions."""

import importlib.util
import itertools
from functools import cache

import pytest
from kit.games import EXAMPLES, Takeaway  # pytest's pythonpath has the folder of tests

from gamecore import Limits, kit, rows
from gamecore.apps.kit._search import PythonSearcher, searcher_of
from gamecore.errors import GamecoreError, OptionError

nightly = pytest.mark.nightly


def python_game(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GAME


def test_connect_four_4x4(built):
    """A draw (Tromp's table); after a search of all moves the table knows what follows."""
    game = built("connect4", (("W", 4), ("H", 4)))
    solution = game.solve(game.start())
    assert (solution.value, solution.outcome, solution.plies, len(solution.line)) == (0, "draw", None, 16)
    analysis = game.analyse(game.start())
    assert {move.move: move.value for move in analysis} == {
        move: -value + (value > 0) - (value < 0)
        for move in game.start().legal_moves()
        for value in [game.solve(game.start().play(move)).value]
    }
    with game.solver() as solver:
        first = solver.solve(game.start())
        assert solver.solve(game.start().play(first.best_move)).nodes < first.nodes / 10


def test_a_full_table_and_an_early_stop(built):
    game = built("connect4", (("W", 4), ("H", 4)))
    tiny = game.solve(game.start(), Limits(table_mb=0.001))
    assert (tiny.value, len(tiny.line)) == (0, 16)
    assert tiny.table_bytes <= 1049
    for rules in (game.rules_of, kit.make(Takeaway).rules_of):
        searcher = searcher_of(rules, 1 << 20)
        searcher.stop()
        for _ in range(2):
            assert searcher.search(rules.start(), -1.0, 0) == (-kit.WIN, kit.WIN, 0)


def test_limits_cover_the_value_and_the_line(monkeypatch, built):
    game, given = built("connect4", (("W", 4), ("H", 4))), []
    whole = game.solve(game.start())
    alone = game.solve(game.start(), line=False)
    for nodes in (alone.nodes + 1, alone.nodes + 40, whole.nodes - 1):
        solution = game.solve(game.start(), Limits(nodes=nodes))
        assert solution.value == 0
        assert solution.nodes <= nodes
        assert len(solution.line) < 16
    python = kit.make(Takeaway)
    search = PythonSearcher.search
    monkeypatch.setattr(PythonSearcher, "search", lambda *args: given.append(args[2]) or search(*args))
    ticks = itertools.count()
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * 0.001)
    assert python.solve(python.start(), Limits(seconds=1.0)).line
    assert len(given) > 4
    assert all(one > other for one, other in itertools.pairwise(given))


@pytest.mark.parametrize("state", ["2,1", "0,2", "0,16", "0,1048576", "0,18446744073709551616", "-1,0", "0", ","])
def test_bad_text_is_refused_in_one_line(state, built):
    with pytest.raises(GamecoreError) as raised:
        built("connect4", (("W", 4), ("H", 4))).parse(f"A:{state}")
    assert "\n" not in str(raised.value)


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
    game = built(name, sizes)
    assert game.solve(game.start()).value == value


@nightly
def test_the_coin_row_is_that_of_rows(built):
    game = built("coinrow")
    found = game.solve(game.start())
    own = rows.solve(rows.Position([5, 7, 9, 1, 4, 2, 8, 3, 6, 10, 12, 11]))
    assert found.value == own.value
    assert {(one.move, one.value) for one in game.analyse(game.start())} == {
        (one.move, one.value) for one in rows.analyse(rows.Position([5, 7, 9, 1, 4, 2, 8, 3, 6, 10, 12, 11]))
    }


@nightly
def test_dots_and_boxes_against_plain_python(built):
    boxes = [
        {r * 2 + c, (r + 1) * 2 + c, 6 + r * 3 + c, 6 + r * 3 + c + 1} for r, c in itertools.product((0, 1), (0, 1))
    ]

    @cache
    def value(drawn):
        best = None
        for line in set(range(12)) - drawn:
            after = drawn | {line}
            closed = sum(box <= after for box in boxes) - sum(box <= drawn for box in boxes)
            score = closed + value(after) if closed else -value(after)
            best = score if best is None else max(best, score)
        return best or 0

    game = built("dotsandboxes")
    assert game.solve(game.start()).value == value(frozenset())


@nightly
def test_the_python_form_agrees_with_the_compiled_one(built):
    python, compiled = python_game("tictactoe"), built("tictactoe")
    for seed in range(40):
        position = compiled.random(rng=seed, plies=4)
        same = python.parse(position.to_text())
        assert (same.legal_moves(), str(same)) == (position.legal_moves(), str(position))
        one, two = python.solve(same), compiled.solve(position)
        assert (one.value, one.outcome, one.plies) == (two.value, two.outcome, two.plies)
        assert len(one.line) == len(two.line)


BROKEN = """
KIND = "{kind}"
cdef enum:
    MOST_MOVES = 2
cdef struct State:
    uint64_t fault, left
cdef inline void start(State* s) noexcept nogil:
    s.fault, s.left = 0, 5
cdef inline int moves(const State* s, Move* out) noexcept nogil:
    out[0], out[1], out[2] = 0, 1, 2
    return 0 if s.fault == 1 else 3 if s.fault == 2 else 2
cdef inline int play(State* s, Move move) noexcept nogil:
    s.left -= s.fault != 3
    return (4000 if s.left % 2 == 0 else -4000) if s.fault == 4 else 20000 if s.fault == 5 else 0
cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.left else -1 if s.fault == 6 else 0
"""


@nightly
def test_broken_rules_are_refused(tmp_path):
    """Each fault, in the search and in the strong solution; without one, both work."""
    faults = {1: "there is no move", 2: "more moves than MOST_MOVES = 2", 3: "CYCLES = True", 6: "result must be LOSS"}
    for kind in ("outcome", "score"):
        (tmp_path / f"{kind}.pyx").write_text(BROKEN.format(kind=kind))
        rules = kit.load(tmp_path / f"{kind}.pyx").rules_of
        if kind == "score":
            faults.update({4: "points must be", 5: "points must be", 6: None})
        for fault, words in {0: None, **faults}.items():
            for run in ("search", "solve_all"):
                state, searcher = (fault, 5), searcher_of(rules, 1 << 20)
                arguments = (state, -1.0, 0) if run == "search" else (state, -1.0)
                if words is None:
                    assert getattr(searcher, run)(*arguments)[0] == (-1 if fault == 6 else 0) * (-1) ** 5
                    continue
                with pytest.raises(GamecoreError, match=words):
                    getattr(searcher, run)(*arguments)


@pytest.mark.threads
@nightly
def test_threads_on_one_table(built):
    """Values of two threads, also in a table so small that they replace each other's entries all the time."""
    game = built("connect4", (("W", 5), ("H", 5)))
    found = game.solve(game.start(), threads=2)
    assert (found.value, len(found.line)) == (0, 25)
    for seed in range(12):
        position = game.random(rng=seed, plies=5)
        expected = game.solve(position)
        for table_mb in (0.01, 1):
            again = game.solve(position, Limits(table_mb=table_mb), threads=2)
            assert (again.value, len(again.line)) == (expected.value, len(expected.line))
    limited = game.solve(game.start(), Limits(nodes=200_000), threads=2)
    assert limited.nodes <= 200_000
    for bad in (0, 65, "2"):
        with pytest.raises(OptionError, match="threads must be"):
            game.solve(game.start(), threads=bad)


@nightly
def test_dodgem_against_value_iteration(built):
    """The first side wins (Winning Ways); all 1,963 positions agree with plain iteration."""
    game = built("dodgem")
    rules = game.rules_of
    assert game.solve(game.start()).outcome == "win"
    after, todo = {}, [rules.start()]
    while todo:
        state = todo.pop()
        if state not in after:
            over = rules.result(state) is not None
            after[state] = [] if over else [rules.play(state, move)[0] for move in rules.moves(state)]
            todo += after[state]
    assert len(after) == 1963
    value = {state: rules.result(state) or 0 for state in after}
    changed = True
    while changed:
        new = {
            state: max(-value[one] + (value[one] > 0) - (value[one] < 0) for one in after[state])
            if after[state]
            else value[state]
            for state in after
        }
        value, changed = new, new != value
    with game.solver() as solver:
        assert {state: solver.solve(game.Position(state), line=False).value for state in after} == value


@nightly
def test_an_interrupted_search_raises(built):
    import signal
    import threading

    game = built("connect4", (("W", 6), ("H", 5)))
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        game.solve(game.start())
