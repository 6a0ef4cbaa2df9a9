"""Forged certificates: what ``verify`` accepts is true by the games' own solvers; planted faults let lies through."""

import contextlib
import copy
import json
import lzma
import random

import pytest

from gamecore import GamecoreError, duel, hexapawn, prove
from gamecore.limits import Limits
from gamecore.prove import _certificate, _verify
from gamecore.prove._certificate import LOWER, UPPER, Proof, Step, proof_of
from gamecore.prove._games import plies_left, rules_of
from gamecore.prove._hexapawn import MATE
from gamecore.prove._plain import plain_rules_of

FLIPPED = "1ppp/p3/2PP/PP2:b"  # a twin of pp2/2pp/P3/1PPP:w, which is lost in 8: white to move here would win in 9
SCORES = {}


def score_of(game, key):
    """The score of a position by the game's own search."""
    if key not in SCORES:
        module = duel if game == "duel" else hexapawn
        value = module.solve(module.Position.from_text(key), line=False).value
        SCORES[key] = value if game == "duel" else MATE - value if value > 0 else -value - MATE
    return SCORES[key]


def written(proof, path):
    path.write_bytes(lzma.compress("".join(_certificate._lines(proof)).encode(), preset=0))
    return path


def is_accepted(proof, path):
    written(proof, path)
    try:
        if prove.verify(path).faults:
            return False
        return not prove.verify(path, recheck="all", table_mb=0.1).faults
    except GamecoreError:
        return False


def is_true(proof):
    """Whether the value and all bounds are true."""
    game, about = proof.about["game"], proof.about
    value = rules_of(game).value_of(proof.steps[0].key, *[score_of(game, about["position"])] * 2)[0]
    return about["lower"] <= value <= about["upper"] and all(
        score >= bound if side == LOWER else score <= bound
        for step in proof.steps
        for score in [score_of(game, step.key)]
        for side, (bound, _) in step.bounds.items()
    )


# --- forging ---------------------------------------------------------------------------------------------------------


def twin(key, rng):
    """Another notation of the position, or one that a careless reader takes for it."""
    if key.count(":") == 1:
        position = hexapawn.Position.from_text(key[:-1] + "w")
        return rng.choice((position.mirror(), position.flip(), position.flip().mirror())).to_text()
    mover, other, _, last = key.split(":")
    if rng.random() < 0.5:
        return rng.choice((f"{other}:{mover}:B:{last}", f"{mover}:{other}:B:{last}"))
    names = str.maketrans("CDHS", "".join(rng.sample("CDHS", 4)))
    return f"{mover.translate(names)}:{other.translate(names)}:A:{last.translate(names)}"


def change_key(proof, step, rng):
    step.key = twin(step.key, rng)


def other_turn(proof, step, rng):
    step.key = step.key[:-1] + "b" if step.key.count(":") == 1 else step.key.replace(":A:", ":B:")


def misread(proof, step, rng):
    """The position with the other side to move, and what a search that overlooks this finds."""
    if step.key.count(":") == 1:
        found = hexapawn.Position.from_text(step.key[:-1] + "w").flip().to_text()
        other = found[:-1] + "w"
    else:
        mover, waits, _, last = step.key.split(":")
        found, other = f"{waits}:{mover}:B:{last}", f"{waits}:{mover}:A:{last}"
    score = score_of(proof.about["game"], other)
    step.key, step.bounds, step.moves = found, dict.fromkeys((LOWER, UPPER), (score, False)), {}


def change_position(proof, step, rng):
    step.key = rng.choice(proof.steps).key


def change_last(proof, step, rng):
    """Of a duel: any last card, also one that somebody holds."""
    if step.key.count(":") == 3:
        step.key = step.key.rpartition(":")[0] + ":" + rng.choice("CDHS") + rng.choice("A23456789TJQK")


def change_bound(proof, step, rng):
    if step.bounds:
        side = rng.choice(list(step.bounds))
        bound, by_moves = step.bounds[side]
        step.bounds[side] = bound + rng.choice((-2, -1, 1, 2)), by_moves


def change_claim(proof, step, rng):
    """A search's claim becomes a conclusion, or a conclusion a claim."""
    if step.bounds:
        side = rng.choice(list(step.bounds))
        step.bounds[side] = step.bounds[side][0], not step.bounds[side][1]


def swap_sides(proof, step, rng):
    step.bounds = {UPPER if side == LOWER else LOWER: bound for side, bound in step.bounds.items()}


def drop(proof, step, rng):
    at = proof.steps.index(step)
    if at:
        del proof.steps[at]
        for one in proof.steps:
            one.moves = {move: number - (number > at) for move, number in one.moves.items() if number != at}


def drop_move(proof, step, rng):
    if step.moves:
        del step.moves[rng.choice(list(step.moves))]


def repeat(proof, step, rng):
    """Once more, with other bounds, and some that led to the first lead to it."""
    again = copy.deepcopy(step)
    change_bound(proof, again, rng)
    at = proof.steps.index(step)
    for one in proof.steps:
        one.moves = {
            move: len(proof.steps) if number == at and rng.random() < 0.5 else number
            for move, number in one.moves.items()
        }
    proof.steps.append(again)


def redirect(proof, step, rng):
    """A move leads anywhere: to another position, to itself, to one before it."""
    if step.moves:
        step.moves[rng.choice(list(step.moves))] = rng.randrange(len(proof.steps))


def change_first_line(proof, step, rng):
    proof.about[rng.choice((LOWER, UPPER))] += rng.choice((-2, -1, 1, 2))


FORGERIES = (
    change_key, other_turn, misread, change_position, change_last, change_bound, change_bound, change_claim,
    swap_sides, drop, drop_move, repeat, redirect, change_first_line,
)  # fmt: skip


def conclude_again(proof):
    """Let each conclusion follow from the bounds after its moves."""
    rules, steps = proof.rules, proof.steps
    for step in sorted(steps, key=lambda step: plies_left(rules.name, step.key)):
        for side, wanted in ((LOWER, UPPER), (UPPER, LOWER)):
            after = [steps[n].bounds[wanted][0] for n in step.moves.values() if wanted in steps[n].bounds]
            if side in step.bounds and step.bounds[side][1] and after:
                step.bounds[side] = max(map(rules.score_before, after)), True


def say_what_the_first_step_says(proof):
    root = proof.steps[0]
    if len(root.bounds) == 2:
        low, high = (root.bounds[side][0] for side in (LOWER, UPPER))
        proof.about["lower"], proof.about["upper"] = proof.rules.value_of(root.key, low, high)


def forged(proofs, seed):
    rng = random.Random(seed)
    proof = copy.deepcopy(proofs[seed % len(proofs)])
    for _ in range(rng.choice((1, 1, 2, 3))):
        with contextlib.suppress(GamecoreError):  # no position
            rng.choice(FORGERIES)(proof, rng.choice((proof.steps[0], rng.choice(proof.steps))), rng)
    if rng.random() < 0.5:
        conclude_again(proof)
    if rng.random() < 0.7:
        with contextlib.suppress(GamecoreError):  # no value has these bounds
            say_what_the_first_step_says(proof)
    return proof


def lies(proofs, seeds, path):
    """How many forgeries are accepted, and those of them that are false."""
    accepted = [proof for proof in (forged(proofs, seed) for seed in seeds) if is_accepted(proof, path)]
    return len(accepted), [proof for proof in accepted if not is_true(proof)]


# --- tests -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proofs(tmp_path_factory):
    """Small real certificates of both games."""
    positions = [hexapawn.Position.start(4, 3), hexapawn.Position.from_text(FLIPPED), hexapawn.random(5, 3, rng=2)]
    positions += [duel.deal(n, rng=n) for n in (5, 6, 7)]
    found = []
    for number, position in enumerate(positions):
        store = tmp_path_factory.mktemp("proofs") / str(number)
        assert prove.run(position, store, job_nodes=2 if number in (2, 3) else 5, limits=Limits(table_mb=0.1)).answered
        found.append(proof_of(store))
        assert is_true(found[-1])
        assert is_accepted(found[-1], store.with_name("certificate"))
    assert sum(len(proof.steps) for proof in found) > 60, [len(proof.steps) for proof in found]
    return found


@pytest.mark.parametrize("count", [150, pytest.param(2000, marks=pytest.mark.nightly)])
def test_whatever_is_accepted_is_true(proofs, count, tmp_path):
    accepted, false = lies(proofs, range(count), tmp_path / "c")
    assert not false, "".join(_certificate._lines(false[0]))
    assert count / 50 < accepted < count / 2  # looser bounds are still true


def upper_off_by_two(monkeypatch):
    real = _verify._Checker._check_moves

    def check(self, step, side, bound, legal):
        real(self, step, side, bound + 2 * (side == UPPER), legal)

    monkeypatch.setattr(_verify._Checker, "_check_moves", check)


def root_not_compared(monkeypatch):
    monkeypatch.setattr(_verify._Checker, "_check_root", lambda self: None)


def searches_that_find_everything(monkeypatch):
    monkeypatch.setattr(_verify, "search_again", lambda game, claim, table_bytes: (True, 0))


def off_by_two(game, key):
    """A certificate of one ply for a value that is false: the upper bound is two too low."""
    rules, score = rules_of(game), score_of(game, key)
    children = {child.key: child.move for child in rules.engine(key, 1 << 16, False).children(key, 1)}
    moves = {move: number for number, move in enumerate(children.values(), start=1)}
    steps = [Step(key, {LOWER: (score - 2, False), UPPER: (score - 2, True)}, moves)]
    steps += [Step(child, {LOWER: (score_of(game, child), False)}) for child in children]
    return said(game, key, steps)


def said(game, key, steps):
    """The certificate of these steps; its first line says what they say."""
    lower, upper = rules_of(game).value_of(key, steps[0].bounds[LOWER][0], steps[0].bounds[UPPER][0])
    about = {"format": _certificate.FORMAT, "version": 1, "game": game, "position": key, "question": "value"}
    return Proof({**about, "lower": lower, "upper": upper}, steps)


def another_value(game, key):
    proof = said(game, key, [Step(key, dict.fromkeys((LOWER, UPPER), (score_of(game, key), False)))])
    proof.about["lower"] = proof.about["upper"] = proof.about["upper"] + 2
    return proof


def false_claims(game, key):
    return said(game, key, [Step(key, dict.fromkeys((LOWER, UPPER), (score_of(game, key) - 2, False)))])


def out_of_range(game, key):
    """Bounds after moves that are true, but further from 0 than any score: false bounds would follow."""
    rules = rules_of(game)
    children = {child.key: child.move for child in rules.engine(key, 1 << 16, False).children(key, 1)}
    far = MATE + 109
    steps = [Step(child, {LOWER: (-far, False), UPPER: (far, False)}) for child in children]
    moves = {move: number for number, move in enumerate(children.values(), start=1)}
    wins = score_of(game, key) > 0
    follows = plain_rules_of(game).before(-far if wins else far), True
    bounds = {LOWER: (2 - MATE, False), UPPER: follows} if wins else {LOWER: follows, UPPER: (MATE - 1, False)}
    return said(game, key, [Step(key, bounds, moves), *steps])


@pytest.mark.parametrize("key", ["pppp/4/4/PPPP:w", "pppp/4/4/4/PPPP:w"])
def test_bounds_that_no_score_reaches_are_refused(key, tmp_path):
    """They once "proved" that a 4x4 board, won in 11 plies, is lost in at most 110, without any search."""
    proof = out_of_range("hexapawn", key)
    assert not proof.about["lower"] <= hexapawn.solve(hexapawn.Position.from_text(key)).value <= proof.about["upper"]
    assert not is_accepted(proof, tmp_path / "c")
    assert any("no score is as" in fault for fault in prove.verify(tmp_path / "c").faults)


POSITIONS = {"duel": "C2D4H6:D3S5H7C9:A:-", "hexapawn": "ppp/3/3/PPP:w"}
PLANTS = {upper_off_by_two: off_by_two, root_not_compared: another_value, searches_that_find_everything: false_claims}


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize(("plant", "forge"), PLANTS.items())
def test_a_checker_with_a_planted_fault_accepts_a_lie(plant, forge, game, tmp_path, monkeypatch):
    """What is asserted before the fault is planted fails afterwards."""
    rules = rules_of(game)
    proof = forge(game, rules.canonical(rules.read(POSITIONS[game])))
    assert not is_true(proof)
    assert not is_accepted(proof, tmp_path / "c")
    plant(monkeypatch)
    assert is_accepted(proof, tmp_path / "c")


@pytest.mark.nightly
@pytest.mark.parametrize("plant", PLANTS)
def test_forgeries_find_planted_faults(proofs, plant, tmp_path, monkeypatch):
    plant(monkeypatch)
    assert lies(proofs, range(400), tmp_path / "c")[1]


def test_keys_that_are_not_canonical_are_refused(tmp_path):
    """Black's position, searched as white's, once "proved" a win in 9 of a loss in 8."""
    score = MATE - 9
    assert score_of("hexapawn", FLIPPED) == 8 - MATE
    step = Step(FLIPPED, {LOWER: (score, False), UPPER: (score, False)})
    proof = said("hexapawn", FLIPPED, [step])
    proof.about["position"] = "pp2/2pp/P3/1PPP:w"
    assert not is_accepted(proof, tmp_path / "c")
    rules, plain = rules_of("hexapawn"), plain_rules_of("hexapawn")
    for refuse in (
        lambda: plain.same(FLIPPED),
        lambda: _verify.search_again("hexapawn", (FLIPPED, LOWER, score), 1 << 16),
        lambda: rules.engine(FLIPPED, 1 << 16, False).children(FLIPPED, 1),
    ):
        with pytest.raises(GamecoreError, match=r"white to move|black is to move"):
            refuse()
    with pytest.raises(GamecoreError, match="Bob is to move"):
        _verify.search_again("duel", ("C2:D2:B:-", LOWER, 1), 1 << 16)
    for game, key in (("hexapawn", "pp1/3/1PP:w"), ("hexapawn", "1pp/3/PP1:w"), ("duel", "S2:C3:A:-")):
        canonical = rules_of(game).canonical(rules_of(game).read(key))
        proof = said(game, key, [Step(key, dict.fromkeys((LOWER, UPPER), (score_of(game, key), False)))])
        assert is_accepted(proof, tmp_path / "c") == (key == canonical)
        faults = prove.verify(tmp_path / "c").faults
        assert faults == (() if key == canonical else (f"{key} is not canonical",))


def test_a_last_card_that_somebody_holds_is_refused(tmp_path):
    key = "C2:D2D3:A:D3"
    proof = said("duel", key, [Step(key, dict.fromkeys((LOWER, UPPER), (-2, False)))])
    proof.about["position"] = "C2:D2D3:A:-"
    assert not is_accepted(proof, tmp_path / "c")
    with pytest.raises(GamecoreError, match="no position of the duel"):
        plain_rules_of("duel").after(key)


# --- files that grow -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "grow",
    [
        lambda head, step: head + b" " * (1 << 24),
        lambda head, step: head + step * (1 << 20),
        lambda head, step: head + step[:-2] + b"a=0," * (1 << 22),
        lambda head, step: b" " * (1 << 24) + head,
    ],
    ids=["one line", "one step", "one step's moves", "first line"],
)
def test_small_files_that_would_grow_are_refused_while_they_are_read(grow, tmp_path, monkeypatch):
    sizes = []

    class Counted:
        def __init__(self, **options):
            self._real = real(**options)

        def decompress(self, data, most):
            assert most > 0
            sizes.append(len(found := self._real.decompress(data, most)))
            return found

        def __getattr__(self, name):
            return getattr(self._real, name)

    key = "ppp/3/PPP:w"
    about = said("hexapawn", key, [Step(key, dict.fromkeys((LOWER, UPPER), (MATE - 3, False)))]).about
    data = grow(json.dumps(about).encode() + b"\n", f"{key} - - -\n".encode())
    (tmp_path / "c").write_bytes(lzma.compress(data, preset=0))
    assert (tmp_path / "c").stat().st_size < 1 << 15
    real = lzma.LZMADecompressor
    monkeypatch.setattr(lzma, "LZMADecompressor", Counted)
    with pytest.raises(GamecoreError, match=r"too large|occurs twice|is no certificate"):
        prove.verify(tmp_path / "c")
    assert 0 < sum(sizes) < 1 << 20


def test_the_limit_of_a_certificate(proofs, tmp_path, monkeypatch):
    size = sum(map(len, _certificate._lines(proofs[0])))
    path = written(proofs[0], tmp_path / "c")
    first = len(next(_certificate._lines(proofs[0])))
    monkeypatch.setattr(_certificate, "_MOST_BYTES", size - first)
    assert not prove.verify(path).faults
    with pytest.raises(GamecoreError, match="too large"):
        prove.export(path, tmp_path / "d")
    monkeypatch.setattr(_certificate, "_MOST_BYTES", size - first - 1)
    with pytest.raises(GamecoreError, match="too large"):
        prove.verify(path)
