"""``solve_many`` of every game: the answers of ``solve``, whatever runs them; bad positions; columns."""

import itertools
import pickle
import random
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from batch_tasks import Dies, Here

from gamecore import GamecoreError, Limits, OptionError, duel, hearts, hexapawn, rows
from gamecore.cards import card_index
from gamecore.errors import BatchError

DECK = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
WAYS = [{"workers": 1}, {"workers": 3}, {"workers": None}, {"executor": Here()}]


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2) as pool:
        yield pool


@pytest.fixture(scope="module")
def loky():
    externals = pytest.importorskip("joblib.externals.loky", reason="joblib is not installed")
    return externals.get_reusable_executor(max_workers=2)


# --- duel ------------------------------------------------------------------------------------------------------------


def duels(count, seed=1):
    """Deals of all sizes, some in the middle of play, some over."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        n = rng.choice([1, 1, 2, 3, 4, 6, 8])
        cards = rng.sample(DECK, 2 * n)
        position = duel.Position(cards[:n], cards[n:], rng.choice(["Alice", "Bob"]))
        for _ in range(rng.choice([0, 0, 1, 2, 9])):
            if not position.is_over:
                position = position.play(rng.choice(position.legal_moves()))
        found.append(position)
    return found


def without_time(solution):
    """Its attributes, of which equality ignores some, but for the time."""
    return {name: value for name, value in vars(solution).items() if name != "seconds"}


def same_duels(batch, alone):
    assert [without_time(one) for one in batch] == [{**without_time(one), "best_so_far": None} for one in alone]
    assert batch.best_moves == [one.best_moves for one in alone]
    assert batch.lower.tolist() == [one.lower for one in alone]
    assert batch.upper.tolist() == [one.upper for one in alone]
    assert batch.nodes.tolist() == [one.nodes for one in alone]


@pytest.mark.parametrize("line", [True, False])
def test_duels(line, processes, loky):
    positions = duels(600)
    alone = [duel.solve(position, line=line) for position in positions]
    assert any(one.nodes == 0 for one in alone)
    assert not line or any("pass" in one.line for one in alone)
    for how in [*WAYS, {"executor": processes}, {"executor": loky}]:
        same_duels(duel.solve_many(positions, line=line, **how), alone)
    streamed = duel.solve_iter(iter(positions), line=line, workers=2)
    assert [without_time(one) for one in streamed] == [without_time(one) for one in alone]


def test_duels_as_columns():
    positions = duels(300)
    array = duel.PositionArray(
        [position._alice_mask for position in positions],
        [position._bob_mask for position in positions],
        [position.to_move == "Bob" for position in positions],
        [-1 if position.last is None else card_index(position.last) for position in positions],
    )
    assert len(array) == 300
    assert list(array) == positions
    assert list(array[7:20:3]) == positions[7:20:3]
    same_duels(duel.solve_many(array, workers=2), [duel.solve(position) for position in positions])
    same_duels(duel.solve_many(array[100:110]), [duel.solve(position) for position in positions[100:110]])


def test_duels_under_limits_do_not_depend_on_workers():
    positions = duels(60, 3)
    for limits in (Limits(nodes=0), Limits(nodes=7), Limits(nodes=300), Limits(seconds=0), Limits(table_mb=0.001)):
        alone = [duel.solve(position, limits) for position in positions]
        for how in WAYS:
            same_duels(duel.solve_many(positions, limits, **how), alone)


def test_answers_are_a_sequence():
    positions = duels(50)
    answers = duel.solve_many(positions)
    every = list(answers)
    assert len(answers) == len(every) == 50
    assert answers[3] == every[3]
    assert answers[-1] == every[-1]
    assert answers == every
    assert answers != every[:-1]
    assert answers != "text"
    assert answers[10:20] == every[10:20]
    assert answers[::-7] == every[::-7]
    assert answers[10:20].best_moves == [one.best_moves for one in every[10:20]]
    assert pickle.loads(pickle.dumps(answers)) == every
    assert repr(answers) == "<duel.Solutions: 50 solutions>"
    assert answers.exact.all()
    assert (answers.seconds > 0).all()
    with pytest.raises(IndexError):
        answers[50]
    with pytest.raises(TypeError):
        hash(answers)
    assert duel.solve_many([]) == []
    assert duel.solve_many(iter(())).best_moves == []


BAD_DUELS = [
    (None, r"a duel.Position or a text of one is meant, not None"),
    (hexapawn.Position.start(3, 3), r"a duel.Position or a text of one is meant"),
    ("2\nDQ H2\nH3 XX\n", "line 3: Bob's hand: 'XX' is not a card"),
    ("DQ:XX:A:-", "line 1, column 4: BOB: 'XX' is not a card"),
    ("", "the text is empty"),
]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(("bad", "message"), BAD_DUELS)
def test_a_bad_duel(how, bad, message):
    positions = [*duels(40), bad, *duels(5)]
    with pytest.raises(BatchError, match=rf"^positions\[40\]: {message}") as caught:
        duel.solve_many(positions, **how)
    assert caught.value.index == 40
    assert [without_time(one) for one in caught.value.done] == [without_time(duel.solve(one)) for one in positions[:40]]
    answers = duel.solve_many(positions, on_error="return", **how)
    assert list(answers.errors) == [40]
    assert isinstance(answers[40], GamecoreError)
    assert answers.lower[40] == answers.upper[40] == answers.nodes[40] == 0
    assert [isinstance(one, GamecoreError) for one in answers] == [place == 40 for place in range(46)]
    assert without_time(answers[45]) == without_time(duel.solve(positions[45]))
    assert list(answers[38:45].errors) == [2]
    assert "1 of them errors" in repr(answers)
    with pytest.raises(BatchError, match=r"^positions\[0\]"):
        duel.solve_many([bad])


def test_texts_are_read():
    assert [one.points for one in duel.solve_many(["3\nDQ H2 HA\nH3 D6 S3\n", "1\nC2\nC3"])] == [9, 3]
    assert [one.value for one in duel.solve_many(["DQH2HA:H3D6S3:A:-", "DQ:H3D6:B:DK"])] == [9, -3]
    assert [one.value for one in hexapawn.solve_many(["3\n3\nppp\n\nPPP\n", "ppp/3/PPP:w"])] == [-6, -6]


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


# --- hexapawn --------------------------------------------------------------------------------------------------------


def boards(count, sizes=((3, 3), (4, 4), (5, 4), (3, 12), (9, 2), (2, 1)), seed=1):
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        position = hexapawn.Position.start(*rng.choice(sizes))
        for _ in range(rng.randrange(9)):
            if position.legal_moves():
                position = position.play(rng.choice(position.legal_moves()))
        found.append(position)
    return found


def proved(solution):
    return {
        name: value
        for name, value in vars(solution).items()
        if name not in ("seconds", "nodes", "table_bytes", "replacements")
    }


@pytest.mark.parametrize("line", [True, False])
def test_boards(line, processes, loky):
    positions = boards(300)
    first = hexapawn.solve_many(positions, line=line)
    for position, one in zip(positions, first, strict=True):
        alone = hexapawn.solve(position, line=line)
        assert (one.value, one.winner, len(one.line)) == (alone.value, alone.winner, len(alone.line))
        if line and not position.is_over:  # which of equally good moves it is may differ: it keeps the value
            after = hexapawn.solve(position.play(one.best_move), line=False)
            assert (after.winner, after.distance_lower) == (one.winner, one.distance_lower - 1)
        else:
            assert one.best_moves == ()
    for how in [*WAYS, {"executor": processes}, {"executor": loky}]:
        batch = hexapawn.solve_many(positions, line=line, **how)
        assert [proved(one) for one in batch] == [proved(one) for one in first]
    streamed = hexapawn.solve_iter(iter(positions), line=line, workers=2)
    assert [proved(one) for one in streamed] == [proved(one) for one in first]
    assert first.best_moves == [one.best_moves for one in first]
    assert first.to_move.tolist() == [position.to_move == "black" for position in positions]
    assert first.winners.tolist() == [{"white": 1, "black": -1}[one.winner] for one in first]


def test_boards_as_columns():
    positions = boards(200)
    array = hexapawn.PositionArray(
        [position.rows for position in positions],
        [position.columns for position in positions],
        [position.white for position in positions],
        [position.black for position in positions],
        [position.to_move == "black" for position in positions],
    )
    assert list(array) == positions
    alone = hexapawn.solve_many(positions)
    assert [proved(one) for one in hexapawn.solve_many(array)] == [proved(one) for one in alone]
    assert hexapawn.solve_many(hexapawn.PositionArray(8, 8, [255 << 48], [255 << 8]))[0].value == 1


def test_boards_under_limits_do_not_depend_on_what_came_before():
    positions = boards(120, ((5, 4), (4, 5), (3, 12)))
    limits = Limits(nodes=40)
    alone = [hexapawn.solve_many([position], limits)[0] for position in positions]
    assert len({one.exact for one in alone}) == 2
    for how in WAYS:
        batch = hexapawn.solve_many(positions, limits, **how)
        assert [without_time(one) for one in batch] == [without_time(one) for one in alone]


@pytest.mark.parametrize("how", WAYS)
def test_a_bad_board(how):
    positions = [*boards(30), 7, *boards(3)]
    message = r"^positions\[30\]: a hexapawn.Position or a text of one is meant, not 7"
    with pytest.raises(BatchError, match=message) as caught:
        hexapawn.solve_many(positions, **how)
    assert [proved(one) for one in caught.value.done] == [proved(one) for one in hexapawn.solve_many(positions[:30])]
    answers = hexapawn.solve_many(positions, on_error="return", **how)
    assert isinstance(answers[30], OptionError)
    assert proved(answers[31]) == proved(hexapawn.solve_many(positions[31:])[0])


@pytest.mark.parametrize(
    "column",
    [
        (1, 3, 0, 0, 0),
        (3, 0, 0, 0, 0),
        (-3, -3, 0, 0, 0),
        (9, 8, 0, 0, 0),
        (127, 127, 0, 0, 0),
        (3, 3, 1 << 9, 0, 0),
        (8, 8, 1 << 63, 0, 0),
        (3, 3, 1, 1, 0),
        (3, 3, 1 << 8, 1, 0),
        (3, 3, 1 << 8, 0, 0),
        (3, 3, 0, 1, 1),
        (3, 3, 0, 0, 2),
        (2, 33, 0, 0, 0),
    ],
)
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
    for games in cases:
        one = rows.solve_many(games, opponent=opponent)
        for how in [*WAYS[1:], {"executor": processes}, {"executor": loky}]:
            batch = rows.solve_many(games, opponent=opponent, **how)
            assert (batch.mine == one.mine).all()
            assert (batch.theirs == one.theirs).all()
            assert batch.mine.dtype == one.mine.dtype
        streamed = rows.solve_iter(games, opponent=opponent, workers=2)
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


def endings(count, cards=20):
    found = []
    for seed in range(count):
        round_ = hearts.Round.deal(rng=seed)
        for _ in range(52 - cards):
            round_ = round_.play(round_.ask("greedy"))
        found.append(round_)
    return found


def test_hearts_solve_many(processes, loky):
    rounds = endings(25)
    alone = [hearts.solve(round_) for round_ in rounds]
    for how in [*WAYS, {"executor": processes}, {"executor": loky}]:
        assert hearts.solve_many(rounds, **how) == alone
    assert list(hearts.solve_iter(iter(rounds), workers=2)) == alone
    paranoid = hearts.solve_many(rounds[:2], Limits(nodes=10), method="paranoid")
    assert [one.max_n_points for one in paranoid] == [None, None]
    bad = [rounds[0], hearts.Round.deal(1, passing="left", passer=None), rounds[1]]
    with pytest.raises(BatchError, match=r"positions\[1\]: seats .* have to pass cards first") as caught:
        hearts.solve_many(bad)
    assert caught.value.done == alone[:1]
    answers = hearts.solve_many(bad, on_error="return", workers=2)
    assert isinstance(answers[1], GamecoreError)
    assert answers[2] == alone[1]
    with pytest.raises(OptionError, match="method"):
        hearts.solve_many(rounds, method="best")


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
