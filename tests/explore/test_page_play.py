"""The page in a browser: whole games, pictures, copies and secrets; what single steps show stands in ``scenes.txt``.

``GAMECORE_PICTURES=1 pytest tests/explore/test_page_play.py`` draws the pictures of docs/pictures/explore-* anew.
"""

import contextlib
import json
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from explore.answers import hidden, leaks
from explore.browser import HEARTS, LIBRARIES, PICTURES, STARTS, TICTACTOE, served

from gamecore import duel, game, hearts
from gamecore.game import _registry

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


def test_a_trick_is_as_large_as_the_hand(tab):
    state = hearts.Round.from_text(HEARTS).play("C2").play("C4")
    page = tab(width=390).open("hearts", state.to_text(), seat="all").page
    cards = page.locator("gc-board rect[fill='#fffdf7'][width]")
    widths = cards.evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().width))")
    assert widths.count(max(widths)) == 2 + len(state.legal_moves())  # those of the trick and of the hand


def test_playouts_are_told_with_their_error(explorer):
    page = explorer.open("hexapawn", "pppppppp/8/8/8/8/8/8/PPPPPPPP:w").page
    playouts = re.compile(r"(\d+) ± (\d+)% of (\d+) random playouts won")
    detail = page.locator("gc-move-list .detail").filter(has_text=playouts)
    share, error, count = map(int, playouts.search(detail.inner_text()).groups())
    assert error == math.ceil(100 / math.sqrt(count))
    mark = page.locator("gc-bar .mark").evaluate("mark => parseFloat(mark.style.left)")
    assert abs(mark - share) < 30  # more playouts may have come in between
    assert detail.locator("strong").inner_text() == page.locator("gc-move-list button.move").first.inner_text()


def copied(explorer, name):
    explorer.button(name).click()
    explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
    return explorer.page.locator("textarea.preview").input_value()


def test_copies_in_every_form(tab):
    explorer = tab(permissions=["clipboard-read", "clipboard-write"]).open("duel", STARTS["duel"])
    page = explorer.page
    explorer.tool("Share")
    assert (copied(explorer, "Notation"), page.evaluate("navigator.clipboard.readText()")) == (
        STARTS["duel"],
        STARTS["duel"],
    )
    assert copied(explorer, "Link") == f"{explorer.address.split('#')[0]}#game=duel&position={STARTS['duel']}"
    assert copied(explorer, "Judge's text") == "3\nDQ H2 HA\nH3 D6 S3\n"
    assert ElementTree.fromstring(copied(explorer, "SVG")).tag.endswith("svg")
    assert "gamecore" in copied(explorer, "Command")
    with page.expect_download() as download:
        explorer.button("PNG").click()
        page.get_by_role("link", name="Save as duel.png").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG\r\n")
    python = copied(explorer, "Python")
    answer = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, timeout=60, check=True)
    assert next(iter(explorer.values())) in answer.stdout


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
    assert page.get_by_role("treeitem").all_inner_texts()[1:5] == moves
    for name in ("Set up", "Share"):
        explorer.tool(name).locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
    secrets = hidden(state, 0)
    for name in ("Link", "Notation", "Python", "Command"):
        explorer.button(name).click()
        explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
        assert not leaks(shown(page), secrets, ("page",))
    page.reload()  # the address has it all
    page.wait_for_selector("gc-board [data-move]")
    assert page.get_by_role("treeitem").all_inner_texts()[1:5] == moves
    assert not leaks(shown(page), secrets, ("page",))
    assert len(answers) > 10
    assert not leaks(list(sent(answers)), secrets)
    page.get_by_label("Seen by").select_option("all")  # the checks above see what open hands show
    explorer.wait("document.querySelector('.notation').textContent.startsWith('std:')")
    assert leaks(shown(page), secrets, ("page",))
    assert leaks(list(sent(answers)), secrets)
