"""The panels: the sources' algorithms on the position shown, a row's table, and the states that they visit."""

import random
import re

import pytest

from gamecore import duel, hearts, hexapawn, rows, trace
from gamecore.reference import rows as reference
from gamecore.reference import versions_of
from gamecore.rows.opponents import NAMES

SMALL = {
    "duel": duel.deal(4, rng=1),
    "hexapawn": hexapawn.Position.start(3, 3),
    "rows": rows.Position([5, 1, 1, 3, 2, 9], "greedy"),
    "hearts": hearts.random("hold", plies=46, rng=1),
}


@pytest.fixture
def panel(ask):
    """Ask for a panel of a position, by default of rows."""
    return lambda name, position, game="rows", **options: ask(
        "panel", game=game, panel=name, position=position.to_text(), options=options
    )


@pytest.mark.parametrize("game", SMALL)
def test_every_version_has_its_counts_and_its_tree(panel, game):
    position = SMALL[game]
    versions = versions_of(position)
    for name, version in versions.items():
        traced = version.trace()
        answer = panel("how", position, game, version=name)
        assert list(answer) == ["all_versions", "marks", f"calls_of_{name}", "steps"]
        assert answer["steps"] == min(traced.total, 200)
        heading, *lines = answer["all_versions"].split("\n")
        assert heading.split() == ["version", "calls", "different", "states", "remembered", "cut", "off"]
        assert [line.rsplit(None, 4)[0] for line in lines] == list(versions)
        counts = lines[list(versions).index(name)].replace(",", "").split()[-4:]
        assert counts == [str(n) for n in (traced.total, traced.distinct, traced.remembered, traced.cutoffs)]
        assert answer[f"calls_of_{name}"]["svg"] == traced.picture().svg
        step = panel("how", position, game, version=name, calls=3)
        assert step == answer | {f"calls_of_{name}": {"svg": traced.picture(calls=3).svg}}


@pytest.mark.parametrize("opponent", NAMES)
def test_the_table_is_the_librarys_and_states_are_those_that_the_sources_recursion_visits(panel, opponent):
    position = rows.random(9, opponent, plies=0, rng=3)
    drawn = rows.table_picture(position.values, opponent=opponent, ties=position.ties)
    assert panel("table", position) == {"table": {"svg": drawn.svg}, "steps": 9}
    for filled in (1, 4, 9):
        drawn = rows.table_picture(position.values, opponent=opponent, ties=position.ties, diagonals=filled)
        assert panel("table", position, diagonals=filled)["table"] == {"svg": drawn.svg}
        first = str(drawn).split("\n")[2]  # of the table: as many totals as diagonals
        assert len(re.findall(r"\d+", first.partition("|")[2])) == filled
    for seed in range(3):
        row = random.Random(seed).choices(range(9), k=11)
        lines = panel("counts", rows.Position(row, opponent))["states"].split("\n")
        assert lines[0].split() == ["n", "naive", "memoised", "table", "native"]
        for n, line in enumerate(lines[1:], 1):
            visited = trace(reference.full_exploration, row[:n], opponent).states
            calls = [count for state, count in visited.items() if re.match(r"\[\d+,\d+\] ", state)]  # of no empty row
            native = rows.solve(row[:n], opponent=opponent, line=False).nodes
            assert [int(word) for word in line.split()] == [n, sum(calls), len(calls), n * (n + 1) // 2, native]
        assert n == len(row)
