"""``solve_many`` of every game whatever runs it, bad positions, columns; that it says what ``solve`` says is tested by
``tests/test_contract.py``."""

import itertools
import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from batch_tasks import Dies, Here

from gamecore import GamecoreError, Limits, OptionError, duel, hearts, hexapawn, rows
from gamecore.cards import card_index
from gamecore.errors import BatchError

WAYS = [{"workers": 1}, {"workers": 3}, {"workers": None}, {"executor": Here()}]


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def loky():
    externals = pytest.importorskip("joblib.externals.loky", reason="joblib is not installed")
    return externals.get_reusable_executor(max_workers=2)


def played(position, plies, rng):
    """The position after so many random moves, or the end."""
    for _ in range(plies):
        if not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def duels(count, seed=1):
    """Deals of all sizes, some in the middle of play, some over."""
    rng = random.Random(seed)
    positions = []
    for _ in range(count):
        deal = duel.deal(rng.choice([1, 1, 2, 3, 4, 6, 8]), rng=rng.randrange(1 << 30))
        start = duel.Position(deal.alice, deal.bob, rng.choice(["Alice", "Bob"]))
        positions.append(played(start, rng.choice([0, 0, 1, 2, 9]), rng))
    return positions


def boards(count, sizes=((3, 3), (4, 4), (5, 4), (3, 12), (9, 2), (2, 1))):
    rng = random.Random(1)
    return [played(hexapawn.Position.start(*rng.choice(sizes)), rng.randrange(9), rng) for _ in range(count)]


def said(answers, game):
    """What answers say, but for the time and, in Hexapawn, for what its shared table saves."""
    ignored = {"seconds", *(("nodes", "table_bytes", "replacements") if game is hexapawn else ())}
    return [{name: value for name, value in vars(one).items() if name not in ignored} for one in answers]


# --- whatever runs them ----------------------------------------------------------------------------------------------

POSITIONS = {
    duel: duels(300),
    hexapawn: boards(200),
    rows: [rows.random(9, opponent=opponent, rng=seed) for seed in range(30) for opponent in ("optimal", "greedy")],
    hearts: [hearts.random("left", plies=32, rng=seed) for seed in range(25)],
}
LIMITS = (
    Limits(nodes=0),
    Limits(nodes=40),
    Limits(nodes=300),
    Limits(seconds=0),
    Limits(table_mb=0.001),
    Limits(deadline=4e9),
)


@pytest.fixture(params=POSITIONS, ids=lambda game: game.__name__)
def game(request):
    return request.param


@pytest.mark.parametrize("line", [True, False])
def test_answers_do_not_depend_on_what_runs_them(game, line, processes, loky):
    positions = POSITIONS[game]
    expected = said(game.solve_many(positions, line=line), game)
    for how in [*WAYS[1:], {"executor": processes}, {"executor": loky}]:
        assert said(game.solve_many(positions, line=line, **how), game) == expected
    assert said(game.solve_iter(iter(positions), line=line, workers=2), game) == expected


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_answers_under_limits_do_not_depend_on_what_came_before(game, limits):
    positions = POSITIONS[game][:60]
    alone = [game.solve_many([position], limits)[0] for position in positions]
    for how in WAYS:
        assert said(game.solve_many(positions, limits, **how), game) == said(alone, game)


BAD = {
    duel: [
        (None, r"a duel.Position or a text of one is meant, not None"),
        (hexapawn.Position.start(3, 3), r"a duel.Position or a text of one is meant"),
        ("2\nDQ H2\nH3 XX\n", "line 3: Bob's hand: 'XX' is not a card"),
        ("DQ:XX:A:-", "line 1, column 4: BOB: 'XX' is not a card"),
        ("", "the text is empty"),
    ],
    hexapawn: [(7, "a hexapawn.Position or a text of one is meant, not 7")],
    hearts: [(hearts.Round.deal(1, passing="left", passer=None), "seats .* have to pass cards first")],
}


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(("module", "bad", "message"), [(name, *case) for name, cases in BAD.items() for case in cases])
def test_a_bad_position(how, module, bad, message):
    positions = [*POSITIONS[module][:20], bad, *POSITIONS[module][20:25]]
    with pytest.raises(BatchError, match=rf"^positions\[20\]: {message}") as caught:
        module.solve_many(positions, **how)
    assert caught.value.index == 20
    assert said(caught.value.done, module) == said(module.solve_many(positions[:20]), module)
    answers = module.solve_many(positions, on_error="return", **how)
    assert list(answers.errors) == [20]
    assert [isinstance(one, GamecoreError) for one in answers] == [place == 20 for place in range(26)]
    assert answers.value[20] is np.ma.masked
    assert answers.lower[20] == answers.upper[20] == answers.nodes[20] == 0
    assert said(answers[21:], module) == said(module.solve_many(positions[21:]), module)
    assert list(answers[18:25].errors) == [2]
    assert "1 of them errors" in repr(answers)
    with pytest.raises(BatchError, match=r"^positions\[0\]"):
        module.solve_many([bad])


def test_texts_are_read():
    assert [one.points for one in duel.solve_many(["3\nDQ H2 HA\nH3 D6 S3\n", "1\nC2\nC3"])] == [9, 3]
    assert [one.value for one in duel.solve_many(["DQH2HA:H3D6S3:A:-", "DQ:H3D6:B:DK"])] == [9, -3]
    assert [one.value for one in hexapawn.solve_many(["3\n3\nppp\n\nPPP\n", "ppp/3/PPP:w"])] == [-6, -6]


# --- positions as columns --------------------------------------------------------------------------------------------


def columns_of(game, positions):
    if game is duel:
        return duel.PositionArray(
            [position._alice_mask for position in positions],
            [position._bob_mask for position in positions],
            [position.to_move == "Bob" for position in positions],
            [-1 if position.last is None else card_index(position.last) for position in positions],
        )
    names = ("rows", "columns", "white", "black")
    turns = [position.to_move == "black" for position in positions]
    return hexapawn.PositionArray(*([getattr(one, name) for one in positions] for name in names), turns)


@pytest.mark.parametrize("module", [duel, hexapawn])
def test_positions_as_columns(module):
    positions = POSITIONS[module]
    array, expected = columns_of(module, positions), module.solve_many(positions)
    assert list(array) == positions
    assert list(array[7:20:3]) == positions[7:20:3]
    assert said(module.solve_many(array, workers=2), module) == said(expected, module)
    assert said(module.solve_many(array[100:110]), module) == said(expected[100:110], module)
    assert expected.best_moves == [one.best_moves for one in expected]
    assert expected[50:].best_moves == expected.best_moves[50:]
    second = {"Bob", "black"}
    assert expected.to_move.tolist() == [position.to_move in second for position in positions]
    if module is hexapawn:
        assert expected.winners.tolist() == [{"white": 1, "black": -1}[one.winner] for one in expected]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([3, 1 << 52], [4, 8]), "alice must be a hand of 52 bits"),
        (([3, 1], [4, 1 << 63]), "bob must be a hand of 52 bits"),
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
def test_columns_that_are_none(columns):
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
def test_bad_columns_of_boards(column):
    array = hexapawn.PositionArray(*([good, bad] for good, bad in zip((3, 3, 7, 7 << 6, 0), column, strict=True)))
    try:
        array[1]
    except GamecoreError as error:
        message = str(error)
    else:
        message = None
    answers = hexapawn.solve_many(array, on_error="return")
    assert answers[0].value == -6
    assert (str(answers[1]) if answers.errors else None) == message


# --- rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "cooperative"])
def test_rows(opponent, processes, loky):
    rng = np.random.default_rng(3)
    cases = [
        rng.integers(2, 15, (30_000, 52)).astype(np.int8),
        rng.integers(-(10**12), 10**12, (500, 9)),
        rng.random((400, 11)),
        [rng.integers(0, 9, k).tolist() for k in rng.integers(1, 40, 700)],
        [rng.random(k) for k in rng.integers(1, 30, 300)],
    ]
    for values in cases:
        one = rows.solve_many(values, opponent=opponent)
        for how in [*WAYS[1:], {"executor": processes}, {"executor": loky}]:
            batch = rows.solve_many(values, opponent=opponent, **how)
            assert (batch.mine == one.mine).all()
            assert (batch.theirs == one.theirs).all()
            assert batch.mine.dtype == one.mine.dtype
        streamed = rows.solve_iter(values, opponent=opponent, workers=2)
        first = list(itertools.islice(streamed, 300))
        assert [game.mine for game in first] == one.mine[:300].tolist()
        assert first[7] == one[7]
        assert list(one)[-1] == one[-1]


@pytest.mark.parametrize("how", WAYS)
def test_bad_rows(how):
    ragged = [[1, 2, 3], [4], [], [5, "x"], [2, 9], [1 << 62, 1 << 62]]
    with pytest.raises(BatchError, match=r"rows\[2\]: .*empty") as caught:
        rows.solve_many(ragged, **how)
    assert (caught.value.done.mine.tolist(), caught.value.done.theirs.tolist()) == ([4, 4], [2, 0])
    batch = rows.solve_many(ragged, on_error="return", **how)
    assert list(batch.errors) == [2, 3, 5]
    assert (batch.mine.tolist(), batch[4].mine) == ([4, 4, 0, 0, 9, 0], 9)
    assert "not a number" in str(batch[3])
    table = np.arange(60.0).reshape(20, 3)
    table[13, 1] = np.nan
    with pytest.raises(BatchError, match=r"rows\[13\]: values\[1\] is nan") as caught:
        rows.solve_many(table, **how)
    assert len(caught.value.done) == caught.value.index == 13
    batch = rows.solve_many(table, on_error="return", **how)
    assert list(batch.errors) == [13]
    assert [isinstance(game, GamecoreError) for game in batch] == [k == 13 for k in range(20)]
    assert batch.mine[14] == rows.value(table[14], of="mine")
    assert np.isnan(table[13, 1])


# --- hearts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [["random"] * 4, ["greedy", "duck", "random", "intelligent"], ["pimc:2"] * 4])
def test_simulate_on_executors(players, processes, loky):
    rounds = {"random": 300_000, "greedy": 3000, "pimc:2": 40}[players[0]]
    one = hearts.simulate(players, rounds, 7, passing="cycle")
    for pool in (Here(), processes, loky):
        told = []
        other = hearts.simulate(
            players, rounds, 7, passing="cycle", executor=pool, progress=lambda *count, told=told: told.append(count)
        )
        assert (one.points == other.points).all()
        assert (one.decisions == other.decisions).all()
        assert told[-1] == (rounds, rounds)
    assert (hearts.simulate(players, rounds, 7, passing="cycle", workers=None).points == one.points).all()


def test_simulate_on_executors_that_fail():
    with pytest.raises(BatchError, match="the executor failed") as caught:
        hearts.simulate(["greedy"] * 4, 100_000, 7, executor=Dies(3, "future"))
    done = caught.value.done
    assert 0 < done.rounds == caught.value.index < 100_000
    assert (done.points == hearts.simulate(["greedy"] * 4, done.rounds, 7).points).all()

    class Mine(hearts.Player):
        def choose(self, view):
            return view.legal_moves()[0]

    players = [Mine(), "greedy", "greedy", "greedy"]
    assert hearts.simulate(players, 10, 7, executor=Here()) == hearts.simulate(players, 10, 7)
    assert hearts.simulate(["greedy"] * 4, 0, executor=Here()).rounds == 0
