"""Vectorised environments play the same rounds as single rounds, step by step."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import GamecoreError, IllegalMoveError, OptionError, hearts, kernels
from gamecore.hearts import _env
from gamecore.hearts._rules import FLAGS, MOONS

FIRST_LEGAL = hearts.ArrayPlayer(lambda observations, legal: legal.argmax(axis=1), "first")


def random_rules(rng):
    flags = {name: bool(rng.integers(2)) for name in FLAGS if name != "pass_cards"}
    return hearts.Rules(**flags, moon=MOONS[rng.integers(3)])


class Mirror:
    """Replays one slot of an environment as a Round."""

    def __init__(self, env, index):
        cycle = env.rules.cycle if env.passing == "cycle" else (env.passing,)
        self.index = index
        self.round = hearts.Round.deal(env.seed, env.rules, cycle[index % len(cycle)], None, index)
        self.chosen = []

    def check(self, step, slot):
        seat = self.round.to_move
        view = self.round.view(seat)
        legal = [c for c in view.hand if c not in self.chosen] if view.is_passing else view.legal_moves()
        assert step.seats[slot] == seat
        assert {hearts.CARDS[column] for column in np.flatnonzero(step.legal[slot])} == set(legal)
        assert (step.observations[slot] == hearts.observe(view, self.chosen)).all()

    def act(self, action):
        """Act; return the points if the round ends."""
        card = hearts.CARDS[action]
        if not self.round.passing_seats:
            self.round = self.round.play(card)
            return self.round.points if self.round.is_over else None
        self.chosen.append(card)
        if len(self.chosen) == 3:
            self.round = self.round.pass_cards(self.round.to_move, self.chosen)
            self.chosen = []
        return None


def play_beside(env, n, first, steps, rng):
    """Compare an environment with single rounds under random actions; return the number of rounds that ended."""
    mirrors, ended, step = [Mirror(env, first + k) for k in range(n)], 0, env.state
    for _ in range(steps):
        assert env.rounds.tolist() == [mirror.index for mirror in mirrors]
        for slot, mirror in enumerate(mirrors):
            mirror.check(step, slot)
        actions = [int(rng.choice(np.flatnonzero(row))) for row in step.legal]
        step = env.step(actions)
        for slot, mirror in enumerate(mirrors):
            points = mirror.act(actions[slot])
            assert step.done[slot] == (points is not None)
            assert step.rewards[slot].tolist() == [-value for value in points or (0, 0, 0, 0)]
            if points is not None:
                mirrors[slot] = Mirror(env, mirror.index + n)
                ended += 1
    return ended


@pytest.mark.parametrize("passing", ["hold", "left", "cycle"])
def test_rounds_are_those_played_one_by_one(passing):
    rng = np.random.default_rng(3)
    for _ in range(5):
        first = int(rng.integers(1 << 40))
        env = hearts.batch_env(3, int(rng.integers(1 << 60)), rules=random_rules(rng), passing=passing, first=first)
        assert play_beside(env, 3, first, 130, rng) == 3 * (130 // 52 if passing == "hold" else 130 // 64) or (
            passing == "cycle"
        )


def test_a_wrong_column_is_noticed(monkeypatch):
    env = hearts.batch_env(1, 3)
    honest = hearts.observe

    def wrong(view, chosen=()):
        found = honest(view, chosen)
        found[700 - 12] ^= len(view.tricks) > 2  # tricks taken by the seat to act
        return found

    monkeypatch.setattr(hearts, "observe", wrong)
    with pytest.raises(AssertionError):
        play_beside(env, 1, 0, 60, np.random.default_rng(3))


def check_against_single_rounds(opponents, **options):
    # Who always takes the first legal card is `literal`.
    env, rounds = hearts.batch_env(16, 7, opponents=opponents, first=5, **options), {}
    while len(rounds) < 64:
        numbers = env.rounds.tolist()
        step = env.step(env.state.legal.argmax(axis=1))
        assert (step.seats == 0).all()
        for slot in np.flatnonzero(step.done):
            rounds[numbers[slot]] = (-step.rewards[slot]).tolist()
    names = [opponents] * 3 if isinstance(opponents, str) else list(opponents)
    whole = hearts.simulate(["literal", *names], 96, 7, first=5, **options)
    assert rounds == {number: whole.points[number - 5].tolist() for number in rounds}


@pytest.mark.parametrize("opponents", ["duck", "random", "linear", ("greedy", "linear", "random")])
@pytest.mark.parametrize("passing", ["hold", "cycle"])
def test_opponents_are_the_built_in_players(opponents, passing):
    check_against_single_rounds(opponents, passing=passing)
    check_against_single_rounds(opponents, passing=passing, rules=random_rules(np.random.default_rng(len(opponents))))


def test_each_opponent_plays_by_its_own_weights(tmp_path, monkeypatch):
    files = [tmp_path / f"{seed}.weights" for seed in (1, 2)]
    for seed, file in enumerate(files):
        hearts.train([hearts.Stage(20, 2, epochs=1)], seed).weights.save(file)
    names = [f"linear:weights={files[0]}", "linear", f"linear:weights={files[1]}"]
    check_against_single_rounds(names)
    monkeypatch.setattr(_env, "player", lambda _: hearts.player("linear"))  # all by the weights of the package
    with pytest.raises(AssertionError):
        check_against_single_rounds(names)
    monkeypatch.undo()
    files[0].write_bytes(b"no weights")
    with pytest.raises(hearts.WeightsError):
        hearts.batch_env(1, opponents=names)


@pytest.mark.parametrize("passing", ["hold", "right"])
def test_what_was_learnt_plays_as_a_player(passing):
    mine = hearts.simulate([FIRST_LEGAL, "duck", "random", "duck"], 20, 7, passing=passing)
    assert mine.players[0] == "first"
    theirs = hearts.simulate(["literal", "duck", "random", "duck"], 20, 7, passing=passing)
    assert (mine.points == theirs.points).all()
    with pytest.raises(hearts.PlayerError, match="the policy answered 99, which is not legal"):
        hearts.simulate([hearts.ArrayPlayer(lambda *_: [99]), "duck", "duck", "duck"], 1, 7)


def test_the_same_at_every_level_and_from_every_reset():
    seen = []
    for level in kernels.available_levels():
        kernel = kernels.kernel("hearts_env", at=level)
        env = kernel.Env(5, hearts.Rules().flags, 7, bytes([1, 0]), (-1, 2, 0, -1))
        step = hearts.batch_env(5, 7).state
        env.reset(3, step.observations, step.legal.view(np.uint8), step.seats)
        for _ in range(120):
            rest = step.legal.view(np.uint8), step.rewards, step.done.view(np.uint8), step.seats
            assert env.step(step.legal.argmax(axis=1), step.observations, *rest) == -1
        seen.append(b"".join(array.tobytes() for array in step))
    assert len(set(seen)) == 1
    env = hearts.batch_env(4, 9, opponents="random")
    begin = [array.copy() for array in env.state]
    for _ in range(20):
        env.step(env.state.legal.argmax(axis=1))
    assert all((one == other).all() for one, other in zip(env.reset(), begin, strict=True))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 55))
def test_an_observation_in_words(seed, plies):
    round_ = hearts.random(rng=seed, plies=plies)
    if round_.is_over:
        return
    view = round_.view(round_.to_move)
    me = view.seat
    found = hearts.read_observation(hearts.observe(view))
    assert (found.hand, found.passed, found.received) == (view.hand, view.passed, view.received)
    assert (found.seat, found.passing, found.is_passing) == (me, view.passing, view.is_passing)
    assert found.points == tuple(view.points[(me + k) % 4] for k in range(4))
    assert {card for cards in found.played for card in cards} == set(view.played)
    assert found.trick == tuple(dict(view.trick).get((me + k) % 4) for k in range(1, 4))
    assert [set(cards) for cards in found.barred] == [set(view.barred[(me + k) % 4]) for k in range(1, 4)]
    assert sum(found.taken) == found.tricks == len(view.tricks)
    if not view.is_passing and not view.trick:
        hearts_only = all(card[0] == "H" for card in view.hand)
        leads = any(card[0] == "H" for card in view.legal_moves())
        if any(card[0] == "H" for card in view.hand) and not hearts_only and view.tricks:
            assert found.broken == leads


def test_observations_of_another_version_are_refused():
    row = hearts.batch_env(1, 7).state.observations[0].copy()
    assert hearts.read_observation(row).version == hearts.OBSERVATION_VERSION
    row[_env.WIDTH - 16] = 2
    with pytest.raises(GamecoreError, match="version of observations must be 1, not 2"):
        hearts.read_observation(row)
    with pytest.raises(GamecoreError, match="has 692 columns, not 640"):
        hearts.read_observation(row[:640])
    with pytest.raises(GamecoreError, match="must be 1, not 2"):
        hearts.batch_env(1, 7, version=2)
    with pytest.raises(GamecoreError, match="must be 1, not 0"):
        hearts.ArrayPlayer(lambda *_: [0], version=0)
    for row in (None, [0] * 692, np.zeros(692), np.zeros((2, 692), np.uint8)):
        with pytest.raises(OptionError, match="692 uint8"):
            hearts.read_observation(row)


def test_illegal_actions_change_nothing():
    env = hearts.batch_env(6, 7)
    actions = env.state.legal.argmax(axis=1)
    before = [array.copy() for array in env.state]
    for wrong, card in ((int((env.state.legal[4] == 0).argmax()), ""), (52, "no card"), (-1, "no card")):
        tried = actions.copy()
        tried[4] = wrong
        with pytest.raises(IllegalMoveError, match=rf"actions\[4\] is {wrong} \({card}.*not legal there: one of C2 is"):
            env.step(tried)
        assert all((one == other).all() for one, other in zip(env.state, before, strict=True))
    env.step(actions)


@pytest.mark.parametrize(
    "actions", [None, 3, [0, 0], [[0]], [0.0], ["C2"], [True], np.zeros(1, np.float32), np.zeros((1, 1), np.int64)]
)
def test_actions_must_be_integers_one_a_round(actions):
    with pytest.raises(OptionError, match="actions must be an array of 1 integers"):
        hearts.batch_env(1, 7).step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n must be"),
        ({"n": 1 << 21}, "n must be"),
        ({"rng": "x"}, "rng"),
        ({"rules": 3}, "rules"),
        ({"passing": "up"}, "passing"),
        ({"opponents": "pimc:5"}, "opponents: 'pimc:5' is none of random, greedy, duck, linear"),
        ({"opponents": ["duck"]}, "opponents must be"),
        ({"opponents": [1, 2, 3]}, "opponents: 1 is none"),
        ({"first": -1}, "first"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        hearts.batch_env(**{"n": 1, **options})
    with pytest.raises(OptionError, match="policy"):
        hearts.ArrayPlayer("greedy")


def test_ragged_and_masked_actions_are_refused():
    env = hearts.batch_env(3, 1)
    for actions in ([1, [2, 3], 4], [[1], [2, 3], [4]], np.ma.masked_array([0, 1, 2], [0, 1, 0])):
        with pytest.raises(OptionError, match="actions"):
            env.step(actions)
