"""The games in OpenSpiel: its own API tests, and its play and search against ours."""

import importlib
import pickle
import unittest

import numpy as np
import pytest
from kit.games import Attributes, Passing, Points  # pytest's pythonpath has the folder of tests

from gamecore import adapters, duel, game, hexapawn, kit, rows
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
MODULES = {"gamecore_duel": duel, "gamecore_hexapawn": hexapawn, "gamecore_rows": rows}


def load(name, parameters):
    return pyspiel.load_game(name, parameters)


def test_registered_once():
    assert adapters.register_open_spiel() == (*SMALL, "gamecore_hearts")
    assert adapters.register_open_spiel() == (*SMALL, "gamecore_hearts")
    assert set(SMALL) <= set(pyspiel.registered_names())
    assert pyspiel.load_game("gamecore_hexapawn(rows=3,columns=4)").num_distinct_actions() == 72


@pytest.fixture(scope="module")
def kit_games():
    """Kit games, registered for this file: of points, of outcomes, with cycles."""
    before = dict(_registry._registered)
    made = {user.__class__.__name__.lower(): kit.make(user) for user in (Points(), Attributes([True] * 8), Passing())}
    for one in made.values():
        game.register(one)
    adapters.register_open_spiel()
    yield made
    _registry._registered.clear()
    _registry._registered.update(before)


@pytest.mark.parametrize("name", ["points", "attributes", "passing"])
def test_kit_games(name, kit_games):
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    loaded = load(f"gamecore_{name}", {})
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=True, verbose=False)
    state = loaded.new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == list(state.position.legal_moves())
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        tensor = np.array(state.observation_tensor(0))
        assert sum(int(bit) << at for at, bit in enumerate(tensor[:64])) == state.position.state[0]
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.returns() == [-one for one in reversed(state.returns())]
    if name != "passing":  # its tree has no end
        value, _ = minimax.alpha_beta_search(loaded, maximizing_player_id=0)
        solution = kit_games[name].solve(kit_games[name].start())
        assert value == (solution.value if name == "points" else np.sign(solution.value))


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
    state = loaded.new_initial_state()
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        again = pickle.loads(pickle.dumps(state))
        assert (str(again), again.history()) == (str(state), state.history())
        assert again.legal_actions() == state.legal_actions()
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert pickle.loads(pickle.dumps(state)).returns() == state.returns()
    assert str(pickle.loads(pickle.dumps(loaded)).new_initial_state()) == str(loaded.new_initial_state())


@pytest.mark.parametrize(("name", "parameters"), ALL)
def test_open_spiels_random_simulations(name, parameters):
    pyspiel.random_sim_test(load(name, parameters), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SMALL)
def test_open_spiels_own_api_tests(name):
    """``open_spiel.integration_tests.api_test``, as it is run on all registered games, and what of its tests on full
    trees does not need a tensor of information states, which games of perfect information have no use for."""
    api = importlib.import_module("open_spiel.integration_tests.api_test")
    game = load(name, SMALL[name])
    members = {"game": game, "game_name": name}
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


@pytest.mark.parametrize(("name", "parameters"), ALL)
def test_open_spiels_search_finds_our_values(name, parameters):
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    game = load(name, parameters)
    state = game.new_initial_state()
    first = state.current_player()
    value, _ = minimax.alpha_beta_search(game, maximizing_player_id=first)
    solution = MODULES[name].solve(state.position)
    assert state.position.to_move == ("Alice Bob" if name == "gamecore_duel" else "white black"
                                      if name == "gamecore_hexapawn" else "me opponent").split()[first]  # fmt: skip
    assert value == pytest.approx(np.sign(solution.value) if name == "gamecore_hexapawn" else solution.value)


@pytest.mark.parametrize(("name", "parameters"), ALL)
def test_actions_are_moves(name, parameters):
    rng = np.random.default_rng(1)
    game = load(name, parameters)
    for _ in range(10):
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            names = [state.action_to_string(action) for action in state.legal_actions()]
            assert sorted(names) == sorted(state.position.legal_moves())
            tensor = np.array(state.observation_tensor(0))
            assert tensor.shape == (np.prod(game.observation_tensor_shape()),)
            assert str(state) == state.position.to_text() == state.observation_string(1)
            expected = state.position.play(names[0])
            assert str(state.child(state.legal_actions()[0])) == expected.to_text()
            state.apply_action(int(rng.choice(state.legal_actions())))
            plies += 1
        assert plies <= game.max_game_length()
        assert game.min_utility() <= state.returns()[0] <= game.max_utility()


def test_tensors_tell_positions_apart():
    for name, parameters in SMALL.items():
        game, seen = load(name, parameters), {}
        for seed in range(60):
            rng, state = np.random.default_rng(seed), game.new_initial_state()
            while not state.is_terminal():
                seen[str(state)] = tuple(state.observation_tensor(0))
                state.apply_action(int(rng.choice(state.legal_actions())))
        assert len(set(seen.values())) == len(seen) > 5


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("gamecore_duel", {"position": "nonsense"}),
        ("gamecore_duel", {"n": 0}),
        ("gamecore_hexapawn", {"rows": 9, "columns": 9}),
        ("gamecore_rows", {"position": "cooperative:me:0:0:1 2 3"}),
        ("gamecore_rows", {"opponent": "nobody"}),
    ],
)
def test_bad_parameters(name, parameters):
    with pytest.raises(GamecoreError):
        load(name, parameters)


def test_a_round_of_hearts():
    """Three cards are passed one after another; what a seat sees is the view's alone; returns are minus the points."""
    game = load("gamecore_hearts", {"seed": 5})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    rng, state = np.random.default_rng(1), game.new_initial_state()
    while not state.is_terminal():
        if state.position.passing_seats:
            names = {state.action_to_string(action) for action in state.legal_actions()}
            assert names <= set(state.position.hands[state.current_player()])
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.returns() == [-points for points in state.position.points]
    assert len(state.full_history()) == 52 + 12


def test_illegal_actions_are_refused():
    state = load("gamecore_hexapawn", {"rows": 3, "columns": 3}).new_initial_state()
    with pytest.raises((pyspiel.SpielError, GamecoreError)):
        state.apply_action(0)
