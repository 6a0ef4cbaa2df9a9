"""Positions of the duel: rules, text, and what is refused."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import duel
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError, ParseError

SOURCE = "3\nDQ H2 HA\nH3 D6 S3\n"


def test_parse_and_print():
    position = duel.parse(SOURCE)
    assert position == duel.Position(alice=["HA", "H2", "DQ"], bob=["S3", "D6", "H3"], to_move="Alice", last=None)
    assert position.alice == ("DQ", "H2", "HA")
    assert str(position) == "Alice: DQ H2 HA\nBob:   H3 D6 S3\nAlice may play any card"
    assert eval(repr(position)) == position
    assert hash(eval(repr(position))) == hash(position)


def test_a_game_move_by_move():
    position = duel.parse(SOURCE)
    assert position.legal_moves() == ("DQ", "H2", "HA")
    position = position.play("HA")
    assert (position.to_move, position.last, position.legal_moves()) == ("Bob", "HA", ("H3",))
    assert "Bob has to match HA" in str(position)
    position = position.play("H3").play("H2")
    assert position.legal_moves() == (None,)
    position = position.play(None)
    assert position.last is None
    assert not position.is_over
    assert position.winner is None
    assert position.points is None
    position = position.play("DQ")
    assert position.is_over
    assert (position.winner, position.points, position.legal_moves()) == ("Alice", 9, ())
    assert "Alice won 9 points" in str(position)
    assert duel.solve(position).value == 9
    assert duel.analyse(position) == ()


@pytest.mark.parametrize(
    ("moves", "bad", "message"),
    [
        ([], "S3", "Alice does not hold 'S3'"),
        ([], None, "Alice may not pass: DQ fits"),
        (["HA"], "D6", "D6 shares neither suit nor number with HA"),
        (["HA"], None, "Bob may not pass: H3 fits HA"),
        (["HA", "H3", "H2"], "D6", "shares neither"),
        (["HA", "H3", "H2", None, "DQ"], "D6", "the game is over"),
        ([], "\x1b[31m", "does not hold '\\x1b[31m'"),
        ([], 7, "does not hold 7"),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "empty"),
        (" \n\n", None, "empty"),
        ("0\n\n\n", 1, "1 to 26, not '0'"),
        ("27\n", 1, "not '27'"),
        ("-1\nHA\nH2\n", 1, "not '-1'"),
        ("two\nHA H2\nH3 H4\n", 1, "not 'two'"),
        ("99999999999999999999999\n", 1, "1 to 26"),
        ("2\nHA\nH3 H4\n", 2, "Alice's hand has 1 cards, but n is 2"),
        ("1\nHA\nH3 H4\n", 3, "Bob's hand has 2 cards, but n is 1"),
        ("\n1\n\nHA\n\nHA\n", 6, "HA is in both hands"),
        ("2\nHA HA\nH3 H4\n", 2, "HA stands twice"),
        ("2\nHA H1\nH3 H4\n", 2, "'H1' is not a card"),
        ("2\nHA H2\n", 2, "Bob's hand has 0 cards"),
        ("1\nHÄ\nH3\n", 2, "ASCII"),
        ("1\nHA\nH\x003\n", 3, "'H\\x003' is not a card"),
        ("\u0661\nHA\nH3\n", 1, "ASCII"),
    ],
)
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


def test_positions_are_values():
    position = duel.parse(SOURCE)
    with pytest.raises(AttributeError, match="immutable"):
        position.last = "HA"
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.deepcopy(position) == position
    assert position != "position"
    assert position != position.play("HA")
    solution = duel.solve(position)
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_results_print_well():
    solution = duel.solve(duel.parse(SOURCE))
    assert str(solution) == "Alice wins 9 points"
    assert [str(entry) for entry in duel.analyse(duel.parse(SOURCE))] == ["HA +9", "H2 +9", "DQ -3"]
    assert str(duel.Solution(-3, 9, None, (), 0, 0.0, 0)) == "not decided: value for Alice from -3 to +9"
    assert str(duel.Solution(-9, -3, None, (), 0, 0.0, 0)) == "Bob wins 3 to 9 points"
    assert duel.Solution(-9, -3, None, (), 0, 0.0, 0).winner == "Bob"


def test_bob_to_move_reports_for_alice():
    position = duel.Position(["DQ"], ["H3", "D6"], to_move="Bob", last="DK")
    assert position.legal_moves() == ("D6",)
    assert duel.solve(position).value == 3
    assert [str(entry) for entry in duel.analyse(position)] == ["D6 +3"]


def test_workers_are_checked():
    with pytest.raises(OptionError, match="workers"):
        duel.solve_many([], workers=0)
    assert duel.solve_many([]) == []
