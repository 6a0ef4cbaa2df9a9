"""The quiz, the editor and pasted text: what is wrong is said, and the last good position stays."""

DUEL = "DQH2HA:H3D6S3:A:-"
PAWNS = "5/pp1pp/PPp2/3P1/4P:w"


# --- quiz -------------------------------------------------------------------------------------------------------------


def test_the_quiz_hides_values_and_keeps_the_score(explorer):
    page = explorer.open("duel", DUEL).page
    explorer.finish()
    page.get_by_label("Hide values (quiz)").check()
    assert (explorer.badges(), {value for value, _ in explorer.values().values()}) == ({}, {"hidden"})
    assert page.locator("gc-move-list .detail").is_hidden()
    assert page.locator("gc-move-list .whole").is_hidden()
    score = page.locator(".score")
    explorer.press_board("DQ")
    explorer.wait_position("H2HA:H3D6S3:B:DQ")
    assert score.inner_text() == "0 of 1 best, 12 lost"
    assert "costs 12 points" in page.locator(".verdict").inner_text()
    mistake = page.locator("gc-mistake")
    assert "costs 12 points" in mistake.inner_text()
    assert "Best" not in mistake.inner_text()  # the refutation and the best move are hidden until they are asked for
    assert mistake.get_by_role("button").all_inner_texts() == ["Show the answer"]
    mistake.get_by_role("button", name="Show the answer").click()
    assert "Best was ♥A" in mistake.inner_text()
    explorer.press_board("D6")
    explorer.wait_other("H2HA:H3D6S3:B:DQ")
    assert score.inner_text() == "1 of 2 best, 12 lost"
    page.get_by_role("button", name="Reset score").click()
    assert score.inner_text() == "0 of 0 best"
    page.get_by_label("Hide values (quiz)").uncheck()
    explorer.finish()
    assert explorer.badges()
    page.get_by_role("button", name="Back").click()
    mistake.get_by_role("button", name="refutation").wait_for()


def test_in_a_quiz_names_of_buttons_do_not_tell(explorer):
    explorer.open("duel", DUEL)
    explorer.finish()
    card = explorer.page.locator('.board [data-move="DQ"]')
    assert card.get_attribute("aria-label") == "queen of diamonds: loses 3 points"
    explorer.page.get_by_label("Hide values (quiz)").check()
    assert card.get_attribute("aria-label") == "queen of diamonds"


# --- editor -----------------------------------------------------------------------------------------------------------


def editor(explorer):
    explorer.tool("Set up")
    explorer.page.locator("summary", has_text="Editor").click()
    return explorer.page.locator("gc-editor")


def test_a_duel_is_edited(explorer):
    explorer.open("duel", DUEL)
    edit = editor(explorer)
    edit.get_by_label("bob").fill("H3 D6 S3 SK")
    edit.get_by_text("This is a position.").wait_for()
    edit.get_by_role("button", name="Use this position").click()
    assert "SK" in explorer.wait_other(DUEL).split(":")[1]


def test_an_impossible_board_is_refused_and_the_last_good_one_stays(explorer):
    explorer.open("hexapawn", PAWNS)
    edit = editor(explorer)
    rows = edit.get_by_label("rows", exact=True)
    rows.fill(rows.input_value().replace(".", "P", 1))  # a white pawn on its far row: no game comes there
    state = edit.locator(".state.error")
    state.wait_for()
    assert len(state.inner_text()) > 20
    assert edit.get_by_role("button", name="Use this position").is_disabled()
    assert explorer.position == PAWNS
    edit.get_by_role("button", name="Take the position shown").click()
    assert edit.get_by_role("button", name="Use this position").is_enabled()


def test_a_board_that_grows_or_shrinks_keeps_what_fits(explorer):
    explorer.open("hexapawn", "ppp/3/PPP:w")
    edit = editor(explorer)
    edit.get_by_label("Number of rows").fill("4")
    edit.get_by_label("Number of rows").blur()
    assert edit.get_by_label("rows", exact=True).input_value() == "ppp\n...\n...\nPPP"
    edit.get_by_label("Number of columns").fill("2")
    edit.get_by_label("Number of columns").blur()
    edit.get_by_text("2 pieces did not fit and were cut.").wait_for()
    edit.get_by_role("button", name="Use this position").click()
    explorer.wait_position("pp/2/2/PP:w")


def test_a_row_is_edited_and_a_bad_value_is_named(explorer):
    explorer.open("rows", "greedy:me:0:0:5,7,9")
    edit = editor(explorer)
    edit.get_by_label("values").fill("5 seven 9")
    state = edit.locator(".state.error")
    state.wait_for()
    assert "seven" in state.inner_text()
    edit.get_by_label("values").fill("5 7 9 11")
    edit.get_by_text("This is a position.").wait_for()
    edit.get_by_label("opponent", exact=True).select_option("cooperative")
    edit.get_by_role("button", name="Use this position").click()
    explorer.wait_position("cooperative:me:0:0:5,7,9,11")


def test_a_hearts_deal_is_edited(explorer):
    explorer.open("hearts", seat="all")
    before = explorer.position
    edit = editor(explorer)
    hand = edit.get_by_label("hands 0")
    hand.fill(hand.input_value() + " C2")
    edit.locator(".state.error").wait_for()  # fourteen cards in one hand
    assert explorer.position == before


# --- text -------------------------------------------------------------------------------------------------------------


def paste(explorer, text):
    page = explorer.page
    explorer.tool("Set up")
    page.get_by_label("Paste a position").fill(text)
    page.get_by_role("button", name="Read this").click()


TEXTS = {
    PAWNS: PAWNS,
    "3\nDQ H2 HA\nH3 D6 S3\n": DUEL,
    "greedy:me:0:0:5,7,9": "greedy:me:0:0:5,7,9",
    "#game=duel&position=DQH2HA:H3D6S3:A:-&moves=HA": "DQH2:H3D6S3:B:HA",
}


def test_any_accepted_text_is_read(explorer):
    explorer.open("rows", "optimal:me:0:0:1,2")
    for text, position in TEXTS.items():
        paste(explorer, text)
        explorer.wait_position(position)


def test_what_cannot_be_read_is_said_with_its_place(explorer):
    explorer.open("duel", DUEL)
    paste(explorer, "3\nDQ H2 HA\nH3 D6 <b>\n")
    error = explorer.page.locator("gc-position .error")
    error.wait_for()
    assert len(error.inner_text()) > 20
    assert explorer.page.locator("gc-position b").count() == 0  # text stays text
    assert explorer.position == DUEL
    paste(explorer, DUEL.replace(":A:", ":B:"))  # and then a good one
    explorer.wait_position(DUEL.replace(":A:", ":B:"))
    assert error.is_hidden()


def test_of_several_positions_one_is_chosen(explorer):
    explorer.open("duel", DUEL)
    paste(explorer, "3\nDQ H2 HA\nH3 D6 S3\n2\nC2 C3\nD2 D3\n")
    choice = explorer.page.get_by_label("2 positions")
    choice.wait_for()
    choice.select_option(index=1)
    explorer.wait_position("C2C3:D2D3:A:-")
