"""The games in OpenSpiel: its own API tests, and its play and search against ours."""

import importlib
import pickle
import unittest

import numpy as np
import pytest
from kit.games import Attributes, Passing, Points  # pytest's pythonpath has the folder of tests

from gamecore import adapters, game, kit
from gamecore.errors import GamecoreError
from gamecore.game import _registry

pyspiel = pytest.importorskip("pyspiel", reason="the extra 'openspiel' is not installed")
adapters.register_open_spiel()

SMALL = {
    "gamecore_duel": {"n": 2, "seed": 4},
    "gamecore_hexapawn": {"rows": 3, "columns": 3},
    "gamecore_rows": {"n": 6, "seed": 2},
}
OTHERS = [
    ("gamecore_duel", {"position": "DQH2:H3D6S3:B:HA"}),
    ("gamecore_hexapawn", {"position": "ppp/2P/PP1:b"}),
    ("gamecore_rows", {"position": "greedy-left:opponent:5:0:7 9 1 4 2"}),
    ("gamecore_rows", {"position": "optimal:me:0.5:0.0:1.5 2.25 -3.0"}),
    ("gamecore_rows", {"n": 7, "opponent": "greedy"}),
]
ALL = [*SMALL.items(), *OTHERS]
load = pyspiel.load_game
of_all = pytest.mark.parametrize(("name", "parameters"), ALL)


def minimax_value(loaded, player):
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    return minimax.alpha_beta_search(loaded, maximizing_player_id=player)[0]


def states_of(loaded, seed=1):
    """Yield the states of a random game, the last one too."""
    rng, state = np.random.default_rng(seed), loaded.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(int(rng.choice(state.legal_actions())))
    yield state


def test_registered_once():
    for _ in range(2):
        assert adapters.register_open_spiel() == (*SMALL, "gamecore_hearts")
    assert set(SMALL) <= set(pyspiel.registered_names())
    assert load("gamecore_hexapawn(rows=3,columns=4)").num_distinct_actions() == 72


@pytest.fixture(scope="module")
def kit_games():
    """Kit games, registered for this file: of points, of outcomes, with cycles."""
    before = dict(_registry._registered)
    games = {type(user).__name__.lower(): kit.make(user) for user in (Points(), Attributes([True] * 8), Passing())}
    for kit_game in games.values():
        game.register(kit_game)
    adapters.register_open_spiel()
    yield games
    _registry._registered.clear()
    _registry._registered.update(before)


@pytest.mark.parametrize("name", ["points", "attributes", "passing"])
def test_kit_games(name, kit_games):
    loaded = load(f"gamecore_{name}", {})
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=True, verbose=False)
    state = loaded.new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == list(state.position.legal_moves())
    for state in states_of(loaded):
        if not state.is_terminal():
            bits = np.array(state.observation_tensor(0))[:64]
            assert sum(int(bit) << at for at, bit in enumerate(bits)) == state.position.state[0]
    assert state.returns() == [-value for value in reversed(state.returns())]
    if name != "passing":  # its tree has no end
        value = kit_games[name].solve(kit_games[name].start()).value
        assert minimax_value(loaded, 0) == (value if name == "points" else np.sign(value))


def test_a_game_without_end_is_cut_off_as_a_draw(kit_games):
    state = load("gamecore_passing", {}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(0)
    assert (len(state.history()), state.returns()) == (1000, [0.0, 0.0])
    assert not state.position.is_over


def test_a_move_without_a_number_is_refused(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    negative = kit.make(type("Negative", (Passing,), {"moves": lambda self, state: [-1]}))
    few = kit.make(type("Few", (Passing,), {"ACTIONS": 1}))
    for made in (negative, few):
        game.register(made)
    adapters.register_open_spiel()
    assert load("gamecore_few", {}).num_distinct_actions() == 1
    for name, words in (("negative", "from 0 to 65535 .*, not -1"), ("few", "from 0 to 0 .*, not 1")):
        with pytest.raises((pyspiel.SpielError, GamecoreError), match=words):
            load(f"gamecore_{name}", {}).new_initial_state().legal_actions()


@pytest.mark.parametrize(("name", "parameters"), [*ALL, ("gamecore_hearts", {"seed": 5}), ("gamecore_points", {})])
def test_states_and_games_can_be_pickled(name, parameters, kit_games):
    loaded = load(name, parameters)
    for state in states_of(loaded):
        again = pickle.loads(pickle.dumps(state))
        for method in ("__str__", "history", "legal_actions", "returns"):
            assert getattr(again, method)() == getattr(state, method)()
    assert str(pickle.loads(pickle.dumps(loaded)).new_initial_state()) == str(loaded.new_initial_state())


@of_all
def test_open_spiels_random_simulations(name, parameters):
    pyspiel.random_sim_test(load(name, parameters), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SMALL)
def test_open_spiels_own_api_tests(name):
    """``open_spiel.integration_tests.api_test``, as it is run on all registered games, and what of its tests on full
    trees does not need a tensor of information states, which games of perfect information have no use for."""
    api = importlib.import_module("open_spiel.integration_tests.api_test")
    members = {"game": load(name, SMALL[name]), "game_name": name}
    partial = type("Partial", (api.EnforceAPIOnPartialTreeBase,), members)
    full = type("Full", (api.EnforceAPIOnFullTreeBase,), members)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(partial)
    assert suite.countTestCases() >= 5
    for test in ("legal_actions_empty", "current_player_returns_terminal_player_on_terminal_nodes", "constant_sum",
                 "information_state_no_argument_raises_on_terminal_nodes"):  # fmt: skip
        suite.addTest(full(f"test_{test}"))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun >= 9
    assert not result.errors + result.failures, result


@of_all
def test_open_spiels_search_finds_our_values(name, parameters):
    loaded = load(name, parameters)
    state, ours = loaded.new_initial_state(), game.game(name.removeprefix("gamecore_"))
    player, value = state.current_player(), ours.solve(state.position).value
    assert state.position.to_move == ours.sides[player]
    assert minimax_value(loaded, player) == pytest.approx(np.sign(value) if name == "gamecore_hexapawn" else value)


@of_all
def test_actions_are_moves(name, parameters):
    loaded = load(name, parameters)
    for seed in range(10):
        for state in states_of(loaded, seed):
            legal = state.legal_actions()
            names = [state.action_to_string(action) for action in legal]
            assert sorted(names) == sorted(() if state.is_terminal() else state.position.legal_moves())
            assert str(state) == state.position.to_text() == state.observation_string(1)
            assert np.shape(state.observation_tensor(0)) == (np.prod(loaded.observation_tensor_shape()),)
            for action, move in zip(legal, names, strict=True):
                assert str(state.child(action)) == state.position.play(move).to_text()
        assert len(state.history()) <= loaded.max_game_length()
        assert loaded.min_utility() <= state.returns()[0] <= loaded.max_utility()


def test_tensors_tell_positions_apart():
    for name, parameters in SMALL.items():
        loaded, tensors = load(name, parameters), {}
        for seed in range(60):
            tensors |= {str(state): tuple(state.observation_tensor(0)) for state in states_of(loaded, seed)}
        assert len(set(tensors.values())) == len(tensors) > 5


@pytest.mark.parametrize(("name", "parameters"), [
    ("gamecore_duel", {"position": "nonsense"}),
    ("gamecore_duel", {"n": 0}),
    ("gamecore_hexapawn", {"rows": 9, "columns": 9}),
    ("gamecore_rows", {"position": "cooperative:me:0:0:1 2 3"}),
    ("gamecore_rows", {"opponent": "nobody"}),
])  # fmt: skip
def test_bad_parameters(name, parameters):
    with pytest.raises(GamecoreError):
        load(name, parameters)


def test_a_round_of_hearts():
    """Three cards are passed one after another; what a seat sees is the view's alone; returns are minus the points."""
    loaded = load("gamecore_hearts", {"seed": 5})
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=False, verbose=False)
    for state in states_of(loaded):
        if state.position.passing_seats:
            names = {state.action_to_string(action) for action in state.legal_actions()}
            assert names <= set(state.position.hands[state.current_player()])
    assert state.returns() == [-points for points in state.position.points]
    assert len(state.full_history()) == 52 + 12


def test_illegal_actions_are_refused():
    state = load("gamecore_hexapawn", {"rows": 3, "columns": 3}).new_initial_state()
    with pytest.raises((pyspiel.SpielError, GamecoreError)):
        state.apply_action(0)
