"""Hearts in PettingZoo: its own API tests, and rounds by agents against ours."""

import warnings

import numpy as np
import pytest

from gamecore import GamecoreError, IllegalMoveError, OptionError, adapters, hearts
from gamecore.adapters._pettingzoo import observed
from gamecore.hearts._cards import TEXTS

pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")

DIRECTIONS = ("hold", "left", "across", "right")


@pytest.mark.parametrize("passing", [*DIRECTIONS, "cycle"])
def test_pettingzoos_own_api_test(passing):
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Said of every dict with a mask, but for PettingZoo's own environments, which it knows by name.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be gymnasium.spaces")
        api_test(adapters.hearts_env(passing=passing), num_cycles=100)


def test_pettingzoos_own_seed_test():
    from pettingzoo.test import seed_test

    seed_test(lambda: adapters.hearts_env(passing="left"), num_cycles=30)


def played(env, choose):
    """One round: what each agent chose, and what each got in all."""
    got = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        got[agent] += reward
        env.step(None if terminated else choose(env, observation))
    return got


@pytest.mark.parametrize("passing", DIRECTIONS)
@pytest.mark.parametrize("rules", [hearts.Rules(), hearts.Rules(moon="shooter", jack_of_diamonds=True)])
def test_rewards_are_minus_points(passing, rules):
    rng = np.random.default_rng(1)
    for seed in range(5):
        env = adapters.hearts_env(rules, passing)
        env.reset(seed=seed)
        assert env.round == hearts.Round.deal(seed, rules, passing, None)
        got = played(env, lambda env, seen: int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        assert env.round.is_over
        assert not env.agents
        assert tuple(got.values()) == tuple(-points for points in env.round.points)
        replayed = hearts.Round(env.round.dealt, rules, passing, env.round.passed, env.round.played)
        assert replayed.points == env.round.points


def test_masks_are_the_legal_moves():
    env = adapters.hearts_env(passing="left")
    env.reset(seed=3)

    def choose(env, seen):
        legal = [TEXTS[action] for action in np.flatnonzero(seen["action_mask"])]
        if env.round.passing_seats:
            hand = env.round.hands[env.round.to_move]
            assert set(legal) == set(hand) - set(env.chosen)
        else:
            assert sorted(legal) == sorted(env.round.legal_moves())
        for agent in env.agents:
            if agent != env.agent_selection:
                assert not env.observe(agent)["action_mask"].any()
        return TEXTS.index(legal[0])

    played(env, choose)


def test_observations_hold_what_a_seat_may_see_and_nothing_else():
    round_ = hearts.Round.deal(5, passing="left")
    for _ in range(17):
        round_ = round_.play(round_.ask("duck"))
    view = round_.view(2)
    vector = observed(view, ())
    planes = vector[: 12 * 52].reshape(12, 52)
    assert [TEXTS[at] for at in np.flatnonzero(planes[0])] == sorted(view.hand, key=TEXTS.index)
    assert [TEXTS[at] for at in np.flatnonzero(planes[3])] == sorted(view.received, key=TEXTS.index)
    assert planes[4:8].sum() == 1
    assert planes[8:].sum() == 16
    assert sorted(vector[624:628] * 26) == sorted(view.points)
    # Another deal that the seat cannot tell apart looks the same.
    others = [list(hand) for hand in round_.hands]
    swapped = next((a, b) for a in others[0] for b in others[1] if a[0] == b[0])
    dealt = [list(hand) for hand in round_.dealt]
    passed = {card for cards in round_.passed for card in cards}
    if not passed & set(swapped):
        dealt[0][dealt[0].index(swapped[0])], dealt[1][dealt[1].index(swapped[1])] = swapped[1], swapped[0]
        other = hearts.Round(dealt, passing="left", passed=round_.passed, played=round_.played)
        assert other != round_
        assert (observed(other.view(2), ()) == vector).all()


def test_the_cycle_of_directions():
    env = adapters.hearts_env()
    seen = []
    for _ in range(5):
        env.reset()
        seen.append(env.round.passing)
    assert seen == ["left", "right", "across", "hold", "left"]
    env.reset(seed=1)
    first = env.round
    env.reset()
    assert env.round.passing == "right"
    assert env.round != first
    env.reset(seed=1)
    assert env.round == first


def test_what_is_refused():
    env = adapters.hearts_env(passing="hold")
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    for action in (illegal, -1, 52, None):
        with pytest.raises(IllegalMoveError):
            env.step(action)
    env = adapters.hearts_env(passing="left")
    env.reset(seed=1)
    first = int(np.flatnonzero(env.observe("seat_0")["action_mask"])[0])
    env.step(first)
    assert env.agent_selection == "seat_0"
    with pytest.raises(IllegalMoveError):
        env.step(first)
    for bad in ({"passing": "up"}, {"render_mode": "rgb"}, {"rules": 3},
                {"rules": hearts.Rules(pass_cards=False), "passing": "left"}):  # fmt: skip
        with pytest.raises(OptionError):
            adapters.hearts_env(**bad)


def test_rendering(capsys):
    env = adapters.hearts_env(passing="hold", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.round.draw(color=False, symbols=False)
    env = adapters.hearts_env(passing="hold", render_mode="human")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert "seat 0" in capsys.readouterr().out
    env.close()


def test_without_the_framework(monkeypatch):
    from gamecore.adapters import _pettingzoo

    monkeypatch.setitem(__import__("sys").modules, "pettingzoo", None)
    with pytest.raises(GamecoreError, match=r"pip install gamecore\[pettingzoo\]"):
        _pettingzoo._class.__wrapped__()
