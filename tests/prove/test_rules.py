"""Tests, scores and canonical positions, against the games' own rules and the plain ones."""

import random
import re
import sys
from pathlib import Path

import pytest
from prove import truth  # pytest's pythonpath has the folder of tests
from prove.truth import position_of, score_of

from gamecore import hexapawn
from gamecore.apps.prove import _plain, prover_of
from gamecore.apps.prove.duel import hands_of, text_of


@pytest.mark.parametrize("seed", range(60))
def test_tests_and_bounds_of_scores(seed):
    position, rng = truth.small_position(seed), random.Random(seed)
    rules = truth.rules_of(position)
    key, score = rules.canonical(position), score_of(position)
    scores = [score_of(position.play(move)) for move in position.legal_moves()]
    assert max(map(rules.plain.before, scores)) == score
    for test in range(score - 9, score + 10):  # a test holds if it fails after some move
        normal = test if seed % 2 else 1 if -1 <= test <= 1 else test
        if normal:
            assert (score >= normal) == any(child < rules.test_after(normal) for child in scores), (position, test)

    least, most = rules.plain.most(key)
    for question in ("wins", "value"):  # test after test ends in the answer
        low, high = least, most
        for _ in range(400):
            test = rules.next_test(key, low, high, question)
            if test is None:
                break
            assert low < test <= high
            low, high = (score, high) if score >= test else (low, score)
        assert low <= score <= high
        assert low > 0 or high <= 0
    assert (low, high) == (score, score)

    wins = (1, most) if score > 0 else (least, 0 if seed % 2 else -1)
    for low, high in ((score, score), (least, most), wins, sorted((score, rng.choice(wins)))):
        lower, upper = rules.plain.value(key, low, high)
        assert lower <= truth.solved(position).value <= upper
        assert (low, high) != (score, score) or lower == upper


@pytest.mark.parametrize("game", truth.GAMES)
def test_what_is_the_same_has_one_canonical_text(game):
    rules, rng = prover_of(game), random.Random(1)
    positions = [truth.random_position(game, rng) for _ in range(40)]
    if game == "hexapawn":
        positions += [hexapawn.random(2, 32, rng=seed) for seed in range(20)]
    for position in positions:
        text = position.to_text()
        alike = [text, *truth.images(text, rng)]
        (key,) = {rules.canonical(position_of(image)) for image in alike} | set(map(rules.plain.canonical, alike))
        assert rules.plain.after(key) == truth.after(position_of(key))
        least, most = rules.plain.most(key)
        assert least <= score_of(position) <= most
        assert not position.is_over or least == most
        if game == "duel":
            assert text_of(*hands_of(position_of(key))) == key


def test_plain_rules_share_nothing_with_kernel_and_prover():
    """They import neither: kernels and provers are what they check."""
    names = re.findall(r"^ *(?:from|import) +([\w.]+)", Path(_plain.__file__).read_text(), re.MULTILINE)
    ours = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert ours == {"gamecore.errors", "gamecore.reference", "gamecore.text"}
    for name in truth.GAMES:
        assert type(prover_of(name).plain).__module__ == _plain.__name__
