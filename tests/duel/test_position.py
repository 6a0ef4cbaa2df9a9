"""Positions of the duel: rules, text, data, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import duel
from gamecore.duel._position import greedy_move
from gamecore.duel._text import read
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError, ParseError

SOURCE = "3\nDQ H2 HA\nH3 D6 S3\n"
TEXT = "DQH2HA:H3D6S3:A:-"
REACHABLE = st.builds(
    lambda n, seed, plies: duel.random(n, plies=plies, rng=seed),
    st.integers(1, 26), st.integers(0, 10**9), st.one_of(st.none(), st.integers(0, 104)),
)  # fmt: skip


def test_parse_and_print():
    position = duel.parse(SOURCE)
    assert position == duel.Position(alice=["HA", "H2", "DQ"], bob=["S3", "D6", "H3"], to_move="Alice", last=None)
    assert position.alice == ("DQ", "H2", "HA")
    assert str(position) == "Alice: DQ H2 HA\nBob:   H3 D6 S3\nAlice may play any card"
    assert (eval(repr(position)), hash(eval(repr(position)))) == (position, hash(position))


def test_a_game_move_by_move():
    position = duel.parse(SOURCE)
    assert position.legal_moves() == ("DQ", "H2", "HA")
    position = position.play("HA")
    assert (position.to_move, position.last, position.legal_moves()) == ("Bob", "HA", ("H3",))
    assert "Bob has to match HA" in str(position)
    position = position.play("H3").play("H2")
    assert position.legal_moves() == (duel.PASS,) == ("pass",)
    position = position.play("pass")
    assert position.last is None
    assert not position.is_over
    assert position.winner is None
    assert position.points is None
    position = position.play("DQ")
    assert position.is_over
    assert (position.winner, position.points, position.legal_moves()) == ("Alice", 9, ())
    assert "Alice won 9 points" in str(position)


@pytest.mark.parametrize(
    ("moves", "bad", "message"),
    [
        ([], "S3", "Alice does not hold 'S3'"), ([], "pass", "Alice may not pass: DQ fits"),
        ([], None, "Alice does not hold None"), (["HA"], "D6", "D6 shares neither suit nor number with HA"),
        (["HA"], "pass", "Bob may not pass: H3 fits HA"), (["HA", "H3", "H2"], "D6", "shares neither"),
        (["HA", "H3", "H2", "pass", "DQ"], "D6", "the game is over"),
        (["HA", "H3", "H2", "pass", "DQ"], "pass", "the game is over"), ([], "\x1b[31m", "does not hold '\\x1b[31m'"),
        ([], 7, "does not hold 7"),
    ],
)  # fmt: skip
def test_illegal_moves(moves, bad, message):
    position = duel.parse(SOURCE)
    for move in moves:
        position = position.play(move)
    with pytest.raises(IllegalMoveError) as error:
        position.play(bad)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"alice": ["HX"], "bob": ["H3"]}, CardError, "Alice's hand: 'HX' is not a card"),
        ({"alice": ["H2"], "bob": ["3H"]}, CardError, "Bob's hand: '3H' is not a card"),
        ({"alice": [12], "bob": ["3H"]}, CardError, "12 is not a card"),
        ({"alice": ["H2", "H2"], "bob": ["H3"]}, CardError, "H2 stands twice"),
        ({"alice": ["H2"], "bob": ["H3", "H2"]}, CardError, "H2 is in both hands"),
        ({"alice": [], "bob": []}, OptionError, "both hands are empty"),
        ({"alice": ["H2"], "bob": ["H3"], "to_move": "alice"}, OptionError, "not 'alice'"),
        ({"alice": ["H2"], "bob": ["H3"], "last": "H3"}, CardError, "last: H3 is still in a hand"),
        ({"alice": ["H2"], "bob": ["H3"], "last": "no"}, CardError, "'no' is not a card"),
    ],
)
def test_bad_positions(arguments, kind, message):
    with pytest.raises(kind) as error:
        duel.Position(**arguments)
    assert message in str(error.value)
    assert isinstance(error.value, ValueError)


def test_notation():
    position = duel.parse(SOURCE)
    assert (position.to_text(), position.play("HA").to_text()) == (TEXT, "DQH2:H3D6S3:B:HA")
    assert duel.Position([], ["H3", "D6"], "Bob", "DQ").to_text() == "0:H3D6:B:DQ"
    assert duel.Position.from_text(" DQH2:-:A:-\n") == duel.Position(["DQ", "H2"], [])


@given(REACHABLE)
def test_the_notation_is_read_back(position):
    for again in (duel.Position.from_text(position.to_text()), duel.Position.from_dict(position.to_dict())):
        assert again == position
        assert (again.alice, again.bob) == (position.alice, position.bob)  # the order of cards, too
    assert set(position.to_text()) <= set("ACDHS23456789TJQKB0-:")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", None, "ALICE:BOB:MOVER:LAST"), ("DQ:H3:A", 1, "3 fields where a position has 4"),
        ("DQ:H3:A:-:", 1, "5 fields"), ("DX:H3:A:-", 1, "ALICE: 'DX' is not a card"),
        ("  DQDX:H3:A:-", 5, "ALICE: 'DX' is not a card"), ("DQH:H3:A:-", 3, "ALICE: 'H' is not a card"),
        ("DQ:3H:A:-", 4, "BOB: '3H' is not a card"), ("DQ:h3:A:-", 4, "BOB: 'h3' is not a card"),
        ("DQ:H3D6DQ:A:-", 8, "BOB: DQ stands twice"), ("DQDQ:H3:A:-", 3, "ALICE: DQ stands twice"),
        (":H3:A:-", 1, "a hand without cards is written 0"), ("0:-:A:-", 3, "both hands are empty"),
        ("DQ:H3:a:-", 7, "MOVER must be one of A, B, not 'a'"), ("DQ:H3::-", 7, "MOVER"),
        ("DQ:H3:A:", 9, "LAST: '' is not a card"), ("DQ:H3:A:DQ", 9, "LAST: DQ is still in a hand"),
        ("DQ:H3:A:D2D3", 9, "LAST: 'D2D3' is not a card"), ("DQ:H3:A:--", 9, "LAST: '--' is not a card"),
        ("DQ H2:H3:A:-", 3, "does not belong"), ("DQ:H\u0663:A:-", 5, "does not belong"),
        ("DQ:H3:A:-\x1b", 10, "does not belong"), ("DQ:H3\nS3:A:-", 6, "does not belong"),
    ],
)  # fmt: skip
def test_bad_notation(text, column, message):
    with pytest.raises(ParseError) as error:
        duel.Position.from_text(text)
    assert message in str(error.value)
    assert (error.value.column, error.value.line) == (column, None if column is None else 1)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alice": "DQ"}, "alice must be list or tuple"), ({"alice": ["DQ", 5]}, "Alice's hand: 5 is not a card"),
        ({"alice": ["DQ", ["H2"]]}, "Alice's hand: ['H2'] is not a card"), ({"bob": ["DQ"]}, "DQ is in both hands"),
        ({"bob": [], "alice": []}, "both hands are empty"),
        ({"to_move": "A"}, "to_move must be 'Alice' or 'Bob', not 'A'"), ({"to_move": 0}, "to_move must be str"),
        ({"last": "H3"}, "last: H3 is still in a hand"), ({"last": True}, "last must be"),
        ({"first": 1}, "no field 'first'"),
    ],
)  # fmt: skip
def test_bad_dicts(change, message):
    with pytest.raises(ParseError) as error:
        duel.Position.from_dict({"alice": ["DQ"], "bob": ["H3"], "to_move": "Alice", "last": None, **change})
    assert message in str(error.value)


def test_texts_stand_for_positions():
    position = duel.parse(SOURCE)
    for text in (TEXT, f" {TEXT}\n", SOURCE, SOURCE + "\n"):
        assert (read(text), duel.solve(text)) == (position, duel.solve(position))
        assert duel.analyse(text) == duel.analyse(position)
    assert read(position) is position
    with pytest.raises(OptionError, match="a text of one is meant, not 7"):
        duel.solve(7)
    with pytest.raises(ParseError, match="more than one deal"):
        duel.solve(SOURCE * 2)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "empty"), (" \n\n", None, "empty"), ("0\n\n\n", 1, "1 to 26, not '0'"), ("27\n", 1, "not '27'"),
        ("-1\nHA\nH2\n", 1, "not '-1'"), ("two\nHA H2\nH3 H4\n", 1, "not 'two'"),
        ("99999999999999999999999\n", 1, "1 to 26"), ("0" * 9000 + "x\n", 1, "1 to 26"),
        ("2\nHA\nH3 H4\n", 2, "Alice's hand has 1 cards, but n is 2"),
        ("1\nHA\nH3 H4\n", 3, "Bob's hand has 2 cards, but n is 1"), ("\n1\n\nHA\n\nHA\n", 6, "HA is in both hands"),
        ("2\nHA HA\nH3 H4\n", 2, "HA stands twice"), ("2\nHA H1\nH3 H4\n", 2, "'H1' is not a card"),
        ("2\nHA H2\n", 2, "Bob's hand has 0 cards"), ("1\nHÄ\nH3\n", 2, "ASCII"),
        ("1\nHA\nH\x003\n", 3, "'H\\x003' is not a card"), ("\u0661\nHA\nH3\n", 1, "ASCII"),
    ],
)  # fmt: skip
def test_bad_text(text, line, message):
    with pytest.raises(ParseError) as error:
        duel.parse(text)
    assert message in str(error.value)
    assert error.value.line == line
    assert str(error.value).isascii()
    assert "\n" not in str(error.value)


def test_text_as_people_write_it():
    assert duel.parse("1\r\nHA \t\r\n  H3  ") == duel.Position(["HA"], ["H3"])
    assert len(list(duel.parse_many(SOURCE * 3 + "\n\n1\nHA\nH2"))) == 4
    with pytest.raises(ParseError, match="more than one deal"):
        duel.parse(SOURCE * 2)
    with pytest.raises(ParseError, match="str"):
        duel.parse(b"1\nHA\nH2")


@given(st.text(alphabet="0123 \nCDHSAKQ2x", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        positions = list(duel.parse_many(text))
    except GamecoreError as error:
        message = str(error)
    else:
        message = ""
        assert all(position.to_move == "Alice" for position in positions)
    assert "\n" not in message


@given(st.integers(1, 26), st.integers(0, 10**9))
def test_the_judges_text_out_and_in(n, seed):
    position = duel.deal(n, rng=seed)
    assert duel.parse(position.to_judge()) == position
    assert duel.parse(position.to_judge()).alice == position.alice


@pytest.mark.parametrize("text", ["DQ:H3:B:-", "DQ:H3:A:D2", "DQH2:H3:A:-", "0:H3:A:-"])
def test_the_judges_text_holds_no_more_than_deals(text):
    with pytest.raises(GamecoreError, match="before Alice's first card, not " + text):
        duel.Position.from_text(text).to_judge()
    whole = [suit + rank for suit in "CDHS" for rank in "A23456789TJQK"]
    with pytest.raises(GamecoreError, match="1 to 26 cards"):
        duel.Position(whole[:27], whole[27:]).to_judge()


def test_deals():
    position = duel.deal(26, rng=7)
    assert position == duel.deal(26, rng=np.random.default_rng(7))
    assert (len({*position.alice, *position.bob}), position.to_move, position.last) == (52, "Alice", None)
    assert duel.random(5, plies=0, rng=7) == duel.deal(5, rng=7)
    assert duel.random(3, plies=1000, rng=7).is_over
    for n in (0, 27, True, "3", 2.0, None):
        with pytest.raises(OptionError, match="n, the number of cards"):
            duel.deal(n)
        with pytest.raises(OptionError, match="n, the number of cards"):
            duel.random(n)


@given(REACHABLE)
def test_the_greedy_card_costs_most_and_comes_first(position):
    if position.is_over:
        return
    legal = position.legal_moves()
    values = ["A23456789TJQK".find(card[1]) for card in legal]  # -1 for a pass
    assert legal.index(greedy_move(position)) == values.index(max(values))
