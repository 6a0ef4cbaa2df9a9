"""A game against the computer, its options, and a match of several rounds; puzzles that ask for a choice."""

import re

import pytest
from explore.answers import hidden, leaks, refused
from explore.browser import STARTS

from gamecore import duel, hearts, hexapawn, rows
from gamecore.hearts import Rules

LIBRARY = {"duel": duel, "hexapawn": hexapawn, "rows": rows}
TOTALS = {"0": 80, "1": 3, "2": 5, "3": 8}


def begin(explorer, **options):
    """Start a new game by the dialog: a number or a choice for each label."""
    explorer.button("New game").click()
    dialog = explorer.page.get_by_role("dialog")
    for label, value in options.items():
        field = dialog.get_by_label(label.replace("_", " "), exact=True)
        if isinstance(value, int):
            field.fill(str(value))
        else:
            field.select_option(value)
    explorer.button("Start").click()


def test_an_opponent_in_the_tab_play_makes_a_game_too(explorer):
    page = explorer.open("rows", "optimal:me:0:0:5,7,9,1").page
    explorer.finish()
    assert page.locator("gc-bar > span").all_text_contents() == ["you are ahead", "opponent"]
    page.locator('[data-name="side-opponent"]').select_option("solver")
    assert explorer.badges() == {}
    explorer.tool("Analyse").get_by_text("Hidden with the values.").first.wait_for()
    explorer.button("Show values").click()
    assert set(explorer.badges()) == {"L", "R"}
    explorer.tool("Analyse").locator("svg").first.wait_for()


def test_values_of_a_game_are_hidden_until_they_are_asked_for(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
    begin(explorer, Cards_each=3)
    explorer.button("Show values").wait_for()
    explorer.finish()
    assert explorer.badges() == {}
    assert page.locator("gc-bar .track").get_attribute("aria-label") == "hidden"
    for part in (".detail", ".whole", "th", "td.cost", ".value", ".head strong"):
        assert not page.locator(f"gc-move-list {part}").first.is_visible()
    start = explorer.position
    page.reload()  # they stay hidden
    explorer.wait_position(start)
    explorer.button("Show values").click()
    explorer.finish()
    analysis = duel.analyse(duel.Position.from_text(start))
    assert explorer.badges() == {entry.move: str(entry).rsplit(" ", 1)[1] for entry in analysis}
    assert page.locator(".big").inner_text().replace("−", "-") == f"{analysis[0].value:+d}"
    assert page.locator(".whole").inner_text().startswith("Alice ")
    explorer.button("Hide values").click()
    assert explorer.badges() == {}
    page.get_by_role("navigation").get_by_role("button", name="Hexapawn").click()
    explorer.button("Hide values").wait_for()  # of another game they are shown


@pytest.mark.parametrize(
    ("game", "options", "start"),
    [
        ("duel", {"Cards_each": 17}, r"(\w\w){17}:(\w\w){17}:A:-"),
        ("duel", {"Cards_each": 26}, r"(\w\w){26}:(\w\w){26}:A:-"),
        ("rows", {"Values": 12, "Opponent": "cooperative"}, r"cooperative:me:0:0:(\d+,?){12}"),
        ("hexapawn", {"Rows": 3, "Columns": 5}, "ppppp/5/PPPPP:w"),
    ],
)
def test_a_new_game_of_any_size(explorer, game, options, start):
    explorer.open(game, STARTS[game])
    begin(explorer, **options)
    explorer.wait("text => new RegExp(`^${text}$`).test(document.querySelector('.notation').textContent)", start)


def test_a_size_that_is_too_large_is_not_started(explorer):
    explorer.open("duel", STARTS["duel"])
    begin(explorer, Cards_each=27)
    assert explorer.page.get_by_role("dialog").is_visible()
    assert explorer.axe() == []
    assert explorer.position == STARTS["duel"]


def test_hearts_begins_with_the_pass_and_plays_a_match(explorer):
    round_ = hearts.Round.deal(rng=3, rules=Rules(match_points=20), passing="left")
    while len(round_.played) < 51:
        round_ = round_.play(round_.ask("greedy"))
    page = explorer.open("hearts", round_.to_text(), seat="all").page
    begin(explorer)
    page.get_by_role("heading", name="seat 0 must pass three cards (left)").wait_for()
    explorer.open("hearts", round_.to_text(), seat="all")
    explorer.press_board(round_.legal_moves()[0])
    score, match = page.locator("gc-match dd"), page.locator("gc-match")
    points = round_.play(round_.legal_moves()[0]).points
    match.get_by_text("the match ends at 20 points").wait_for()
    assert score.all_inner_texts() == list(map(str, points))
    assert explorer.axe() == []
    explorer.button("Next round").click()
    page.get_by_role("heading", name="must pass three cards (right)").wait_for()
    page.reload()
    page.get_by_role("heading", name="must pass three cards (right)").wait_for()
    assert score.all_inner_texts() == list(map(str, points))  # of the rounds before
    page.get_by_role("navigation").get_by_role("button", name="Rows").click()
    page.get_by_label("Opponent").first.wait_for()
    assert not match.is_visible()


def test_a_match_goes_on_until_its_limit(ask):
    round_ = hearts.Round.deal(rng=3, rules=Rules(match_points=120, cycle=("left", "hold")), passing="left")
    while not round_.is_over:
        round_ = round_.play(round_.ask("greedy"))
    sums = [before + points for before, points in zip(TOTALS.values(), round_.points, strict=True)]
    answer = ask("next", game="hearts", position=round_.to_text(), totals=TOTALS)
    following = hearts.Round.from_text(answer["view"]["position"])
    assert (answer["totals"], following.passing, following.index) == (sums, "hold", 1)
    assert following.rules == round_.rules
    assert following.dealt == hearts.Round.deal(round_.seed, round_.rules, "hold", index=1).dealt
    answer = ask("next", game="hearts", position=round_.to_text(), totals=TOTALS | {"2": 200})
    assert answer["view"] is None
    assert re.search(r"the match is over; it goes to seat 1$", answer["text"])
    seen = ask("position", game="hearts", position=round_.to_text(), seat=2)["views"][0]["position"]
    answer = ask("next", game="hearts", position=seen, seat=2)
    assert not leaks(answer, hidden(following, 2))
    assert ask("next", game="rows", position="optimal:me:1:2:-")["totals"] is None
    assert refused(ask, "next", game="rows", position="optimal:me:1:2:5").code == "option"
    for totals in ({"0": "1"}, {"0": 1.5}, {"7": 1}, {"0": 10**9}):
        assert refused(ask, "next", game="hearts", position=round_.to_text(), totals=totals).code == "field"


@pytest.mark.parametrize("game", LIBRARY)
def test_puzzles_ask_for_a_real_choice(ask, game):
    for seed in range(4):
        position = LIBRARY[game].Position.from_text(ask("puzzle", game=game, seed=seed)["view"]["position"])
        assert len(position.legal_moves()) >= (2 if game == "rows" else 4)
        assert len(LIBRARY[game].analyse(position).best_moves) == 1


def test_a_quiz_says_once_what_a_move_costs(explorer):
    page = explorer.open("duel", STARTS["duel"]).page
    page.get_by_label("Hide values (quiz)").check()
    explorer.press_board("DQ")
    page.get_by_text("costs 12 points").wait_for()
    assert page.locator("body").inner_text().count("costs 12 points") == 1
    explorer.press_board("D6")
    explorer.wait_position("H2HA:H3S3:A:D6")
    assert page.locator(".score").inner_text() == "0 of 1 best, 12 lost"  # a move without a choice does not count
    assert not page.locator("gc-mistake").is_visible()
    explorer.open("duel", STARTS["duel"])
    page.get_by_label("Hide values (quiz)").check()
    explorer.press_board("HA")
    page.get_by_text("♥A is best: wins 9 points.").wait_for()
    assert page.locator(".score").inner_text() == "1 of 1 best"
