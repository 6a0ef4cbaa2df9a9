"""Checks of proofs: forged certificates, searches done again, and what a certificate's file may be."""

import contextlib
import copy
import itertools
import json
import lzma
import random
import re
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from prove.truth import GAMES, after, images, position_of, random_key, score_of, solved  # in pytest's pythonpath

from gamecore import hexapawn, prove
from gamecore.apps.prove import _certificate, _verify, prover_of
from gamecore.apps.prove._certificate import LOWER, UPPER, Proof, Step
from gamecore.apps.prove.hexapawn import MATE
from gamecore.errors import GamecoreError

SIDES = (LOWER, UPPER)
OTHER = {LOWER: UPPER, UPPER: LOWER}
PROOFS = Path(__file__).resolve().parents[2] / "docs" / "results" / "proofs"
LINES = Path(__file__).with_name("records.txt").read_text().splitlines()  #: name, value and position of each
RECORDS = {name: (int(value), position) for name, value, position in map(str.split, LINES)}
HEAD = {"format": "gamecore certificate", "version": 1, "question": "value"}


def true_proof(game, seed):
    """A true certificate: which bounds follow from moves, and which are left to searches, is drawn."""
    rng, plain = random.Random(seed), prover_of(game).plain
    key = next(key for key in iter(lambda: random_key(game, rng), "") if len(plain.after(key)) > 1)
    steps, numbers = [Step(key)], {key: 0}
    waiting = [(0, side) for side in SIDES]
    while waiting:
        number, side = waiting.pop()
        step, score = steps[number], score_of(steps[number].key)
        if side in step.bounds:
            continue
        moves = plain.after(step.key)
        by_moves = bool(moves) and (number == 0 or (len(steps) < 20 and rng.random() < 0.6))
        step.bounds[side] = score, by_moves
        if side == LOWER:
            good = [move for move in moves if plain.before(score_of(moves[move])) == score]
            moves = {move: moves[move] for move in rng.sample(good, min(1, len(good)))}
        for move, child in moves.items() if by_moves else ():
            if child not in numbers:
                numbers[child] = len(steps)
                steps.append(Step(child))
            step.moves[move] = numbers[child]
            waiting.append((numbers[child], OTHER[side]))
    about = {"game": game, "position": rng.choice(images(key, rng)), **dict.fromkeys(SIDES, solved(key).value)}
    return Proof(HEAD | about, steps)


def lies(proof):
    """Whether a certificate says anything that is false: of its value, a bound, a move."""
    if not proof.about["lower"] <= solved(proof.about["position"]).value <= proof.about["upper"]:
        return True
    for step in proof.steps:
        score = score_of(step.key)
        low, high = (step.bounds.get(side, (score,))[0] for side in SIDES)
        moves = {move: proof.steps[number].key for move, number in step.moves.items()}
        if not low <= score <= high or not moves.items() <= after(position_of(step.key)).items():
            return True
    return False


def faults_of(proof, path, **options):
    """Return the faults of a certificate as text."""
    path.write_bytes(lzma.compress("".join(_certificate._lines(proof)).encode("ascii"), preset=0))
    try:
        return "\n".join(prove.verify(path, **options).faults)
    except GamecoreError as error:
        return str(error)


# --- forgeries: each changes a true certificate ----------------------------------------------------------------------


def small_changes(proof, rng, plain):
    """Return changes at drawn places, by name: of what, its attribute, and the new value."""
    about, steps = proof.about, proof.steps
    step, renamed = rng.choice(steps), rng.choice((steps[0], rng.choice(steps)))
    key, position, lower, upper = renamed.key, about["position"], about["lower"], about["upper"]
    hand, _, rest = key.partition(":")
    backwards = "".join(hand[at : at + 2] for at in range(len(hand) - 2, -1, -2))
    notations = [key.replace("2", "11", 1), key.replace("1", "01", 1), key.replace(":w", ":W")]
    side, off = rng.choice([*step.bounds]), rng.choice((-2, -1, 1, 2))
    bound, by_moves = step.bounds[side]
    split = rng.choice([step for step in steps if step.moves])
    (move, to), (other, to_other) = (rng.choice([*split.moves.items()]) for _ in range(2))

    def other_side(key):
        return key.replace(":w", ":b").replace(":A:", ":B:")

    def other_position(key):
        return rng.choice([*plain.after(key).values(), rng.choice(steps).key])

    asked = rng.choice([rng.choice(images(position, rng)), other_side(position), other_position(position)])
    values = (-upper, -lower), (lower + 1, upper), (lower - 1, upper), (lower, upper + 2), (upper + 1, lower)
    return {
        "image": (renamed, "key", rng.choice(images(key, rng))),
        "notation": (renamed, "key", rng.choice(notations) if "/" in key else f"{backwards}:{rest}"),
        "side": (renamed, "key", other_side(key)),
        "cycle": (split, "moves", split.moves | {move: rng.choice((0, steps.index(split)))}),
        "position": (renamed, "key", other_position(key)),
        "bound": (step, "bounds", step.bounds | {side: (bound + off, by_moves)}),
        "star": (step, "bounds", step.bounds | {side: (bound, not by_moves)}),
        "sides": (step, "bounds", {OTHER[side]: bound for side, bound in step.bounds.items()}),
        "no bound": (step, "bounds", {name: step.bounds[name] for name in step.bounds if name != side}),
        "no move": (split, "moves", {name: split.moves[name] for name in split.moves if name != move}),
        "moves": (split, "moves", split.moves | {move: to_other, other: to}),
        "asked": (proof, "about", about | {"position": asked}),
        "value": (proof, "about", about | dict(zip(SIDES, rng.choice(values), strict=True))),
    }


def another_value(proof, rng, plain):
    """Let a false value follow from everything, down to the searches."""
    off = rng.choice((-2, -1, 1, 2))
    waiting, done = [(0, side, off) for side in SIDES], set()
    while waiting:
        number, side, off = waiting.pop()
        step = proof.steps[number]
        if side not in step.bounds or (number, side) in done:
            continue
        done.add((number, side))
        bound, by_moves = step.bounds[side]
        step.bounds[side] = bound + off, by_moves
        if by_moves:
            waiting += [(child, OTHER[side], -off) for child in step.moves.values()]


def out_of_range(proof, rng, plain):
    """Bounds that are true, but further from 0 than any score: what follows from them can be false."""
    root, far = proof.steps[0], rng.randint(MATE + 1, MATE + 3000)
    moves, (least, most) = plain.after(root.key), plain.most(root.key)
    keys = [*dict.fromkeys(moves.values())]
    proof.steps[1:] = [Step(key, {LOWER: (-far, False), UPPER: (far, False)}) for key in keys]
    root.moves = {move: keys.index(key) + 1 for move, key in moves.items()}
    root.bounds = {LOWER: (least, False), UPPER: (most, False)}
    side = rng.choice(SIDES)
    root.bounds[side] = plain.before(far if side == LOWER else -far), True


def step_dropped(proof, rng, plain):
    number = rng.randrange(len(proof.steps))
    del proof.steps[number]
    for step in proof.steps:
        step.moves = {move: to - (to > number) for move, to in step.moves.items() if to != number}


def step_repeated(proof, rng, plain):
    """A step stands once more: where one of the moves to it leads, or nowhere; sometimes with another bound."""
    ways = [(step.moves, move) for step in proof.steps for move in step.moves]
    times = Counter(moves[move] for moves, move in ways)
    moves, move = rng.choice([(moves, move) for moves, move in ways if times[moves[move]] > 1] or ways)
    again = copy.deepcopy(proof.steps[moves[move]])
    if rng.random() < 0.3:
        side, (bound, by_moves) = rng.choice([*again.bounds.items()])
        again.bounds[side] = bound + rng.choice((-1, 1)), by_moves
    if rng.random() < 0.8:
        moves[move] = len(proof.steps)
    proof.steps.append(again)


def stray_step(proof, rng, plain):
    proof.steps.append(Step(random_key(proof.about["game"], rng), {LOWER: (rng.randint(-9, 9), False)}))


BROKEN = ("image", "notation", "side", "cycle", step_repeated, stray_step)  #: never accepted
FORGERIES = (
    *BROKEN, "position", "bound", another_value, another_value, out_of_range, "star", "sides", "no bound", "no move",
    "moves", step_dropped, "asked", "value",
)  # fmt: skip


def forged(proof, forgery, rng):
    """Return a changed copy. Mostly, its first line says what the bounds of its root say."""
    proof, plain = copy.deepcopy(proof), prover_of(proof.about["game"]).plain
    key = proof.steps[0].key
    if callable(forgery):
        forgery(proof, rng, plain)
    else:
        setattr(*small_changes(proof, rng, plain)[forgery])
    root = proof.steps[0]
    if root.key != key and rng.random() < 0.5:
        proof.about["position"] = root.key
    if len(root.bounds) == 2 and rng.random() < 0.8:
        low, high = (root.bounds[side][0] for side in SIDES)
        with contextlib.suppress(GamecoreError):
            low, high = plain.value(root.key, low, high)
        proof.about |= {"lower": low, "upper": high}
    return proof


@pytest.mark.parametrize("count", [120, pytest.param(2000, marks=pytest.mark.nightly)])
def test_no_forged_certificate_is_accepted(tmp_path, count):
    """But for a few that are true: a weaker bound, an image of the position."""
    verdicts, checks = Counter(), {"path": tmp_path / "c", "recheck": "all", "table_mb": 0.02}
    for seed, forgery in zip(itertools.count(), itertools.cycle(FORGERIES), strict=False):
        before = true_proof(("duel", "hexapawn")[seed // len(FORGERIES) % 2], seed)
        proof = forged(before, forgery, random.Random(seed))
        if proof == before:  # a symmetric position has no other mirror image
            continue
        assert not faults_of(before, **checks)
        accepted = not faults_of(proof, **checks)
        assert not accepted or not (forgery in BROKEN or lies(proof)), f"{forgery}: {before} became {proof}"
        verdicts[accepted] += 1
        if verdicts.total() == count:
            break
    assert 0 < verdicts[True] < count * 0.2


@pytest.mark.parametrize("game", GAMES)
def test_every_conclusion_is_worked_out_again(game, tmp_path):
    """Each bound that follows from moves, if it says one or two more, and without each move that it needs."""
    conclusions = 0
    for seed in range(6):
        true = true_proof(game, seed)
        assert not faults_of(true, tmp_path / "c")
        for step, side in itertools.product(true.steps, SIDES):
            bound, by_moves = step.bounds.get(side, (0, False))
            if not by_moves:
                continue
            conclusions += 1
            for off in (1, 2):
                step.bounds[side] = bound + (off if side == LOWER else -off), True
                says = f"{step.key}: (the {side} bound .* does not follow|no score is as)"
                assert re.search(says, faults_of(true, tmp_path / "c"))
            step.bounds[side] = bound, True
            for move, to in [*step.moves.items()] if side == UPPER else ():
                if [*step.moves.values()].count(to) == 1:
                    del step.moves[move]
                    assert "1 legal moves have no bound" in faults_of(true, tmp_path / "c")
                    step.moves[move] = to
    assert conclusions > 15


@pytest.mark.parametrize("game", GAMES)
def test_a_search_done_again_finds_true_bounds_and_no_others(game):
    """No score of Hexapawn is near 0: a bound there says who wins, whatever the board's own layout counts from."""
    rng, near = random.Random(3), (-3000, -2, 0, 1, 2, 63, 3000) if game == "hexapawn" else ()
    wide = ["ppp/3/PPP:w", "pppppppppppp/12/PPPPPPPPPPPP:w"] if near else []
    for key in [random_key(game, rng) for _ in range(25)] + wide:
        score, (least, most) = score_of(key), prover_of(game).plain.most(key)
        for bound in {*range(score - 2, score + 3), *near} & {*range(least + 1, most)}:
            assert _verify.search_again(game, (key, LOWER, bound), 1 << 14)[0] == (score >= bound)
            assert _verify.search_again(game, (key, UPPER, bound), 1 << 14)[0] == (score <= bound)


def test_a_certificate_is_not_unpacked_further_than_it_may_be(tmp_path, monkeypatch):
    """16 MiB in one line, or in many: neither a line nor the text is in memory as a whole; nor is one exported."""
    path, store = tmp_path / "c", tmp_path / "store"
    prove.run(hexapawn.Position.start(3, 3), store)
    prove.export(store, path)
    monkeypatch.setattr(_certificate, "_MOST_BYTES", 1 << 16)
    for bomb in (lzma.decompress(path.read_bytes()) + b" " * (16 << 20), b"2/2:w - - -\n" * (1 << 20)):
        path.write_bytes(lzma.compress(bomb, preset=0))
        tracemalloc.start()
        try:
            with pytest.raises(GamecoreError, match="too large: more than 65536 bytes"):
                prove.verify(path)
            assert tracemalloc.get_traced_memory()[1] < 1 << 20
        finally:
            tracemalloc.stop()
    path.write_bytes(lzma.compress(b"[" * 50000))  # nor nested without end
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(path)
    monkeypatch.setattr(_certificate, "_MOST_BYTES", 99)
    with pytest.raises(GamecoreError, match=r"too large for a certificate: [0-9]+ bytes, at most 99"):
        prove.export(store, tmp_path / "exported")
    assert not (tmp_path / "exported").exists()


@pytest.mark.skipif(not PROOFS.exists(), reason="the results of a checkout are meant")
@pytest.mark.parametrize("name", sorted({path.stem for path in PROOFS.glob("*.xz")} | RECORDS.keys()))
def test_a_record_holds_is_of_this_position_and_cannot_be_changed(name, tmp_path):
    """Another value is a fault; without its last step, on which others rest, it does not hold."""
    path, damaged, (value, position) = PROOFS / f"{name}.xz", tmp_path / "damaged", RECORDS[name]
    proof = prove.verify(path)
    assert (proof.faults, proof.lower, proof.upper, proof.position) == ((), value, value, position)
    head, *steps = lzma.decompress(path.read_bytes()).rstrip(b"\n").split(b"\n")
    other = json.dumps(json.loads(head) | {"upper": value + 1}).encode()
    damaged.write_bytes(lzma.compress(b"\n".join([other, *steps, b""])))
    assert any("the proof says" in fault for fault in prove.verify(damaged).faults)
    damaged.write_bytes(lzma.compress(b"\n".join([head, *steps[:-1], b""])))
    with pytest.raises(GamecoreError, match="damaged"):
        prove.verify(damaged)
