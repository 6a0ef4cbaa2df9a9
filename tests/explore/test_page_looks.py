"""How the page looks at 360 and 1280 pixels, light and dark: accessible, within the screen, no label on another.

``GAMECORE_PICTURES=1 pytest tests/explore/test_page_looks.py`` draws the pictures of docs/pictures/explore-* anew.
"""

import os

import pytest
from explore.browser import PICTURES

from gamecore import duel, rows

HEARTS = (
    "std:hold:C4CTD3D4DTDJDQS6S8H2H6HKHA.C5C6C7C9CQD2D9S2S5S7SAH4HJ.C3C8CJCKCAD5D7D8DKS3S4H9HT.C2D6DAS9STSJSQSKH3H5H7H8HQ"
    ":-:C2C4C5CA.C3SQ:7"
)
SHOWN = {
    "duel": {"position": "D9S3SQD5DQSTS2DK:S7HJCQHTH5C3D4HK:A:-", "moves": ["D5", "H5", "pass"]},
    "hexapawn": {"position": "8/1p2p1pp/p1p1p2p/PPpPp2P/1P2P1pP/P1PP2P1/8:w"},
    "rows": {"position": "greedy:me:0:0:5,7,9,1,4,2,8,3"},
    "hearts": {"position": HEARTS.replace("C2C4C5CA.C3SQ", "C2CTCQCA.S4SKS8SA.S7S3SQS6.HQ"), "seat": 0},
}
PILLS = ".board [data-value]:not([display]) rect"
BOARDS = {  # of Hexapawn, with arrows that cross, meet, and go both ways
    "crossing": "8/ppp1pppp/PPPPPPPP/8:w",
    "black": "8/1p2p1pp/p1p1p2p/PPpPp2P/1P2P1pP/P1PP2P1/8:b",
    "largest": "pppppppp/8/8/8/8/8/8/PPPPPPPP:w",
    "wide": "pppppppppppppppp/16/PPPPPPPPPPPPPPPP:w",
}


def overlapping(page, selector):
    """Pairs of elements of this kind whose boxes overlap."""
    return page.evaluate(
        """selector => {
          const boxes = [...document.querySelectorAll(selector)].map(e => [e.textContent, e.getBoundingClientRect()]);
          const found = [];
          boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
            const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
            const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
            if (p.width && q.width && across > 0.5 && down > 0.5) found.push(`${a} / ${b}`);
          }));
          return found;
        }""",
        selector,
    )


def wait_shown(explorer, game):
    """Until there is everything to be looked at."""
    explorer.tool("Analyse" if game == "rows" else "Play")
    if game != "hearts" and explorer.finish() == "finished" and not explorer.over:
        explorer.page.wait_for_selector(".detail .line")
    if game == "rows":
        explorer.page.wait_for_selector(".cell-facts h3")
        explorer.page.wait_for_selector(".opponent")


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)], ids=["360-dark", "1280-light"])
@pytest.mark.parametrize("game", SHOWN)
def test_accessible_and_in_place(tab, game, width, dark):
    explorer = tab(width=width, dark=dark).open(game, **SHOWN[game])
    wait_shown(explorer, game)
    page = explorer.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (overlapping(page, PILLS), overlapping(page, ".chart text")) == ([], [])
    sides = page.locator(".board [data-move] > rect:first-of-type").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
    )
    assert min(sides) >= (36 if game == "hexapawn" else 44)  # pixels: eight columns are 38 pixels wide at 360
    if "GAMECORE_PICTURES" in os.environ and (game, width) == ("duel", 1280):
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "explore-duel-1280.png", full_page=True)  # the README's
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert explorer.axe() == []


def resized(explorer):
    """The page at both widths, one after the other."""
    for width in (360, 1280):
        explorer.page.set_viewport_size({"width": width, "height": 900})
        explorer.page.wait_for_timeout(100)  # the observer of sizes has asked for another picture
        explorer.wait_board()
        yield width


@pytest.mark.parametrize("board", BOARDS)
def test_no_value_lies_on_another(explorer, board):
    page = explorer.open("hexapawn", BOARDS[board]).page
    moves = page.locator("gc-move-list [data-play]").count()
    explorer.wait("([pills, moves]) => document.querySelectorAll(pills).length === moves", [PILLS, moves])
    for _ in resized(explorer):
        assert overlapping(page, PILLS) == []
        heights = page.locator(PILLS).evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert min(heights) >= 10  # pixels: it can be read


def test_wide_bounds_on_cards_keep_apart(explorer):
    explorer.open("duel", duel.random(n=26, plies=0, rng=3).to_text())
    explorer.wait("pills => document.querySelectorAll(pills).length === 26", PILLS)
    assert any("?" in text for text in explorer.badges().values())
    for _ in resized(explorer):
        assert overlapping(explorer.page, PILLS) == []
        assert explorer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_overlap_of_labels_is_seen(explorer):
    """The planted fault of the two tests above."""
    explorer.open("hexapawn", BOARDS["crossing"])
    explorer.finish()
    explorer.page.locator(PILLS).evaluate_all(
        "([a, b]) => ['x', 'y'].forEach(name => b.setAttribute(name, a.getAttribute(name)))"
    )
    assert overlapping(explorer.page, PILLS)


def test_states_as_rows_grow(explorer):
    page = explorer.open("rows", "optimal:me:0:0:" + ",".join(str(3 * k % 17) for k in range(14))).page
    explorer.tool("Analyse")
    page.locator("summary", has_text="States visited").click()
    page.wait_for_selector(".chart .curve")
    assert (page.locator(".chart .curve").count(), overlapping(page, ".chart text")) == (4, [])


def test_the_table_of_sub_rows_is_the_librarys(explorer):
    values = [5, 7, 9, 1, 4, 2]
    page = explorer.open("rows", "greedy:me:0:0:" + ",".join(map(str, values))).page
    explorer.tool("Analyse")
    page.wait_for_selector(".cell-facts h3")
    table = rows.table(values, opponent="greedy")
    shown = page.locator(".heat text").all_text_contents()
    assert shown == [str(int(table[i][j])) for i in range(6) for j in range(i, 6)]
    page.locator(".heat-holder").focus()
    assert "Values 1 to 6" in page.locator(".cell-facts").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Values 2 to 5").wait_for()
    facts = page.locator(".cell-facts").inner_text()
    assert f"Table: {int(table[1][4])}." in facts
    assert page.locator(".heat .path").get_attribute("points").startswith("48.8,11.2")


def test_three_opponents_side_by_side(explorer):
    values = [5, 7, 9, 1, 4, 2]
    page = explorer.open("rows", "greedy:me:0:0:" + ",".join(map(str, values))).page
    explorer.tool("Analyse")
    for name in ("optimal", "greedy", "cooperative"):
        solution = rows.solve(values, opponent=name)
        text = page.get_by_label(f"{name} opponent", exact=True).inner_text()
        assert f"You {solution.mine}, opponent {solution.theirs}" in text
    page.get_by_role("button", name="Play against the cooperative opponent").click()
    explorer.wait_position("cooperative:me:0:0:5,7,9,1,4,2")
