"""Games of one's own: values, both forms, strong solutions."""

import importlib.util
import itertools
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from kit.examples import EXAMPLES, Takeaway, source_of  # pytest's pythonpath has the folder of tests

import gamecore
from gamecore import Limits, kit, rows
from gamecore.apps.kit._exact import searcher_of
from gamecore.apps.kit._python import PythonSearcher
from gamecore.cli import main
from gamecore.errors import GamecoreError, OptionError

nightly = pytest.mark.nightly


def python_game(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GAME


def test_connect_four_4x4(built, tmp_path):
    """A draw; 161,029 positions of which 26,740 are over (Tromp's table)."""
    game = built("connect4", (("W", 4), ("H", 4)))
    found = game.solve(game.start())
    assert (found.value, found.outcome, found.plies, len(found.line)) == (0, "draw", None, 16)
    header = kit.solve_all(game, tmp_path / "table")
    assert (header["positions"], header["value"]) == (161_029 - 26_740, 0)

    spec = importlib.util.spec_from_file_location("probe", EXAMPLES / "probe.py")
    probe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(probe)
    table = probe.Table(tmp_path / "table")
    assert table.verify()
    for seed in range(20):
        position = game.random(rng=seed, plies=6)
        expected = None if position.is_over else game.solve(position).value
        assert table.value(*game.rules_of.key(position.state)) == expected
    assert table.value(1, 1) is None
    damaged = bytearray((tmp_path / "table").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    assert not probe.Table(tmp_path / "damaged").verify()
    with pytest.raises(GamecoreError, match="table_mb"):
        kit.solve_all(game, tmp_path / "small", Limits(table_mb=0.5))
    assert not (tmp_path / "small").exists()
    assert "connect4" not in sys.modules  # another module of this name can be imported


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
        found = game.solve(game.start(), Limits(nodes=nodes))
        assert found.value == 0
        assert found.nodes <= nodes
        assert len(found.line) < 16
    python = kit.make(Takeaway)
    search = PythonSearcher.search
    monkeypatch.setattr(PythonSearcher, "search", lambda *args: given.append(args[2]) or search(*args))
    ticks = itertools.count()
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * 0.001)
    assert python.solve(python.start(), Limits(seconds=1.0)).line
    assert len(given) > 4
    assert all(one > other for one, other in itertools.pairwise(given))


def test_bad_text_is_refused_in_one_line(built):
    game = built("connect4", (("W", 4), ("H", 4)))
    for bad in (
        "A:2,1",
        "A:0,2",
        "A:0,16",
        f"A:0,{1 << 20}",
        f"A:0,{1 << 63}",
        f"A:0,{1 << 64}",
        "A:-1,0",
        "A:0",
        "A:,",
    ):
        with pytest.raises(GamecoreError) as raised:
            game.parse(bad)
        assert "\n" not in str(raised.value)


def test_limits_give_bounds_and_a_move(built):
    game = built("connect4", (("W", 4), ("H", 4)))
    for limits in (Limits(nodes=50), Limits(seconds=0.0), Limits(nodes=50, table_mb=1)):
        found = game.solve(game.start(), limits)
        assert found.lower < found.upper
        assert found.best_so_far in game.start().legal_moves()
        assert limits.nodes is None or found.nodes <= limits.nodes
    whole = game.analyse(game.start())
    assert whole.exact
    assert {entry.move: entry.value for entry in whole} == {
        move: -value + (value > 0) - (value < 0)
        for move in game.start().legal_moves()
        for value in [game.solve(game.start().play(move)).value]
    }
    with game.solver() as solver:
        first = solver.solve(game.start())
        assert solver.solve(game.start().play(first.best_move)).nodes < first.nodes / 10
    assert game.refine(game.start()).run(10.0).exact


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


def test_every_tool_takes_it(built, capsys, tmp_path):
    shutil.copy(EXAMPLES / "tictactoe.py", tmp_path)
    name = str(tmp_path / "tictactoe.py")
    try:
        assert main(["--game", name, "tictactoe", "A:0,0", "--line", "--analyse", "--draw"]) == 0
        assert "A draws" in capsys.readouterr().out
        gamecore.game._registry._registered.pop("tictactoe")
        assert main(["kit", "test", name, "--seconds", "0.3"]) == 0
        assert "no mistake found" in capsys.readouterr().out
        for command in ("build", "test", "solve-all"):
            extra = ["-o", "nowhere"] if command == "solve-all" else []
            assert main(["kit", command, "no_such.py", *extra]) == 2
            assert "no_such.py': no such file" in capsys.readouterr().err.lower()
        assert main(["kit", "build", str(EXAMPLES.parent / "nim.py")]) == 2
        assert "must be a small .pyx file" in capsys.readouterr().err
        assert main(["kit", "test", str(EXAMPLES.parent / "nim.py")]) == 2
        assert "nim is no game of gamecore.apps.kit" in capsys.readouterr().err
        assert main(["tictactoe", "A:3,48", "--json"]) == 0
        assert '"outcome": "win", "plies": 1' in capsys.readouterr().out
        for bad in ("A:3", "A:1,x", "C:0,0", "A:0,0,0"):
            assert (main(["tictactoe", bad]), capsys.readouterr().err.count("\n")) == (2, 1)
        answers = gamecore.judge("tictactoe", lambda text: "A draws", count=6, sizes=range(33, 37))
        assert answers.verdicts
        smallest = answers.counterexample.case  # a move before the end: as small as can be
        assert smallest.expected.endswith((" in 1 ply", "B draws"))
    finally:
        for one in ("tictactoe", "nim"):
            gamecore.game._registry._registered.pop(one, None)


def test_errors_of_the_file(tmp_path, monkeypatch):
    path = tmp_path / "mine.pyx"
    with pytest.raises(GamecoreError, match="No such file"):
        kit.load(path)
    path.write_text("cdef enum:\n    MOST_MOVES = 2\n")
    with pytest.raises(GamecoreError, match="does not define State, start, moves, play, result"):
        kit.load(path)
    path.write_text(source_of("nim") + '\nKIND = "points"\n')
    with pytest.raises(GamecoreError, match="KIND must be 'outcome' or 'score', not 'points'"):
        kit.load(path)
    path.write_text(source_of("nim") + "\ncdef inline int gc_keep(int x) noexcept nogil:\n    return x\n")
    with pytest.raises(GamecoreError, match=r"mine\.pyx: names that begin with gc_ are those of the search: gc_keep"):
        kit.load(path)
    path.write_bytes(b"\xff")
    with pytest.raises(GamecoreError, match="no UTF-8"):
        kit.load(path)
    assert {one.name for one in Path(kit.include()).glob("*.pxi")} == {
        f"{part}.pxi" for part in ("before", "table", "state", "search", "solver")
    }
    path.write_text(source_of("nim").replace("return count", "return heaps"))
    line = next(k for k, text in enumerate(path.read_text().splitlines(), 1) if "heaps" in text)
    with pytest.raises(GamecoreError, match=f"mine.pyx, line {line}: .*heaps"):
        kit.load(path)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: "no-such-cc")
    with pytest.raises(GamecoreError, match="a C compiler is needed"):
        kit.load(path)


@nightly
def test_the_command(tmp_path, capsys):
    name = str(shutil.copy(EXAMPLES / "nim.pyx", tmp_path))
    assert (main(["kit", "build", name]), main(["kit", "test", name, "--seconds", "1"])) == (0, 0)
    assert main(["kit", "solve-all", name, "-o", str(tmp_path / "table")]) == 0
    assert "positions in" in capsys.readouterr().out
    path = tmp_path / "wrong.pyx"
    path.write_text(source_of("nim").replace("k.b = a + b + c", "k.b = 0"))
    assert main(["kit", "test", str(path), "--seconds", "1"]) == 1
    assert "one key" in capsys.readouterr().out


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
                state, searcher = (fault, 5), rules.searcher(1 << 20)
                arguments = (state, -1.0, 0) if run == "search" else (state, -1.0)
                if words is None:
                    assert getattr(searcher, run)(*arguments)[0] == (-1 if fault == 6 else 0) * (-1) ** 5
                    continue
                with pytest.raises(GamecoreError, match=words):
                    getattr(searcher, run)(*arguments)


PADDED = """
cdef enum:
    MOST_MOVES = 2
cdef struct State:      # seven bytes between the fields
    uint64_t left       # objects
    uint8_t mark
    uint16_t pair[2]
cdef inline void start(State* s) noexcept nogil:
    s.left, s.mark, s.pair[0], s.pair[1] = 9, 0, 1, 2
cdef inline int moves(const State* s, Move* out) noexcept nogil:
    out[0], out[1] = 1, 2
    return 2 if s.left > 1 else 1
cdef inline void play(State* s, Move move) noexcept nogil:
    s.left -= move
    s.mark = not s.mark
    (<uint8_t*>s)[9] = 7 * move
cdef inline int result(const State* s) noexcept nogil:
    return ONGOING if s.left else LOSS
"""


@nightly
def test_what_lies_between_fields_is_no_part_of_the_key(tmp_path):
    (tmp_path / "padded.pyx").write_text(PADDED)
    game = kit.load(tmp_path / "padded.pyx")
    assert kit.solve_all(game, tmp_path / "table")["positions"] == 16  # 1 to 7 with both marks, 8 and 9 with one
    assert game.rules_of.key((1, 1, 1, 2)) != game.rules_of.key((1, 1, 2, 2))
    (tmp_path / "bytes.pyx").write_text(PADDED.replace("uint16_t pair", "uint8_t pair"))
    with pytest.raises(GamecoreError, match="pair must be a whole number, or an array of 16 bits or more"):
        kit.load(tmp_path / "bytes.pyx")


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
def test_processes_build_one_file(tmp_path):
    shutil.copy(EXAMPLES / "nim.pyx", tmp_path)
    code = f"from gamecore import kit; print(kit.load({str(tmp_path / 'nim.pyx')!r}).name)"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [one.communicate()[0] for one in started] == ["nim\n"] * 3
    assert sorted(file.suffix for file in (tmp_path / "__kit__").iterdir()) == [".json", ".so"]


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
