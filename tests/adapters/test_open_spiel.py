"""The games in OpenSpiel: its own API tests, and its play and search against ours."""

import importlib
import pickle
import unittest

import numpy as np
import pytest
from kit.games import Attributes, Passing, Points  # pytest's pythonpath has the folder of tests

from gamecore import adapters, game, hearts, kit
from gamecore.errors import GamecoreError
from gamecore.game import _registry

pyspiel = pytest.importorskip("pyspiel", reason="the extra 'openspiel' is not installed")

KITS = [kit.make(user) for user in (Points(), Attributes([True] * 8), Passing())]  # points, outcomes, cycles
SMALL = ["gamecore_duel(n=2,seed=4)", "gamecore_hexapawn(rows=3,columns=3)", "gamecore_rows(n=6,seed=2)"]
FINITE = [
    *SMALL, "gamecore_duel(position=DQH2:H3D6S3:B:HA)", "gamecore_hexapawn(position=ppp/2P/PP1:b)",
    "gamecore_rows(position=greedy-left:opponent:5:0:7 9 1 4 2)",
    "gamecore_rows(position=optimal:me:5:0:15 22 -30)", "gamecore_rows(n=7,opponent=greedy,seed=0)",
    "gamecore_points", "gamecore_attributes",
]  # fmt: skip
load = pyspiel.load_game


def ours(text):
    """Return our game of a text for OpenSpiel."""
    return game.game(text.partition("(")[0].removeprefix("gamecore_"))


@pytest.fixture(autouse=True)
def _kit_games(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {made.name: made for made in KITS})
    adapters.register_open_spiel()


def states_of(loaded, seed=1):
    """Yield the states of a random game, the last one too."""
    rng, state = np.random.default_rng(seed), loaded.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(int(rng.choice(state.legal_actions())))
    yield state


def test_registered_once():
    for _ in range(2):
        names = adapters.register_open_spiel()
        assert names[:4] == ("gamecore_duel", "gamecore_hexapawn", "gamecore_rows", "gamecore_hearts")
    assert set(names) <= set(pyspiel.registered_names())
    assert load("gamecore_hexapawn(rows=3,columns=4)").num_distinct_actions() == 72


@pytest.mark.parametrize("text", [*FINITE, "gamecore_passing", "gamecore_hearts(seed=5)"])
def test_play(text):
    """Actions are moves, tensors tell positions apart, and whatever is pickled is the same again.

    OpenSpiel checks returns and lengths, PettingZoo's tests cards that are passed one after another.
    """
    loaded, is_hearts, tensors = load(text), ours(text) is hearts.GAME, {}
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=not is_hearts, verbose=False)
    assert str(pickle.loads(pickle.dumps(loaded)).new_initial_state()) == str(loaded.new_initial_state())
    for seed in range(1 if is_hearts else 60 if text in SMALL else 10):
        for state in states_of(loaded, seed):
            legal, position = state.legal_actions(), state.position
            names = [state.action_to_string(action) for action in legal]
            if not (is_hearts and position.passing_seats):
                assert sorted(names) == sorted(() if state.is_terminal() else position.legal_moves())
                for action, move in zip(legal, names, strict=True):
                    assert str(state.child(action)) == position.play(move).to_text()
            assert str(state) == position.to_text()
            assert is_hearts or state.observation_string(1) == str(state)
            tensors[str(state)] = tuple(state.observation_tensor(0))
            if ours(text) in KITS and not state.is_terminal():
                bits = np.array(state.observation_tensor(0))[:64]
                assert sum(int(bit) << at for at, bit in enumerate(bits)) == position.state[0]
            if len(state.history()) % 8 == 0:  # what is pickled is played again
                again = pickle.loads(pickle.dumps(state))
                for method in ("__str__", "history", "legal_actions", "returns"):
                    assert getattr(again, method)() == getattr(state, method)()
    assert text not in (*SMALL, "gamecore_points") or len(set(tensors.values())) == len(tensors) > 5
    if is_hearts:
        assert state.returns() == [-points for points in state.position.points]
        assert len(state.full_history()) == 52 + 12


@pytest.mark.parametrize("text", ["gamecore_duel(n=1)", "gamecore_rows(n=1)", "gamecore_hearts"])
def test_chance_draws_the_start(text):
    """Three chance actions are the digits of the seed: the start is that of ``seed=``, in all of OpenSpiel's tools."""
    loaded, rng = load(text), np.random.default_rng(1)
    env = importlib.import_module("open_spiel.python.rl_environment").Environment(loaded)
    env.seed(1)
    starts = set()
    for _ in range(20):
        env.reset()
        state = env.get_state
        starts.add(str(state))
        seed = int("".join(f"{digits:03}" for digits in state.history()))
        assert str(load(text.partition("(")[0], loaded.get_parameters() | {"seed": seed}).new_initial_state()) == str(
            state
        )
        while not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
        assert max(map(abs, state.returns())) <= loaded.max_utility()
    assert len(starts) > 15
    if "hearts" in text:  # OpenSpiel asks for an observer of perfect recall
        for method in (state.information_state_string, state.information_state_tensor):
            with pytest.raises(GamecoreError, match="the default observations alone"):
                method(0)
    pyspiel.random_sim_test(loaded, num_sims=2, serialize="hearts" not in text, verbose=False)
    state = loaded.new_initial_state()
    state.apply_action(7)
    assert (str(pickle.loads(pickle.dumps(state))), state.position) == ("seed [7]", None)


@pytest.mark.parametrize("text", [*SMALL, "gamecore_duel(n=2)"])
def test_open_spiels_own_api_tests(text):
    """``open_spiel.integration_tests.api_test``, as it is run on all registered games, and what of its tests on full
    trees does not need a tensor of information states, which games of perfect information have no use for."""
    api = importlib.import_module("open_spiel.integration_tests.api_test")
    members = {"game": load(text), "game_name": text.partition("(")[0]}
    partial = type("Partial", (api.EnforceAPIOnPartialTreeBase,), members)
    full = type("Full", (api.EnforceAPIOnFullTreeBase,), members)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(partial)
    assert suite.countTestCases() >= 5
    of_trees = ("legal_actions_empty", "current_player_returns_terminal_player_on_terminal_nodes", "constant_sum",
                "information_state_no_argument_raises_on_terminal_nodes")  # fmt: skip
    for test in of_trees if text in SMALL else ():
        suite.addTest(full(f"test_{test}"))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun >= (9 if text in SMALL else 5)
    assert not result.errors + result.failures, result


@pytest.mark.parametrize("text", FINITE)
def test_open_spiels_search_finds_our_values(text):
    loaded = load(text)
    state = loaded.new_initial_state()
    player, value = state.current_player(), ours(text).solve(state.position).value
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    score = minimax.alpha_beta_search(loaded, maximizing_player_id=player)[0]
    assert state.position.to_move == ours(text).sides[player]
    assert score == pytest.approx(np.sign(value) if ours(text).name in ("hexapawn", "attributes") else value)


def test_a_game_without_end_is_cut_off_as_a_draw():
    state = load("gamecore_passing").new_initial_state()
    while not state.is_terminal():
        state.apply_action(0)
    assert (len(state.history()), state.returns()) == (1000, [0.0, 0.0])
    assert not state.position.is_over


def test_a_move_without_a_number_is_refused(monkeypatch):
    monkeypatch.setattr(_registry, "_registered", {})
    passes = {"moves": lambda self, state: [-1], "play": lambda self, state, move: state}
    game.register(kit.make(type("Negative", (Passing,), passes)))
    game.register(kit.make(type("Few", (Passing,), {"ACTIONS": 1})))
    adapters.register_open_spiel()
    assert load("gamecore_few").num_distinct_actions() == 1
    for name, words in (("negative", "from 0 to 0 .*ACTIONS.*, not -1"), ("few", "from 0 to 0 .*, not 1")):
        with pytest.raises((pyspiel.SpielError, GamecoreError), match=words):
            load(f"gamecore_{name}").new_initial_state().legal_actions()


@pytest.mark.parametrize("text", [
    "gamecore_duel(position=nonsense)", "gamecore_duel(n=0)", "gamecore_hexapawn(rows=9,columns=9)",
    "gamecore_duel(position=DQH2HA:H3D6S3:A:-,n=9)", "gamecore_duel(position=DQH2HA:H3D6S3:A:-,seed=3)",
    "gamecore_rows(position=cooperative:me:0:0:1 2 3)", "gamecore_rows(opponent=nobody)",
])  # fmt: skip
def test_bad_parameters_and_actions_are_refused(text):
    with pytest.raises(GamecoreError):
        load(text)
    with pytest.raises((pyspiel.SpielError, GamecoreError)):
        load("gamecore_hexapawn(rows=3,columns=3)").new_initial_state().apply_action(0)
