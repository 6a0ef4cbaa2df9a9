"""How the page looks at 360 and 1280 pixels, light and dark: accessible, within the screen, no label on another.

``GAMECORE_PICTURES=1 pytest tests/explore/test_page_looks.py`` draws the pictures of docs/pictures/explore-* anew.
"""

import os
import re

import pytest
from explore.browser import HEARTS, PICTURES, STARTS, TICTACTOE, served

from gamecore import duel, game
from gamecore.game import _registry
from gamecore.reference import versions_of

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
FITS = "document.documentElement.scrollWidth <= innerWidth"


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


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)], ids=["360-dark", "1280-light"])
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
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "explore-duel-1280.png", full_page=True)  # the README's
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate(FITS)
    assert explorer.axe() == []


@pytest.mark.parametrize("position", HARD)
def test_no_value_lies_on_another(explorer, position):
    page = explorer.open(HARD[position], position).page
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


def test_how_shows_the_calls_of_a_version_step_by_step(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
    panel = explorer.tool("Analyse").locator("gc-panel")
    versions = versions_of(duel.Position.from_text(STARTS["duel"]))
    panel.get_by_label("Version").select_option("memoised")
    panel.get_by_text("calls of memoised").wait_for()
    assert [line.split("  ")[0] for line in panel.locator("pre").inner_text().splitlines()[1:]] == list(versions)
    count = "document.querySelectorAll('gc-panel svg circle').length"
    step = panel.get_by_label("First calls")
    for calls in (1, 2, 3):
        step.fill(str(calls))
        step.press("Tab")
        explorer.wait(f"{count} === {calls}")
    asked = []
    page.on("request", lambda one: asked.append(one.url) if "/api/panel" in one.url else None)
    explorer.tool("Play")
    explorer.press_board("HA")
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    assert not asked  # it is not seen
    explorer.tool("Analyse")
    panel.get_by_text("calls of memoised").wait_for()
    explorer.wait("document.querySelector('gc-panel svg text').textContent.includes('HA')")


def test_a_board_of_text_has_a_fixed_pitch(explorer):
    page = explorer.open("guess", "2:0", seat=0).page
    lines = page.locator("gc-board text").filter(has_text=re.compile("number|guess"))
    widths = lines.evaluate_all("all => all.map(one => one.getComputedTextLength() / one.textContent.length)")
    assert (len(widths), widths[0]) == (2, pytest.approx(widths[1], abs=0.01))


def test_outcomes_stand_on_the_board_in_words(explorer, monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    tictactoe, position = game.load(str(TICTACTOE)), "A:3,24"
    with served(files=(TICTACTOE,)) as explorer.address:
        explorer.open("tictactoe", position)
        assert explorer.finish() == "exact"
        shown = explorer.badges()
    values = {entry.move: str(entry).removeprefix(f"{entry.move} ") for entry in tictactoe.analyse(position)}
    assert values["c1"] == "win in 1"
    assert shown == values
