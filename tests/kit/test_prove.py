"""Proofs of one's own games: values, interruptions, threads, and faults that a check finds."""

import json
import lzma

import pytest
from command import said
from kit.games import Coins, Misere, Piles, variant  # pytest's pythonpath has the folder of tests

from gamecore import Limits, OptionError, game, kit, prove
from gamecore.apps.prove._prover import provable
from gamecore.errors import GamecoreError


class Drawn(Piles):
    """A game that nobody can win."""

    def result(self, state):
        return None if sum(state) > 3 else kit.DRAW


class Rich(Coins):
    """Points of single moves and of sums beyond the range of values; the value of the first position is within it."""

    COINS = (9000, 1000, 9900, 9500, 8000, 9900, 200, 300)

    def moves(self, state):
        return [0]


class Wealth(Coins):
    """Two ways: to a position of 15,000 points for the other side after a gain of 8,000, or to the loss of 3,000."""

    def start(self):
        return (0, 0)

    def moves(self, state):
        return [0, 1] if state == (0, 0) else [0]

    def play(self, state, move):
        gains = {(0, 0): (8000, -3000), (1, 0): (9000,), (2, 0): (0,), (3, 0): (6000,)}
        return (state[0] + 1, 0) if move == 0 else (9, 0), gains[state][move]

    def result(self, state):
        return 0 if state[0] in (4, 9) else None


@pytest.fixture
def registered(monkeypatch):
    """Return a function that registers a game for one test."""
    monkeypatch.setattr(game._registry, "_registered", {})
    return lambda new: game.register(new) or new


def rules_value(rules, state):
    """The value of a state by plain recursion."""
    if (end := rules.end(state)) is not None:
        return end
    return max(rules.parent_score(rules_value(rules, after), gain) for _, after, gain in rules.children(state))


def faults_of(path):
    """What `verify` says against a proof, whether it could read the whole or not."""
    try:
        return prove.verify(path, recheck="all").faults
    except GamecoreError as error:
        return (str(error),)


@pytest.mark.parametrize("rules", [Piles, Coins, Drawn])
def test_values_are_proved_in_steps_and_checked(rules, registered, tmp_path):
    proved = registered(kit.make(rules))
    value = proved.solve(proved.start()).value
    store, certificate = tmp_path / "proof", tmp_path / "certificate"
    stopped = prove.run(proved.start(), store, job_nodes=20, limits=Limits(nodes=60))
    assert (stopped.answered, stopped.lower <= value <= stopped.upper) == (False, True)
    proof = prove.run(proved.start(), store, job_nodes=20, threads=2)
    assert (proof.lower, proof.upper, proof.answered) == (value, value, True)
    prove.export(store, certificate)
    for path in (store, certificate):
        checked = prove.verify(path, recheck="all")
        assert (checked.faults, checked.lower, checked.steps > 2) == ((), value, True)
    wins = prove.run(proved.start(), tmp_path / "wins", question="wins", job_nodes=20)
    assert wins.winner == ("A" if value > 0 else "B" if value < 0 else None)


@pytest.mark.parametrize(
    ("rules", "position"),
    [(Rich, "start"), (Wealth, "start"), (Misere, "start"), (Misere, "A:1,0"), (Coins, "A:1,9:8:6")],
)
def test_values_are_proved_exactly_whatever_the_jobs(rules, position, registered, tmp_path):
    """Large points, points before the first position, a loss in one ply."""
    proved = registered(kit.make(rules))
    place = proved.parse(position)
    exact = rules_value(proved.rules_of, place.state) + place.points
    assert abs(exact) <= kit.WIN
    assert proved.solve(place, line=False).value == exact
    for job_nodes in (1, 2, 1000):
        assert prove.run(place, tmp_path / f"proof{job_nodes}", job_nodes=job_nodes).value == exact
        assert prove.verify(tmp_path / f"proof{job_nodes}", recheck="all").faults == ()


@pytest.mark.threads
def test_threads_share_a_table_each_with_its_own_position(built, registered, tmp_path):
    proved = registered(built("connect4", (("W", 4), ("H", 4))))
    proof = prove.run(proved.start(), tmp_path / "proof", job_nodes=300, threads=3)
    assert (proof.lower, proof.upper, prove.verify(tmp_path / "proof", recheck=5).faults) == (0, 0, ())
    assert proved.prover.engine("", 1 << 20, True).helper().helper() is not None
    assert proved.prover.engine("", 1 << 20, False).helper() is None


@pytest.mark.parametrize("rules", [Piles, Coins, Drawn, Misere])
def test_every_test_follows_from_those_after_the_moves(rules):
    """By plain recursion, for all tests and all positions near the end."""
    proved = kit.make(rules)
    prover = proved.prover

    def score(key):
        low, high = prover.bounds(key)
        return low if low == high else max(map(prover.score_before, map(score, prover.plain.after(key).values())))

    for _, state in zip(range(6), iter(lambda: proved.random(plies=7), None), strict=False):
        key = prover.canonical(state)
        truth, after = score(key), [score(child) for child in prover.plain.after(key).values()]
        assert truth == proved.solve(state).value
        for test in {truth - 1, truth, truth + 1, 0, 1, -1, 9_990, -9_990}:
            assert (truth >= test) == any(child < prover.test_after(test) for child in after) or not after


@pytest.mark.parametrize(
    ("rules", "members", "job_nodes", "words"),
    [
        (Piles, {"start": lambda self: (1500,), "moves": lambda self, state: [1]}, 20, "more than 1000 plies"),
        (Piles, {"write": lambda self, state, move: "same"}, 1, "writes two moves of .* alike"),
        *(
            (Rich, {"COINS": (9000, 0) * 3}, nodes, r"points must be .*, not 27000 as the value of")
            for nodes in (1, 1000)
        ),
    ],
)
def test_what_cannot_be_proved_is_an_error(rules, members, job_nodes, words, registered, tmp_path):
    proved = registered(variant(rules, **members))
    for _ in range(2):  # nor by the store that is left
        with pytest.raises(GamecoreError, match=words):
            prove.run(proved.start(), tmp_path / "proof", job_nodes=job_nodes, limits=Limits(seconds=60))


def test_a_wrong_key_is_found(registered, tmp_path):
    wrong = registered(variant(Coins, key=lambda self, state: state[1] - state[0]))
    assert prove.run(wrong.start(), tmp_path / "proof").value != kit.make(Coins).solve("start").value
    assert "another search" in prove.verify(tmp_path / "proof", recheck="all").faults[0]


STATES = ("1", "1,2,3", "-7,5", "1,99999999999999999999", "1,x", "10,5")


@pytest.mark.parametrize("fault", ["bound", "move", "key", *STATES])
def test_a_falsified_proof_is_found(fault, registered, tmp_path):
    """A better value and a root that says so, another move or key, and what is no state."""
    proved = registered(kit.make(Coins))
    prove.run(proved.start(), tmp_path / "proof", job_nodes=20)
    prove.export(tmp_path / "proof", tmp_path / "right")
    lines = lzma.decompress((tmp_path / "right").read_bytes()).decode().splitlines()
    head, at = json.loads(lines[0]), next(at for at, line in enumerate(lines[2:], 2) if line.startswith("1:"))
    if fault == "bound":
        head["lower"], head["upper"] = head["lower"] + 1, head["upper"] + 1
        key, low, high, moves = lines[1].split()
        lines[1] = f"{key} {int(low.rstrip('*')) + 1}* {int(high.rstrip('*')) + 1}* {moves}"
    elif fault in STATES:
        lines[1:] = [line.replace("1:-8:1,10 ", f"1:-8:{fault} ") for line in lines[1:]]
    else:
        lines[at] = lines[at].replace("1:", "2:" if fault == "key" else "1:1", 1)
    (tmp_path / "wrong").write_bytes(lzma.compress("\n".join([json.dumps(head), *lines[1:], ""]).encode()))
    assert faults_of(tmp_path / "wrong")
    assert faults_of(tmp_path / "right") == ()


FILE = """
from gamecore import kit
class Stack:
    KIND = "score"
    weights = (1, 2)
    def start(self):
        return (9,)
    def moves(self, state):
        return [1, 2, 3][: state[0]]
    def play(self, state, move):
        return (state[0] - move,), state[0] % (move + 2)
    def result(self, state):
        return None if state[0] else 0
    def key(self, state):
        return (state[0] % 1000,)
stack = Stack()
stack.weights = (1, 2)
GAME = kit.make(stack)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("% 1000", "% 999"),  # a key that no sample of play tells from the first
        ("kit\n", "kit\nOTHER = 1\n"),
        ("1, 2)\nGAME", "1, 3)\nGAME"),
    ],
)
def test_a_store_goes_on_with_the_same_rules_only(old, new, registered, tmp_path, monkeypatch):
    for number, text in enumerate((FILE, FILE.replace(old, new, 1))):
        monkeypatch.setattr(game._registry, "_registered", {})
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}" / "stack.py").write_text(text)
        stack = game.load(str(tmp_path / f"{number}" / "stack.py"))
        if number == 0:
            prove.run(stack.start(), tmp_path / "half", job_nodes=2, limits=Limits(nodes=3))
        elif text == FILE:
            assert prove.run(stack.start(), tmp_path / "half").answered
        else:
            with pytest.raises(GamecoreError, match="other rules of stack"):
                prove.run(stack.start(), tmp_path / "half")


def test_rules_that_other_modules_change(registered, tmp_path, monkeypatch):
    """Neither text nor attributes tell them apart: play does. A key was changed, perhaps mended; or points."""
    proved = registered(kit.make(Coins))
    prove.run(proved.start(), tmp_path / "proof", job_nodes=20)
    prove.run(proved.start(), tmp_path / "half", job_nodes=20, limits=Limits(nodes=40))
    for target, name, other in ((Coins, "COINS", (*Coins.COINS[:-1], 7)), (proved.rules_of, "key", sum)):
        with monkeypatch.context() as patched:
            patched.setattr(target, name, other)
            assert target is not Coins or prove.verify(tmp_path / "proof", recheck="all").faults
            with pytest.raises(GamecoreError, match="other rules of coins"):
                prove.run(proved.start(), tmp_path / "half")


def test_a_game_with_cycles_is_refused(registered, tmp_path):
    around = registered(variant(Piles, "Round", CYCLES=True))
    assert (around.prover, "round" in provable()) == (None, False)
    with pytest.raises(OptionError, match="round"):
        prove.run("A:1,2,3", tmp_path / "proof", game="round")
    status, _, errors = said("prove", "round", "start", "--store", tmp_path / "proof")
    assert (status, "'round'" in errors) == (2, True)


def test_the_command(registered, tmp_path):
    piles, store = registered(kit.make(Piles)), tmp_path / "proof"
    status, out, _ = said("prove", "piles", "start", "--store", store, "--quiet")
    first, second = out.splitlines()
    assert (status, second.startswith(f"A {first.replace('win', 'wins')} plies; ")) == (0, True)
    status, out, _ = said("prove", "verify", store, "--recheck", "all")
    assert (status, "the value is proved" in out) == (0, True)
    assert str(piles.words.value(piles.solve("A:0,0,0"), None)) in ("wins", "loses")
