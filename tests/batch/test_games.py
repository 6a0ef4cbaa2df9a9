"""``solve_many`` of every game, whatever runs it: bad positions, columns, deadlines. ``tests/test_contract.py`` says
that a batch answers what ``solve`` answers."""

import importlib
import itertools
import re
import time

import numpy as np
import pytest
from batch_tasks import HARD, POSITIONS, Dies, Here, OddAddresses

from gamecore import GamecoreError, Limits, OptionError, duel, hearts, hexapawn, rows
from gamecore.batch import columns
from gamecore.batch.spec import Batch
from gamecore.cards import card_index
from gamecore.errors import BatchError

WAYS = [{"workers": 1}, {"workers": 3}, {"workers": None}, {"executor": Here()}]


@pytest.fixture(params=POSITIONS, ids=lambda game: game.__name__)
def game(request):
    return request.param


def contents(answers, game):
    """All fields but the time and, in Hexapawn, what its shared table saves."""
    ignored = {"seconds", *(("nodes", "table_bytes", "replacements") if game is hexapawn else ())}
    return [{name: value for name, value in vars(answer).items() if name not in ignored} for answer in answers]


@pytest.mark.parametrize("line", [True, False])
def test_answers_do_not_depend_on_what_runs_them(game, line, pools):
    positions = POSITIONS[game]
    expected = contents(game.solve_many(positions, line=line), game)
    for how in [*WAYS[1:], *({"executor": pool} for pool in pools)]:
        assert contents(game.solve_many(positions, line=line, **how), game) == expected
    assert contents(game.solve_iter(iter(positions), line=line, workers=2), game) == expected


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_boards_of_one_size_share_a_table(workers):
    board = hexapawn.Position.start(5, 5)

    def boards():
        for _ in range(20):
            yield board
            time.sleep(0.02)  # for one search

    nodes = [answer.nodes for answer in hexapawn.solve_iter(boards(), line=False, workers=workers)]
    assert sum(nodes) < 1.5 * hexapawn.solve(board, line=False).nodes


LIMITS = [{"nodes": 0}, {"nodes": 40}, {"nodes": 300}, {"seconds": 0}, {"table_mb": 0.001}, {"deadline": 4e9}]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_answers_under_limits_do_not_depend_on_what_came_before(game, limits):
    positions, limits = POSITIONS[game][:60], Limits(**limits)
    alone = [game.solve_many([position], limits)[0] for position in positions]
    for how in WAYS:
        assert contents(game.solve_many(positions, limits, **how), game) == contents(alone, game)


BAD = [
    (duel, None, r"a duel.Position or a text of one is meant, not None"),
    (duel, "2\nDQ H2\nH3 XX\n", "line 3: Bob's hand: 'XX' is not a card"),
    (hexapawn, 7, "a hexapawn.Position or a text of one is meant, not 7"),
    (hearts, hearts.Round.deal(1, passing="left", passer=None), "seats .* have to pass cards first"),
]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(("module", "bad", "message"), BAD)
def test_a_bad_position(how, module, bad, message):
    positions = [*POSITIONS[module][:20], bad, *POSITIONS[module][20:25]]
    with pytest.raises(BatchError, match=rf"^positions\[20\]: {message}") as caught:
        module.solve_many(positions, **how)
    assert contents(caught.value.done, module) == contents(module.solve_many(positions[:20]), module)
    answers = module.solve_many(positions, on_error="return", **how)
    assert list(answers.errors) == [20]
    assert [isinstance(answer, GamecoreError) for answer in answers] == [place == 20 for place in range(26)]
    assert answers.value[20] is np.ma.masked
    assert answers.lower[20] == answers.upper[20] == answers.nodes[20] == 0
    assert contents(answers[21:], module) == contents(module.solve_many(positions[21:]), module)
    assert list(answers[18:25].errors) == [2]
    assert "1 of them errors" in repr(answers)
    assert list(map(repr, module.solve_iter(positions[:0:-1], on_error="return")))[5] == repr(answers[20])


# --- positions as columns --------------------------------------------------------------------------------------------


def columns_of(game, positions):
    turns = [position.to_move in ("Bob", "black") for position in positions]
    if game is hexapawn:
        names = ("rows", "columns", "white", "black")
        return hexapawn.PositionArray(*([getattr(item, name) for item in positions] for name in names), turns)
    hands = [[sum(1 << card_index(card) for card in hand) for hand in (item.alice, item.bob)] for item in positions]
    last = [-1 if position.last is None else card_index(position.last) for position in positions]
    return duel.PositionArray(*zip(*hands, strict=True), turns, last)


@pytest.mark.parametrize("module", [duel, hexapawn])
def test_positions_as_columns(module):
    positions = POSITIONS[module]
    array, expected = columns_of(module, positions), module.solve_many(positions)
    assert list(array) == positions
    assert list(array[7:20:3]) == positions[7:20:3]
    assert contents(module.solve_many(array, workers=2), module) == contents(expected, module)
    assert contents(module.solve_many(array[100:110]), module) == contents(expected[100:110], module)
    assert expected.best_moves == [item.best_moves for item in expected]
    assert expected[50:].best_moves == expected.best_moves[50:]
    assert expected.to_move.tolist() == [position.to_move in ("Bob", "black") for position in positions]
    if module is hexapawn:
        assert expected.winners.tolist() == [{"white": 1, "black": -1}[item.winner] for item in expected]


@pytest.mark.parametrize("module", [duel, hexapawn])
def test_columns_at_odd_addresses(module, monkeypatch):
    arrived, aligned = [], columns.for_kernel

    def watched(arrays):
        arrived.extend(array.flags.aligned for array in arrays)
        needed = aligned(arrays)
        assert all(array.flags.aligned for array in needed)
        return needed

    monkeypatch.setattr(importlib.import_module(f"{module.__name__}._batch"), "for_kernel", watched)
    positions = POSITIONS[module][:60]
    there = module.solve_many(positions, executor=OddAddresses())
    assert contents(there, module) == contents(module.solve_many(positions), module)
    assert not all(arrived)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([3, 1 << 52], [4, 8]), "alice must be a hand of 52 bits"),
        (([3, 5], [4, 4]), "HA is in both hands"),
        (([3, 0], [4, 0]), "both hands are empty"),
        (([3, 1], [4, 2], [0, 2]), "to_move must be 0"),
        (([3, 1], [4, 2], 0, [-1, 52]), "last must be a card"),
        (([3, 1], [4, 2], 0, [-1, -2]), "last must be a card"),
        (([3, 1], [4, 2], 0, [-1, 1]), "last: DA is still in a hand"),
    ],
)
def test_bad_columns_of_duels(columns, message):
    array = duel.PositionArray(*columns)
    with pytest.raises(GamecoreError, match=message):
        array[1]
    with pytest.raises(BatchError, match=rf"positions\[1\]: {message}") as caught:
        duel.solve_many(array)
    assert len(caught.value.done) == 1
    answers = duel.solve_many(array, on_error="return")
    assert answers[0].exact
    assert message.split()[0] in str(answers[1])


@pytest.mark.parametrize(
    "columns",
    [([1, 2], [4]), ([[1]], [4]), ([1.5], [4]), (["a"], [4]), ([-1], [4]), ([1 << 64], [4]), ([1], [4], [300])],
)
def test_columns_of_other_lengths_and_types(columns):
    with pytest.raises(OptionError, match=r"alice|bob|to_move"):
        duel.PositionArray(*columns)


@pytest.mark.parametrize(
    "column",
    [
        (1, 3, 0, 0, 0), (3, 0, 0, 0, 0), (-3, -3, 0, 0, 0), (9, 8, 0, 0, 0), (127, 127, 0, 0, 0),
        (3, 3, 1 << 9, 0, 0), (8, 8, 1 << 63, 0, 0), (3, 3, 1, 1, 0), (3, 3, 1 << 8, 1, 0), (3, 3, 1 << 8, 0, 0),
        (3, 3, 0, 1, 1), (3, 3, 0, 0, 2), (2, 33, 0, 0, 0),
    ],
)  # fmt: skip
def test_columns_of_boards_are_refused_as_positions_are(column):
    array = hexapawn.PositionArray(*([good, bad] for good, bad in zip((3, 3, 7, 7 << 6, 0), column, strict=True)))
    answers = hexapawn.solve_many(array, on_error="return")
    assert answers[0].value == -6
    if answers.errors:
        with pytest.raises(GamecoreError, match=re.escape(str(answers.errors[1]))):
            array[1]
    else:
        assert answers[1] == hexapawn.solve_many([array[1]])[0]


# --- rows and rounds -------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(3)
TABLES = [
    RNG.integers(2, 15, (30_000, 52)).astype(np.int8),
    RNG.integers(-(10**12), 10**12, (500, 9)),
    RNG.random((400, 11)),
    [RNG.integers(0, 9, k).tolist() for k in RNG.integers(1, 40, 700)],
    [RNG.random(k) for k in RNG.integers(1, 30, 300)],
]


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_rows(opponent, pools):
    for values in TABLES:
        alone = rows.solve_many(values, opponent=opponent)
        for how in [*WAYS[1:], *({"executor": pool} for pool in pools)]:
            batch = rows.solve_many(values, opponent=opponent, **how)
            assert (batch.mine == alone.mine).all()
            assert (batch.theirs == alone.theirs).all()
            assert batch.mine.dtype == alone.mine.dtype
        first = list(itertools.islice(rows.solve_iter(values, opponent=opponent, workers=2), 300))
        assert [solution.mine for solution in first] == alone.mine[:300].tolist()
        assert first[7] == alone[7]
        assert list(alone)[-1] == alone[-1]


@pytest.mark.parametrize("how", WAYS)
def test_bad_rows(how):
    ragged = [[1, 2, 3], [4], [], [5, "x"], [2, 9], [1 << 62, 1 << 62]]
    with pytest.raises(BatchError, match=r"rows\[2\]: .*empty") as caught:
        rows.solve_many(ragged, **how)
    assert (caught.value.done.mine.tolist(), caught.value.done.theirs.tolist()) == ([4, 4], [2, 0])
    batch = rows.solve_many(ragged, on_error="return", **how)
    assert list(batch.errors) == [2, 3, 5]
    assert (batch.mine.tolist(), batch[4].mine) == ([4, 4, 0, 0, 9, 0], 9)
    table = np.arange(600.0).reshape(200, 3)
    table[130, 1] = np.nan
    with pytest.raises(BatchError, match=r"rows\[130\]: values\[1\] is nan") as caught:
        rows.solve_many(table, **how)
    assert len(caught.value.done) == caught.value.index == 130
    batch = rows.solve_many(table, on_error="return", **how)
    assert list(batch.errors) == [130]
    assert batch.mine[140] == rows.value(table[140], of="mine")
    assert np.isnan(table[130, 1])
    assert list(rows.solve_many([*table], on_error="return", **how).errors) == [130]
    answers = list(rows.solve_iter([*table], on_error="return", **how))  # the first chunk has 64
    assert [at for at, answer in enumerate(answers) if isinstance(answer, GamecoreError)] == [130]


@pytest.mark.parametrize("players", [["random"] * 4, ["greedy", "duck", "random", "intelligent"], ["pimc:2"] * 4])
def test_simulate_on_executors(players, pools):
    rounds = {"random": 300_000, "greedy": 3000, "pimc:2": 40}[players[0]]
    alone = hearts.simulate(players, rounds, 7, passing="cycle")
    for pool in (Here(), *pools):
        calls = []
        there = hearts.simulate(
            players, rounds, 7, passing="cycle", executor=pool, progress=lambda *count, calls=calls: calls.append(count)
        )
        assert (alone.points == there.points).all()
        assert (alone.decisions == there.decisions).all()
        assert calls[-1] == (rounds, rounds)
    assert (hearts.simulate(players, rounds, 7, passing="cycle", workers=None).points == alone.points).all()


def test_simulate_on_an_executor_that_fails():
    with pytest.raises(BatchError, match="the executor failed") as caught:
        hearts.simulate(["greedy"] * 4, 100_000, 7, executor=Dies(3, "future"))
    done = caught.value.done
    assert 0 < done.rounds == caught.value.index < 100_000
    assert (done.points == hearts.simulate(["greedy"] * 4, done.rounds, 7).points).all()


def test_simulate_a_local_player_on_an_executor():
    class Mine(hearts.Player):
        def choose(self, view):
            return view.legal_moves()[0]

    players = [Mine(), "greedy", "greedy", "greedy"]
    assert hearts.simulate(players, 10, 7, executor=Here()) == hearts.simulate(players, 10, 7)
    assert hearts.simulate(["greedy"] * 4, 0, executor=Here()).rounds == 0


# --- deadlines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "soon", True, 0, 12345.6])
def test_a_deadline_is_a_moment_of_the_wall_clock(value):
    with pytest.raises(OptionError, match="deadline"):
        Limits(deadline=value)


@pytest.mark.parametrize(("costs", "seconds"), [([0, 0, 1, 0, 0], None), ([9, 9, 9], None), ([1, 1], 3)], ids=str)
def test_positions_share_the_time_until_a_deadline(monkeypatch, costs, seconds):
    """What easy positions save goes to later ones; with nothing left, the rest gets no time."""
    now, shares = [2e9], []
    monkeypatch.setattr(time, "time", lambda: now[0])

    def solve(cost, limits):
        assert limits.for_kernel(1).seconds == min(limits.seconds, 2e9 + 10 - now[0] if now[0] < 2e9 + 10 else 0)
        shares.append(limits.seconds)
        now[0] += cost

    Batch(solve).solve_many(costs, Limits(seconds=seconds, nodes=7, deadline=2e9 + 10))
    assert shares[0] == min(10 / len(costs), seconds or 10)
    if costs[0] == 0:
        assert shares == sorted(shares)
        assert shares[-1] > 2
    assert costs != [9, 9, 9] or shares[-1] < 1


@pytest.mark.parametrize("how", WAYS)
def test_a_batch_ends_by_its_deadline(game, how):
    begun = time.time()
    for left in (-5, 0.3):
        answers = game.solve_many(HARD[game], Limits(deadline=time.time() + left), **how)
        assert [left > 0 or answer.lower < answer.upper for answer in answers] == [True] * 4
    assert not game.analyse(HARD[game][0], Limits(deadline=begun)).exact
    assert time.time() - begun < 10  # half a second, on a machine that does nothing else
