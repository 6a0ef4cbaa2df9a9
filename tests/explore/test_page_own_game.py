"""Games of one's own in the browser: one with seats and a panel, and a board that is text."""

import re
from pathlib import Path

import pytest
from explore import browser

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def address():
    """A server that knows the game."""
    with browser.served(files=(HERE / "guess.py",)) as found:
        yield found


def test_a_game_with_seats_and_a_panel_has_them(explorer):
    page = explorer.open("guess", "0:0", seat=0).page
    assert page.locator('[data-name="eyes"]').evaluate("one => one.selectedOptions[0].textContent") == "seat 0"
    assert "Nothing to show here." in explorer.tool("Analyse").inner_text()
    explorer.press_board("2")
    panel = page.locator("gc-panel")
    panel.locator("pre").wait_for()
    assert panel.locator("dt").all_inner_texts() == ["doubled", "board"]
    assert panel.locator("dd").all_inner_texts() == ["4", "number  2\nguess   0"]
    explorer.tool("Play")
    page.locator('[data-name="eyes"]').select_option("1")
    page.get_by_text("one seat cannot know what its moves are worth").wait_for()
    page.get_by_role("treeitem", name="a hidden move").wait_for()
    page.locator(".board text", has_text="number  ?").wait_for()


def test_a_board_of_text_has_a_fixed_pitch(explorer):
    explorer.open("guess", "2:0", seat="all")
    lines = explorer.page.locator(".board text").filter(has_text=re.compile("number|guess"))
    widths = lines.evaluate_all("all => all.map(one => one.getComputedTextLength() / one.textContent.length)")
    assert (len(widths), widths[0]) == (2, pytest.approx(widths[1], abs=0.01))


def test_a_fifth_game_fits_a_phone(tab):
    explorer = tab(width=360).open("guess", "2:0", seat="all")
    assert explorer.page.get_by_role("navigation").get_by_role("button").count() == 5
    assert explorer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
