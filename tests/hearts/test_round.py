"""Rounds as values: immutable, equal by content, as text and as data, in every phase and under any rules."""

import copy
import json
import pickle
import string

import pytest
from hearts.strange_players import First  # pytest's pythonpath has the folder of tests
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import IllegalMoveError, ParseError, hearts, kernels
from gamecore.hearts._cards import cards_of
from gamecore.hearts._rules import DIRECTIONS, FLAGS, MOONS

rules_of_any_kind = st.builds(
    hearts.Rules,
    **dict.fromkeys(FLAGS, st.booleans()),
    moon=st.sampled_from(MOONS),
    cycle=st.lists(st.sampled_from(tuple(DIRECTIONS)), min_size=1, max_size=5).map(tuple),
    match_points=st.integers(1, 100_000),
)


@st.composite
def rounds(draw):
    """A round in any phase: passes in any order of seats, then cards of any player's choice."""
    rules = draw(rules_of_any_kind)
    passing = draw(st.sampled_from(tuple(DIRECTIONS))) if rules.pass_cards else "hold"
    index = draw(st.sampled_from([0, 0, 1, (1 << 63) - 1]))
    round_ = hearts.Round.deal(draw(st.integers(0, (1 << 64) - 1)), rules, passing, None, index)
    if passing != "hold":
        seats = draw(st.permutations(range(4)))[: draw(st.sampled_from([0, 1, 2, 3, 4, 4, 4]))]
        for seat in seats:
            round_ = round_.pass_cards(seat, draw(st.permutations(round_.hands[seat]))[:3])
    if not round_.passing_seats:
        for _ in range(draw(st.integers(0, 52))):
            legal = round_.legal_moves()
            round_ = round_.play(legal[draw(st.integers(0, len(legal) - 1))])
    return round_


@settings(max_examples=200, deadline=None)
@given(round_=rounds())
def test_text_and_data_round_trips(round_):
    text = round_.to_text()
    allowed = string.ascii_letters + string.digits + ":.,=_-"
    assert set(text) <= set(allowed)
    assert text[0].isalpha()
    fields = (round_.dealt, round_.rules, round_.passing, round_.passed, round_.played, round_.seed, round_.index)
    for again in (
        hearts.Round.from_text(text),
        hearts.Round.from_dict(json.loads(json.dumps(round_.to_dict()))),
        hearts.Round(*fields),
        pickle.loads(pickle.dumps(round_)),
        copy.deepcopy(round_),
        eval(repr(round_), {"hearts": hearts}),
    ):
        assert (again, hash(again), again.to_text(), again.hands) == (round_, hash(round_), text, round_.hands)
        assert (again.trick, again.tricks, again.points, again.to_move) == (
            round_.trick, round_.tricks, round_.points, round_.to_move,
        )  # fmt: skip
        assert [again.view(seat) for seat in range(4)] == [round_.view(seat) for seat in range(4)]
        assert again.legal_moves() == round_.legal_moves()
        if not round_.is_over:  # players that draw from the round's stream draw the same
            for who in ("random", "intelligent", "pimc:2"):
                assert again.ask(who) == round_.ask(who)


DEAL = hearts.Round.deal(7).to_text().split(":")[2]
PASSED = hearts.Round.deal(7, passing="left").to_text().split(":")[3]


def test_the_examples_of_the_documentation():
    assert hearts.Round.deal(7).to_text() == f"std:hold:{DEAL}:-:-:7"
    assert hearts.Round.deal(7, passing="left").to_text() == f"std:left:{DEAL}:{PASSED}:-:7"
    rules = hearts.Rules(must_break_hearts=False, moon="shooter", cycle=("left", "hold"), match_points=50)
    text = f"must_break_hearts=off,moon=shooter,cycle=left.hold,match_points=50:hold:{DEAL}:-:C2:7.3"
    round_ = hearts.Round.from_text(text)
    assert (round_.rules, round_.played, round_.seed, round_.index) == (rules, ("C2",), 7, 3)
    assert round_.to_text() == text
    by_hand = hearts.Round.from_text(f"match_points=50,must_break_hearts=off:left:{DEAL}:-.-.-.-:-:0")
    assert by_hand.to_text() == f"must_break_hearts=off,match_points=50:left:{DEAL}:-:-:-"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("std:hold", 1, "2 fields"), (f"usual:hold:{DEAL}:-:-:-", 1, "'usual' is no rule"),
        (f"moon=me:hold:{DEAL}:-:-:-", 6, "moon must be one of"),
        (f"pass_cards=on,pass_cards=on:hold:{DEAL}:-:-:-", 15, "stands twice"),
        (f"match_points=0:hold:{DEAL}:-:-:-", 14, "match_points"),
        (f"cycle=left.up:hold:{DEAL}:-:-:-", 12, "cycle must be one of"),
        (f"cycle={'.'.join(['left'] * 65)}:hold:{DEAL}:-:-:-", 7, "65 directions"),
        (f"std:up:{DEAL}:-:-:-", 5, "PASSING"), (f"pass_cards=off:left:{DEAL}:-:-:-", 16, "needs the rule"),
        (f"std:hold:{DEAL[:-2]}:-:-:-", 91, "13 cards"), (f"std:hold:{DEAL[:-2]}C4:-:-:-", 115, "C4 stands twice"),
        (f"std:hold:{DEAL[:-2]}4C:-:-:-", 115, "'4C' is not a card"),
        (f"std:hold:{DEAL.replace('.', '')}:-:-:-", 10, "four parts"),
        (f"std:hold:{DEAL}:{PASSED}:-:-", 118, "play has begun"), (f"std:left:{DEAL}:C4CT.-.-.-:-:-", 118, "3 cards"),
        (f"std:left:{DEAL}:C4CTC2.-.-.-:-:-", 118, "not in its hand"),
        (f"std:left:{DEAL}:-:C2:-", 120, "have to pass cards first"),
        (f"std:hold:{DEAL}:-:C2C3:-", 122, "cannot play C3"), (f"std:hold:{DEAL}:-:C2C4.C5:-", 120, "4 cards"),
        (f"std:hold:{DEAL}:-:C2C:-", 120, "1 cards"), (f"std:hold:{DEAL}:-::-", 120, "1 cards"),
        (f"std:hold:{DEAL}:-:-:x", 122, "SEED"), (f"std:hold:{DEAL}:-:-:{1 << 64}", 122, "SEED"),
        (f"std:hold:{DEAL}:-:-:1.{1 << 63}", 124, "index"), (f"std:hold:{DEAL}:-:-:1.2.3", 122, "a point"),
        (f"std:hold:{DEAL}:-:-:{'9' * 5000}", 122, "SEED"),
    ],
)  # fmt: skip
def test_refusals_name_the_column(text, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        hearts.Round.from_text(text)
    assert (caught.value.line, caught.value.column) == (1, column)


@pytest.mark.parametrize(
    "change",
    [{"dealt": [["C2"]] * 4}, {"rules": {"moon": 1}}, {"passed": [1, 2, 3, 4]}, {"seed": 1.0}, {"index": True}],
)
def test_dicts_that_are_none(change):
    with pytest.raises(ParseError):
        hearts.Round.from_dict({**hearts.Round.deal(7).to_dict(), **change})


def test_rules_as_data():
    rules = hearts.Rules(moon="shooter", cycle=("hold",))
    assert hearts.Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert tuple(rules.to_dict()) == (*FLAGS, "moon", "cycle", "match_points")
    for change in ({"moon": "me"}, {"cycle": [1]}, {"cycle": []}, {"pass_cards": 1}, {"match_points": 0}, {"x": 1}):
        with pytest.raises(ParseError):
            hearts.Rules.from_dict({**rules.to_dict(), **change})
    with pytest.raises(TypeError):
        hearts.Rules(no_such_flag=True)


@pytest.mark.parametrize("direction", range(4))
def test_a_round_that_random_plays_is_the_kernels(direction):
    """Built-in players draw from (seed, index, ply) as the kernel's whole rounds do."""
    passing = {number: name for name, number in DIRECTIONS.items()}[direction]
    for index in range(40):
        hands, passed, seats, cards, masks, points = kernels.kernel("hearts").trace(
            5, index, hearts.Rules().flags, direction
        )
        round_ = hearts.Round.deal(5, passing=passing, passer=None, index=index)
        assert round_.dealt == tuple(map(cards_of, hands))
        while round_.passing_seats:
            round_ = round_.play(round_.ask("random"))
        assert round_.passed == tuple(map(cards_of, passed))
        for seat, card, mask in zip(seats, cards, masks, strict=True):
            assert (round_.to_move, round_.legal_moves()) == (seat, cards_of(mask))
            assert round_.ask("random") == cards_of(1 << card)[0]
            round_ = round_.play(round_.ask("random"))
        assert round_.points == points


def test_exchanging_cards():
    round_ = hearts.Round.deal(7, passing="left", passer=None)
    for seat in range(4):
        assert round_.to_move == seat
        assert not round_.is_over
        legal = round_.legal_moves()
        assert len(legal) == len(set(legal)) == 286
        assert (legal, round_.view((seat + 1) % 4).legal_moves()) == (round_.view(seat).legal_moves(), ())
        assert legal[0] == "-".join(round_.hands[seat][:3])
        with pytest.raises(IllegalMoveError, match="have to pass cards first"):
            round_.play(round_.hands[seat][0])
        round_ = round_.play("-".join(reversed(legal[100].split("-"))))
        assert round_.passed[seat] == tuple(legal[100].split("-"))
    assert round_.passing_seats == ()
    assert round_.legal_moves() == ("C2",)
    with pytest.raises(IllegalMoveError, match="play has begun"):
        round_.play("C2-D3-HA")
    with pytest.raises(IllegalMoveError, match="no cards are passed"):
        round_.ask_pass(0, "greedy")
    assert hearts.Round.deal(7, passing="left").passed == tuple(
        hearts.Round.deal(7, passing="left", passer=None).ask_pass(seat, "greedy") for seat in range(4)
    )


def test_players_are_asked_for_both_kinds_of_moves():
    round_ = hearts.Round.deal(3, passing="right", passer=None)
    while not round_.is_over:
        legal = round_.legal_moves()
        assert round_.ask(First()) == legal[0]
        assert round_.ask("literal") in legal
        round_ = round_.play(legal[0])
    with pytest.raises(IllegalMoveError, match="over"):
        round_.ask("greedy")


def test_random_rounds_reach_every_phase():
    found = {"passing": 0, "first trick": 0, "middle": 0, "over": 0}
    for seed in range(300):
        round_ = hearts.random(rng=seed)
        name = "passing" if round_.passing_seats else "over" if round_.is_over else "middle"
        found["first trick" if name == "middle" and not round_.tricks else name] += 1
    assert min(found.values()) > 0
    assert {hearts.random(rng=seed).passing for seed in range(40)} == set(DIRECTIONS)
    assert hearts.random("left", plies=2, rng=1).passing_seats == (2, 3)
    assert hearts.random(rules=hearts.Rules(pass_cards=False), rng=1).passing == "hold"


def test_rounds_views_and_tricks_print_as_their_pictures():
    round_ = hearts.random(rng=3, plies=13)
    lines = str(round_).splitlines()
    assert lines[1] == "seat 1   0  CA  D5 D8 D9 DA  ST  H7 H9 HT HJ HA"
    assert lines[-2:] == ["table       seat 0: DQ", "trick 3: seat 1 to move"]
    seen = str(round_.view(1)).splitlines()
    assert seen[1:] == [lines[1], *(f"seat {seat}   0  11 cards" for seat in (2, 3)), *lines[-2:]]
    assert str(round_.tricks[0]) == "seat 3: C2  seat 0: C7  seat 1: CJ  seat 2: C4  -> seat 1 takes 0 points"
    assert "over" in str(hearts.random(rng=7, plies=60))
