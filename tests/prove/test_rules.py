"""Tests, scores and canonical positions, against the games' own rules and the plain ones."""

import json
import lzma
import random
import re
import sys
from pathlib import Path

import pytest
from prove.truth import (  # pytest's pythonpath has the folder of tests
    SEEDS,
    after,
    position_of,
    rules_of,
    score_of,
    small_position,
    solved,
)

from gamecore import duel, hexapawn
from gamecore.apps.prove import _plain, prover_of
from gamecore.apps.prove._verify import search_again, verify
from gamecore.apps.prove.duel import hands_of, moves_of, text_of
from gamecore.apps.prove.hexapawn import MATE


def test_a_test_holds_if_it_fails_after_some_move():
    for seed in SEEDS:
        position, rules = small_position(seed), rules_of(small_position(seed))
        score, scores = score_of(position), [score_of(position.play(move)) for move in position.legal_moves()]
        assert max(map(rules.score_before, scores)) == max(map(rules.plain.before, scores)) == score
        for test in range(score - 9, score + 10):
            normal = test if seed % 2 else 1 if -1 <= test <= 1 else test
            if normal:
                assert (score >= normal) == any(child < rules.test_after(normal) for child in scores), (position, test)


def test_the_walk_over_tests_ends_in_the_value():
    for seed in SEEDS:
        position, rules = small_position(seed), rules_of(small_position(seed))
        key, score = rules.canonical(position), score_of(position)
        for question in ("wins", "value"):
            low, high = rules.plain.most(key)
            for _ in range(400):
                test = rules.next_test(key, low, high, question)
                if test is None:
                    break
                assert low < test <= high
                low, high = (score, high) if score >= test else (low, score)
            assert low <= score <= high
            assert low > 0 or high <= 0
        assert rules.plain.value(key, low, high) == (solved(position).value,) * 2


def images(position, seed):
    """The same position for the other side, mirrored, or with its suits renamed."""
    if isinstance(position, hexapawn.Position):
        return position, position.mirror(), position.flip(), position.flip().mirror()
    alice, bob, to_move, last = position.to_text().split(":")
    renaming = str.maketrans("CDHS", "".join(random.Random(seed).sample("CDHS", 4)))
    turned = f"{bob}:{alice}:{'B' if to_move == 'A' else 'A'}:{last}"
    texts = (
        ":".join(part.translate(renaming) for part in (alice, bob)) + f":{to_move}:{last.translate(renaming)}",
        turned,
    )
    return position, *map(duel.Position.from_text, texts)


@pytest.mark.parametrize("game", ["hexapawn", "duel"])
def test_what_is_the_same_has_one_canonical_text(game):
    rules = prover_of(game)
    for seed in range(40):
        position = duel.random(6, rng=seed) if game == "duel" else hexapawn.random(5, 4, rng=seed)
        wide = prover_of("hexapawn").canonical(hexapawn.random(2, 32, rng=seed))
        assert prover_of("hexapawn").plain.after(wide) == after(position_of(wide))
        alike = images(position, seed)
        keys = {rules.canonical(image) for image in alike} | {rules.plain.canonical(image.to_text()) for image in alike}
        (key,) = keys
        assert rules.plain.after(key) == after(position_of(key))
        least, most = rules.plain.most(key)
        assert least == score_of(position) == most if position.is_over else least <= score_of(position) <= most
        if game == "duel":
            assert text_of(*hands_of(key)) == key
            assert rules.plain.after(key) == {move: text_of(*hands) for move, *hands in moves_of(hands_of(key))}


def test_values_of_bounds_hold():
    for seed in SEEDS:
        position, rules, rng = small_position(seed), rules_of(small_position(seed)), random.Random(seed)
        key, score = rules.canonical(position), score_of(position)
        least, most = rules.plain.most(key)
        wins = (1, most) if score > 0 else (least, 0 if seed % 2 else -1)
        for low, high in ((score, score), (least, most), wins, sorted((score, rng.choice(wins)))):
            lower, upper = rules.plain.value(key, low, high)
            assert lower <= solved(position).value <= upper
            assert (low, high) != (score, score) or lower == upper


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
    verification = verify(tmp_path / "c", recheck="all")
    assert any(fault in text for text in verification.faults)
    assert fault != "no score is as" or verification.claims == 0
