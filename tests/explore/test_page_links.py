"""The address is the position with its history; copies in every form."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

START = "DQH2HA:H3D6S3:A:-"
MOVES = ["HA", "H3", "H2", "pass"]


def test_a_link_restores_the_position_and_its_history(explorer):
    explorer.open("duel", START, MOVES, at=2)
    assert explorer.position == "DQH2:D6S3:A:H3"
    assert "token=" not in explorer.fragment  # it does not stay in the address, nor in a link that is copied
    page = explorer.page
    tree = page.get_by_role("treeitem").all_inner_texts()
    assert tree == ["start", "♥A", "♥3", "♥2", "pass"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    explorer.wait_position("DQ:D6S3:A:-")
    assert page.get_by_text("Bob: pass").count() == 1
    assert explorer.fragment == f"#game=duel&position={START}&moves={','.join(MOVES)}"
    page.reload()
    explorer.wait_position("DQ:D6S3:A:-")
    assert explorer.fragment == f"#game=duel&position={START}&moves={','.join(MOVES)}"


def test_a_bookmark_opens_in_another_tab(tab):
    first = tab().open("duel", START, MOVES[:1])
    other = tab(first.context)
    other.page.goto(first.page.url)
    other.wait_position("DQH2:H3D6S3:B:HA")


def test_an_address_typed_over_the_old_one(explorer):
    explorer.open("duel", START)
    explorer.page.evaluate("location.hash = '#game=rows&position=optimal:me:2.5:1e+16:1.5,2.5'")
    explorer.wait_position("optimal:me:2.5:1e+16:1.5,2.5")


@pytest.mark.parametrize(("position", "moves", "shown", "says"), [
    ("nonsense", (), "DQH2HA:H3D6S3:A:-", "ALICE:BOB:MOVER:LAST"),
    (START, ("HA", "SK"), START, "SK"),
])  # fmt: skip
def test_a_link_that_is_wrong_says_so(explorer, position, moves, shown, says):
    explorer.open("duel", position, moves)
    explorer.wait_position(shown)
    message = explorer.page.locator(".message.error")
    message.wait_for()
    assert says in message.inner_text()


def test_without_the_token_the_page_asks_for_it_and_keeps_the_position(tab):
    explorer = tab()
    page = explorer.page
    base = explorer.address.split("#")[0]
    page.goto(f"{base}#token={'x' * 43}&game=duel&position={START}&moves=HA")
    page.get_by_role("alert").wait_for()
    assert "another run" in page.get_by_role("alert").inner_text()
    page.get_by_label("Address").fill(explorer.address)
    page.get_by_role("button", name="Open").click()
    explorer.wait_position("DQH2:H3D6S3:B:HA")


def copied(explorer, name):
    explorer.page.get_by_role("button", name=name, exact=True).click()
    area = explorer.page.locator("textarea.preview")
    area.wait_for()
    explorer.wait("document.querySelector('gc-copy [role=status]').textContent !== ''")
    return area.input_value()


@pytest.mark.parametrize(("game", "position"), [
    ("duel", START),
    pytest.param("hexapawn", "5/pp1pp/PPp2/3P1/4P:w", marks=pytest.mark.nightly),
    pytest.param("rows", "greedy:me:0:0:5,7,9,1,4,2", marks=pytest.mark.nightly),
])  # fmt: skip
def test_copies_in_every_form(tab, game, position):
    explorer = tab(permissions=["clipboard-read", "clipboard-write"]).open(game, position)
    page = explorer.page
    explorer.tool("Share")
    assert (copied(explorer, "Notation"), page.evaluate("navigator.clipboard.readText()")) == (position, position)
    link = copied(explorer, "Link")
    assert link == f"{explorer.address.split('#')[0]}#game={game}&position={position}"
    assert ElementTree.fromstring(copied(explorer, "SVG")).tag.endswith("svg")
    assert "gamecore" in copied(explorer, "Command")
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG").click()
        page.get_by_role("link", name=f"Save as {game}.png").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG\r\n")
    python = copied(explorer, "Python")
    answer = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, timeout=60, check=True)
    best = next(iter(explorer.values()))
    assert best in answer.stdout


def test_a_random_position_is_that_of_its_seed(explorer):
    explorer.open("duel", START)
    page, shown = explorer.page, [START]
    explorer.tool("Set up")
    for seed in ("7", "8", "7"):
        page.get_by_label("Seed").fill(seed)
        page.get_by_role("button", name="Random position").click()
        shown.append(explorer.wait_other(shown[-1]))
        assert f"seed {seed}" in page.locator(".message").inner_text()
    assert shown[3] == shown[1]


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
    assert page.get_by_role("treeitem").all_inner_texts() == ["start", "♥A"]  # what was tried stays
    page.go_forward()
    explorer.wait_position("DQH2:H3D6S3:B:HA")


def test_a_new_game_against_an_opponent(explorer):
    page = explorer.open("duel", START).page
    page.get_by_role("button", name="New game").click()
    page.get_by_label("Start position").select_option("3 cards each")
    page.get_by_label("You play").select_option("Bob")
    page.get_by_label("Against").select_option("Solver, easy: 1 in 2 at random")
    page.get_by_role("button", name="Start", exact=True).click()
    explorer.wait("document.querySelectorAll('[role=treeitem]').length === 2")  # Alice has moved
    assert page.locator('[data-name="side-Alice"]').input_value() == "solver/0.5"
    page.get_by_role("button", name="Rules").click()
    assert "Players take turns" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
