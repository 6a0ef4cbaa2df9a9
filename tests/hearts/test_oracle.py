"""Hearts against an independent program in C (tests/oracles/hearts.c): rules, scores, and the values of endings."""

import random
from collections import Counter
from functools import cache

import pytest
from oracles.build import differences
from oracles.hearts import ORDER, SWITCHES, Oracle

from gamecore import hearts
from gamecore.hearts._rules import DIRECTIONS, MOONS

# Endings by the number of cards left.
COUNTS = {
    4: 300, 5: 400, 6: 400, 7: 400, 8: 400, 9: 250, 10: 250, 11: 200, 12: 200, 13: 40, 14: 40, 15: 20, 16: 10,
}  # fmt: skip
ROUNDS = 400


@pytest.fixture(scope="module")
def judge(oracle):
    return Oracle(oracle("hearts"))


def fresh(rng):
    """A deal under random rules, passed in a random direction by random players or by greedy ones."""
    rules = hearts.Rules(**{name: rng.random() < 0.5 for name in SWITCHES}, moon=rng.choice(MOONS))
    passing = rng.choice(tuple(DIRECTIONS))
    if rng.random() < 0.15:
        return hearts.Round(long_in_hearts(rng), rules, seed=rng.getrandbits(64))
    return hearts.Round.deal(rng.getrandbits(64), rules, passing, rng.choice(["random", "greedy"]))


def long_in_hearts(rng):
    """A deal in which one seat wins a trick with its only club and then holds only the queen of spades and hearts."""
    seat, held = rng.randrange(4), ["CA", "SQ", *rng.sample(ORDER[39:], 11)]
    rest = rng.sample([card for card in ORDER if card not in held], 39)
    return [held if one == seat else [rest.pop() for _ in range(13)] for one in range(4)]


def leading_to_moons(rng, round_):
    """A card that makes moons likely: the strongest seat plays high, the others low."""
    strongest = max(range(4), key=lambda seat: sum(ORDER.index(card) % 13 for card in round_.hands[seat]))
    high = round_.to_move == max(range(4), key=lambda seat: (round_.taken[seat], seat == strongest))
    return sorted(round_.legal_moves(), key=lambda card: (ORDER.index(card) % 13, rng.random()))[-1 if high else 0]


def keeping_hearts(rng, round_):
    """A card that keeps hearts unbroken as long as possible."""
    return min(round_.legal_moves(), key=lambda card: (card[0] == "H" or card == "SQ", rng.random()))


def even_in_hearts(rng):
    """A deal with three or four hearts in every hand: they can stay unbroken to the end."""
    suits = rng.sample(ORDER[39:], 13), rng.sample(ORDER[:39], 39)
    lengths = rng.sample([3, 3, 3, 4], 4)
    return [[suits[at >= length].pop() for at in range(13)] for length in lengths]


def ending(rng, left):
    round_ = fresh(rng)
    choose = rng.choice(["random", "random", "greedy", "duck", leading_to_moons])
    if left > 12 and rng.random() < 0.5:  # with fewer left some heart has been played
        round_, choose = hearts.Round(even_in_hearts(rng), round_.rules, seed=rng.getrandbits(64)), keeping_hearts
    while 52 - len(round_.played) > left:
        card = choose(rng, round_) if callable(choose) else round_.ask(choose)
        round_ = round_.play(card)
    return round_


@cache
def endings(least=4, most=16, share=1):
    """Endings by the number of cards left; one in ``share`` of each size."""
    kinds = [(left, number) for left, count in COUNTS.items() for number in range(count // share)]
    return [ending(random.Random(f"{left} {number}, d"), left) for left, number in kinds if least <= left <= most]


def is_unbroken(round_):
    """Whether no heart has been played, and a rule forbids to lead one."""
    return round_.rules.must_break_hearts and not any(card[0] == "H" for card in round_.played)


def left(round_):
    return 52 - len(round_.played)


def found_by_the_engine(round_):
    return {entry.move: (entry.max_n_points, entry.paranoid_points.value) for entry in hearts.analyse(round_)}


@pytest.mark.nightly
def test_what_is_compared():
    rounds = endings()
    assert (Counter(map(left, rounds)), sum(COUNTS.values())) == (COUNTS, 2910)
    for name in (*SWITCHES, "moon"):
        values = Counter(getattr(round_.rules, name) for round_ in rounds)
        assert len(values) == (len(MOONS) if name == "moon" else 2)
        assert min(values.values()) > 2400 / len(values), name
    assert min(Counter(round_.passing for round_ in rounds).values()) > 500
    for n in COUNTS:
        here = [round_ for round_ in rounds if left(round_) == n]
        # One seat has every point so far; cards that matter are out.
        assert sum(max(round_.taken) == sum(round_.taken) > 0 for round_ in here) >= 2, n
        assert sum(sum(round_.taken) < 26 for round_ in here) >= len(here) / 3, n
        assert sum(len(round_.legal_moves()) > 1 for round_ in here) >= (n > 4) * len(here) / 3, n
    assert Counter(len(round_.trick) for round_ in rounds if left(round_) > 4)[3] > 400
    assert sum(map(is_unbroken, rounds)) >= 12


@pytest.mark.parametrize(
    ("which", "moons"), [((4, 12, 4), 5), pytest.param((4, 16, 1), 25, marks=pytest.mark.nightly)], ids=str
)
def test_endings(judge, which, moons):
    """max^n and paranoid values of every legal card, and the solution with its line, of every ending."""
    rounds = endings(*which)
    expected = [judge.moves(round_, values=True) for round_ in rounds]
    found = [(round_.to_move, found_by_the_engine(round_)) for round_ in rounds]
    assert differences(rounds, found, expected) == []
    shot = 0
    for round_, (seat, moves) in zip(rounds, expected, strict=True):
        solution = hearts.solve(round_)
        best = min(vector[seat] for vector, _ in moves.values())
        assert solution.value == -best
        assert solution.best_moves == tuple(card for card, (vector, _) in moves.items() if vector[seat] == best)
        assert solution.max_n_points == moves[solution.best_move][0]
        assert solution.paranoid_points.value == min(paranoid for _, paranoid in moves.values())
        after = round_
        for card in solution.line:
            after = after.play(card)
        assert after.points == solution.max_n_points == judge.score(after)
        shot += 26 in after.taken
    assert shot >= moons  # moons at the end of best play


def steps(judge, rounds):
    """Play whole rounds at random; return the number of steps and the rounds in which the programs differ."""
    rng, wrong, count = random.Random(5), [], 0
    for round_ in rounds:
        same = True
        while not round_.is_over:
            seat, cards = judge.moves(round_)
            cards = list(cards)
            same &= (round_.to_move, round_.legal_moves()) == (seat, tuple(cards))
            round_ = round_.play(rng.choice(round_.legal_moves()))
            count += 1
        if not same or judge.score(round_) != round_.points:
            wrong.append(round_.to_text())
    return count, wrong


@cache
def whole_rounds():
    rng = random.Random(11)
    return [fresh(rng) for _ in range(ROUNDS)]


def test_legal_cards_and_scores_of_whole_rounds(judge):
    count, wrong = steps(judge, whole_rounds())
    assert (count, wrong) == (52 * ROUNDS, [])
    passing = Counter(round_.passing for round_ in whole_rounds())
    assert set(passing) == set(DIRECTIONS)
    assert min(passing.values()) > ROUNDS / 6
