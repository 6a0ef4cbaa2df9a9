"""Proofs of one's own games: values, interruptions, threads, and faults that a check finds."""

import json
import lzma

import pytest

import gamecore
from gamecore import Limits, OptionError, game, kit, prove
from gamecore.apps.prove._prover import provable
from gamecore.cli import main
from gamecore.errors import GamecoreError


class Piles:
    """Take one to three objects from one of the piles; whoever takes the last one wins."""

    def start(self):
        return (3, 4, 6)

    def moves(self, state):
        return [4 * pile + take for pile, size in enumerate(state) for take in (1, 2, 3) if take <= size]

    def play(self, state, move):
        pile, take = divmod(move, 4)
        return (*state[:pile], state[pile] - take, *state[pile + 1 :])

    def result(self, state):
        return None if any(state) else kit.LOSS

    def write(self, state, move):
        return f"{move // 4} = {move % 4},100%"  # nothing that a certificate has room for


class Coins:
    """Take a coin from either end of a row; the larger sum wins."""

    KIND = "score"
    COINS = (8, 3, 9, 7, 2, 9, 1, 5, 4, 6)

    def start(self):
        return (0, len(self.COINS))

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        left, right = state
        return ((left + 1, right), self.COINS[left]) if move == 0 else ((left, right - 1), self.COINS[right - 1])

    def result(self, state):
        return 0 if state[0] == state[1] else None


class Drawn(Piles):
    """A game that nobody can win."""

    def result(self, state):
        return None if sum(state) > 3 else kit.DRAW


class Misere(Piles):
    """Whoever takes the last one loses: a loss in one ply."""

    def start(self):
        return (2, 3)

    def result(self, state):
        return None if any(state) else kit.WIN


class Round(Piles):
    CYCLES = True


class Countdown(Piles):
    """A game of more plies than a proof follows."""

    def start(self):
        return (1500,)

    def moves(self, state):
        return [1]


class WrongKey(Coins):
    def key(self, state):
        return state[1] - state[0]


@pytest.fixture
def registered():
    """Register games for one test."""
    names = []

    def register(made):
        gamecore.game.register(made)
        names.append(made.name)
        return made

    yield register
    for name in names:
        gamecore.game._registry._registered.pop(name, None)


def faults_of(path):
    """What `verify` says against a proof, whether it could read the whole or not."""
    try:
        return prove.verify(path, recheck="all").faults
    except GamecoreError as error:
        return (str(error),)


@pytest.mark.parametrize("rules", [Piles, Coins, Drawn])
def test_values_are_proved_in_steps_and_checked(rules, registered, tmp_path):
    made = registered(kit.make(rules))
    value = made.solve(made.start()).value
    store, certificate = tmp_path / "proof", tmp_path / "certificate"
    stopped = prove.run(made.start(), store, job_nodes=20, limits=Limits(nodes=60))
    assert not stopped.answered
    assert stopped.lower <= value <= stopped.upper
    found = prove.run(made.start(), store, job_nodes=20, threads=2)
    assert (found.lower, found.upper, found.answered) == (value, value, True)
    prove.export(store, certificate)
    for path in (store, certificate):
        checked = prove.verify(path, recheck="all")
        assert (checked.faults, checked.lower) == ((), value)
        assert checked.steps > 2
    wins = prove.run(made.start(), tmp_path / "wins", question="wins", job_nodes=20)
    assert wins.winner == ("A" if value > 0 else "B" if value < 0 else None)


@pytest.mark.threads
def test_threads_share_a_table_each_with_its_own_position(built, registered, tmp_path):
    made = registered(built("connect4", (("W", 4), ("H", 4))))
    found = prove.run(made.start(), tmp_path / "proof", job_nodes=300, threads=3)
    assert (found.lower, found.upper, prove.verify(tmp_path / "proof", recheck=5).faults) == (0, 0, ())
    engine = made.prover.engine("", 1 << 20, True)
    assert engine.helper().helper() is not None
    assert made.prover.engine("", 1 << 20, False).helper() is None


@pytest.mark.parametrize("rules", [Piles, Coins, Drawn, Misere])
def test_every_test_follows_from_those_after_the_moves(rules):
    """By plain recursion, for all tests and all positions near the end."""
    made = kit.make(rules)
    prover = made.prover

    def score(key):
        low, high = prover.bounds(key)
        return low if low == high else max(map(prover.score_before, map(score, prover.plain.after(key).values())))

    for _, state in zip(range(6), iter(lambda: made.random(plies=7), None), strict=False):
        key = prover.canonical(state)
        truth, after = score(key), [score(one) for one in prover.plain.after(key).values()]
        assert truth == made.solve(state).value
        for test in {truth - 1, truth, truth + 1, 0, 1, -1, 9_990, -9_990}:
            assert (truth >= test) == any(one < prover.test_after(test) for one in after) or not after


def test_jobs_of_one_node_and_a_loss_in_one_ply(registered, tmp_path):
    made = registered(kit.make(Misere))
    assert prove.run("A:1,0", tmp_path / "lost", game="misere").value == -kit.WIN + 1
    found = prove.run(made.start(), tmp_path / "proof", job_nodes=1)
    assert found.value == made.solve(made.start()).value
    assert prove.verify(tmp_path / "proof", recheck="all").faults == ()


def test_a_game_that_is_too_long_ends_with_an_error(registered, tmp_path):
    made = registered(kit.make(Countdown))
    with pytest.raises(GamecoreError, match="more than 1000 plies"):
        prove.run(made.start(), tmp_path / "proof", job_nodes=20, limits=Limits(seconds=60))


def test_a_wrong_key_is_found(registered, tmp_path):
    made = registered(kit.make(WrongKey))
    right = kit.make(Coins)
    found = prove.run(made.start(), tmp_path / "proof")
    assert found.value != right.solve(right.start()).value
    assert "another search" in prove.verify(tmp_path / "proof", recheck="all").faults[0]


@pytest.mark.parametrize("fault", ["bound", "move", "key"])
def test_a_falsified_proof_is_found(fault, registered, tmp_path):
    made = registered(kit.make(Coins))
    prove.run(made.start(), tmp_path / "proof", job_nodes=20)
    prove.export(tmp_path / "proof", tmp_path / "right")
    lines = lzma.decompress((tmp_path / "right").read_bytes()).decode().splitlines()
    head = json.loads(lines[0])
    if fault == "bound":  # a better value, and a root that says so
        head["lower"], head["upper"] = head["lower"] + 1, head["upper"] + 1
        key, low, high, moves = lines[1].split()
        lines[1] = f"{key} {int(low.rstrip('*')) + 1}* {int(high.rstrip('*')) + 1}* {moves}"
    else:
        at = next(at for at, line in enumerate(lines[2:], 2) if line.startswith("1:"))
        lines[at] = lines[at].replace("1:", "2:" if fault == "key" else "1:1", 1)
    (tmp_path / "wrong").write_bytes(lzma.compress("\n".join([json.dumps(head), *lines[1:], ""]).encode()))
    assert prove.verify(tmp_path / "wrong", recheck="all").faults
    assert prove.verify(tmp_path / "right", recheck="all").faults == ()


@pytest.mark.parametrize("state", ["1", "1,2,3", "-7,5", "1,99999999999999999999", "1,x", "10,5"])
def test_a_proof_with_what_is_no_state_is_refused(state, registered, tmp_path):
    made = registered(kit.make(Coins))
    prove.run(made.start(), tmp_path / "proof", job_nodes=20)
    prove.export(tmp_path / "proof", tmp_path / "right")
    text = lzma.decompress((tmp_path / "right").read_bytes()).decode()
    (tmp_path / "wrong").write_bytes(lzma.compress(text.replace("1:-8:1,10 ", f"1:-8:{state} ").encode()))
    assert faults_of(tmp_path / "wrong")


def test_two_moves_written_alike_are_refused(registered, tmp_path, monkeypatch):
    made = registered(kit.make(Piles))
    monkeypatch.setattr(made.rules_of, "write", lambda state, move: "same", raising=False)
    with pytest.raises(GamecoreError, match="alike"):
        prove.run("A:3,4,6", tmp_path / "proof", game="piles", job_nodes=1)


def test_other_rules_neither_confirm_nor_continue_a_proof(registered, tmp_path, monkeypatch):
    made = registered(kit.make(Coins))
    prove.run(made.start(), tmp_path / "proof", job_nodes=20)
    prove.run(made.start(), tmp_path / "half", job_nodes=20, limits=Limits(nodes=40))
    prove.run(made.start(), tmp_path / "half", job_nodes=20, limits=Limits(nodes=20))
    with monkeypatch.context() as patched:
        patched.setattr(Coins, "COINS", (8, 3, 9, 7, 2, 9, 1, 5, 4, 7))
        assert prove.verify(tmp_path / "proof", recheck="all").faults
        with pytest.raises(GamecoreError, match="other rules of coins"):
            prove.run(made.start(), tmp_path / "half")
    monkeypatch.setattr(made.rules_of, "key", sum, raising=False)  # a key was changed, perhaps mended
    with pytest.raises(GamecoreError, match="other rules of coins"):
        prove.run(made.start(), tmp_path / "half")


class Rich(Coins):
    """Points of single moves and of sums beyond the range of values; the value of the first position is within it."""

    COINS = (9000, 1000, 9900, 9500, 8000, 9900, 200, 300)

    def moves(self, state):
        return [0]


class TooRich(Rich):
    """Only the first side gains: 27,000 points."""

    COINS = (9000, 0, 9000, 0, 9000, 0)


class Wealth(Rich):
    """Two ways: to a position of 15,000 points for the other side after a gain of 8,000, or to the loss of 3,000."""

    def start(self):
        return (0, 0)

    def moves(self, state):
        return [0, 1] if state == (0, 0) else [0]

    def play(self, state, move):
        gains = {(0, 0): (8000, -3000), (1, 0): (9000,), (2, 0): (0,), (3, 0): (6000,)}
        after = (state[0] + 1, 0) if move == 0 else (9, 0)
        return after, gains[state][move]

    def result(self, state):
        return 0 if state[0] in (4, 9) else None


@pytest.mark.parametrize("rules", [Rich, Wealth])
def test_large_points_are_proved_exactly(rules, registered, tmp_path):
    made = registered(kit.make(rules))

    def value(state):
        children = made.rules_of.children(state) if made.rules_of.end(state) is None else ()
        return max((gain - value(after) for _, after, gain in children), default=0)

    exact = value(made.rules_of.start())
    assert abs(exact) <= kit.WIN
    assert made.solve(made.start(), line=False).value == exact
    for number, job_nodes in enumerate((1, 2, 1000)):
        assert prove.run(made.start(), tmp_path / f"proof{number}", job_nodes=job_nodes).value == exact
        assert prove.verify(tmp_path / f"proof{number}", recheck="all").faults == ()


@pytest.mark.parametrize("job_nodes", [1, 1000])
def test_points_out_of_range_are_not_proved(job_nodes, registered, tmp_path):
    made = registered(kit.make(TooRich))
    with pytest.raises(GamecoreError, match=r"points must be from -10000 to 10000 .*, not 27000 as the value of"):
        prove.run(made.start(), tmp_path / "proof", job_nodes=job_nodes)
    with pytest.raises(GamecoreError, match="points must be from"):
        prove.run(made.start(), tmp_path / "proof", job_nodes=job_nodes)  # nor by the store that is left


def test_points_before_the_first_position_count(registered, tmp_path):
    made = registered(kit.make(Coins))
    position = made.start().play("0").play("1")
    assert position.points == 8 - 6
    found = prove.run(position, tmp_path / "proof", job_nodes=3)
    assert found.value == made.solve(position).value == made.solve("A:1,9").value + 2
    assert prove.verify(tmp_path / "proof", recheck="all").faults == ()


FILE = """
from gamecore import kit
class Stack:
    KIND = "score"
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
GAME = kit.make(Stack())
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("", "", True),
        ("% 1000", "% 999", False),  # a key that no sample of play tells from the first
        ("kit\n", "kit\nOTHER = 1\n", False),
    ],
)
def test_a_store_goes_on_with_the_same_rules_only(old, new, same, tmp_path, monkeypatch):
    for number, text in enumerate((FILE, FILE.replace(old, new, 1))):
        monkeypatch.setattr(game._registry, "_registered", {})
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "stack.py").write_text(text)
        made = game.load(str(folder / "stack.py"))
        if number == 0:
            prove.run(made.start(), tmp_path / "half", job_nodes=2, limits=Limits(nodes=3))
        elif same:
            assert prove.run(made.start(), tmp_path / "half").answered
        else:
            with pytest.raises(GamecoreError, match="other rules of stack"):
                prove.run(made.start(), tmp_path / "half")


class Weighted(Coins):
    def __init__(self, weights):
        self.weights = weights

    def key(self, state):
        return state if sum(state) != 12345 else self.weights


def test_a_store_goes_on_with_the_same_attributes_only(tmp_path, monkeypatch):
    for weights, words in (((1, 2), ""), ((1, 3), "other rules of weighted"), ((1, 2), "")):
        monkeypatch.setattr(game._registry, "_registered", {})
        made = kit.make(Weighted(weights))
        game.register(made)
        if words:
            with pytest.raises(GamecoreError, match=words):
                prove.run(made.start(), tmp_path / "half")
        else:
            prove.run(made.start(), tmp_path / "half", job_nodes=20, limits=Limits(nodes=30))


def test_a_game_with_cycles_is_refused(registered, tmp_path, capsys):
    made = registered(kit.make(Round))
    assert made.prover is None
    assert "round" not in provable()
    with pytest.raises(OptionError, match="round"):
        prove.run("A:1,2,3", tmp_path / "proof", game="round")
    with pytest.raises(SystemExit):
        main(["prove", "round", "start", "--store", str(tmp_path / "proof")])
    assert "'round'" in capsys.readouterr().err


def test_the_command(registered, tmp_path, capsys):
    registered(kit.make(Piles))
    store = str(tmp_path / "proof")
    assert main(["prove", "piles", "start", "--store", store, "--quiet"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert second.startswith(f"A {first.replace('win', 'wins')} plies; ")
    assert main(["prove", "verify", store, "--recheck", "all"]) == 0
    assert "the value is proved" in capsys.readouterr().out
    game = gamecore.games()["piles"]
    assert str(game.words.value(game.solve("A:0,0,0"), None)) in ("wins", "loses")
