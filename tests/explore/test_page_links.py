"""The address is the position with its history; copies in every form."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from explore.browser import STARTS

from gamecore import hexapawn

START = STARTS["duel"]
MOVES = ["HA", "H3", "H2", "pass"]


def copied(explorer, name):
    explorer.button(name).click()
    explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
    return explorer.page.locator("textarea.preview").input_value()


def test_copies_in_every_form(tab):
    explorer = tab(permissions=["clipboard-read", "clipboard-write"]).open("duel", START)
    page = explorer.page
    explorer.tool("Share")
    assert (copied(explorer, "Notation"), page.evaluate("navigator.clipboard.readText()")) == (START, START)
    assert copied(explorer, "Link") == f"{explorer.address.split('#')[0]}#game=duel&position={START}"
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


def test_a_puzzle_has_one_best_move(explorer):
    page = explorer.open("hexapawn", STARTS["hexapawn"]).page
    explorer.button("Puzzle").click()
    position = explorer.wait_other(STARTS["hexapawn"])
    assert "Puzzle: " in page.locator(".message").inner_text()
    assert {value for value, _ in explorer.values().values()} == {"…"}
    (best,) = hexapawn.analyse(hexapawn.Position.from_text(position)).best_moves
    explorer.press_board(best)
    page.get_by_text("1 of 1 best").wait_for()
