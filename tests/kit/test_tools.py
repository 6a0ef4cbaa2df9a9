"""Tables of all positions of kit games. Commands are in ``cli/answers.txt`` and ``cli/refusals.txt``."""

import csv
import re
import time

import pytest
from kit.games import EXAMPLES, Points, Takeaway, Track

from gamecore import Limits, kit
from gamecore.apps.judge import cases
from gamecore.errors import GamecoreError
from gamecore.game._registry import module_of


def test_a_compiled_table_of_all_positions(built, tmp_path):
    """161,029 positions of connect four on 4x4, of which 26,740 are over (Tromp's table), read by both readers."""
    game = built("connect4", (("W", 4), ("H", 4)))
    header = kit.solve_all(game, tmp_path / "table")
    assert (header["positions"], header["value"]) == (161_029 - 26_740, 0)
    probe = module_of(str(EXAMPLES / "probe.py"))
    table, plain = kit.Table(game, tmp_path / "table"), probe.Table(tmp_path / "table")
    for seed in range(20):
        position = game.random(rng=seed, plies=6)
        value = game.solve(position).value
        assert table.value(position) == table.value(position.to_text()) == value
        assert plain.value(*game.rules_of.key(position.state)) == (None if position.is_over else value)
    assert (plain.value(1, 1), plain.verify()) == (None, True)
    damaged = bytearray((tmp_path / "table").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    assert not probe.Table(tmp_path / "damaged").verify()
    for reader, name, words in (
        (game, "damaged", "is no table of kit solve-all, or is damaged"),
        (kit.make(Takeaway), "table", "was made by other rules of connect4: text, constants, play differ"),
    ):
        with pytest.raises(GamecoreError, match=words):
            kit.Table(reader, tmp_path / name)
    with pytest.raises(GamecoreError, match=r"table_mb \(--table-mb\): \d+ positions need 0\.[5-9] MiB or more"):
        kit.solve_all(game, tmp_path / "small", Limits(table_mb=0.5))
    assert not (tmp_path / "small").exists()


@pytest.mark.parametrize("rules", [Takeaway, Points, type("Short", (Track,), {"goal": 9})])
def test_a_table_of_a_game_in_python(rules, tmp_path, monkeypatch):
    game = kit.make(rules)
    kit.solve_all(game, tmp_path / "table", csv=tmp_path / "values.csv")
    table = kit.Table(game, tmp_path / "table")
    table.export(tmp_path / "second.csv")
    kit.solve_all(game, tmp_path / "table", csv=tmp_path / "third.csv")  # goes on with the CSV file
    assert len({(tmp_path / f"{name}.csv").read_bytes() for name in ("values", "second", "third")}) == 1
    with (tmp_path / "values.csv").open() as file:
        head, *lines = csv.reader(file)
    assert (head, len(lines)) == (["position", "value", "words"], table.header["positions"])
    assert {text.count(":") for text, _, _ in lines} == {1}  # without points gained before
    for text, value, words in lines:
        solution = game.solve(text)
        assert (table.value(text), int(value), words) == (solution.value, solution.value, game.words.short(solution))
    other = rules()
    other.handicap = 1
    with pytest.raises(GamecoreError, match=f"was made by other rules of {game.name}: constants differ"):
        kit.Table(kit.make(other), tmp_path / "table")
    with pytest.raises(GamecoreError, match="A:-1 is not in the table: play cannot reach it, or only"):
        table.value("A:-1")
    with monkeypatch.context() as patched:
        patched.setattr(game.rules_of, "parent_score", lambda value, gain: 77)
        with pytest.raises(GamecoreError, match="the table contradicts itself in A:"):
            table.value(game.start())


def test_how_far_the_work_is(tmp_path, monkeypatch):
    """Told by another thread; the rules wait for it."""
    heap, told, result = kit.make(Takeaway), [], kit.make(Takeaway).rules_of.result
    pauses = iter([0.1] * 40)
    monkeypatch.setattr("gamecore.apps.kit._table._EVERY", 0.0)
    monkeypatch.setattr(
        heap.rules_of, "result", lambda state: result(state) if told else time.sleep(next(pauses, 0)) or result(state)
    )
    kit.solve_all(heap, tmp_path / "table", progress=told.append)
    assert re.fullmatch(r"(positions take \d\.\d MiB after 0:\d\d)+", "".join(told))
    table = kit.Table(heap, tmp_path / "table")
    told.clear()
    table.export(tmp_path / "csv", progress=told.append)
    assert re.fullmatch(r"(the CSV file has \d+ states after 0:\d\d)+", "".join(told))


MERGED = """
cdef enum:
    MOST_MOVES = 2
cdef struct State:
    uint32_t at
cdef inline void start(State* s) noexcept nogil:
    pass
cdef inline int moves(const State* s, Move* out) noexcept nogil:
    out[0], out[1] = 1, 2
    return 1 if s.at else 2
cdef inline void play(State* s, Move move) noexcept nogil:
    s.at += 2 if s.at else move
cdef inline int result(const State* s) noexcept nogil:
    return DRAW if s.at > 4 else ONGOING
cdef inline Key key(const State* s) noexcept nogil:
    return Key(1 if s.at == 2 else s.at, 0)
"""


def test_a_key_that_merges_states_of_one_value(tmp_path):
    """The table has what follows on the first of them alone."""
    (tmp_path / "merged.pyx").write_text(MERGED)
    game = kit.load(tmp_path / "merged.pyx")
    assert kit.solve_all(game, tmp_path / "table")["positions"] == 3
    table = kit.Table(game, tmp_path / "table")
    assert (table.value("A:0"), table.value("A:3")) == (0, 0)
    with pytest.raises(
        GamecoreError, match="A:4 is not in the table: play cannot reach it, or only from positions that"
    ):
        table.value("A:4")
    found = kit.check(game, seconds=1.0)
    assert found.problem.startswith("two states have one key, and other moves: kit solve-all leaves out")
    assert [position.to_text() for position in found.positions] == ["B:1", "B:2"]


def test_cases_of_a_game_of_points_have_points_gained_before():
    """Else a program that reads the state alone would pass."""
    texts = [case.text for case in cases(kit.make(Points), count=40)]
    assert any(text.count(":") > 1 for text in texts)
