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

import pytest
from prove.truth import GAMES, after, position_of, score_of, solved  # pytest's pythonpath has the folder of tests

from gamecore import hexapawn, prove
from gamecore.apps.prove import _certificate, _verify, prover_of
from gamecore.apps.prove._certificate import LOWER, UPPER, Proof, Step
from gamecore.apps.prove.hexapawn import MATE
from gamecore.errors import GamecoreError

SIDES = (LOWER, UPPER)
OTHER = {LOWER: UPPER, UPPER: LOWER}
HEAD = {"format": "gamecore certificate", "version": 1, "question": "value"}


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


def written(proof, path):
    path.write_bytes(lzma.compress("".join(_certificate._lines(proof)).encode("ascii"), preset=0))
    return path


def is_accepted(proof, path):
    try:
        return not prove.verify(written(proof, path), recheck="all", table_mb=0.02).faults
    except GamecoreError:
        return False


# --- forgeries: each changes a true certificate ----------------------------------------------------------------------


def image(key, rng):
    """The same position for the other side, mirrored, or with its suits renamed."""
    if "/" in key:
        position = hexapawn.Position.from_text(key)
        return rng.choice([position.flip(), position.mirror(), position.flip().mirror()]).to_text()
    mover, other, _, last = key.translate(str.maketrans("CDHS", "".join(rng.sample("CDHS", 4)))).split(":")
    return f"{other}:{mover}:B:{last}" if rng.random() < 0.5 else f"{mover}:{other}:A:{last}"


def twin(key, rng):
    """The same position in another notation."""
    if "/" in key:
        return rng.choice([key.replace("2", "11", 1), key.replace("1", "01", 1), key.replace(":w", ":W")])
    mover, rest = key.split(":", 1)
    return "".join(mover[at : at + 2] for at in range(len(mover) - 2, -1, -2)) + ":" + rest


def other_side(key, rng):
    """The same board or hands, but the other side to move."""
    return key.replace(":w", ":b").replace(":A:", ":B:")


def renamed(change):
    def forge(proof, rng):
        number = rng.choice((0, rng.randrange(len(proof.steps))))
        step = proof.steps[number]
        key, step.key = step.key, change(step.key, rng)
        if number == 0 and step.key != key and rng.random() < 0.5:
            proof.about["position"] = step.key

    return forge


def say_what_follows(proof):
    """Let the first line say what the root's bounds say."""
    root = proof.steps[0]
    if len(root.bounds) == 2:
        plain = prover_of(proof.about["game"]).plain
        low, high = (root.bounds[side][0] for side in SIDES)
        with contextlib.suppress(GamecoreError):
            low, high = plain.value(root.key, low, high)
        proof.about |= {"lower": low, "upper": high}


def other_position(proof, rng):
    step, plain = rng.choice(proof.steps), prover_of(proof.about["game"]).plain
    if rng.random() < 0.5:
        step.key = rng.choice(proof.steps).key
    for _ in range(rng.randint(0, 2)):
        step.key = rng.choice([*plain.after(step.key).values()] or [step.key])
    if step is proof.steps[0] and rng.random() < 0.5:
        proof.about["position"] = step.key


def some_bound(proof, rng):
    step = rng.choice(proof.steps)
    side = rng.choice([*step.bounds])
    return step.bounds, side, *step.bounds[side]


def bound_off(proof, rng):
    bounds, side, bound, by_moves = some_bound(proof, rng)
    bounds[side] = bound + rng.choice((-2, -1, 1, 2)), by_moves
    say_what_follows(proof)


def another_value(proof, rng):
    """A false value from which everything follows, down to the searches."""
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
    say_what_follows(proof)


def out_of_range(proof, rng):
    """Bounds that are true, but further from 0 than any score: what follows from them can be false."""
    step, plain = proof.steps[0], prover_of(proof.about["game"]).plain
    moves, (least, most) = plain.after(step.key), plain.most(step.key)
    keys = [*dict.fromkeys(moves.values())]
    far = rng.randint(MATE + 1, MATE + 3000)
    proof.steps[1:] = [Step(key, {LOWER: (-far, False), UPPER: (far, False)}) for key in keys]
    step.moves = {move: keys.index(key) + 1 for move, key in moves.items()}
    if rng.random() < 0.5:
        step.bounds = {LOWER: (plain.before(far), True), UPPER: (most, False)}
    else:
        step.bounds = {LOWER: (least, False), UPPER: (plain.before(-far), True)}
    say_what_follows(proof)


def star(proof, rng):
    bounds, side, bound, by_moves = some_bound(proof, rng)
    bounds[side] = bound, not by_moves


def sides_swapped(proof, rng):
    step = rng.choice(proof.steps)
    step.bounds = {OTHER[side]: bound for side, bound in step.bounds.items()}
    say_what_follows(proof)


def bound_dropped(proof, rng):
    bounds, side, *_ = some_bound(proof, rng)
    del bounds[side]


def with_moves(proof, rng, count=1):
    """Choose a step's moves and so many of them; of a step that is not in the certificate if it has none such."""
    none = Step("none", moves={"a": 0, "b": 0})
    moves = rng.choice([step.moves for step in proof.steps if len(step.moves) >= count] or [none.moves])
    return moves, *rng.sample([*moves], count)


def move_dropped(proof, rng):
    moves, move = with_moves(proof, rng)
    del moves[move]


def moves_swapped(proof, rng):
    moves, one, two = with_moves(proof, rng, 2)
    moves[one], moves[two] = moves[two], moves[one]


def step_dropped(proof, rng):
    number = rng.randrange(len(proof.steps))
    del proof.steps[number]
    for step in proof.steps:
        step.moves = {move: to - (to > number) for move, to in step.moves.items() if to != number}


def step_repeated(proof, rng):
    """A step stands once more: where one of the moves to it leads, or nowhere; sometimes with another bound."""
    ways = [(step, move) for step in proof.steps for move in step.moves]
    times = Counter(step.moves[move] for step, move in ways)
    step, move = rng.choice([(step, move) for step, move in ways if times[step.moves[move]] > 1] or ways)
    again = copy.deepcopy(proof.steps[step.moves[move]])
    if rng.random() < 0.3:
        bound_off(Proof(proof.about | {}, [again]), rng)
    if rng.random() < 0.8:
        step.moves[move] = len(proof.steps)
    proof.steps.append(again)


def cycle(proof, rng):
    moves, move = with_moves(proof, rng)
    moves[move] = rng.choice((0, next((at for at, step in enumerate(proof.steps) if step.moves is moves), 0)))


def stray_step(proof, rng):
    key = random_key(proof.about["game"], rng)
    proof.steps.append(Step(key, {LOWER: (rng.randint(-9, 9), False)}))


def random_key(game, rng):
    sizes = (rng.randint(2, 6),) if game == "duel" else (rng.randint(3, 5), rng.randint(2, 4))
    return prover_of(game).canonical(GAMES[game].random(*sizes, rng=rng.randrange(1 << 30)))


def position_asked(proof, rng):
    """Another position is asked about: an image has the same value, the others have not."""
    change = rng.choice((image, other_side, lambda key, rng: random_key(proof.about["game"], rng)))
    proof.about["position"] = change(proof.about["position"], rng)


def value_said(proof, rng):
    lower, upper = proof.about["lower"], proof.about["upper"]
    other = [(-upper, -lower), (lower + 1, upper), (lower - 1, upper), (lower, upper + 2), (upper + 1, lower)]
    proof.about["lower"], proof.about["upper"] = rng.choice(other)


BROKEN = (renamed(image), renamed(twin), renamed(other_side), step_repeated, cycle, stray_step)  #: never accepted
FORGERIES = (
    *BROKEN, other_position, bound_off, another_value, another_value, out_of_range, star, sides_swapped, bound_dropped,
    move_dropped, moves_swapped, step_dropped, position_asked, value_said,
)  # fmt: skip


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
    value = solved(key).value
    return Proof(HEAD | {"game": game, "position": image(key, rng), "lower": value, "upper": value}, steps)


@pytest.mark.parametrize("count", [120, pytest.param(2000, marks=pytest.mark.nightly)])
def test_no_forged_certificate_is_accepted(tmp_path, count):
    """But for a few that are true: a weaker bound, an image of the position."""
    verdicts = Counter()
    for seed, forge in zip(itertools.count(), itertools.cycle(FORGERIES), strict=False):
        rng, game = random.Random(seed), ("duel", "hexapawn")[seed // len(FORGERIES) % 2]
        before = true_proof(game, seed)
        proof = copy.deepcopy(before)
        forge(proof, rng)
        if proof == before:  # a symmetric position has no other mirror image
            continue
        assert is_accepted(before, tmp_path / "c")
        accepted = is_accepted(proof, tmp_path / "c")
        assert not accepted or not (forge in BROKEN or lies(proof)), f"{forge}: {before} became {proof}"
        verdicts[accepted] += 1
        if verdicts.total() == count:
            break
    assert 0 < verdicts[True] < count * 0.2


def faults_of(proof, path):
    return "\n".join(prove.verify(written(proof, path)).faults)


@pytest.mark.parametrize("game", GAMES)
def test_every_conclusion_is_worked_out_again(game, tmp_path):
    """Each bound that follows from moves, if it says one or two more, and without each move that it needs."""
    conclusions = 0
    for seed in range(6):
        true = true_proof(game, seed)
        assert not faults_of(true, tmp_path / "c")
        for number, step in enumerate(true.steps):
            for side in [side for side, (_, by_moves) in step.bounds.items() if by_moves]:
                conclusions += 1
                for off in (1, 2):
                    proof = copy.deepcopy(true)
                    proof.steps[number].bounds[side] = step.bounds[side][0] + (off if side == LOWER else -off), True
                    says = f"{step.key}: (the {side} bound .* does not follow|no score is as)"
                    assert re.search(says, faults_of(proof, tmp_path / "c"))
                for move, to in step.moves.items() if side == UPPER else ():
                    if list(step.moves.values()).count(to) == 1:
                        proof = copy.deepcopy(true)
                        del proof.steps[number].moves[move]
                        assert "1 legal moves have no bound" in faults_of(proof, tmp_path / "c")
    assert conclusions > 15


# --- searches done again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_search_done_again_finds_true_bounds_and_no_others(game):
    rng = random.Random(3)
    for _ in range(25):
        key = random_key(game, rng)
        score, (least, most) = score_of(key), prover_of(game).plain.most(key)
        for bound in range(max(score - 2, least + 1), min(score + 3, most)):
            assert _verify.search_again(game, (key, LOWER, bound), 1 << 14)[0] == (score >= bound)
            assert _verify.search_again(game, (key, UPPER, bound), 1 << 14)[0] == (score <= bound)


@pytest.mark.parametrize("key", ["1ppp/p3/2PP/PP2:b", "2pp/pp2/3P/PPP1:w", "pp2/2pp/P3/01PPP:w", "pp2/2pp/P3/1PPP:W"])
def test_a_key_that_is_not_canonical_is_a_fault_and_not_searched(key, tmp_path):
    """White loses pp2/2pp/P3/1PPP in 8 plies; the first key is the same with colours exchanged."""
    claim = (MATE - 9, False)
    about = HEAD | {"game": "hexapawn", "position": "pp2/2pp/P3/1PPP:w", "lower": 9, "upper": 9}
    proof = Proof(about, [Step(key, dict.fromkeys(SIDES, claim))])
    verification = prove.verify(written(proof, tmp_path / "c"), recheck="all")
    assert any(says in verification.faults[0] for says in ("no position", "it stands for pp2/2pp/P3/1PPP:w"))
    assert verification.claims == verification.rechecked == 0


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_certificate_is_not_unpacked_further_than_it_may_be(tmp_path, monkeypatch):
    """16 MiB in one line, or in many: neither a line nor the text is in memory as a whole; nor is one exported."""
    prove.run(hexapawn.Position.start(3, 3), tmp_path / "store")
    monkeypatch.setattr(_certificate, "_MOST_BYTES", 1 << 16)
    whole = written(true_proof("duel", 1), tmp_path / "c").read_bytes()
    for bomb in (lzma.decompress(whole) + b" " * (16 << 20), b" " * (16 << 20), b"2/2:w - - -\n" * (1 << 20)):
        (tmp_path / "c").write_bytes(lzma.compress(bomb, preset=0))
        tracemalloc.start()
        try:
            with pytest.raises(GamecoreError, match="too large: more than 65536 bytes"):
                prove.verify(tmp_path / "c")
            assert tracemalloc.get_traced_memory()[1] < 1 << 20
        finally:
            tracemalloc.stop()
    monkeypatch.setattr(_certificate, "_MOST_BYTES", 99)
    with pytest.raises(GamecoreError, match=r"too large for a certificate: [0-9]+ bytes, at most 99"):
        prove.export(tmp_path / "store", tmp_path / "exported")
    assert not (tmp_path / "exported").exists()


def lines_changed(old, new):
    """Return a change of the text in a certificate's file."""
    return lambda data: lzma.compress(lzma.decompress(data).replace(old.encode(), new.encode()))


@pytest.mark.parametrize(("change", "says"), [
    (lambda data: data + b"x", "something follows its end"),
    (lambda data: data + data, "something follows its end"),
    (lambda data: data[:-1], "its end is missing"),
    (lambda data: lzma.compress(lzma.decompress(data), filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]),
     "[Mm]emory usage limit"),
    *((lines_changed(" -16 ", f" {bound} "), "is no step") for bound in ("-1_6", "+16", " -16", "-16**", "-999999")),
    (lines_changed("=1", "=-1"), "is no move"),
    (lines_changed("=1", "=1,"), "is no move"),
    (lines_changed("=1", "=1,a1-a2=1"), "stands twice"),
    (lines_changed("=1", "=9"), "positions are missing"),
    (lines_changed('"value"', '"why"'), "the question 'why'"),
    (lines_changed('"lower": 11', '"lower": true'), "has no lower"),
    (lines_changed('"version": 1', '"version": 2'), "has version 2, not 1"),
    (lines_changed("{", " " * (1 << 16) + "{"), "first line is too long"),
    (lines_changed("{", "[" * 50000), "damaged"),
])  # fmt: skip
def test_a_file_that_no_export_writes_is_refused(change, says, tmp_path):
    about = HEAD | {"game": "hexapawn", "position": "pppp/4/4/PPPP:w", "lower": 11, "upper": 11}
    text = json.dumps(about) + "\npppp/4/4/PPPP:w -16 8180 a1-a2=1\nppp1/3p/4/PPPP:w -16 - -\n"
    (tmp_path / "c").write_bytes(change(lzma.compress(text.encode())))
    with pytest.raises(GamecoreError, match=says):
        prove.verify(tmp_path / "c")
