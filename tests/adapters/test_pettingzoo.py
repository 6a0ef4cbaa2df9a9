"""Games in PettingZoo: its own API tests, and games by agents against ours."""

import pickle
import re
import warnings

import numpy as np
import pytest
from kit.games import Attributes, Passing, Points  # pytest's pythonpath has the folder of tests

from gamecore import IllegalMoveError, OptionError, adapters, hearts, hexapawn, kit
from gamecore.apps.adapters import coding_of
from gamecore.hearts._cards import TEXTS

pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")


def of_rules(rng):
    return hearts.Round.deal(int(rng.integers(9)), hearts.Rules(moon="shooter", jack_of_diamonds=True), "left", None)


GAMES = [
    ("duel", {"n": 4}), ("hexapawn", {"rows": 3, "columns": 3}), ("rows", {"n": 6}), ("hearts", {"start": of_rules}),
    *(("hearts", {"passing": passing}) for passing in ("hold", "left", "across", "right")),
    *((kit.make(user), {}) for user in (Points, Attributes([True] * 8), Passing)),
]  # fmt: skip
of_each = pytest.mark.parametrize(("made", "options"), GAMES)


@of_each
def test_pettingzoos_own_tests(made, options):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("error" if isinstance(made, str) else "ignore")
        # Said of every dict with a mask, but for PettingZoo's own environments, which it knows by name.
        warnings.filterwarnings("ignore", "Observation (is not a NumPy array|space for each agent probably should be)")
        api_test(adapters.pettingzoo_env(made, **options), num_cycles=100)
    seed_test(lambda: adapters.pettingzoo_env(made, **options), num_cycles=30)


@of_each
def test_agents_play_our_games(made, options):
    """Rewards are the returns, masks the legal moves, or cards to pass one by one; each state can be pickled."""
    env, rng = adapters.pettingzoo_env(made, **options), np.random.default_rng(1)
    assert str(pickle.loads(pickle.dumps(env))) == str(env)  # before it is reset
    for seed in range(100 if made == "rows" else 3):
        env.reset(seed=seed)
        start = of_rules(np.random.default_rng(seed)) if "start" in options else env.game.start(rng=seed, **options)
        assert env.position == start
        got = dict.fromkeys(env.possible_agents, 0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            assert not truncated
            assert all(env.observation_space(one).contains(env.observe(one)) for one in env.agents), env.position
            got[agent] += reward
            if not terminated:
                position, actions = env.position, np.flatnonzero(seen["action_mask"])
                is_passing = made == "hearts" and position.passing_seats
                wanted = set(position.hands[position.to_move] if is_passing else position.legal_moves())
                chosen = {env.table.coding.actions[action] for action in env.table.chosen}
                for seat, other in enumerate(env.agents if is_passing else ()):  # only the chooser sees what it chose
                    before, known = env.table.of(env.game, position), chosen if other == agent else set()
                    new = np.flatnonzero(env.observe(other)["observation"] != before.observed(seat))
                    assert {TEXTS[at - 52] for at in new} == known
                    text = env.table.seen(seat).removeprefix(before.seen(seat))
                    assert set(text.removeprefix(" so far: ").split()) == known
                assert {env.table.text_of(action) for action in actions} == wanted - chosen
                assert not any(env.observe(other)["action_mask"].any() for other in {*env.agents} - {agent})
            if not seed and env.table.plies % 6 == 0:
                again = pickle.loads(pickle.dumps(env))
                assert (again.agent_selection, again.position) == (env.agent_selection, env.position)
                assert (again.last()[0]["action_mask"] == seen["action_mask"]).all()
                assert again.last()[1:] == env.last()[1:]
            env.step(None if terminated else int(rng.choice(actions)))
        assert (env.position.is_over, env.agents) == (True, [])
        points = [-points for points in env.position.points] if made == "hearts" else env.table.returns()
        assert list(got.values()) == list(points)
        assert made == "hearts" or sum(points) == 0
    again = pickle.loads(pickle.dumps(env))
    env.reset()
    again.reset()  # the generator was pickled, too
    assert again.position == env.position


def test_spaces_hold_for_every_start():
    sizes = iter([(3, 3), (3, 3), (3, 4)])
    env = adapters.pettingzoo_env("hexapawn", start=lambda rng: hexapawn.Position.start(*next(sizes)))
    env.reset()
    with pytest.raises(OptionError, match=r"72 actions .* \(4, 3, 4\) come after 54 actions .* \(4, 3, 3\)"):
        env.reset()
    assert env.position == hexapawn.Position.start(3, 3)


@pytest.mark.parametrize("sides", [(3, 3), (2, 12)])
def test_names_of_hexapawns_actions_are_steps_and_captures(sides):
    names = [name for name in coding_of(hexapawn.GAME, hexapawn.Position.start(*sides)).actions if name]
    assert len(set(names)) == len(names)
    for source, row, kind, target, to in (re.fullmatch(r"(.)(\d)([-x])(.)(\d)", name).groups() for name in names):
        assert (abs(ord(source) - ord(target)), abs(int(row) - int(to))) == (kind == "x", 1)
        assert max(source, target) < chr(97 + sides[1])


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
    starts = (
        {"start": of_rules, "passing": "left"},
        {"start": env.position},
        {"start": lambda _: hexapawn.GAME.start()},
    )
    for bad in ({"passing": "up"}, {"render_mode": "rgb"}, {"n": 3}, {"game": "x"}, *starts):
        with pytest.raises(OptionError):
            adapters.pettingzoo_env(**{"game": "hearts"} | bad)
    with pytest.raises(OptionError, match="a hearts position or its text is needed"):
        coding_of(hearts.GAME, hexapawn.GAME.start())
    with pytest.raises(OptionError, match="passing must be given to pettingzoo_env"):
        env.reset(options={"passing": "hold"})


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
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    assert "seat 0" in capsys.readouterr().out
    env.close()
