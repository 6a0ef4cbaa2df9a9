"""The panels of rows."""

import random

import pytest

from gamecore import rows
from gamecore.apps.explore._errors import ApiError
from gamecore.apps.explore.rows import COUNT_VALUES
from gamecore.reference import rows as reference

OPPONENTS = ("optimal", "greedy", "cooperative")
ROW = "greedy:me:0:0:5,7,9,1,4,2"


@pytest.fixture
def panel(ask):
    """Ask for a panel."""

    def panel(game, name, position, **options):
        body = {"panel": name, "position": position.to_text(), "options": options}
        return ask("/api/panel", game=game, **body)

    return panel


# --- rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_the_table_is_the_librarys_and_the_path_goes_through_it(panel, opponent):
    position = rows.random(12, opponent, plies=0, rng=3)
    found = panel("rows", "table", position)
    known = rows.table(position.values, opponent=opponent).tolist()
    assert found["table"] == [[cell if j >= i else None for j, cell in enumerate(row)] for i, row in enumerate(known)]
    assert (found["least"], found["most"]) == (
        min(cell for row in found["table"] for cell in row if cell is not None),
        max(cell for row in found["table"] for cell in row if cell is not None),
    )
    assert (found["path"][0], found["path"][-1][0]) == ([0, 11], found["path"][-1][1])
    steps = [(k - i, j - m) for (i, j), (k, m) in zip(found["path"], found["path"][1:], strict=False)]
    line = rows.solve(position.values, opponent=opponent, first="me").line
    assert "".join({(1, 0): "L", (0, 1): "R"}[step] for step in steps) == line[:-1]


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_cell_is_its_sub_row_solved(panel, opponent):
    values = [5, 7, 9, 1, 4, 2]
    for i in range(6):
        for j in range(i, 6):
            found = panel("rows", "cell", rows.Position(values, opponent), i=i, j=j)
            known = rows.solve(values[i : j + 1], opponent=opponent)
            assert (found["mine"], found["theirs"]) == (str(known.mine), str(known.theirs))
            assert found["value"] == str(rows.table(values, opponent=opponent)[i, j])
            assert (found["text"], found["line"], found["path"][0]) == (f"{known.value:+}", known.line, [i, j])


def test_the_three_opponents_side_by_side(panel):
    position = rows.Position([5, 7, 9, 1, 4, 2], "greedy").play("L")
    found = panel("rows", "opponents", position)["opponents"]
    assert [one["opponent"] for one in found] == list(OPPONENTS)
    for one in found:
        known = rows.solve(rows.Position(position.values, one["opponent"], "opponent", 5, 0))
        assert (one["value"], one["mine"], one["line"]) == (known.value, str(known.mine), known.line)
        assert one["current"] == (one["opponent"] == "greedy")


def counted(row, opponent):
    """Calls of the sources' recursions, counted while they run: every one, and those that differ."""
    calls, seen = 0, set()

    def explore(i, j, mine):
        nonlocal calls
        if i > j:
            return 0
        calls += 1
        seen.add((i, j))
        if mine:
            return max(row[i] + explore(i + 1, j, False), row[j] + explore(i, j - 1, False))
        if opponent == "greedy":
            left = reference.sister_takes_left(row, i, j) or i == j
            return explore(i + 1, j, True) if left else explore(i, j - 1, True)
        ends = explore(i + 1, j, True), explore(i, j - 1, True)
        return min(ends) if opponent == "optimal" else max(ends)

    return explore(0, len(row) - 1, True), calls, len(seen)


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_states_are_counted_as_the_sources_recursions_visit_them(panel, opponent):
    row = [random.Random(7).randrange(9) for _ in range(11)]
    found = panel("rows", "counts", rows.Position(row, opponent))
    for n in range(1, 12):
        value, calls, states = counted(row[:n], opponent)
        assert value == reference.full_exploration(row[:n], opponent)[0]
        assert (found["naive"][n - 1], found["memoised"][n - 1]) == (calls, states)
        assert found["table"][n - 1] == n * (n + 1) // 2
        assert found["native"][n - 1] == rows.solve(row[:n], opponent=opponent, line=False).nodes


def test_counts_that_a_page_could_not_hold_are_left_out(panel):
    found = panel("rows", "counts", rows.random(100, "optimal", plies=0, rng=1))
    assert (len(found["n"]), found["naive"][51]) == (COUNT_VALUES, 2**52 - 1)
    assert found["naive"][-1] is None
    assert None not in found["memoised"]


@pytest.mark.parametrize(("body", "status"), [
    ({"panel": "table", "position": rows.random(150, plies=0, rng=1).to_text()}, 422),
    ({"panel": "table", "position": "optimal:me:1:2:-"}, 422),
    ({"panel": "counts", "position": "optimal:me:1:2:-"}, 422),
    ({"panel": "cell", "options": {"i": 3, "j": 2}}, 422),
    ({"panel": "cell", "options": {"i": 3, "j": 6}}, 422),
    ({"panel": "cell", "options": {"i": -1, "j": 6}}, 422),
    ({"panel": "cell", "options": {"k": 1}}, 422),
    ({"panel": "nothing"}, 400),
])  # fmt: skip
def test_panels_refuse_what_they_cannot_show(ask, body, status):
    with pytest.raises(ApiError) as caught:
        ask("/api/panel", **({"game": "rows", "position": ROW} | body))
    assert caught.value.status == status
