"""Solutions of rows compared with the oracle data, with full exploration, and with each other."""

import functools
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import Limits, rows
from gamecore.reference import rows as reference
from gamecore.rows.opponents import BY_NAME, NAMES

ORACLE = json.loads((Path(__file__).parents[1] / "data" / "rows.json").read_text())
VARIANTS = {"optimal": "optimal", "greedy_opponent": "greedy", "cooperative": "cooperative"}
SIDES = ("me", "opponent")
GAMES = [(name, side, "right") for name in NAMES for side in SIDES]
GAMES += [(name, side, "left") for name in NAMES if BY_NAME[name].forced_end for side in SIDES]
explored = functools.cache(reference.full_exploration)
VALUES = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40)


def mine_first(result, first):
    """Return the totals of the side that goes first, and of the other."""
    return (result.mine, result.theirs) if first == "me" else (result.theirs, result.mine)


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["id"])
def test_oracle(case):
    opponent = VARIANTS[case["variant"]]
    solution = rows.solve(case["cards"], opponent=opponent, first=case["first_player"])
    assert (solution.mine, solution.theirs, solution.difference) == (case["me"], case["opponent"], case["difference"])
    assert rows.value(case["cards"], opponent=opponent, first=case["first_player"]) == case["difference"]
    assert reference.replay(case["cards"], solution.line) == mine_first(solution, case["first_player"])
    if case["first_player"] == "me":
        assert sorted(solution.best_moves) == case["optimal_first_moves"]
        return
    if case["n"] > 1:
        assert solution.best_moves == (case["sister_first_move"],)
    position = rows.Position(case["cards"], opponent, "opponent").play(solution.line[0])
    assert sorted(rows.solve(position).best_moves) == case["optimal_replies"]


def first_best_line(row, opponent, side, ties):
    """Return the line of the first best moves, L before R, where a forced opponent has one move."""
    line = ""
    while row:
        taken = {"L": row[0] * (side == "me"), "R": row[-1] * (side == "me")}
        rests, other = {"L": row[1:], "R": row[:-1]}, SIDES[side == "me"]
        moves = rows.Position(row, opponent, side, ties=ties).legal_moves()
        totals = {move: taken[move] + explored(rests[move], opponent, other, ties)[0] for move in moves}
        best = explored(row, opponent, side, ties)[0]
        line += next(move for move, total in totals.items() if total == best)
        row, side = rests[line[-1]], other
    return line[:-1] + "L"


@pytest.mark.parametrize("n", range(1, 7))
def test_every_small_row(n):
    """By all functions: one that does not know a new opponent would play as another one."""
    every = list(itertools.product(range(4 if n < 6 else 3), repeat=n))
    for opponent, first, ties in GAMES:
        game = {"opponent": opponent, "first": first, "ties": ties}
        expected = [explored(row, opponent, first, ties) for row in every]
        make = (np.asarray, np.ma.asarray, np.ndarray.tolist)[n % 3]
        many = rows.solve_many(make(np.array(every, np.int8)), **game, line=True)
        assert list(rows.solve_iter(every[:99], **game, line=True)) == list(many[:99])
        assert (many.mine.tolist(), many.theirs.tolist()) == tuple(map(list, zip(*expected, strict=True)))
        assert many.difference.tolist() == (many.mine - many.theirs).tolist()
        for row, totals, solution in zip(every, expected, many, strict=True):
            assert tuple(rows.value([*row], **game, of=of) for of in ("mine", "theirs")) == totals, (row, game)
            assert rows.solve(row, **game, line=False).difference == totals[0] - totals[1]
            assert reference.replay(row, solution.line) == mine_first(solution, first)
            assert BY_NAME[opponent].folds or solution.line == first_best_line(row, opponent, first, ties), (row, game)
            assert first == "opponent" or n > 4 or rows.table([*row], opponent=opponent, ties=ties)[0, -1] == totals[0]


@settings(max_examples=100, deadline=None)
@given(VALUES, st.sampled_from(["right", "left"]))
def test_tables_are_the_references(row, ties):
    smart = rows.table(row)
    assert smart.tolist() == reference.smart(row)
    difference = rows.value(np.array(row))
    assert difference == reference.fold_value(row) == 2 * smart[0, -1] - sum(row) == rows.solve(row).difference
    assert rows.table(row, opponent="cooperative").tolist() == reference.dumb(row)
    out = np.full((len(row), len(row)), 9, np.int32)
    assert rows.table(row, opponent="cooperative", out=out) is out
    assert out.tolist() == rows.table(row, opponent="cooperative", dtype=np.int32).tolist() == reference.dumb(row)
    best, line = reference.bottom_up(row, ties)
    assert rows.table(row, opponent="greedy", ties=ties).tolist() == best
    assert best[0][-1] == reference.top_down(row, ties)
    assert rows.solve(row, opponent="greedy", ties=ties).line == line


@pytest.mark.parametrize("opponent", ["greedy", "cooperative"])
@pytest.mark.parametrize("first", SIDES)
def test_limits_on_long_rows(opponent, first):
    row = np.random.default_rng(5).integers(-1000, 1000, 3000)
    exact = rows.solve(row, opponent=opponent, first=first)
    for nodes in (0, 1, 1000, exact.nodes // 2, exact.nodes):
        limits = Limits(nodes=nodes) if nodes else Limits(seconds=0)
        bounded = rows.solve(row, limits, opponent=opponent, first=first)
        assert bounded.lower <= exact.value <= bounded.upper
        assert bounded.nodes <= nodes
        assert bounded.exact == (nodes == exact.nodes)
        assert bounded.exact or str(bounded).startswith(f"{bounded.lower:+}..{bounded.upper:+} for ")
    start = rows.who_should_start(row, Limits(nodes=10), opponent=opponent)
    assert start.starter in (None, rows.who_should_start(row, opponent=opponent).starter)


@pytest.mark.parametrize("ties", ["right", "left"])
def test_play(ties):
    rng = np.random.default_rng(2)
    for n, _ in itertools.product((1, 2, 3, 8, 9), range(30)):
        row = rng.integers(0, 5, n).tolist()
        both = rows.play(row, me="greedy", opponent="greedy", ties=ties)
        assert (both.mine, both.theirs) == reference.greedy_against_greedy(row, ties)
        assert reference.replay(row, both.line) == (both.mine, both.theirs)
        other = rows.play(row, me="greedy", opponent="greedy", ties=ties, first="sister")
        assert (other.theirs, other.mine) == (both.mine, both.theirs)
        for first, second in (SIDES, SIDES[::-1]):
            game = rows.play(row, opponent="greedy", first=first, ties=ties)
            assert (game.mine, game.theirs) == reference.full_exploration(row, "greedy", first, ties)
            swapped = rows.play(row, me="greedy", opponent="dp", first=second, ties=ties)
            assert (swapped.theirs, swapped.mine) == (game.mine, game.theirs)
            best = rows.play(row, opponent="dp", first=first)
            assert (best.mine, best.theirs) == reference.full_exploration(row, "optimal", first)
            assert reference.replay(row, best.line) == mine_first(best, first)


def test_decks_and_what_starting_is_worth():
    deck, decks = rows.deck(rng=7), rows.decks(20_000, 5)
    assert sorted(deck.tolist()) == sorted(list(range(2, 15)) * 4)
    assert (deck == rows.deck(np.random.default_rng(7))).all()
    assert decks.shape == (20_000, 52)
    assert (np.sort(decks, axis=1) == np.sort(deck)).all()
    # A uniform shuffle has every place's mean at 8 (standard error 0.027 here).
    assert np.abs(decks.mean(axis=0) - 8).max() < 0.16
    me = rows.solve_many(decks, opponent="greedy").mine
    second = rows.solve_many(decks, opponent="greedy", first="sister").mine
    assert (me.mean(), (second > me).mean()) == (pytest.approx(231.5, abs=0.5), pytest.approx(0.167, abs=0.012))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=12), st.sampled_from(GAMES))
def test_the_picture_of_a_table_follows_cells_that_add_up(row, game):
    """In text, marked cells have a star: the values taken there are my total, and each is one plus the next one."""
    opponent, _, ties = game
    text = str(rows.table_picture(row, opponent=opponent, ties=ties))
    cells, solution = rows.table(row, opponent=opponent, ties=ties), rows.solve(row, opponent=opponent, ties=ties)
    words = [line.split("|")[1].split() for line in text.splitlines()[2 : 2 + len(row)]]
    assert [[int(word.strip("*")) for word in line] for line in words] == [
        cells[i, i:].tolist() for i in range(len(row))
    ]
    marked = [(i, i + k) for i, line in enumerate(words) for k, word in enumerate(line) if word.endswith("*")]
    mine, totals = [], []
    for ply in range(0, len(row), 2):
        played = solution.line[:ply]
        i, j = played.count("L"), len(row) - 1 - played.count("R")
        mine.append((i, j))
        totals.append(cells[i, j] - row[i if solution.line[ply] == "L" else j])
    assert sorted(marked) == sorted(mine)
    assert totals == [*(cells[cell] for cell in mine[1:]), 0]
    assert f"I take {solution.mine}, the opponent {solution.theirs}" in text
