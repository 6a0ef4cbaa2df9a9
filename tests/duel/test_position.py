"""Positions of the duel: rules, text, data, errors. What all games share is in tests/test_contract.py."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gamecore import duel

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
    assert "Alice wins 9 points" in str(position)


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


def test_judges_texts_as_people_write_them():
    assert duel.parse("1\r\nHA \t\r\n  H3  ") == duel.Position(["HA"], ["H3"])
    assert len(list(duel.parse_many(SOURCE * 3 + "\n\n1\nHA\nH2"))) == 4


def test_deals():
    position = duel.deal(26, rng=7)
    assert position == duel.deal(26, rng=np.random.default_rng(7)) == duel.random(26, plies=0, rng=7)
    assert (len({*position.alice, *position.bob}), position.to_move, position.last) == (52, "Alice", None)
