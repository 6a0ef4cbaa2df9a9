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


def tab_to(page, selector, most=60):
    """Go by Tab until an element of this kind has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by keyboard")


@pytest.mark.parametrize("game", [*STARTS, pytest.param("hearts", marks=pytest.mark.nightly)])
def test_to_the_end_by_keyboard(explorer, game):
    text, rules = STARTS.get(game, HEARTS), LIBRARIES[game].Position if game in STARTS else hearts.Round
    position = rules.from_text(text)
    page = explorer.open(game, text, seat="all").page
    while not position.is_over:
        explorer.wait_board()
        tab_to(page, "gc-board [data-move]")
        moves = page.evaluate("document.activeElement.dataset.move").split()
        page.keyboard.press("Enter")
        if len(moves) > 1:
            tab_to(page, f'gc-board [data-move~="{moves[0]}"]:not(.chosen)')
            page.keyboard.press("Enter")
        position = follow(position.play(moves[0]))
        explorer.wait_position(position.to_text())
    assert explorer.over
    explorer.wait_board()  # the focus has not fallen out of the page: back and forward go on from there
    page.keyboard.press("ArrowLeft")
    explorer.wait_other(position.to_text())
    page.keyboard.press("ArrowRight")
    explorer.wait_position(position.to_text())


def test_arrow_keys_go_from_part_to_part(explorer):
    page = explorer.open("hexapawn", "4/pp1p/1P2/P1PP:w").page
    tab_to(page, 'gc-board [aria-label^="a1 "]')
    for key, square in (("Right", "c1"), ("Up", "c2"), ("Left", "b2"), ("Left", "a2"), ("Down", "a1"), ("Left", "a1")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(square)
    assert explorer.position == "4/pp1p/1P2/P1PP:w"  # at the edge, no move is taken back


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


def test_back_and_forward_and_a_tree_of_the_moves_tried(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
    assert not page.locator("gc-move-tree").is_visible()  # nothing was tried yet
    explorer.press_board("HA")
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    page.keyboard.press("ArrowLeft")
    explorer.wait_position(STARTS["duel"])
    explorer.press_board("DQ")
    explorer.wait_position("H2HA:H3D6S3:B:DQ")
    assert explorer.tree == ["start", "♥A", "♦Q"]
    page.get_by_role("treeitem").nth(1).click()
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    page.get_by_role("treeitem").nth(1).focus()
    page.keyboard.press("ArrowDown")  # the other move tried
    explorer.wait_position("H2HA:H3D6S3:B:DQ")
    page.keyboard.press("Home")
    explorer.wait_position(STARTS["duel"])
    page.keyboard.press("ArrowRight")
    explorer.wait_position("H2HA:H3D6S3:B:DQ")


def test_a_wrong_move_shows_its_cost_and_the_refutation(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
    explorer.finish()
    page.locator('gc-board [data-move="DQ"]').hover()  # pointing at a move shows its line
    assert "♦Q: loses 3 points" in page.locator(".detail").inner_text()
    assert page.locator(".detail").get_by_role("button").all_inner_texts()[:2] == ["♦Q", "♦6"]
    explorer.press_board("DQ")
    mistake = page.locator("gc-mistake")
    mistake.wait_for()
    assert "costs 12 points" in mistake.inner_text()
    assert "Best was ♥A" in mistake.inner_text()
    mistake.get_by_role("button", name="refutation").click()
    explorer.wait("new RegExp('&moves=DQ,D6').test(location.hash)")
    line = explorer.fragment.split("&moves=")[1].split("&")[0].split(",")
    position = LIBRARIES["duel"].Position.from_text(STARTS["duel"]).play(line[0])
    for move in line[1:]:
        position = position.play(move)
        explorer.wait_position(position.to_text())
        page.keyboard.press("ArrowRight")
    assert position.is_over
    assert "Bob wins 3 points" in page.locator(".turn-text").inner_text()


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


@pytest.mark.parametrize("player", ["solver", "greedy"])
def test_a_side_played_by_the_computer(explorer, player):
    page = explorer.open("rows", "optimal:me:0:0:5,7,9,1").page
    side = page.locator('[data-name="side-opponent"]')
    side.select_option(player)
    explorer.press_board("L")
    two = "document.querySelector('.notation').textContent.split(',').length === 2"
    explorer.wait(two)
    page.keyboard.press("ArrowLeft")  # stepping back does not make it play again
    page.wait_for_timeout(700)
    assert not page.evaluate(two)
    explorer.button("Let the computer move").click()
    explorer.wait(two)
    explorer.open("rows", STARTS["rows"])
    side = page.locator("gc-players .field", has_text="opponent").locator("select")
    assert (side.inner_text(), side.is_disabled()) == ("moves as the rules say", True)


@pytest.mark.parametrize("finished", [True, False])
def test_a_mistake_against_the_computer_stays_until_the_next_move(explorer, finished):
    page = explorer.open("duel", STARTS["duel"]).page
    page.locator('[data-name="side-Bob"]').select_option("solver")
    if finished:
        explorer.finish()
    explorer.press_board("DQ")
    explorer.wait_position("H2HA:H3S3:A:D6")
    mistake = page.locator("gc-mistake")
    mistake.get_by_text("costs 12 points: from winning 9 to losing 3").wait_for()
    mistake.locator(".refutation").wait_for()
    assert "Best was ♥A" in mistake.inner_text()
    assert mistake.locator(".line button").all_inner_texts()[:2] == ["♦Q", "♦6"]
    explorer.press_board("pass")
    explorer.wait("document.querySelector('.notation').textContent !== 'H2HA:H3S3:A:D6'")
    assert not mistake.is_visible()


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


def test_of_one_seat_only_what_led_here_stays_in_the_tree(explorer):
    page = explorer.open("hearts", HEARTS, ["C2", "C4", "C5", "C3"], at=2, seat="all").page
    before = explorer.position
    page.get_by_label("Seen by").select_option("0")
    explorer.wait_other(before)
    assert explorer.tree == ["start", "♣2", "♣4"]
    assert "C5" not in explorer.fragment.split("moves=")[1]
    page.get_by_label("Seen by").select_option("all")
    explorer.wait_position(before)
