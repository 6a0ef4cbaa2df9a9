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
KITS = [Points(), Attributes([True] * 8), Passing()]  # of points, of outcomes, with cycles
KIT_NAMES = [f"gamecore_{type(user).__name__.lower()}" for user in KITS]
FINITE = [
    *SMALL.items(),
    ("gamecore_duel", {"position": "DQH2:H3D6S3:B:HA"}),
    ("gamecore_hexapawn", {"position": "ppp/2P/PP1:b"}),
    ("gamecore_rows", {"position": "greedy-left:opponent:5:0:7 9 1 4 2"}),
    ("gamecore_rows", {"position": "optimal:me:0.5:0.0:1.5 2.25 -3.0"}),
    ("gamecore_rows", {"n": 7, "opponent": "greedy"}),
    ("gamecore_points", {}),
    ("gamecore_attributes", {}),
]
load = pyspiel.load_game


@pytest.fixture(scope="module", autouse=True)
def _kit_games():
    """Register kit games for this file."""
    before = dict(_registry._registered)
    for user in KITS:
        game.register(kit.make(user))
    adapters.register_open_spiel()
    yield
    _registry._registered.clear()
    _registry._registered.update(before)


def states_of(loaded, seed=1):
    """Yield the states of a random game, the last one too."""
    rng, state = np.random.default_rng(seed), loaded.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(int(rng.choice(state.legal_actions())))
    yield state


def test_registered_once():
    for _ in range(2):
        assert adapters.register_open_spiel()[:4] == (*SMALL, "gamecore_hearts")
    assert set(SMALL) <= set(pyspiel.registered_names())
    assert load("gamecore_hexapawn(rows=3,columns=4)").num_distinct_actions() == 72


@pytest.mark.parametrize(("name", "parameters"), [*FINITE, ("gamecore_passing", {}), ("gamecore_hearts", {"seed": 5})])
def test_play(name, parameters):
    """Actions are moves, or cards that are passed one after another; whatever is pickled is the same again."""
    loaded, is_hearts = load(name, parameters), name == "gamecore_hearts"
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=not is_hearts, verbose=False)
    assert str(pickle.loads(pickle.dumps(loaded)).new_initial_state()) == str(loaded.new_initial_state())
    for seed in range(1 if is_hearts else 10):
        for state in states_of(loaded, seed):
            legal, position = state.legal_actions(), state.position
            names = [state.action_to_string(action) for action in legal]
            if is_hearts and position.passing_seats:
                assert set(names) <= set(position.hands[state.current_player()])
            else:
                assert sorted(names) == sorted(() if state.is_terminal() else position.legal_moves())
                for action, move in zip(legal, names, strict=True):
                    assert str(state.child(action)) == position.play(move).to_text()
            assert str(state) == position.to_text()
            assert is_hearts or state.observation_string(1) == str(state)
            assert np.shape(state.observation_tensor(0)) == (np.prod(loaded.observation_tensor_shape()),)
            if name in KIT_NAMES and not state.is_terminal():
                bits = np.array(state.observation_tensor(0))[:64]
                assert sum(int(bit) << at for at, bit in enumerate(bits)) == position.state[0]
            again = pickle.loads(pickle.dumps(state))
            for method in ("__str__", "history", "legal_actions", "returns"):
                assert getattr(again, method)() == getattr(state, method)()
        assert len(state.history()) <= loaded.max_game_length()
        assert loaded.min_utility() <= min(state.returns()) <= max(state.returns()) <= loaded.max_utility()
    if is_hearts:
        assert state.returns() == [-points for points in state.position.points]
        assert len(state.full_history()) == 52 + 12
    else:
        assert sum(state.returns()) == 0


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


@pytest.mark.parametrize(("name", "parameters"), FINITE)
def test_open_spiels_search_finds_our_values(name, parameters):
    loaded = load(name, parameters)
    state, ours = loaded.new_initial_state(), game.game(name.removeprefix("gamecore_"))
    player, value = state.current_player(), ours.solve(state.position).value
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    found = minimax.alpha_beta_search(loaded, maximizing_player_id=player)[0]
    assert state.position.to_move == ours.sides[player]
    assert found == pytest.approx(np.sign(value) if name in ("gamecore_hexapawn", "gamecore_attributes") else value)


def test_tensors_tell_positions_apart():
    for name, parameters in SMALL.items():
        loaded, tensors = load(name, parameters), {}
        for seed in range(60):
            tensors |= {str(state): tuple(state.observation_tensor(0)) for state in states_of(loaded, seed)}
        assert len(set(tensors.values())) == len(tensors) > 5


def test_a_game_without_end_is_cut_off_as_a_draw():
    state = load("gamecore_passing", {}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(0)
    assert (len(state.history()), state.returns()) == (1000, [0.0, 0.0])
    assert not state.position.is_over


def test_a_move_without_a_number_is_refused(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    game.register(kit.make(type("Negative", (Passing,), {"moves": lambda self, state: [-1]})))
    game.register(kit.make(type("Few", (Passing,), {"ACTIONS": 1})))
    adapters.register_open_spiel()
    assert load("gamecore_few", {}).num_distinct_actions() == 1
    for name, words in (("negative", "from 0 to 65535 .*, not -1"), ("few", "from 0 to 0 .*, not 1")):
        with pytest.raises((pyspiel.SpielError, GamecoreError), match=words):
            load(f"gamecore_{name}", {}).new_initial_state().legal_actions()


@pytest.mark.parametrize(("name", "parameters"), [
    ("gamecore_duel", {"position": "nonsense"}),
    ("gamecore_duel", {"n": 0}),
    ("gamecore_hexapawn", {"rows": 9, "columns": 9}),
    ("gamecore_rows", {"position": "cooperative:me:0:0:1 2 3"}),
    ("gamecore_rows", {"opponent": "nobody"}),
])  # fmt: skip
def test_bad_parameters_and_actions_are_refused(name, parameters):
    with pytest.raises(GamecoreError):
        load(name, parameters)
    with pytest.raises((pyspiel.SpielError, GamecoreError)):
        load("gamecore_hexapawn", {"rows": 3, "columns": 3}).new_initial_state().apply_action(0)
