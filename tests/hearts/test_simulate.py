"""Simulations and matches: statistics, reproducibility, players in Python, errors."""

import copy
import json
import math
import pickle
import threading
from collections.abc import Sequence
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, OptionError, hearts, kernels
from gamecore.cards import FULL_DECK
from gamecore.cli.schema import schema_of
from gamecore.hearts._cards import TEXTS

TABLES = [
    (["random"] * 4, 3001),
    (["greedy", "duck", "literal", "intelligent"], 120),
    (["pimc:3", "mc:3", "pimc:3:duck:infer=2", "solver:2:solve_at=12"], 60),
    (["linear", "search:4", "pimc:4:linear", "solver:3:linear:solve_at=12"], 6),
    (["linear", "search:4:infer=0", "pimc:4:infer=2", "duck"], 6),
]


def test_random_play_agrees_with_open_spiel_statistics():
    # 200,000 rounds of OpenSpiel's hearts without passing: 6.59 to 6.67 points a seat (par is 6.5 and what moons add),
    # a moon in 1.08% of rounds, 3.472 legal cards on average, 24.3% of plays forced.
    rounds = 400_000
    result = hearts.simulate(["random"] * 4, rounds, rng=7)
    moons = result.moons.sum() / rounds
    error = math.sqrt(0.0108 * 0.9892 * (1 / rounds + 1 / 200_000))
    assert abs(moons - 0.0108) < 4 * error
    # Each moon adds 52 points to the 26 of a round: the mean of the four seats follows from the moons.
    assert math.isclose(result.mean.sum(), 26 + 52 * moons)
    assert (abs(result.mean - 6.63) < 4 * np.hypot(result.stderr, 0.0155)).all()


def test_random_play_choices_and_first_tricks():
    kernel = kernels.kernel("hearts")
    rounds, legal, forced = 20_000, 0, 0
    wins = [0, 0, 0, 0]
    for index in range(rounds):
        _, _, seats, _, masks, _ = kernel.trace(11, index, hearts.Rules().flags, 0)
        counts = [mask.bit_count() for mask in masks]
        legal += sum(counts)
        forced += counts.count(1)
        wins[(seats[4] - seats[0]) % 4] += 1
    plays = 52 * rounds
    # Plays of one round are not independent: the spread of a round's own mean is below 0.25 cards and 0.06 shares.
    assert abs(legal / plays - 3.472) < 4 * 0.25 / math.sqrt(rounds) + 0.0005
    assert abs(forced / plays - 0.243) < 4 * 0.06 / math.sqrt(rounds) + 0.0005
    assert wins[0] == 0
    for won, share in zip(wins[1:], (0.334, 0.334, 0.332), strict=True):
        assert abs(won / rounds - share) < 4 * math.sqrt(share * (1 - share) / rounds) + 0.001


def test_deals_are_uniform():
    # Where each card goes (chi-square, 3 degrees of freedom a card), and how often two cards lie together.
    kernel = kernels.kernel("hearts")
    rounds = 8_000
    counts = np.zeros((52, 4))
    together = np.zeros((52, 52))
    for index in range(rounds):
        hands = kernel.Core(13, None, 5, index).hands()
        assert sum(hands) == FULL_DECK
        for seat, hand in enumerate(hands):
            held = np.array([hand >> card & 1 for card in range(52)], dtype=np.float64)
            assert held.sum() == 13
            counts[:, seat] += held
            together += np.outer(held, held)
    square = ((counts - rounds / 4) ** 2 / (rounds / 4)).sum(axis=1)
    # Each hand has exactly 13 cards: the 52 statistics sum to 52/51 of their free expectation of 3.
    assert abs(square.sum() * 51 / 52 - 156) < 5 * math.sqrt(2 * 156)
    pairs = together[np.triu_indices(52, 1)] / rounds
    share = 12 / 51
    assert abs(pairs - share).max() < 5.2 * math.sqrt(share * (1 - share) / rounds)
    assert abs(pairs.mean() - share) < 1e-9


@pytest.mark.parametrize(("players", "rounds"), TABLES)
@pytest.mark.parametrize("passing", ["hold", "left", "cycle"])
def test_same_rounds_for_any_workers_and_any_length(players, rounds, passing):
    one = hearts.simulate(players, rounds, 7, passing=passing)
    assert one.points.shape == (rounds, 4)
    assert one.points.dtype == np.int8
    for workers in (2, 5):
        assert hearts.simulate(players, rounds, 7, passing=passing, workers=workers) == one
    assert (hearts.simulate(players, rounds // 3, 7, passing=passing).points == one.points[: rounds // 3]).all()
    assert (hearts.simulate(players, rounds, 8, passing=passing).points != one.points).any()


@pytest.mark.parametrize("level", kernels.available_levels())
@pytest.mark.parametrize(("players", "rounds"), TABLES)
def test_same_rounds_at_every_level(level, players, rounds):
    kernel = kernels.kernel("hearts", level)
    specs = tuple(hearts.player(name).numbers for name in players)
    decisions = np.zeros(4, np.int64)
    points = np.empty((rounds, 4), np.int8)
    rules = hearts.Rules(jack_of_diamonds=True)
    directions = rules.directions("cycle")
    assert kernel.run(points, 7, 0, rules.flags, specs, directions, kernel.Control(), decisions) == rounds
    expected = hearts.simulate(players, rounds, 7, rules=rules, passing="cycle")
    assert (points == expected.points).all()
    assert (decisions == expected.decisions).all() or players == ["random"] * 4


@settings(max_examples=60, deadline=None)
@given(
    flags=st.integers(0, 255),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
    rounds=st.integers(0, 70),
    passing=st.binary(min_size=1, max_size=5).map(lambda data: bytes(byte & 3 for byte in data)),
)
def test_scalar_and_vector_forms_agree_round_by_round(flags, seed, first, rounds, passing):
    decisions = np.zeros(4, np.int64)
    found = []
    for level in kernels.available_levels():
        kernel = kernels.kernel("hearts", level)
        general = np.empty((rounds, 4), np.int8)
        kernel.run(general, seed, first, flags, ((0, 0, 0, 0, 0, 0),) * 4, passing, kernel.Control(), decisions)
        found.append(general)
        for vectors in (False, True):
            points = np.empty((rounds, 4), np.int8)
            kernel.run_random(points, seed, first, flags, passing, kernel.Control(), vectors)
            found.append(points)
    assert all((points == found[0]).all() for points in found)


class First(hearts.Player):
    """`literal` in Python."""

    def choose(self, view):
        return view.legal_moves()[0]

    def pass_cards(self, view):
        return view.hand[:3]


class Greedy(hearts.Player):
    """The built-in greedy, asked through its view."""

    def choose(self, view):
        from gamecore.hearts._kernel import kernel
        from gamecore.hearts._view import core_of

        return TEXTS[core_of(view).choose(hearts.player("greedy").numbers, kernel.Control())]


@pytest.mark.parametrize("passing", ["hold", "cycle"])
def test_python_players_sit_among_the_built_in_ones(passing):
    mine = hearts.simulate([First(), "greedy", "pimc:4", Greedy()], 40, 3, passing=passing)
    assert mine.players == ("First", "greedy", "pimc:4:greedy", "Greedy")
    theirs = hearts.simulate(["literal", "greedy", "pimc:4", "greedy"], 40, 3, passing=passing)
    assert (mine.points == theirs.points).all()
    # Random players draw as they do in the kernel, whoever sits beside them.
    mine = hearts.simulate([First(), "random", "intelligent", "random"], 40, 3, passing=passing)
    theirs = hearts.simulate(["literal", "random", "intelligent", "random"], 40, 3, passing=passing)
    assert (mine.points == theirs.points).all()
    four = hearts.simulate([First()] * 4, 5, 3)
    assert (four.points == hearts.simulate(["literal"] * 4, 5, 3).points).all()


class Bad(First):
    """Fails in a given round and trick."""

    def __init__(self, answer, at, trick):
        self.answer = answer
        self.left = at + 1
        self.trick = trick

    def begin_round(self, view, seed, totals):
        self.left -= 1

    def choose(self, view):
        if self.left or len(view.tricks) < self.trick - 1:
            return super().choose(view)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (ValueError("lost\nmy way"), r"seat 2, trick 5: Bad.choose raised ValueError: 'lost\\nmy way'"),
        ("XX", "seat 2, trick 5: Bad.choose answered 'XX': 'XX' is not a card"),
        (None, "answered None: None is not a card"),
        (["C2"], "is not a card"),
        ("C2", "answered 'C2': seat 2 cannot play C2: it is not in its hand"),
    ],
)
def test_a_player_that_fails_is_named_and_finished_rounds_stay(answer, message):
    players = ["greedy", "greedy", Bad(answer, 7, 5), "greedy"]
    with pytest.raises(hearts.PlayerError, match=message) as caught:
        hearts.simulate(players, 50, 3)
    error = caught.value
    assert isinstance(error, GamecoreError)
    assert (error.seat, error.trick) == (2, 5)
    assert error.partial.rounds == 7
    whole = hearts.simulate(["greedy", "greedy", "literal", "greedy"], 50, 3)
    assert (error.partial.points == whole.points[:7]).all()
    assert "\n" not in str(error)


def test_a_player_that_passes_nonsense():
    class Miser(First):
        def pass_cards(self, view):
            return view.hand[:2]

    with pytest.raises(hearts.PlayerError, match=r"seat 1, passing: Miser\.pass_cards answered") as caught:
        hearts.simulate(["greedy", Miser(), "greedy", "greedy"], 3, 3, passing="left")
    assert (caught.value.seat, caught.value.trick) == (1, 0)
    with pytest.raises(hearts.PlayerError, match="NotImplementedError"):
        hearts.simulate([hearts.Player()] * 4, 3, 3)


def test_a_match_is_the_first_rounds_of_a_cycle():
    for players in (["greedy", "random", "duck", "pimc:3"], ["greedy", First(), "duck", "random"]):
        match = hearts.match(players, 7)
        assert max(match.totals) >= 100 > max(match.points[:-1].sum(axis=0))
        assert match.winners == tuple(np.flatnonzero(np.array(match.totals) == min(match.totals)))
        again = hearts.simulate(players, len(match.points), 7, passing="cycle")
        assert (again.points == match.points).all()
        assert str(match).count("\n") == len(match.points) + 1
    short = hearts.match(["random"] * 4, 7, rules=hearts.Rules(match_points=20, pass_cards=False))
    assert (short.points == hearts.simulate(["random"] * 4, len(short.points), 7).points).all()


def results():
    return [
        hearts.simulate(["greedy", "random", "duck", "random"], 30, 7, passing="cycle"),
        hearts.simulate([First(), "random", "duck", "random"], 5, 7),
        hearts.match(["greedy", "random", "duck", "random"], 7, rules=hearts.Rules(match_points=50)),
    ]


def test_results_are_sequences_of_rounds():
    for one, again in zip(results(), results(), strict=True):
        assert isinstance(one, Sequence)
        assert len(one) == one.rounds == len(one.points) > 1
        assert one[0] == tuple(one.points[0].tolist())
        assert one[-2:] == tuple(one)[-2:]
        assert list(one) == list(map(tuple, one.points.tolist()))
        assert one[0] in one
        with pytest.raises(IndexError):
            one[len(one)]
        for other in (again, pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert one == other
        assert one != results()[0].points.tolist()
        changed = replace(one, points=one.points[:-1])
        assert one != changed
        assert one != replace(one, seed=8)
        with pytest.raises(TypeError):
            hash(one)
    assert results()[0] != results()[2]
    assert replace(results()[0], seconds=1.0) == results()[0]
    match = results()[2]
    other = type("Other", (type(match),), {})  # the same fields
    assert other(**vars(match)) != match


def test_results_as_data():
    for one, name in zip(results(), ("simulation", "simulation", "match"), strict=True):
        schema = schema_of(f"hearts.{name}")
        data = json.loads(json.dumps(one.to_dict(), allow_nan=False))
        jsonschema.validate(data, schema)
        assert data["players"] == list(one.players)
        assert data["rounds"] == len(one)
        for library in ("pandas", "polars"):
            pytest.importorskip(library)
            frame = one.to_dataframe(library)
            assert list(frame["round"]) == list(range(len(one)))
            assert [list(frame[f"seat_{seat}"]) for seat in range(4)] == one.points.T.tolist()
    none = hearts.simulate(["random"] * 4, 0, 7)
    assert (none.points.shape, none.to_dict()["mean"], none.to_dict()["stderr"]) == ((0, 4), [None] * 4, [None] * 4)
    assert "0 rounds" in str(none)
    jsonschema.validate(none.to_dict(), schema_of("hearts.simulation"))
    assert results()[2].to_dict()["points"] == results()[2].points.tolist()


def test_every_kind_of_rng():
    expected = hearts.simulate(["random"] * 4, 5, 7)
    assert hearts.simulate(["random"] * 4, 5, np.int64(7)) == expected
    for rng in (None, [1, 2], np.random.SeedSequence(3), np.random.PCG64(3), np.random.default_rng(3)):
        assert hearts.simulate(["random"] * 4, 5, rng).rounds == 5
        assert hearts.Round.deal(rng).seed < 1 << 64
    one, two = (hearts.simulate(["random"] * 4, 5, np.random.default_rng(3)) for _ in range(2))
    assert one == two
    assert hearts.Round.deal(one.seed).seed == one.seed


def test_names_of_classes_are_shown_without_control_characters():
    evil = type("\x1b[2JEvil", (First,), {})
    assert hearts.simulate([evil(), "greedy", "greedy", "greedy"], 1, 1).players[0] == r"\x1b[2JEvil"
    error = type("\x1b[2JError", (Exception,), {"__str__": lambda self: 1 / 0})

    class Raises(First):
        def choose(self, view):
            raise error

    with pytest.raises(hearts.PlayerError) as caught:
        hearts.simulate([Raises(), "greedy", "greedy", "greedy"], 1, 1)
    assert str(caught.value).isprintable()


@pytest.mark.nightly
def test_strength_order():
    # Small samples, wide margins: each line differs by many standard errors.
    def against(name, other, rounds):
        return hearts.simulate([name, other, other, other], rounds, 5).mean[0]

    assert against("greedy", "random", 20_000) < 4.2
    assert against("intelligent", "random", 5_000) < 5.6
    assert against("duck", "greedy", 20_000) < 6.1
    assert against("mc:20", "greedy", 1_000) < 6.6
    assert against("pimc:40", "greedy", 1_000) < 5.0
    assert against("pimc:40:infer=8:epsilon=0.02", "greedy", 1_000) < 4.6
    passing = hearts.simulate(["pimc:20", "greedy", "greedy", "greedy"], 500, 5, passing="left")
    assert passing.mean[0] < 5.2


def test_progress_and_interrupt_keep_finished_rounds(monkeypatch):
    calls = []
    hearts.simulate(["greedy"] * 4, 1000, 1, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (1000, 1000)
    assert calls == sorted(calls)

    def interrupt(done, total):
        if done:
            raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt) as caught:
            hearts.simulate(["pimc:20", *["greedy"] * 3], 20_000, 1, progress=interrupt, workers=workers)
        assert 0 < caught.value.partial.rounds < 20_000


def test_ctrl_c_stops_one_long_decision():
    import _thread

    round_ = hearts.Round.deal(7)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    round_ = round_.play("C2")
    with pytest.raises(KeyboardInterrupt):
        hearts.evaluate_moves(round_.view(round_.to_move), playouts=10_000_000, rng=1)


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["greedy"] * 3, {}, "4 players, not 3"),
        (["greedy"] * 5, {}, "4 players, not 5"),
        ("greedy", {}, "4 players"),
        (None, {}, "list of 4 players"),
        (["pimc:5:playouts=7"] * 4, {}, "given twice"),
        (["greedy"] * 3 + ["gready"], {}, "unknown player 'gready'"),
        (["greedy"] * 3 + [7], {}, "not 7"),
        (["greedy:5"] * 4, {}, "no option 'playouts'"),
        (["pimc:0"] * 4, {}, "playouts"),
        (["pimc:x"] * 4, {}, "playouts must be a number"),
        (["pimc:5:bold"] * 4, {}, "unknown policy 'bold'"),
        (["pimc:5:duck:7"] * 4, {}, "too much"),
        (["pimc:5:depth=7"] * 4, {}, "no option 'depth'"),
        (["pimc:5:solve_at=7"] * 4, {}, "no option 'solve_at'"),
        (["pimc:5:epsilon=2"] * 4, {}, "epsilon"),
        (["greedy"] * 4, {"rounds": -1}, "rounds"),
        (["greedy"] * 4, {"rounds": 1.5}, "rounds"),
        (["greedy"] * 4, {"workers": 0}, "workers"),
        (["greedy"] * 4, {"first": -1}, "first"),
        (["greedy"] * 4, {"passing": "up"}, "passing"),
        (["greedy"] * 4, {"rng": "seven"}, "rng"),
        (["greedy"] * 4, {"rules": {}}, "rules"),
    ],
)
def test_bad_input(players, options, message):
    with pytest.raises(OptionError, match=message):
        hearts.simulate(players, **{"rounds": 5, **options})


def test_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="extra `plot`")
    figure = hearts.simulate(["greedy", "random", "random", "random"], 200, 7).plot()
    figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000
