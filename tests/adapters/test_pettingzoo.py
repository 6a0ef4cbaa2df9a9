"""Games in PettingZoo: its own API tests, and games by agents against ours."""

import pickle
import sys
import warnings

import numpy as np
import pytest
from kit.games import Attributes, Passing, Points  # pytest's pythonpath has the folder of tests

from gamecore import GamecoreError, IllegalMoveError, OptionError, adapters, game, hearts, kit
from gamecore.apps.adapters import coding_of
from gamecore.hearts._cards import TEXTS

pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")

GAMES = {"duel": {"n": 4}, "hexapawn": {"rows": 3, "columns": 3}, "rows": {"n": 6}, "hearts": {"passing": "left"}}
of_each = pytest.mark.parametrize(("name", "options"), GAMES.items())


def some_action(env, observation, rng=np.random.default_rng(1)):  # noqa: B008 - one generator for all
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def played(env, choose=some_action):
    """Play a game: what each agent got in all."""
    got = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        got[agent] += reward
        env.step(None if terminated else choose(env, observation))
    return got


@of_each
def test_pettingzoos_own_tests(name, options):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Said of every dict with a mask, but for PettingZoo's own environments, which it knows by name.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be gymnasium.spaces")
        api_test(adapters.pettingzoo_env(name, **options), num_cycles=100)
    seed_test(lambda: adapters.pettingzoo_env(name, **options), num_cycles=30)


@pytest.mark.parametrize("user", [Points(), Attributes([True] * 8), Passing()], ids=["points", "outcome", "cycles"])
def test_kit_games(user):
    from pettingzoo.test import api_test

    env = adapters.pettingzoo_env(kit.make(user))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=20)
    env.reset(seed=1)
    got = played(env)
    assert (got["player_0"], list(got.values())) == (-got["player_1"], env.table.returns())


@pytest.mark.parametrize("name", [*GAMES, "points"])
def test_an_environment_can_be_pickled(name):
    env = adapters.pettingzoo_env(kit.make(Points) if name == "points" else name, **GAMES.get(name, {}))
    assert str(pickle.loads(pickle.dumps(env))) == str(env)  # before it is reset
    env.reset(seed=4)
    while env.agents:
        again = pickle.loads(pickle.dumps(env))
        assert (again.agent_selection, again.position) == (env.agent_selection, env.position)
        seen, other = env.last(), again.last()
        assert (seen[0]["action_mask"] == other[0]["action_mask"]).all()
        assert seen[1:] == other[1:]
        env.step(None if env.terminations[env.agent_selection] else some_action(env, seen[0]))
    env.reset()
    again.reset()  # the generator was pickled, too
    assert again.position == env.position


@of_each
def test_rewards_are_the_returns_and_masks_the_legal_moves(name, options):
    coding = coding_of(game.game(name), game.game(name).start(rng=1, **options))

    def choose(env, seen):
        legal = [coding.actions[action] for action in np.flatnonzero(seen["action_mask"])]
        if name != "hearts" or not env.position.passing_seats:
            assert sorted(legal) == sorted(env.position.legal_moves())
        assert not any(env.observe(agent)["action_mask"].any() for agent in {*env.agents} - {env.agent_selection})
        return some_action(env, seen)

    for seed in range(5):
        env = adapters.pettingzoo_env(name, **options)
        env.reset(seed=seed)
        assert env.position == game.game(name).start(rng=seed, **options)
        got = played(env, choose)
        assert env.position.is_over
        assert not env.agents
        assert tuple(got.values()) == tuple(coding.returns(env.position))


@pytest.mark.parametrize("passing", ["hold", "left", "across", "right"])
def test_three_cards_are_passed_one_by_one(passing):
    rules = hearts.Rules(moon="shooter", jack_of_diamonds=True)
    env = adapters.pettingzoo_env("hearts", start=lambda rng: hearts.Round.deal(rng, rules, passing, None))
    env.reset(seed=3)

    def choose(env, seen):
        legal = {TEXTS[action] for action in np.flatnonzero(seen["action_mask"])}
        if env.position.passing_seats:
            chosen = {TEXTS[action] for action in env.table.chosen}
            assert legal == set(env.position.hands[env.position.to_move]) - chosen
        return some_action(env, seen)

    got = played(env, choose)
    assert tuple(got.values()) == tuple(-points for points in env.position.points)
    replayed = hearts.Round(env.position.dealt, rules, passing, env.position.passed, env.position.played)
    assert replayed.points == env.position.points


def test_observations_hold_what_a_seat_may_see_and_nothing_else():
    round_ = hearts.Round.deal(5, passing="left")
    for _ in range(33):
        round_ = round_.play(round_.ask("duck"))

    def observed(seen):
        coding = coding_of(hearts.GAME, seen)
        tensor = np.zeros(coding.shape, np.float32)
        coding.write(seen, 2, tensor)
        return tensor

    view, vector = round_.view(2), observed(round_)
    planes = vector[: 11 * 52].reshape(11, 52)
    assert [TEXTS[at] for at in np.flatnonzero(planes[0])] == sorted(view.hand, key=TEXTS.index)
    assert [TEXTS[at] for at in np.flatnonzero(planes[2])] == sorted(view.received, key=TEXTS.index)
    assert (planes[3:7].sum(), planes[7:].sum()) == (1, 32)
    assert len(set(view.points)) > 2
    assert [round(points) for points in vector[572:576] * 26] == [view.points[(2 + k) % 4] for k in range(4)]
    # Another deal that the seat cannot tell apart looks the same.
    passed = {card for cards in round_.passed for card in cards}
    others = [set(hand) - passed for hand in round_.hands[:2]]
    first, second = next((a, b) for a in sorted(others[0]) for b in sorted(others[1]) if a[0] == b[0])
    dealt = [list(hand) for hand in round_.dealt]
    dealt[0][dealt[0].index(first)], dealt[1][dealt[1].index(second)] = second, first
    other = hearts.Round(dealt, passing="left", passed=round_.passed, played=round_.played)
    assert other != round_
    assert (observed(other) == vector).all()


def test_what_is_refused():
    env = adapters.pettingzoo_env("hearts", passing="left")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    for action in (int(np.argmin(mask)), -1, 52, None, True, 1.5):
        with pytest.raises(IllegalMoveError):
            env.step(action)
    first = int(np.argmax(mask))
    env.step(first)
    assert env.agent_selection == "seat_0"
    with pytest.raises(IllegalMoveError):
        env.step(first)
    for name, bad in (
        ("hearts", {"passing": "up"}),
        ("hearts", {"render_mode": "rgb"}),
        ("hearts", {"n": 3}),
        ("chess", {}),
    ):
        with pytest.raises(OptionError):
            adapters.pettingzoo_env(name, **bad)


def test_the_next_start_is_another_one():
    env, starts = adapters.pettingzoo_env("duel", n=4), []
    for seed in (1, None, None, 1, None):
        env.reset(seed=seed)
        starts.append(env.position)
    assert starts[0] == starts[3]
    assert starts[1] == starts[4]
    assert len(set(starts)) == 3


def test_rendering(capsys):
    env = adapters.pettingzoo_env("hearts", passing="hold", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.position.draw(color=False, symbols=False)
    env = adapters.pettingzoo_env("hearts", passing="hold", render_mode="human")
    env.reset(seed=1)
    env.step(some_action(env, env.observe(env.agent_selection)))
    assert "seat 0" in capsys.readouterr().out
    env.close()


def test_without_the_framework(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "gamecore.apps.adapters._pettingzoo")
    with pytest.raises(GamecoreError, match=r"pip install 'gamecore\[pettingzoo\]"):
        adapters.pettingzoo_env("hearts")
