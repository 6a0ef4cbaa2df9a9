"""The page in a browser: values and pictures of whole games; what single steps show stands in ``scenes.txt``.

``GAMECORE_PICTURES=1 pytest tests/explore/test_page_play.py`` draws the pictures of docs/pictures/explore-* anew.
"""

import math
import os
import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from explore.answers import GAMES
from explore.browser import HEARTS, STARTS

from gamecore import duel

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = {
    "duel": {"position": "D9S3SQD5DQSTS2DK:S7HJCQHTH5C3D4HK:A:-", "moves": ["D5", "H5", "pass"]},
    "hexapawn": {"position": "8/1p2p1pp/p1p1p2p/PPpPp2P/1P2P1pP/P1PP2P1/8:w"},
    "rows": {"position": "greedy:me:0:0:5,7,9,1,4,2,8,3"},
    "hearts": {"position": HEARTS.replace(":-:-:7", ":-:C2CTCQCA.S4SKS8SA.S7S3SQS6.HQ:7"), "seat": 0},
    "guess": {"position": "2:0", "seat": 0},
}
PILLS = "gc-board [data-value]:not([display]) rect"
HARD = {  # boards of Hexapawn with arrows that cross, meet and go both ways, and wide bounds on cards
    "8/ppp1pppp/PPPPPPPP/8:w": "hexapawn",
    "8/1p2p1pp/p1p1p2p/PPpPp2P/1P2P1pP/P1PP2P1/8:b": "hexapawn",
    "pppppppp/8/8/8/8/8/8/PPPPPPPP:w": "hexapawn",
    "pppppppppppppppp/16/PPPPPPPPPPPPPPPP:w": "hexapawn",
    duel.random(n=26, plies=0, rng=3).to_text(): "duel",
}
OWN = "names => document.querySelectorAll('nav button').forEach(one => one.hidden = !names.includes(one.dataset.game))"
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.parametrize("game", STARTS)
def test_to_the_end_by_mouse_with_the_librarys_values(tab, game):
    position = GAMES[game].parse(STARTS[game])
    explorer = tab().open(game, STARTS[game])
    while not position.is_over:
        assert explorer.finish() == "exact"
        analysis = GAMES[game].analyse(position)
        shown = explorer.values()
        assert list(shown) == [entry.move for entry in analysis]
        assert [value for value, _ in shown.values()] == [str(entry).rsplit(" ", 1)[1] for entry in analysis]
        assert tuple(move for move, (_, cost) in shown.items() if cost == "best") == analysis.best_moves
        rows = explorer.page.locator("gc-move-list tbody tr").count()
        assert rows == len(set(shown.values()))  # equal moves stand in one row
        assert explorer.badges() == {move: value for move, (value, _) in shown.items()}
        explorer.press_board(analysis[-1].move)
        position = position.play(analysis[-1].move)
        while game == "rows" and position.to_move == "opponent" and not position.is_over:  # the page plays by its rule
            position = position.play(position.legal_moves()[0])
        explorer.wait("text => document.querySelector('.notation').textContent === text", position.to_text())
    assert explorer.page.locator(".turn-text.over").count() == 1
    assert explorer.values() == {}


def overlapping(page, selector):
    """Pairs of elements of this kind whose boxes overlap."""
    return page.evaluate(
        """selector => {
          const boxes = [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect());
          return boxes.flatMap((p, i) => boxes.slice(i + 1).filter(q =>
            p.width && q.width && Math.min(p.right, q.right) - Math.max(p.left, q.left) > 0.5 &&
            Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 0.5).map(q => [p, q]));
        }""",
        selector,
    )


@pytest.mark.parametrize(
    ("width", "dark"),
    [pytest.param(360, True, id="360-dark"), pytest.param(1280, False, id="1280-light", marks=pytest.mark.nightly)],
)
@pytest.mark.parametrize("game", SHOWN)
def test_accessible_and_in_place(tab, game, width, dark):
    explorer = tab(width=width, dark=dark).open(game, **SHOWN[game])
    page = explorer.page
    explorer.tool("Analyse" if game in ("rows", "guess") else "Play")
    if explorer.finish() == "exact":
        page.wait_for_selector(".detail .line")
    assert page.evaluate(FITS)
    assert overlapping(page, PILLS) == []
    sides = page.locator("gc-board [data-move] > rect:first-of-type").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
    )
    least = {"hexapawn": 36, "guess": 0}.get(game, 44)  # pixels: eight columns are 38 pixels wide at 360
    assert min(sides, default=99) >= least
    if "GAMECORE_PICTURES" in os.environ and (game, width) == ("duel", 1280):
        page.evaluate(OWN, list(GAMES))
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "explore-duel-1280.png", full_page=True)  # the README's
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate(FITS)
    assert explorer.axe() == []


@pytest.mark.parametrize("position", HARD)
def test_no_value_lies_on_another(tab, position):
    explorer = tab().open(HARD[position], position)
    page = explorer.page
    moves = page.locator("gc-move-list [data-play]").count()
    explorer.wait("([pills, moves]) => document.querySelectorAll(pills).length === moves", [PILLS, moves])
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)  # the observer of sizes has asked for another picture
        explorer.wait_board()
        assert overlapping(page, PILLS) == []
        assert page.evaluate(FITS)
        heights = page.locator(PILLS).evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert min(heights) >= 10  # pixels: it can be read
    page.locator(PILLS).evaluate_all(
        "([a, b]) => ['x', 'y'].forEach(name => b.setAttribute(name, a.getAttribute(name)))"
    )
    assert overlapping(page, PILLS)  # an overlap is seen


def test_playouts_are_told_with_their_error(tab):
    """All of it is read at once, since more playouts come meanwhile."""
    page = tab().open("hexapawn", "pppppppp/8/8/8/8/8/8/PPPPPPPP:w").page
    page.locator("gc-move-list .detail").filter(has_text="random playouts won").wait_for()
    text, move, first, mark = page.evaluate(
        """() => {
          const details = [...document.querySelectorAll("gc-move-list .detail")];
          const detail = details.find(one => one.innerText.includes("random playouts won"));
          return [detail.innerText, detail.querySelector("strong").innerText,
                  document.querySelector("gc-move-list button.move").innerText,
                  parseFloat(document.querySelector("gc-bar .mark").style.left)];
        }"""
    )
    share, error, count = map(int, re.search(r"(\d+) ± (\d+)% of (\d+) random playouts won", text).groups())
    assert error == math.ceil(100 / math.sqrt(count))
    assert abs(mark - share) < 30  # the bar may be of other playouts
    assert move == first


def test_a_tree_of_more_positions_than_the_page_remembers(tab):
    values = ",".join(map(str, range(420)))
    explorer = tab().open("rows", f"optimal:me:0:0:{values}", ["R"] * 410)
    assert explorer.finish() == "exact"
    assert explorer.values() == {"R": ("+210", "best"), "L": ("+200", "costs 10")}


def test_another_machine_of_the_network_plays_here_by_the_address_of_the_code(tab, lan_address):
    """By another address than loopback, where browsers give no clipboard and no ``randomUUID``."""
    explorer = tab(width=390)
    explorer.address = lan_address
    explorer.open("duel", STARTS["duel"])
    assert explorer.finish() == "exact"
    assert explorer.values()["HA"] == ("+9", "best")
    explorer.press_board("HA")
    explorer.wait("text => document.querySelector('.notation').textContent === text", "DQH2:H3D6S3:B:HA")
    code = explorer.tool("Share").locator("figure svg")
    rectangles = """code => [code, code.querySelector("path:last-of-type")].map(one => one.getBoundingClientRect())
        .map(box => [box.right, box.bottom])"""
    ends, modules = code.evaluate(rectangles)
    assert (modules[0] < ends[0], modules[1] < ends[1]) == (True, True)
    explorer.button("Link").click()
    copied = explorer.page.locator("textarea.preview").input_value()
    assert copied.startswith(f"{lan_address}&game=duel")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", urlsplit(lan_address).port), timeout=5)


def test_a_late_puzzle_does_not_replace_the_game_opened_meanwhile(tab):
    explorer, late = tab().open("duel", STARTS["duel"]), []
    explorer.page.route("**/api/puzzle", lambda route: late.append(route))  # noqa: PLW0108 - no builtin
    explorer.button("Puzzle").click()
    explorer.wait_until(lambda: late, "the puzzle is asked for")
    explorer.button("Hexapawn").click()
    explorer.wait_until(lambda: "/" in explorer.position, "the board is shown")
    with explorer.page.expect_response("**/api/puzzle"):
        late[0].continue_()
    explorer.page.wait_for_timeout(300)
    assert "/" in explorer.position
