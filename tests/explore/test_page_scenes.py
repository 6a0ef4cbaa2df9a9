"""The scenes of ``scenes.txt``: a line a step, ``WORD ARGUMENT | TEXT``, where \\n stands for a line's end.

By day those that find a planted fault: a browser takes long.
"""

import re
from pathlib import Path

import pytest
from explore.browser import HEARTS, STARTS

SCENES = (Path(__file__).parent / "scenes.txt").read_text(encoding="utf-8").split("\n## ")[1:]
TEXTS = {"DUEL": STARTS["duel"], "PAWNS": STARTS["hexapawn"], "ROW": STARTS["rows"], "HEARTS": HEARTS}
TEXTS["PASSING"] = HEARTS.replace(":hold:", ":left:")


def is_selector(name):
    return "[" in name or name.startswith("gc-")


def field(page, name):
    """The element of a selector, or of a label or its beginning."""
    exact = page.locator(name) if is_selector(name) else page.get_by_label(name, exact=True)
    return exact if exact.count() else page.get_by_label(name)


def begin(explorer, what, _):
    game, position, *more = what.split()
    moves = more.pop(0).split(",") if more and "=" not in more[0] else ()
    explorer.open(game, position, moves, **dict(pair.split("=") for pair in more))


def with_token(explorer, words, _):
    token, fragment = words.split()
    explorer.page.goto(f"{explorer.address.split('#')[0]}#{WRONG if token == 'wrong' else ''}{fragment}")


def fill(explorer, name, text):
    field(explorer.page, name).fill(text.replace("ADDRESS", explorer.address))
    if name != "Address":
        field(explorer.page, name).blur()


def choose(explorer, name, option):
    chosen = {"index": int(option[1:])} if option[0] == "#" else {"value": option}
    field(explorer.page, name).select_option(**chosen)


def click(explorer, name, _):
    (explorer.page.locator(name) if is_selector(name) else explorer.button(name)).first.click()


def saved(explorer, link, _):
    with explorer.page.expect_download() as download:
        explorer.page.get_by_role("link", name=link).click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG\r\n")


def is_copied(explorer, _, pattern):
    """Whether the preview and the clipboard have a text of this pattern."""
    text = explorer.page.locator("textarea.preview").input_value()
    clipboard = explorer.page.evaluate("navigator.clipboard.readText()")
    return clipboard == text and re.fullmatch(pattern, text, re.DOTALL) is not None


def changes(explorer, selector, _):
    text = explorer.page.locator(selector).first.inner_text()
    explorer.wait_until(lambda: explorer.page.locator(selector).first.inner_text() != text, selector)


def accessible(explorer, *_):
    assert explorer.axe() == []


def has_style(explorer, selector, text):
    name, _, value = text.partition(": ")
    script = "(one, name) => getComputedStyle(one).getPropertyValue(name)"
    return explorer.page.locator(selector).first.evaluate(script, name) == value


def is_within(explorer, selector, text):
    """Whether a side of all these boxes is between two numbers of pixels."""
    side, least, most = text.split()
    script = "(all, side) => all.map((one) => one.getBoundingClientRect()[side])"
    sizes = explorer.page.locator(selector).evaluate_all(script, side)
    return bool(sizes) and float(least) <= min(sizes) and max(sizes) <= float(most)


WRONG = f"token={'x' * 43}&"
READY = "gc-board[aria-busy=false]"
ON_BOARD = 'gc-board [data-move="{}"]'
FRAGMENT = "decodeURIComponent(location.hash)"
FOCUSED = "document.activeElement.getAttribute('aria-label')"
#: Actions of a person, and conditions that must hold without waiting.
DONE = {
    "open": begin,
    "with-token": with_token,
    "fill": fill,
    "choose": choose,
    "tab": lambda explorer, name, _: explorer.tool(name),
    "unfold": lambda explorer, title, _: explorer.page.locator("summary", has_text=title).click(),
    "press": lambda explorer, move, _: explorer.press_board(move),
    "point": lambda explorer, move, _: explorer.page.locator(ON_BOARD.format(move)).hover(),
    "click": click,
    "tap": lambda explorer, selector, _: explorer.page.locator(selector).tap(),
    "drag": lambda explorer, selector, goal: explorer.page.locator(selector).drag_to(explorer.page.locator(goal)),
    "key": lambda explorer, key, _: explorer.page.keyboard.press(key),
    "check": lambda explorer, name, _: field(explorer.page, name).check(),
    "uncheck": lambda explorer, name, _: field(explorer.page, name).uncheck(),
    "reload": lambda explorer, *_: explorer.page.reload(),
    "back": lambda explorer, *_: explorer.page.go_back(),
    "forward": lambda explorer, *_: explorer.page.go_forward(),
    "go": lambda explorer, fragment, _: explorer.page.evaluate("text => { location.hash = text; }", fragment),
    "leave": lambda explorer, *_: explorer.page.goto("about:blank"),
    "width": lambda explorer, pixels, _: explorer.page.set_viewport_size({"width": int(pixels), "height": 900}),
    "scheme": lambda explorer, scheme, _: explorer.page.emulate_media(color_scheme=scheme),
    "listen": lambda explorer, *_: explorer.requests.clear(),
    "pause": lambda explorer, *_: explorer.page.wait_for_timeout(700),
    "focus": lambda explorer, selector, _: explorer.tab_to(selector),
    "accessible": accessible,
    "changes": changes,
    "saved": saved,
}
#: What is true then, or within ten seconds.
TRUE = {
    "at": lambda explorer, position, _: explorer.position == position and explorer.page.locator(READY).is_visible(),
    "elsewhere": lambda explorer, position, _: explorer.position != position,
    "see": lambda explorer, selector, text: explorer.page.locator(selector).filter(has_text=text).first.is_visible(),
    "finish": lambda explorer, reason, _: explorer.finish() == reason,
    "count": lambda explorer, selector, number: explorer.page.locator(selector).count() == int(number),
    "texts": lambda explorer, selector, texts: ", ".join(explorer.page.locator(selector).all_inner_texts()) == texts,
    "copied": is_copied,
    "style": has_style,
    "box": is_within,
    "asked": lambda explorer, path, number: sum(path in url for url in explorer.requests) == int(number),
    "searches": lambda explorer, number, _: len(explorer.running()) == int(number),
    "like": lambda explorer, pattern, _: re.fullmatch(pattern, explorer.position) is not None,
    "value": lambda explorer, name, text: field(explorer.page, name).input_value() == text,
    "selected": lambda explorer, name, text: (
        field(explorer.page, name).evaluate("area => area.value.slice(area.selectionStart)") == text
    ),
    "focused": lambda explorer, square, _: (explorer.page.evaluate(FOCUSED) or "").startswith(square),
    "badges": lambda explorer, number, _: bool(explorer.badges()) == (number == "some"),
    "tree": lambda explorer, moves, _: explorer.tree == moves.split(", "),
    "fragment": lambda explorer, text, _: explorer.page.evaluate(FRAGMENT) == text,
    "no-fragment": lambda explorer, text, _: text not in explorer.page.evaluate(FRAGMENT),
}


@pytest.mark.parametrize("scene", [
    pytest.param(scene, id=scene.partition("\n")[0], marks=[pytest.mark.nightly] * scene.startswith("by night: "))
    for scene in SCENES
])  # fmt: skip
def test_scenes(tab, scene):
    explorer = tab()
    for line in scene.strip().split("\n")[1:]:
        what, _, text = re.sub("|".join(TEXTS), lambda word: TEXTS[word[0]], line).partition(" |")
        word, _, argument = what.partition(" ")
        text = text.removeprefix(" ").replace("\\n", "\n")
        if word == "another-tab":
            url, explorer = explorer.page.url, tab(explorer.context)
            explorer.page.goto(url)
        elif word == "screen":
            width, option = argument.split()
            explorer = tab(width=int(width), **{option: True})
        elif word in TRUE:
            explorer.wait_until(lambda: TRUE[word](explorer, argument, text), line)  # noqa: B023 - called at once
        else:
            DONE[word](explorer, argument, text)
