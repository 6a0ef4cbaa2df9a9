"""Each game played to its end by mouse and by keyboard; what is shown equals what the library says."""

import contextlib
import json

import pytest
from explore.answers import hidden, leaks
from explore.browser import HEARTS, LIBRARIES, STARTS

from gamecore import hearts


def follow(position):
    """The position after the moves of an opponent in rows that follows a rule: the page plays them."""
    while getattr(position, "opponent", None) == "greedy" and position.to_move == "opponent" and not position.is_over:
        position = position.play(position.legal_moves()[0])
    return position


@pytest.mark.parametrize("game", STARTS)
def test_to_the_end_by_mouse_with_the_librarys_values(explorer, game):
    position = LIBRARIES[game].Position.from_text(STARTS[game])
    explorer.open(game, STARTS[game])
    while not position.is_over:
        assert explorer.finish() == "exact"
        analysis = LIBRARIES[game].analyse(position)
        shown = explorer.values()
        assert list(shown) == [entry.move for entry in analysis]
        assert [value for value, _ in shown.values()] == [str(entry).rsplit(" ", 1)[1] for entry in analysis]
        assert tuple(move for move, (_, cost) in shown.items() if cost == "best") == analysis.best_moves
        rows = explorer.page.locator("gc-move-list tbody tr").count()
        assert rows == len(set(shown.values()))  # equal moves stand in one row
        assert explorer.badges() == {move: value for move, (value, _) in shown.items()}
        explorer.press_board(analysis[-1].move)
        position = follow(position.play(analysis[-1].move))
        explorer.wait_position(position.to_text())
    assert explorer.over
    assert explorer.values() == {}


@pytest.mark.parametrize("game", [*STARTS, pytest.param("hearts", marks=pytest.mark.nightly)])
def test_to_the_end_by_keyboard(explorer, game):
    text, rules = STARTS.get(game, HEARTS), LIBRARIES[game].Position if game in STARTS else hearts.Round
    position = rules.from_text(text)
    page = explorer.open(game, text, seat="all").page
    while not position.is_over:
        explorer.wait_board()
        explorer.tab_to("gc-board [data-move]")
        moves = page.evaluate("document.activeElement.dataset.move").split()
        page.keyboard.press("Enter")
        if len(moves) > 1:
            explorer.tab_to(f'gc-board [data-move~="{moves[0]}"]:not(.chosen)')
            page.keyboard.press("Enter")
        position = follow(position.play(moves[0]))
        explorer.wait_position(position.to_text())
    assert explorer.over
    explorer.wait_board()  # the focus has not fallen out of the page: back and forward go on from there
    page.keyboard.press("ArrowLeft")
    explorer.wait_other(position.to_text())
    page.keyboard.press("ArrowRight")
    explorer.wait_position(position.to_text())


def test_by_touch_and_by_dragging(tab):
    explorer = tab(width=360, has_touch=True)
    page = explorer.open("hexapawn", "3/ppp/3/PPP/3:w").page
    page.locator('gc-board [aria-label^="a3 "]').tap()
    explorer.wait_position("3/ppp/P2/1PP/3:b")
    explorer.wait_board()
    places = page.locator("gc-board .last").evaluate_all("all => all.map(one => one.dataset.place)")
    assert sorted(places) == ["a2", "a3"]
    b4 = page.locator('gc-board [aria-label^="b4 "]')
    b4.tap()
    assert page.locator(".goal").count() == 2
    b4.tap()
    assert page.locator(".goal, .chosen").count() == 0
    b4.drag_to(page.locator('gc-board [aria-label^="a3 "]'))
    explorer.wait_position("3/p1p/p2/1PP/3:w")
    page = explorer.open("duel", STARTS["duel"]).page
    page.locator('gc-board [data-move="HA"]').drag_to(
        page.locator("gc-board svg"), target_position={"x": 200, "y": 170}
    )
    explorer.wait_position("DQH2:H3D6S3:B:HA")


def test_a_history_that_an_address_brings_is_judged_once(explorer):
    page, asked = explorer.page, []
    page.on("request", lambda one: "/api/refute" in one.url and asked.append(one.post_data_json["move"]))
    explorer.open("duel", STARTS["duel"], ["DQ"])
    page.locator("gc-mistake").get_by_text("costs 12 points").wait_for()
    explorer.open("duel", STARTS["duel"], ["DQ", "D6", "pass", "S3", "pass", "H3"])
    summary = page.locator("gc-summary")
    summary.get_by_text("Alice: 1 mistake, 12 points lost.").wait_for()
    assert "Bob: no mistakes." in summary.inner_text()
    said = "1. ♦Q costs 12 points: from winning 9 to losing 3, because of the answer ♦6. Best was ♥A."
    assert said in summary.inner_text()
    summary.get_by_role("button").click()
    explorer.wait_position(STARTS["duel"])
    asked.clear()
    position = LIBRARIES["hexapawn"].Position.from_text("ppp/3/PPP:w").play("a1-a2").play("b3xa2").play("b1-b2")
    explorer.open("hexapawn", position.to_text(), ["a2-a1"])
    summary.get_by_text("Black: no mistakes.").wait_for()
    assert asked == ["a2-a1"]  # the summary and the box for a mistake both want it


# --- hearts ----------------------------------------------------------------------------------------------------------


def test_hearts_values_with_open_hands_are_the_librarys(explorer):
    position = hearts.Round.from_text(HEARTS)
    while len(position.legal_moves()) == 1 or len(position.hands[position.to_move]) > 4:
        position = position.play(position.legal_moves()[0])
    explorer.open("hearts", position.to_text(), seat="all")
    assert explorer.finish() == "exact"
    values = {move: -float(value) for move, (value, _) in explorer.values().items()}
    assert values == {entry.move: entry.value for entry in hearts.analyse(position)}


def shown(page):
    """All of the page, its address included."""
    return page.evaluate(
        """() => {
          const fields = [...document.querySelectorAll("input, textarea, select")].map((one) => one.value);
          return [document.documentElement.outerHTML, location.href, ...fields].join("\\n");
        }"""
    )


def sent(answers):
    """What the server has sent, event by event."""
    from playwright.sync_api import Error

    for answer in answers:
        with contextlib.suppress(Error):  # of a stream that the page ended
            for line in answer.text().splitlines():
                if line.startswith(("{", "data: ")):
                    yield json.loads(line.removeprefix("data: "))


def test_one_seat_is_shown_and_sent_nothing_of_the_other_hands(explorer):
    """A round is played from a seat, its passes too; then everything is copied."""
    page, answers = explorer.page, []
    page.on("response", lambda answer: "/api/" in answer.url.replace("/api/hello", "") and answers.append(answer))
    state = hearts.Round.from_text(HEARTS.replace(":hold:", ":left:"))
    explorer.open("hearts", state.to_text(), seat=0)
    secrets = hidden(state, 0)
    for card in ("queen of diamonds", "king of hearts", "ace of hearts"):
        explorer.button(card).click()
    explorer.button("queen of diamonds, king of hearts", exact=False).click()
    state = state.play("DQ-HK-HA")
    while state.passing_seats or state.to_move != 0:
        state = state.play(state.ask("greedy"))
    explorer.wait("count => document.querySelectorAll('[role=treeitem]').length === count", 5 + len(state.played))
    page.get_by_text("one seat cannot know what its moves are worth").wait_for()
    moves = ["♦Q ♥K ♥A", *["a hidden move"] * 3]
    assert explorer.tree[1:5] == moves
    for name in ("Set up", "Share"):
        explorer.tool(name).locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    secrets = hidden(state, 0)
    for name in ("Link", "Notation", "Python", "Command"):
        explorer.button(name).click()
        explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
        assert not leaks(shown(page), secrets, ("page",))
    page.reload()  # the address has it all
    page.wait_for_selector("gc-board [data-move]")
    assert explorer.tree[1:5] == moves
    assert not leaks(shown(page), secrets, ("page",))
    assert len(answers) > 10
    assert not leaks(list(sent(answers)), secrets)
    page.get_by_label("Seen by").select_option("all")  # the checks above see what open hands show
    explorer.wait("document.querySelector('.notation').textContent.startsWith('std:')")
    assert leaks(shown(page), secrets, ("page",))
    assert leaks(list(sent(answers)), secrets)
