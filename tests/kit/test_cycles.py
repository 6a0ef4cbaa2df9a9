"""Compiled games with cycles: every position, against the form in Python; limits, memory, tables."""

import re

import pytest

from gamecore import Limits, kit
from gamecore.apps.kit._search import ExactSearcher, searcher_of
from gamecore.errors import GamecoreError


def test_five_hundred_random_games_as_in_python(built):
    """Each in a table of its own, by a search that a limit stops again and again, and all in one table."""
    rules, outcomes = built("graph").rules_of, set()
    together = searcher_of(rules, 1 << 24)
    for graph in range(500):
        state, plain = (graph, 2 + graph % 60, 0), ExactSearcher(rules, 1 << 24)
        plain.search(state, -1.0, 0)
        alone, values = searcher_of(rules, 1 << 20), plain.values
        while (bounds := alone.search(state, -1.0, 3))[0] < bounds[1]:
            assert bounds[:2] == (-kit.WIN, kit.WIN)
            assert bounds[2] <= 3
        for searcher, nodes in ((alone, 1), (together, 0)):
            assert {place: searcher.search(place, -1.0, nodes)[0] for place in values} == values
        outcomes |= set(values.values())
    assert len(outcomes) > 12  # of different lengths


def test_a_later_search_adds_positions(built):
    """From places in any order, so that known values of every length spread into new positions."""
    rules = built("graph").rules_of
    for graph in range(60):
        searcher, plain = searcher_of(rules, 1 << 20), ExactSearcher(rules, 1 << 24)
        for place in range(119, -1, -1):
            state = (graph, 120, place)
            assert searcher.search(state, -1.0, 0)[:2] == plain.search(state, -1.0, 0)[:2]


def test_its_table_has_every_position(built, tmp_path):
    game = built("graph")
    header = kit.solve_all(game, tmp_path / "table", csv=tmp_path / "csv")
    table, plain = kit.Table(game, tmp_path / "table"), ExactSearcher(game.rules_of, 1 << 24)
    plain.search(game.start().state, -1.0, 0)
    values = {state: value for state, value in plain.values.items() if game.rules_of.result(state) is None}
    assert header["positions"] == len(values)
    assert {state: table.value(game.Position(state)) for state in values} == values
    assert (kit.check(game, seconds=2.0).problem, str(game.start())) == ("", "1 30 0")


def test_the_memory_of_all_positions_is_limited(built):
    """The message says what is needed; with that much it is solved, at less than 32 bytes a position and 4 a move."""
    rules, state = built("graph").rules_of, (7, 50_000, 0)
    with pytest.raises(
        GamecoreError, match=r"do not fit into the table: give more table_mb \(--table-mb\): \d+ positions need"
    ) as error:
        searcher_of(rules, 1 << 18).search(state, -1.0, 0)
    assert float(re.search(r"need (\S+) MiB", str(error.value))[1]) > 0.25
    needed, searcher = 1, None
    while searcher is None or searcher.search(state, -1.0, 0)[0] == -kit.WIN:
        searcher = searcher_of(rules, needed)
        try:
            searcher.search(state, -1.0, 0)
        except GamecoreError as more:
            needed, searcher = int(float(re.search(r"need (\S+) MiB", str(more))[1]) * (1 << 20)) + 60_000, None
    _, keys, _ = searcher.solve_all(state, -1.0)
    assert searcher.table_bytes <= needed < 50 * (len(keys) // 16)
    game = built("graph")
    assert not game.solve(game.Position((9, 50_000, 0)), Limits(nodes=1000)).exact


def test_a_key_that_stands_for_none_is_refused(built):
    with pytest.raises(GamecoreError, match="a key must not be 0x9e3779b97f4a7c15"):
        searcher_of(built("graph").rules_of, 1 << 20).search((0x9E3779B9, 1 << 31, 0x7F4A7C15), -1.0, 100)


@pytest.mark.nightly
def test_numbers_of_more_than_three_bytes(built):
    """Of fifteen million positions: each of some hundred has the value that those after its moves give it."""
    game = built("graph")
    rules, searcher, place = game.rules_of, searcher_of(game.rules_of, 1 << 30), (1, 15_000_000, 0)
    values = set()
    for _ in range(300):
        value = searcher.search(place, -1.0, 0)[0]
        after = [rules.play(place, move) for move in rules.moves(place)]
        scores = [rules.parent_score(searcher.search(child, -1.0, 0)[0], 0) for child in after]
        assert value == max(scores)
        values.add(value)
        going_on = [child for child in after if rules.result(child) is None]
        place = going_on[value % len(going_on)] if going_on else (1, 15_000_000, (place[2] * 7 + 1) % 15_000_000)
        place = place if rules.result(place) is None else (1, 15_000_000, 0)
    assert len(values) > 5
