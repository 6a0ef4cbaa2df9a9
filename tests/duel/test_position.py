"""Positions of the duel: rules, text, data, errors. What all games share is in tests/test_contract.py."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import duel, game
from gamecore.errors import CardError, GamecoreError, IllegalMoveError, OptionError, ParseError

SOURCE = "3\nDQ H2 HA\nH3 D6 S3\n"
TEXT = "DQH2HA:H3D6S3:A:-"
REACHABLE = st.builds(
    lambda n, seed, plies: duel.random(n, plies=plies, rng=seed),
    st.integers(1, 26), st.integers(0, 10**9), st.none() | st.integers(0, 104),
)  # fmt: skip


def test_a_game_move_by_move():
    position = duel.parse(SOURCE)
    assert position == duel.Position(alice=["HA", "H2", "DQ"], bob=["S3", "D6", "H3"], to_move="Alice", last=None)
    assert str(position) == "Alice: DQ H2 HA\nBob:   H3 D6 S3\nAlice may play any card"
    assert position.legal_moves() == position.alice == ("DQ", "H2", "HA")
    assert duel.solve(f" {TEXT}\n") == duel.solve(SOURCE + "\n") == duel.solve(position)
    position = position.play("HA")
    assert (position.to_text(), position.legal_moves()) == ("DQH2:H3D6S3:B:HA", ("H3",))
    position = position.play("H3").play("H2")
    assert position.legal_moves() == (duel.PASS,) == ("pass",)
    position = position.play("pass")
    assert (position.last, position.is_over, position.winner, position.points) == (None, False, None, None)
    position = position.play("DQ")
    assert (position.is_over, position.winner, position.points, position.legal_moves()) == (True, "Alice", 9, ())
    assert position.to_text() == "0:D6S3:B:DQ"
    assert "Alice won 9 points" in str(position)


@pytest.mark.parametrize(
    ("moves", "bad", "message"),
    [
        ("", "S3", "Alice does not hold 'S3'"),
        ("", "pass", "Alice may not pass: DQ fits"),
        ("HA", "D6", "D6 shares neither suit nor number with HA"),
        ("HA", "pass", "Bob may not pass: H3 fits HA"),
        ("HA H3 H2 pass DQ", "pass", "the game is over"),
    ],
)
def test_illegal_moves(moves, bad, message):
    position = duel.parse(SOURCE)
    for move in moves.split():
        position = position.play(move)
    with pytest.raises(IllegalMoveError, match=message):
        position.play(bad)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"alice": ["HX"]}, CardError, "Alice's hand: 'HX' is not a card"),
        ({"bob": ["3H"]}, CardError, "Bob's hand: '3H' is not a card"),
        ({"alice": ["H2", "H2"]}, CardError, "H2 stands twice"),
        ({"bob": ["H3", "H2"]}, CardError, "H2 is in both hands"),
        ({"alice": [], "bob": []}, OptionError, "both hands are empty"),
        ({"to_move": "alice"}, OptionError, "to_move must be 'Alice' or 'Bob', not 'alice'"),
        ({"last": "H3"}, CardError, "last: H3 is still in a hand"),
        ({"last": "no"}, CardError, "'no' is not a card"),
    ],
)
def test_bad_positions(change, kind, message):
    arguments = {"alice": ["H2"], "bob": ["H3"], "to_move": "Alice", "last": None, **change}
    with pytest.raises(kind, match=message):
        duel.Position(**arguments)
    with pytest.raises(ParseError, match=f"a duel position: .*{message}"):
        duel.Position.from_dict(arguments)


@given(REACHABLE)
def test_texts_and_the_greedy_card(position):
    assert position.from_text(position.to_text()).alice == position.alice  # the order of cards, too
    fresh = duel.Position(position.alice, position.bob)
    if len(fresh.alice) == len(fresh.bob):
        assert duel.parse(fresh.to_judge()) == fresh
    if not position.is_over:
        values = ["A23456789TJQK".find(card[1]) for card in position.legal_moves()]  # -1 for a pass
        greedy = duel.GAME.players["greedy"].choose(position, None, None).move
        assert position.legal_moves().index(greedy) == values.index(max(values))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", None, "ALICE:BOB:MOVER:LAST"),
        ("DQ:H3:A", 1, "3 fields where a position has 4"),
        ("  DQDX:H3:A:-", 5, "ALICE: 'DX' is not a card"),
        ("DQH:H3:A:-", 3, "ALICE: 'H' is not a card"),
        ("DQ:H3D6DQ:A:-", 8, "BOB: DQ stands twice"),
        (":H3:A:-", 1, "a hand without cards is written 0"),
        ("0:-:A:-", 3, "both hands are empty"),
        ("DQ:H3:a:-", 7, "MOVER must be one of A, B, not 'a'"),
        ("DQ:H3:A:D2D3", 9, "LAST: 'D2D3' is not a card"),
        ("DQ:H3:A:DQ", 9, "LAST: DQ is still in a hand"),
        ("DQ:H\u0663:A:-", 5, "does not belong"),
    ],
)
def test_bad_notation(text, column, message):
    with pytest.raises(ParseError, match=message) as error:
        duel.Position.from_text(text)
    assert (error.value.column, error.value.line) == (column, None if column is None else 1)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (" \n\n", (None, None), "empty"),
        ("27\n", (1, None), "not '27'"),
        ("0" * 9000 + "x\n", (1, None), "1 to 26"),
        ("2\nHA\nH3 H4\n", (2, None), "Alice's hand has 1 cards, but n is 2"),
        ("2\nHA H2\n", (2, None), "Bob's hand has 0 cards"),
        ("\n1\n\nHA\n\nHA\n", (6, None), "HA is in both hands"),
        ("2\nHA HA\nH3 H4\n", (2, None), "HA stands twice"),
        ("1\nHÄ\nH3\n", (2, 2), "does not belong"),
        ("1\nHA\nH\x003\n", (3, 2), r"'\\x00' does not belong"),
        ("2\nHA\x1fH2\nH3 H4\n", (2, 3), r"'\\x1f' does not belong"),
        ("\u0661\nHA\nH3\n", (1, 1), "does not belong"),
        (SOURCE * 2, (None, None), "more than one deal"),
        (b"1\nHA\nH2", (None, None), "text must be a str"),
        ([b"1"], (1, None), "a line must be a str"),
    ],
)
def test_bad_judges_texts(text, place, message):
    with pytest.raises(ParseError, match=message) as error:
        duel.parse(text)
    assert (error.value.line, error.value.column) == place
    assert str(error.value).isascii()


def test_judges_texts_as_people_write_them():
    assert duel.parse("1\r\nHA \t\r\n  H3  ") == duel.Position(["HA"], ["H3"])
    assert len(list(duel.parse_many(SOURCE * 3 + "\n\n1\nHA\nH2"))) == 4
    lines = ["\n", "1\n", "\n", "HA\n", "\n", "HX\n"]  # of an open file
    for positions in (duel.parse_many(lines), game.parse_many(duel.GAME, lines)):
        with pytest.raises(ParseError, match="line 6: Bob's hand: 'HX' is not a card"):
            next(positions)


@given(st.text(alphabet="0123 \nCDHSAKQ2x", max_size=60))
def test_any_text_is_read_or_refused(text):
    positions = []
    with contextlib.suppress(GamecoreError):
        positions += duel.parse_many(text)
    assert all(position.to_move == "Alice" for position in positions)


@pytest.mark.parametrize("text", ["DQ:H3:B:-", "DQ:H3:A:D2", "DQH2:H3:A:-", "0:H3:A:-"])
def test_the_judges_text_holds_no_more_than_deals(text):
    with pytest.raises(GamecoreError, match="before Alice's first card, not " + text):
        duel.Position.from_text(text).to_judge()


def test_deals():
    position = duel.deal(26, rng=7)
    assert position == duel.deal(26, rng=np.random.default_rng(7)) == duel.random(26, plies=0, rng=7)
    assert (len({*position.alice, *position.bob}), position.to_move, position.last) == (52, "Alice", None)
    for n in (0, 27, True, "3"):
        for call in (duel.deal, duel.random):
            with pytest.raises(OptionError, match="n, the number of cards"):
                call(n)
