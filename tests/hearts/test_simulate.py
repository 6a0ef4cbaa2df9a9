"""Simulations, matches and comparisons: statistics, the same rounds however they are played, results, failures."""

import json
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hearts.decisions import RULES, plain_rules  # pytest's pythonpath has the folder of tests
from hearts.linear_reading import WEIGHTS, linear
from hearts.strange_players import Fails, First, Lowest, Lucky
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, hearts, kernels
from gamecore.cards import FULL_DECK
from gamecore.hearts import _players
from gamecore.hearts._cards import TEXTS, cards_of
from gamecore.hearts._rules import DIRECTIONS
from gamecore.reference import hearts as reference

# --- statistics -------------------------------------------------------------------------------------------------------


def test_random_play_agrees_with_open_spiel_statistics():
    # 200,000 rounds of OpenSpiel's hearts without passing: 6.59 to 6.67 points a seat (par is 6.5 and what moons add),
    # a moon in 1.08% of rounds.
    rounds = 400_000
    result = hearts.simulate(["random"] * 4, rounds, rng=7)
    moons = result.moons.sum() / rounds
    assert abs(moons - 0.0108) < 4 * math.sqrt(0.0108 * 0.9892 * (1 / rounds + 1 / 200_000))
    # Each moon adds 52 points to the 26 of a round: the mean of the four seats follows from the moons.
    assert math.isclose(result.mean.sum(), 26 + 52 * moons)
    assert (abs(result.mean - 6.63) < 4 * np.hypot(result.stderr, 0.0155)).all()


def test_deals_are_uniform():
    # Where each card goes (chi-square, 3 degrees of freedom a card), and how often two cards lie together.
    kernel, rounds = kernels.kernel("hearts"), 8_000
    counts, together = np.zeros((52, 4)), np.zeros((52, 52))
    for index in range(rounds):
        hands = kernel.Core(13, None, 5, index).hands()
        assert sum(hands) == FULL_DECK
        held = np.array([[hand >> card & 1 for hand in hands] for card in range(52)], dtype=np.float64)
        assert (held.sum(axis=0) == 13).all()
        counts += held
        together += held @ held.T
    square = ((counts - rounds / 4) ** 2 / (rounds / 4)).sum()
    # Each hand has exactly 13 cards: the 52 statistics sum to 52/51 of their free expectation of 3.
    assert abs(square * 51 / 52 - 156) < 5 * math.sqrt(2 * 156)
    pairs, share = together[np.triu_indices(52, 1)] / rounds, 12 / 51
    assert abs(pairs - share).max() < 5.2 * math.sqrt(share * (1 - share) / rounds)
    assert abs(pairs.mean() - share) < 1e-9


@pytest.mark.parametrize("number", [3, 8, -1])
def test_a_planted_policy_or_player_is_refused(number, monkeypatch):
    """Also with the number of a player that is no policy: none plays by another one."""
    monkeypatch.setitem(_players.POLICIES, "sly", number)
    late = hearts.random(rng=2, plies=40)
    view = late.view(late.to_move)
    four = ["pimc:5:sly", "random", "random", "random"]
    for call in (
        lambda: hearts.simulate(["ismcts:5:sly", "random", "random", "random"], 3, 1),
        lambda: hearts.compare(["mc:5:sly", "random"], rounds=3, rng=1),
        lambda: hearts.evaluate_moves(view, playouts=5, policy="sly", rng=1),
        lambda: hearts.simulate(four, 3, 1),
        lambda: hearts.match(four, 1),
    ):
        with pytest.raises(GamecoreError, match=f"policy {number}: the kernel has no such policy"):
            call()
    core, control = kernels.kernel("hearts").Core(0, None, 1, 0), kernels.kernel("hearts").Control()
    for kind in (-1, 99):
        with pytest.raises(GamecoreError, match=f"player {kind}: the kernel has no such player"):
            core.choose_pass(0, (kind, 5, 0, 0, 0, 0), 1, control)


NIGHTLY = [
    ("greedy", "random", 20_000, "hold", 4.2), ("intelligent", "random", 5_000, "hold", 5.6),
    ("duck", "greedy", 20_000, "hold", 6.1), ("mc:20", "greedy", 1_000, "hold", 6.6),
    ("pimc:40", "greedy", 1_000, "hold", 5.0), ("pimc:40:infer=8:epsilon=0.02", "greedy", 1_000, "hold", 4.6),
    ("pimc:20", "greedy", 500, "left", 5.2),
]  # fmt: skip


@pytest.mark.parametrize(("player", "other", "rounds", "passing", "most"), [
    ("linear", "greedy", 2_000, "hold", 4.9), *(pytest.param(*row, marks=pytest.mark.nightly) for row in NIGHTLY),
])  # fmt: skip
def test_strength_order(player, other, rounds, passing, most):
    """Small samples, wide margins: each line differs by many standard errors."""
    assert hearts.simulate([player, other, other, other], rounds, 5, passing=passing).mean[0] < most


# --- the same rounds --------------------------------------------------------------------------------------------------

SIMULATIONS = [
    (["random"] * 4, 3001, "cycle"),
    (["greedy", "duck", "literal", "intelligent"], 120, "left"),
    (["pimc:3", "mc:3", "pimc:3:duck:infer=2", "solver:2:solve_at=12"], 60, "cycle"),
    (["linear", "search:4", "pimc:4:linear", "solver:3:linear:solve_at=12"], 6, "hold"),
    (["linear", "search:4:infer=0", "pimc:4:infer=2", "duck"], 6, "left"),
    (["ismcts:60", "ismcts:40:linear:infer=2", "duck", "ismcts:50:random"], 6, "hold"),
    ([Lucky(), "random", Lowest(), "pimc:2"], 24, "cycle"),
]
COMPARISONS = [
    (partial(hearts.compare, field=["greedy", Lowest(), "random"]), ["pimc:2", Lucky(), "duck"], 3, "cycle"),
    (partial(hearts.compare, field="duck"), ["linear", "duck"], 100, "hold"),
]


@pytest.mark.parametrize(
    ("play", "players", "rounds", "passing"),
    [
        *((hearts.simulate, *table) for table in SIMULATIONS), *COMPARISONS,
        *((hearts.record, *table) for table in (*SIMULATIONS[:2], *SIMULATIONS[-2:])),
    ],
)  # fmt: skip
def test_same_rounds_for_any_workers_and_any_length(play, players, rounds, passing):
    whole = play(players, rounds=rounds, rng=7, passing=passing)
    assert (len(whole.points), whole.points.dtype) == (rounds, np.int8)
    for how in ({"workers": 2}, {"executor": ThreadPoolExecutor(3)}, {"executor": ProcessPoolExecutor(1)}):
        calls = []
        there = play(players, rounds=rounds, rng=7, passing=passing, progress=lambda *to, calls=calls: calls.append(to),
                     **how)  # fmt: skip
        assert (there, calls[-1]) == (whole, (rounds, rounds))
    third = rounds // 3
    begin = play(players, rounds=third, rng=7, passing=passing)
    rest = play(players, rounds=rounds - third, rng=7, passing=passing, first=third)
    for name in ("points", *(RECORDED if play is hearts.record else ())):
        assert np.array_equal(np.concatenate((getattr(begin, name), getattr(rest, name))), getattr(whole, name))
    if play is hearts.record:
        plain = hearts.simulate(players, rounds=rounds, rng=7, passing=passing)
        assert (plain.points.tobytes(), plain.decisions.tolist()) == (whole.points.tobytes(), whole.decisions.tolist())
    assert rest.to_dict()["first"] == third
    assert (play(players, rounds=rounds, rng=8, passing=passing).points != whole.points).any()


def replayed(record):
    """Yield of each recorded round its points by the plain rules, which check who plays what."""
    directions = record.rules.directions(record.passing)
    for index in range(record.rounds):
        direction = directions[(record.first + index) % len(directions)]
        hands, passed = ([set(cards_of(int(mask))) for mask in array[index]] for array in (record.deals, record.passes))
        assert [len(cards) for cards in passed] == [3 * bool(direction)] * 4
        assert all(cards <= hand for cards, hand in zip(passed, hands, strict=True))
        hands = [hands[seat] - passed[seat] | passed[seat - direction] for seat in range(4)]
        state = reference.State(list(map(list, hands)), plain_rules(record.rules))
        for seat, card in zip(record.seats[index].tolist(), record.cards[index].tolist(), strict=True):
            assert seat == state.to_move
            assert TEXTS[card] in state.legal_moves()
            state.play(TEXTS[card])
        assert state.is_over
        yield state.score()


@settings(max_examples=60, deadline=None)
@given(
    table=st.sampled_from([(["random"] * 4, 19), (["random", "greedy", "linear", "duck"], 5), (["linear"] * 4, 3),
                           (["pimc:2", Lucky(), "random", "search:2"], 1)]),
    rules=RULES, passing=st.sampled_from([*DIRECTIONS, "cycle"]), seed=st.integers(0, 2**64 - 1),
)  # fmt: skip
def test_every_recorded_round_replays_by_the_plain_rules(table, rules, passing, seed):
    record = hearts.record(*table, seed, rules=rules, passing=passing, first=seed % 4)
    assert list(record) == list(replayed(record))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_record_as_rows_of_cards(library):
    pytest.importorskip(library)
    record = hearts.record(["duck", "random", "duck", "pimc:2"], 3, 7, passing="left", first=2)
    frame = record.to_dataframe(library, what="cards")
    played = zip(record.seats.ravel().tolist(), map(TEXTS.__getitem__, record.cards.ravel().tolist()), strict=True)
    assert list(zip(*(frame[name].to_list() for name in frame.columns), strict=True)) == [
        (2 + at // 52, at % 52 // 4 + 1, at % 4 + 1, seat, record.players[seat], card, reference.points_of([card]))
        for at, (seat, card) in enumerate(played)
    ]
    assert list(record.to_dataframe(library)["round"]) == [2, 3, 4]


#: Every built-in player.
EVERY = [f"{name}:2" if name in _players._OPTIONS else name for name in _players.KINDS]


@pytest.mark.parametrize("names", [
    EVERY, *([f"{kind}:8:{policy}" for policy in _players.POLICIES] for kind in ("pimc", "ismcts")),
])  # fmt: skip
def test_no_player_plays_the_cards_of_another(names):
    assert len({hearts.simulate([name, *["random"] * 3], 60, 7).points.tobytes() for name in names}) == len(names)


@settings(max_examples=20, deadline=None)
@given(
    three=st.lists(st.sampled_from([*EVERY, "pimc:2:infer=1"]), min_size=3, max_size=3), rules=RULES,
    passing=st.sampled_from([*DIRECTIONS, "cycle"]), seed=st.integers(0, 99),
)  # fmt: skip
def test_rounds_in_python_are_the_kernels(three, rules, passing, seed):
    """Built-in players draw as they do in the kernel, whoever sits beside them."""
    table = ["literal", *three]
    mine = [First() if name == "literal" else name for name in table]
    played, expected = (
        hearts.simulate(players, 5, seed, rules=rules, passing=passing, first=seed % 4) for players in (mine, table)
    )
    assert (played.points == expected.points).all()
    assert (played.decisions == expected.decisions).all()


RANDOM = (0,) * 6
WIDTHS = ((4, np.uint64), (4, np.uint64), (52, np.uint8), (52, np.uint8))  # of these arrays
RECORDED = ("deals", "passes", "cards", "seats")
#: Tables in the kernel's numbers, and how many rounds of each are played.
TABLES = [((RANDOM,) * 4, 70)] * 9 + [((linear(weights),) * 4, 40) for weights in WEIGHTS[1:]]
TABLES += [((linear(weights), *[(8, 4, 7, 0, 2, 0, 0, weights)] * 3), 1) for weights in WEIGHTS[1:]]  # search:4:infer=2


@settings(max_examples=100)
@given(
    table=st.sampled_from(TABLES),
    flags=st.integers(0, 255) | st.integers(256, 383),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
    share=st.floats(0, 1),
    passing=st.binary(min_size=1, max_size=5).map(lambda data: bytes(byte & 3 for byte in data)),
)
def test_levels_with_and_without_vectors_play_the_same(table, flags, seed, first, share, passing):
    (players, most), played, recorded = table, [], []
    for kernel in (kernels.kernel("hearts", level) for level in kernels.levels_of("hearts")):
        points, decisions = np.empty((round(share * most), 4), np.int8), np.zeros(4, np.int64)
        arrays = tuple(np.empty((len(points), width), kind) for width, kind in WIDTHS)
        for log in (None, arrays):
            decisions[:] = 0
            kernel.run(points, seed, first, flags, players, passing, kernel.Control(), decisions, log)
            played.append((points.tolist(), decisions.tolist()))
        recorded.append([array.tolist() for array in arrays])
        for vectors in (False, True) if players[0] is RANDOM else ():
            for log in (None, arrays):
                kernel.run_random(points, seed, first, flags, passing, kernel.Control(), vectors, log)
                played.append((points.tolist(), played[0][1]))
            recorded.append([array.tolist() for array in arrays])
    assert all(one == played[0] for one in played)
    assert all(one == recorded[0] for one in recorded)


@pytest.mark.parametrize("players", [["greedy", "random", "duck", "pimc:3"], ["greedy", First(), "duck", "random"]])
def test_a_match_is_the_first_rounds_of_a_cycle(players):
    match = hearts.match(players, 7)
    assert max(match.totals) >= 100 > max(match.points[:-1].sum(axis=0))
    assert match.winners == tuple(np.flatnonzero(np.array(match.totals) == min(match.totals)))
    assert (match.points == hearts.simulate(players, len(match), 7, passing="cycle").points).all()
    reached = hearts.Rules(match_points=max(match.totals))
    assert hearts.match(players, 7, rules=reached).points.tolist() == match.points.tolist()
    short = hearts.match(players, 7, rules=hearts.Rules(match_points=20, pass_cards=False))
    assert (short.points == hearts.simulate(players, len(short), 7).points).all()


@pytest.mark.parametrize(("players", "field"), [
    (["duck", "pimc:3", "random"], "greedy"), (["duck", Lowest(), Lucky()], ("duck", "random", "pimc:2")),
    (["duck", "pimc:3", "random"], ("duck", Lowest(), "random")),
])  # fmt: skip
def test_a_comparison_has_the_points_of_simulations(players, field):
    others = [field] * 3 if isinstance(field, str) else field
    options = {"passing": "cycle", "first": 3, "rules": hearts.Rules(jack_of_diamonds=True)}
    comparison = hearts.compare(players, field, 30, 7, **options)
    for place, player in enumerate(players):
        for seat in range(4):
            table = [(player, *others)[(other - seat) % 4] for other in range(4)]
            points = hearts.simulate(table, 30, 7, **options).points[:, seat]
            assert (comparison.points[:, place, seat] == points).all()
    means = comparison.points.mean(axis=2).T
    assert np.allclose(comparison.mean, means.mean(axis=1))
    assert np.allclose(comparison.stderr, means.std(axis=1, ddof=1) / math.sqrt(30))
    for difference, (a, b) in zip(comparison.differences, [(0, 1), (0, 2), (1, 2)], strict=True):
        paired, names, errors = means[a] - means[b], comparison.players, comparison.stderr
        assert (difference.first, difference.second) == (names[a], names[b])
        expected = paired.mean(), paired.std(ddof=1) / math.sqrt(30), math.hypot(errors[a], errors[b])
        assert np.allclose((difference.mean, difference.stderr, difference.unpaired_stderr), expected)


# --- results ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", [
    hearts.simulate([First(), "random", "duck", "random"], 30, 7), hearts.simulate(["random"] * 4, 0, 7),
    hearts.match(["greedy", "random", "duck", "random"], 7, rules=hearts.Rules(match_points=50)),
    hearts.compare(["duck", Lowest(), Lowest()], ["greedy", "random", "random"], 12, 7),
    hearts.compare(["duck", "random"], rounds=1, rng=7), hearts.compare(["duck"], rounds=0, rng=7),
])  # fmt: skip
def test_results_as_data(result):
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert tuple(data) == type(result).FIELDS
    assert (data["rounds"], data["players"]) == (result.rounds, list(result.players))
    assert str(result).isascii()
    for library in ("pandas", "polars"):
        pytest.importorskip(library)
        frame = result.to_dataframe(library)
        if isinstance(result, hearts.Comparison):
            assert list(frame["player"]) == list(result.players)
            means = list(result.to_dataframe(library, what="differences")["mean"])
            assert np.array_equal(means, [pair.mean for pair in result.differences], equal_nan=True)
        else:
            first = getattr(result, "first", 0)
            assert list(frame["round"]) == list(range(first, first + len(result)))
            assert [list(frame[f"seat_{seat}"]) for seat in range(4)] == result.points.T.tolist()
            assert [*result[:3], *result[3:]] == list(result) == list(map(tuple, result.points.tolist()))
            for index in (None, np.True_, (0, 1), [0], 0.0):  # NumPy would take most of them
                with pytest.raises(TypeError):
                    result[index]
    if isinstance(result, hearts.Simulation) and result.rounds:
        assert np.allclose(result.mean, result.points.mean(axis=0))
        assert np.allclose(result.stderr, result.points.std(axis=0, ddof=1) / math.sqrt(len(result)))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("play", "players"), [(hearts.simulate, ["pimc:20", *["greedy"] * 3]), (hearts.compare, ["pimc:20", "duck"])]
)
def test_an_interruption_keeps_what_is_finished(play, players, workers):
    calls = []

    def interrupt(done, total):
        calls.append((done, total))
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        play(players, rounds=20_000, rng=1, progress=interrupt, workers=workers)
    assert 0 < caught.value.partial.rounds < 20_000
    assert calls[-1] == (caught.value.partial.rounds, 20_000)


# --- players in Python ------------------------------------------------------------------------------------------------


class Watches(Lucky):
    """Logs what it hears."""

    closed = 0

    def __init__(self):
        self.begun, self.ended, self.choices = [], [], 0

    def begin_round(self, view, seed, totals):
        super().begin_round(view, seed, totals)
        assert (len(view.hand), view.played) == (13, ())
        self.begun.append((seed, totals))

    def end_round(self, view, points):
        self.ended.append((view.seat, len(view.played), points))

    def choose(self, view):
        assert len(view.legal_moves()) > 1
        self.choices += 1
        return super().choose(view)

    def close(self):
        Watches.closed += 1


@pytest.mark.parametrize(("play", "options"), [(hearts.simulate, {"rounds": 6}), (hearts.match, {})])
def test_they_hear_of_rounds_and_decide_what_is_not_forced(play, options):
    player = Watches()
    result = play(["duck", player, "random", "duck"], rng=7, **options)
    totals = np.vstack([np.zeros((1, 4), int), np.cumsum(result.points, axis=0, dtype=int)[:-1]])
    assert [list(told) for _, told in player.begun] == (totals * (play is hearts.match)).tolist()
    assert len({seed for seed, _ in player.begun}) == len(result)
    assert player.ended == [(1, 52, points) for points in result]
    assert play is hearts.match or result.decisions[1] == player.choices < 6 * 13


def test_copies_of_players_are_closed_and_none_sits_twice_at_a_table():
    player, closed = Watches(), Watches.closed
    alone = hearts.simulate([player, *["duck"] * 3], 2, 7)
    assert (Watches.closed, len(player.begun)) == (closed, 2)  # in this thread the player itself plays
    assert hearts.simulate([player, *["duck"] * 3], 2, 7, executor=ThreadPoolExecutor(1)) == alone
    assert Watches.closed > closed
    points = [hearts.compare(["duck"], field, 4, 7).points for field in (player, [Lucky(), Lucky(), Lucky()])]
    assert (points[0] == points[1]).all()
    assert len(player.begun) == 2


def wrong(*_):
    raise type("\x1b[2JError", (Exception,), {"__str__": lambda self: 1 / 0})


def failing(name, **methods):
    """Return a Player of a new class with these methods."""
    return type(name, (First,), methods)()


# A player, what its error says, the trick, and the rounds before.
FAILURES = [
    (Fails(ValueError("lost\nmy way")), r": Fails.choose raised ValueError: 'lost\\nmy way'", 5, 9),
    (Fails("XX"), ": Fails.choose answered 'XX': 'XX' is not a card", 5, 9),
    (Fails(None), "answered None: None is not a card", 5, 9), (Fails(["C2"]), "is not a card", 5, 9),
    (Fails("C2"), "answered 'C2': seat 2 cannot play C2: it is not in its hand", 5, 9),
    (hearts.Player(), "NotImplementedError", 3, 0),
    (failing("Raises", choose=wrong), r"raised \\x1b\[2JError: '\?'", 1, 0),
    (failing("Miser", pass_cards=lambda self, view: view.hand[:2]), ", passing: Miser.pass_cards answered", 0, 0),
    (failing("Wrong", pass_cards=lambda self, view: view.hand[0]), "has to pass 3 cards, not 'C", 0, 0),
    (failing("Wrong", begin_round=wrong), r": Wrong\.begin_round raised", 0, 0),
    (failing("Wrong", end_round=wrong), r": Wrong\.end_round raised", 13, 0),
]  # fmt: skip


@pytest.mark.parametrize(("player", "message", "trick", "rounds"), FAILURES)
@pytest.mark.parametrize("play", [partial(hearts.simulate, rounds=50, passing="cycle"), hearts.match])
def test_a_player_that_fails_is_named_and_finished_rounds_stay(play, player, message, trick, rounds):
    with pytest.raises(hearts.PlayerError, match=rf"seat 2.*{message}") as caught:
        play(["greedy", "greedy", player, "greedy"], rng=18)
    error = caught.value
    assert str(error).isprintable()
    assert (error.seat, error.trick, error.partial.rounds) == (2, trick, rounds)
    whole = hearts.simulate(["greedy", "greedy", "literal", "greedy"], 50, 18, passing="cycle")
    assert (error.partial.points == whole.points[:rounds]).all()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_comparison_keeps_the_deals_before_a_failure(workers):
    with pytest.raises(hearts.PlayerError, match=r"Fails.choose raised RuntimeError: 'cannot bear it'") as caught:
        hearts.compare(["duck", Fails(RuntimeError("cannot bear it"))], "greedy", 60, 2, workers=workers)
    partial = caught.value.partial
    assert 0 <= partial.rounds < 60
    assert (partial.points == hearts.compare(["duck", "literal"], "greedy", partial.rounds, 2).points).all()


def test_a_listener_may_be_set_on_the_player_itself():
    mine, heard = hearts.Player(), []
    mine.choose = lambda view: view.legal_moves()[0]
    mine.begin_round = lambda view, seed, totals: heard.append("begin")
    mine.end_round = lambda view, points: heard.append("end")
    hearts.simulate([mine, "duck", "duck", "duck"], 1, 7)
    assert heard == ["begin", "end"]
