"""The quiz, the editor and pasted text: what is wrong is said, and the last good position stays."""

import pytest
from explore.browser import STARTS

DUEL, PAWNS = STARTS["duel"], STARTS["hexapawn"]


def test_the_quiz_hides_values_and_keeps_the_score(explorer):
    page = explorer.open("duel", DUEL).page
    explorer.finish()
    card = page.locator('gc-board [data-move="DQ"]')
    assert card.get_attribute("aria-label") == "queen of diamonds: loses 3 points"
    page.get_by_label("Hide values (quiz)").check()
    assert card.get_attribute("aria-label") == "queen of diamonds"
    assert explorer.badges() == {}
    for part in (".detail", ".whole", "th", "td.cost", ".value"):
        assert not page.locator(f"gc-move-list {part}").first.is_visible()
    score, mistake = page.locator(".score"), page.locator("gc-mistake")
    explorer.press_board("DQ")
    explorer.wait_position("H2HA:H3D6S3:B:DQ")
    assert score.inner_text() == "0 of 1 best, 12 lost"
    assert "costs 12 points" in mistake.inner_text()
    assert "Best" not in mistake.inner_text()  # the refutation and the best move are hidden until they are asked for
    assert mistake.get_by_role("button").all_inner_texts() == ["Show the answer"]
    mistake.get_by_role("button").click()
    assert "Best was ♥A" in mistake.inner_text()
    explorer.press_board("D6")
    explorer.wait_other("H2HA:H3D6S3:B:DQ")
    assert score.inner_text() == "0 of 1 best, 12 lost"  # a move without a choice does not count
    explorer.button("Reset score").click()
    assert score.inner_text() == "0 of 0 best"
    page.get_by_label("Hide values (quiz)").uncheck()
    explorer.finish()
    assert explorer.badges()


def editor(explorer):
    explorer.tool("Set up")
    explorer.page.locator("summary", has_text="Editor").click()
    return explorer.page.locator("gc-editor")


@pytest.mark.parametrize(("game", "start", "field", "wrong", "right", "position"), [
    ("duel", DUEL, "bob", "H3 DQ", "H3 D6 S3 SK", "DQH2HA:H3D6S3SK:A:-"),
    ("hexapawn", "ppp/3/PPP:w", "rows", "Ppp\n...\nPPP", "p.p\n...\nPPP", "p1p/3/PPP:w"),
    ("rows", "greedy:me:0:0:5,7,9", "values", "5 seven 9", "5 7 9 11", "greedy:me:0:0:5,7,9,11"),
])  # fmt: skip
def test_an_impossible_position_is_refused_and_the_last_good_one_stays(
    explorer, game, start, field, wrong, right, position
):
    explorer.open(game, start)
    edit = editor(explorer)
    edit.get_by_label(field, exact=True).fill(wrong)
    edit.locator(".state.error").wait_for()
    assert explorer.button("Use this position").is_disabled()
    assert explorer.position == start
    explorer.button("Take the position shown").click()
    assert explorer.button("Use this position").is_enabled()
    edit.get_by_label(field, exact=True).fill(right)
    edit.get_by_text("This is a position.").wait_for()
    explorer.button("Use this position").click()
    explorer.wait_position(position)


def test_a_board_that_grows_or_shrinks_keeps_what_fits(explorer):
    explorer.open("hexapawn", "ppp/3/PPP:w")
    edit = editor(explorer)
    edit.get_by_label("Number of rows").fill("4")
    edit.get_by_label("Number of rows").blur()
    assert edit.get_by_label("rows", exact=True).input_value() == "ppp\n...\n...\nPPP"
    edit.get_by_label("Number of columns").fill("2")
    edit.get_by_label("Number of columns").blur()
    edit.get_by_text("2 pieces did not fit and were cut.").wait_for()
    explorer.button("Use this position").click()
    explorer.wait_position("pp/2/2/PP:w")


TEXTS = {
    PAWNS: PAWNS,
    "3\nDQ H2 HA\nH3 D6 S3\n": DUEL,
    "#game=duel&position=DQH2HA:H3D6S3:A:-&moves=HA": "DQH2:H3D6S3:B:HA",
    "3\nDQ H2 HA\nH3 D6 S3\n2\nC2 C3\nD2 D3\n": DUEL,  # of several positions one is chosen
}


def test_any_accepted_text_is_read_and_another_is_refused_with_its_place(explorer):
    page = explorer.open("duel", DUEL.replace(":A:", ":B:")).page
    explorer.tool("Set up")
    text, error = page.get_by_label("Paste a position"), page.locator("gc-position .error")
    for wrong, place in (("3\nDQ H2 HA\nH3 D6 <b>\n", "line 3"), ("DQH2HA:H3D6XX:A:-", "column 12")):
        text.fill(wrong)
        explorer.button("Read this").click()
        error.filter(has_text=place).wait_for()
    assert page.locator("gc-position b").count() == 0  # text stays text
    assert text.evaluate("area => area.value.slice(area.selectionStart)") == "XX:A:-"
    assert explorer.position == DUEL.replace(":A:", ":B:")
    for pasted, position in TEXTS.items():
        explorer.tool("Set up")  # another game has tools of its own
        text.fill(pasted)
        explorer.button("Read this").click()
        explorer.wait_position(position)
        assert error.is_hidden()
    page.get_by_label("2 positions").select_option(index=1)
    explorer.wait_position("C2C3:D2D3:A:-")
    explorer.page.get_by_label("Seed").fill("7")
    explorer.button("Random position").click()
    explorer.wait_other("C2C3:D2D3:A:-")
    page.locator(".message", has_text="seed 7").wait_for()
