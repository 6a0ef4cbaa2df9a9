"""Tests, scores and canonical positions, against the games' own rules and the plain ones."""

import json
import lzma
import random
import re
import sys
from pathlib import Path

import pytest

from gamecore import duel, hexapawn
from gamecore.apps.prove import _plain, prover_of
from gamecore.apps.prove._verify import search_again, verify
from gamecore.apps.prove.duel import hands_of, moves_of, text_of
from gamecore.apps.prove.hexapawn import MATE
from gamecore.errors import GamecoreError, OptionError


def score_of(rules, position, value):
    if isinstance(position, duel.Position):
        return value
    return MATE - value if value > 0 else -value - MATE


def test_a_test_holds_if_it_fails_after_some_move(small_position, solved):
    for seed in range(60):
        position = small_position(seed)
        rules = prover_of("duel" if seed % 2 else "hexapawn")
        score = score_of(rules, position, solved(position).value)
        after = [score_of(rules, one, solved(one).value) for one in map(position.play, position.legal_moves())]
        assert max(map(rules.score_before, after)) == score
        for test in range(score - 9, score + 10):
            if seed % 2 and test == 0:
                continue
            normal = test if seed % 2 else 1 if -1 <= test <= 1 else test
            assert (score >= normal) == any(one < rules.test_after(normal) for one in after), (position, test)


def test_the_walk_over_tests_ends_in_the_value(small_position, solved):
    for seed in range(60):
        position = small_position(seed)
        rules = prover_of("duel" if seed % 2 else "hexapawn")
        key = rules.canonical(position)
        score = score_of(rules, position, solved(position).value)
        for question in ("wins", "value"):
            low, high = rules.bounds(key)
            for _ in range(400):
                test = rules.next_test(key, low, high, question)
                if test is None:
                    break
                assert low < test <= high
                low, high = (score, high) if score >= test else (low, score)
            assert low <= score <= high
            assert low > 0 or high <= 0
        assert rules.value_of(key, low, high) == (solved(position).value,) * 2


def test_what_is_the_same_has_one_canonical_text():
    rules, plain = prover_of("hexapawn"), prover_of("hexapawn").plain
    for seed in range(40):
        position = hexapawn.random(5, 4, rng=seed)
        turned = position.flip()
        images = (position, position.mirror(), turned, turned.mirror())
        keys = {rules.canonical(one) for one in images} | {plain.canonical(one.to_text()) for one in images}
        assert len(keys) == 1
        key = keys.pop()
        assert rules.canonical(hexapawn.Position.from_text(key)) == key
        assert plain.after(key) == all_after(rules, key)
        assert plain.most(key) == rules.bounds(key)
    rules, plain = prover_of("duel"), prover_of("duel").plain
    for seed in range(40):
        position = duel.random(6, rng=seed)
        names = dict(zip("CDHS", random.Random(seed).sample("CDHS", 4), strict=True))
        renamed = duel.Position(
            [names[card[0]] + card[1] for card in position.alice],
            [names[card[0]] + card[1] for card in position.bob],
            position.to_move,
            None if position.last is None else names[position.last[0]] + position.last[1],
        )
        other = "Bob" if position.to_move == "Alice" else "Alice"
        turned = duel.Position(position.bob, position.alice, other, position.last)
        images = (position, renamed, turned)
        keys = {rules.canonical(one) for one in images} | {plain.canonical(one.to_text()) for one in images}
        assert len(keys) == 1
        key = keys.pop()
        assert text_of(*hands_of(key)) == key
        after = {move: text_of(*hands) for move, *hands in moves_of(hands_of(key))}
        assert plain.after(key) == all_after(rules, key) == after
        assert plain.most(key) == rules.bounds(key)


def all_after(rules, key):
    position = (duel if key.count(":") == 3 else hexapawn).Position.from_text(key)
    return {move: rules.canonical(position.play(move)) for move in position.legal_moves()}


def test_plain_values_are_the_provers(small_position, solved):
    """Of the score and of bounds around it."""
    for seed in range(60):
        position, rng = small_position(seed), random.Random(seed)
        rules = prover_of("duel" if seed % 2 else "hexapawn")
        key, (least, most) = rules.canonical(position), rules.bounds(rules.canonical(position))
        score = score_of(rules, position, solved(position).value)
        wins = (1, most) if score > 0 else (least, 0 if seed % 2 else -1)
        for low, high in ((score, score), (least, most), wins, sorted((score, rng.choice(wins)))):
            assert rules.plain.value(key, low, high) == rules.value_of(key, low, high)


def foreign(text):
    """Imports of a file that plain rules must not have: kernels and provers are what they check."""
    allowed = ("gamecore.errors", "gamecore.reference", "gamecore.text")
    names = re.findall(r"^ *(?:from|import) +([\w.]+)", text, re.MULTILINE)
    return [name for name in names if name not in allowed and name.split(".")[0] not in sys.stdlib_module_names]


def test_plain_rules_share_nothing_with_kernel_and_prover():
    text = Path(_plain.__file__).read_text()
    assert not foreign(text)
    for fault in ("from gamecore import kernels", "from gamecore.apps.prove.hexapawn import MATE"):
        assert foreign(f"{text}\n    {fault}\n")
    for name in ("duel", "hexapawn"):
        assert type(prover_of(name).plain).__module__ == _plain.__name__


def test_names_of_hexapawn_moves_on_wide_boards():
    rules, plain = prover_of("hexapawn"), prover_of("hexapawn").plain
    for seed in range(20):
        key = rules.canonical(hexapawn.random(2, 32, rng=seed))
        assert plain.after(key) == all_after(rules, key)


def test_plain_rules_refuse_what_is_no_position():
    for board in (
        "pp/2:x", "pp/1:w", "99999999999999999999/P:w", "999/P:w", "9/9/9/9/9/9/9/9:w", "0/0:w", ":w", "²/PP:w",
        "px/PP:w", "PP:w", "p01/PP:w", "P1/1p:w", "1P/p1:b", "p1/1P:w\n",
    ):  # fmt: skip
        with pytest.raises(GamecoreError, match="no position of hexapawn"):
            prover_of("hexapawn").plain.after(board)
    for deal in ("HA:S2:C:-", "HA:S2:A", "HA:HA:A:-", "0:0:A:-", "HA:S2:A:HA", "HA:S2:A:S2", "HA:S2:A:H", "HA:S2:A:0"):
        with pytest.raises(GamecoreError, match="no position of the duel"):
            prover_of("duel").plain.after(deal)
    for hand in ("HAHA", "", "H", "HAS", "ha", "H1"):
        with pytest.raises(GamecoreError, match="no hand"):
            prover_of("duel").plain.after(f"{hand}:S2:A:-")
    with pytest.raises(OptionError, match="the game 'chess' is not known"):
        prover_of("chess")
    with pytest.raises(OptionError, match="rows cannot be proved"):
        prover_of("rows")


def test_claims_between_the_scores_ask_who_wins():
    """No score is near 0: a claim of one there says who wins, whatever the board's own layout counts from."""
    for size in ((4, 4), (3, 3), (3, 12)):
        position = hexapawn.Position.start(*size)
        key, won = prover_of("hexapawn").canonical(position), hexapawn.solve(position).value > 0
        for near in (-3000, -2, 0, 1, 2, 63, 3000):
            assert search_again("hexapawn", (key, "lower", near), 1 << 20)[0] == won
            assert search_again("hexapawn", (key, "upper", near), 1 << 20)[0] == (not won)


BOARD, HANDS = hexapawn.Position.start(3, 3), duel.Position.from_text("D2C7C8:C4H5C9:A:-")


@pytest.mark.parametrize(
    ("position", "bounds", "fault"),
    [
        *((BOARD, bounds, "no score is as") for far in (MATE, 99999) for bounds in (f"{far} -", f"- {-far}")),
        (BOARD, f"{MATE - 3} {MATE - 5}", f"no score is from {MATE - 3} to {MATE - 5}"),
        # Whoever wins is paid a sum of cards: 4, 5, 9 of Bob's (and sums of them), 2, 7, 8 of Alice's.
        (HANDS, "0 0", "no result is from 0 to 0"),
        (HANDS, "5 3", "no result is from 5 to 3"),
        (HANDS, "1 3", "no result is from 1 to 3"),
        (HANDS, "0 12", "its steps say 4 to 9"),
        (HANDS, "-12 0", "its steps say -10 to -2"),
    ],
    ids=str,
)
def test_bounds_that_no_game_ends_with_are_faults(position, bounds, fault, tmp_path):
    game = "hexapawn" if position is BOARD else "duel"
    key = prover_of(game).canonical(position)
    about = {"format": "gamecore certificate", "version": 1, "game": game, "position": key, "question": "value",
             "lower": 0, "upper": 0}  # fmt: skip
    (tmp_path / "c").write_bytes(lzma.compress(f"{json.dumps(about)}\n{key} {bounds} -\n".encode()))
    found = verify(tmp_path / "c", recheck="all")
    assert any(fault in text for text in found.faults)
    assert fault != "no score is as" or found.claims == 0
