"""Each game played to its end by mouse and by keyboard; what is shown equals what the library says."""

import contextlib
import json

import pytest
from explore.answers import hidden, leaks
from explore.browser import LIBRARIES

from gamecore import games, hearts, hexapawn
from gamecore.apps.explore._screen import screen_of

STARTS = {"duel": "DQH2HA:H3D6S3:A:-", "hexapawn": "5/pp1pp/PPp2/3P1/4P:w", "rows": "greedy:me:0:0:5,7,9,1,4,2"}


@pytest.mark.parametrize("game", STARTS)
def test_to_the_end_by_mouse_with_the_librarys_values(explorer, game):
    library = LIBRARIES[game]
    position = library.Position.from_text(STARTS[game])
    explorer.open(game, STARTS[game])
    while not position.is_over:
        assert explorer.finish() == "finished"
        analysis = library.analyse(position)
        shown = explorer.values()
        assert list(shown) == [entry.move for entry in analysis]
        assert [value for value, _ in shown.values()] == [str(entry).rsplit(" ", 1)[1] for entry in analysis]
        best = [move for move, (_, cost) in shown.items() if cost == "best"]
        assert tuple(best) == analysis.best_moves
        assert explorer.badges() == {move: value for move, (value, _) in shown.items()}
        move = analysis[-1].move
        explorer.press_board(move)
        position = follow(position.play(move))
        explorer.wait_position(position.to_text())
    assert explorer.over
    assert explorer.values() == {}


def follow(position):
    """The position after the moves of an opponent in rows that follows a rule: the page plays them."""
    while getattr(position, "opponent", None) == "greedy" and position.to_move == "opponent" and not position.is_over:
        position = position.play(position.legal_moves()[0])
    return position


def tab_to(page, selector, most=60):
    """Go by Tab until an element of this kind has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by keyboard")


@pytest.mark.parametrize("game", STARTS)
def test_to_the_end_by_keyboard(explorer, game):
    position = LIBRARIES[game].Position.from_text(STARTS[game])
    page = explorer.open(game, STARTS[game]).page
    while not position.is_over:
        explorer.wait_board()
        tab_to(page, ".board [data-move]")
        moves = page.evaluate("document.activeElement.dataset.move").split()
        move = moves[0]
        page.keyboard.press("Enter")
        if len(moves) > 1:
            tab_to(page, f'.board [data-move~="{move}"]:not(.chosen)')
            page.keyboard.press("Enter")
        position = follow(position.play(move))
        explorer.wait_position(position.to_text())
    assert explorer.over
    # the focus has not fallen out of the page: back and forward go on from there
    explorer.wait_board()
    page.keyboard.press("ArrowLeft")
    explorer.wait_other(position.to_text())
    page.keyboard.press("ArrowRight")
    explorer.wait_position(position.to_text())


def test_arrow_keys_go_from_part_to_part(explorer):
    page = explorer.open("hexapawn", "4/pp1p/1P2/P1PP:w").page
    tab_to(page, '.board [aria-label^="a1 "]')
    for key, square in (("Right", "c1"), ("Up", "c2"), ("Left", "b2"), ("Left", "a2"), ("Down", "a1")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(square)
    page.keyboard.press("ArrowLeft")  # at the edge: it stays, and no move is taken back
    assert explorer.position == "4/pp1p/1P2/P1PP:w"


def test_hexapawn_by_touch_and_by_dragging(tab):
    explorer = tab(width=360, has_touch=True)
    page = explorer.open("hexapawn", "3/ppp/3/PPP/3:w").page
    page.locator('.board [aria-label^="a3 "]').tap()
    explorer.wait_position("3/ppp/P2/1PP/3:b")
    page.locator('.board [aria-label^="b4 "]').tap()
    assert page.locator(".goal").count() == 2
    page.locator('.board [aria-label^="b4 "]').tap()
    assert page.locator(".goal, .chosen").count() == 0
    page.locator('.board [aria-label^="b4 "]').drag_to(page.locator('.board [aria-label^="a3 "]'))
    explorer.wait_position("3/p1p/p2/1PP/3:w")


def test_a_card_is_dragged_onto_the_table(explorer):
    explorer.open("duel", STARTS["duel"])
    card = explorer.page.locator('.board [data-move="HA"]')
    card.drag_to(explorer.page.locator(".board svg"), target_position={"x": 300, "y": 170})
    explorer.wait_position("DQH2:H3D6S3:B:HA")


HEARTS = (
    "std:hold:C4CTD3D4DTDJDQS6S8H2H6HKHA.C5C6C7C9CQD2D9S2S5S7SAH4HJ.C3C8CJCKCAD5D7D8DKS3S4H9HT.C2D6DAS9STSJSQSKH3H5H7H8HQ"
    ":-:-:7"
)


@pytest.mark.nightly
@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_hearts_to_the_end(explorer, way):
    position = hearts.Round.from_text(HEARTS)
    while len(position.played) < 30:
        position = position.play(position.legal_moves()[0])
    page = explorer.open("hearts", position.to_text(), seat="all").page
    while not position.is_over:
        if way == "mouse":
            move = position.legal_moves()[0]
            explorer.press_board(move)
        else:
            explorer.wait_board()
            tab_to(page, ".board [data-move]")
            move = page.evaluate("document.activeElement.dataset.move")
            page.keyboard.press("Enter")
        position = position.play(move)
        explorer.wait_position(position.to_text())
    assert explorer.over


def test_hearts_values_with_open_hands_are_the_librarys(explorer):
    position = hearts.Round.from_text(HEARTS)
    while len(position.legal_moves()) == 1 or len(position.hands[position.to_move]) > 4:
        position = position.play(position.legal_moves()[0])
    explorer.open("hearts", position.to_text(), seat="all")
    assert explorer.finish() == "finished"
    shown = explorer.values()
    for entry in hearts.analyse(position):
        assert float(shown[entry.move][0]) == -entry.value


def test_one_seat_sees_one_hand_and_the_others_play(explorer):
    page = explorer.open("hearts", HEARTS, seat=3).page
    explorer.press_board("C2")
    explorer.wait("document.querySelectorAll('[role=treeitem]').length > 2")  # the others have played
    page.wait_for_selector(".board [data-move]")
    page.get_by_text("one seat cannot know what its moves are worth").wait_for()


@pytest.mark.parametrize("player", ["search:160", "linear"])
def test_seats_are_played_by_what_was_learned(explorer, player):
    position = hearts.Round.from_text(HEARTS)
    page = explorer.open("hearts", HEARTS, seat="all").page
    seat = page.locator(f'[data-name="side-{position.to_move}"]')
    names = seat.locator("option").all_inner_texts()
    titles = ["You", "Search", "Linear", "Solver", "Pimc", "Greedy", "Duck", "Random"]
    assert [name.split(":")[0] for name in names] == titles
    seat.select_option(player.partition(":")[0])
    explorer.wait_position(position.play(position.ask(player)).to_text())


def pass_three(page):
    for card in ("queen of diamonds", "king of hearts", "ace of hearts"):
        page.get_by_role("button", name=card, exact=True).click()
    page.get_by_role("button", name="queen of diamonds, king of hearts").click()


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


@pytest.mark.parametrize("planted", [False, True], ids=["", "planted: requests lose their seat"])
def test_one_seat_is_shown_and_sent_nothing_of_the_other_hands(explorer, planted):
    """A round is played from a seat, its passes too; then everything is copied."""
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
    pass_three(page)
    state = state.play("DQ-HK-HA")
    while state.passing_seats or state.to_move != 0:
        state = state.play(state.ask("greedy"))
    explorer.wait("count => document.querySelectorAll('[role=treeitem]').length === count", 5 + len(state.played))
    moves = ["♦Q ♥K ♥A", *["a hidden move"] * 3]
    assert page.get_by_role("treeitem").all_inner_texts()[1:5] == moves
    for name in ("Set up", "Share"):
        explorer.tool(name).locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    explorer.finish()
    secrets = hidden(state, 0)
    assert not leaks(shown(page), secrets, ("page",))
    for name in ("Link", "Notation", "Text", "Python", "Command"):
        page.get_by_role("button", name=name, exact=True).click()
        explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
        assert not leaks(shown(page), secrets, ("page",))
    page.reload()  # the address has it all
    page.wait_for_selector(".board [data-move]")
    assert page.get_by_role("treeitem").all_inner_texts()[1:5] == moves
    assert not leaks(shown(page), secrets, ("page",))
    assert len(answers) > 10
    assert not leaks(list(sent(answers)), secrets)


def test_of_one_seat_only_what_led_here_stays_in_the_tree(explorer):
    page = explorer.open("hearts", HEARTS, ["C2", "C4", "C5", "C3"], at=2, seat="all").page
    before = explorer.position
    page.get_by_label("Seen by").select_option("0")
    explorer.wait_other(before)
    assert page.get_by_role("treeitem").all_inner_texts() == ["start", "♣2", "♣4"]
    assert "C5" not in explorer.fragment.split("moves=")[1]
    page.get_by_label("Seen by").select_option("all")
    explorer.wait_position(before)


def test_back_and_forward_and_a_tree_of_the_moves_tried(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
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


def test_a_mistake_is_named_where_an_address_leads_behind_it(explorer):
    for move, wrong in (("DQ", True), ("HA", False)):
        explorer.open("duel", STARTS["duel"], [move])
        explorer.finish()
        mistake = explorer.page.locator("gc-mistake")
        explorer.wait("wrong => document.querySelector('gc-mistake').hidden !== wrong", wrong)
        assert ("costs 12 points" in mistake.inner_text()) is wrong


def test_a_move_is_judged_once(explorer):
    asked = []
    explorer.page.on("request", lambda one: "/api/refute" in one.url and asked.append(one.post_data_json["move"]))
    position = LIBRARIES["hexapawn"].Position.from_text("ppp/3/PPP:w").play("a1-a2").play("b3xa2").play("b1-b2")
    explorer.open("hexapawn", position.to_text(), ["a2-a1"])
    explorer.page.locator("gc-summary").get_by_text("Black: no mistakes.").wait_for()
    assert asked == ["a2-a1"]  # the summary and the box for a mistake both want it


def test_a_long_row_fades_where_more_of_it_is(explorer):
    explorer.open("rows", "optimal:me:0:0:" + ",".join(map(str, range(60))))
    frame = explorer.page.locator("gc-board .scroller")
    assert frame.get_attribute("class") == "scroller more-right"
    frame.evaluate("frame => frame.scrollTo(frame.scrollWidth, 0)")
    explorer.wait("document.querySelector('gc-board .scroller').className === 'scroller more-left'")
    explorer.open("rows", STARTS["rows"])
    assert frame.get_attribute("class") == "scroller"


def test_pointing_at_a_move_shows_its_line(explorer):
    explorer.open("duel", STARTS["duel"])
    explorer.finish()
    page = explorer.page
    page.locator('.board [data-move="DQ"]').hover()
    detail = page.locator(".detail")
    assert "♦Q: loses 3 points" in detail.inner_text()
    assert detail.get_by_role("button").all_inner_texts()[:2] == ["♦Q", "♦6"]


@pytest.mark.parametrize("player", ["solver", "greedy", pytest.param("random", marks=pytest.mark.nightly)])
def test_a_side_played_by_the_computer(explorer, player):
    page = explorer.open("rows", "optimal:me:0:0:5,7,9,1").page
    page.locator('[data-name="side-opponent"]').select_option(player)
    explorer.press_board("L")
    two = "document.querySelector('.notation').textContent.split(',').length === 2"
    explorer.wait(two)
    page.keyboard.press("ArrowLeft")  # stepping back does not make it play again
    page.get_by_role("button", name="Let the computer move").click()
    explorer.wait(two)


def test_the_summary_says_what_each_mistake_cost(explorer):
    explorer.open("duel", STARTS["duel"], ["DQ", "D6", "pass", "S3", "pass", "H3"])
    summary = explorer.page.locator("gc-summary")
    summary.get_by_text("Alice: 1 mistake, 12 points lost.").wait_for()
    text = summary.inner_text()
    assert "Bob: no mistakes." in text
    assert "1. ♦Q costs 12 points: from winning 9 to losing 3, because of the answer ♦6. Best was ♥A." in text
    summary.get_by_role("button").click()
    explorer.wait_position(STARTS["duel"])


def test_a_puzzle_has_one_best_move(explorer):
    explorer.open("hexapawn", STARTS["hexapawn"])
    explorer.page.get_by_role("button", name="Puzzle").click()
    position = explorer.wait_other(STARTS["hexapawn"])
    assert "Puzzle: " in explorer.page.locator(".message").inner_text()
    assert {value for value, _ in explorer.values().values()} == {"hidden"}
    (best,) = hexapawn.analyse(hexapawn.Position.from_text(position)).best_moves
    explorer.press_board(best)
    explorer.page.get_by_text("1 of 1 best").wait_for()


def test_equal_moves_stand_in_one_row_and_the_last_move_is_marked(explorer):
    explorer.open("hexapawn", "5/pp1pp/PPp2/3P1/4P:w", ["d2-d3"])
    places = explorer.page.locator(".board .last").evaluate_all("all => all.map(one => one.dataset.place)")
    assert sorted(places) == ["d2", "d3"]
    explorer.finish()
    values = explorer.values()
    rows = explorer.page.locator("gc-move-list tbody tr").count()
    assert rows == len(set(values.values())) < len(values)


def test_a_side_that_follows_a_rule_is_no_player(explorer):
    side = explorer.page.locator("gc-players .field", has_text="opponent").locator("select")
    for notation, says in (("greedy:me:0:0:5,7,9,1", "moves as the rules say"), ("optimal:me:0:0:5,7,9,1", "You")):
        explorer.open("rows", notation)
        assert (side.evaluate("one => one.selectedOptions[0].textContent"), side.is_disabled()) == (says, says != "You")


def test_a_preset_of_hearts_has_its_rules():
    for preset in screen_of(games()["hearts"]).presets.values():
        made = games()["hearts"].random(rng=1, **{"plies": 0, **preset})
        assert made.rules.jack_of_diamonds == ("jack" in preset.get("variant", ""))
        assert made.rules.moon == {"no moon": "none", "the shooter of the moon gets -26": "shooter"}.get(
            preset.get("variant"), "others"
        )
