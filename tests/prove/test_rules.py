"""Tests, scores and canonical positions, against the games' own rules and the plain ones; what kernels answer."""

import random
import re
import sys
from pathlib import Path

import pytest
from prove import truth  # pytest's pythonpath has the folder of tests
from prove.truth import position_of, score_of

from gamecore import duel, hexapawn, kernels
from gamecore.apps.prove import _plain, prover_of
from gamecore.duel._solve import kernel_position

YES, NO, UNKNOWN = 2, 1, 0
at_every_level = pytest.mark.parametrize("level", kernels.levels_of("duel"))  # and of Hexapawn


@pytest.mark.parametrize("seed", range(60))
def test_tests_and_bounds_of_scores(seed):
    position, rng = truth.small_position(seed), random.Random(seed)
    rules = truth.rules_of(position)
    key, score = rules.plain.canonical(position.to_text()), score_of(position)
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
        (key,) = set(map(rules.plain.canonical, alike))
        assert rules.plain.after(key) == truth.after(position_of(key))
        least, most = rules.plain.most(key)
        assert least <= score_of(position) <= most
        assert not position.is_over or least == most


def test_plain_rules_share_nothing_with_kernel_and_prover():
    """They import neither: kernels and provers are what they check."""
    names = re.findall(r"^ *(?:from|import) +([\w.]+)", Path(_plain.__file__).read_text(), re.MULTILINE)
    ours = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert ours == {"gamecore.errors", "gamecore.reference", "gamecore.text"}
    for name in truth.GAMES:
        assert type(prover_of(name).plain).__module__ == _plain.__name__


# --- kernels ---------------------------------------------------------------------------------------------------------


@at_every_level
def test_every_test_of_a_duel(level):
    kernel = kernels.kernel("duel", level)
    for seed in range(25):
        position = duel.deal(random.Random(seed).randint(2, 7), rng=seed)
        value = duel.solve(position, line=False).value
        for needed, attacks in ((needed, attacks) for needed in range(1, 14) for attacks in (True, False)):
            test = *kernel_position(position), attacks, needed
            answer = YES if (value if attacks else -value) >= needed else NO
            solver = kernel.Solver(12, -1.0, 0)
            assert solver.known(*test) in (answer, UNKNOWN)
            assert solver.test(*test, -1.0, 0)[0] == solver.known(*test) == answer
            assert kernel.recheck(*test, 10, -1.0, 0)[0] == answer


@at_every_level
@pytest.mark.parametrize("name", ["hexapawn", "hexapawn_wide"])
def test_every_test_of_hexapawn(level, name):
    kernel = kernels.kernel(name, level)
    for seed in range(25):
        rng = random.Random(seed)
        position = hexapawn.random(rng.randint(3, 5), rng.randint(2, 5), rng=seed)
        size, board = (position.rows, position.columns), (position.white, position.black, position.to_move == "black")
        solver = kernel.Solver(*size, 1 << 14)
        score = score_of(position, solver.mate)
        for least in {1, score, score + 2, score - 2, solver.mate - 9, 9 - solver.mate}:
            asked = 1 if -1 <= least <= 1 else least
            done, low, high, _ = solver.test(*board, asked, -1.0, 0)
            assert done
            assert low <= score <= high
            assert low >= asked if score >= asked else high < asked
        assert solver.test(*board, 1, -1.0, 0)[3] <= 1  # it is in the table
        moves = solver.children(*board)
        names = [hexapawn._position.move_name(source, target, position.columns) for source, target, *_ in moves]
        assert sorted(names) == sorted(position.legal_moves())
        for name, (_, _, low, high, _) in zip(names, moves, strict=True):
            assert low <= score_of(position.play(name), solver.mate) <= high


@pytest.mark.threads
@pytest.mark.parametrize("position", [duel.deal(12, rng=3), hexapawn.Position.start(5, 5)], ids=["duel", "hexapawn"])
def test_threads_on_one_table(position):
    rules = truth.rules_of(position)
    key = rules.plain.canonical(position.to_text())
    main = rules.engine(key, 1 << 20, True)
    helper = main.helper()
    if isinstance(position, duel.Position) and not kernels.kernel("duel").can_share():
        pytest.skip("a debug build, whose entries are whole states")
    answer = main.test(key, 1, 0)
    assert answer[2] > 10
    assert helper.test(key, 1, 0)[:2] == answer[:2]
    assert helper.test(key, 1, 0)[2] <= 1  # it is in the table that they share
