"""Proofs of one's own games: values, interruptions, threads, and faults that a check finds."""

import json
import lzma
from contextlib import suppress

import numpy as np
import pytest
from kit.games import Points, Takeaway, variant  # pytest's pythonpath has the folder of tests

from gamecore import Limits, game, kit, prove
from gamecore.errors import GamecoreError

COINS = {"coins": (8, 3, 9, 7, 2, 9, 1, 5, 4, 6, 3, 8) * 2}
PILES = {"heaps": (3, 4, 6), "step": 3, "write": lambda self, state, move: f"{move // 4} = {move % 4},100%"}
MISERE = {"heaps": (2, 3), "step": 3, "result": lambda self, state: None if any(state) else kit.WIN}
GAMES = {
    "points": (Points, COINS),
    "piles": (Takeaway, PILES),  # moves that a certificate has no room for
    "drawn": (Takeaway, {**PILES, "result": lambda self, state: None if sum(state) > 3 else kit.DRAW}),
    "misere": (Takeaway, MISERE),  # a loss in one ply
}


def registered(base, **members):
    made = variant(base, **members)
    game.register(made)
    return made


def rules_value(rules, state):
    """The value of a state by plain recursion."""
    if (end := rules.end(state)) is not None:
        return end
    return max(rules.parent_score(rules_value(rules, after), gain) for _, after, gain in rules.children(state))


@pytest.mark.parametrize("name", GAMES)
def test_values_are_proved_in_steps_and_checked(name, tmp_path):
    proved = registered(GAMES[name][0], **GAMES[name][1])
    value = proved.solve(proved.start()).value
    store, certificate = tmp_path / "proof", tmp_path / "certificate"
    stopped = prove.run(proved.start(), store, job_nodes=2, limits=Limits(nodes=6))
    assert (stopped.answered, stopped.lower <= value <= stopped.upper) == (False, True)
    proof = prove.run(proved.start(), store, job_nodes=2, threads=2)
    assert (proof.lower, proof.upper, proof.answered) == (value, value, True)
    prove.export(store, certificate)
    for path in (store, certificate):
        checked = prove.verify(path, recheck="all")
        assert (checked.faults, checked.lower, checked.steps > 2) == ((), value, True)
    wins = prove.run(proved.start(), tmp_path / "wins", question="wins", job_nodes=20)
    assert wins.winner == ("A" if value > 0 else "B" if value < 0 else None)


LARGE = [tuple(map(int, np.random.default_rng(seed).integers(-9999, 10_000, 6))) for seed in range(10)]


@pytest.mark.parametrize(
    ("base", "members", "position"),
    [
        (Takeaway, MISERE, "start"),
        (Takeaway, MISERE, "A:1,0"),
        (Points, {"coins": COINS["coins"][:14]}, "A:2:8:6"),
        (Points, {"coins": (9000, 1000, 9900, 9500, 8000, 9900, 200, 300), "most": 1}, "start"),
        *((Points, {"coins": coins, "most": seed % 2 + 1}, "start") for seed, coins in enumerate(LARGE)),
    ],
)
def test_values_are_proved_exactly_whatever_the_jobs(base, members, position, tmp_path):
    """Points before the first position, a loss in one ply; gains and sums beyond the range of values."""
    proved = registered(base, **members)
    place, exact = proved.parse(position), None
    with suppress(GamecoreError):  # a gain is out of range
        exact = rules_value(proved.rules_of, place.state) + place.points
    for job_nodes in (1, 2, 1000):
        store = tmp_path / f"proof{job_nodes}"
        if exact is not None and abs(exact) <= kit.WIN:
            assert prove.run(place, store, job_nodes=job_nodes).value == exact
            assert prove.verify(store, recheck="all").faults == ()
            continue
        with pytest.raises(GamecoreError, match="points must be"):
            prove.run(place, store, job_nodes=job_nodes)


@pytest.mark.threads
def test_threads_share_a_table_each_with_its_own_position(built, tmp_path):
    proved = built("connect4", (("W", 4), ("H", 4)))
    game.register(proved)
    proof = prove.run(proved.start(), tmp_path / "proof", job_nodes=300, threads=3)
    assert (proof.lower, proof.upper, prove.verify(tmp_path / "proof", recheck=5).faults) == (0, 0, ())
    assert proved.part("prove").engine("", 1 << 20, True).helper().helper() is not None
    assert proved.part("prove").engine("", 1 << 20, False).helper() is None


@pytest.mark.parametrize("name", GAMES)
def test_every_test_follows_from_those_after_the_moves(name):
    """By plain recursion, for all tests and some positions near the end."""
    proved = variant(GAMES[name][0], **GAMES[name][1])
    prover = proved.part("prove")

    def score(key):
        low, high = prover.most(key)
        return low if low == high else max(map(prover.before, map(score, prover.plain.after(key).values())))

    for seed in range(6):
        position = proved.random(plies=7 if name != "misere" else 2, rng=seed)
        key = prover.canonical(position)
        truth, after = score(key), [score(child) for child in prover.plain.after(key).values()]
        assert truth == proved.solve(position).value
        for test in {truth - 1, truth, truth + 1, 0, 1, -1, 9_990, -9_990}:
            assert (truth >= test) == any(child < prover.test_after(test) for child in after) or not after


def test_a_wrong_key_is_found(tmp_path):
    wrong = registered(Points, **COINS, key=lambda self, state: state[0] % 12)
    assert prove.run(wrong.start(), tmp_path / "proof").value != variant(Points, **COINS).solve("start").value
    assert "another search" in prove.verify(tmp_path / "proof", recheck="all").faults[0]


STATES = ("1,2", "-7", "99999999999999999999", "x", "")


@pytest.mark.parametrize("fault", ["bound", "move", "key", *STATES])
def test_a_falsified_proof_is_found(fault, tmp_path):
    """A better value and a root that says so, another move or key, and what is no state."""
    proved = registered(Points, **COINS, valid=lambda self, state: 0 <= state[0] <= 24)
    prove.run(proved.start(), tmp_path / "proof", job_nodes=5)
    prove.export(tmp_path / "proof", tmp_path / "right")
    lines = lzma.decompress((tmp_path / "right").read_bytes()).decode().splitlines()
    head, at = json.loads(lines[0]), next(at for at, line in enumerate(lines[2:], 2) if line.startswith("1:"))
    if fault == "bound":
        head["lower"], head["upper"] = head["lower"] + 1, head["upper"] + 1
        key, low, high, moves = lines[1].split()
        lines[1] = f"{key} {int(low.rstrip('*')) + 1}* {int(high.rstrip('*')) + 1}* {moves}"
    elif fault in STATES:
        lines[at] = lines[at].replace(lines[at].split()[0], f"1:-8:{fault}", 1)
    else:
        lines[at] = lines[at].replace("1:", "2:" if fault == "key" else "1:1", 1)
    (tmp_path / "wrong").write_bytes(lzma.compress("\n".join([json.dumps(head), *lines[1:], ""]).encode()))
    assert prove.verify(tmp_path / "right", recheck="all").faults == ()
    try:
        faults = prove.verify(tmp_path / "wrong", recheck="all").faults
    except GamecoreError as error:
        faults = (str(error),)
    assert faults


def test_rules_that_other_modules_change(tmp_path, monkeypatch):
    """Neither text nor attributes tell them apart: play does. A key was changed, perhaps mended; or points."""
    proved = kit.make(type("Row", (Points,), COINS))
    game.register(proved)
    prove.run(proved.start(), tmp_path / "proof", job_nodes=5)
    prove.export(tmp_path / "proof", tmp_path / "right")
    prove.run(proved.start(), tmp_path / "half", job_nodes=5, limits=Limits(nodes=10))
    row = type(proved.rules_of.user)
    for target, name, other in ((row, "coins", (*row.coins[:-1], 5)), (proved.rules_of, "key", lambda state: 0)):
        with monkeypatch.context() as patched:
            patched.setattr(target, name, other)
            for use in (
                lambda: prove.run(proved.start(), tmp_path / "half"),
                lambda: prove.status(tmp_path / "half"),
                lambda: prove.verify(tmp_path / "proof"),
                lambda: prove.verify(tmp_path / "right"),
                lambda: prove.export(tmp_path / "proof", tmp_path / "certificate"),
            ):
                with pytest.raises(GamecoreError, match="by other rules of row"):
                    use()
