"""The scenes of ``scenes.txt``: a line a step, ``WORD ARGUMENT | TEXT``, where \\n stands for a line's end."""

import re
from pathlib import Path

import pytest
from explore.browser import HEARTS, STARTS

SCENES = (Path(__file__).parent / "scenes.txt").read_text(encoding="utf-8").split("\n## ")[1:]
TEXTS = {"DUEL": STARTS["duel"], "PAWNS": STARTS["hexapawn"], "ROW": STARTS["rows"], "HEARTS": HEARTS}


def field(page, name):
    """The element of a selector, or of a label or its beginning."""
    exact = page.locator(name) if name[0] == "[" else page.get_by_label(name, exact=True)
    return exact if exact.count() else page.get_by_label(name)


def begin(explorer, what, _):
    game, position, *more = what.split()
    moves = more.pop(0).split(",") if more and "=" not in more[0] else ()
    explorer.open(game, position, moves, **dict(pair.split("=") for pair in more))


def with_a_wrong_token(explorer, fragment, _):
    explorer.page.goto(f"{explorer.address.split('#')[0]}#token={'x' * 43}&{fragment}")


def fill(explorer, name, text):
    field(explorer.page, name).fill(text.replace("ADDRESS", explorer.address))
    if name != "Address":
        field(explorer.page, name).blur()


def choose(explorer, name, option):
    chosen = {"index": int(option[1:])} if option[0] == "#" else {"value": option}
    field(explorer.page, name).select_option(**chosen)


def item(explorer, place, _):
    explorer.page.get_by_role("treeitem").nth(int(place)).click()
    explorer.page.get_by_role("treeitem").nth(int(place)).focus()


def at(explorer, position, _):
    explorer.page.wait_for_selector(".notation", state="attached")
    explorer.wait_position(position)
    explorer.wait_board()


ON_BOARD = 'gc-board [data-move="{}"]'
FOCUSED = "document.activeElement.getAttribute('aria-label')"
#: What a person does.
DONE = {
    "open": begin,
    "with-a-wrong-token": with_a_wrong_token,
    "fill": fill,
    "choose": choose,
    "item": item,
    "tab": lambda explorer, name, _: explorer.tool(name),
    "unfold": lambda explorer, title, _: explorer.page.locator("summary", has_text=title).click(),
    "press": lambda explorer, move, _: explorer.press_board(move),
    "point": lambda explorer, move, _: explorer.page.locator(ON_BOARD.format(move)).hover(),
    "click": lambda explorer, name, _: explorer.button(name).first.click(),
    "key": lambda explorer, key, _: explorer.page.keyboard.press(key),
    "check": lambda explorer, name, _: field(explorer.page, name).check(),
    "uncheck": lambda explorer, name, _: field(explorer.page, name).uncheck(),
    "reload": lambda explorer, *_: explorer.page.reload(),
    "back": lambda explorer, *_: explorer.page.go_back(),
    "forward": lambda explorer, *_: explorer.page.go_forward(),
    "go": lambda explorer, fragment, _: explorer.page.evaluate("text => { location.hash = text; }", fragment),
    "pause": lambda explorer, *_: explorer.page.wait_for_timeout(700),
    "focus": lambda explorer, selector, _: explorer.tab_to(selector),
}
#: What the page then shows, or within ten seconds.
SHOWN = {
    "at": at,
    "elsewhere": lambda explorer, position, _: explorer.wait_other(position),
    "see": lambda explorer, selector, text: explorer.page.locator(selector).filter(has_text=text).first.wait_for(),
}
#: What is true then, or within ten seconds.
TRUE = {
    "finish": lambda explorer, reason, _: explorer.finish() == reason,
    "without": lambda explorer, selector, text: text not in explorer.page.locator(selector).inner_text(),
    "hidden": lambda explorer, selector, _: not explorer.page.locator(selector).first.is_visible(),
    "count": lambda explorer, selector, number: explorer.page.locator(selector).count() == int(number),
    "disabled": lambda explorer, name, _: explorer.button(name).is_disabled(),
    "enabled": lambda explorer, name, _: explorer.button(name).is_enabled(),
    "value": lambda explorer, name, text: field(explorer.page, name).input_value() == text,
    "selected": lambda explorer, name, text: (
        field(explorer.page, name).evaluate("area => area.value.slice(area.selectionStart)") == text
    ),
    "label": lambda explorer, move, text: (
        explorer.page.locator(ON_BOARD.format(move)).get_attribute("aria-label") == text
    ),
    "focused": lambda explorer, square, _: (explorer.page.evaluate(FOCUSED) or "").startswith(square),
    "badges": lambda explorer, number, _: bool(explorer.badges()) == (number == "some"),
    "tree": lambda explorer, moves, _: explorer.tree == moves.split(", "),
    "fragment": lambda explorer, text, _: explorer.fragment == text,
    "no-fragment": lambda explorer, text, _: text not in explorer.fragment,
}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.partition("\n")[0])
def test_scenes(tab, scene):
    explorer = tab()
    for line in scene.strip().split("\n")[1:]:
        what, _, text = re.sub("|".join(TEXTS), lambda word: TEXTS[word[0]], line).partition(" |")
        word, _, argument = what.partition(" ")
        text = text.removeprefix(" ").replace("\\n", "\n")
        if word == "another-tab":
            url, explorer = explorer.page.url, tab(explorer.context)
            explorer.page.goto(url)
        elif word in TRUE:
            explorer.wait_until(lambda: TRUE[word](explorer, argument, text), line)  # noqa: B023 - called at once
        else:
            (DONE | SHOWN)[word](explorer, argument, text)
