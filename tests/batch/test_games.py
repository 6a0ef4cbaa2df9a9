"""``solve_many`` of every game, whatever runs it: the same answers, bad positions, columns, deadlines. That a batch
answers what ``solve`` answers is in ``tests/test_contract.py``."""

import time

import numpy as np
import pytest
from batch_tasks import HARD, POSITIONS, Dies, Here, at_odd_addresses

from gamecore import GamecoreError, Limits, duel, hearts, hexapawn, rows
from gamecore.batch import columns
from gamecore.batch.spec import Batch
from gamecore.cards import card_index
from gamecore.errors import BatchError

WAYS = [{"workers": 1}, {"workers": 3}, {"workers": None}, {"executor": Here()}]
LIMITS = [{"nodes": 0}, {"nodes": 40}, {"nodes": 300}, {"seconds": 0}, {"table_mb": 0.001}, {"deadline": 4e9}]
OPTIONS = [{"line": True}, {"line": False}, *({"limits": Limits(**limits)} for limits in LIMITS)]
RNG = np.random.default_rng(3)
TABLES = [
    RNG.integers(2, 15, (3000, 52)).astype(np.int8),
    RNG.integers(-(10**12), 10**12, (500, 9)),
    RNG.integers(0, 2**31, (400, 11), dtype=np.uint32),
    [RNG.integers(0, 9, k).tolist() for k in RNG.integers(1, 40, 700)],
    [RNG.integers(-(2**60), 2**55, k) for k in RNG.integers(1, 6, 300)],
]
WORK = [(game, positions, options) for game, positions in POSITIONS.items() for options in OPTIONS]
WORK += [(rows, table, {"opponent": how}) for table in TABLES for how in ("optimal", "greedy", "cooperative")]


def contents(answers, game):
    """All fields but the time and, in Hexapawn, what its shared table saves."""
    ignored = {"seconds", *(("nodes", "table_bytes", "replacements") if game is hexapawn else ())}
    return [{name: value for name, value in vars(answer).items() if name not in ignored} for answer in answers]


@pytest.mark.parametrize(("game", "items", "options"), WORK)
def test_answers_do_not_depend_on_what_runs_them(game, items, options, pools):
    alone = game.solve_many(items, **options)
    expected = contents(alone, game)
    for how in [*WAYS[1:], *({"executor": pool} for pool in pools)]:
        there = game.solve_many(items, **options, **how)
        assert contents(there, game) == expected
        assert there.lower.dtype == alone.lower.dtype
    assert contents(game.solve_iter(iter(items), **options, workers=2), game) == expected


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_boards_of_one_size_share_a_table(workers):
    board = hexapawn.Position.start(5, 5)

    def boards():
        for _ in range(20):
            yield board
            time.sleep(0.02)  # for one search, on a machine that is not busy

    nodes = [answer.nodes for answer in hexapawn.solve_iter(boards(), line=False, workers=workers)]
    assert sum(nodes) < 3 * hexapawn.solve(board, line=False).nodes  # in tables of their own: times the threads


def beside(game, bad):
    return [*POSITIONS[game][:20], bad, *POSITIONS[game][20:25]]


HOLES = [[1, 2, 3]] * 130 + [[1, float("nan"), 3]] + [[4, 5, 6]] * 69
RAGGED = [[1, 2, 3], [4], [], [5, "x"], [2, 9], [1 << 62, 1 << 62]]
BAD = [
    (duel, beside(duel, None), [20], r"positions\[20\]: a duel position or its text is needed, not None"),
    (duel, beside(duel, "2\nDQ H2\nH3 XX\n"), [20], r"positions\[20\]: line 3: Bob's hand: 'XX' is not a card"),
    (hexapawn, beside(hexapawn, 7), [20], r"positions\[20\]: a hexapawn position or its text is needed, not 7"),
    (hearts, beside(hearts, hearts.Round.deal(1, passing="left", passer=None)), [20], "seats .* have to pass cards"),
    (rows, RAGGED, [2, 3, 5], r"rows\[2\]: .*empty"),
    (rows, HOLES, [130], r"rows\[130\]: .*nan.*scale"),
    (rows, beside(rows, "no position"), [20], r"rows\[20\]: value 1 must be an integer, not 'no'"),
    (rows, [*POSITIONS[rows][:2], 17, None, [1, "x"], *POSITIONS[rows][:9]], [2, 3, 4], r"rows\[2\]: "),
    (rows, np.ma.masked_equal(np.arange(15).reshape(5, 3), 10), [3], r"rows\[3\]: values\[1\] is masked"),
]


@pytest.mark.parametrize("how", [*WAYS, {"line": True}])
@pytest.mark.parametrize(("game", "items", "places", "message"), BAD)
def test_bad_positions(how, game, items, places, message):
    first, fine = places[0], [item for place, item in enumerate(items) if place not in places]
    with pytest.raises(BatchError, match=message) as caught:
        game.solve_many(items, **how)
    assert contents(caught.value.done, game) == contents(game.solve_many(items[:first], **how), game)
    answers = game.solve_many(items, on_error="return", **how)
    for many in (answers, list(game.solve_iter(items, on_error="return", **how))):
        assert [place for place, answer in enumerate(many) if isinstance(answer, GamecoreError)] == places
        assert [str(many[place]) for place in places] == [str(error) for error in answers.errors.values()]
        solved = [answer for answer in many if not isinstance(answer, GamecoreError)]
        assert contents(solved, game) == contents(game.solve_many(fine, **how), game)
    assert list(answers.errors) == places
    for place in places:
        assert answers.value[place] is np.ma.masked
        assert answers.lower[place] == answers.upper[place] == answers.nodes[place] == 0
    assert list(answers[first - 2 : first + 1].errors) == [2]
    assert f"{len(places)} of them errors" in repr(answers)


def columns_of(positions):
    turns = [position.to_move == "Bob" for position in positions]
    hands = [[sum(1 << card_index(card) for card in hand) for hand in (item.alice, item.bob)] for item in positions]
    last = [-1 if position.last is None else card_index(position.last) for position in positions]
    return duel.PositionArray(*zip(*hands, strict=True), turns, last)


#: Columns at the edge of what ``tests/refusals/batch.txt`` refuses.
EDGE = 2251799813685248, 1, 1, 3


def test_positions_as_columns():
    array, expected = columns_of(POSITIONS[duel]), duel.solve_many(POSITIONS[duel])
    assert list(array) == POSITIONS[duel]
    assert list(array[7:20:3]) == POSITIONS[duel][7:20:3]
    assert contents(duel.solve_many(array, workers=2), duel) == contents(expected, duel)
    assert contents(duel.solve_many(array[100:110]), duel) == contents(expected[100:110], duel)
    array = duel.PositionArray(*([number] for number in EDGE))
    assert duel.solve_many(array) == duel.solve_many([array[0]])


@pytest.mark.parametrize("game", [duel, hexapawn])
def test_columns_of_answers(game):
    positions = POSITIONS[game]
    expected = game.solve_many(positions)
    assert expected.best_moves == [item.best_moves for item in expected]
    assert expected[50:].best_moves == expected.best_moves[50:]
    assert not any(column.flags.writeable for column in (expected.lower, expected.value, expected[50:].nodes))
    assert expected.to_move.tolist() == [position.to_move in ("Bob", "black") for position in positions]
    assert contents(game.solve_many(positions, executor=Here(at_odd_addresses)), game) == contents(expected, game)
    odd = np.frombuffer(bytes(9), np.uint8)[1:].view(np.uint64)
    assert columns.for_kernel([odd])[0].flags.aligned > odd.flags.aligned


def test_rounds_before_an_executor_fails():
    """The same rounds by executors: ``tests/hearts/test_simulate.py``."""
    players = ["greedy", "duck", "random", "intelligent"]
    with pytest.raises(BatchError, match="the executor failed") as caught:
        hearts.simulate(players, 100_000, 7, executor=Dies("future", 3))
    assert 0 < caught.value.done.rounds == caught.value.index < 100_000
    assert caught.value.done == hearts.simulate(players, caught.value.index, 7)


def test_positions_share_the_time_until_a_deadline(monkeypatch):
    """What easy positions save goes to later ones; with nothing left, the rest gets no time."""
    now, shares = [2e9], []
    monkeypatch.setattr(time, "time", lambda: now[0])

    def solve(cost, limits):
        shares.append(limits.seconds)
        now[0] += cost

    for costs, seconds, first, last in (
        ([0, 0, 1, 0, 0], None, 2, (2.1, 10)), ([9, 9, 9], None, 10 / 3, (0, 1)), ([1, 1], 3, 3, (3, 3)),
    ):  # fmt: skip
        shares.clear()
        Batch(solve).solve_many(costs, Limits(seconds=seconds, nodes=7, deadline=now[0] + 10))
        assert shares[0] == first
        assert last[0] <= shares[-1] <= last[1]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("game", HARD)
def test_a_batch_ends_by_its_deadline(game, how):
    begun = time.time()
    for left in (-5, 0.3):
        answers = game.solve_many(HARD[game], Limits(deadline=time.time() + left), **how)
        assert [left > 0 or answer.lower < answer.upper for answer in answers] == [True] * 4
    assert not game.analyse(HARD[game][0], Limits(deadline=begun)).exact
    assert time.time() - begun < 10  # half a second, on a machine that does nothing else
