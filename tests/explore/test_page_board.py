"""The list of moves, large cards, and the editor by clicks."""

import pytest
from explore.browser import HEARTS, STARTS

from gamecore import duel, hearts
from gamecore.hearts import Round

PILLS = "gc-move-list tbody tr"


def test_moves_that_are_not_known_yet_are_one_line_with_the_likely_ones_first(explorer):
    position = duel.random(n=26, plies=0, rng=3)
    page = explorer.open("duel", position.to_text()).page
    page.locator('.move[data-likely*="~+"]').first.wait_for()
    signs, rows = page.evaluate(
        """() => [[...document.querySelectorAll(".move")].map((one) => one.dataset.likely.trim()),
                  [...document.querySelectorAll("gc-move-list tbody tr")].map((one) => one.innerText)]"""
    )
    assert (len(signs), len(rows)) == (26, 1)
    assert rows[0].endswith("?\tnot known yet")
    order = ["~+", "", "~−"]
    assert signs == sorted(signs, key=order.index)
    likely = page.locator('.move[data-likely*="~+"]').first
    assert "likely wins" in likely.get_attribute("aria-label")
    assert "random playouts won" in likely.get_attribute("title")


def test_moves_are_numbered(explorer):
    page = explorer.open("duel", STARTS["duel"], ["HA", "H3", "H2", "pass"]).page
    items = page.get_by_role("treeitem")
    shown = items.evaluate_all("all => all.map(one => getComputedStyle(one, '::before').content)")
    assert [text.replace('"', "").replace(" ", "") for text in shown] == ["none", "1.", "2.", "3.", "4."]


def sides(page, selector):
    """The sizes of cards on the board."""
    return page.locator(selector).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )


CARD = "gc-board rect[fill='#fffdf7'][width]"


@pytest.mark.parametrize(("width", "least"), [(390, 65), (1280, 70)])
def test_small_hands_are_drawn_large(tab, width, least):
    explorer = tab(width=width)
    page = explorer.open("duel", STARTS["duel"]).page
    explorer.wait_board()
    assert min(one for one, _ in sides(page, CARD)) >= least
    assert page.locator("gc-board svg").evaluate("one => one.getBoundingClientRect().bottom") < 625


def test_a_trick_is_as_large_as_the_hand_and_the_third_card_to_pass_has_its_rim(tab):
    explorer = tab(width=390)
    state = Round.from_text(HEARTS)
    state = state.play("C2").play("C4")
    page = explorer.open("hearts", state.to_text(), seat="all").page
    explorer.wait_board()
    widths = [round(one) for one, _ in sides(page, CARD)]
    assert widths.count(max(widths)) == 2 + len(state.legal_moves())  # those of the trick and of the hand
    explorer.open("hearts", HEARTS.replace(":hold:", ":left:"), seat=0)
    names = ("queen of diamonds", "king of hearts", "ace of hearts")
    tops = {}
    for name in names:
        card = page.locator(f'gc-board [aria-label="{name}"]')
        tops[name] = card.bounding_box()["y"]
        card.click()
        assert card.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    for name, top in tops.items():  # raised, so that no other card covers the rim
        assert page.locator(f'gc-board [aria-label="{name}"]').bounding_box()["y"] < top - 5
    assert explorer.button("queen of diamonds, king of hearts, ace", exact=False).is_visible()


def editor(explorer):
    explorer.tool("Set up")
    explorer.page.locator("summary", has_text="Editor").click()
    return explorer.page.locator("gc-editor")


def test_cards_are_placed_by_a_press(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
    edit = editor(explorer)
    cards = edit.get_by_role("group", name="cards").get_by_role("button")
    assert cards.count() == 52
    edit.get_by_role("button", name="♠K", exact=True).click()
    edit.get_by_role("button", name="♦6", exact=True).click()  # from Bob's hand
    edit.get_by_role("button", name="♥2", exact=True).click()  # back into the deck
    pressed = cards.evaluate_all("all => all.filter(one => one.ariaPressed === 'true').map(one => one.dataset.card)")
    assert sorted(pressed) == ["D6", "DQ", "HA", "SK"]
    edit.get_by_label("A press on a card").select_option("bob")
    edit.get_by_role("button", name="♥10", exact=True).press("Enter")
    edit.get_by_text("This is a position.").wait_for()
    assert explorer.axe() == []
    explorer.button("Use this position").click()
    position = duel.Position.from_text(explorer.wait_other(STARTS["duel"]))
    assert (set(position.alice), set(position.bob)) == ({"D6", "DQ", "HA", "SK"}, {"H3", "HT", "S3"})
    before = explorer.position
    page.get_by_role("navigation").get_by_role("button", name="Rows").click()
    explorer.wait_other(before)
    assert editor(explorer).get_by_role("group", name="cards").count() == 0


def test_a_card_of_hearts_leaves_the_other_hands_alone_only(explorer):
    explorer.open("hearts", HEARTS, seat="all")
    edit = editor(explorer)
    edit.get_by_label("A press on a card").select_option("hands 1")
    edit.get_by_role("button", name="♥A", exact=True).click()
    edit.locator(".state.error").wait_for()  # 14 cards and 12
    edit.get_by_role("button", name="♥J", exact=True).click()
    edit.get_by_label("A press on a card").select_option("hands 0")
    edit.get_by_role("button", name="♥J", exact=True).click()
    edit.get_by_text("This is a position.").wait_for()
    explorer.button("Use this position").click()
    explorer.wait("start => document.querySelector('.notation').textContent !== start", HEARTS)
    hands = hearts.Round.from_text(explorer.position).hands
    assert ("HJ" in hands[0], "HA" in hands[1]) == (True, True)


@pytest.mark.parametrize("dark", [True, False])
def test_pawns_are_placed_by_a_press(tab, dark):
    explorer = tab(dark=dark)
    explorer.open("hexapawn", "p1p/3/PPP:w")
    edit = editor(explorer)
    square = edit.get_by_role("button", name="row 2 from the top, column 2: empty")
    square.focus()
    square.press("Enter")
    edit.get_by_role("button", name="row 2 from the top, column 2: P").press("Enter")  # the focus has stayed
    assert edit.get_by_role("button", name="row 2 from the top, column 2: p").evaluate("one => one.matches(':focus')")
    assert edit.get_by_label("rows", exact=True).input_value() == "p.p\n.p.\nPPP"
    edit.get_by_label("rows", exact=True).fill("p.p\n.p.\nP.P")
    assert edit.get_by_role("button", name="row 3 from the top, column 2: empty").is_visible()
    edit.get_by_text("This is a position.").wait_for()
    assert explorer.axe() == []
    explorer.button("Use this position").click()
    explorer.wait_position("p1p/1p1/P1P:w")
