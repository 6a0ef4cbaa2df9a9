"""The panels of rows, and what hearts shows of what a seat can know."""

import random

import pytest

from gamecore import hearts, rows
from gamecore.explore._errors import ApiError
from gamecore.reference import rows as reference
from gamecore.rows._panels import COUNT_VALUES

OPPONENTS = ("optimal", "greedy", "cooperative")
ROW = "greedy:me:0:0:5,7,9,1,4,2"


def of(events, name):
    return [data for kind, data in events if kind == name]


@pytest.fixture
def panel(ask):
    """Ask for a panel: the answer, or all the events of a stream."""

    def panel(game, name, position, seat=None, seconds=60, **options):
        path = "/api/panel/events" if game == "hearts" else "/api/panel"
        body = {"panel": name, "position": position.to_text(), "seat": seat, "seconds": seconds, "options": options}
        return ask(path, game=game, **body)

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
    assert found["line"] == rows.solve(position.values, opponent=opponent, first="me").line
    assert found["path"][0] == [0, 11]
    assert found["path"][-1][0] == found["path"][-1][1]
    for (i, j), (k, m) in zip(found["path"], found["path"][1:], strict=False):
        assert (k - i, j - m) in ((1, 0), (0, 1))


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_cell_is_its_sub_row_solved(panel, opponent):
    values = [5, 7, 9, 1, 4, 2]
    for i in range(6):
        for j in range(i, 6):
            found = panel("rows", "cell", rows.Position(values, opponent), i=i, j=j)
            known = rows.solve(values[i : j + 1], opponent=opponent)
            assert (found["mine"], found["theirs"]) == (str(known.mine), str(known.theirs))
            assert found["table_value"] == rows.table(values, opponent=opponent)[i, j]
            assert rows.solve(found["position"]).value == known.value
            assert found["path"][0] == [i, j]


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
    assert len(found["n"]) == COUNT_VALUES
    assert found["naive"][51] == 2**52 - 1
    assert found["naive"][-1] is None
    assert None not in found["memoised"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("", {"panel": "table", "position": rows.random(150, plies=0, rng=1).to_text()}, 422),
        ("", {"panel": "table", "position": "optimal:me:1:2:-"}, 422),
        ("", {"panel": "counts", "position": "optimal:me:1:2:-"}, 422),
        ("", {"panel": "cell", "options": {"i": 3, "j": 2}}, 422),
        ("", {"panel": "cell", "options": {"i": 3, "j": 6}}, 422),
        ("", {"panel": "cell", "options": {"i": -1, "j": 6}}, 422),
        ("", {"panel": "cell", "options": {"k": 1}}, 422),
        ("", {"panel": "nothing"}, 400),
        ("/events", {"panel": "table"}, 400),
        ("/events", {"game": "hearts", "position": hearts.Round.deal(rng=1).to_text(), "panel": "review"}, 422),
        ("/events", {"game": "hearts", "position": hearts.Round.deal(rng=1).to_text(), "panel": "outlook"}, 422),
        (
            "/events",
            {"game": "hearts", "position": hearts.Round.deal(rng=1).to_text(), "panel": "passing", "seat": 0},
            422,
        ),
    ],
)
def test_panels_refuse_what_they_cannot_show(ask, path, body, status):
    with pytest.raises(ApiError) as caught:
        ask(f"/api/panel{path}", **({"game": "rows", "position": ROW} | body))
    assert caught.value.status == status


# --- hearts ----------------------------------------------------------------------------------------------------------


def in_play(tricks, seed=1):
    state = hearts.Round.deal(rng=seed, passing="left")
    while len(state.tricks) < tricks or len(state.legal_moves()) < 2:
        state = state.play(state.ask("greedy"))
    return state


def test_an_outlook_is_that_of_evaluate_moves_world_by_world(panel):
    state = in_play(4)
    events = panel("hearts", "outlook", state, state.to_move, playouts=60, seed=9)
    found = of(events, "outlook")[-1]
    view = state.view(state.to_move)
    points = {move: [] for move in state.legal_moves()}
    for world in range(60):
        for one in hearts.evaluate_moves(view, playouts=1, rng=9 + world):
            points[one.move].append(int(one.mean))
    assert events[-1][1]["reason"] == "playouts"
    assert found["playouts"] == 60
    assert [one["mean"] for one in found["moves"]] == sorted(one["mean"] for one in found["moves"])
    for one in found["moves"]:
        known = points[one["move"]]
        assert one["mean"] == pytest.approx(sum(known) / 60)
        assert {int(value): count for value, count, *_ in one["histogram"]} == {
            value: known.count(value) for value in set(known)
        }
        assert sum(share for _, _, share, _ in one["histogram"]) == pytest.approx(1)
        best = points[found["moves"][0]["move"]]
        assert one["cost"] == pytest.approx(sum(known) / 60 - sum(best) / 60)


def test_marginals_add_up_and_know_voids(panel):
    state = in_play(8)
    seat = state.to_move
    found = of(panel("hearts", "outlook", state, seat, playouts=10), "marginals")[-1]
    view = state.view(seat)
    unseen = {card for hand in state.hands for card in hand} - set(view.hand)
    assert {one["card"] for one in found["cards"]} == unseen
    counts = [0.0] * 4
    for one in found["cards"]:
        assert sum(one["seats"]) == pytest.approx(1)
        assert one["seats"][seat] == 0
        for other in range(4):
            counts[other] += one["seats"][other]
            if one["card"] in view.barred[other]:
                assert one["seats"][other] == 0
        if one["known"] is not None:
            assert one["card"] in state.hands[one["known"]]
    for other in range(4):
        if other != seat:
            assert counts[other] == pytest.approx(len(state.hands[other]))


def test_of_a_seat_that_waits_there_are_marginals_alone(panel):
    state = in_play(2)
    waiting = (state.to_move + 1) % 4
    events = panel("hearts", "outlook", state, waiting)
    assert of(events, "outlook") == []
    assert of(events, "marginals")
    assert events[-1][1]["reason"] == "chances"


def test_while_cards_are_passed_each_other_seat_holds_a_card_by_a_third(ask, panel):
    state = hearts.Round.deal(rng=1, passing="left", passer=None)
    found = of(panel("hearts", "outlook", state, 2), "marginals")[-1]
    assert len(found["cards"]) == 39
    assert found["cards"][0]["seats"] == [pytest.approx(1 / 3), pytest.approx(1 / 3), 0, pytest.approx(1 / 3)]
    events = ask("/api/analyse", game="hearts", position=state.to_text())
    assert "still to be passed" in of(events, "note")[0]["message"]


def test_a_round_is_reviewed_decision_by_decision(panel):
    state = hearts.Round.deal(rng=3, passing="left")
    while not state.is_over:
        state = state.play(state.ask("random"))
    events = panel("hearts", "review", state, playouts=20)
    decisions = of(events, "decision")
    replayed, plies = hearts.Round(state.dealt, state.rules, state.passing, state.passed, (), state.seed), []
    for ply, card in enumerate(state.played):
        if len(replayed.legal_moves()) > 1:
            plies.append(ply)
            decision = decisions[len(plies) - 1]
            assert (decision["seat"], decision["played"]) == (replayed.to_move, card)
            assert decision["position"] == replayed.to_text()
            assert decision["options"][0]["move"] == decision["best"]
            assert {one["move"] for one in decision["options"]} == set(replayed.legal_moves())
        replayed = replayed.play(card)
    assert [decision["ply"] for decision in decisions] == plies
    assert all(decision["cost"] >= 0 for decision in decisions)
    order = events[-1][1]["order"]
    costs = [decisions[number - 1]["cost"] for number in order]
    assert costs == sorted(costs, reverse=True)
    assert len(order) == len(decisions)
    mine = of(panel("hearts", "review", state, 1, playouts=5), "decision")
    assert {decision["seat"] for decision in mine} == {1}


def test_advice_on_passing(panel):
    state = hearts.Round.deal(rng=5, passing="across", passer=None)
    events = panel("hearts", "passing", state, 1, playouts=20)
    last = of(events, "candidates")[-1]
    for one in last["candidates"]:
        assert one["move"] == "-".join(one["cards"])
        assert set(one["cards"]) <= set(state.hands[1])
        state.pass_cards(1, one["cards"])
    most = max(one["playouts"] for one in last["candidates"])
    front = [one["mean"] for one in last["candidates"] if one["playouts"] == most]
    assert front == sorted(front)
    assert last["greedy"] == "-".join(state.ask_pass(1, "greedy"))
