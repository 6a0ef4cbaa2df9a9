"""The address is the position with its history; copies in every form."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from explore.browser import STARTS

from gamecore import hexapawn

START = STARTS["duel"]
MOVES = ["HA", "H3", "H2", "pass"]


def test_a_link_restores_the_position_and_its_history(tab):
    explorer = tab().open("duel", START, MOVES, at=2)
    page = explorer.page
    assert explorer.position == "DQH2:D6S3:A:H3"
    assert "token=" not in explorer.fragment  # it does not stay in the address, nor in a link that is copied
    assert explorer.tree == ["start", "♥A", "♥3", "♥2", "pass"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    explorer.wait_position("DQ:D6S3:A:-")
    assert page.get_by_text("Bob: pass").count() == 1
    page.reload()
    explorer.wait_position("DQ:D6S3:A:-")
    assert explorer.fragment == f"#game=duel&position={START}&moves={','.join(MOVES)}"
    other = tab(explorer.context)  # a bookmark in another tab
    other.page.goto(page.url)
    other.wait_position("DQ:D6S3:A:-")
    other.page.evaluate("location.hash = '#game=rows&position=optimal:me:2.5:1e+16:1.5,2.5'")
    other.wait_position("optimal:me:2.5:1e+16:1.5,2.5")


def test_a_reload_keeps_who_plays_and_a_link_does_not(tab):
    explorer = tab().open("duel", START)
    page, side = explorer.page, '[data-name="side-Bob"]'
    page.locator(side).select_option("greedy")
    page.reload()
    explorer.wait_position(START)
    assert page.locator(side).input_value() == "greedy"
    explorer.press_board("HA")
    explorer.wait_other(START)
    explorer.wait("location.hash.split('&moves=')[1]?.split(',').length === 2")  # Bob has answered
    history = explorer.tree
    page.reload()
    page.get_by_role("treeitem").nth(2).wait_for()
    assert (page.locator(side).input_value(), explorer.tree) == ("greedy", history)
    other = tab(explorer.context)
    other.page.goto(page.url)
    other.page.locator(side).wait_for()
    assert other.page.locator(side).input_value() == "you"


@pytest.mark.parametrize(("position", "moves", "says"), [
    ("nonsense", (), "ALICE:BOB:MOVER:LAST"),
    (START, ("HA", "SK"), "SK"),
])  # fmt: skip
def test_a_link_that_is_wrong_says_so(explorer, position, moves, says):
    explorer.open("duel", position, moves)
    explorer.wait_position(START)
    assert says in explorer.page.locator(".message.error").inner_text()


def test_without_the_token_the_page_asks_for_it_and_keeps_the_position(tab):
    explorer = tab()
    page = explorer.page
    page.goto(f"{explorer.address.split('#')[0]}#token={'x' * 43}&game=duel&position={START}&moves=HA")
    page.get_by_role("alert").wait_for()
    assert "another run" in page.get_by_role("alert").inner_text()
    page.get_by_label("Address").fill(explorer.address)
    explorer.button("Open").click()
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    assert "token" not in explorer.fragment


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


def test_back_goes_to_the_position_before(explorer):
    page = explorer.open("duel", START).page
    explorer.press_board("HA")
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    page.get_by_role("navigation").get_by_role("button", name="Hexapawn").click()
    explorer.wait_position("pppp/4/4/PPPP:w")
    page.go_back()
    explorer.wait_position("DQH2:H3D6S3:B:HA")
    page.go_back()
    explorer.wait_position(START)
    assert explorer.tree == ["start", "♥A"]  # what was tried stays
    page.go_forward()
    explorer.wait_position("DQH2:H3D6S3:B:HA")


def test_a_new_game_against_an_opponent_and_the_rules(explorer):
    page = explorer.open("duel", START).page
    explorer.button("New game").click()
    page.get_by_label("Cards each").fill("3")
    page.get_by_label("You play").select_option("Bob")
    page.get_by_label("Against").select_option("Solver, easy: 1 in 2 at random")
    explorer.button("Start").click()
    explorer.wait("document.querySelectorAll('[role=treeitem]').length === 2")  # Alice has moved
    assert page.locator('[data-name="side-Alice"]').input_value() == "solver/0.5"
    explorer.button("Rules").click()
    assert "Players take turns" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_a_puzzle_has_one_best_move(explorer):
    page = explorer.open("hexapawn", STARTS["hexapawn"]).page
    explorer.button("Puzzle").click()
    position = explorer.wait_other(STARTS["hexapawn"])
    assert "Puzzle: " in page.locator(".message").inner_text()
    assert {value for value, _ in explorer.values().values()} == {"…"}
    (best,) = hexapawn.analyse(hexapawn.Position.from_text(position)).best_moves
    explorer.press_board(best)
    page.get_by_text("1 of 1 best").wait_for()
