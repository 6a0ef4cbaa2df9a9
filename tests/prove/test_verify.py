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
from prove.truth import GAMES, after, images, position_of, random_key, score_of, solved  # in pytest's pythonpath

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


def faults_of(proof, path, **options):
    """Return the faults of a certificate as text."""
    path.write_bytes(lzma.compress("".join(_certificate._lines(proof)).encode("ascii"), preset=0))
    try:
        return "\n".join(prove.verify(path, **options).faults)
    except GamecoreError as error:
        return str(error)


# --- forgeries: each changes a true certificate ----------------------------------------------------------------------


class Draft:
    """A certificate to be changed, and a step, a bound and a move of it, drawn."""

    def __init__(self, proof, rng):
        self.rng, self.about, self.steps, self.root = rng, proof.about, proof.steps, proof.steps[0]
        self.plain = prover_of(self.about["game"]).plain
        self.step = rng.choice(self.steps)
        self.side = rng.choice([*self.step.bounds])
        self.bound, self.by_moves = self.step.bounds[self.side]
        self.off = rng.choice((-2, -1, 1, 2))
        self.number = rng.choice([number for number, step in enumerate(self.steps) if step.moves])
        self.moves = self.steps[self.number].moves
        self.move = rng.choice([*self.moves])

    def say_what_follows(self):
        """Let the first line say what the root's bounds say."""
        if len(self.root.bounds) == 2:
            low, high = (self.root.bounds[side][0] for side in SIDES)
            with contextlib.suppress(GamecoreError):
                low, high = self.plain.value(self.root.key, low, high)
            self.about |= {"lower": low, "upper": high}


def other_image(draft, key):
    return draft.rng.choice(images(key, draft.rng))


def other_notation(draft, key):
    if "/" in key:
        return draft.rng.choice([key.replace("2", "11", 1), key.replace("1", "01", 1), key.replace(":w", ":W")])
    mover, rest = key.split(":", 1)
    return "".join(mover[at : at + 2] for at in range(len(mover) - 2, -1, -2)) + ":" + rest


def other_side(draft, key):
    return key.replace(":w", ":b").replace(":A:", ":B:")


def other_position(draft, key):
    return draft.rng.choice([*draft.plain.after(key).values(), draft.rng.choice(draft.steps).key])


def renamed(change):
    def forge(draft):
        step = draft.rng.choice((draft.root, draft.step))
        key, step.key = step.key, change(draft, step.key)
        if step is draft.root and step.key != key and draft.rng.random() < 0.5:
            draft.about["position"] = step.key

    return forge


def bound_off(draft):
    draft.step.bounds[draft.side] = draft.bound + draft.off, draft.by_moves
    draft.say_what_follows()


def another_value(draft):
    """A false value from which everything follows, down to the searches."""
    waiting, done = [(0, side, draft.off) for side in SIDES], set()
    while waiting:
        number, side, off = waiting.pop()
        step = draft.steps[number]
        if side not in step.bounds or (number, side) in done:
            continue
        done.add((number, side))
        bound, by_moves = step.bounds[side]
        step.bounds[side] = bound + off, by_moves
        if by_moves:
            waiting += [(child, OTHER[side], -off) for child in step.moves.values()]
    draft.say_what_follows()


def out_of_range(draft):
    """Bounds that are true, but further from 0 than any score: what follows from them can be false."""
    root, plain, far = draft.root, draft.plain, draft.rng.randint(MATE + 1, MATE + 3000)
    moves, (least, most) = plain.after(root.key), plain.most(root.key)
    keys = [*dict.fromkeys(moves.values())]
    draft.steps[1:] = [Step(key, {LOWER: (-far, False), UPPER: (far, False)}) for key in keys]
    root.moves = {move: keys.index(key) + 1 for move, key in moves.items()}
    if draft.rng.random() < 0.5:
        root.bounds = {LOWER: (plain.before(far), True), UPPER: (most, False)}
    else:
        root.bounds = {LOWER: (least, False), UPPER: (plain.before(-far), True)}
    draft.say_what_follows()


def star(draft):
    draft.step.bounds[draft.side] = draft.bound, not draft.by_moves


def sides_swapped(draft):
    draft.step.bounds = {OTHER[side]: bound for side, bound in draft.step.bounds.items()}
    draft.say_what_follows()


def bound_dropped(draft):
    del draft.step.bounds[draft.side]


def move_dropped(draft):
    del draft.moves[draft.move]


def moves_swapped(draft):
    other = draft.rng.choice([*draft.moves])
    draft.moves[draft.move], draft.moves[other] = draft.moves[other], draft.moves[draft.move]


def step_dropped(draft):
    number = draft.rng.randrange(len(draft.steps))
    del draft.steps[number]
    for step in draft.steps:
        step.moves = {move: to - (to > number) for move, to in step.moves.items() if to != number}


def step_repeated(draft):
    """A step stands once more: where one of the moves to it leads, or nowhere; sometimes with another bound."""
    ways = [(step.moves, move) for step in draft.steps for move in step.moves]
    times = Counter(moves[move] for moves, move in ways)
    moves, move = draft.rng.choice([(moves, move) for moves, move in ways if times[moves[move]] > 1] or ways)
    again = copy.deepcopy(draft.steps[moves[move]])
    if draft.rng.random() < 0.3:
        side, (bound, by_moves) = draft.rng.choice([*again.bounds.items()])
        again.bounds[side] = bound + draft.off, by_moves
    if draft.rng.random() < 0.8:
        moves[move] = len(draft.steps)
    draft.steps.append(again)


def cycle(draft):
    draft.moves[draft.move] = draft.rng.choice((0, draft.number))


def stray_step(draft):
    key = random_key(draft.about["game"], draft.rng)
    draft.steps.append(Step(key, {LOWER: (draft.rng.randint(-9, 9), False)}))


def position_asked(draft):
    """Another position is asked about: an image has the same value, the others have not."""
    change = draft.rng.choice((other_image, other_side, other_position))
    draft.about["position"] = change(draft, draft.about["position"])


def value_said(draft):
    lower, upper = draft.about["lower"], draft.about["upper"]
    other = [(-upper, -lower), (lower + 1, upper), (lower - 1, upper), (lower, upper + 2), (upper + 1, lower)]
    draft.about["lower"], draft.about["upper"] = draft.rng.choice(other)


BROKEN = (
    renamed(other_image), renamed(other_notation), renamed(other_side), step_repeated, cycle, stray_step,
)  #: never accepted  # fmt: skip
FORGERIES = (
    *BROKEN, renamed(other_position), bound_off, another_value, another_value, out_of_range, star, sides_swapped,
    bound_dropped, move_dropped, moves_swapped, step_dropped, position_asked, value_said,
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
    about = {"game": game, "position": rng.choice(images(key, rng)), **dict.fromkeys(SIDES, solved(key).value)}
    return Proof(HEAD | about, steps)


@pytest.mark.parametrize("count", [120, pytest.param(2000, marks=pytest.mark.nightly)])
def test_no_forged_certificate_is_accepted(tmp_path, count):
    """But for a few that are true: a weaker bound, an image of the position."""
    verdicts, checks = Counter(), {"path": tmp_path / "c", "recheck": "all", "table_mb": 0.02}
    for seed, forge in zip(itertools.count(), itertools.cycle(FORGERIES), strict=False):
        before = true_proof(("duel", "hexapawn")[seed // len(FORGERIES) % 2], seed)
        proof = copy.deepcopy(before)
        forge(Draft(proof, random.Random(seed)))
        if proof == before:  # a symmetric position has no other mirror image
            continue
        assert not faults_of(before, **checks)
        accepted = not faults_of(proof, **checks)
        assert not accepted or not (forge in BROKEN or lies(proof)), f"{forge}: {before} became {proof}"
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
        for step in true.steps:
            for side, (bound, by_moves) in [*step.bounds.items()]:
                if not by_moves:
                    continue
                conclusions += 1
                for off in (1, 2):
                    step.bounds[side] = bound + (off if side == LOWER else -off), True
                    says = f"{step.key}: (the {side} bound .* does not follow|no score is as)"
                    assert re.search(says, faults_of(true, tmp_path / "c"))
                step.bounds[side] = bound, True
                for move, to in [*step.moves.items()] if side == UPPER else ():
                    if list(step.moves.values()).count(to) == 1:
                        del step.moves[move]
                        assert "1 legal moves have no bound" in faults_of(true, tmp_path / "c")
                        step.moves[move] = to
    assert conclusions > 15


# --- searches done again ---------------------------------------------------------------------------------------------


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


BOARD, HANDS, LOST = "ppp/3/PPP:w", "D2C7C8:C4H5C9:A:-", f"{MATE - 9} {MATE - 9}"


@pytest.mark.parametrize(
    ("key", "bounds", "fault", "claims"),
    [
        *((BOARD, bounds, "no score is as", 0) for far in (MATE, 99999) for bounds in (f"{far} -", f"- {-far}")),
        (BOARD, f"{MATE - 3} {MATE - 5}", f"no score is from {MATE - 3} to {MATE - 5}", 2),
        # Whoever wins is paid a sum of cards: 4, 5, 9 of Bob's (and sums of them), 2, 7, 8 of Alice's.
        (HANDS, "0 0", "no result is from 0 to 0", 2),
        (HANDS, "5 3", "no result is from 5 to 3", 2),
        (HANDS, "1 3", "no result is from 1 to 3", 2),
        (HANDS, "0 12", "its steps say 4 to 9", 2),
        (HANDS, "-12 0", "its steps say -10 to -2", 2),
        # White loses pp2/2pp/P3/1PPP in 8 plies; the first key is the same with colours exchanged.
        ("1ppp/p3/2PP/PP2:b", LOST, "it stands for pp2/2pp/P3/1PPP:w", 0),
        ("2pp/pp2/3P/PPP1:w", LOST, "it stands for pp2/2pp/P3/1PPP:w", 0),
        ("pp2/2pp/P3/01PPP:w", LOST, "is no position", 0),
        ("pp2/2pp/P3/1PPP:W", LOST, "is no position", 0),
    ],
)
def test_a_step_that_no_export_writes_is_a_fault(key, bounds, fault, claims, tmp_path):
    """Bounds that no game ends with, and keys that are not canonical, which are not even searched."""
    game, position = ("hexapawn", "pp2/2pp/P3/1PPP:w") if "/" in key else ("duel", HANDS)
    if key in (BOARD, HANDS):
        position = key = prover_of(game).canonical(position_of(key))
    about = HEAD | {"game": game, "position": position, "lower": 9, "upper": 9}
    (tmp_path / "c").write_bytes(lzma.compress(f"{json.dumps(about)}\n{key} {bounds} -\n".encode()))
    verification = prove.verify(tmp_path / "c", recheck="all")
    assert any(fault in text for text in verification.faults)
    assert verification.claims == verification.rechecked == claims


# --- files -----------------------------------------------------------------------------------------------------------


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
