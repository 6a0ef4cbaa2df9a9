"""Each game played to its end by mouse and by keyboard; what is shown equals what the library says."""

import contextlib
import json

import pytest
from explore.answers import hidden, leaks
from explore.browser import LIBRARIES
from playwright.sync_api import Error

STARTS = {
    "duel": "DQH2HA:H3D6S3:A:-",
    "hexapawn": "5/pp1pp/PPp2/3P1/4P:w",
    "rows": "greedy:me:0:0:5,7,9,1,4,2",
}


def squares(move):
    return move.replace("x", "-").split("-")


def press_squares(explorer, move):
    """A move of Hexapawn: a press on the pawn, one on the square."""
    for square in squares(move):
        explorer.page.locator(f'[data-square="{square}"]').click()


@pytest.mark.parametrize("game", STARTS)
def test_to_the_end_by_mouse_with_the_librarys_values(explorer, game):
    library = LIBRARIES[game]
    position = library.Position.from_text(STARTS[game])
    explorer.open(game, STARTS[game])
    while not position.is_over:
        assert explorer.finish() == "exact"
        analysis = library.analyse(position)
        shown = explorer.values()
        assert list(shown) == [entry.move for entry in analysis]
        assert [value for value, _ in shown.values()] == [str(entry).rsplit(" ", 1)[1] for entry in analysis]
        best = [move for move, (_, cost) in shown.items() if cost == "best"]
        assert tuple(best) == analysis.best_moves
        assert explorer.badges() == {move: value for move, (value, _) in shown.items()}
        move = analysis[-1].move
        if game == "hexapawn":
            press_squares(explorer, move)
        else:
            explorer.press_board(move)
        position = position.play(move)
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


@pytest.mark.parametrize("game", ["duel", "rows"])
def test_to_the_end_by_keyboard(explorer, game):
    position = LIBRARIES[game].Position.from_text(STARTS[game])
    explorer.open(game, STARTS[game])
    page = explorer.page
    while not position.is_over:
        tab_to(page, ".board [data-play]")
        move = page.evaluate("document.activeElement.dataset.play")
        page.keyboard.press("Enter")
        position = position.play(move)
        explorer.wait_position(position.to_text())
    assert explorer.over
    # the focus has not fallen out of the page: back and forward go on from there
    page.keyboard.press("ArrowLeft")
    explorer.wait_other(position.to_text())
    page.keyboard.press("ArrowRight")
    explorer.wait_position(position.to_text())


def go(page, start, goal):
    """From square to square by arrow keys."""
    columns, rows = ord(goal[0]) - ord(start[0]), int(goal[1:]) - int(start[1:])
    for key, count in (("ArrowRight", columns), ("ArrowLeft", -columns), ("ArrowUp", rows), ("ArrowDown", -rows)):
        for _ in range(count):
            page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.square") == goal


def test_hexapawn_to_the_end_by_keyboard(explorer):
    position = LIBRARIES["hexapawn"].Position.from_text("4/pp1p/1P2/P1PP:w")
    explorer.open("hexapawn", position.to_text())
    page = explorer.page
    tab_to(page, "[data-square]")
    while not position.is_over:
        move = position.legal_moves()[-1]
        start, end = squares(move)
        go(page, page.evaluate("document.activeElement.dataset.square"), start)
        page.keyboard.press("Enter")
        go(page, start, end)
        page.keyboard.press("Enter")
        position = position.play(move)
        explorer.wait_position(position.to_text())
    assert explorer.over


def test_hexapawn_by_touch_and_by_dragging(tab):
    explorer = tab(width=360, has_touch=True)
    explorer.open("hexapawn", "3/ppp/3/PPP/3:w")
    page = explorer.page
    page.locator('[data-square="a2"]').tap()
    page.locator('[data-square="a3"]').tap()
    explorer.wait_position("3/ppp/P2/1PP/3:b")
    page.locator('[data-square="b4"]').drag_to(page.locator('[data-square="a3"]'))
    explorer.wait_position("3/p1p/p2/1PP/3:w")


HEARTS = (
    "std:hold:C4CTD3D4DTDJDQS6S8H2H6HKHA.C5C6C7C9CQD2D9S2S5S7SAH4HJ.C3C8CJCKCAD5D7D8DKS3S4H9HT.C2D6DAS9STSJSQSKH3H5H7H8HQ"
    ":-:-:7"
)


@pytest.mark.parametrize("way", [pytest.param("mouse", marks=pytest.mark.nightly), "keyboard"])
def test_hearts_to_the_end(explorer, way):
    from gamecore import hearts

    position = hearts.Round.from_text(HEARTS)
    while len(position.played) < 30:
        position = position.play(position.legal_moves()[0])
    explorer.open("hearts", position.to_text(), seat="all")
    page = explorer.page
    while not position.is_over:
        if way == "mouse":
            move = position.legal_moves()[0]
            explorer.press_board(move)
        else:
            tab_to(page, ".board [data-play]")
            move = page.evaluate("document.activeElement.dataset.play")
            page.keyboard.press("Enter")
        position = position.play(move)
        explorer.wait_position(position.to_text())
    assert explorer.over


def test_hearts_values_with_open_hands_are_the_librarys(explorer):
    from gamecore import hearts

    position = hearts.Round.from_text(HEARTS)
    while len(position.legal_moves()) == 1 or len(position.hands[position.to_move]) > 4:
        position = position.play(position.legal_moves()[0])
    explorer.open("hearts", position.to_text(), seat="all")
    assert explorer.finish() == "exact"
    shown = explorer.values()
    for entry in hearts.analyse(position):
        assert float(shown[entry.move][0]) == -entry.value


def test_one_seat_sees_one_hand_and_the_others_play(explorer):
    explorer.open("hearts", HEARTS, seat=3)
    page = explorer.page
    assert page.locator(".seat .cards:not(.hidden-hand)").count() == 1
    explorer.press_board("C2")
    explorer.wait("document.querySelectorAll('.board .trick li').length === 4 || document.querySelector('.last-trick')")
    page.wait_for_selector(".board .seat.south .playable")
    page.wait_for_selector(".outlook .histogram .bar")
    page.get_by_text("Who may hold what").click()
    page.wait_for_selector(".marginals td")
    seen = 4 + page.locator(".board .trick li").count() + page.locator(".seat.south .card").count()
    assert page.locator(".marginals tbody tr").count() == 52 - seen


@pytest.mark.parametrize("player", ["search:160", "linear"])
def test_seats_are_played_by_what_was_learned(explorer, player):
    from gamecore import hearts

    position = hearts.Round.from_text(HEARTS)
    explorer.open("hearts", HEARTS, seat="all")
    page = explorer.page
    seat = page.locator(f'[data-name="side-{position.to_move}"]')
    names = seat.locator("option").all_inner_texts()
    assert names == ["You", "Search", "Linear", "Solver", "Pimc", "Greedy", "Duck", "Random"]
    seat.select_option(player.partition(":")[0])
    explorer.wait_position(position.play(position.ask(player)).to_text())


def test_three_cards_are_passed(explorer):
    explorer.open("hearts", HEARTS.replace(":hold:", ":left:"), seat=0)
    page = explorer.page
    for card in ("DQ", "HK", "HA"):
        page.locator(f'[data-pick="{card}"]').click()
    page.get_by_role("button", name="Pass these three left").click()
    explorer.wait("!document.querySelector('[data-pick]')")
    assert page.get_by_role("treeitem").all_inner_texts()[1] == "♦Q ♥K ♥A"


def shown(page):
    """All of the page but the chances of who holds what, its address included."""
    return page.evaluate(
        """() => {
          const page = document.documentElement.cloneNode(true);
          page.querySelectorAll("gc-hearts-marginals").forEach((one) => one.remove());
          const fields = [...document.querySelectorAll("input, textarea, select")].map((one) => one.value);
          return [page.outerHTML, document.body.innerText, location.href, ...fields].join("\\n");
        }"""
    )


def sent(answers):
    """What the server has sent, event by event."""
    for answer in answers:
        with contextlib.suppress(Error):  # of a stream that the page ended
            for line in answer.text().splitlines():
                if line.startswith(("{", "data: ")):
                    yield json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize("planted", [False, True], ids=["", "planted: requests lose their seat"])
def test_one_seat_is_shown_and_sent_nothing_of_the_other_hands(explorer, planted):
    """A round is played from a seat, its passes too; then everything is copied."""
    from gamecore import hearts

    page, answers = explorer.page, []
    page.on("response", lambda answer: "/api/" in answer.url.replace("/api/hello", "") and answers.append(answer))
    if planted:
        page.route(
            "**/api/position",
            lambda route: route.continue_(post_data=route.request.post_data.replace('"seat":0', '"seat":null')),
        )
    state = hearts.Round.from_text(HEARTS.replace(":hold:", ":left:"))
    explorer.open("hearts", state.to_text(), seat=0)
    secrets = hidden(state, 0)
    if planted:
        assert leaks(list(sent(answers)), secrets)
        assert leaks(shown(page), secrets, ("page",))
        return
    for card in ("DQ", "HK", "HA"):
        page.locator(f'[data-pick="{card}"]').click()
    page.get_by_role("button", name="Pass these three left").click()
    state = state.play("DQ-HK-HA")
    while state.passing_seats or state.to_move != 0:
        state = state.play(state.ask("greedy"))
    explorer.wait("count => document.querySelectorAll('[role=treeitem]').length === count", 5 + len(state.played))
    moves = ["♦Q ♥K ♥A", *["three cards"] * 3]
    assert page.get_by_role("treeitem").all_inner_texts()[1:5] == moves
    for summary in page.locator("summary").all():
        summary.click()
    explorer.finish()
    secrets = hidden(state, 0)
    assert not leaks(shown(page), secrets, ("page",))
    for name in ("Link", "Notation", "Text", "Python", "Command"):
        page.get_by_role("button", name=name, exact=True).click()
        explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
        assert not leaks(shown(page), secrets, ("page",))
    page.get_by_role("button", name="Review the round").click()
    explorer.wait("document.querySelector('gc-hearts-review .muted').textContent.includes('first')")
    page.reload()  # the address has it all
    page.wait_for_selector(".board .seat.south .playable")
    assert page.get_by_role("treeitem").all_inner_texts()[1:5] == moves
    assert not leaks(shown(page), secrets, ("page",))
    assert len(answers) > 10
    assert not leaks(list(sent(answers)), secrets)


def test_of_one_seat_only_what_led_here_stays_in_the_tree(explorer):
    explorer.open("hearts", HEARTS, ["C2", "C4", "C5", "C3"], at=2, seat="all")
    page = explorer.page
    before = explorer.position
    page.get_by_label("Seen by").select_option("0")
    explorer.wait_other(before)
    assert page.get_by_role("treeitem").all_inner_texts() == ["start", "♣2", "♣4"]
    assert "C5" not in explorer.fragment.split("moves=")[1]
    page.get_by_label("Seen by").select_option("all")
    explorer.wait_position(before)


def test_back_and_forward_and_a_tree_of_the_moves_tried(explorer):
    explorer.open("duel", STARTS["duel"])
    page = explorer.page
    explorer.press_board("HA")
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    page.keyboard.press("ArrowLeft")
    explorer.wait_position(STARTS["duel"])
    explorer.press_board("DQ")
    explorer.wait_position("H2HA:H3D6S3:B:DQ")
    tree = page.get_by_role("treeitem")
    assert tree.all_inner_texts() == ["start", "♥A", "♦Q"]
    tree.nth(1).click()
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    tree.nth(1).focus()
    page.keyboard.press("ArrowDown")  # the other move tried
    explorer.wait_position("H2HA:H3D6S3:B:DQ")
    page.keyboard.press("Home")
    explorer.wait_position(STARTS["duel"])
    page.keyboard.press("ArrowRight")
    explorer.wait_position("H2HA:H3D6S3:B:DQ")


def test_a_wrong_move_shows_its_cost_and_the_refutation(explorer):
    explorer.open("duel", STARTS["duel"])
    explorer.finish()
    explorer.press_board("DQ")
    page = explorer.page
    mistake = page.locator("gc-mistake")
    mistake.wait_for()
    assert "costs 12 points" in mistake.inner_text()
    assert "Best was ♥A" in mistake.inner_text()
    mistake.get_by_role("button", name="refutation").click()
    explorer.wait("new RegExp('&moves=DQ,D6').test(location.hash)")
    line = explorer.fragment.split("&moves=")[1].split("&")[0].split(",")
    position = LIBRARIES["duel"].Position.from_text(STARTS["duel"])
    for move in line[:2]:
        position = position.play(move)
    explorer.wait_position(position.to_text())
    for move in line[2:]:
        page.keyboard.press("ArrowRight")
        position = position.play(move)
        explorer.wait_position(position.to_text())
    assert position.is_over
    assert "Bob wins 3 points" in explorer.turn


def test_pointing_at_a_move_shows_its_line(explorer):
    explorer.open("duel", STARTS["duel"])
    explorer.finish()
    page = explorer.page
    page.locator('.board [data-play="DQ"]').hover()
    detail = page.locator(".detail")
    assert "♦Q: loses 3 points" in detail.inner_text()
    assert detail.get_by_role("button").all_inner_texts()[:2] == ["♦Q", "♦6"]


@pytest.mark.parametrize("player", ["solver", "greedy", pytest.param("random", marks=pytest.mark.nightly)])
def test_a_side_played_by_the_computer(explorer, player):
    explorer.open("rows", "greedy:me:0:0:5,7,9,1")
    page = explorer.page
    page.get_by_label("opponent", exact=True).select_option(player)
    explorer.press_board("L")
    explorer.wait("document.querySelectorAll('.tile').length === 2")
    page.keyboard.press("ArrowLeft")  # stepping back does not make it play again
    page.get_by_role("button", name="Let the computer move").click()
    explorer.wait("document.querySelectorAll('.tile').length === 2")
